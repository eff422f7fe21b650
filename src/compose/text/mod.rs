//! Text layout: from styled text to placed glyphs. Measured with the shaper and the font files that are drawn and embedded.

use crate::compose::face::{Colour, GlyphRun};
use crate::fonts::{FontId, Fonts};

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
}

/// A piece of running text.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Text; a line feed in it ends the line.
    Text {
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
    /// The text of each line.
    pub lines: Vec<String>,
    /// Left, top, right and bottom of the lines' boxes (advance widths, line heights).
    pub bounds: [f64; 4],
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

/// Sets `content` on one line with its baseline through (`x`, `y`). Line feeds count as spaces.
pub fn line(_fonts: &Fonts, _content: &[Inline], _x: f64, _y: f64, _anchor: Anchor, _language: Language) -> Laid {
    Laid::default()
}

/// Sets `content` in a box: broken into lines, aligned, shrunk if it may.
pub fn block(_fonts: &Fonts, _content: &[Inline], _frame: &TextBox) -> Laid {
    Laid::default()
}
