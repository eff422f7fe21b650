//! Components of kind `box`: tuck boxes made to the measure of what they hold.

use super::fields::Fields;
use super::tuck::{Space, Tuck};
use super::{Component, Game, Kind};
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::geometry::Size;
use crate::source::Spanned;
use crate::units::Length;

/// The thickness of a card, and of the paper that a box is made from, where the data says nothing.
const STOCK: Length = Length::emu(10_800);

/// The box of a component that these fields describe; none when its size cannot be told, and the report says why.
pub(super) fn tuck(fields: &Fields<'_>, game: &Game, report: &mut Report) -> Option<Tuck> {
    let holds = fields.texts("holds", report);
    let inside = fields.text("inside", report);
    let stock = fields.length("stock", report).unwrap_or(STOCK);
    let paper = fields.length("paper_thickness", report).unwrap_or(STOCK);
    match (inside, holds.first()) {
        (Some(inside), Some(held)) => {
            let message = "a box has either `holds` or `inside`, not both";
            let finding = Finding::new(checks::VALUE_WRONG, message).at(inside.span).and(held.span, "the other one");
            report.push(finding.help("`holds` measures the pieces, `inside` is the room as it is; delete one of them"));
            None
        }
        (Some(inside), None) => match Space::parse(&inside.value) {
            Ok(space) => Some(Tuck::around(space, paper, None)),
            Err(why) => {
                report.push(Finding::new(checks::VALUE_WRONG, "`inside` is no space").labelled(inside.span, why));
                None
            }
        },
        (None, Some(_)) => {
            let (card, count) = deck(&holds, game, report)?;
            Some(Tuck::around(Space::for_cards(card, count, stock), paper, Some(count)))
        }
        (None, None) => {
            report.push(fields.missing("holds"));
            None
        }
    }
}

/// The smallest card that covers all of what is held, and how many pieces there are in the whole box. A lying piece is stood upright.
fn deck(holds: &[Spanned<String>], game: &Game, report: &mut Report) -> Option<(Size, usize)> {
    let held: Option<Vec<&Component>> = holds.iter().map(|name| held(name, game, report)).collect();
    let held = held?;
    let trims: Vec<Size> = held.iter().filter_map(|component| component.trim).collect();
    let w = trims.iter().map(|trim| trim.w.min(trim.h)).max()?;
    let h = trims.iter().map(|trim| trim.w.max(trim.h)).max()?;
    Some((Size { w, h }, held.iter().map(|component| component.total()).sum()))
}

fn held<'g>(name: &Spanned<String>, game: &'g Game, report: &mut Report) -> Option<&'g Component> {
    let ids = || game.components.iter().map(|component| component.id.as_str());
    let Some(component) = game.components.iter().find(|component| component.id == name.value) else {
        let finding =
            Finding::new(checks::REFERENCE_DANGLING, format!("there is no component `{}`", name.value)).at(name.span);
        report.push(match nearest(&name.value, ids()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        });
        return None;
    };
    let lies_in_a_box = matches!(component.kind, Kind::Card | Kind::Token);
    if !lies_in_a_box {
        let message = format!("`{}` is a {} and lies in no box", name.value, component.kind.name());
        report.push(Finding::new(checks::VALUE_WRONG, message).at(name.span).expected("cards or tokens"));
    }
    lies_in_a_box.then_some(component)
}
