//! From lines to placed glyphs and icons.
//!
//! A line box is `line height × size` high. Its baseline is `middle of the box + m × size`, where m is the height of the optical
//! middle above the baseline: the middle of the ink of Han characters when the text has any, half the height of capitals when
//! not. So the first line of Han text and a single line in the middle of a box are optically right with every face, whatever
//! its ascent is. Icons have their middle there too.

use super::cell::{Cell, Cells};
use super::class::{Class, ICON};
use super::flow::{Flow, Look};
use super::justify::gaps;
use super::lines::Line;
use super::{Laid, Language, PlacedIcon};
use crate::compose::face::{Glyph, GlyphRun};
use crate::fonts::{FontId, Fonts};
use crate::geometry::Affine;

/// Diameter of an emphasis dot, in em.
pub(super) const DOT: f64 = 0.16;
/// How far it stands from the em box, in em.
pub(super) const DOT_AWAY: f64 = 0.06;

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
    pub(super) fonts: &'a Fonts,
    pub(super) language: Language,
    pub(super) laid: Laid,
}

/// The optical middle of all of a text; see the module's description.
fn middle(fonts: &Fonts, flow: &Flow, cells: &Cells) -> f64 {
    let han = cells.cells.iter().filter(|cell| cell.class.is_cjk()).find_map(|cell| fonts.face(cell.font).han);
    han.map(|han| han.middle).unwrap_or_else(|| {
        let first = cells.cells.first().map(|cell| cell.font);
        let asked = flow.looks.first().and_then(|look| look.style.fonts.first().copied());
        first.or(asked).map_or(0.35, |font| fonts.face(font).cap_height / 2.0)
    })
}

impl<'a> Placer<'a> {
    /// Nothing placed yet; (`x`, `y`) is where text without lines is.
    pub(super) fn new(
        fonts: &'a Fonts,
        flow: &'a Flow<'a>,
        cells: &'a Cells,
        language: Language,
        scale: f64,
        (x, y): (f64, f64),
    ) -> Self {
        let middle = middle(fonts, flow, cells);
        Placer { flow, cells, scale, middle, fonts, language, laid: Laid::at(x, y) }
    }

    /// Places one line.
    pub(super) fn line(&mut self, line: &Line, spot: Spot) {
        let cells = &self.cells.cells[line.cells.clone()];
        let gaps = gaps(self.flow, cells, spot.width / self.scale - line.natural);
        let mut run: Option<Open> = None;
        let mut dots = Vec::new();
        let mut x = -cells.first().map_or(0.0, |cell| cell.lead);
        for (number, (cell, gap)) in cells.iter().zip(gaps).enumerate() {
            if cell.class == Class::Hyphen && number + 1 < cells.len() {
                continue;
            }
            let [right, down] = self.flow.looks[cell.look].shift;
            let (place, baseline) = (spot.x + x * self.scale + right, spot.baseline + down);
            self.cell(cell, place, baseline, &mut run);
            dots.extend(self.dot(cell, place, baseline));
            x += cell.width + gap;
        }
        self.close(run);
        self.laid.runs.extend(dots);
        self.begin(spot.baseline);
        self.laid.lines.push(self.text(cells));
        self.extend([spot.x, spot.top, spot.x + spot.width, spot.bottom], cells);
    }

    fn cell(&mut self, cell: &Cell, x: f64, baseline: f64, run: &mut Option<Open<'a>>) {
        let look = self.flow.looks[cell.look];
        if cell.class == Class::Icon {
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
        let size = look.size * self.scale;
        self.icon_at(cell, look, x, baseline - self.middle * size - size / 2.0, size);
    }

    /// Places the icon of `cell`, `h` high.
    pub(super) fn icon_at(&mut self, cell: &Cell, look: Look, x: f64, y: f64, h: f64) {
        let Some(icon) = self.flow.icon(cell.bytes.start) else { return };
        let (name, w, colour) = (icon.name.to_owned(), h * icon.aspect, look.style.fill);
        self.laid.icons.push(PlacedIcon { name, x, y, w, h, colour });
    }

    /// The emphasis dot of a cell: below it in Chinese, above it in Japanese.
    fn dot(&self, cell: &Cell, x: f64, baseline: f64) -> Option<GlyphRun> {
        let look = self.flow.looks[cell.look];
        let em = look.size * self.scale;
        let away = if self.language == Language::Ja { -em } else { em } * (0.5 + DOT_AWAY + DOT / 2.0);
        let x = x + (cell.width - look.spacing) * self.scale / 2.0;
        self.dot_at(cell, x, baseline - self.middle * em + away)
    }

    /// An emphasis dot with its middle at (`x`, `y`), if `cell` is to have one. It stands for no text.
    pub(super) fn dot_at(&self, cell: &Cell, x: f64, y: f64) -> Option<GlyphRun> {
        let look = self.flow.looks[cell.look];
        if !look.emphasis || cell.class != Class::Han {
            return None;
        }
        let dot = self.fonts.face(cell.font).dot()?;
        let size = look.size * self.scale * DOT / dot.diameter;
        Some(GlyphRun {
            font: cell.font,
            size: size as f32,
            fill: look.style.fill,
            transform: Affine::translate(x - dot.x * size, y + dot.y * size),
            glyphs: vec![Glyph { id: dot.glyph, x: 0.0, y: 0.0, cluster: 0..0 }],
            text: String::new(),
        })
    }

    fn close(&mut self, run: Option<Open>) {
        self.laid.runs.extend(run.map(|open| open.run).filter(|run| !run.glyphs.is_empty()));
    }

    /// The text of some cells, icons as `{name}`.
    pub(super) fn text(&self, cells: &[Cell]) -> String {
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return String::new() };
        let mut text = String::new();
        let mut from = first.bytes.start;
        let icons = self.flow.icons.iter().filter(|icon| (first.bytes.start..last.bytes.end).contains(&icon.at));
        for icon in icons {
            text.push_str(&self.flow.text[from..icon.at]);
            text.push_str(&format!("{{{}}}", icon.name));
            from = icon.at + ICON.len_utf8();
        }
        text.push_str(&self.flow.text[from..last.bytes.end]);
        text
    }

    /// Notes where the first line or column stands.
    pub(super) fn begin(&mut self, place: f64) {
        if self.laid.lines.is_empty() {
            self.laid.first = place;
        }
    }

    /// Lets the bounds take in a line's box, wherever its cells are shifted to.
    pub(super) fn extend(&mut self, [x0, y0, x1, y1]: [f64; 4], cells: &[Cell]) {
        let shifts = cells.iter().map(|cell| self.flow.looks[cell.look].shift).map(|[x, y]| [x, y, x, y]);
        let most = shifts.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        let [less_x, less_y, more_x, more_y] = most.unwrap_or_default();
        let [x0, y0, x1, y1] = [x0 + less_x, y0 + less_y, x1 + more_x, y1 + more_y];
        let [left, top, right, bottom] = self.laid.bounds;
        self.laid.bounds = match self.laid.lines.len() {
            1 => [x0, y0, x1, y1],
            _ => [left.min(x0), top.min(y0), right.max(x1), bottom.max(y1)],
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
        self.run.font == font
            && self.look.size == look.size
            && self.look.style.fill == look.style.fill
            && self.look.shift == look.shift
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

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::*;

    fn set(source: &str, w: f64, align: Align) -> Laid {
        block(&FONTS, &with_icons(source), &TextBox { align, ..wide(w) })
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }

    #[test]
    fn icons_stand_where_they_are_written() {
        // `{a}` 1 em, gap 1/8, Han 1 em, gap 1/8, `{b}` 1 em.
        for (align, left) in [(Align::Start, 0.0), (Align::Centre, 3.375), (Align::End, 6.75), (Align::Justify, 0.0)] {
            let laid = set("{a}一{b}", 10.0, align);
            near(laid.icons[0].x, left);
            near(laid.runs[0].transform.e, left + 1.125);
            near(laid.icons[1].x, left + 2.25);
            assert_eq!((laid.icons[0].name.as_str(), laid.lines[0].as_str()), ("a", "{a}一{b}"));
        }
    }

    #[test]
    fn icons_have_their_middle_on_the_optical_middle() {
        let han = set("一{a}", 10.0, Align::Start);
        let face = FONTS.face(han.runs[0].font);
        let middle = han.runs[0].transform.f - han.icons[0].y - 0.5;
        near(middle, face.han.unwrap().middle);
        let western = set("x{a}", 10.0, Align::Start);
        near(western.runs[0].transform.f - western.icons[0].y - 0.5, face.cap_height / 2.0);
    }

    #[test]
    fn an_icon_wraps_as_one_piece() {
        let laid = set("一二三{a}四", 4.5, Align::Start);
        assert_eq!(laid.lines, ["一二", "三{a}四"]);
        assert!(laid.icons[0].y > 1.5, "in the second line");
    }

    #[test]
    fn icons_grow_with_the_text_and_keep_their_shape() {
        let content = [Inline::Icon { name: "a".to_owned(), aspect: 2.0, style: style(3.0) }];
        let laid = line(&FONTS, &content, 10.0, 20.0, Anchor::Middle, Language::ZhHans);
        near(laid.icons[0].w, 6.0);
        near(laid.icons[0].h, 3.0);
        near(laid.icons[0].x, 7.0);
    }

    #[test]
    fn lines_stand_where_they_are_told() {
        for (align, left) in [(Align::Start, 1.0), (Align::Centre, 2.5), (Align::End, 4.0), (Align::Justify, 1.0)] {
            let frame = TextBox { x: 1.0, align, ..wide(5.0) };
            near(block(&FONTS, &[text("一二")], &frame).runs[0].transform.e, left);
        }
    }

    #[test]
    fn the_block_stands_where_it_is_told() {
        let middle = FONTS.face(FONTS.select("Noto Sans CJK SC", 400, false).unwrap()).han.unwrap().middle;
        // Two lines of 1.5 in a box of 7: 4 are left.
        for (vertical, top) in [(Vertical::Top, 2.0), (Vertical::Middle, 4.0), (Vertical::Bottom, 6.0)] {
            let frame = TextBox { y: 2.0, h: 7.0, vertical, ..wide(2.0) };
            let laid = block(&FONTS, &[text("一二三四")], &frame);
            near(laid.runs[0].transform.f, top + 0.75 + middle);
            near(laid.runs[1].transform.f, top + 2.25 + middle);
            near(laid.bounds[1], top);
            near(laid.bounds[3], top + 3.0);
        }
    }

    #[test]
    fn anchors_hang_the_line_up() {
        for (anchor, left) in [(Anchor::Start, 10.0), (Anchor::Middle, 9.0), (Anchor::End, 8.0)] {
            let laid = line(&FONTS, &[text("一二")], 10.0, 20.0, anchor, Language::ZhHans);
            near(laid.runs[0].transform.e, left);
            near(laid.runs[0].transform.f, 20.0);
        }
    }

    #[test]
    fn shifted_text_goes_on_from_where_it_stands() {
        let part = |shift| Inline::Text { text: "一".to_owned(), style: Style { shift, ..style(1.0) } };
        let content = [part([0.0, 0.0]), part([0.5, -0.4]), part([0.5, 0.0])];
        let laid = line(&FONTS, &content, 10.0, 20.0, Anchor::End, Language::ZhHans);
        let places: Vec<(f64, f64)> = laid.runs.iter().map(|run| (run.transform.e, run.transform.f)).collect();
        for ((x, y), (right, down)) in places.iter().zip([(6.5, 20.0), (8.0, 19.6), (9.0, 20.0)]) {
            near(*x, right);
            near(*y, down);
        }
        near(laid.bounds[2], 10.0);
        let whole = line(&FONTS, &[text("一")], 0.0, 20.0, Anchor::Start, Language::ZhHans);
        near(laid.bounds[1], whole.bounds[1] - 0.4);
    }

    #[test]
    fn an_opening_bracket_at_the_start_has_its_ink_at_the_edge() {
        let laid = set("「一」", 5.0, Align::Start);
        near(f64::from(laid.runs[0].glyphs[0].x) + laid.runs[0].transform.e, -0.5);
        near(laid.bounds[0], 0.0);
    }

    #[test]
    fn runs_carry_their_text() {
        let laid = set("一card\u{301}二", 10.0, Align::Start);
        let text: String = laid.runs.iter().map(|run| run.text.as_str()).collect();
        assert_eq!(text, "一card\u{301}二");
        for run in &laid.runs {
            let mut end = 0;
            for glyph in &run.glyphs {
                assert!(glyph.cluster.start >= end || glyph.cluster.is_empty());
                end = end.max(glyph.cluster.end);
            }
            assert_eq!(end as usize, run.text.len(), "{run:?}");
        }
    }

    #[test]
    fn emphasis_puts_a_dot_under_every_han_character() {
        let content = [Inline::Emphasis { text: "一，a".to_owned(), style: style(1.0) }];
        let laid = block(&FONTS, &content, &wide(10.0));
        let dots: Vec<_> = laid.runs.iter().filter(|run| run.text.is_empty()).collect();
        assert_eq!(dots.len(), 1);
        assert!(dots[0].transform.f > laid.runs[0].transform.f, "below the baseline");
        let western = laid.runs.iter().find(|run| run.text == "a").unwrap();
        assert_eq!(FONTS.face(western.font).weight, 700);
        assert!(dots[0].transform.e > 0.0 && dots[0].transform.e < 1.0);
    }

    #[test]
    fn fills_and_sizes_make_runs_of_their_own() {
        let part = |size, fill| Inline::Text { text: "一".to_owned(), style: Style { fill, ..style(size) } };
        let content = [part(1.0, Colour::BLACK), part(1.0, Colour::grey(9)), part(2.0, Colour::grey(9))];
        let laid = line(&FONTS, &content, 0.0, 0.0, Anchor::Start, Language::ZhHans);
        assert_eq!(laid.runs.iter().map(|run| run.size).collect::<Vec<_>>(), [1.0, 1.0, 2.0]);
        near(laid.bounds[2], 4.0);
    }
}
