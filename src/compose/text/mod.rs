//! Text layout: from styled text to placed glyphs. Measured with the shaper and the font files that are drawn and embedded.
//!
//! [`block`] is the list of its steps: `flow` flattens the content, `shape` chooses faces and shapes, `breaks` and `spacing`
//! say where lines may end and what stands between cells, `fit` and `lines` find the size and the lines, `place` puts the glyphs
//! where they go. [`columns`] is the same from top to bottom, [`rich`] makes inlines of marked text.
//!
//! All measures of a text grow and shrink with its size, so a text is shaped once and a smaller size is only broken again.
//! Scripts that run from right to left are set from left to right, and Thai, Lao, Khmer and Burmese break at spaces only.

mod breaks;
mod cell;
mod class;
mod columns;
mod fit;
mod flow;
mod justify;
mod lines;
mod marks;
mod place;
pub mod rich;
mod runs;
mod shape;
mod spacing;

use crate::compose::face::{Colour, GlyphRun};
use crate::fonts::{FontId, Fonts};

use cell::Cells;
use fit::{Fitted, Frame, fit, needed};
use flow::{Feeds, Flow};
use lines::{Line, Ruler};
use place::{Placer, Spot};

/// How a stretch of text looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The faces to take glyphs from: the first that has them all for a whole run. Never empty.
    pub fonts: Vec<FontId>,
    /// The faces for `**bold**`, in the same order.
    pub bold: Vec<FontId>,
    /// Size of the em in millimetres.
    pub size: f64,
    /// Fill.
    pub fill: Colour,
    /// Extra space after every glyph, in millimetres.
    pub letter_spacing: f64,
    /// How far to the right and down of its place it stands, in millimetres.
    pub shift: [f64; 2],
}

/// A piece of running text.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Text; a line feed in it ends the line. A carriage return stands for a line feed of the file that it was written in: a
    /// space, or nothing between Han characters.
    Text {
        /// The characters.
        text: String,
        /// How they look.
        style: Style,
    },
    /// Text that is emphasised: a dot beside every Han character, Western text in the bold faces.
    Emphasis {
        /// The characters.
        text: String,
        /// How they look.
        style: Style,
    },
    /// An icon, one em high, on the text's optical middle; never breaks, never alone at a line's edge.
    Icon {
        /// Name of the icon, as written.
        name: String,
        /// Width as a share of its height.
        aspect: f64,
        /// The style of the text around it: size and colour.
        style: Style,
    },
}

/// Where lines stand between the box's left and right edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// At the left.
    #[default]
    Start,
    /// In the middle.
    Centre,
    /// At the right.
    End,
    /// Stretched to both edges, the last line at the left.
    Justify,
}

/// Where the block of lines stands between the box's top and bottom edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vertical {
    /// At the top.
    #[default]
    Top,
    /// In the middle.
    Middle,
    /// At the bottom.
    Bottom,
}

/// The language of a text, as far as it changes how it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Simplified Chinese.
    #[default]
    ZhHans,
    /// Traditional Chinese.
    ZhHant,
    /// Japanese.
    Ja,
    /// Anything else.
    Other,
}

/// How words and long numbers stand in a column. Single letters and numbers of two digits are always upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Western {
    /// Turned by a quarter, with their heads to the right.
    #[default]
    Turned,
    /// Letter below letter.
    Upright,
}

/// How a single column is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The language.
    pub language: Language,
    /// How words stand.
    pub western: Western,
}

/// Which way text runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    /// In lines, from left to right.
    Lines,
    /// In columns, from right to left.
    Columns(Western),
}

/// A box to set text in; millimetres.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBox {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height; infinite when only the width is bounded.
    pub h: f64,
    /// Where lines stand.
    pub align: Align,
    /// Where the block stands.
    pub vertical: Vertical,
    /// Distance of baselines as a multiple of the size.
    pub line_height: f64,
    /// The smallest size, in millimetres, that text may shrink to; none where it may not shrink.
    pub min_size: Option<f64>,
    /// The most lines there may be.
    pub max_lines: Option<usize>,
    /// The language.
    pub language: Language,
}

/// Where a single line is hung up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its start is at x.
    #[default]
    Start,
    /// Its middle is at x.
    Middle,
    /// Its end is at x.
    End,
}

/// An icon that was placed in running text; millimetres.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedIcon {
    /// Its name, as written.
    pub name: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
    /// The colour of the text around it.
    pub colour: Colour,
}

/// By how much text does not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Overflow {
    /// Millimetres too wide.
    pub width: f64,
    /// Millimetres too high.
    pub height: f64,
    /// Characters that fall outside.
    pub characters: usize,
}

/// A character that no face of the chain has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The character.
    pub character: char,
    /// The first face of the chain.
    pub font: FontId,
}

/// A run that was set from a later face of the chain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fallback {
    /// The text of the run.
    pub text: String,
    /// The face that was asked for.
    pub wanted: FontId,
    /// The face that was used.
    pub used: FontId,
}

/// Text, set.
#[derive(Clone, Debug, Default)]
pub struct Laid {
    /// The glyphs, line by line in reading order.
    pub runs: Vec<GlyphRun>,
    /// The icons.
    pub icons: Vec<PlacedIcon>,
    /// All of the text, icons as `{name}`, a space between paragraphs.
    pub text: String,
    /// The text of each line, without the blanks at its end.
    pub lines: Vec<String>,
    /// Left, top, right and bottom of the lines' boxes (advance widths, line heights).
    pub bounds: [f64; 4],
    /// Whether the lines are columns.
    pub in_columns: bool,
    /// Where the first line's baseline, or the first column's middle, is.
    pub first: f64,
    /// What the size was multiplied with to make the text fit; 1 where nothing was shrunk.
    pub scale: f64,
    /// Set when the text does not fit, even at its smallest.
    pub overflow: Option<Overflow>,
    /// Characters that cannot be shown.
    pub missing: Vec<Missing>,
    /// Runs set from another face than wanted.
    pub fallbacks: Vec<Fallback>,
    /// Whether the last line of a paragraph holds a single character.
    pub lonely: bool,
}

impl Laid {
    /// Moved up or down, so that the first baseline is at `y`.
    #[must_use]
    pub fn hung_from_baseline(self, y: f64) -> Self {
        let down = y - self.first;
        self.moved(0.0, down)
    }

    /// Moved left or right, so that the middle of the first column is at `x`.
    #[must_use]
    pub fn hung_from_axis(self, x: f64) -> Self {
        let right = x - self.first;
        self.moved(right, 0.0)
    }

    fn moved(mut self, right: f64, down: f64) -> Self {
        for run in &mut self.runs {
            run.transform.e += right;
            run.transform.f += down;
        }
        for icon in &mut self.icons {
            icon.x += right;
            icon.y += down;
        }
        let [x0, y0, x1, y1] = self.bounds;
        self.bounds = [x0 + right, y0 + down, x1 + right, y1 + down];
        self
    }

    /// Nothing, at a place.
    fn at(x: f64, y: f64) -> Self {
        Laid { bounds: [x, y, x, y], ..Laid::default() }
    }
}

/// Sets `content` on one line with its baseline through (`x`, `y`). Line feeds count as
/// carriage returns.
pub fn line(fonts: &Fonts, content: &[Inline], x: f64, y: f64, anchor: Anchor, language: Language) -> Laid {
    let flow = Flow::new(content, Feeds::Join);
    let cells = measure(fonts, &flow, language, Writing::Lines);
    let line = Ruler::new(&cells, false).single();
    let whole = line.width + last_shift(&flow, &cells)[0];
    let (x, y) = (fit::place(x) - before(anchor, whole), fit::place(y));
    let mut placer = Placer::new(fonts, &flow, &cells, language, 1.0, (x, y));
    let size = flow.largest();
    let top = y - (placer.middle + 0.5) * size;
    placer.line(&line, Spot { x, baseline: y, top, bottom: top + size, width: line.width });
    finish(placer, 1.0, &cells)
}

/// Sets `content` in a box: broken into lines, aligned, shrunk if it may.
pub fn block(fonts: &Fonts, content: &[Inline], frame: &TextBox) -> Laid {
    let flow = Flow::new(content, Feeds::Break);
    let cells = measure(fonts, &flow, frame.language, Writing::Lines);
    let bounds = Frame::new(frame);
    let fitted = fit(&flow, &cells, &bounds, floor(&flow, frame.min_size));
    let mut placer = Placer::new(fonts, &flow, &cells, frame.language, fitted.scale, (bounds.x, bounds.y));
    let mut top = top(&bounds, &fitted, frame.vertical);
    for (line, (height, size)) in fitted.lines.lines.iter().zip(&fitted.heights) {
        let (height, size) = (height * fitted.scale, size * fitted.scale);
        let (indent, width) = stand(frame.align, &bounds, line, fitted.scale);
        let baseline = top + height / 2.0 + placer.middle * size;
        placer.line(line, Spot { x: bounds.x + indent, baseline, top, bottom: top + height, width });
        top += height;
    }
    let laid = finish(placer, fitted.scale, &cells);
    Laid { overflow: fitted.overflow, lonely: fitted.lines.lonely, ..laid }
}

/// Sets `content` in one column whose middle is at `x`; `anchor` says what part of it is at `y`. Line feeds
/// count as carriage returns.
pub fn column(fonts: &Fonts, content: &[Inline], x: f64, y: f64, anchor: Anchor, setting: Column) -> Laid {
    let flow = Flow::new(content, Feeds::Join);
    let cells = measure(fonts, &flow, setting.language, Writing::Columns(setting.western));
    let line = Ruler::new(&cells, false).single();
    let whole = line.width + last_shift(&flow, &cells)[1];
    let (x, y) = (fit::place(x), fit::place(y) - before(anchor, whole));
    let mut placer = Placer::new(fonts, &flow, &cells, setting.language, 1.0, (x, y));
    let half = flow.largest() / 2.0;
    placer.column(&line, columns::Spot { axis: x, y, left: x - half, right: x + half, height: line.width });
    finish(placer, 1.0, &cells)
}

/// Sets `content` in columns from right to left in a box. What is said of lines holds for columns: they are as long as the box
/// is high, [`TextBox::align`] moves them between top and bottom, [`TextBox::vertical`] moves the block of them between right
/// (top) and left (bottom), and [`TextBox::line_height`] is the distance of their middles.
pub fn columns(fonts: &Fonts, content: &[Inline], frame: &TextBox, western: Western) -> Laid {
    let flow = Flow::new(content, Feeds::Break);
    let cells = measure(fonts, &flow, frame.language, Writing::Columns(western));
    let place = Frame::new(frame);
    let lying = Frame::new(&TextBox { x: 0.0, y: 0.0, w: frame.h, h: frame.w, ..frame.clone() });
    let fitted = fit(&flow, &cells, &lying, floor(&flow, frame.min_size));
    let mut placer = Placer::new(fonts, &flow, &cells, frame.language, fitted.scale, (place.x, place.y));
    // A box of no set width grows to the right.
    let whole = fitted.heights.iter().map(|(height, _)| height * fitted.scale).sum::<f64>();
    let mut right = place.x + if place.w.is_finite() { place.w } else { whole } - top(&lying, &fitted, frame.vertical);
    for (line, (height, _)) in fitted.lines.lines.iter().zip(&fitted.heights) {
        let left = right - height * fitted.scale;
        let (indent, height) = stand(frame.align, &lying, line, fitted.scale);
        let (axis, y) = ((left + right) / 2.0, place.y + indent);
        placer.column(line, columns::Spot { axis, y, left, right, height });
        right = left;
    }
    let laid = finish(placer, fitted.scale, &cells);
    let turned = |over: Overflow| Overflow { width: over.height, height: over.width, ..over };
    Laid { overflow: fitted.overflow.map(turned), lonely: fitted.lines.lonely, ..laid }
}

/// Shapes a flow and finds out where it may break and how its cells are spaced.
fn measure(fonts: &Fonts, flow: &Flow, language: Language, writing: Writing) -> Cells {
    let mut cells = shape::shape(fonts, flow, language, writing);
    breaks::mark(&flow.text, &mut cells);
    spacing::space(fonts, flow, &mut cells, writing);
    cells
}

/// How far the end of a text is shifted.
fn last_shift(flow: &Flow, cells: &Cells) -> [f64; 2] {
    cells.cells.last().map_or([0.0; 2], |cell| flow.looks[cell.look].shift)
}

/// How much of a line stands before its anchor.
fn before(anchor: Anchor, width: f64) -> f64 {
    match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    }
}

/// How far a line stands from the left edge, and how wide it is set.
fn stand(align: Align, bounds: &Frame, line: &Line, scale: f64) -> (f64, f64) {
    let width = line.width * scale;
    match align {
        _ if !bounds.w.is_finite() => (0.0, width),
        Align::Justify if !line.last => (0.0, bounds.w),
        Align::Start | Align::Justify => (0.0, width),
        Align::Centre => ((bounds.w - width) / 2.0, width),
        Align::End => (bounds.w - width, width),
    }
}

/// The smallest scale that is allowed: no text of the flow gets smaller than `min_size`.
fn floor(flow: &Flow, min_size: Option<f64>) -> f64 {
    let smallest = flow.looks.iter().map(|look| look.size).fold(f64::INFINITY, f64::min);
    match min_size {
        Some(min) if min > 0.0 && smallest > 0.0 && smallest.is_finite() => (min / smallest).clamp(0.01, 1.0),
        Some(min) if min <= 0.0 => 0.01,
        _ => 1.0,
    }
}

/// Where the first line box begins.
fn top(frame: &Frame, fitted: &Fitted, vertical: Vertical) -> f64 {
    let scaled = |length: f64| length * fitted.scale;
    let half = |line: Option<&(f64, f64)>| line.map_or(0.0, |(height, size)| scaled((height - size) / 2.0));
    let (above, below) = (half(fitted.heights.first()), half(fitted.heights.last()));
    let ink = scaled(needed(&fitted.heights));
    let room = frame.h - ink;
    // What is drawn stays inside; half-leadings hang out when there is no room for them.
    match vertical {
        _ if !room.is_finite() => frame.y,
        Vertical::Top => frame.y - above + above.min(room).max(0.0),
        Vertical::Middle => frame.y - above + room / 2.0,
        Vertical::Bottom => frame.y - above + room - below.min(room).max(0.0),
    }
}

fn finish(placer: Placer, scale: f64, cells: &Cells) -> Laid {
    let paragraphs = cells.paragraphs.iter().map(|paragraph| placer.text(&cells.cells[paragraph.clone()]));
    let text = paragraphs.collect::<Vec<_>>().join(" ");
    let mut laid = placer.laid;
    laid.text = text;
    laid.scale = scale;
    laid.missing.clone_from(&cells.missing);
    laid.fallbacks.clone_from(&cells.fallbacks);
    laid
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
