//! Sheets that are mostly empty.

use super::flaw::number;
use crate::diagnostics::{Finding, Report, checks};
use crate::model::{Component, Game};
use crate::sheet::{Sheet, Side};

/// Reports components that leave most of several sheets empty, in the kit that `sheets` are of.
pub fn wasted(game: &Game, sheets: &[Sheet], report: &mut Report) {
    for component in &game.components {
        let limit = component.limits.sheet;
        let own = |sheet: &&Sheet| sheet.side == Side::Front && sheet.component() == component.id;
        let own: Vec<&Sheet> = sheets.iter().filter(own).collect();
        let share = covered(&own) * 100.0;
        if own.len() > 1 && share < limit {
            report.push(finding(component, &own, share));
        }
    }
}

fn finding(component: &Component, own: &[&Sheet], share: f64) -> Finding {
    let message = format!("`{}` covers {} % of its {} sheets", component.id, number(share, 0), own.len());
    let trim = component.table.as_table().and_then(|table| table.get("trim"));
    let finding = Finding::new(checks::SHEET_WASTED, message).at(trim.map_or(component.span, |trim| trim.span));
    finding.expected(format!("at least {} %", number(component.limits.sheet, 0)))
}

/// The share of the sheets that pieces lie on, 0 to 1.
fn covered(sheets: &[&Sheet]) -> f64 {
    let area = |w: crate::units::Length, h: crate::units::Length| w.to_mm() * h.to_mm();
    let paper: f64 = sheets.iter().map(|sheet| area(sheet.page.w, sheet.page.h)).sum();
    let placed = sheets.iter().flat_map(|sheet| &sheet.placements);
    let used: f64 = placed.map(|placement| area(placement.clip.w, placement.clip.h)).sum();
    if paper > 0.0 { used / paper } else { 1.0 }
}
