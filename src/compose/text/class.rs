//! Character classes: what a character is to a typesetter, as far as breaking, spacing and the choice of a face ask.

/// What a character is to a typesetter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Han, kana, bopomofo and full-width letters and digits: one em each, broken anywhere.
    Han,
    /// Letters of scripts that write words.
    Letter,
    /// Western digits.
    Digit,
    /// Signs that go with numbers: `+`, `−`, `%`.
    Sign,
    /// Western punctuation.
    Mark,
    /// Full-width opening brackets and quotes; never at a line's end.
    Open,
    /// Full-width closing brackets and quotes; never at a line's start.
    Close,
    /// Full-width commas and stops; never at a line's start.
    Stop,
    /// Dashes, ellipses, middle dots between Han characters; never at a line's start.
    Link,
    /// A space.
    Space,
    /// A soft hyphen: nothing inside a line, a hyphen at its end.
    Hyphen,
    /// Symbols, arrows, emoji.
    Symbol,
    /// An icon.
    Icon,
    /// Combining marks and joiners: they belong to the character before them.
    Inherit,
}

impl Class {
    /// Whether shaping takes it together with Han characters.
    pub(super) const fn is_cjk(self) -> bool {
        matches!(self, Class::Han | Class::Open | Class::Close | Class::Stop | Class::Link)
    }

    /// Whether it is full-width punctuation.
    pub(super) const fn is_wide_punctuation(self) -> bool {
        matches!(self, Class::Open | Class::Close | Class::Stop | Class::Link)
    }

    /// Whether it is part of Western words and numbers, for the gap to Han characters.
    pub(super) const fn is_western(self) -> bool {
        matches!(self, Class::Letter | Class::Digit | Class::Sign)
    }

    /// Whether it counts as a character where a line must not hold a single one.
    pub(super) const fn is_content(self) -> bool {
        !matches!(self, Class::Space | Class::Inherit | Class::Mark | Class::Hyphen) && !self.is_wide_punctuation()
    }
}

/// Stands in the text for an icon.
pub(super) const ICON: char = '\u{FFFC}';

/// Whether a character only selects how the one before it looks. Faces are not asked for these.
pub(super) const fn is_selector(character: char) -> bool {
    matches!(character, '\u{FE0E}' | '\u{FE0F}')
}

/// The classes of a text's characters, in order, with the ambiguous ones decided by what stands beside them.
pub(super) fn classes(text: &str) -> Vec<(usize, Class)> {
    let mut classes: Vec<(usize, Class)> = Vec::with_capacity(text.len() / 2);
    let mut ambiguous = false;
    let (mut joined, mut flag) = (false, false);
    for (at, character) in text.char_indices() {
        let indicator = matches!(character, '\u{1F1E6}'..='\u{1F1FF}');
        let inherits = joined || (indicator && flag) || is_inherited(character);
        flag = indicator && !inherits;
        joined = character == '\u{200D}';
        ambiguous |= is_ambiguous(character);
        let first = classes.is_empty();
        classes.push((at, if inherits && !first { Class::Inherit } else { alone(character) }));
    }
    if ambiguous {
        resolve(text, &mut classes);
    }
    classes
}

/// Quotes, dashes, dots and ellipses are full-width beside Han characters and Western elsewhere. A pair of quotes is of one kind.
fn resolve(text: &str, classes: &mut [(usize, Class)]) {
    let characters: Vec<char> = text.chars().collect();
    let mut open: Vec<usize> = Vec::new();
    let mut straight = None;
    for at in 0..classes.len() {
        let character = characters[at];
        if !is_ambiguous(character) || classes[at].1 == Class::Inherit {
            continue;
        }
        let cjk = beside_cjk(&characters, classes, at);
        let letter =
            |at: Option<usize>| at.and_then(|at| classes.get(at)).is_some_and(|(_, class)| *class == Class::Letter);
        let single = open.iter().rposition(|at| characters[*at] == '‘');
        let inside_word = letter(at.checked_sub(1)) && (letter(Some(at + 1)) || single.is_none());
        let apostrophe = character == '’' && !cjk && inside_word;
        match character {
            // Straight quotes open and close in turn.
            '"' => match straight.take() {
                None => straight = Some(at),
                Some(partner) => {
                    if cjk || classes[partner].1 == Class::Open {
                        classes[partner].1 = Class::Open;
                        classes[at].1 = Class::Close;
                    }
                    continue;
                }
            },
            '“' | '‘' => open.push(at),
            '”' | '’' if !apostrophe => {
                let double = open.iter().rposition(|at| characters[*at] == '“');
                let place = if character == '”' { double } else { single };
                let partner = place.and_then(|place| open.drain(place..).next());
                if let Some(partner) = partner
                    && (cjk || classes[partner].1 == Class::Open)
                {
                    classes[partner].1 = Class::Open;
                    classes[at].1 = Class::Close;
                    continue;
                }
            }
            _ => {}
        }
        if cjk {
            classes[at].1 = match character {
                '“' | '‘' | '"' => Class::Open,
                '”' | '’' => Class::Close,
                _ => Class::Link,
            };
        }
    }
}

/// Whether the nearest decided character before or after the ambiguous one at `at` is Han or full-width punctuation.
fn beside_cjk(characters: &[char], classes: &[(usize, Class)], at: usize) -> bool {
    const REACH: usize = 6; // bounds the work on endless rows of quotes
    let skipped = |i: &usize| is_ambiguous(characters[*i]) || matches!(classes[*i].1, Class::Space | Class::Inherit);
    let before = (at.saturating_sub(REACH)..at).rev().find(|i| !skipped(i));
    let after = (at + 1..classes.len().min(at + 1 + REACH)).find(|i| !skipped(i));
    // The direct neighbour decides for what stands inside a Western word or number: `don’t`, `2—3`.
    let western = |i: Option<usize>| i.is_some_and(|i| classes[i].1.is_western());
    let cjk = |i: Option<usize>| i.is_some_and(|i| classes[i].1.is_cjk());
    if matches!(characters[at], '’' | '·' | '–')
        && western(at.checked_sub(1))
        && western(Some(at + 1).filter(|i| *i < classes.len()))
    {
        return false;
    }
    cjk(before) || cjk(after)
}

/// Whether a character is a Han character, a kana or full-width punctuation, whatever stands beside it.
pub(super) fn is_wide(character: char) -> bool {
    alone(character).is_cjk()
}

/// Characters that are full-width in Chinese text and narrow in Western text.
pub(super) const fn is_ambiguous(character: char) -> bool {
    matches!(character, '“' | '”' | '‘' | '’' | '—' | '―' | '–' | '…' | '⋯' | '‥' | '·' | '‧' | '"')
}

/// The class of a character on its own; ambiguous ones count as Western.
fn alone(character: char) -> Class {
    match character {
        ' ' | '\u{A0}' | '\u{2002}'..='\u{200A}' | '\u{202F}' | '\u{3000}' | '\u{200B}' => Class::Space,
        '\u{AD}' => Class::Hyphen,
        '0'..='9' => Class::Digit,
        '+' | '-' | '%' | '$' | '#' | '@' | '&' | '=' | '<' | '>' | '~' => Class::Sign,
        '±' | '×' | '÷' | '°' | '£' | '¥' | '€' | '‰' | '−' | '≤' | '≥' | '≈' | '≠' | '℃' | '℉' | '№' => {
            Class::Sign
        }
        ICON => Class::Icon,
        '「' | '『' | '（' | '〔' | '【' | '《' | '〈' | '〖' | '〘' | '〚' | '〝' | '［' | '｛' | '｟' | '｢' => {
            Class::Open
        }
        '」' | '』' | '）' | '〕' | '】' | '》' | '〉' | '〗' | '〙' | '〛' | '〞' | '〟' | '］' | '｝' | '｠'
        | '｣' => Class::Close,
        '、' | '，' | '；' | '：' | '。' | '！' | '？' | '．' | '｡' | '､' => Class::Stop,
        '・' | '～' | '〜' | '⸺' | '／' => Class::Link,
        _ if is_han(character) => Class::Han,
        _ if is_ambiguous(character) || character.is_ascii_punctuation() => Class::Mark,
        '¡' | '¿' | '«' | '»' | '‹' | '›' | '†' | '‡' | '•' | '\u{2010}'..='\u{2015}' => Class::Mark,
        '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '〒' | '〓' | '〠' | '※' => Class::Symbol,
        '\u{E000}'..='\u{F8FF}' => Class::Symbol,
        _ => Class::Letter,
    }
}

const fn is_han(character: char) -> bool {
    matches!(character,
        '\u{2E80}'..='\u{2FDF}' | '々'..='〇' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}' | '\u{3038}'..='\u{303C}'
        | '\u{3041}'..='\u{3098}' | '\u{309B}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}' | '\u{3200}'..='\u{33FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '％' | '＋' | '－' | '＝' | '＆' | '＃' | '＠' | '￥'
        | '\u{FF66}'..='\u{FF9F}' | '\u{1B000}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFF}')
}

const fn is_inherited(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{64B}'..='\u{65F}'
        | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{200C}'..='\u{200D}' | '\u{20D0}'..='\u{20FF}'
        | '\u{302A}'..='\u{302F}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
        | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Class> {
        classes(text).into_iter().map(|(_, class)| class).collect()
    }

    #[test]
    fn quotes_follow_their_neighbours() {
        use Class::{Close, Han, Letter, Mark, Open, Space, Stop};
        assert_eq!(of("说“a”。"), [Han, Open, Letter, Close, Stop]);
        assert_eq!(of("“a”"), [Mark, Letter, Mark]);
        assert_eq!(of("a’s"), [Letter, Mark, Letter]);
        assert_eq!(of("“a 字”"), [Open, Letter, Space, Han, Close]);
        let nested = [Stop, Open, Letter, Mark, Letter, Space, Mark, Letter, Mark, Space, Letter, Close, Han];
        assert_eq!(of("：“a’s ‘b’ c”字"), nested);
    }

    #[test]
    fn straight_quotes_open_and_close_in_turn() {
        use Class::{Close, Han, Letter, Mark, Open};
        assert_eq!(of("说\"好\"吧"), [Han, Open, Han, Close, Han]);
        assert_eq!(of("\"a\""), [Mark, Letter, Mark]);
    }

    #[test]
    fn sequences_are_one_character() {
        use Class::{Inherit, Symbol};
        assert_eq!(of("👨\u{200D}👩"), [Symbol, Inherit, Inherit]);
        assert_eq!(of("🇨🇳🇯🇵"), [Symbol, Inherit, Symbol, Inherit]);
        assert_eq!(of("★\u{FE0F}"), [Symbol, Inherit]);
    }
}
