// The faces of a game. What did not change keeps its element, so that only new pictures are fetched.

import { $, arrange, finding, make, plural } from "./dom.js";
import { settings } from "./settings.js";

const cards = new Map();
const sections = new Map();
let game = null;
let chosen = null;

/** Shows `next`; resolves when all new pictures can be seen. */
export async function showFaces(next) {
  const other = game?.key !== next.key;
  game = next;
  if (other) {
    cards.clear();
    sections.clear();
    chosen = null;
    $("faces").replaceChildren();
  }
  const loading = [];
  const seen = new Set();
  arrange($("faces"), next.sections.map((section) => showSection(section, seen, loading)));
  for (const key of [...cards.keys()].filter((key) => !seen.has(key))) cards.delete(key);
  for (const key of [...sections.keys()].filter((key) => !next.sections.some(({ id }) => id === key))) sections.delete(key);
  const loose = $("loose");
  const told = next.loose.map((at) => next.notes[at]);
  loose.hidden = told.length === 0;
  // Notes alone are folded away; what is wrong is not.
  const open = told.some(({ severity }) => severity !== "note");
  const were = loose.dataset.told;
  loose.dataset.told = JSON.stringify(told);
  if (were !== loose.dataset.told) {
    loose.replaceChildren(make("details", { open },
      make("summary", {}, `${plural(told.length, "finding")} of the game as a whole`),
      make("ul", { class: "findings" }, ...told.map(finding))));
  }
  $("only-changed").hidden = !next.printed;
  filter();
  if ($("closer").open && chosen) showCloser();
  await Promise.all(loading);
}

function showSection(section, seen, loading) {
  let shown = sections.get(section.id);
  if (!shown) {
    const head = make("header", { class: "section-head" });
    const notes = make("ul", { class: "findings" });
    const grid = make("div", { class: "grid" });
    const element = make("section", { class: "component", "aria-label": section.title }, head, notes, grid);
    shown = { element, head, notes, grid };
    sections.set(section.id, shown);
  }
  const [width, height] = section.trim;
  const facts = `${section.id} · ${section.kind} · ${+width.toFixed(2)} × ${+height.toFixed(2)} mm · ${plural(section.cards.length, "face")}`;
  if (shown.facts !== section.title + facts) {
    shown.facts = section.title + facts;
    shown.head.replaceChildren(make("h2", { lang: game.language }, section.title), make("p", {}, facts));
  }
  showNotes(shown, section.notes);
  const style = shown.grid.style;
  style.setProperty("--w", width);
  style.setProperty("--h", height);
  style.setProperty("--bleed", section.bleed);
  style.setProperty("--safe", section.safe);
  shown.grid.dataset.shape = section.shape;
  arrange(shown.grid, section.cards.map((card) => showCard(card, seen, loading)));
  return shown.element;
}

/** Notes are written anew only where they are others. */
function showNotes(shown, numbers) {
  const notes = numbers.map((at) => game.notes[at]);
  const told = JSON.stringify(notes);
  if (shown.told === told) return;
  shown.told = told;
  shown.notes.hidden = notes.length === 0;
  shown.notes.replaceChildren(...notes.map(finding));
}

const idOf = (card) => `${card.address}#${card.side}`;

function showCard(card, seen, loading) {
  const id = idOf(card);
  seen.add(id);
  let shown = cards.get(id);
  if (!shown) {
    shown = newCard(card);
    cards.set(id, shown);
  }
  shown.card = card;
  const { element } = shown;
  if (shown.key !== card.face) {
    const fresh = shown.key !== undefined;
    shown.key = card.face;
    if (card.face) loading.push(swap(shown, `/faces/${card.face}`, fresh));
    else shown.face.replaceChildren(make("p", { class: "missing" }, "cannot be composed"));
  }
  element.classList.toggle("stale", card.stale);
  element.classList.toggle("changed", card.changed);
  element.classList.toggle("noted", card.notes.length > 0);
  const worst = ["error", "warning", "note"].find((severity) => card.notes.some((at) => game.notes[at].severity === severity));
  if (worst) element.dataset.worst = worst;
  else delete element.dataset.worst;
  const badges = [card.copies > 1 && `× ${card.copies}`, card.side === "back" && "back", card.stale && "as it was", card.changed && "changed"];
  const told = badges.filter(Boolean).join(", ");
  if (shown.badges !== told) {
    shown.badges = told;
    shown.caption.replaceChildren(make("span", { class: "address" }, card.address),
      ...badges.filter(Boolean).map((text) => make("span", { class: `badge ${text.replace(/[^a-z]/g, "")}` }, text)));
    const label = `${card.address}, ${card.side}${card.stale ? ", as it was before its data broke" : ""}${card.changed ? ", changed since the last print" : ""}`;
    shown.face.setAttribute("aria-label", label);
  }
  showNotes(shown, card.notes);
  return element;
}

function newCard(card) {
  const face = make("button", { class: "face" });
  const caption = make("figcaption", {});
  const notes = make("ul", { class: "findings", hidden: true });
  const element = make("figure", { class: "card" }, face, caption, notes);
  const shown = { element, face, caption, notes, card };
  face.addEventListener("click", () => openCloser(shown));
  face.addEventListener("focus", () => choose(shown, false));
  return shown;
}

function picture(source) {
  return make("span", { class: "crop" }, make("img", { src: source, alt: "", draggable: "false", loading: "lazy", decoding: "async" }));
}

const lines = () => ["trim-line", "safe-line"].map((name) => make("span", { class: name }));

/** Puts a picture where another was, once it can be seen, so that nothing flickers. */
async function swap(shown, source, fresh) {
  const crop = picture(source);
  const image = crop.firstChild;
  if (!fresh) {
    shown.face.replaceChildren(crop, ...lines());
    return;
  }
  image.loading = "eager";
  image.decoding = "sync";
  try {
    await image.decode();
  } catch { /* it went away again: the next change brings another */ }
  if (!source.endsWith(shown.key)) return;
  shown.face.replaceChildren(crop, ...lines());
  shown.element.classList.remove("fresh");
  void shown.element.offsetWidth;
  shown.element.classList.add("fresh");
}

/** Hides what the search and the filters leave out. */
export function filter() {
  if (!game) return;
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const section of game.sections) {
    let any = 0;
    for (const card of section.cards) {
      const shown = cards.get(idOf(card));
      const text = `${card.address} ${section.title} ${card.text}`.toLowerCase();
      const fits = words.every((word) => text.includes(word))
        && (!settings.noted || card.notes.length > 0) && (!settings.changed || !game.printed || card.changed);
      shown.element.hidden = !fits;
      if (fits) any += 1;
    }
    const own = settings.noted && words.length === 0 && section.notes.length > 0;
    sections.get(section.id).element.hidden = any === 0 && !own;
    count += any;
  }
  $("empty").hidden = count > 0 || settings.view !== "faces";
  $("empty").textContent = game.sections.length === 0 ? "There are no faces yet." : "No face fits.";
}

function visible() {
  return [...document.querySelectorAll("#faces .card:not([hidden])")]
    .map((element) => [...cards.values()].find((shown) => shown.element === element));
}

function choose(shown, focus = true) {
  chosen?.element.classList.remove("chosen");
  chosen = shown;
  shown.element.classList.add("chosen");
  if (focus) {
    shown.face.focus({ preventScroll: true });
    shown.element.scrollIntoView({ block: "nearest" });
  }
}

/** The next face, or the one before. */
export function move(by) {
  const all = visible();
  if (all.length === 0) return;
  const at = all.indexOf(chosen);
  const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
  choose(next, !$("closer").open);
  if ($("closer").open) showCloser();
}

export function openChosen() {
  if (chosen && !$("closer").open) openCloser(chosen);
}

function openCloser(shown) {
  choose(shown, false);
  showCloser();
  $("closer").showModal();
}

function showCloser() {
  const { card } = chosen;
  const section = game.sections.find(({ cards: all }) => all.some((other) => idOf(other) === idOf(card)));
  if (!section) return;
  const all = visible();
  $("closer-title").textContent = card.address + (card.side === "back" ? " · back" : "");
  $("closer-count").textContent = `${all.indexOf(chosen) + 1} of ${all.length}`;
  const face = make("div", { class: "face large" }, card.face && picture(`/faces/${card.face}`), ...lines());
  const stand = make("div", { class: "stand" }, face);
  stand.dataset.shape = section.shape;
  for (const [name, value] of Object.entries({ "--w": section.trim[0], "--h": section.trim[1], "--bleed": section.bleed, "--safe": section.safe })) {
    stand.style.setProperty(name, value);
  }
  // As large as the window allows, up to three times the real size.
  const beyond = settings.bleed ? 2 * section.bleed : 0;
  const [wide, high] = section.trim.map((length) => length + beyond);
  const room = Math.min((innerWidth * 0.94 - 72) / wide, (innerHeight * 0.62) / high) * 25.4 / 96;
  stand.style.setProperty("--zoom", Math.min(3 * settings.scale, room));
  const notes = card.notes.map((at) => finding(game.notes[at]));
  document.querySelector("#closer .closer-body").replaceChildren(stand, make("ul", { class: "findings" }, ...notes));
}
