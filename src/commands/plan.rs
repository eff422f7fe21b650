//! What a kit's own pages say of its sheets: where each component is, and how the sheets are cut.

use std::collections::BTreeSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::compose::face::Face;
use crate::compose::{Memory, Step};
use crate::export::png;
use crate::fonts::Fonts;
use crate::geometry::Rect;
use crate::model::{Component, Kind};
use crate::sheet::{Shape, Sheet, Side};
use crate::units::Length;

/// The longer side of a picture of a piece, in dots.
const PICTURE: f64 = 220.0;

/// The pages of the document that `wanted` sheets are, as `3` or `3–8` or `3–8, 13`.
pub fn page_range(sheets: &[Sheet], wanted: impl Fn(&Sheet) -> bool) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (page, _) in (1..).zip(sheets).filter(|(_, sheet)| wanted(sheet)) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == page => *last = page,
            _ => runs.push((page, page)),
        }
    }
    let named =
        runs.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") });
    named.collect::<Vec<String>>().join(", ")
}

/// How the sheets become pieces: sheets in a row that hold the same components in the same way are one step. Pages of the kit are
/// read, not cut.
pub fn steps(sheets: &[Sheet], components: &[&Component]) -> Vec<Step> {
    let pages: BTreeSet<&str> =
        components.iter().filter(|component| component.kind == Kind::Page).map(|page| page.id.as_str()).collect();
    let mut steps: Vec<(Step, usize, usize)> = Vec::new();
    for (at, sheet) in sheets.iter().enumerate() {
        if pages.contains(sheet.component()) {
            continue;
        }
        if sheet.side == Side::Back {
            if let Some((_, _, last)) = steps.last_mut() {
                *last = at;
            }
            continue;
        }
        let back = sheets.get(at + 1).filter(|next| next.side == Side::Back);
        let step = Step {
            pages: String::new(),
            sheets: 1,
            components: sheet.components.clone(),
            two_sided: back.is_some_and(|back| !back.placements.is_empty()),
            folded: sheet.is_folded(),
            tiled: is_tile(sheet),
        };
        match steps.last_mut() {
            Some((last, _, end)) if (Step { sheets: 1, ..last.clone() }) == step => {
                (last.sheets, *end) = (last.sheets + 1, at)
            }
            _ => steps.push((step, at, at)),
        }
    }
    let named = |(step, first, last): (Step, usize, usize)| {
        let (first, last) = (first + 1, last + 1);
        let pages = if first == last { first.to_string() } else { format!("{first}–{last}") };
        Step { pages, ..step }
    };
    steps.into_iter().map(named).collect()
}

/// Whether a sheet shows a part of a board that reaches beyond the paper.
fn is_tile(sheet: &Sheet) -> bool {
    let paper = Rect { x: Length::ZERO, y: Length::ZERO, w: sheet.page.w, h: sheet.page.h };
    sheet.placements.iter().any(|placement| !paper.contains(placement.trim))
}

/// Small pictures of faces, each drawn once: every kit shows the same ones.
#[derive(Default)]
pub struct Pictures(Memory<Arc<str>>);

impl Pictures {
    /// Begins a new turn and forgets what was not used for `turns` turns.
    pub fn turn(&self, turns: u64) {
        self.0.turn(turns);
    }

    /// A small picture of `face`, cut to `shape`, on white; empty when it cannot be drawn.
    pub fn of(&self, face: &Face, shape: Shape, fonts: &Fonts) -> Arc<str> {
        let key = *blake3::hash(format!("{} {shape:?}", face.hash).as_bytes()).as_bytes();
        self.0.get(&key).unwrap_or_else(|| {
            let picture = picture(face, shape, fonts);
            self.0.keep(key, Arc::clone(&picture));
            picture
        })
    }
}

fn picture(face: &Face, shape: Shape, fonts: &Fonts) -> Arc<str> {
    let longer = face.trim.w.max(face.trim.h).to_mm();
    let dpi = PICTURE / longer * 25.4;
    let drawn = png::face(face, fonts, dpi, png::Area::Trim).ok();
    let cut = drawn.and_then(|drawn| if shape == Shape::Circle { png::round(drawn) } else { Some(drawn) });
    let bytes = cut.and_then(|cut| png::encode(&png::on_white(cut), dpi).ok());
    bytes.map_or_else(|| Arc::from(""), |bytes| Arc::from(format!("data:image/png;base64,{}", BASE64.encode(bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    #[test]
    fn page_ranges_name_every_page_of_a_component() {
        let sheet = |components: &str| Sheet {
            page: Size::mm(210, 297),
            side: Side::Front,
            components: components.split(' ').map(str::to_owned).collect(),
            title: String::new(),
            placements: Vec::new(),
            lines: Vec::new(),
            rings: Vec::new(),
            words: Vec::new(),
        };
        let sheets = ["rules", "club drive", "hand", "hand", "hand club", "drive"].map(sheet);
        for (component, pages) in [("rules", "1"), ("club", "2, 5"), ("hand", "3–5"), ("drive", "2, 6"), ("arrow", "")]
        {
            assert_eq!(page_range(&sheets, |sheet| sheet.holds(component)), pages);
        }
    }
}
