//! The names that a game gives to icons and fonts: what they stand for must be there, even before a template uses them.

use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::fonts::Fonts;
use crate::icons::Icons;
use crate::model::Game;
use crate::source::disk::Disk;

/// Reports every name of `game` that stands for nothing.
pub fn check(game: &Game, fonts: &Fonts, icons: &Icons, disk: &Disk, report: &mut Report) {
    // Listed before anybody knows that the set is missing, so that a later run sees it go.
    let known = disk.list("templates/icons", |name| !name.starts_with('.')).unwrap_or_default();
    if let Some(set) = game.icon_set.as_ref().filter(|set| !disk.is_folder(&format!("templates/icons/{}", set.value))) {
        let message = format!("there is no icon set `{}`: no such folder in templates/icons/", set.value);
        report.push(hinted(Finding::new(checks::REFERENCE_DANGLING, message).at(set.span), &set.value, &known));
        return; // every icon of it would be told as missing
    }
    for (name, icon) in &game.icons {
        if let Err(why) = icons.look_up(name) {
            let message = format!("icon `{name}` stands for nothing: {}", why.0);
            let finding = Finding::new(checks::REFERENCE_DANGLING, message).at(icon.span);
            report.push(hinted(finding, &icon.value, &icons.files()));
        }
    }
    for (name, family) in &game.fonts {
        if fonts.select(&family.value, 400, false).is_none() {
            let known: Vec<String> = fonts.families().map(str::to_owned).collect();
            let message = format!("font `{name}` stands for {:?}, which the project does not have", family.value);
            let finding = Finding::new(checks::FONT_MISSING, message).at(family.span).expected(known.join(", "));
            report.push(hinted(finding, &family.value, &known));
        }
    }
}

fn hinted(finding: Finding, word: &str, known: &[String]) -> Finding {
    match nearest(word, known.iter().map(String::as_str)).filter(|near| *near != word) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    }
}
