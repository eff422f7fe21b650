// The page: listens to the feed of changes and shows what is there now.

import { $, fill, plural } from "./dom.js";
import { filter, showFaces } from "./faces.js";
import { bindKeys } from "./keys.js";
import { bind, load, onSetting, set, settings } from "./settings.js";
import { showSheets } from "./sheets.js";

let index = null;
let games = new Map();
let feed = null;
let busy = Promise.resolve();

const fetchJson = async (address) => {
  const reply = await fetch(address, { cache: "no-store" });
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return reply.json();
};

/** One refresh after the other, so that an older state never overwrites a newer one. */
function refresh(changed) {
  busy = busy.then(() => refreshNow(changed)).catch((error) => say("lost", error.message));
  return busy;
}

async function refreshNow(changed) {
  const began = performance.now();
  const wanted = settings.game;
  const early = changed?.includes(wanted) ? fetchJson(`/games/${wanted}`).catch(() => null) : null;
  index = await fetchJson("/index.json");
  for (const key of changed ?? [...games.keys()]) games.delete(key);
  if (early) {
    const game = await early;
    if (game) games.set(wanted, game);
  }
  showIndex();
  await showGame();
  document.documentElement.dataset.generation = index.generation;
  document.documentElement.dataset.refreshed = (performance.now() - began).toFixed(1);
}

function showIndex() {
  const label = ({ title, errors, warnings }) => title
    + (errors ? ` — ${plural(errors, "error")}` : warnings ? ` — ${plural(warnings, "warning")}` : "");
  fill($("game"), index.games.map((game) => [game.key, label(game)]), settings.game);
  if (index.games.length > 0 && !index.games.some(({ key }) => key === settings.game)) set({ game: index.games[0].key });
  fill($("paper"), index.papers.map((paper) => [paper, paper]), settings.paper);
  $("trouble").hidden = !index.trouble;
  $("trouble").textContent = index.trouble ?? "";
}

async function showGame() {
  const key = settings.game;
  if (!index?.games.some((game) => game.key === key)) return;
  if (!games.has(key)) games.set(key, await fetchJson(`/games/${key}`));
  if (key !== settings.game) return;
  const game = games.get(key);
  document.title = `${game.title} · paiban`;
  fill($("players"), [["full", "everything"], ...game.players.map((count) => [String(count), String(count)])], settings.players);
  if ($("players").value !== settings.players) settings.players = $("players").value;
  const sheets = settings.view === "sheets";
  $("faces").hidden = sheets;
  $("sheets").hidden = !sheets;
  for (const element of document.querySelectorAll(".sheets-only")) element.hidden = !sheets;
  await Promise.all([showFaces(game), sheets && showSheets(game)]);
  status(game);
}

function status(game) {
  const count = (severity) => game.notes.filter((note) => note.severity === severity).length;
  const parts = [["error", count("error")], ["warning", count("warning")], ["note", count("note")]].filter(([, many]) => many > 0);
  const told = parts.map(([word, many]) => plural(many, word)).join(", ") || "no findings";
  const mood = index.trouble || count("error") > 0 || game.stale ? "bad" : game.checking ? "busy" : "good";
  say(mood, (game.checking ? "checking · " : "") + told);
}

function say(mood, text) {
  $("live").dataset.mood = mood;
  $("live-text").textContent = text;
}

function listen() {
  feed?.close();
  feed = new EventSource("/feed");
  feed.addEventListener("change", (event) => {
    const { games: changed } = JSON.parse(event.data);
    refresh(changed);
  });
  feed.addEventListener("error", () => say("lost", "not connected"));
}

load();
bind();
bindKeys();
$("search").addEventListener("input", filter);
onSetting((changes) => {
  if ("game" in changes || "view" in changes || "players" in changes || "paper" in changes) {
    busy = busy.then(showGame).catch((error) => say("lost", error.message));
  } else {
    filter();
  }
});
// Browsers allow few connections to one server, so pages in the background leave theirs.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) feed?.close();
  else listen();
});
listen();
