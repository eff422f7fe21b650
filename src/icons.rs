//! The project's own icons, and no others: small SVG files in templates/icons/, found by alias, emoji or file name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::source::disk::{Disk, Refusal};
use crate::source::xml;

/// An icon.
#[derive(Debug, PartialEq)]
pub struct Icon {
    /// Its file, relative to the project.
    pub path: String,
    /// Its text.
    pub svg: String,
    /// Left, top, width and height of its viewBox.
    pub view_box: [f64; 4],
    /// Whether it is drawn in `currentColor` and so takes a tint.
    pub tintable: bool,
}

impl Icon {
    /// Width as a share of the height.
    pub fn aspect(&self) -> f64 {
        self.view_box[2] / self.view_box[3]
    }
}

/// Why there is no icon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoIcon(
    /// A sentence.
    pub String,
);

/// Finds icons of one game.
pub struct Icons {
    disk: Disk,
    set: Option<String>,
    aliases: BTreeMap<String, String>,
    known: Mutex<BTreeMap<String, Result<Arc<Icon>, NoIcon>>>,
    asked: Mutex<BTreeSet<String>>,
}

impl Icons {
    /// Icons of the folder `templates/icons/<set>/`, with `aliases` for their names.
    pub fn new(disk: Disk, set: Option<String>, aliases: BTreeMap<String, String>) -> Self {
        Icons { disk, set, aliases, known: Mutex::default(), asked: Mutex::default() }
    }

    /// The icon called `name`, to be drawn: an alias, an emoji, a file name without its ending, or `set:file`.
    ///
    /// # Errors
    /// When there is none, or its file is no usable SVG.
    pub fn find(&self, name: &str) -> Result<Arc<Icon>, NoIcon> {
        let found = self.look_up(name)?;
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked.contains(name) {
            asked.insert(name.to_owned());
        }
        Ok(found)
    }

    /// The names of all icons found to be drawn.
    pub fn asked_for(&self) -> BTreeSet<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The icon called `name`, without drawing it.
    ///
    /// # Errors
    /// As [`Icons::find`].
    pub fn look_up(&self, name: &str) -> Result<Arc<Icon>, NoIcon> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(name) {
            return found.clone();
        }
        let found = self.load(name).map(Arc::new);
        known.insert(name.to_owned(), found.clone());
        found
    }

    /// The names of the files in the game's set.
    pub fn files(&self) -> Vec<String> {
        let folder = self.set.as_ref().map(|set| format!("templates/icons/{set}"));
        let files = folder.and_then(|folder| self.disk.list(&folder, |name| name.ends_with(".svg")).ok());
        files.unwrap_or_default().iter().map(|name| name.trim_end_matches(".svg").to_owned()).collect()
    }

    /// All aliases.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.keys().map(String::as_str)
    }

    fn load(&self, name: &str) -> Result<Icon, NoIcon> {
        let target = self.aliases.get(name).map_or(name, String::as_str);
        let (set, file) = match target.split_once(':') {
            Some((set, file)) => (set, file),
            None => (
                self.set.as_deref().ok_or_else(|| NoIcon("the game names no icon set (`icons` in [game])".into()))?,
                target,
            ),
        };
        let candidates = [file.to_owned(), code_points(file)];
        for candidate in &candidates {
            let path = format!("templates/icons/{set}/{candidate}.svg");
            match self.disk.read_text(&path) {
                Ok(svg) => return read(path, svg),
                Err(Refusal::Missing) => {}
                Err(refusal) => return Err(NoIcon(format!("{path}: {refusal}"))),
            }
        }
        Err(NoIcon(format!("there is no {}.svg in templates/icons/{set}/", candidates[usize::from(!file.is_ascii())])))
    }
}

/// The file name of an emoji: its code points in hex, without the variation selector.
fn code_points(emoji: &str) -> String {
    let points = emoji.chars().filter(|c| *c != '\u{fe0f}').map(|c| format!("{:x}", u32::from(c)));
    points.collect::<Vec<_>>().join("-")
}

fn read(path: String, svg: String) -> Result<Icon, NoIcon> {
    let document = xml::parse(&svg).map_err(|fault| {
        let line = svg[..fault.at.min(svg.len())].matches('\n').count() + 1;
        NoIcon(format!("{path}, line {line}: {}", fault.message))
    })?;
    let root = document.root_element();
    let numbers = |text: &str| -> Option<[f64; 4]> {
        let numbers: Vec<f64> = text
            .split([' ', ','])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        numbers.try_into().ok()
    };
    let view_box = root
        .attribute("viewBox")
        .and_then(numbers)
        .filter(|[_, _, w, h]| *w > 0.0 && *h > 0.0 && w.is_finite() && h.is_finite());
    let view_box = view_box.ok_or_else(|| NoIcon(format!("{path} has no viewBox with a size")))?;
    let tintable = svg.contains("currentColor");
    Ok(Icon { path, svg, view_box, tintable })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_are_files_named_by_their_code_points() {
        assert_eq!(code_points("🎵"), "1f3b5");
        assert_eq!(code_points("1\u{fe0f}\u{20e3}"), "31-20e3");
    }
}
