//! Glyph runs as text: by glyph number, at exact places, with the characters they stand for.

use std::collections::BTreeMap;
use std::ops::Range;

use subsetter::GlyphRemapper;

use super::canvas::{Brush, Canvas, Part};
use super::ink::Rgb;
use super::stream::rounded;
use crate::compose::face::{Glyph, GlyphRun};
use crate::fonts::{FontId, Fonts};
use crate::geometry::Affine;

/// Decimals of a font size, in millimetres.
pub(super) const SIZE_DECIMALS: u32 = 4;
/// Decimals of an adjustment between glyphs, in thousandths of the em.
const ADJUST_DECIMALS: u32 = 1;
/// Decimals of a glyph's width, in thousandths of the em.
const WIDTH_DECIMALS: u32 = 3;

/// The glyphs of one font that a document uses.
pub(super) struct Subset {
    /// Old glyph numbers to those in the document.
    pub(super) remap: GlyphRemapper,
    /// The widths by new number, in thousandths of the em, as they are written.
    pub(super) widths: Vec<f64>,
    /// The text that a glyph (new number) stands for wherever nothing else is said.
    pub(super) texts: BTreeMap<u16, String>,
    /// Its name in every resource dictionary.
    pub(super) name: String,
}

/// The glyphs that a document uses, of all fonts.
#[derive(Default)]
pub(super) struct Subsets(pub(super) BTreeMap<FontId, Subset>);

/// How often a glyph stands for a text; `alone` when it does so without other glyphs.
#[derive(Default)]
struct Uses(BTreeMap<u16, BTreeMap<(bool, String), usize>>);

impl Subsets {
    /// The glyphs of these runs.
    pub(super) fn collect<'a>(fonts: &Fonts, runs: impl Iterator<Item = &'a GlyphRun>) -> Self {
        let mut found: BTreeMap<FontId, (GlyphRemapper, Uses)> = BTreeMap::new();
        for run in runs {
            let (remap, uses) = found.entry(run.font).or_default();
            for cluster in clusters(run) {
                let glyphs = &run.glyphs[cluster.glyphs.clone()];
                for (index, glyph) in glyphs.iter().enumerate() {
                    let cid = remap.remap(glyph.id);
                    if index == 0 && !cluster.text.is_empty() {
                        uses.count(cid, glyphs.len() == 1, cluster.text);
                    }
                }
            }
        }
        // Numbered as they are used: a font that is not used changes nothing.
        let subset = |(number, (font, (remap, uses))): (usize, (FontId, (GlyphRemapper, Uses)))| {
            let widths = widths(fonts, font, &remap);
            (font, Subset { remap, widths, texts: uses.texts(), name: format!("F{number}") })
        };
        Subsets(found.into_iter().enumerate().map(subset).collect())
    }
}

impl Uses {
    fn count(&mut self, cid: u16, alone: bool, text: &str) {
        *self.0.entry(cid).or_default().entry((alone, text.to_owned())).or_default() += 1;
    }

    /// For every glyph the text that it stands for most often, where it stands alone if it ever does.
    fn texts(self) -> BTreeMap<u16, String> {
        let most = |texts: BTreeMap<(bool, String), usize>| {
            let best = texts
                .into_iter()
                .max_by_key(|((alone, text), count)| (*alone, *count, std::cmp::Reverse(text.clone())));
            best.map(|((_, text), _)| text)
        };
        self.0.into_iter().filter_map(|(cid, texts)| Some((cid, most(texts)?))).collect()
    }
}

fn widths(fonts: &Fonts, font: FontId, remap: &GlyphRemapper) -> Vec<f64> {
    let face = fonts.face(font);
    let parsed = ttf_parser::Face::parse(face.bytes(), face.index).ok();
    let width = |old: u16| {
        let advance =
            parsed.as_ref().and_then(|parsed| parsed.glyph_hor_advance(ttf_parser::GlyphId(old))).unwrap_or(0);
        rounded(f64::from(advance) * 1000.0 / face.units_per_em, WIDTH_DECIMALS)
    };
    remap.remapped_gids().map(width).collect()
}

/// Glyphs that together stand for a text.
struct Cluster<'a> {
    glyphs: Range<usize>,
    text: &'a str,
}

/// The clusters of a run, in order: a glyph with a text and those after it without.
fn clusters(run: &GlyphRun) -> Vec<Cluster<'_>> {
    let mut clusters: Vec<Cluster<'_>> = Vec::with_capacity(run.glyphs.len());
    for (index, glyph) in run.glyphs.iter().enumerate() {
        let text = text_of(run, glyph);
        match clusters.last_mut() {
            Some(last) if text.is_empty() && !last.text.is_empty() => last.glyphs.end = index + 1,
            _ => clusters.push(Cluster { glyphs: index..index + 1, text }),
        }
    }
    clusters
}

/// Glyphs that are said to stand for a text, or whose font says so.
struct Span {
    glyphs: Range<usize>,
    text: String,
}

/// The clusters of a run. Where two stand so far apart that a reader would guess a space between them, they are one span,
/// which says that there is none.
fn spans(run: &GlyphRun, subset: &Subset, size: f64) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::with_capacity(run.glyphs.len());
    for cluster in clusters(run) {
        match spans.last_mut() {
            Some(last) if !cluster.text.is_empty() && gapes(run, last, &cluster, subset, size) => {
                last.glyphs.end = cluster.glyphs.end;
                last.text.push_str(cluster.text);
            }
            _ => spans.push(Span { glyphs: cluster.glyphs, text: cluster.text.to_owned() }),
        }
    }
    spans
}

/// Whether there is a gap between two neighbours that no space of the text explains.
fn gapes(run: &GlyphRun, left: &Span, right: &Cluster<'_>, subset: &Subset, size: f64) -> bool {
    /// Readers guess a space from a tenth of the em on.
    const GAP: f64 = 0.09;
    let (Some(last), Some(next)) = (run.glyphs[left.glyphs.clone()].last(), run.glyphs.get(right.glyphs.start)) else {
        return false;
    };
    let spaced = left.text.is_empty()
        || left.text.ends_with(char::is_whitespace)
        || right.text.starts_with(char::is_whitespace)
        || last.y != next.y;
    let width = subset.width(last.id) * size / 1000.0;
    !spaced && f64::from(next.x) - f64::from(last.x) - width > GAP * size
}

impl Subset {
    /// The width of a glyph, in thousandths of the em, as a reader of the document knows it.
    fn width(&self, glyph: u16) -> f64 {
        let cid = self.remap.get(glyph).map_or(0, usize::from);
        self.widths.get(cid).copied().unwrap_or(0.0)
    }

    /// Whether the font itself says that these glyphs stand for `text`.
    fn says(&self, glyphs: &[Glyph], text: &str) -> bool {
        match glyphs {
            // Marks that stand for no text, such as emphasis dots, must not read as the character that they are taken from.
            _ if text.is_empty() => false,
            [glyph] => self.remap.get(glyph.id).and_then(|cid| self.texts.get(&cid)).is_some_and(|own| own == text),
            _ => false,
        }
    }
}

fn text_of<'a>(run: &'a GlyphRun, glyph: &Glyph) -> &'a str {
    let bound = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    run.text.get(bound(glyph.cluster.start)..bound(glyph.cluster.end)).unwrap_or("")
}

impl Canvas<'_> {
    /// Writes runs of text, mapped by `place`.
    pub(super) fn text(&mut self, runs: &[GlyphRun], place: Affine) {
        let visible = |run: &&GlyphRun| run.fill.opacity > 0.0 && !run.glyphs.is_empty() && run.size > 0.0;
        let mut runs = runs.iter().filter(visible).peekable();
        if runs.peek().is_none() {
            return;
        }
        self.stream.word("BT");
        for run in runs {
            let colour = self.ink.text(Rgb([run.fill.r, run.fill.g, run.fill.b]));
            let opacity = f64::from(run.fill.opacity) * self.dim;
            self.set_brush(Part::Fill, Brush::Solid(colour));
            self.set_alpha(opacity);
            self.set_overprint(self.ink.overprints(colour) && opacity >= 1.0);
            self.run(run, place.then_inner(run.transform));
        }
        self.set_overprint(false);
        self.stream.word("ET");
    }

    fn run(&mut self, run: &GlyphRun, place: Affine) {
        let subsets = self.subsets;
        let Some(subset) = subsets.0.get(&run.font) else { return };
        let size = rounded(f64::from(run.size), SIZE_DECIMALS);
        self.set_font(run.font, &subset.name, size);
        let mut line = Line { subset, size, place, baseline: None, pen: 0.0, open: false, pending: Vec::new() };
        for span in spans(run, subset, size) {
            let glyphs = &run.glyphs[span.glyphs.clone()];
            if subset.says(glyphs, &span.text) {
                glyphs.iter().for_each(|glyph| line.glyph(self, glyph));
            } else {
                line.close(self);
                self.begin_span(&span.text);
                glyphs.iter().for_each(|glyph| line.glyph(self, glyph));
                line.close(self);
                self.stream.word("EMC");
            }
        }
        line.close(self);
    }

    fn begin_span(&mut self, text: &str) {
        self.stream.name("Span");
        self.stream.mark(b'<');
        self.stream.mark(b'<');
        self.stream.name("ActualText");
        self.stream.text(text);
        self.stream.word(">>BDC");
    }
}

/// Glyphs on one baseline, and where the reader's pen is after those written so far.
struct Line<'a> {
    subset: &'a Subset,
    size: f64,
    place: Affine,
    /// Offset of the baseline, and x of its start; millimetres of the run.
    baseline: Option<(f64, f64)>,
    /// Thousandths of the em from the start.
    pen: f64,
    open: bool,
    pending: Vec<u8>,
}

impl Line<'_> {
    fn glyph(&mut self, canvas: &mut Canvas<'_>, glyph: &Glyph) {
        let (x, y) = (f64::from(glyph.x), f64::from(glyph.y));
        let start = match self.baseline {
            Some((baseline, start)) if (baseline - y).abs() < 1e-6 => start,
            _ => {
                self.close(canvas);
                self.start(canvas, x, y);
                x
            }
        };
        if !self.open {
            canvas.stream.mark(b'[');
            self.open = true;
        }
        let adjust = rounded(self.pen - (x - start) * 1000.0 / self.size, ADJUST_DECIMALS);
        if adjust != 0.0 {
            self.flush(canvas);
            canvas.stream.number(adjust, ADJUST_DECIMALS);
            self.pen -= adjust;
        }
        let cid = self.subset.remap.get(glyph.id).unwrap_or(0);
        self.pending.extend_from_slice(&cid.to_be_bytes());
        self.pen += self.subset.width(glyph.id);
    }

    /// Starts a baseline at (x, y) of the run: y of text grows upwards.
    fn start(&mut self, canvas: &mut Canvas<'_>, x: f64, y: f64) {
        let upwards = Affine { d: -1.0, e: x, f: y, ..Affine::IDENTITY };
        canvas.stream.matrix(self.place.then_inner(upwards), "Tm");
        self.baseline = Some((y, x));
        self.pen = 0.0;
    }

    fn flush(&mut self, canvas: &mut Canvas<'_>) {
        if !self.pending.is_empty() {
            canvas.stream.string(&self.pending);
            self.pending.clear();
        }
    }

    fn close(&mut self, canvas: &mut Canvas<'_>) {
        self.flush(canvas);
        if self.open {
            canvas.stream.mark(b']');
            canvas.stream.word("TJ");
            self.open = false;
        }
    }
}
