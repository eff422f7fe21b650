//! The proof of `paiban verify --proof`: every distinct face with its trim, safe zone and bleed, and a box around whatever was found on it.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use svg::node::element::{Circle, Polygon, Rectangle};

use super::output;
use super::session::Session;
use crate::compose::face::{Colour, Face, FaceHash, GlyphRun, Layer};
use crate::compose::text::{self, Anchor, Inline, Laid, Language, Style};
use crate::export::pdf;
use crate::fonts::{BUILT_IN_FAMILY, FontId};
use crate::geometry::{Affine, Rect, Size};
use crate::model::{Game, Outline};
use crate::sheet::{Placement, Shape, Sheet, Side, Sides};
use crate::units::Length;
use crate::verify::preflight::Judged;
use crate::verify::preflight::flaw::Flaw;

/// The page, unless a face is larger: A3, lying.
const PAGE: Size = Size::mm(420, 297);
/// What stays free at its edges and between faces.
const GAP: Length = Length::mm(8);
/// Distance of the lines of words.
const LINE: f64 = 2.8;
/// Size of the words, in millimetres.
const WORDS: f64 = 2.1;
/// Width of the lines of the overlay, in millimetres.
const STROKE: f64 = 0.2;
/// Colours of the overlay: what is cut, what is safe, where the bleed ends, what was found.
const TRIM: &str = "#d6008f";
const SAFE: &str = "#0a8f3c";
const BLEED: &str = "#0077cc";
const FOUND: &str = "#e00000";
/// [`FOUND`], for words.
const RED: Colour = Colour { r: 0xe0, g: 0, b: 0, opacity: 1.0 };

/// Writes the proof of `game` and returns where it is.
///
/// # Errors
/// When it cannot be made, or the disk refuses.
pub(super) fn write(session: &Session, game: &Game, judged: &[Judged<'_>]) -> Result<PathBuf> {
    let sheets = Proof { session, font: font(session)?, sheets: Vec::new() }.pages(judged)?;
    let title = format!("{} proof", game.title);
    let document = pdf::Document::new(&title, &game.language, &sheets, Sides::Fronts);
    let path = session.project.disk.root().join("out").join(&game.id).join(format!("{}-proof.pdf", game.id));
    let made = pdf::write(&document, &session.fonts).with_context(|| format!("{} cannot be made", path.display()))?;
    output::write_file(&path, &made.bytes)?;
    Ok(path)
}

fn font(session: &Session) -> Result<FontId> {
    session.fonts.select(BUILT_IN_FAMILY, 400, false).ok_or_else(|| anyhow!("the built-in font is missing"))
}

/// The proof in the making.
struct Proof<'a> {
    session: &'a Session,
    font: FontId,
    sheets: Vec<Sheet>,
}

/// Where the next face goes on the last page.
#[derive(Default)]
struct Cursor {
    x: Length,
    y: Length,
    row: Length,
}

impl Proof<'_> {
    /// All faces, in rows, the words of each below it; a component begins a row.
    fn pages(mut self, judged: &[Judged<'_>]) -> Result<Vec<Sheet>> {
        let mut cursor = Cursor::default();
        let mut component = "";
        for face in judged {
            let outer = face.printed.face.trim.outset(face.printed.face.bleed);
            let lines = told(face);
            let words = Length::from_mm(LINE * lines.len() as f64 + 1.0);
            let widest =
                lines.iter().map(|line| self.line(line, Colour::BLACK, (0.0, 0.0)).bounds[2]).fold(0.0, f64::max);
            let room = Size { w: outer.w.max(Length::from_mm(widest)), h: outer.h + words };
            let id = face.printed.component.id.as_str();
            if id != component || cursor.x + room.w + GAP > PAGE.w {
                component = id;
                cursor = Cursor { x: GAP, y: cursor.y + cursor.row + GAP, row: Length::ZERO };
            }
            if self.sheets.is_empty() || cursor.y + room.h + GAP > PAGE.h {
                self.sheets.push(page(face, room));
                cursor = Cursor { x: GAP, y: GAP, row: Length::ZERO };
            }
            self.place(face, (cursor.x, cursor.y))?;
            cursor.x += room.w + GAP;
            cursor.row = cursor.row.max(room.h);
        }
        Ok(self.sheets)
    }

    /// Puts a face, what lies over it and its words on the last page, with its bleed from (`x`, `y`).
    fn place(&mut self, judged: &Judged<'_>, (x, y): (Length, Length)) -> Result<()> {
        let face = &judged.printed.face;
        let overlay = self.overlay(judged)?;
        let trim = Rect { x: x + face.bleed, y: y + face.bleed, w: face.trim.w, h: face.trim.h };
        let (left, top) = (trim.x.to_mm(), trim.y.to_mm());
        let outer = face.trim.outset(face.bleed);
        let side = if judged.printed.is_front { Side::Front } else { Side::Back };
        let piece = judged.printed.pieces.first().cloned().unwrap_or_default();
        let placed = |face: Arc<Face>, beyond: Length| Placement {
            piece: piece.clone(),
            side,
            face,
            transform: Affine::translate(left, top),
            clip: Rect { x: x - beyond, y: y - beyond, w: outer.w + beyond * 2, h: outer.h + beyond * 2 },
            tilted: None,
            trim,
            shape: Shape::Drawn,
        };
        let words = self.words(judged, (left, top), (x.to_mm(), (y + outer.h).to_mm()));
        if let Some(sheet) = self.sheets.last_mut() {
            let component = &judged.printed.component.id;
            if !sheet.holds(component) {
                sheet.components.push(component.clone());
            }
            sheet.placements.extend([placed(Arc::clone(face), Length::ZERO), placed(overlay, Length::mm(1))]);
            sheet.words.extend(words);
        }
        Ok(())
    }

    /// The numbers of the boxes, and the words below a face.
    fn words(&self, judged: &Judged<'_>, (left, top): (f64, f64), (x, y): (f64, f64)) -> Vec<GlyphRun> {
        let below = (0..).zip(told(judged)).flat_map(|(row, told)| {
            let fill = if row == 0 { Colour::BLACK } else { RED };
            self.line(&told, fill, (x, y + LINE * f64::from(row + 1))).runs
        });
        let numbers = (1..).zip(&judged.flaws).flat_map(|(number, flaw)| {
            let [box_left, box_top, ..] = flaw.extent;
            self.line(&number.to_string(), RED, (left + box_left, top + box_top - 0.4)).runs
        });
        below.chain(numbers).collect()
    }

    fn line(&self, text: &str, fill: Colour, (x, y): (f64, f64)) -> Laid {
        let fonts = vec![self.font];
        let style =
            Style { fonts: fonts.clone(), bold: fonts, size: WORDS, fill, letter_spacing: 0.0, shift: [0.0; 2] };
        let content = [Inline::Text { text: text.to_owned(), style }];
        text::line(&self.session.fonts, &content, x, y, Anchor::Start, Language::ZhHans)
    }

    /// The lines that lie over a face.
    fn overlay(&self, judged: &Judged<'_>) -> Result<Arc<Face>> {
        let Face { trim, bleed, .. } = *judged.printed.face;
        let svg = overlay_svg(judged);
        let mut hash = [0; 16];
        blake3::Hasher::new().update(b"overlay").update(svg.as_bytes()).finalize_xof().fill(&mut hash);
        let art = self.session.studio.draw(svg).map_err(|why| anyhow!("an overlay cannot be drawn: {why}"))?;
        let (layers, texts) = (vec![Layer::Art(art)], Vec::new());
        Ok(Arc::new(Face { trim, bleed, layers, texts, hash: FaceHash(hash) }))
    }
}

/// A new page that begins with `face`, which takes `room`.
fn page(face: &Judged<'_>, room: Size) -> Sheet {
    let component = face.printed.component;
    Sheet {
        page: Size { w: PAGE.w.max(room.w + GAP * 2), h: PAGE.h.max(room.h + GAP * 2) },
        side: Side::Front,
        components: vec![component.id.clone()],
        title: component.title.clone(),
        placements: Vec::new(),
        lines: Vec::new(),
        rings: Vec::new(),
        words: Vec::new(),
    }
}

/// What stands below a face, line by line: its name, and what was found on it.
fn told(judged: &Judged<'_>) -> Vec<String> {
    let flaws = (1..)
        .zip(&judged.flaws)
        .map(|(number, flaw)| format!("{number} {}: {}, {}", flaw.check.code, flaw.message, flaw.expected));
    std::iter::once(name(judged)).chain(flaws).collect()
}

/// The name of a face: its piece, its side, and how many more pieces have it.
fn name(judged: &Judged<'_>) -> String {
    let first = judged.printed.pieces.first().map_or("", String::as_str);
    let side = if judged.printed.is_front { "front" } else { "back" };
    match judged.printed.pieces.len() {
        0 | 1 => format!("{first} {side}"),
        many => format!("{first} and {} more, {side}", many - 1),
    }
}

fn overlay_svg(judged: &Judged<'_>) -> String {
    let (face, component) = (&judged.printed.face, judged.printed.component);
    let [w, h, bleed, safe] = [face.trim.w, face.trim.h, face.bleed, component.safe].map(Length::to_mm);
    let mut document = svg::Document::new().set("width", w).set("height", h).set("viewBox", format!("0 0 {w} {h}"));
    let rect = |inset: f64, colour: &str| {
        let (w, h) = ((w - 2.0 * inset).max(0.0), (h - 2.0 * inset).max(0.0));
        outlined([inset, inset, inset + w, inset + h], colour)
    };
    document = match component.outline {
        Outline::Circle => {
            let ring = |inset: f64, colour: &str| {
                let radius = (w / 2.0 - inset).max(0.0);
                let ring = Circle::new().set("cx", w / 2.0).set("cy", h / 2.0).set("r", radius);
                ring.set("fill", "none").set("stroke", colour).set("stroke-width", STROKE)
            };
            document.add(ring(-bleed, BLEED)).add(ring(0.0, TRIM)).add(ring(safe, SAFE))
        }
        Outline::HexFlat | Outline::HexPointy => {
            let ring = |colour: &str| {
                let corners = Shape::from(component.outline).corners(face.trim).unwrap_or_default();
                let points: Vec<String> = corners.iter().map(|c| format!("{},{}", c.x.to_mm(), c.y.to_mm())).collect();
                let ring = Polygon::new().set("points", points.join(" ")).set("fill", "none");
                ring.set("stroke", colour).set("stroke-width", STROKE)
            };
            document.add(rect(-bleed, BLEED)).add(ring(TRIM))
        }
        Outline::Rect | Outline::Standee => {
            document.add(rect(-bleed, BLEED)).add(rect(0.0, TRIM)).add(rect(safe, SAFE))
        }
        Outline::Drawn => document.add(rect(-bleed, BLEED)),
    };
    judged.flaws.iter().fold(document, |document, flaw| document.add(flagged(flaw, [w, h, bleed]))).to_string()
}

/// The box around a flaw, as far as it is on the face.
fn flagged(flaw: &Flaw, [w, h, bleed]: [f64; 3]) -> Rectangle {
    let [left, top, right, bottom] = flaw.extent;
    let inside = |value: f64, end: f64| value.clamp(-bleed, end + bleed);
    let (left, right) = (inside(left - STROKE, w), inside(right + STROKE, w));
    outlined([left, inside(top - STROKE, h), right, inside(bottom + STROKE, h)], FOUND)
        .set("stroke-width", STROKE * 1.5)
}

fn outlined([left, top, right, bottom]: [f64; 4], colour: &str) -> Rectangle {
    let place = Rectangle::new().set("x", left).set("y", top).set("width", right - left).set("height", bottom - top);
    place.set("fill", "none").set("stroke", colour).set("stroke-width", STROKE)
}
