//! Where lines may end: Unicode line breaking (UAX #14), tailored by the basic set of CLREQ.
//!
//! - `、，；：。！？」』）〕】》〉”’～·—…` never start a line, `「『（〔【《〈“‘` never end one; `——` and `……` are whole.
//! - Between full-width punctuation and what follows or precedes it a line may end, also where UAX #14 sees a quote or a sign.
//! - A sign stays with its number (`+1`, `×2`, `50%`), a number with its unit (`63 mm`, `5点`), both ends of a range (`2–4`) and a
//!   fraction with each other. A number with a Han measure word is not in CLREQ; tearing `2|张` apart still reads badly on a card.
//! - An icon stays with the word, number or sign it touches; between two Han characters it stays with the one before it.

use std::sync::LazyLock;

use icu_segmenter::options::{LineBreakOptions, LineBreakStrictness};
use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed};

use super::cell::{Break, Cell, Cells};
use super::class::{Class, is_selector};

static SEGMENTER: LazyLock<LineSegmenterBorrowed<'static>> = LazyLock::new(|| {
    let mut options = LineBreakOptions::default();
    options.strictness = Some(LineBreakStrictness::Strict);
    LineSegmenter::new_for_non_complex_scripts(options)
});

/// Units that are not torn from the number before them, with or without a space between.
const UNITS: [&str; 26] = [
    "mm", "cm", "dm", "m", "km", "in", "ft", "pt", "px", "mg", "g", "kg", "t", "ml", "l", "L", "s", "ms", "min", "h",
    "K", "Hz", "V", "W", "kB", "MB",
];

/// Han characters that count or measure and so stay with the number before them.
const MEASURES: &str =
    "点點张張枚颗顆个個次回轮輪回人名位级級层層格步分元年月日号號时時秒天夜页頁倍份组組对對局种種座座";

/// Says for every cell of `cells` how freely a line may end behind it. `text` is the flow's.
pub(super) fn mark(text: &str, cells: &mut Cells) {
    for paragraph in cells.paragraphs.clone() {
        let cells = &mut cells.cells[paragraph];
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { continue };
        let range = first.bytes.start..last.bytes.end;
        let mut opportunities = SEGMENTER.segment_str(&text[range.clone()]).map(|at| at + range.start).peekable();
        for at in 1..cells.len() {
            let place = cells[at].bytes.start;
            while opportunities.next_if(|opportunity| *opportunity < place).is_some() {}
            let unicode = opportunities.peek() == Some(&place);
            cells[at - 1].after = Boundary::new(text, cells, at).judge(unicode);
        }
        if let Some(last) = cells.last_mut() {
            last.after = Break::Allowed;
        }
    }
}

/// The place between two cells.
struct Boundary<'a> {
    text: &'a str,
    cells: &'a [Cell],
    /// The cell behind the boundary.
    at: usize,
    before: char,
    after: char,
}

impl<'a> Boundary<'a> {
    fn new(text: &'a str, cells: &'a [Cell], at: usize) -> Self {
        let before = text[cells[at - 1].bytes.clone()].chars().rev().find(|c| !is_selector(*c)).unwrap_or(' ');
        let after = text[cells[at].bytes.clone()].chars().next().unwrap_or(' ');
        Boundary { text, cells, at, before, after }
    }

    /// The class of the cell `by` places from the boundary; 0 is the one behind it, -1 the one before it.
    fn class(&self, by: isize) -> Class {
        self.at.checked_add_signed(by).and_then(|at| self.cells.get(at)).map_or(Class::Space, |cell| cell.class)
    }

    fn judge(&self, unicode: bool) -> Break {
        let (a, b) = (self.class(-1), self.class(0));
        if b == Class::Space || self.starts_no_line() || a == Class::Open {
            return Break::Forbidden;
        }
        if self.is_glued() {
            return Break::Glued;
        }
        if unicode || ((a.is_wide_punctuation() || b == Class::Open) && !self.is_held()) {
            return Break::Allowed;
        }
        let inside = |class: Class| class.is_western() || class == Class::Space || class == Class::Symbol;
        if inside(a) && inside(b) { Break::Word } else { Break::Forbidden }
    }

    fn starts_no_line(&self) -> bool {
        matches!(self.class(0), Class::Close | Class::Stop | Class::Link) || matches!(self.after, '々' | 'ー' | '％')
    }

    /// Whether UAX #14 forbids the break for a reason that full-width punctuation does not lift: joiners, Western punctuation.
    fn is_held(&self) -> bool {
        matches!(self.before, '\u{2060}' | '\u{A0}')
            || matches!(self.after, '\u{2060}')
            || (self.class(0) == Class::Mark && !self.opens())
    }

    /// Whether the Western mark behind the boundary opens something.
    const fn opens(&self) -> bool {
        matches!(self.after, '(' | '[' | '{' | '“' | '‘' | '"' | '\'' | '«')
    }

    fn is_glued(&self) -> bool {
        self.joins_number_and_unit() || self.joins_sign_and_number() || self.joins_range() || self.holds_icon()
    }

    fn joins_number_and_unit(&self) -> bool {
        match (self.class(-1), self.class(0)) {
            (Class::Digit, Class::Letter) => true,
            (Class::Digit, Class::Han) => MEASURES.contains(self.after),
            (Class::Space, Class::Han) => self.class(-2) == Class::Digit && MEASURES.contains(self.after),
            (Class::Space, Class::Letter) => self.class(-2) == Class::Digit && self.is_unit(),
            (Class::Space, Class::Icon) => self.class(-2) == Class::Digit,
            _ => false,
        }
    }

    /// Whether the word behind the boundary is a unit.
    fn is_unit(&self) -> bool {
        let word = self.cells[self.at..].iter().take(4).take_while(|cell| cell.class == Class::Letter);
        let end = word.map(|cell| cell.bytes.end).last();
        end.is_some_and(|end| UNITS.contains(&&self.text[self.cells[self.at].bytes.start..end]))
    }

    fn joins_sign_and_number(&self) -> bool {
        match (self.class(-1), self.class(0)) {
            (Class::Sign, Class::Digit | Class::Icon) => true,
            (Class::Digit | Class::Icon, Class::Sign) => true,
            // `+1/+1`
            (Class::Mark, Class::Sign) => self.before == '/',
            (Class::Mark, Class::Digit) => self.before == '/' && self.class(-2).is_western(),
            _ => false,
        }
    }

    /// `2–4`, `2～4`.
    fn joins_range(&self) -> bool {
        matches!(self.before, '–' | '—' | '～' | '~' | '-' | '：' | ':')
            && self.class(0) == Class::Digit
            && self.class(-2) == Class::Digit
    }

    fn holds_icon(&self) -> bool {
        match (self.class(-1), self.class(0)) {
            (Class::Icon, Class::Letter | Class::Digit) | (Class::Letter | Class::Digit, Class::Icon) => true,
            (Class::Han, Class::Icon) => !self.class(1).is_western(),
            // Before it is nothing that it could stay with.
            (Class::Icon, Class::Han) => {
                self.at < 2 || !matches!(self.class(-2), Class::Han | Class::Letter | Class::Digit | Class::Sign)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::flow::{Feeds, Flow};
    use super::super::testing::*;
    use super::super::{Language, Writing, measure};
    use super::*;

    /// `source` with `|` where a line may end and `_` where things belong together.
    fn marked(source: &str) -> String {
        let content = with_icons(source);
        let flow = Flow::new(&content, Feeds::Break);
        let cells = measure(&FONTS, &flow, Language::ZhHans, Writing::Lines);
        let mut marked = String::new();
        for cell in &cells.cells {
            marked.push_str(&flow.text[cell.bytes.clone()]);
            match cell.after {
                Break::Allowed => marked.push('|'),
                Break::Glued => marked.push('_'),
                Break::Word | Break::Forbidden => {}
            }
        }
        marked.pop();
        marked.replace('\u{FFFC}', "@")
    }

    #[test]
    fn closing_marks_start_no_line() {
        for mark in "、，；：。！？」』）〕】》〉”’～·—…".chars() {
            assert_eq!(marked(&format!("一{mark}二")), format!("一{mark}|二"), "{mark}");
        }
    }

    #[test]
    fn opening_marks_end_no_line() {
        for mark in "「『（〔【《〈“‘".chars() {
            assert_eq!(marked(&format!("一{mark}二")), format!("一|{mark}二"), "{mark}");
        }
    }

    #[test]
    fn punctuation_may_be_parted_from_what_follows() {
        assert_eq!(marked("好。“连”，+1。"), "好。|“连”，|+_1。");
        assert_eq!(marked("目标“甲”（乙）"), "目|标|“甲”|（乙）");
        assert_eq!(marked("说\"好\"吧"), "说|\"好\"|吧");
    }

    #[test]
    fn dashes_and_ellipses_are_whole() {
        assert_eq!(marked("一——二"), "一——|二");
        assert_eq!(marked("一……二"), "一……|二");
        assert_eq!(marked("——一"), "——|一");
    }

    #[test]
    fn numbers_keep_their_signs_and_units() {
        assert_eq!(marked("得+1"), "得|+_1");
        assert_eq!(marked("得−2"), "得|−_2");
        assert_eq!(marked("+1/+1"), "+_1/_+_1");
        assert_eq!(marked("63 mm宽"), "63 _mm|宽");
        assert_eq!(marked("63 men"), "63 |men");
        assert_eq!(marked("5点伤害"), "5_点|伤|害");
        assert_eq!(marked("抽2张牌"), "抽|2_张|牌");
        assert_eq!(marked("抽 2 张牌"), "抽 |2 _张|牌");
        assert_eq!(marked("共50%的"), "共|50_%|的");
        assert_eq!(marked("2–4人"), "2–_4_人");
        assert_eq!(marked("2～4甲"), "2～_4|甲");
        assert_eq!(marked("1,000.5"), "1,000.5");
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(marked("a card's well-known name"), "a |card's |well-|known |name");
        assert_eq!(marked("卡card牌"), "卡|card|牌");
        assert_eq!(marked("a\u{A0}b"), "a\u{A0}b");
    }

    #[test]
    fn icons_stay_with_what_they_touch() {
        assert_eq!(marked("得{a}分"), "得_@|分");
        assert_eq!(marked("得{a}+1"), "得|@_+_1");
        assert_eq!(marked("{a}社团"), "@_社|团");
        assert_eq!(marked("2{a}和3 {a}"), "2_@|和|3 _@");
        assert_eq!(marked("{a}{b}，{a}×2"), "@|@，|@_×_2");
        assert_eq!(marked("（{a}）"), "（@）");
    }

    #[test]
    fn soft_hyphens_are_places_to_break() {
        assert_eq!(marked("dis\u{AD}card"), "dis\u{AD}|card");
    }

    #[test]
    fn japanese_rules() {
        assert_eq!(marked("人々のカード、ちょっと"), "人々|の|カー|ド、|ちょっ|と");
    }
}
