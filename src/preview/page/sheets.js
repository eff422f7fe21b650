// The sheets of a kit. Faces in them are links to the same pictures that the other view shows.

import { $, make, plural } from "./dom.js";
import { settings } from "./settings.js";

let shown = "";

/** Shows the sheets of `game` as chosen; nothing is fetched when they are there already. */
export async function showSheets(game) {
  const wanted = `${game.key} ${settings.players} ${settings.paper} ${game.generation}`;
  if (shown === wanted) return;
  const place = $("sheets");
  const before = shown.split(" ").slice(0, 3).join(" ");
  if (before !== wanted.split(" ").slice(0, 3).join(" ")) place.replaceChildren(make("p", { class: "empty" }, "Laying out …"));
  shown = wanted;
  const reply = await fetch(`/games/${game.key}/sheets/${settings.players}/${encodeURIComponent(settings.paper)}`);
  if (shown !== wanted) return;
  if (!reply.ok) {
    shown = "";
    place.replaceChildren(make("p", { class: "empty" }, "These sheets cannot be laid out."));
    return;
  }
  const { sheets } = await reply.json();
  if (shown !== wanted) return;
  const summary = make("p", { class: "summary" }, `${plural(sheets.length, "page")} · ${settings.paper} · ${settings.players === "full" ? "everything in the box" : plural(Number(settings.players), "player")}`);
  place.replaceChildren(summary, make("div", { class: "sheet-grid" }, ...sheets.map(showSheet)));
}

function showSheet(sheet, at) {
  // Parsed as XML and taken over as elements: nothing in it can run.
  const parsed = new DOMParser().parseFromString(sheet.svg, "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Page ${at + 1}, ${sheet.side}: ${sheet.title}`);
  const page = make("div", { class: "page" });
  page.append(svg);
  const element = make("figure", { class: "sheet" }, page, make("figcaption", {}, make("span", { class: "number" }, String(at + 1)), make("span", {}, sheet.title), make("span", { class: "badge" }, sheet.side)));
  element.style.setProperty("--w", sheet.page[0]);
  element.style.setProperty("--h", sheet.page[1]);
  return element;
}
