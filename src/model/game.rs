//! The `[game]` table and what hangs on it: from what was written to a valid [`Game`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::fields::Fields;
use super::keys;
use super::load::Raw;
use super::{
    Claim, Component, Game, Invariant, Record, Replay, claim, component, invariant, preflight, provenance, replay,
};
use crate::diagnostics::{Finding, Report, checks};
use crate::expr::Engine;
use crate::source::tree::{Entry, Mark, Node, Table, Value};
use crate::source::{Span, Spanned};

/// Array names that are not kinds of records.
const NOT_RECORDS: [&str; 4] = ["component", "invariant", "claim", "replay"];

/// The most player counts that a game may list, and the most players.
const PLAYERS: i64 = 99;

/// Turns what stands in the files of game `id` into a [`Game`]. None when there is no `[game]` to build on.
pub(super) fn validate(id: &str, mut raw: Raw, engine: &Engine, report: &mut Report) -> Option<Game> {
    let table = head(&mut raw, report)?;
    let mut game = identity(id, &table, report)?;
    game.icons = texts(raw.head.get("icons"), "icons", report);
    game.fonts = texts(raw.head.get("fonts"), "fonts", report);
    game.unused = unused(raw.head.get("unused"), report);
    game.theme = raw.head.remove("theme").unwrap_or_else(|| empty_table(&table));
    game.records = records(&raw.arrays, report);
    game.preflight = preflight::of_game(raw.head.get("preflight"), &game, report);
    components(&raw.arrays, &mut game, engine, report);
    game.invariants = invariants(&raw.arrays, &game, report);
    game.claims = claims(&raw.arrays, &game.players, report);
    game.rules = raw.rules;
    game.replays = replays(&raw.arrays, report);
    Some(game)
}

fn head(raw: &mut Raw, report: &mut Report) -> Option<Node> {
    let table = raw.head.remove("game");
    if table.is_none() {
        let mut finding = Finding::new(checks::KEY_MISSING, "game.toml has no [game] table");
        if let Some(start) = raw.start {
            finding = finding.at(start);
        }
        report.push(finding.help("a game needs at least id, title and players; see docs/reference/data.md"));
    }
    table
}

fn identity(folder: &str, table: &Node, report: &mut Report) -> Option<Game> {
    let Some(inner) = table.as_table() else {
        report.push(
            Finding::new(checks::TYPE_WRONG, format!("`game` is {}", table.kind())).at(table.span).expected("a table"),
        );
        return None;
    };
    let fields = Fields::new(inner, table.span, "[game]", &keys::GAME);
    if let Some(id) = fields.required_text("id", report).filter(|id| id.value != folder) {
        let message = format!("the game's id is {:?} but its folder is {folder:?}", id.value);
        report.push(Finding::new(checks::VALUE_WRONG, message).at(id.span).expected(format!("{folder:?}")));
    }
    let title = fields.required_text("title", report).map_or_else(|| folder.to_owned(), |title| title.value);
    let language = fields.text("language", report).map_or_else(|| "en".to_owned(), |tag| tag.value);
    let version = fields.text("version", report).map_or_else(|| "1".to_owned(), |version| version.value);
    let icon_set = fields.text("icons", report);
    let players = players(&fields, report);
    let gutter = fields.gutter("gutter", report).unwrap_or_default();
    let _ = fields.node("credits");
    fields.finish(report);
    Some(Game {
        id: folder.to_owned(),
        title,
        language,
        players,
        version,
        gutter,
        span: table.span,
        table: table.clone(),
        icon_set,
        icons: BTreeMap::new(),
        fonts: BTreeMap::new(),
        theme: empty_table(table),
        preflight: preflight::Preflight::default(),
        unused: BTreeMap::new(),
        components: Vec::new(),
        records: BTreeMap::new(),
        invariants: Vec::new(),
        claims: Vec::new(),
        rules: None,
        replays: Vec::new(),
    })
}

fn players(fields: &Fields<'_>, report: &mut Report) -> Vec<u32> {
    let Some(node) = fields.node("players") else {
        report.push(fields.missing("players"));
        return Vec::new();
    };
    let Some(items) = node.as_array().filter(|items| !items.is_empty()) else {
        report.push(fields.wrong_type("players", node, "a list of player counts, like [3, 4, 5, 6]"));
        return Vec::new();
    };
    let mut counts = BTreeSet::new();
    for item in items.iter() {
        let count = item.as_integer().filter(|n| (1..=PLAYERS).contains(n)).and_then(|n| u32::try_from(n).ok());
        let fault = match count {
            None => Some(format!("`players` of [game] lists {item}")),
            Some(count) => (!counts.insert(count)).then(|| format!("`players` of [game] lists {count} twice")),
        };
        if let Some(message) = fault {
            let finding = Finding::new(checks::VALUE_WRONG, message).at(item.span);
            report.push(finding.expected(format!("whole numbers from 1 to {PLAYERS}, each once")));
        }
    }
    counts.into_iter().collect()
}

fn texts(node: Option<&Node>, what: &'static str, report: &mut Report) -> BTreeMap<String, Spanned<String>> {
    let Some(node) = node else { return BTreeMap::new() };
    let holder = Table {
        entries: vec![Entry {
            key: Spanned::new(Arc::from(what), node.span),
            node: node.clone(),
            read: Mark::default(),
        }],
    };
    Fields::new(&holder, node.span, "game.toml", &keys::FREE).text_table(what, report)
}

/// What the `[unused]` table excuses. `club.motto = "why"` is a table in a table, and means the same as `"club.motto" = "why"`.
fn unused(node: Option<&Node>, report: &mut Report) -> BTreeMap<String, Spanned<String>> {
    let mut excuses = BTreeMap::new();
    let Some(node) = node else { return excuses };
    let mut tables = vec![(String::new(), node)];
    while let Some((prefix, node)) = tables.pop() {
        let Some(table) = node.as_table() else {
            let finding = Finding::new(checks::TYPE_WRONG, format!("`unused` has {}", node.kind())).at(node.span);
            report.push(finding.expected("a text that says why the thing is there all the same"));
            continue;
        };
        for entry in &table.entries {
            let name = format!("{prefix}{}", entry.key.value);
            match entry.node.as_str() {
                Some(why) => drop(excuses.insert(name, Spanned::new(why.to_owned(), entry.node.span))),
                None => tables.push((format!("{name}."), &entry.node)),
            }
        }
    }
    excuses
}

fn empty_table(like: &Node) -> Node {
    Node { value: Value::Table(Arc::default()), span: like.span }
}

fn records(arrays: &BTreeMap<String, Vec<Node>>, report: &mut Report) -> BTreeMap<String, Vec<Record>> {
    let kinds = arrays.iter().filter(|(kind, _)| !NOT_RECORDS.contains(&kind.as_str()));
    kinds.map(|(kind, nodes)| (kind.clone(), records_of(kind, nodes, report))).collect()
}

fn records_of(kind: &str, nodes: &[Node], report: &mut Report) -> Vec<Record> {
    let mut seen = Ids::new(format!("records of kind `{kind}`"));
    let valid = nodes.iter().filter_map(|node| {
        let id = record_id(kind, node, report)?;
        let what = format!("`{}` of kind `{kind}`", id.value);
        node.as_table().into_iter().for_each(|table| provenance::check(table, &what, report));
        seen.is_new(&id.value, node, report).then(|| Record { id: id.value, node: node.clone() })
    });
    valid.collect()
}

/// The id of a record: not empty, without `/` or blanks, so that addresses stay readable.
fn record_id(kind: &str, node: &Node, report: &mut Report) -> Option<Spanned<String>> {
    let table = node.as_table()?;
    let id = Fields::new(table, node.span, format!("this `{kind}`"), &keys::FREE).required_text("id", report)?;
    if id.value.contains(|c: char| c == '/' || c.is_whitespace() || c.is_control()) {
        let message = format!("the id {:?} has a slash or a blank in it", id.value);
        report.push(Finding::new(checks::VALUE_WRONG, message).at(id.span).expected("letters, digits and hyphens"));
    }
    Some(id)
}

/// Reads the components into `game`, in the order of the data. Boxes are read last: they are made to the measure of the others.
fn components(arrays: &BTreeMap<String, Vec<Node>>, game: &mut Game, engine: &Engine, report: &mut Report) {
    let nodes = arrays.get("component").map(Vec::as_slice).unwrap_or_default();
    if nodes.is_empty() {
        let finding = Finding::new(checks::KEY_MISSING, "the game has no components, so nothing would be printed");
        report.push(finding.at(game.span).help("add a table [[component]]; see docs/reference/data.md"));
    }
    let (boxes, others): (Vec<_>, Vec<_>) = nodes.iter().enumerate().partition(|(_, node)| is_box(node));
    let mut seen = Ids::new("components");
    let mut order = Vec::new();
    for (at, node) in others.into_iter().chain(boxes) {
        let component = component::validate(node, game, engine, report);
        if let Some(component) = component.filter(|component| seen.is_new(&component.id, node, report)) {
            game.components.push(component);
            order.push(at);
        }
    }
    let mut ordered: Vec<(usize, Component)> = order.into_iter().zip(game.components.drain(..)).collect();
    ordered.sort_by_key(|(at, _)| *at);
    game.components = ordered.into_iter().map(|(_, component)| component).collect();
}

fn is_box(node: &Node) -> bool {
    node.as_table().and_then(|table| table.get("kind")).and_then(Node::as_str) == Some("box")
}

fn invariants(arrays: &BTreeMap<String, Vec<Node>>, game: &Game, report: &mut Report) -> Vec<Invariant> {
    let nodes = arrays.get("invariant").map(Vec::as_slice).unwrap_or_default();
    let mut seen = Ids::new("invariants");
    let valid = nodes.iter().filter_map(|node| {
        let invariant = invariant::validate(node, game, report)?;
        seen.is_new(&invariant.id, node, report).then_some(invariant)
    });
    valid.collect()
}

fn claims(arrays: &BTreeMap<String, Vec<Node>>, players: &[u32], report: &mut Report) -> Vec<Claim> {
    let nodes = arrays.get("claim").map(Vec::as_slice).unwrap_or_default();
    let mut seen = Ids::new("claims");
    let valid = nodes.iter().filter_map(|node| {
        let claim = claim::validate(node, players, report)?;
        seen.is_new(&claim.id, node, report).then_some(claim)
    });
    valid.collect()
}

fn replays(arrays: &BTreeMap<String, Vec<Node>>, report: &mut Report) -> Vec<Replay> {
    let nodes = arrays.get("replay").map(Vec::as_slice).unwrap_or_default();
    let mut seen = Ids::new("replays");
    let valid = nodes.iter().filter_map(|node| {
        let replay = replay::validate(node, report)?;
        seen.is_new(&replay.id, node, report).then_some(replay)
    });
    valid.collect()
}

/// The ids that were seen so far, and where.
struct Ids {
    what: String,
    seen: BTreeMap<String, Span>,
}

impl Ids {
    fn new(what: impl Into<String>) -> Self {
        Ids { what: what.into(), seen: BTreeMap::new() }
    }

    /// Whether `id`, which stands in the table `node`, is new; reports it if not.
    fn is_new(&mut self, id: &str, node: &Node, report: &mut Report) -> bool {
        let span = node.as_table().and_then(|table| table.get("id")).map_or(node.span, |id| id.span);
        let Some(first) = self.seen.get(id) else {
            self.seen.insert(id.to_owned(), span);
            return true;
        };
        let message = format!("two {} have the id {id:?}", self.what);
        let finding = Finding::new(checks::ID_DUPLICATE, message).at(span).and(*first, "the first one");
        report.push(finding.help("give each its own id"));
        false
    }
}
