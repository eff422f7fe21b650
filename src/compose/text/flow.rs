//! From inlines to one flat text: white space collapsed, line feeds counted, every byte's style and every icon's place known.

use std::ops::Range;

use super::class::{ICON, is_ambiguous, is_wide};
use super::{Inline, Style};

/// The largest em that is worth computing with, in millimetres; what is beyond counts as this.
const LARGEST: f64 = 10_000.0;

/// What a stretch of the flow looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    /// The style as given.
    pub(super) style: &'a Style,
    /// The em, with nonsense replaced.
    pub(super) size: f64,
    /// The letter spacing, with nonsense replaced.
    pub(super) spacing: f64,
    /// How far it is shifted to the right and down, with nonsense replaced.
    pub(super) shift: [f64; 2],
    /// Whether it is emphasised.
    pub(super) emphasis: bool,
}

/// An icon in the flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowIcon<'a> {
    /// Where its stand-in is in the text.
    pub(super) at: usize,
    /// Its name.
    pub(super) name: &'a str,
    /// Its width as a share of its height, with nonsense replaced.
    pub(super) aspect: f64,
}

/// Flat text with its looks.
#[derive(Debug, Default)]
pub(super) struct Flow<'a> {
    /// All text; no line feeds in it.
    pub(super) text: String,
    /// The looks, one an inline.
    pub(super) looks: Vec<Look<'a>>,
    /// Where each stretch of one look ends, and its look; in order.
    pub(super) stretches: Vec<(usize, usize)>,
    /// The icons, in order.
    pub(super) icons: Vec<FlowIcon<'a>>,
    /// The bytes of each paragraph, in order; blank ones are empty.
    pub(super) paragraphs: Vec<Range<usize>>,
}

/// What a line feed does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feeds {
    /// It ends the line.
    Break,
    /// It is a space.
    Join,
}

impl<'a> Flow<'a> {
    /// Flattens `content`.
    pub(super) fn new(content: &'a [Inline], feeds: Feeds) -> Self {
        let mut flow = Flow::default();
        let mut writer = Writer { start: 0, pending: None };
        for (number, inline) in content.iter().enumerate() {
            match inline {
                Inline::Text { text, style } | Inline::Emphasis { text, style } => {
                    flow.looks.push(Look::new(style, matches!(inline, Inline::Emphasis { .. })));
                    text.chars().for_each(|character| writer.write(&mut flow, character, number, feeds));
                }
                Inline::Icon { name, aspect, style } => {
                    flow.looks.push(Look::new(style, false));
                    writer.settle(&mut flow, ICON);
                    let aspect = if aspect.is_finite() { aspect.clamp(0.0, 100.0) } else { 1.0 };
                    flow.icons.push(FlowIcon { at: flow.text.len(), name, aspect });
                    flow.push(ICON, number);
                }
            }
        }
        writer.end(&mut flow);
        flow
    }

    /// The icon whose stand-in is at byte `at`.
    pub(super) fn icon(&self, at: usize) -> Option<&FlowIcon<'a>> {
        self.icons.get(self.icons.partition_point(|icon| icon.at < at)).filter(|icon| icon.at == at)
    }

    /// The largest em of all.
    pub(super) fn largest(&self) -> f64 {
        self.looks.iter().map(|look| look.size).fold(0.0, f64::max)
    }

    fn push(&mut self, character: char, look: usize) {
        self.text.push(character);
        match self.stretches.last_mut() {
            Some((end, last)) if *last == look => *end = self.text.len(),
            _ => self.stretches.push((self.text.len(), look)),
        }
    }
}

impl<'a> Look<'a> {
    fn new(style: &'a Style, emphasis: bool) -> Self {
        let size = if style.size > 0.0 { style.size.min(LARGEST) } else { 0.0 };
        let spacing = if style.letter_spacing.is_finite() { style.letter_spacing } else { 0.0 };
        // Negative spacing must leave the text going forward.
        let shift = style.shift.map(|by| if by.is_finite() { by.clamp(-LARGEST, LARGEST) } else { 0.0 });
        Look { style, size, spacing: spacing.clamp(-size / 4.0, LARGEST), shift, emphasis }
    }
}

/// Writes characters into the flow, one after the other.
struct Writer {
    /// Where the present paragraph starts.
    start: usize,
    /// White space that was read but not written.
    pending: Option<Blank>,
}

/// A row of white space.
#[derive(Clone, Copy)]
struct Blank {
    /// Its look.
    look: usize,
    /// Whether a line of text was continued here: Han characters go on without a space.
    continued: bool,
}

impl Writer {
    fn write(&mut self, flow: &mut Flow, character: char, look: usize, feeds: Feeds) {
        match character {
            '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' if feeds == Feeds::Break => self.feed(flow),
            '\r' | '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                self.pending = Some(Blank { look, continued: true });
            }
            ' ' | '\t' => {
                let continued = self.pending.is_some_and(|blank| blank.continued);
                self.pending = Some(Blank { look, continued });
            }
            ICON | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' => {}
            _ if character.is_control() => {}
            _ => {
                self.settle(flow, character);
                flow.push(character, look);
            }
        }
    }

    /// Writes the space that is due before `next`, unless the paragraph has only begun.
    fn settle(&mut self, flow: &mut Flow, next: char) {
        let Some(blank) = self.pending.take() else { return };
        let Some(before) = flow.text[self.start..].chars().next_back() else { return };
        if !(blank.continued && join_without_space(before, next)) {
            flow.push(' ', blank.look);
        }
    }

    fn feed(&mut self, flow: &mut Flow) {
        self.pending = None;
        flow.paragraphs.push(self.start..flow.text.len());
        self.start = flow.text.len();
    }

    /// Ends the last paragraph and drops blank ones at the end.
    fn end(mut self, flow: &mut Flow) {
        self.feed(flow);
        while flow.paragraphs.last().is_some_and(Range::is_empty) {
            flow.paragraphs.pop();
        }
    }
}

/// Whether a text that is continued on a new line has no space between these two.
fn join_without_space(before: char, after: char) -> bool {
    let wide = |character: char| is_wide(character) || character == ICON;
    (wide(before) && (wide(after) || is_ambiguous(after))) || (is_ambiguous(before) && wide(after))
}

#[cfg(test)]
mod tests {
    use super::super::testing::style;
    use super::*;

    fn paragraphs(text: &str, feeds: Feeds) -> Vec<String> {
        let content = [Inline::Text { text: text.to_owned(), style: style(3.0) }];
        let flow = Flow::new(&content, feeds);
        flow.paragraphs.iter().map(|range| flow.text[range.clone()].to_owned()).collect()
    }

    #[test]
    fn feeds_end_lines_and_spaces_collapse() {
        assert_eq!(paragraphs("  a \t b \n\n c\r\n", Feeds::Break), ["a b", "", "c"]);
        assert_eq!(paragraphs("a\n\nb\n", Feeds::Join), ["a b"]);
        assert_eq!(paragraphs("\n\n\n", Feeds::Break), [""; 0]);
        assert_eq!(paragraphs("   ", Feeds::Break), [""; 0]);
    }

    #[test]
    fn han_text_goes_on_without_a_space() {
        assert_eq!(paragraphs("宣布，\r    然后 \r开始", Feeds::Break), ["宣布，然后开始"]);
        assert_eq!(paragraphs("他说：\r  “好，\r——走”\r了", Feeds::Break), ["他说：“好，——走”了"]);
        assert_eq!(paragraphs("a\rb c\r一", Feeds::Break), ["a b c 一"]);
        assert_eq!(paragraphs("一 二", Feeds::Break), ["一 二"]);
        assert_eq!(paragraphs("一\n二", Feeds::Join), ["一二"]);
    }

    #[test]
    fn spaces_collapse_across_inlines() {
        let text = |text: &str| Inline::Text { text: text.to_owned(), style: style(3.0) };
        let content = [text("a "), text(" b"), text(" "), text(" c")];
        assert_eq!(Flow::new(&content, Feeds::Break).text, "a b c");
    }
}
