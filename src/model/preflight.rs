//! The `[preflight]` tables: what may be printed, for a game and for single components, and what is allowed beyond it, with a reason.

use super::Game;
use super::fields::{Fields, as_tables};
use super::keys;
use crate::diagnostics::{Finding, Report, checks};
use crate::source::tree::{Node, Value};
use crate::source::{Span, Spanned};
use crate::units::Length;

/// The limits of the checks of printed faces. docs/reference/preflight.md says where each comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Sizes of text with Han characters or kana, in points: below the first is an error, below the second a warning.
    pub cjk: [f64; 2],
    /// The same for other text.
    pub latin: [f64; 2],
    /// What light text on a dark ground needs on top, in points.
    pub reversed: f64,
    /// How much a text may be shrunk, in percent.
    pub shrunk: f64,
    /// The least contrast of text to what is behind it, as WCAG measures it.
    pub contrast: f64,
    /// The same for large text: 18 pt, or 14 pt in bold.
    pub contrast_large: f64,
    /// The thinnest stroke, in points.
    pub stroke: f64,
    /// Dots per inch of a picture: below the first is an error, below the second a warning, beyond the third waste.
    pub ppi: [f64; 3],
    /// How far inside the trim a frame must stay, in millimetres.
    pub frame: f64,
    /// The least distance of two category colours (CIEDE2000): as they are, as colour-blind people see them, and the least
    /// difference of lightness in grey.
    pub colours: [f64; 3],
    /// The least share of its sheets that a component covers, in percent.
    pub sheet: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            cjk: [6.0, 8.0],
            latin: [5.0, 6.0],
            reversed: 1.0,
            shrunk: 15.0,
            contrast: 4.5,
            contrast_large: 3.0,
            stroke: 0.25,
            ppi: [150.0, 250.0, 600.0],
            frame: 3.0,
            colours: [20.0, 10.0, 15.0],
            sheet: 40.0,
        }
    }
}

/// A finding that is meant to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowance {
    /// The code of the check.
    pub check: String,
    /// Components or `component/record`s, with ` front` or ` back` behind where one side is meant, and `#id` where one element of the
    /// template is; or names of categories. Everything where there are none.
    pub of: Vec<String>,
    /// How far beyond the check's limit is allowed; without end where nothing is said.
    pub limit: Option<f64>,
    /// Why.
    pub why: String,
    /// Where it stands.
    pub span: Span,
}

/// Colours that tell things apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Category {
    /// What they stand for: `clubs`.
    pub name: String,
    /// Each with its name.
    pub colours: Vec<(String, svgtypes::Color)>,
    /// Where they are listed.
    pub span: Span,
}

/// What a game says of the checks of its faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preflight {
    /// The limits of all components that say nothing of their own.
    pub limits: Limits,
    /// What is allowed beyond them.
    pub allow: Vec<Allowance>,
    /// Colours that must not be confused.
    pub categories: Vec<Category>,
}

/// The codes that an allowance may name.
pub const ALLOWED: [&checks::Check; 12] = [
    checks::TEXT_UNSAFE,
    checks::TEXT_TINY,
    checks::TEXT_SMALL,
    checks::TEXT_SHRUNK,
    checks::CONTRAST_LOW,
    checks::STROKE_THIN,
    checks::PICTURE_COARSE,
    checks::PICTURE_SOFT,
    checks::PICTURE_FINE,
    checks::BLEED_EMPTY,
    checks::FRAME_NEAR,
    checks::COLOURS_ALIKE,
];

/// Reads the `[preflight]` table of `game`, whose records and theme are known.
pub(super) fn of_game(node: Option<&Node>, game: &Game, report: &mut Report) -> Preflight {
    let mut preflight = Preflight::default();
    let Some(node) = node else { return preflight };
    let Some(table) = node.as_table() else {
        report.push(not_a_table("preflight", node));
        return preflight;
    };
    let fields = Fields::new(table, node.span, "[preflight]", &keys::PREFLIGHT);
    preflight.limits = limits(&fields, &Limits::default(), report);
    preflight.allow = allowances(&fields, report);
    if let Some(node) = fields.node("categories") {
        preflight.categories = categories(node, game, report);
    }
    fields.finish(report);
    preflight
}

/// The limits of a component: those of its own `preflight` table, and `general` ones for the rest.
pub(super) fn of_component(node: Option<&Node>, id: &str, general: &Limits, report: &mut Report) -> Limits {
    let Some(node) = node else { return general.clone() };
    let Some(table) = node.as_table() else {
        report.push(not_a_table("preflight", node));
        return general.clone();
    };
    let fields = Fields::new(table, node.span, format!("[component.preflight] of `{id}`"), &keys::COMPONENT_PREFLIGHT);
    let limits = limits(&fields, general, report);
    fields.finish(report);
    limits
}

fn not_a_table(key: &str, node: &Node) -> Finding {
    Finding::new(checks::TYPE_WRONG, format!("`{key}` is {}", node.kind())).at(node.span).expected("a table")
}

fn limits(fields: &Fields<'_>, general: &Limits, report: &mut Report) -> Limits {
    let mut number =
        |key, high, general| fields.numbers(key, &[general], high, report).map_or(general, |numbers| numbers[0]);
    let contrast = number("contrast", 21.0, general.contrast);
    let contrast_large = number("contrast_large", 21.0, general.contrast_large);
    let shrunk = number("shrunk", 100.0, general.shrunk);
    let sheet = number("sheet", 100.0, general.sheet);
    let mut points = |key, general: &[f64]| {
        let texts = fields.node(key).map(|_| fields.lengths_or_one(key, general.len(), report));
        texts
            .flatten()
            .map_or_else(|| general.to_vec(), |lengths| lengths.iter().map(|length| length.to_pt()).collect())
    };
    let [cjk, latin] = [("text_cjk", general.cjk), ("text_latin", general.latin)].map(|(key, general)| {
        let points = points(key, &general);
        [points[0], points[1]]
    });
    let reversed = points("reversed", &[general.reversed])[0];
    let stroke = points("stroke", &[general.stroke])[0];
    let frame = fields.length("frame", report).map_or(general.frame, Length::to_mm);
    let mut three = |key, high, general: [f64; 3]| {
        fields.numbers(key, &general, high, report).map_or(general, |numbers| [numbers[0], numbers[1], numbers[2]])
    };
    let (ppi, colours) = (three("ppi", 100_000.0, general.ppi), three("colours", 100.0, general.colours));
    Limits { cjk, latin, reversed, shrunk, contrast, contrast_large, stroke, ppi, frame, colours, sheet }
}

fn allowances(fields: &Fields<'_>, report: &mut Report) -> Vec<Allowance> {
    let Some(node) = fields.node("allow") else { return Vec::new() };
    let Some(tables) = as_tables(node) else {
        report.push(fields.wrong_type("allow", node, "a list of tables, like `[[preflight.allow]]`"));
        return Vec::new();
    };
    tables.into_iter().filter_map(|node| allowance(node, report)).collect()
}

fn allowance(node: &Node, report: &mut Report) -> Option<Allowance> {
    let fields = Fields::new(node.as_table()?, node.span, "[[preflight.allow]]", &keys::ALLOW);
    let check = fields.required_text("check", report);
    let of = fields.texts("of", report).into_iter().map(|of| of.value).collect();
    let limit = fields.numbers("limit", &[0.0], 1_000_000.0, report).map(|numbers| numbers[0]);
    let why = fields.required_text("why", report);
    fields.finish(report);
    let (check, why) = (check?, why?.value);
    if !ALLOWED.iter().any(|known| known.code == check.value) {
        let codes: Vec<&str> = ALLOWED.iter().map(|known| known.code).collect();
        report.push(
            Finding::new(checks::VALUE_WRONG, format!("`{}` is no check that can be allowed for", check.value))
                .at(check.span)
                .expected(codes.join(", ")),
        );
        return None;
    }
    Some(Allowance { check: check.value, of, limit, why, span: check.span })
}

fn categories(node: &Node, game: &Game, report: &mut Report) -> Vec<Category> {
    let Some(table) = node.as_table() else {
        report.push(not_a_table("categories", node));
        return Vec::new();
    };
    let read = |entry: &crate::source::tree::Entry, report: &mut Report| {
        let Some(items) = entry.node.as_array() else {
            let message = format!("`categories.{}` is {}", entry.key.value, entry.node.kind());
            let finding = Finding::new(checks::TYPE_WRONG, message).at(entry.node.span);
            report.push(finding.expected("a list: colours, names in [theme], or `kind.field` of records"));
            return None;
        };
        let colours = items.iter().flat_map(|item| category_colours(item, game, report)).collect();
        Some(Category { name: entry.key.value.to_string(), colours, span: entry.node.span })
    };
    table.entries.iter().filter_map(|entry| read(entry, report)).collect()
}

/// The colours that `item` names: its own, that of the theme, or those in a field of all records of a kind.
fn category_colours(item: &Node, game: &Game, report: &mut Report) -> Vec<(String, svgtypes::Color)> {
    let parsed = |node: &Node| node.as_str().and_then(|text| text.parse::<svgtypes::Color>().ok());
    let name = item.as_str().unwrap_or_default();
    let known = game.theme.as_table().and_then(|theme| theme.entry(name));
    if let Some((known, colour)) = known.and_then(|known| Some((known, parsed(&known.node)?))) {
        known.read.set();
        return vec![(name.to_owned(), colour)];
    }
    if let Some(colour) = parsed(item) {
        return vec![(name.to_owned(), colour)];
    }
    let of_records = name.split_once('.').and_then(|(kind, field)| Some((game.records.get(kind)?, field)));
    let colours: Vec<_> = of_records.map_or_else(Vec::new, |(records, field)| {
        let colour = |record: &super::Record| {
            let entry = record.table()?.entry(field)?;
            entry.read.set();
            Some((record.id.clone(), parsed(&entry.node)?))
        };
        records.iter().filter_map(colour).collect()
    });
    if colours.is_empty() {
        let finding = Finding::new(checks::REFERENCE_DANGLING, format!("{item} names no colour")).at(item.span);
        report.push(
            finding.expected("a colour, the name of one in [theme], or `kind.field` of records that have colours"),
        );
    }
    colours
}

/// The numbers that a value holds: one, or a list of them.
pub(super) fn numbers_of(node: &Node) -> Option<Vec<Spanned<f64>>> {
    let one = |node: &Node| match node.value {
        Value::Integer(number) => Some(Spanned::new(number as f64, node.span)),
        Value::Float(number) => Some(Spanned::new(number, node.span)),
        _ => None,
    };
    match node.as_array() {
        Some(items) => items.iter().map(one).collect(),
        None => Some(vec![one(node)?]),
    }
}
