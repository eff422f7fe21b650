//! The `[[component]]` tables.

use super::fields::Fields;
use super::keys;
use super::{
    Component, Count, Game, Gutter, Kind, Outline, boxes, pieces, preflight, provenance, quantity, spreadsheet, types,
};
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::expr::Engine;
use crate::source::Spanned;
use crate::source::tree::Node;
use crate::units::Length;

const KINDS: [(&str, Kind); 5] =
    [("card", Kind::Card), ("token", Kind::Token), ("board", Kind::Board), ("page", Kind::Page), ("box", Kind::Box)];
const OUTLINES: [(&str, Outline); 6] = [
    ("rect", Outline::Rect),
    ("circle", Outline::Circle),
    ("hex-flat", Outline::HexFlat),
    ("hex-pointy", Outline::HexPointy),
    ("standee", Outline::Standee),
    ("drawn", Outline::Drawn),
];
/// How much the sides of a hexagon's trim may be off, in hundredths: shops sell 2.5 by 2.2 in where 2.165 would be right.
const HEX_SLACK: f64 = 2.0;

/// The bleed of a component that says nothing.
const BLEED: Length = Length::mm(2);
/// The safe zone of a component that says nothing.
const SAFE: Length = Length::mm(3);
/// The bleed of a box that says nothing: beyond a cut that goes round corners one cuts less exactly.
const BLEED_OF_BOX: Length = Length::mm(3);

/// Turns a `[[component]]` table into a [`Component`] of `game`. None when it lacks what it cannot be without.
pub(super) fn validate(node: &Node, game: &Game, engine: &Engine, report: &mut Report) -> Option<Component> {
    let table = node.as_table()?;
    let named = table.get("id").and_then(Node::as_str).unwrap_or("?");
    let is_box = table.get("kind").and_then(Node::as_str) == Some("box");
    let keys = if is_box { &keys::BOX } else { &keys::COMPONENT };
    let fields = Fields::new(table, node.span, format!("component `{named}`"), keys);
    let id = fields.required_text("id", report);
    let title = fields.text("title", report);
    let kind = fields.choice("kind", &KINDS, report);
    if kind == Kind::Box {
        let component = boxed(node, &fields, (id, title), game, report);
        fields.finish(report);
        return component;
    }
    let trim = fields.size("trim", report);
    let bleed = fields.length("bleed", report);
    let safe = fields.length("safe", report);
    let outline = fields.choice("shape", &OUTLINES, report);
    let edge = fields.text("edge", report).filter(|edge| edge_is_colour(edge, report));
    let gutter = fields.gutter("gutter", report).unwrap_or(game.gutter);
    let own_sheet = fields.flag("own_sheet", report);
    let folds = fields.lengths("folds", report);
    let front = fields.required_text("front", report);
    let back = fields.text("back", report);
    let backs_differ = fields.reason("backs_differ", report);
    let one_way_back = fields.reason("one_way_back", report);
    let made_from = made_from(&fields, game, report);
    check_fields(&fields, made_from.as_deref(), game, report);
    let copies =
        fields.integer("copies", 1, pieces::MOST_COPIES, report).and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
    let derive = fields.node("derive");
    let limits = preflight::of_component(fields.node("preflight"), named, &game.preflight.limits, report);
    let printed = fields.node("printed");
    let used = fields.node("used");
    let _ = fields.node("source");
    provenance::check(table, &format!("component `{named}`"), report);
    let missing_trim =
        (trim.is_none() && table.get("trim").is_none() && kind != Kind::Page).then(|| fields.missing("trim"));
    report_all(missing_trim, report);
    fields.finish(report);

    let id = id?.value;
    let (trim, front) = (if kind == Kind::Page { None } else { Some(trim?) }, front?);
    check_outline(outline, trim, node, &id, report);
    let folds = folds_inside(folds, trim, report);
    let made_from = made_from?;
    let pieces = pieces::expand(
        &pieces::Plan { component: &id, made_from: &made_from, copies, derive },
        node.span,
        game,
        engine,
        report,
    );
    let total = pieces.iter().map(|piece| piece.copies).sum();
    let counts = quantity::counts(&id, printed, used, total, game, engine, report);
    Some(Component {
        title: title.map_or_else(|| id.clone(), |title| title.value),
        id,
        kind,
        trim,
        bleed: bleed.unwrap_or(if kind == Kind::Page { Length::ZERO } else { BLEED }),
        safe: safe.unwrap_or(SAFE),
        limits,
        outline,
        edge,
        gutter,
        folds: folds.into_iter().map(|fold| fold.value).collect(),
        own_sheet,
        tuck: None,
        front,
        back,
        backs_differ,
        one_way_back,
        made_from: made_from.into_iter().map(|kind| kind.value).collect(),
        pieces,
        counts,
        span: node.span,
        table: node.clone(),
    })
}

/// A tuck box: its trim is computed, it is one piece, and it is printed with everything in the box only.
fn boxed(
    node: &Node,
    fields: &Fields<'_>,
    (id, title): (Option<Spanned<String>>, Option<Spanned<String>>),
    game: &Game,
    report: &mut Report,
) -> Option<Component> {
    let tuck = boxes::tuck(fields, game, report);
    let bleed = fields.length("bleed", report);
    let safe = fields.length("safe", report);
    let front = fields.required_text("front", report);
    let back = fields.text("back", report);
    let named = id.as_ref().map_or("?", |id| id.value.as_str());
    let limits = preflight::of_component(fields.node("preflight"), named, &game.preflight.limits, report);
    let _ = fields.node("source");
    let (id, tuck) = (id?.value, tuck?);
    node.as_table().into_iter().for_each(|table| provenance::check(table, &format!("component `{id}`"), report));
    let plan = pieces::Plan { component: &id, made_from: &[], copies: 1, derive: None };
    let none = Count { printed: 0, used: 0 };
    Some(Component {
        title: title.map_or_else(|| id.clone(), |title| title.value),
        kind: Kind::Box,
        trim: Some(tuck.net()),
        bleed: bleed.unwrap_or(BLEED_OF_BOX),
        safe: safe.unwrap_or(SAFE),
        limits,
        outline: Outline::Drawn,
        edge: None,
        gutter: Gutter::Auto,
        own_sheet: true,
        folds: Vec::new(),
        tuck: Some(tuck),
        front: front?,
        back,
        backs_differ: None,
        one_way_back: None,
        made_from: Vec::new(),
        pieces: vec![pieces::lone_piece(&plan, node.span)],
        counts: game.players.iter().map(|players| (*players, none)).collect(),
        span: node.span,
        table: node.clone(),
        id,
    })
}

fn report_all(findings: impl IntoIterator<Item = Finding>, report: &mut Report) {
    findings.into_iter().for_each(|finding| report.push(finding));
}

fn edge_is_colour(edge: &Spanned<String>, report: &mut Report) -> bool {
    let valid = edge.value.parse::<svgtypes::Color>().is_ok();
    if !valid {
        let message = format!("`edge` is {:?}", edge.value);
        report.push(Finding::new(checks::VALUE_WRONG, message).at(edge.span).expected("a colour, like \"#fff8ea\""));
    }
    valid
}

/// Circles need a square trim, hexagons one of their proportion: from flat side to flat side 0.866 of corner to corner.
fn check_outline(outline: Outline, trim: Option<crate::geometry::Size>, node: &Node, id: &str, report: &mut Report) {
    let Some(trim) = trim else { return };
    let other_side = |side: Length, factor: f64| Length::from_mm((side.to_mm() * factor * 10.0).round() / 10.0);
    let flat = 0.75_f64.sqrt();
    let (wanted, what) = match outline {
        Outline::Rect | Outline::Drawn => return,
        Outline::Standee if trim.w < trim.h * 2 => return,
        Outline::Standee => (trim.w, "is a standee that is twice as wide as high, which does not stand"),
        Outline::Circle => (trim.w, "is round, but its trim is not square"),
        Outline::HexFlat => (other_side(trim.w, flat), "has six sides, but its trim is not that of a regular hexagon"),
        Outline::HexPointy => {
            (other_side(trim.w, 1.0 / flat), "has six sides, but its trim is not that of a regular hexagon")
        }
    };
    let off = 100.0 * (trim.h - wanted).abs().to_mm() / wanted.to_mm();
    let is_hex = matches!(outline, Outline::HexFlat | Outline::HexPointy);
    if trim.h == wanted && outline == Outline::Circle || is_hex && off <= HEX_SLACK {
        return;
    }
    let span = node.as_table().and_then(|table| table.get("trim")).map_or(node.span, |trim| trim.span);
    let finding = Finding::new(checks::VALUE_WRONG, format!("component `{id}` {what}")).at(span);
    let expected = crate::geometry::Size { w: trim.w, h: wanted };
    report.push(if is_hex { finding.expected(format!("{expected}")) } else { finding });
}

/// The folds that lie inside the longer side of `trim`.
fn folds_inside(
    mut folds: Vec<Spanned<Length>>,
    trim: Option<crate::geometry::Size>,
    report: &mut Report,
) -> Vec<Spanned<Length>> {
    let long = trim.map_or(Length::ZERO, |trim| trim.w.max(trim.h));
    folds.retain(|fold| {
        let inside = Length::ZERO < fold.value && fold.value < long;
        if !inside {
            let finding =
                Finding::new(checks::VALUE_WRONG, format!("a fold at {} is not inside the piece", fold.value));
            report.push(
                finding
                    .at(fold.span)
                    .expected(format!("more than nothing and less than {long}, the longer side of its trim")),
            );
        }
        inside
    });
    folds
}

/// Holds the records that a component is made from against the types that it declares.
fn check_fields(fields: &Fields<'_>, made_from: Option<&[Spanned<String>]>, game: &Game, report: &mut Report) {
    let declared = types::declared(fields, report);
    match (made_from, declared.first()) {
        (Some([kind]), _) => types::check(&declared, &game.records[&kind.value], report),
        (Some(_), Some(first)) => {
            let message = "only a component with `records` declares `fields`";
            report.push(Finding::new(checks::VALUE_WRONG, message).at(first.name.span));
        }
        _ => {}
    }
}

/// The record kinds that a component is made from; none when one of them does not exist.
fn made_from(fields: &Fields<'_>, game: &Game, report: &mut Report) -> Option<Vec<Spanned<String>>> {
    let single = fields.text("records", report);
    let several = fields.texts("expand", report);
    if let (Some(single), false) = (&single, several.is_empty()) {
        let message = "a component has either `records` or `expand`, not both";
        report.push(Finding::new(checks::VALUE_WRONG, message).at(single.span).and(several[0].span, "the other one"));
    }
    let mut kinds: Vec<Spanned<String>> = if several.is_empty() { single.into_iter().collect() } else { several };
    for kind in &mut kinds {
        kind.value = spreadsheet::kind_of(&kind.value).to_owned();
    }
    let mut sound = true;
    for (at, kind) in kinds.iter().enumerate() {
        if let Some(first) = kinds[..at].iter().find(|first| first.value == kind.value) {
            sound = false;
            let message = format!("`expand` names `{}` twice", kind.value);
            let finding = Finding::new(checks::VALUE_WRONG, message).at(kind.span).and(first.span, "the first time");
            report.push(finding.expected("kinds of records, each once: a piece has one record of each"));
        }
        if game.records.contains_key(&kind.value) {
            continue;
        }
        sound = false;
        let mut finding =
            Finding::new(checks::REFERENCE_DANGLING, format!("there are no records of kind `{}`", kind.value))
                .at(kind.span);
        if let Some(near) = nearest(&kind.value, game.records.keys().map(String::as_str)) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        report.push(finding);
    }
    sound.then_some(kinds)
}
