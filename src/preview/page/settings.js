// What is chosen: zoom, overlays, colours, filters. Kept in this browser; nothing of it goes to the server.

import { $ } from "./dom.js";

const STORE = "paiban.settings";
const STEPS = [15, 20, 25, 33, 50, 67, 75, 100, 125, 150, 200, 300, 400];

export const settings = {
  game: "", view: "faces", zoom: 50, scale: 1, trim: false, safe: false, bleed: false, sight: "", noted: false, changed: false,
  players: "full", paper: "a4",
};

const listeners = [];
export const onSetting = (listener) => listeners.push(listener);

export function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    for (const key of Object.keys(settings)) {
      if (typeof stored[key] === typeof settings[key]) settings[key] = stored[key];
    }
  } catch { /* storage is off or holds something else: the defaults do */ }
  settings.scale = Math.min(2, Math.max(0.5, settings.scale));
  settings.zoom = Math.min(400, Math.max(15, settings.zoom));
  show();
}

export function set(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch { /* it is not kept, then */ }
  show();
  listeners.forEach((listener) => listener(changes));
}

export function step(by) {
  const next = by > 0 ? STEPS.find((at) => at > settings.zoom) : STEPS.findLast((at) => at < settings.zoom);
  if (next) set({ zoom: next });
}

function show() {
  const root = document.documentElement;
  root.style.setProperty("--zoom", settings.zoom / 100 * settings.scale);
  root.style.setProperty("--scale", settings.scale);
  for (const overlay of ["trim", "safe", "bleed"]) {
    root.classList.toggle(`with-${overlay}`, settings[overlay]);
    $(overlay).setAttribute("aria-pressed", settings[overlay]);
  }
  root.dataset.sight = settings.sight;
  $("sight").value = settings.sight;
  $("zoom").textContent = `${settings.zoom} %`;
  $("only-noted").setAttribute("aria-pressed", settings.noted);
  $("only-changed").setAttribute("aria-pressed", settings.changed);
  $("show-faces").setAttribute("aria-pressed", settings.view === "faces");
  $("show-sheets").setAttribute("aria-pressed", settings.view === "sheets");
  $("ruler-size").value = settings.scale * 100;
  $("ruler-value").textContent = `${(settings.scale * 100).toFixed(1)} %`;
}

export function bind() {
  $("smaller").addEventListener("click", () => step(-1));
  $("larger").addEventListener("click", () => step(1));
  $("zoom").addEventListener("click", () => set({ zoom: 100 }));
  for (const overlay of ["trim", "safe", "bleed"]) {
    $(overlay).addEventListener("click", () => set({ [overlay]: !settings[overlay] }));
  }
  $("sight").addEventListener("change", (event) => set({ sight: event.target.value }));
  $("only-noted").addEventListener("click", () => set({ noted: !settings.noted }));
  $("only-changed").addEventListener("click", () => set({ changed: !settings.changed }));
  $("show-faces").addEventListener("click", () => set({ view: "faces" }));
  $("show-sheets").addEventListener("click", () => set({ view: "sheets" }));
  $("players").addEventListener("change", (event) => set({ players: event.target.value }));
  $("paper").addEventListener("change", (event) => set({ paper: event.target.value }));
  $("game").addEventListener("change", (event) => set({ game: event.target.value }));
  $("calibrate").addEventListener("click", () => $("ruler").showModal());
  $("ruler-size").addEventListener("input", (event) => set({ scale: Number(event.target.value) / 100 }));
  $("ruler-reset").addEventListener("click", () => set({ scale: 1 }));
}
