//! Text in columns, from right to left.
//!
//! Every upright character stands in the middle of its column on a pitch of one em, whatever vertical measures its face has (most
//! faces have none). Punctuation takes its vertical form (`vert`); where a face has none, brackets, dashes and ellipses are turned,
//! and commas and stops move to the upper right corner. `“”` and `‘’` show as `『』` and `「」`, as GB/T 15834 asks for. Words and
//! long numbers are turned or set letter below letter; a single letter or digit stands upright; two digits, or a sign and a
//! digit, stand side by side, made narrower when they would be wider than the column's em.

use std::ops::Range;

use super::Western;
use super::cell::{Cell, Cells, Pose, Shaped};
use super::class::Class;
use super::flow::{Flow, Look};
use super::justify::gaps;
use super::lines::Line;
use super::place::{DOT, DOT_AWAY, Placer};
use crate::compose::face::{Glyph, GlyphRun};
use crate::fonts::{FontFace, Fonts};
use crate::geometry::Affine;

/// The most that is left free to the right of a comma or stop that its face has no vertical form of, in em. Some brush faces have
/// them in the middle.
const FROM_THE_RIGHT: f64 = 0.15;

/// Where a column goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Its middle.
    pub(super) axis: f64,
    /// Its upper end.
    pub(super) y: f64,
    /// Left and right of its box.
    pub(super) left: f64,
    pub(super) right: f64,
    /// The height it is stretched to; its own when not justified.
    pub(super) height: f64,
}

/// What a character shows as in a column.
pub(super) const fn stand_in(character: char) -> char {
    match character {
        '“' => '『',
        '”' => '』',
        '‘' => '「',
        '’' => '」',
        other => other,
    }
}

/// Turns or moves a mark that its face has no vertical form of.
pub(super) fn form(fonts: &Fonts, flow: &Flow, cell: &mut Cell, glyphs: &mut [Shaped]) {
    let em = flow.looks[cell.look].size;
    let character = flow.text[cell.bytes.clone()].chars().next().unwrap_or(' ');
    match (cell.class, character) {
        (Class::Open | Class::Close, _) | (Class::Link, '—' | '―' | '–' | '…' | '⋯' | '‥' | '～' | '〜' | '⸺') =>
        {
            cell.pose = Pose::Turned;
        }
        (_, 'ー' | '：') => cell.pose = Pose::Turned,
        (_, '，' | '。' | '、' | '．') => {
            let bearings = fonts.face(cell.font).bearings(character);
            let across = bearings.map_or(0.5, |blank| blank.right - blank.left.min(FROM_THE_RIGHT));
            for glyph in &mut glyphs[cell.glyphs.clone()] {
                glyph.x += across * em;
                glyph.y -= 0.5 * em;
            }
        }
        _ => {}
    }
}

/// Decides how the cells from `first` on stand, and how long they are in a column.
pub(super) fn pose(flow: &Flow, western: Western, first: usize, out: &mut Cells) {
    let cells = out.cells.split_off(first);
    let mut rest = cells.as_slice();
    while let Some((cell, after)) = rest.split_first() {
        let word =
            rest.iter().take_while(|cell| is_western(cell) && cell.font == rest[0].font && cell.look == rest[0].look);
        let word = &rest[..word.count()];
        if word.is_empty() {
            out.cells.push(alone(flow, cell.clone()));
            rest = after;
        } else {
            stand(flow, western, word, out);
            rest = &rest[word.len()..];
        }
    }
}

const fn is_western(cell: &Cell) -> bool {
    cell.class.is_western() || matches!(cell.class, Class::Mark)
}

/// A cell that is not part of Western text.
fn alone(flow: &Flow, mut cell: Cell) -> Cell {
    let look = flow.looks[cell.look];
    let keeps = cell.pose == Pose::Turned || matches!(cell.class, Class::Space | Class::Hyphen);
    if !keeps {
        // Faces join two dashes into one glyph of two em.
        let characters = if cell.class == Class::Link { flow.text[cell.bytes.clone()].chars().count() } else { 1 };
        cell.width = look.size * characters as f64 + look.spacing;
    }
    cell
}

/// Decides how a word stands.
fn stand(flow: &Flow, western: Western, word: &[Cell], out: &mut Cells) {
    let number = word.iter().all(|cell| matches!(cell.class, Class::Digit | Class::Sign));
    match word {
        [one] if one.class.is_western() => out.cells.push(alone(flow, one.clone())),
        [first, second] if number => {
            let cell = together(flow, first, second, &mut out.glyphs);
            out.cells.push(cell);
        }
        _ if western == Western::Upright => out.cells.extend(word.iter().map(|cell| alone(flow, cell.clone()))),
        _ => out.cells.extend(word.iter().map(|cell| Cell { pose: Pose::Turned, ..cell.clone() })),
    }
}

/// Two cells side by side as one. Their glyphs follow each other.
fn together(flow: &Flow, first: &Cell, second: &Cell, glyphs: &mut [Shaped]) -> Cell {
    let look = flow.looks[first.look];
    for glyph in &mut glyphs[second.glyphs.clone()] {
        glyph.x += first.width - look.spacing;
    }
    let natural = first.width + second.width - 2.0 * look.spacing;
    Cell {
        bytes: first.bytes.start..second.bytes.end,
        glyphs: first.glyphs.start..second.glyphs.end,
        width: look.size + look.spacing,
        lead: 0.0,
        natural,
        pose: Pose::Together,
        ..first.clone()
    }
}

impl<'a> Placer<'a> {
    /// Places one column.
    pub(super) fn column(&mut self, line: &Line, spot: Spot) {
        let cells = &self.cells.cells[line.cells.clone()];
        let gaps = gaps(self.flow, cells, spot.height / self.scale - line.natural);
        let mut dots = Vec::new();
        let mut run: Option<Open> = None;
        let mut y = -cells.first().map_or(0.0, |cell| cell.lead);
        for (number, (cell, gap)) in cells.iter().zip(gaps).enumerate() {
            let [right, down] = self.flow.looks[cell.look].shift;
            let (axis, place) = (spot.axis + right, spot.y + y * self.scale + down);
            if cell.class != Class::Hyphen || number + 1 == cells.len() {
                self.stand(cell, axis, place, &mut run);
            }
            dots.extend(self.dot_beside(cell, axis, place));
            y += cell.width + gap;
        }
        self.laid.runs.extend(run.map(|open| open.run));
        self.laid.runs.extend(dots);
        self.begin(spot.axis);
        self.laid.in_columns = true;
        self.laid.lines.push(self.text(cells));
        self.extend([spot.left, spot.y, spot.right, spot.y + spot.height], cells);
    }

    /// Places one cell, whose upper end is at `y`, in the column around `axis`.
    fn stand(&mut self, cell: &Cell, axis: f64, y: f64, run: &mut Option<Open<'a>>) {
        let look = self.flow.looks[cell.look];
        if cell.class == Class::Icon {
            self.laid.runs.extend(run.take().map(|open| open.run));
            self.icon_in_column(cell, look, axis, y);
            return;
        }
        if !run.as_ref().is_some_and(|open| open.takes(cell, look)) {
            self.laid.runs.extend(run.take().map(|open| open.run));
        }
        let face = self.fonts.face(cell.font);
        let (flow, cells, scale) = (self.flow, self.cells, self.scale);
        let open = run.get_or_insert_with(|| Open::new(cell, look, face, (axis, y), scale));
        open.add(cell, &cells.glyphs[cell.glyphs.clone()], &flow.text[cell.bytes.clone()], y, scale);
    }

    /// An icon no wider than the column's em.
    fn icon_in_column(&mut self, cell: &Cell, look: Look, axis: f64, y: f64) {
        let Some(icon) = self.flow.icon(cell.bytes.start) else { return };
        let em = look.size * self.scale;
        let h = em / icon.aspect.max(1.0);
        self.icon_at(cell, look, axis - h * icon.aspect / 2.0, y + (em - h) / 2.0, h);
    }

    /// Emphasis dots stand to the right of their characters.
    fn dot_beside(&self, cell: &Cell, axis: f64, y: f64) -> Option<GlyphRun> {
        let em = self.flow.looks[cell.look].size * self.scale;
        self.dot_at(cell, axis + em * (0.5 + DOT_AWAY + DOT / 2.0), y + em / 2.0)
    }
}

/// A run that is being filled.
struct Open<'a> {
    run: GlyphRun,
    look: Look<'a>,
    face: &'a FontFace,
    pose: Pose,
    cjk: bool,
    y: f64,
}

impl<'a> Open<'a> {
    fn new(cell: &Cell, look: Look<'a>, face: &'a FontFace, (axis, y): (f64, f64), scale: f64) -> Self {
        let em = look.size * scale;
        let transform = match cell.pose {
            Pose::Upright => Affine::translate(axis, y),
            Pose::Turned => Affine::translate(axis - middle(face, cell) * em, y).then_inner(Affine::QUARTER_TURN),
            Pose::Together => {
                let narrow = if cell.natural > look.size { look.size / cell.natural } else { 1.0 };
                Affine::translate(axis, y).then_inner(Affine::scale(narrow, 1.0))
            }
        };
        let (glyphs, text) = (Vec::new(), String::new());
        let run = GlyphRun { font: cell.font, size: em as f32, fill: look.style.fill, transform, glyphs, text };
        Open { run, look, face, pose: cell.pose, cjk: cell.class.is_cjk(), y }
    }

    fn takes(&self, cell: &Cell, look: Look) -> bool {
        self.pose == cell.pose
            && self.pose != Pose::Together
            && self.cjk == cell.class.is_cjk()
            && self.run.font == cell.font
            && self.look.size == look.size
            && self.look.style.fill == look.style.fill
            && self.look.shift == look.shift
    }

    fn add(&mut self, cell: &Cell, glyphs: &[Shaped], text: &str, y: f64, scale: f64) {
        let start = self.run.text.len() as u32;
        self.run.text.push_str(text);
        let end = self.run.text.len() as u32;
        let baseline = (cell.width - self.look.spacing) / 2.0 + middle(self.face, cell) * self.look.size;
        let (x, down) = match self.pose {
            Pose::Turned => (y - self.y, 0.0),
            Pose::Upright | Pose::Together => (-cell.natural * scale / 2.0, y - self.y + baseline * scale),
        };
        for (number, glyph) in glyphs.iter().enumerate() {
            self.run.glyphs.push(Glyph {
                id: glyph.id,
                x: (x + glyph.x * scale) as f32,
                y: (down + glyph.y * scale) as f32,
                cluster: cluster(number, start, end),
            });
        }
    }
}

/// How far the middle of a cell's characters is above the baseline, as a share of the em.
fn middle(face: &FontFace, cell: &Cell) -> f64 {
    let han = face.han.filter(|_| cell.class.is_cjk());
    han.map_or(face.cap_height / 2.0, |han| han.middle)
}

/// The first glyph of a cell stands for its text.
const fn cluster(number: usize, start: u32, end: u32) -> Range<u32> {
    if number == 0 { start..end } else { end..end }
}

#[cfg(test)]
mod tests {
    use super::super::cell::Pose;
    use super::super::testing::*;
    use super::super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-4, "{a} is not {b}");
    }

    fn one(source: &str, families: &[&str]) -> Laid {
        let content = [Inline::Text { text: source.to_owned(), style: styled(families, 1.0) }];
        column(&FONTS, &content, 10.0, 5.0, Anchor::Start, Column::default())
    }

    fn length(laid: &Laid) -> f64 {
        laid.bounds[3] - laid.bounds[1]
    }

    #[test]
    fn characters_stand_on_a_pitch_of_one_em() {
        for families in [["Noto Sans CJK SC"], ["ZCOOL KuaiLe"]] {
            let laid = one("一二三", &families);
            near(length(&laid), 3.0);
            let ys: Vec<f32> = laid.runs[0].glyphs.iter().map(|glyph| glyph.y).collect();
            near(f64::from(ys[2] - ys[1]), 1.0);
            let advance = FONTS.face(laid.runs[0].font).han.unwrap().advance;
            near(f64::from(laid.runs[0].glyphs[0].x), -advance / 2.0);
            near(laid.runs[0].transform.e, 10.0);
        }
    }

    #[test]
    fn columns_run_from_right_to_left() {
        let frame = TextBox { x: 1.0, y: 2.0, h: 3.0, line_height: 1.5, ..wide(6.0) };
        let laid = columns(&FONTS, &[text("一二三四五六七八")], &frame, Western::Turned);
        assert_eq!(laid.lines, ["一二三", "四五六", "七八"]);
        near(laid.runs[0].transform.e, 7.0 - 0.75);
        near(laid.runs[1].transform.e, 7.0 - 2.25);
        near(laid.runs[0].transform.f, 2.0);
        assert!(laid.overflow.is_none());
    }

    #[test]
    fn the_rules_of_breaking_hold() {
        let frame = TextBox { h: 4.0, ..wide(20.0) };
        let laid = columns(&FONTS, &[text("一二三四。五六「七」八")], &frame, Western::Turned);
        assert_eq!(laid.lines, ["一二三", "四。五六", "「七」八"]);
    }

    #[test]
    fn words_are_turned_and_short_numbers_stand() {
        let laid = one("第12回card的7张", &["Noto Sans CJK SC"]);
        let run = |part: &str| laid.runs.iter().find(|run| run.text == part).unwrap();
        let two = run("12");
        assert_eq!((two.transform.b, two.transform.d), (0.0, 1.0));
        near(two.transform.a, 1.0 / 1.11);
        let word = run("card");
        assert_eq!((word.transform.a, word.transform.b, word.transform.c), (0.0, 1.0, -1.0));
        assert!(laid.runs.iter().any(|run| run.text.contains('7') && run.transform.b == 0.0));
    }

    #[test]
    fn words_may_stand_letter_below_letter() {
        let content = [text("卡card")];
        let setting = Column { western: Western::Upright, ..Column::default() };
        let laid = column(&FONTS, &content, 0.0, 0.0, Anchor::Start, setting);
        near(length(&laid), 5.25);
        assert!(laid.runs.iter().all(|run| run.transform.b == 0.0));
    }

    #[test]
    fn marks_take_their_vertical_forms() {
        let lines = line(&FONTS, &[text("一，（—")], 0.0, 0.0, Anchor::Start, Language::ZhHans);
        let laid = one("一，（—", &["Noto Sans CJK SC"]);
        let ids =
            |laid: &Laid| -> Vec<u16> { laid.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.id).collect() };
        let (lying, standing) = (ids(&lines), ids(&laid));
        assert_eq!(lying[0], standing[0]);
        assert!(lying[1..].iter().zip(&standing[1..]).all(|(a, b)| a != b), "{lying:?} {standing:?}");
    }

    #[test]
    fn marks_without_vertical_forms_are_turned() {
        let laid = one("一～二", &["ZCOOL KuaiLe"]);
        let turned: Vec<&str> =
            laid.runs.iter().filter(|run| run.transform.b == 1.0).map(|run| run.text.as_str()).collect();
        assert_eq!(turned, ["～"]);
    }

    #[test]
    fn commas_without_vertical_forms_move_to_the_upper_right() {
        let content = [text("，")];
        let flow = Flow::new(&content, Feeds::Break);
        let mut cells = shape::shape(&FONTS, &flow, Language::ZhHans, Writing::Lines);
        super::form(&FONTS, &flow, &mut cells.cells[0], &mut cells.glyphs);
        assert!(cells.glyphs[0].x > 0.4 && cells.glyphs[0].y == -0.5, "{:?}", cells.glyphs[0]);
        assert_eq!(cells.cells[0].pose, Pose::Upright);
    }

    #[test]
    fn two_dashes_take_two_em() {
        for families in [["Noto Sans CJK SC"], ["ZCOOL KuaiLe"]] {
            near(length(&one("一——二", &families)), 4.0);
            near(length(&one("一……二", &families)), 4.0);
        }
    }

    #[test]
    fn quotes_become_corner_brackets_and_keep_their_text() {
        let laid = one("说“好”", &["Noto Sans CJK SC"]);
        let corner = one("说『好』", &["Noto Sans CJK SC"]);
        let ids =
            |laid: &Laid| -> Vec<u16> { laid.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.id).collect() };
        assert_eq!(ids(&laid), ids(&corner));
        assert_eq!(laid.lines, ["说“好”"]);
    }

    #[test]
    fn punctuation_is_compressed_here_too() {
        near(length(&one("一。」二", &["Noto Sans CJK SC"])), 3.5);
        near(length(&one("一。", &["Noto Sans CJK SC"])), 1.5);
        near(length(&one("一！", &["Noto Sans CJK SC"])), 2.0);
    }

    #[test]
    fn icons_stay_inside_the_column() {
        let icon = Inline::Icon { name: "a".to_owned(), aspect: 2.0, style: style(1.0) };
        let laid = column(&FONTS, &[text("一"), icon], 10.0, 0.0, Anchor::Start, Column::default());
        near(laid.icons[0].x, 9.5);
        near(laid.icons[0].w, 1.0);
        near(laid.icons[0].h, 0.5);
    }

    #[test]
    fn columns_shrink_in_both_directions() {
        let frame = TextBox { h: 5.0, min_size: Some(0.5), line_height: 1.0, ..wide(1.8) };
        let laid = columns(&FONTS, &[text("一二三四五六七八九十")], &frame, Western::Turned);
        assert_eq!(laid.lines.len(), 2);
        near(laid.scale, 0.9);
        let frame = TextBox { min_size: None, ..frame };
        let over = columns(&FONTS, &[text("一二三四五六七八九十")], &frame, Western::Turned).overflow.unwrap();
        near(over.width, 0.2);
        assert_eq!((over.height, over.characters), (0.0, 5));
    }
}
