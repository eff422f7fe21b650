//! From the flow to cells: runs of one face are chosen and shaped, and every cluster becomes a [`Cell`] with its measures.
//!
//! The unit of falling back is a word of Western text, a stretch of Han characters between punctuation, a stretch of full-width
//! punctuation, or one symbol: the first face of the chain that has the whole unit sets the whole unit. So a rare character
//! changes its clause and not the sentence, and a phrase is never patched together from two faces. Where no face has all of a
//! unit, its characters are looked up one by one.

use std::ops::Range;

use harfrust::{Direction, FontRef, ShapeOptions, UnicodeBuffer};

use super::cell::{Cell, Cells, Shaped};
use super::class::{Class, classes, is_selector};
use super::flow::{Flow, Look};
use super::runs::{Run, join, runs, split, units};
use super::{Fallback, Language, Missing, Western, Writing, columns};
use crate::fonts::{FontId, Fonts, Forms, Plan};

/// What is left free on either side of a quote that is made narrow, in em.
const BESIDE_QUOTE: f64 = 0.06;

/// Shapes all of `flow`.
pub(super) fn shape(fonts: &Fonts, flow: &Flow, language: Language, writing: Writing) -> Cells {
    let mut shaper = Shaper {
        fonts,
        flow,
        language: language.tag().and_then(harfrust::Language::new),
        writing,
        buffer: UnicodeBuffer::new(),
        raw: Vec::new(),
        out: Cells::default(),
    };
    for paragraph in &flow.paragraphs {
        let first = shaper.out.cells.len();
        shaper.paragraph(paragraph);
        if let Writing::Columns(western) = writing {
            columns::pose(flow, western, first, &mut shaper.out);
        }
        shaper.out.paragraphs.push(first..shaper.out.cells.len());
    }
    shaper.out.missing.sort();
    shaper.out.missing.dedup();
    shaper.out
}

/// A glyph in font units, with the place of its cluster in the flow.
#[derive(Clone, Copy)]
struct RawGlyph {
    id: u16,
    cluster: usize,
    advance: i32,
    x: i32,
    y: i32,
}

struct Shaper<'a, 'f> {
    fonts: &'a Fonts,
    flow: &'a Flow<'f>,
    language: Option<harfrust::Language>,
    writing: Writing,
    buffer: UnicodeBuffer,
    raw: Vec<RawGlyph>,
    out: Cells,
}

impl Shaper<'_, '_> {
    fn paragraph(&mut self, paragraph: &Range<usize>) {
        let mut classes = classes(&self.flow.text[paragraph.clone()]);
        classes.iter_mut().for_each(|(at, _)| *at += paragraph.start);
        for run in runs(self.flow, paragraph, &classes) {
            match classes[run.classes.start].1 {
                Class::Icon => self.icon(&run),
                _ => self.run(&run, &classes[run.classes.clone()]),
            }
        }
    }

    fn icon(&mut self, run: &Run) {
        let look = self.flow.looks[run.look];
        let aspect = self.flow.icon(run.bytes.start).map_or(1.0, |icon| icon.aspect);
        let end = self.out.glyphs.len();
        let font = first(look);
        self.out.cells.push(Cell::new(run.bytes.clone(), run.look, Class::Icon, font, end..end, look.size * aspect));
    }

    /// Shapes a run from the wanted face, or its units each from the first face that has it.
    fn run(&mut self, run: &Run, classes: &[(usize, Class)]) {
        let chain = self.chain(run.look, classes[0].1);
        let wanted = chain[0];
        if self.shape(run, wanted) {
            self.formed(run, wanted, classes);
            return;
        }
        let mut chosen: Vec<(Run, FontId)> = Vec::new();
        for unit in units(run, classes) {
            self.choose(unit, &chain, classes, run.classes.start, &mut chosen);
        }
        for (run, font) in join(chosen) {
            self.shape(&run, font);
            let from = classes.partition_point(|(at, _)| *at < run.bytes.start);
            let to = classes.partition_point(|(at, _)| *at < run.bytes.end);
            self.formed(&run, font, &classes[from..to]);
        }
    }

    /// The faces to try: for Han characters only those that are made for them, unless there is none.
    fn chain(&self, look: usize, class: Class) -> Vec<FontId> {
        let look = self.flow.looks[look];
        let bold = look.emphasis && !class.is_cjk() && !look.style.bold.is_empty();
        let all = if bold { &look.style.bold } else { &look.style.fonts };
        let fit = |id: &&FontId| !class.is_cjk() || self.fonts.face(**id).han.is_some();
        let chain: Vec<FontId> = all.iter().filter(fit).copied().collect();
        match (chain.is_empty(), all.is_empty()) {
            (false, _) => chain,
            (true, false) => all.clone(),
            (true, true) => vec![FontId(0)],
        }
    }

    /// The first face that has all of `unit`; where there is none, the same question for each character.
    fn choose(
        &mut self,
        unit: Run,
        chain: &[FontId],
        classes: &[(usize, Class)],
        base: usize,
        to: &mut Vec<(Run, FontId)>,
    ) {
        if let Some(&font) = chain.iter().find(|font| self.shape(&unit, **font)) {
            self.note(&unit, chain[0], font);
            to.push((unit, font));
            return;
        }
        let parts = split(&unit, |at| classes[at - base].1 != Class::Inherit, classes, base);
        if parts.len() > 1 {
            parts.into_iter().for_each(|part| self.choose(part, chain, classes, base, to));
            return;
        }
        let text = &self.flow.text[unit.bytes.clone()];
        let mut shown = text.chars().filter(|character| !is_selector(*character));
        // Of an accented letter it may be the accent that is missing.
        let absent = shown.clone().find(|character| !chain.iter().any(|font| self.fonts.face(*font).has(*character)));
        let missing = absent.or_else(|| shown.next());
        self.out.missing.extend(missing.map(|character| Missing { character, font: chain[0] }));
        to.push((unit, chain[0]));
    }

    fn note(&mut self, unit: &Run, wanted: FontId, used: FontId) {
        let text = self.flow.text[unit.bytes.clone()].trim();
        if wanted != used {
            let fallback = Fallback { text: text.to_owned(), wanted, used };
            if !self.out.fallbacks.contains(&fallback) {
                self.out.fallbacks.push(fallback);
            }
        }
    }

    /// Shapes `run` from `font` into `self.raw`; whether the face has all of it.
    fn shape(&mut self, run: &Run, font: FontId) -> bool {
        let spaced = self.flow.looks[run.look].spacing != 0.0;
        let forms = match (self.writing, run.western, spaced) {
            (Writing::Columns(Western::Upright), true, _) => Forms::WesternStacked,
            (_, true, true) => Forms::WesternSpaced,
            (_, true, false) => Forms::Western,
            (Writing::Columns(_), false, _) => Forms::Columns,
            (Writing::Lines, false, true) => Forms::Spaced,
            (Writing::Lines, false, false) => Forms::Default,
        };
        self.shape_as(run, font, forms)
    }

    fn shape_as(&mut self, run: &Run, font: FontId, forms: Forms) -> bool {
        self.raw.clear();
        let face = self.fonts.face(font);
        let Ok(reference) = FontRef::from_index(face.bytes(), face.index) else { return false };
        let mut buffer = std::mem::take(&mut self.buffer);
        for (at, character) in self.flow.text[run.bytes.clone()].char_indices() {
            let character = if forms == Forms::Columns { columns::stand_in(character) } else { character };
            if !is_selector(character) {
                buffer.add(character, u32::try_from(run.bytes.start + at).unwrap_or(u32::MAX));
            }
        }
        buffer.guess_segment_properties();
        let plan = Plan { script: buffer.script(), language: self.language.clone(), forms };
        buffer.set_direction(Direction::LeftToRight);
        if let Some(language) = &self.language {
            buffer.set_language(language.clone());
        }
        let shaper = face.shaper().shaper(&reference).build();
        let options = ShapeOptions::new().features(forms.features());
        let glyphs = shaper.shape(buffer, options.plan(Some(&face.plan(&plan, &shaper))));
        let infos = glyphs.glyph_infos().iter().zip(glyphs.glyph_positions());
        self.raw.extend(infos.map(|(info, position)| RawGlyph {
            id: u16::try_from(info.glyph_id).unwrap_or(0),
            cluster: info.cluster as usize,
            advance: position.x_advance,
            x: position.x_offset,
            y: position.y_offset,
        }));
        self.buffer = glyphs.clear();
        self.raw.iter().all(|glyph| glyph.id != 0)
    }

    /// Takes the empty part off a quote of Western text that its face has as wide as a Han character only.
    fn narrow(&mut self, cell: &mut Cell, look: Look) {
        let face = self.fonts.face(cell.font);
        let wide = face.han.is_some_and(|han| cell.natural > 0.9 * han.advance * look.size);
        let Some(mark) = self.flow.text[cell.bytes.clone()].chars().next().filter(|_| wide) else { return };
        let Some(blank) = matches!(mark, '“' | '”' | '‘' | '’').then(|| face.bearings(mark)).flatten() else {
            return;
        };
        let spare = |blank: f64| (blank - BESIDE_QUOTE).max(0.0) * look.size;
        for glyph in &mut self.out.glyphs[cell.glyphs.clone()] {
            glyph.x -= spare(blank.left);
        }
        let less = spare(blank.left) + spare(blank.right);
        cell.width -= less;
        cell.natural -= less;
    }

    /// Gives a soft hyphen the glyph that it shows at a line's end, and the width that it takes there.
    fn hyphen(&mut self, cell: &mut Cell, look: Look) {
        self.out.glyphs.truncate(cell.glyphs.start);
        if let Some((id, advance)) = self.fonts.face(cell.font).hyphen() {
            self.out.glyphs.push(Shaped { id, x: 0.0, y: 0.0 });
            cell.tail = -advance * look.size;
        }
        cell.glyphs.end = self.out.glyphs.len();
        cell.width = 0.0;
    }

    /// Makes cells of `self.raw`. In columns, marks that the face has no vertical form of are turned or moved.
    fn formed(&mut self, run: &Run, font: FontId, classes: &[(usize, Class)]) {
        let first = self.out.cells.len();
        self.cells(run, font, classes);
        let marks = |class: Class| class.is_wide_punctuation() || class == Class::Han;
        if self.writing == Writing::Lines || !classes.iter().any(|(_, class)| marks(*class)) {
            return;
        }
        self.shape_as(run, font, Forms::Default);
        for cell in &mut self.out.cells[first..] {
            let glyph = self.out.glyphs.get(cell.glyphs.start).map(|glyph| glyph.id);
            let raw = self.raw.iter().find(|raw| raw.cluster == cell.bytes.start).map(|raw| raw.id);
            if glyph == raw && marks(cell.class) {
                columns::form(self.fonts, self.flow, cell, &mut self.out.glyphs);
            }
        }
    }

    /// Turns the glyphs in `self.raw` into cells.
    fn cells(&mut self, run: &Run, font: FontId, classes: &[(usize, Class)]) {
        let look = self.flow.looks[run.look];
        let unit = look.size / self.fonts.face(font).units_per_em;
        let mut class = classes.iter().peekable();
        let mut at = 0;
        while at < self.raw.len() {
            let cluster = self.raw[at].cluster;
            let count = self.raw[at..].iter().take_while(|glyph| glyph.cluster == cluster).count();
            let first = self.out.glyphs.len();
            let mut x = 0.0;
            for glyph in &self.raw[at..at + count] {
                let offset = f64::from(glyph.x) * unit;
                self.out.glyphs.push(Shaped { id: glyph.id, x: x + offset, y: -f64::from(glyph.y) * unit });
                x += f64::from(glyph.advance) * unit;
            }
            at += count;
            let end = self.raw.get(at).map_or(run.bytes.end, |glyph| glyph.cluster);
            let start = if at == count { run.bytes.start } else { cluster };
            while class.next_if(|(place, _)| *place < cluster).is_some() {}
            let kind = class.peek().map_or(Class::Letter, |(_, class)| *class);
            let glyphs = first..self.out.glyphs.len();
            let mut cell = Cell::new(start..end, run.look, kind, font, glyphs, x + look.spacing);
            cell.natural = x;
            match kind {
                Class::Hyphen => self.hyphen(&mut cell, look),
                Class::Mark => self.narrow(&mut cell, look),
                _ => {}
            }
            self.out.cells.push(cell);
        }
    }
}

impl Language {
    /// The tag that shaping is told.
    const fn tag(self) -> Option<&'static str> {
        match self {
            Language::ZhHans => Some("zh-Hans"),
            Language::ZhHant => Some("zh-Hant"),
            Language::Ja => Some("ja"),
            Language::Other => None,
        }
    }
}

/// The face that a look asks for.
fn first(look: Look) -> FontId {
    look.style.fonts.first().copied().unwrap_or(FontId(0))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::*;

    fn set(source: &str, families: &[&str]) -> Laid {
        let content = [Inline::Text { text: source.to_owned(), style: styled(families, 1.0) }];
        line(&FONTS, &content, 0.0, 0.0, Anchor::Start, Language::ZhHans)
    }

    /// The text of each run with the family that sets it.
    fn faces(laid: &Laid) -> Vec<(&str, &str)> {
        laid.runs.iter().map(|run| (run.text.as_str(), FONTS.face(run.font).family.as_str())).collect()
    }

    const KUAI_LE: &str = "ZCOOL KuaiLe";
    const NOTO: &str = "Noto Sans CJK SC";
    const FREDOKA: &str = "Fredoka";

    #[test]
    fn a_clause_with_a_rare_character_falls_back_as_a_whole() {
        let laid = set("我们的社团，招募無同学。", &[KUAI_LE, NOTO]);
        assert_eq!(faces(&laid), [("我们的社团，", KUAI_LE), ("招募無同学", NOTO), ("。", KUAI_LE)]);
        assert_eq!(laid.fallbacks.len(), 1);
        assert_eq!(laid.fallbacks[0].text, "招募無同学");
        assert!(laid.missing.is_empty());
    }

    #[test]
    fn a_word_falls_back_as_a_whole() {
        let laid = set("one twж three", &[FREDOKA, NOTO]);
        assert_eq!(laid.fallbacks.len(), 1, "{:?}", faces(&laid));
        assert_eq!(laid.fallbacks[0].text, "twж");
    }

    #[test]
    fn han_is_not_asked_from_western_faces() {
        let laid = set("抽card牌“好”", &[FREDOKA, KUAI_LE, NOTO]);
        assert_eq!(faces(&laid), [("抽", KUAI_LE), ("card", FREDOKA), ("牌“好”", KUAI_LE)]);
        assert!(laid.fallbacks.is_empty());
    }

    #[test]
    fn symbols_fall_back_alone() {
        let laid = set("一★二", &[KUAI_LE, NOTO]);
        assert_eq!(faces(&laid), [("一", KUAI_LE), ("★", NOTO), ("二", KUAI_LE)]);
    }

    #[test]
    fn what_no_face_has_is_missing_and_touches_nothing_else() {
        let laid = set("我们的🦀\u{FE0F}社团🦀", &[NOTO]);
        let missing: Vec<char> = laid.missing.iter().map(|missing| missing.character).collect();
        assert_eq!(missing, ['🦀']);
        let laid = set("我無们", &[KUAI_LE]);
        assert_eq!(laid.missing.len(), 1);
        assert_eq!(faces(&laid), [("我無们", KUAI_LE)]);
        assert!(laid.runs[0].glyphs.iter().filter(|glyph| glyph.id == 0).count() == 1);
    }

    #[test]
    fn selectors_are_not_looked_up() {
        let laid = set("★\u{FE0F}一", &[NOTO]);
        assert!(laid.missing.is_empty());
        assert_eq!(laid.runs.iter().map(|run| run.glyphs.len()).sum::<usize>(), 2);
        assert_eq!(laid.runs.iter().map(|run| run.text.as_str()).collect::<String>(), "★\u{FE0F}一");
    }

    #[test]
    fn accents_and_ligatures_keep_their_text() {
        let laid = set("Lim-Dûl’s Vault Æ ß office", &[NOTO]);
        assert!(laid.missing.is_empty());
        assert_eq!(laid.runs.iter().map(|run| run.text.as_str()).collect::<String>(), "Lim-Dûl’s Vault Æ ß office");
    }

    #[test]
    fn quotes_of_western_text_are_narrow() {
        for families in [[NOTO], [KUAI_LE]] {
            let whole = set("don’t “so” say", &families).bounds[2];
            let letters = set("dont so say", &families).bounds[2];
            assert!(whole > letters && whole < letters + 1.5, "{families:?}: {whole} and {letters}");
        }
        let glyphs = |text: &str| set(text, &[NOTO]).runs[0].glyphs.iter().map(|glyph| glyph.id).collect::<Vec<_>>();
        assert_ne!(glyphs("a…")[1], glyphs("一……")[1], "an ellipsis of Western text stands on the baseline");
    }

    #[test]
    fn spaced_letters_are_not_joined() {
        let style = Style { letter_spacing: 0.2, ..style(1.0) };
        let content = [Inline::Text { text: "office".to_owned(), style }];
        let laid = line(&FONTS, &content, 0.0, 0.0, Anchor::Start, Language::Other);
        assert_eq!(laid.runs[0].glyphs.len(), 6);
    }

    #[test]
    fn no_fonts_at_all_is_no_panic() {
        let style = Style { fonts: Vec::new(), ..style(1.0) };
        let content = [Inline::Text { text: "一a".to_owned(), style }];
        assert!(line(&FONTS, &content, 0.0, 0.0, Anchor::Start, Language::Other).missing.is_empty());
    }
}
