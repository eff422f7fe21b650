//! The words of a sheet's margin: which ones, and how they are set.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::draft::Note;
use super::turn::Turn;
use super::{Adjustment, Side, Sides};
use crate::compose::face::{Colour, GlyphRun};
use crate::compose::text::{self, Align, Anchor, Inline, Laid, Language, Style, TextBox, Vertical};
use crate::fonts::{BUILT_IN_FAMILY, Fonts};
use crate::geometry::{Point, Rect, Size};
use crate::units::{EMU_PER_PT, Length};

/// Size of the margin's words: 6 pt.
pub(super) const SMALL: Length = Length::emu(EMU_PER_PT * 6);
/// Their darkness.
pub(super) const GREY: u8 = 96;

/// What stands between two phrases.
pub(super) const BETWEEN: &str = " · ";

/// How much room letters take above and below their baseline, in hundredths of the em.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    above: i64,
    below: i64,
}

/// Letters of all kinds.
pub(super) const ANY: Letters = Letters { above: 90, below: 20 };
/// Figures: nothing reaches below the line.
pub(super) const DIGITS: Letters = Letters { above: 77, below: 3 };

/// What sets the margin's words: the built-in font in grey. It remembers what it has set, as sheets say much the same.
pub(super) struct Pen<'a> {
    fonts: &'a Fonts,
    style: Option<Style>,
    language: Language,
    wording: &'static Wording,
    laid: Mutex<BTreeMap<(String, Length), Arc<Laid>>>,
}

impl<'a> Pen<'a> {
    /// A pen that writes the language with this tag. Without the built-in font it writes nothing.
    pub(super) fn new(fonts: &'a Fonts, tag: &str) -> Self {
        let regular = fonts.select(BUILT_IN_FAMILY, 400, false);
        let bold = fonts.select(BUILT_IN_FAMILY, 700, false).or(regular);
        let style = regular.zip(bold).map(|(regular, bold)| Style {
            fonts: vec![regular],
            bold: vec![bold],
            size: SMALL.to_mm(),
            fill: Colour::grey(GREY),
            letter_spacing: 0.0,
            shift: [0.0; 2],
        });
        let (language, wording) = language(tag);
        Pen { fonts, style, language, wording, laid: Mutex::default() }
    }

    /// How this pen says things.
    pub(super) const fn wording(&self) -> &'static Wording {
        self.wording
    }

    /// The room that `text` takes on one line.
    pub(super) fn room(&self, text: &str, size: Length, letters: Letters) -> Size {
        let laid = self.lay(text, size);
        let [left, _, right, _] = laid.bounds;
        let width = if laid.runs.is_empty() { estimate(text, size) } else { Length::from_mm(right - left) };
        Size { w: width, h: size * (letters.above + letters.below) / 100 }
    }

    /// How wide [`BETWEEN`] is between two phrases.
    pub(super) fn between(&self, size: Length) -> Length {
        const EDGE: &str = "一"; // blanks at the edges of a text are dropped
        let width = |text: &str| self.room(text, size, ANY).w;
        width(&[EDGE, BETWEEN, EDGE].concat()) - width(EDGE) * 2
    }

    /// `text` as a note whose room begins at `corner`.
    pub(super) fn note(&self, text: &str, size: Length, letters: Letters, corner: Point) -> Note {
        let at = Point { x: corner.x, y: corner.y + size * letters.above / 100 };
        let area = Rect::new(corner, self.room(text, size, letters));
        Note { text: text.to_owned(), size, at, turn: Turn::Up, area }
    }

    /// `text` as a note in `place`, a rectangle of the page that is read with its top where `turn` points; its own room begins at
    /// `corner` of that rectangle, as it is read.
    pub(super) fn note_in(&self, text: &str, size: Length, corner: Point, place: Rect, turn: Turn) -> Note {
        let note = self.note(text, size, ANY, corner);
        Note { at: turn.point_in(place, note.at), turn, area: turn.rect_in(place, note.area), ..note }
    }

    /// The glyphs of a note, in page millimetres.
    pub(super) fn write(&self, note: &Note) -> Vec<GlyphRun> {
        let onto_page = note.turn.moved_to(note.at);
        let onto_page = |run: &GlyphRun| GlyphRun { transform: onto_page.then_inner(run.transform), ..run.clone() };
        self.lay(&note.text, note.size).runs.iter().map(onto_page).collect()
    }

    /// The glyphs of `text` in lines within `place`, in page millimetres.
    pub(super) fn paragraph(&self, text: &str, size: Length, place: Rect) -> Vec<GlyphRun> {
        self.set_in(text, size, place).runs
    }

    /// Whether all of `text` has room in `place`.
    #[cfg(test)]
    pub(super) fn fits(&self, text: &str, size: Length, place: Rect) -> bool {
        self.set_in(text, size, place).overflow.is_none()
    }

    fn set_in(&self, text: &str, size: Length, place: Rect) -> Laid {
        let Some(style) = &self.style else {
            return Laid::default();
        };
        let style = Style { size: size.to_mm(), ..style.clone() };
        let frame = TextBox {
            x: place.x.to_mm(),
            y: place.y.to_mm(),
            w: place.w.to_mm(),
            h: place.h.to_mm(),
            align: Align::Start,
            vertical: Vertical::Top,
            line_height: 1.4,
            min_size: None,
            max_lines: None,
            language: self.language,
        };
        text::block(self.fonts, &[Inline::Text { text: text.to_owned(), style }], &frame)
    }

    fn lay(&self, text: &str, size: Length) -> Arc<Laid> {
        let key = (text.to_owned(), size);
        let known = || self.laid.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(laid) = known().get(&key) {
            return Arc::clone(laid);
        }
        let laid = Arc::new(self.set(text, size));
        known().insert(key, Arc::clone(&laid));
        laid
    }

    fn set(&self, text: &str, size: Length) -> Laid {
        let Some(style) = &self.style else {
            return Laid::default();
        };
        let style = Style { size: size.to_mm(), ..style.clone() };
        let content = [Inline::Text { text: text.to_owned(), style }];
        text::line(self.fonts, &content, 0.0, 0.0, Anchor::Start, self.language)
    }
}

/// The width to reckon with for what could not be set: three fifths of an em for a Latin letter, one em for all others.
fn estimate(text: &str, size: Length) -> Length {
    text.chars().map(|c| if c.is_ascii() { size * 3 / 5 } else { size }).sum()
}

/// The edges at which a tile of a board is glued under its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    /// The right one.
    Right,
    /// The bottom one.
    Bottom,
    /// Both.
    Both,
}

impl Tab {
    /// What is said of right, bottom, or both.
    fn pick(self, words: [&'static str; 3]) -> &'static str {
        words[self as usize]
    }
}

/// The rulers that a sheet has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unruled {
    /// The one across.
    Across,
    /// The one down.
    Down,
    /// Both.
    Both,
}

/// How things are said in one language.
pub(super) struct Wording {
    front: &'static str,
    back: &'static str,
    long_edge: &'static str,
    short_edge: &'static str,
    fold: &'static str,
    both: &'static str,
    crease: &'static str,
    one_sided: &'static str,
    empty: &'static str,
    unruled: [&'static str; 3],
    page: fn(usize, usize) -> String,
    tab: fn(Tab, Length) -> String,
    adjusted: fn(Adjustment) -> String,
}

impl Wording {
    /// Which side this is.
    pub(super) const fn side(&self, side: Side) -> &'static str {
        match side {
            Side::Front => self.front,
            Side::Back => self.back,
        }
    }

    /// How the printer has to turn the paper.
    pub(super) const fn flip(&self, sides: Sides) -> &'static str {
        match sides {
            Sides::LongEdge => self.long_edge,
            Sides::ShortEdge => self.short_edge,
            Sides::Fold => self.fold,
            Sides::Fronts => self.one_sided,
        }
    }

    /// That a piece is folded here.
    pub(super) const fn crease(&self) -> &'static str {
        self.crease
    }

    /// That fronts and backs are on one side.
    pub(super) const fn both(&self) -> &'static str {
        self.both
    }

    /// That a side is left unprinted.
    pub(super) const fn empty(&self) -> &'static str {
        self.empty
    }

    /// That there is no room for rulers.
    pub(super) const fn unruled(&self, unruled: Unruled) -> &'static str {
        self.unruled[unruled as usize]
    }

    /// Page `number` of `all`.
    pub(super) fn page(&self, number: usize, all: usize) -> String {
        (self.page)(number, all)
    }

    /// That the right and the lower strip of a tile are glued under its neighbours.
    pub(super) fn tab(&self, tab: Tab, overlap: Length) -> String {
        (self.tab)(tab, overlap)
    }

    /// That backs were moved, and by how much.
    pub(super) fn adjusted(&self, by: Adjustment) -> String {
        (self.adjusted)(by)
    }
}

const ENGLISH: Wording = Wording {
    front: "front",
    back: "back",
    long_edge: "flip on long edge",
    short_edge: "flip on short edge",
    fold: "one-sided: fold along the dashed line and glue",
    both: "front + back",
    crease: "fold",
    one_sided: "one-sided",
    empty: "left empty on purpose",
    unruled: ["no room for a ruler across", "no room for a ruler down", "no room for rulers"],
    page: |number, all| format!("page {number} / {all}"),
    tab: |tab, overlap| {
        let edges = tab.pick(["right", "bottom", "right and bottom"]);
        format!("{} mm at {edges}: glue under the neighbour", plain(overlap))
    },
    adjusted: |by| format!("backs {by}"),
};

const SIMPLIFIED: Wording = Wording {
    front: "正面",
    back: "背面",
    long_edge: "长边翻转",
    short_edge: "短边翻转",
    fold: "单面打印，沿虚线对折粘合",
    both: "正面 + 背面",
    crease: "折",
    one_sided: "单面打印",
    empty: "此面留空",
    unruled: ["无处放横尺", "无处放竖尺", "无处放尺"],
    page: |number, all| format!("第 {number} / {all} 页"),
    tab: |tab, overlap| {
        let edges = tab.pick(["右边", "下边", "右、下各"]);
        format!("{edges} {} mm 为粘贴边，压在邻页之下", plain(overlap))
    },
    adjusted: |by| format!("背面校准 {by}"),
};

const TRADITIONAL: Wording = Wording {
    front: "正面",
    back: "背面",
    long_edge: "長邊翻轉",
    short_edge: "短邊翻轉",
    fold: "單面列印，沿虛線對摺黏合",
    both: "正面 + 背面",
    crease: "摺",
    one_sided: "單面列印",
    empty: "此面留空",
    unruled: ["無處放橫尺", "無處放豎尺", "無處放尺"],
    page: |number, all| format!("第 {number} / {all} 頁"),
    tab: |tab, overlap| {
        let edges = tab.pick(["右邊", "下邊", "右、下各"]);
        format!("{edges} {} mm 為黏貼邊，壓在鄰頁之下", plain(overlap))
    },
    adjusted: |by| format!("背面校準 {by}"),
};

fn plain(length: Length) -> String {
    length.to_string().trim_end_matches("mm").to_owned()
}

/// The language of a tag. Chinese without a script is simplified, except where Taiwan, Hong Kong or Macau is named.
fn language(tag: &str) -> (Language, &'static Wording) {
    let tag = tag.to_ascii_lowercase().replace('_', "-");
    let mut parts = tag.split('-');
    match parts.next() {
        Some("zh") if parts.any(|part| matches!(part, "hant" | "tw" | "hk" | "mo")) => (Language::ZhHant, &TRADITIONAL),
        Some("zh") => (Language::ZhHans, &SIMPLIFIED),
        Some("ja") => (Language::Ja, &ENGLISH),
        _ => (Language::Other, &ENGLISH),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_choose_the_words() {
        for (tag, back) in [
            ("zh", "长边翻转"),
            ("zh-Hans-CN", "长边翻转"),
            ("zh_TW", "長邊翻轉"),
            ("zh-Hant", "長邊翻轉"),
            ("ZH-hk", "長邊翻轉"),
            ("en", "flip on long edge"),
            ("ja", "flip on long edge"),
            ("", "flip on long edge"),
            ("zho", "flip on long edge"),
        ] {
            assert_eq!(language(tag).1.flip(Sides::LongEdge), back, "{tag}");
        }
    }
}
