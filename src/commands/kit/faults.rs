//! What does not fit on its sheets, as findings.

use super::KitOptions;
use crate::diagnostics::{Finding, Report, checks};
use crate::geometry::Size;
use crate::model::{Component, Game, Kind};
use crate::sheet::{self, Paper};

/// Reports `faults` of the sheets of `game`, where the data asks for what is on them.
pub fn report(faults: Vec<sheet::Fault>, game: &Game, options: &KitOptions, report: &mut Report) {
    for fault in faults {
        let component = game.components.iter().find(|component| component.id == fault.component());
        if let Some(finding) = component.and_then(|component| large_box(component, &fault, options)) {
            report.push(finding);
            continue;
        }
        let check = match fault {
            sheet::Fault::TooLarge { .. } => checks::SHEET_TOO_SMALL,
            sheet::Fault::BeyondMargin { .. } => checks::SHEET_MARGIN,
            _ => checks::SHEET_CROWDED,
        };
        let mut finding = Finding::new(check, fault.to_string());
        if let Some(component) = component {
            let trim = component.table.as_table().and_then(|table| table.get("trim"));
            finding = finding.at(trim.map_or(component.span, |trim| trim.span));
        }
        report.push(finding);
    }
}

/// A box whose net is larger than the paper is left out; the game can be played without it.
fn large_box(component: &Component, fault: &sheet::Fault, options: &KitOptions) -> Option<Finding> {
    let net = component.trim.filter(|_| component.kind == Kind::Box && fault.is_fatal())?;
    let (id, paper) = (&component.id, &options.paper.name);
    let message = format!("the net of `{id}` is {net} and does not fit on {paper}, so the box is left out");
    let finding = Finding::new(checks::BOX_TOO_LARGE, message).at(component.span);
    Some(match paper_for(net, options) {
        Some(paper) => finding.help(format!("print it with `--component {id} --paper {}`", paper.name)),
        None => finding.help("no paper with a name holds it; divide the pieces between two boxes"),
    })
}

/// The smallest paper with a name that holds a piece, of the kind that is used already if there is one.
fn paper_for(piece: Size, options: &KitOptions) -> Option<Paper> {
    let holds = |paper: &Paper| {
        let (margins, sides) = (options.margins, options.sides);
        let reach = sheet::Options { margins, sides, ..sheet::Options::new(paper.clone()) }.printable().size();
        reach.holds(piece) || reach.holds(piece.turned())
    };
    let other_kind = |paper: &Paper| paper.is_american() != options.paper.is_american();
    Paper::named().filter(holds).min_by_key(other_kind)
}
