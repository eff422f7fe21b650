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

use super::class::{Class, classes, is_selector};
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

/// The most marks that may be open at once; what is opened beyond prints as typed.
const DEEPEST: usize = 64;

/// A mark of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Bold,
    Emphasis,
    Colour,
}

impl Mark {
    const fn written(self) -> &'static str {
        match self {
            Mark::Bold => "**",
            Mark::Emphasis => "*",
            Mark::Colour => "[",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// A `*` or `**` that may open, close, or both.
    Star {
        opens: bool,
        closes: bool,
    },
    /// `[`.
    Bracket,
    /// `](#...)`.
    ColourEnd(Option<Colour>),
    Icon {
        name: String,
        aspect: f64,
    },
    UnknownIcon(String),
    UnclosedIcon,
    /// What is printed instead of the backslash and its character.
    Escaped,
    /// Decided: a mark begins; a colour with its value.
    Open(Mark, Option<Colour>),
    /// Decided: a mark ends.
    Close(Mark),
    /// Decided: printed as typed.
    Plain,
}

#[derive(Clone, Debug, PartialEq)]
struct Token {
    at: usize,
    len: usize,
    kind: Kind,
}

/// Everything in `text` that is not plain, in order.
fn tokens(text: &str, known_icon: &dyn Fn(&str) -> Option<f64>) -> Vec<Token> {
    let mut tokens = emoji(text, known_icon);
    let mut at = 0;
    while let Some(found) = text[at..].find(['*', '[', ']', '{', '\\']) {
        at += found;
        let token = match text.as_bytes()[at] {
            b'*' => stars(text, at, &mut tokens),
            b'[' => Some(Token { at, len: 1, kind: Kind::Bracket }),
            b']' => colour_end(text, at),
            b'{' => icon(text, at, known_icon),
            _ => escape(text, at),
        };
        match token {
            Some(token) => {
                at += token.len;
                tokens.push(token);
            }
            None => at += text[at..].bytes().take_while(|byte| *byte == b'*').count().max(1),
        }
    }
    tokens.sort_by_key(|token| token.at);
    // An emoji inside braces or behind a backslash belongs to those.
    let mut end = 0;
    tokens.retain(|token| {
        let free = token.at >= end;
        end = if free { token.at + token.len } else { end };
        free
    });
    tokens
}

/// A row of stars. Whether they open or close depends on the spaces around the row.
fn stars(text: &str, at: usize, tokens: &mut Vec<Token>) -> Option<Token> {
    let count = text[at..].bytes().take_while(|byte| *byte == b'*').count();
    let opens = text[at + count..].chars().next().is_some_and(|next| !next.is_whitespace());
    let closes = text[..at].chars().next_back().is_some_and(|before| !before.is_whitespace());
    let row = (0..count).map(|n| Token { at: at + n, len: 1, kind: Kind::Star { opens, closes } });
    tokens.extend(row);
    None
}

/// `](#c00)`.
fn colour_end(text: &str, at: usize) -> Option<Token> {
    let value = text[at..].strip_prefix("](#")?;
    let len = value.find(')')?;
    if len > 32 || value[..len].contains('\n') {
        return None;
    }
    Some(Token { at, len: "](#)".len() + len, kind: Kind::ColourEnd(colour(&value[..len])) })
}

/// `c00`, `cc0000` or `cc0000ff`.
fn colour(hex: &str) -> Option<Colour> {
    if !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(hex, 16).ok()?;
    let byte = |shift: u32| (number >> shift & 0xFF) as u8;
    let nibble = |shift: u32| (number >> shift & 0xF) as u8 * 17;
    match hex.len() {
        3 => Some(Colour { r: nibble(8), g: nibble(4), b: nibble(0), opacity: 1.0 }),
        6 => Some(Colour { r: byte(16), g: byte(8), b: byte(0), opacity: 1.0 }),
        8 => Some(Colour { r: byte(24), g: byte(16), b: byte(8), opacity: f32::from(byte(0)) / 255.0 }),
        _ => None,
    }
}

/// `{name}`.
fn icon(text: &str, at: usize, known_icon: &dyn Fn(&str) -> Option<f64>) -> Option<Token> {
    let inside = &text[at + 1..];
    let Some(len) = inside.find(['{', '}', '\n']).filter(|len| inside[*len..].starts_with('}')) else {
        return Some(Token { at, len: 1, kind: Kind::UnclosedIcon });
    };
    let name = plain_name(&inside[..len]);
    let kind = match known_icon(&name) {
        _ if name.is_empty() => Kind::Plain,
        Some(aspect) => Kind::Icon { name, aspect },
        None => Kind::UnknownIcon(name),
    };
    Some(Token { at, len: len + 2, kind })
}

/// `\*`: a backslash before a mark or a backslash. Before anything else it is itself.
fn escape(text: &str, at: usize) -> Option<Token> {
    let next = *text.as_bytes().get(at + 1)?;
    let is_mark = matches!(next, b'*' | b'[' | b']' | b'{' | b'}' | b'\\');
    is_mark.then_some(Token { at, len: 2, kind: Kind::Escaped })
}

/// Emoji that are known as icons.
fn emoji(text: &str, known_icon: &dyn Fn(&str) -> Option<f64>) -> Vec<Token> {
    if text.is_ascii() {
        return Vec::new();
    }
    let classes = classes(text);
    let mut tokens = Vec::new();
    let mut number = 0;
    while let Some(&(at, class)) = classes.get(number) {
        number += 1;
        while classes.get(number).is_some_and(|(_, class)| *class == Class::Inherit) {
            number += 1;
        }
        let end = classes.get(number).map_or(text.len(), |(at, _)| *at);
        let cluster = &text[at..end];
        if class == Class::Symbol || cluster.ends_with('\u{20E3}') {
            let name = plain_name(cluster);
            if let Some(aspect) = known_icon(&name) {
                tokens.push(Token { at, len: end - at, kind: Kind::Icon { name, aspect } });
            }
        }
    }
    tokens
}

fn plain_name(name: &str) -> String {
    name.trim().chars().filter(|character| !is_selector(*character)).collect()
}

/// Decides which tokens open and close marks, and which are plain. Returns the faults.
fn match_marks(text: &str, tokens: &mut [Token]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut open: Vec<(Mark, usize)> = Vec::new();
    for number in 0..tokens.len() {
        let at = tokens[number].at;
        match tokens[number].kind.clone() {
            Kind::Star { opens, closes } => {
                let left = row(&tokens[number..]);
                let closing = closing(left, &open);
                if closes && open.iter().any(|(mark, _)| *mark == closing) {
                    take(tokens, number, closing);
                    close(closing, number, None, &mut open, tokens, &mut faults);
                } else {
                    let mark = if left >= 2 { Mark::Bold } else { Mark::Emphasis };
                    take(tokens, number, mark);
                    if opens && open.len() < DEEPEST {
                        open.push((mark, number));
                    } else {
                        tokens[number].kind = Kind::Plain;
                        // A lone star is a sign of multiplication or of a note.
                        faults.extend((mark == Mark::Bold).then_some(Fault { at, what: What::Stray("**") }));
                    }
                }
            }
            Kind::Bracket if open.len() < DEEPEST => open.push((Mark::Colour, number)),
            Kind::Bracket => tokens[number].kind = Kind::Plain,
            Kind::ColourEnd(colour) if open.iter().any(|(mark, _)| *mark == Mark::Colour) => {
                let written = &text[at + 2..at + tokens[number].len - 1];
                let bad = || Fault { at, what: What::BadColour(written.to_owned()) };
                faults.extend(colour.is_none().then(bad));
                close(Mark::Colour, number, colour, &mut open, tokens, &mut faults);
            }
            Kind::ColourEnd(_) => tokens[number].kind = Kind::Plain,
            Kind::UnclosedIcon => faults.push(Fault { at, what: What::Unclosed("{") }),
            Kind::UnknownIcon(name) => faults.push(Fault { at, what: What::UnknownIcon(name) }),
            Kind::Icon { .. } | Kind::Escaped | Kind::Plain | Kind::Open(..) | Kind::Close(_) => {}
        }
    }
    abandon(open, tokens, &mut faults);
    faults
}

/// How many stars of the same row are left, up to three.
fn row(tokens: &[Token]) -> usize {
    let next = |(n, token): &(usize, &Token)| matches!(token.kind, Kind::Star { .. }) && token.at == tokens[0].at + n;
    tokens.iter().take(3).enumerate().take_while(next).count()
}

/// What a row with `left` stars would close: three and more first what was opened last.
fn closing(left: usize, open: &[(Mark, usize)]) -> Mark {
    let last = open.iter().rev().map(|(mark, _)| *mark).find(|mark| *mark != Mark::Colour);
    match (left, last) {
        (1, _) => Mark::Emphasis,
        (2, _) | (_, None) => Mark::Bold,
        (_, Some(mark)) => mark,
    }
}

/// Makes the star at `number` a whole mark: `**` takes the next star in.
fn take(tokens: &mut [Token], number: usize, mark: Mark) {
    if mark == Mark::Bold {
        let end = tokens[number].at + 2;
        tokens[number].len = 2;
        tokens[number + 1] = Token { at: end, len: 0, kind: Kind::Plain };
    }
}

/// Closes the last open `mark`; marks opened since then are left unclosed.
fn close(
    mark: Mark,
    number: usize,
    colour: Option<Colour>,
    open: &mut Vec<(Mark, usize)>,
    tokens: &mut [Token],
    faults: &mut Vec<Fault>,
) {
    let Some(place) = open.iter().rposition(|(other, _)| *other == mark) else { return };
    abandon(open.split_off(place + 1), tokens, faults);
    let Some((_, opener)) = open.pop() else { return };
    tokens[opener].kind = Kind::Open(mark, colour);
    tokens[number].kind = Kind::Close(mark);
}

/// Makes opened marks plain. A bracket that is no colour is just a bracket.
fn abandon(open: Vec<(Mark, usize)>, tokens: &mut [Token], faults: &mut Vec<Fault>) {
    for (mark, number) in open {
        tokens[number].kind = Kind::Plain;
        if mark != Mark::Colour {
            faults.push(Fault { at: tokens[number].at, what: What::Unclosed(mark.written()) });
        }
    }
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
