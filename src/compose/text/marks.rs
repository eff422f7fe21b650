//! Finds the marks of rich text and decides which of them open and close.

use super::class::{Class, classes, is_selector};
use super::rich::{Fault, What};
use crate::compose::face::Colour;

/// How far to look for the end of a colour, in bytes.
const LONGEST_COLOUR: usize = 32;

/// The most marks that may be open at once; what is opened beyond prints as typed.
const DEEPEST: usize = 64;

/// A mark of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
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
pub(super) enum Kind {
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
pub(super) struct Token {
    /// Where it starts in the text.
    pub(super) at: usize,
    /// Its bytes.
    pub(super) len: usize,
    /// What it is.
    pub(super) kind: Kind,
}

/// Everything in `text` that is not plain, in order.
pub(super) fn tokens(text: &str, known_icon: &dyn Fn(&str) -> Option<f64>) -> Vec<Token> {
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
    let len = value.bytes().take(LONGEST_COLOUR).position(|byte| byte == b')')?;
    if value[..len].contains('\n') {
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
pub(super) fn match_marks(text: &str, tokens: &mut [Token]) -> Vec<Fault> {
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
