//! From lines to placed glyphs and icons.
//!
//! A line box is `line height × size` high. Its baseline is `middle of the box + m × size`, where m is the height of the optical
//! middle above the baseline: the middle of the ink of Han characters when the text has any, half the height of capitals when
//! not. So the first line of Han text and a single line in the middle of a box are optically right with every face, whatever
//! its ascent is. Icons have their middle there too.

use super::flow::{Flow, Look};
use super::justify::stretch;
use super::lines::Line;
use super::shape::{Cell, Cells};
use super::{Laid, PlacedIcon};
use crate::compose::face::{Glyph, GlyphRun};
use crate::fonts::{FontId, Fonts};
use crate::geometry::Affine;

/// Where a line goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Its left edge.
    pub(super) x: f64,
    /// Its baseline.
    pub(super) baseline: f64,
    /// Top and bottom of its box.
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// The width it is stretched to; its own when not justified.
    pub(super) width: f64,
}

/// Writes lines into a [`Laid`].
pub(super) struct Placer<'a> {
    pub(super) flow: &'a Flow<'a>,
    pub(super) cells: &'a Cells,
    /// What sizes are multiplied with.
    pub(super) scale: f64,
    /// Height of the optical middle above the baseline, as a share of the em.
    pub(super) middle: f64,
    pub(super) laid: Laid,
}

/// The optical middle of all of a text; see the module's description.
pub(super) fn middle(fonts: &Fonts, flow: &Flow, cells: &Cells) -> f64 {
    let han = cells.cells.iter().filter(|cell| cell.class.is_cjk()).find_map(|cell| fonts.face(cell.font).han_middle);
    han.unwrap_or_else(|| {
        let first = cells.cells.first().map(|cell| cell.font);
        let asked = flow.looks.first().and_then(|look| look.style.fonts.first().copied());
        first.or(asked).map_or(0.35, |font| fonts.face(font).cap_height / 2.0)
    })
}

impl<'a> Placer<'a> {
    /// Places one line.
    pub(super) fn line(&mut self, line: &Line, spot: Spot) {
        let cells = &self.cells.cells[line.cells.clone()];
        let extra = (spot.width - line.width * self.scale) / self.scale;
        let gaps = stretch(self.flow, cells, extra);
        let mut run: Option<Open> = None;
        let mut x = -cells.first().map_or(0.0, |cell| cell.lead);
        for (cell, gap) in cells.iter().zip(gaps) {
            self.cell(cell, spot.x + x * self.scale, spot.baseline, &mut run);
            x += cell.width + gap;
        }
        self.close(run);
        self.laid.lines.push(self.text(cells));
        self.extend(spot);
    }

    fn cell(&mut self, cell: &Cell, x: f64, baseline: f64, run: &mut Option<Open<'a>>) {
        let look = self.flow.looks[cell.look];
        if cell.class == super::class::Class::Icon {
            self.close(run.take());
            self.icon(cell, look, x, baseline);
            return;
        }
        if run.as_ref().is_some_and(|open| !open.takes(cell.font, look)) {
            self.close(run.take());
        }
        let scale = self.scale;
        let open = run.get_or_insert_with(|| Open::new(cell.font, look, x, baseline, scale));
        open.add(cell, self.cells, &self.flow.text, x, scale);
    }

    fn icon(&mut self, cell: &Cell, look: Look, x: f64, baseline: f64) {
        let at = self.flow.icons.partition_point(|icon| icon.at < cell.bytes.start);
        let Some(icon) = self.flow.icons.get(at) else { return };
        let size = look.size * self.scale;
        self.laid.icons.push(PlacedIcon {
            name: icon.name.to_owned(),
            x,
            y: baseline - self.middle * size - size / 2.0,
            w: size * icon.aspect,
            h: size,
            colour: look.style.fill,
        });
    }

    fn close(&mut self, run: Option<Open>) {
        self.laid.runs.extend(run.map(|open| open.run).filter(|run| !run.glyphs.is_empty()));
    }

    /// The text of some cells, icons as `{name}`.
    fn text(&self, cells: &[Cell]) -> String {
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return String::new() };
        let mut text = String::new();
        let mut from = first.bytes.start;
        let icons = self.flow.icons.iter().filter(|icon| (first.bytes.start..last.bytes.end).contains(&icon.at));
        for icon in icons {
            text.push_str(&self.flow.text[from..icon.at]);
            text.push_str(&format!("{{{}}}", icon.name));
            from = icon.at + super::class::ICON.len_utf8();
        }
        text.push_str(&self.flow.text[from..last.bytes.end]);
        text
    }

    fn extend(&mut self, spot: Spot) {
        let [left, top, right, bottom] = self.laid.bounds;
        self.laid.bounds = match self.laid.lines.len() {
            1 => [spot.x, spot.top, spot.x + spot.width, spot.bottom],
            _ => [left.min(spot.x), top.min(spot.top), right.max(spot.x + spot.width), bottom.max(spot.bottom)],
        };
    }
}

/// A run that is being filled.
struct Open<'a> {
    run: GlyphRun,
    look: Look<'a>,
    x: f64,
}

impl<'a> Open<'a> {
    fn new(font: FontId, look: Look<'a>, x: f64, baseline: f64, scale: f64) -> Self {
        let run = GlyphRun {
            font,
            size: (look.size * scale) as f32,
            fill: look.style.fill,
            transform: Affine::translate(x, baseline),
            glyphs: Vec::new(),
            text: String::new(),
        };
        Open { run, look, x }
    }

    fn takes(&self, font: FontId, look: Look) -> bool {
        self.run.font == font && self.look.size == look.size && self.look.style.fill == look.style.fill
    }

    fn add(&mut self, cell: &Cell, cells: &Cells, text: &str, x: f64, scale: f64) {
        let start = self.run.text.len() as u32;
        self.run.text.push_str(&text[cell.bytes.clone()]);
        let end = self.run.text.len() as u32;
        for (number, glyph) in cells.glyphs[cell.glyphs.clone()].iter().enumerate() {
            self.run.glyphs.push(Glyph {
                id: glyph.id,
                x: (x - self.x + glyph.x * scale) as f32,
                y: (glyph.y * scale) as f32,
                cluster: if number == 0 { start..end } else { end..end },
            });
        }
    }
}
