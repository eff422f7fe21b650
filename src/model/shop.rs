//! Print shops: what each wants to be sent. A profile is a TOML file: those of the project's `shops/` folder, and those that are
//! built in.

use super::fields::Fields;
use super::keys;
use super::load::read_shop;
use crate::diagnostics::{Finding, Report, checks};
use crate::source::disk::Disk;
use crate::source::tree::Node;
use crate::source::{Sources, Span};
use crate::units::Length;

/// The profiles that are built in. A file of the same name in the project's `shops/` takes the place of one.
const BUILT_IN: [(&str, &str); 4] = [
    ("drivethru", include_str!("../../shops/drivethru.toml")),
    ("generic", include_str!("../../shops/generic.toml")),
    ("mpc", include_str!("../../shops/mpc.toml")),
    ("tgc", include_str!("../../shops/tgc.toml")),
];

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A component: a page for every side of every piece.
    Pdf,
    /// One side of one piece, as a picture.
    Png,
}

/// The colours that a shop prints with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// It wants screen colours and converts them itself.
    Rgb,
    /// It wants the four inks.
    Cmyk,
    /// Black only.
    Grey,
}

/// What a PDF promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standard {
    /// Nothing in particular.
    #[default]
    Plain,
    /// PDF/X-4: what is printed, and on which press; transparency may be left in.
    X4,
    /// PDF/X-1a: the four inks only, and nothing transparent.
    X1a,
}

/// The order of the pages of a PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOrder {
    /// Front, its back, front, its back.
    FrontBack,
    /// Back, its front, back, its front.
    BackFront,
    /// All fronts, then their back once. Where there are several backs, a file for each.
    FrontsThenBack,
}

/// What a shop wants to be sent.
#[derive(Clone, Debug)]
pub struct Shop {
    /// Its id: the name of its file.
    pub id: String,
    /// Its name.
    pub title: String,
    /// How far art must reach beyond the trim.
    pub bleed: Length,
    /// How far inside the trim text must stay.
    pub safe: Length,
    /// What a file holds.
    pub output: Output,
    /// Dots per inch of a picture.
    pub dpi: u32,
    /// The colours.
    pub colours: Colours,
    /// The most ink at one place, in percent of one ink.
    pub ink_limit: Option<u32>,
    /// The inks of large black areas, in percent: cyan, magenta, yellow, black. None: black ink alone.
    pub rich_black: Option<[u32; 4]>,
    /// What a PDF promises.
    pub standard: Standard,
    /// The order of the pages.
    pub order: PageOrder,
    /// Whether each copy of a piece has its own pages or pictures.
    pub copies: bool,
    /// The names of its files, below the folder of the shop: text with `{game}` and the like in it.
    pub file: String,
    /// The most pieces that one order may hold.
    pub most: Option<usize>,
}

/// What may stand between braces in the name of a file.
pub const PLACEHOLDERS: [&str; 7] = ["game", "component", "number", "side", "copies", "players", "back"];

/// The ids of all shops that can be named.
pub fn known(disk: &Disk) -> Vec<String> {
    let own = disk.list("shops", |name| name.ends_with(".toml")).unwrap_or_default();
    let own = own.into_iter().filter_map(|name| Some(name.strip_suffix(".toml")?.to_owned()));
    let mut ids: Vec<String> = own.chain(BUILT_IN.map(|(id, _)| id.to_owned())).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// The profile of the shop `id`, which is one of the known ones. None when it cannot be used, and `report` says why.
pub fn load(id: &str, disk: &Disk, sources: &Sources, report: &mut Report) -> Option<Shop> {
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == id).map(|(_, text)| *text);
    let (table, start) = read_shop(id, built_in, disk, sources, report)?;
    let fields = Fields::new(&table, start, format!("the shop `{id}`"), &keys::SHOP);
    let before = report.findings().len();
    let shop = Shop {
        id: id.to_owned(),
        title: fields.text("title", report).map_or_else(|| id.to_owned(), |title| title.value),
        bleed: required(&fields, "bleed", report),
        safe: fields.length("safe", report).unwrap_or(Length::mm(3)),
        output: fields.choice("output", &[("pdf", Output::Pdf), ("png", Output::Png)], report),
        dpi: fields.integer("dpi", 72, 2400, report).and_then(|dpi| u32::try_from(dpi).ok()).unwrap_or(300),
        colours: fields.choice(
            "colour",
            &[("rgb", Colours::Rgb), ("cmyk", Colours::Cmyk), ("grey", Colours::Grey)],
            report,
        ),
        ink_limit: fields.integer("ink_limit", 100, 400, report).and_then(|limit| u32::try_from(limit).ok()),
        rich_black: rich_black(&fields, report),
        standard: fields.choice(
            "pdf",
            &[("plain", Standard::Plain), ("x-4", Standard::X4), ("x-1a", Standard::X1a)],
            report,
        ),
        order: fields.choice(
            "order",
            &[
                ("front-back", PageOrder::FrontBack),
                ("back-front", PageOrder::BackFront),
                ("fronts-then-back", PageOrder::FrontsThenBack),
            ],
            report,
        ),
        copies: fields.flag("copies", report),
        file: file(&fields, report),
        most: fields.integer("most", 1, 1_000_000, report).and_then(|most| usize::try_from(most).ok()),
    };
    check(&shop, start, report);
    fields.finish(report);
    (report.findings().len() == before).then_some(shop)
}

fn required(fields: &Fields<'_>, key: &'static str, report: &mut Report) -> Length {
    let faults = report.findings().len();
    let length = fields.length(key, report);
    if length.is_none() && report.findings().len() == faults {
        report.push(fields.missing(key));
    }
    length.unwrap_or_default()
}

/// Four whole numbers from 0 to 100.
fn rich_black(fields: &Fields<'_>, report: &mut Report) -> Option<[u32; 4]> {
    let node = fields.node("rich_black")?;
    let percent = |node: &Node| u32::try_from(node.as_integer()?).ok().filter(|percent| *percent <= 100);
    let inks = node.as_array().map(|list| list.iter().map(percent).collect::<Option<Vec<u32>>>());
    let recipe = inks.flatten().and_then(|inks| <[u32; 4]>::try_from(inks).ok());
    if recipe.is_none() {
        let finding = Finding::new(checks::VALUE_WRONG, "`rich_black` is no recipe of inks").at(node.span);
        report.push(finding.expected("percent of cyan, magenta, yellow and black, like `[60, 40, 40, 100]`"));
    }
    recipe
}

fn file(fields: &Fields<'_>, report: &mut Report) -> String {
    let Some(file) = fields.text("file", report) else { return "{component}-{number}-{side}".to_owned() };
    let names = file.value.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default());
    let unknown = names.into_iter().find(|name| !PLACEHOLDERS.contains(name));
    let leads_out = file.value.starts_with('/') || file.value.split(['/', '\\']).any(|part| part == "..");
    if let Some(name) = unknown {
        let message = format!("the name of a file cannot have `{{{name}}}` in it");
        let expected = PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ");
        report.push(Finding::new(checks::VALUE_WRONG, message).at(file.span).expected(expected));
    } else if leads_out {
        report.push(Finding::new(checks::VALUE_WRONG, "the file would lie outside the shop's folder").at(file.span));
    }
    file.value
}

/// What cannot be at once.
fn check(shop: &Shop, start: Span, report: &mut Report) {
    let names = |key: &str| shop.file.contains(key);
    let message = match (shop.output, shop.colours, shop.standard) {
        (Output::Png, Colours::Cmyk, _) => "PNG has no four inks; `output` must be pdf or `colour` rgb",
        (Output::Pdf, Colours::Rgb | Colours::Grey, Standard::X1a | Standard::X4) => {
            "PDF/X is for the four inks; `colour` must be cmyk"
        }
        _ if !names("{component}") => "`file` must have {component} in it, or files would replace each other",
        (Output::Png, ..) if !(names("{number}") && names("{side}")) => {
            "`file` must have {number} and {side} in it, or pictures would replace each other"
        }
        _ => return,
    };
    report.push(Finding::new(checks::VALUE_WRONG, format!("the shop `{}`: {message}", shop.id)).at(start));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_built_in_profiles_are_sound() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path()).unwrap();
        let (sources, mut report) = (Sources::default(), Report::default());
        for id in known(&disk) {
            let shop = load(&id, &disk, &sources, &mut report);
            assert!(shop.is_some_and(|shop| shop.bleed >= Length::mm(3)), "{id}: {:?}", report.findings());
        }
    }
}
