//! Rich text: plain text with a few marks becomes inlines.
//!
//! | mark | becomes |
//! |---|---|
//! | `**bold**` | text in the bold faces |
//! | `*emphasis*` | Han characters with emphasis dots, Western text in the bold faces |
//! | `[text](#c00)` | text in that colour: `#rgb`, `#rrggbb` or `#rrggbbaa` |
//! | `{name}` | the icon of that name |
//! | an emoji | the icon of that name, where there is one; text where not |
//! | `\*` `\{` `\[` `\\` ... | the character itself |
//!
//! Marks nest. Whatever is no mark prints as typed: `2 * 3`, `[行动]`, a lone `}`. A mark that is opened and not closed is a fault
//! and prints as typed as well; it touches nothing but itself.

use super::marks::{Kind, Mark, Token, match_marks, tokens};
use super::{Inline, Style};
use crate::compose::face::Colour;

/// Rich text that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rich {
    /// Text and icons.
    pub content: Vec<Inline>,
    /// What is wrong with the marks, in order.
    pub faults: Vec<Fault>,
}

/// Something wrong with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte of the text at which the mark starts.
    pub at: usize,
    /// What is wrong.
    pub what: What,
}

/// What is wrong with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It is opened and never closed: `**`, `*`, `{`.
    Unclosed(&'static str),
    /// It closes what was not opened, or opens before a space: `**`.
    Stray(&'static str),
    /// There is no icon of this name.
    UnknownIcon(String),
    /// This is no colour.
    BadColour(String),
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            What::Unclosed(mark) => write!(f, "`{mark}` is opened and not closed; write `\\{mark}` to print it"),
            What::Stray(mark) => write!(f, "`{mark}` opens nothing and closes nothing; write `\\{mark}` to print it"),
            What::UnknownIcon(name) => write!(f, "there is no icon `{name}`"),
            What::BadColour(colour) => write!(f, "`{colour}` is no colour; write #rgb, #rrggbb or #rrggbbaa"),
        }
    }
}

/// Reads the marks of `text`. `known_icon` answers with the aspect (width by height) of the icon of that name, if there is one;
/// names come without U+FE0F.
pub fn rich(text: &str, style: &Style, known_icon: &dyn Fn(&str) -> Option<f64>) -> Rich {
    let mut tokens = tokens(text, known_icon);
    let mut faults = match_marks(text, &mut tokens);
    let content = inlines(text, style, &tokens);
    faults.sort_by_key(|fault| fault.at);
    Rich { content, faults }
}

/// The text between the tokens in the styles that they say.
fn inlines(text: &str, style: &Style, tokens: &[Token]) -> Vec<Inline> {
    let mut writer = Writer { style, marks: Vec::new(), text: String::new(), content: Vec::new() };
    let mut from = 0;
    for token in tokens {
        let end = token.at + token.len;
        let written = &text[token.at..end];
        writer.text.push_str(&text[from..token.at]);
        from = end;
        match &token.kind {
            Kind::Icon { name, aspect } => writer.icon(name, *aspect),
            Kind::Escaped => writer.text.push_str(&written[1..]),
            Kind::Open(mark, colour) => writer.open(*mark, *colour),
            Kind::Close(_) => writer.close(),
            _ => writer.text.push_str(written),
        }
    }
    writer.text.push_str(&text[from..]);
    writer.flush();
    writer.content
}

struct Writer<'a> {
    style: &'a Style,
    marks: Vec<(Mark, Option<Colour>)>,
    text: String,
    content: Vec<Inline>,
}

impl Writer<'_> {
    fn open(&mut self, mark: Mark, colour: Option<Colour>) {
        self.flush();
        self.marks.push((mark, colour));
    }

    fn close(&mut self) {
        self.flush();
        self.marks.pop();
    }

    fn icon(&mut self, name: &str, aspect: f64) {
        self.flush();
        self.content.push(Inline::Icon { name: name.to_owned(), aspect, style: self.now() });
    }

    /// The style that all open marks make together.
    fn now(&self) -> Style {
        let mut style = self.style.clone();
        if self.has(Mark::Bold) && !style.bold.is_empty() {
            style.fonts.clone_from(&style.bold);
        }
        if let Some(colour) = self.marks.iter().rev().find_map(|(_, colour)| *colour) {
            style.fill = Colour { opacity: colour.opacity * style.fill.opacity, ..colour };
        }
        style
    }

    fn has(&self, mark: Mark) -> bool {
        self.marks.iter().any(|(other, _)| *other == mark)
    }

    fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let (text, style) = (std::mem::take(&mut self.text), self.now());
        let emphasis = self.has(Mark::Emphasis);
        self.content.push(if emphasis { Inline::Emphasis { text, style } } else { Inline::Text { text, style } });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Rich {
        let known = |name: &str| matches!(name, "music" | "🎵" | "👨\u{200D}👩" | "1\u{20E3}").then_some(1.5);
        rich(text, &style(1.0), &known)
    }

    /// The content in a short form: `b(...)` bold, `e(...)` emphasis, `#rrggbb(...)` colour, `<name>` icon.
    fn short(text: &str) -> String {
        read(text).content.iter().map(shorten).collect()
    }

    fn shorten(inline: &Inline) -> String {
        let plain = style(1.0);
        let (mut short, style) = match inline {
            Inline::Text { text, style } => (text.clone(), style),
            Inline::Emphasis { text, style } => (format!("e({text})"), style),
            Inline::Icon { name, style, .. } => (format!("<{name}>"), style),
        };
        if style.fonts == plain.bold {
            short = format!("b({short})");
        }
        if style.fill != plain.fill {
            short = format!("#{:02x}{:02x}{:02x}({short})", style.fill.r, style.fill.g, style.fill.b);
        }
        short
    }

    fn faults(text: &str) -> Vec<(usize, What)> {
        read(text).faults.into_iter().map(|fault| (fault.at, fault.what)).collect()
    }

    #[test]
    fn marks_become_styles() {
        assert_eq!(short("一**二**三*四*五"), "一b(二)三e(四)五");
        assert_eq!(short("**二。**三"), "b(二。)三");
        assert_eq!(short("**a *b* c**"), "b(a )b(e(b))b( c)");
        assert_eq!(short("***a***"), "b(e(a))");
        assert_eq!(short("一***二***三"), "一b(e(二))三");
        assert_eq!(short("*一**二***三"), "e(一)b(e(二))三");
        assert_eq!(short("[红](#c00)的[蓝](#0000FF80)"), "#cc0000(红)的#0000ff(蓝)");
        assert_eq!(short("[**红**{music}](#c00)"), "#cc0000(b(红))#cc0000(<music>)");
        assert!(read("**a** *b* [c](#123456) {music}").faults.is_empty());
    }

    #[test]
    fn icons_are_found() {
        assert_eq!(short("得{music}🎵\u{FE0F}和🎭"), "得<music><🎵>和🎭");
        assert_eq!(short("👨\u{200D}👩1\u{FE0F}\u{20E3}👨"), "<👨\u{200D}👩><1\u{20E3}>👨");
        assert_eq!(short("{🎵\u{FE0F}}"), "<🎵>");
        assert_eq!(faults("得{nope}分"), [(3, What::UnknownIcon("nope".to_owned()))]);
        assert_eq!(short("得{nope}分"), "得{nope}分");
    }

    #[test]
    fn what_is_no_mark_prints_as_typed() {
        for text in ["2 * 3 * 4", "[行动] 抽牌", "a & b <c>", "}", "{}", "a] (b)", "C:\\dir", "*", "注*"] {
            assert_eq!((short(text).as_str(), faults(text).len()), (text, 0), "{text}");
        }
    }

    #[test]
    fn backslashes_take_marks_away() {
        assert_eq!(short("\\*\\*a\\* \\{music\\} \\[a\\](#c00) \\\\ \\n"), "**a* {music} [a](#c00) \\ \\n");
    }

    #[test]
    fn an_unclosed_mark_is_a_fault_and_touches_nothing_else() {
        assert_eq!(short("一**二*三*"), "一**二e(三)");
        assert_eq!(faults("一**二*三*"), [(3, What::Unclosed("**"))]);
        assert_eq!(short("**一*二**三"), "b(一*二)三");
        assert_eq!(faults("**一*二**三"), [(5, What::Unclosed("*"))]);
        assert_eq!(short("{music 二{music}"), "{music 二<music>");
        assert_eq!(faults("{music 二{music}"), [(0, What::Unclosed("{"))]);
        assert_eq!(faults("a ** b"), [(2, What::Stray("**"))]);
    }

    #[test]
    fn a_bad_colour_is_told() {
        assert_eq!(short("[a](#c)b"), "ab");
        assert_eq!(faults("[a](#c)b"), [(2, What::BadColour("#c".to_owned()))]);
    }

    #[test]
    fn endless_marks_have_an_answer() {
        for mark in ["*", "**a", "[", "](#", "{", "\\", "*a", "🎵"] {
            let rich = read(&mark.repeat(5_000));
            assert!(rich.faults.len() <= 5_000, "{mark}");
        }
    }

    proptest! {
        #[test]
        fn anything_is_read(text in "[*\\[\\]{}()#\\\\a1 一，🎵\u{FE0F}\u{200D}]{0,40}") {
            let rich = read(&text);
            prop_assert!(rich.faults.iter().all(|fault| text.is_char_boundary(fault.at)));
            let kept: usize = rich.content.iter().map(|inline| shorten(inline).chars().filter(|c| matches!(c, '一' | '，')).count()).sum();
            prop_assert_eq!(kept, text.chars().filter(|c| matches!(c, '一' | '，')).count());
        }

        #[test]
        fn text_without_marks_stays_one_piece(text in "[a-z一二三 &<>，。]{1,30}") {
            prop_assert_eq!(short(&text), text);
        }
    }
}
