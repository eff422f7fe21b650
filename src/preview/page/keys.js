// What keys do. Each is told in the list of keys as well, so that the two cannot differ.

import { $, make } from "./dom.js";
import { move, openChosen } from "./faces.js";
import { set, settings, step } from "./settings.js";

const flip = (name) => () => set({ [name]: !settings[name] });

/** Key, what it does in words, what it does. */
const KEYS = [
  ["/", "search", () => $("search").focus()],
  ["j", "next face", () => move(1)],
  ["k", "face before", () => move(-1)],
  ["Enter", "look at it closely", openChosen],
  ["+", "larger", () => step(1)],
  ["-", "smaller", () => step(-1)],
  ["0", "real size", () => set({ zoom: 100 })],
  ["o", "all overlays", () => {
    const on = !(settings.trim && settings.safe && settings.bleed);
    set({ trim: on, safe: on, bleed: on });
  }],
  ["t", "trim", flip("trim")],
  ["s", "safe zone", flip("safe")],
  ["b", "bleed", flip("bleed")],
  ["g", "grey", () => set({ sight: settings.sight === "grey" ? "" : "grey" })],
  ["f", "only faces with findings", flip("noted")],
  ["c", "only faces changed since the last print", flip("changed")],
  ["v", "faces or sheets", () => set({ view: settings.view === "faces" ? "sheets" : "faces" })],
  ["?", "this list", () => $("keys").showModal()],
];

const ALIASES = { "=": "+", "−": "-", _: "-" };

export function bindKeys() {
  $("keys-list").replaceChildren(...KEYS.flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]));
  $("help").addEventListener("click", () => $("keys").showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest?.("input[type=search], select, input[type=range]");
    if (event.key === "Escape" && event.target === $("search")) {
      $("search").value = "";
      $("search").dispatchEvent(new Event("input"));
      $("search").blur();
      return;
    }
    if (typing) return;
    const open = document.querySelector("dialog[open]");
    const pressed = ALIASES[event.key] ?? event.key;
    // A dialog keeps the keys to itself, but faces can be looked through in the closer view.
    if (open && !(open.id === "closer" && "jkgotsb".includes(pressed))) return;
    // Enter on a button is that button's.
    if (pressed === "Enter" && event.target.closest?.("button")) return;
    const known = KEYS.find(([key]) => key === pressed);
    if (!known) return;
    event.preventDefault();
    known[2]();
  });
  $("closer-before").addEventListener("click", () => move(-1));
  $("closer-after").addEventListener("click", () => move(1));
  for (const button of document.querySelectorAll("dialog .close")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
}
