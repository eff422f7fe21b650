//! Pictures of faces and sheets, from the very layers that the PDF is written from.

use ::png::{ColorType, Encoder, PixelDimensions, Unit};
use resvg::tiny_skia::{
    Color, FillRule, FilterQuality, IntRect, Mask, Paint, Path, PathBuilder, Pattern, Pixmap, PixmapMut, Rect,
    SpreadMode, Stroke, StrokeDash, Transform,
};

use super::{art, outline};
use crate::compose::face::{Face, GlyphRun, Layer};
use crate::fonts::Fonts;
use crate::geometry::{Affine, Point};
use crate::sheet::{Course, Line, Placement, Ring, Sheet};
use crate::units::Length;

const MM_PER_INCH: f64 = 25.4;
/// The most dots that a picture may have: a gigabyte of them.
const MOST_DOTS: u64 = 256 << 20;

/// How much of a face is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// What is left after cutting.
    Trim,
    /// The bleed as well.
    Bleed,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It would have no dots, or too many.
    Size,
    /// It could not be encoded.
    Encode(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Size => f.write_str("the picture would have no dots, or too many"),
            Failure::Encode(why) => write!(f, "the picture cannot be encoded: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// A face on nothing.
///
/// # Errors
/// [`Failure::Size`].
pub fn face(face: &Face, fonts: &Fonts, dpi: f64, area: Area) -> Result<Pixmap, Failure> {
    let bleed = match area {
        Area::Trim => 0.0,
        Area::Bleed => face.bleed.to_mm(),
    };
    let (width, height) = (face.trim.w.to_mm() + 2.0 * bleed, face.trim.h.to_mm() + 2.0 * bleed);
    let mut pixmap = canvas(width, height, dpi)?;
    let map = scale(dpi).then_inner(Affine::translate(bleed, bleed));
    layers(face, fonts, map, &mut pixmap.as_mut());
    Ok(pixmap)
}

/// A sheet on white paper.
///
/// # Errors
/// [`Failure::Size`].
pub fn sheet(sheet: &Sheet, fonts: &Fonts, dpi: f64) -> Result<Pixmap, Failure> {
    let mut paper = canvas(sheet.page.w.to_mm(), sheet.page.h.to_mm(), dpi)?;
    paper.fill(Color::WHITE);
    let map = scale(dpi);
    for placement in &sheet.placements {
        placed(placement, fonts, map, &mut paper);
    }
    sheet.lines.iter().for_each(|line| draw_line(line, map, &mut paper));
    sheet.rings.iter().for_each(|ring| draw_ring(ring, map, &mut paper));
    text(&sheet.words, fonts, map, &mut paper.as_mut());
    Ok(paper)
}

/// The picture in shades of grey, as bright as its colours are.
pub fn grey(mut picture: Pixmap) -> Pixmap {
    for dot in picture.data_mut().chunks_exact_mut(4) {
        if let [r, g, b, _] = dot {
            let level = (2126 * u32::from(*r) + 7152 * u32::from(*g) + 722 * u32::from(*b) + 5000) / 10_000;
            [*r, *g, *b] = [u8::try_from(level).unwrap_or(u8::MAX); 3];
        }
    }
    picture
}

/// The circle that touches the edges of a square picture, the corners clear. None when there is no such circle.
pub fn round(mut square: Pixmap) -> Option<Pixmap> {
    let (w, h) = (square.width(), square.height());
    let mut mask = Mask::new(w, h)?;
    let radius = w.min(h) as f32 / 2.0;
    let circle = PathBuilder::from_circle(w as f32 / 2.0, h as f32 / 2.0, radius)?;
    mask.fill_path(&circle, FillRule::Winding, true, Transform::identity());
    square.apply_mask(&mask);
    Some(square)
}

/// The picture on white paper.
pub fn on_white(mut picture: Pixmap) -> Pixmap {
    for dot in picture.data_mut().chunks_exact_mut(4) {
        if let [r, g, b, alpha] = dot {
            let paper = u8::MAX - *alpha;
            [*r, *g, *b] = [*r, *g, *b].map(|level| level.saturating_add(paper));
            *alpha = u8::MAX;
        }
    }
    picture
}

/// Whether the art of `face` covers everything as far as `bleed` beyond its trim, which is a circle if it is `round`, to a tenth of a
/// millimetre.
///
/// # Errors
/// [`Failure::Size`].
pub fn reaches(face: &Face, fonts: &Fonts, bleed: Length, round: bool) -> Result<bool, Failure> {
    /// Two dots in 0.35 mm.
    const DPI: f64 = 144.0;
    let large = Face { trim: face.trim, bleed, layers: face.layers.clone(), texts: Vec::new(), hash: face.hash };
    let picture = self::face(&large, fonts, DPI, Area::Bleed)?;
    let ring = (bleed.to_mm() * DPI / MM_PER_INCH).ceil() as u32;
    let (w, h) = (picture.width(), picture.height());
    let outside = |at: usize| {
        let (x, y) = (at as u32 % w, at as u32 / w);
        if round {
            let [dx, dy] = [(x, w), (y, h)].map(|(at, side)| f64::from(at) + 0.5 - f64::from(side) / 2.0);
            let from_edge = f64::from(w.min(h)) / 2.0 - dx.hypot(dy);
            return from_edge > 0.5 && from_edge < f64::from(ring);
        }
        x < ring || y < ring || x + ring >= w || y + ring >= h
    };
    Ok(picture.pixels().iter().enumerate().all(|(at, dot)| !outside(at) || dot.alpha() >= 0x80))
}

/// The picture as a PNG file that says how large it is on paper.
///
/// # Errors
/// [`Failure::Encode`].
pub fn encode(picture: &Pixmap, dpi: f64) -> Result<Vec<u8>, Failure> {
    let per_metre = (dpi * 1000.0 / MM_PER_INCH).round() as u32;
    let dots = PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_pixel_dims(Some(dots));
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&picture.clone().take_demultiplied())?;
        writer.finish()
    });
    written.map_err(|error| Failure::Encode(error.to_string()))?;
    Ok(bytes)
}

fn canvas(width: f64, height: f64, dpi: f64) -> Result<Pixmap, Failure> {
    let dots = |mm: f64| (mm * dpi / MM_PER_INCH).round() as u32;
    let (width, height) = (dots(width), dots(height));
    if u64::from(width) * u64::from(height) > MOST_DOTS {
        return Err(Failure::Size);
    }
    Pixmap::new(width, height).ok_or(Failure::Size)
}

fn scale(dpi: f64) -> Affine {
    Affine::scale(dpi / MM_PER_INCH, dpi / MM_PER_INCH)
}

/// Draws a face, mapped.
fn layers(face: &Face, fonts: &Fonts, map: Affine, pixmap: &mut PixmapMut<'_>) {
    for layer in &face.layers {
        match layer {
            Layer::Art(drawing) => {
                let map = map.then_inner(art::placement(face, drawing));
                resvg::render(&drawing.tree, outline::transform(map), pixmap);
            }
            Layer::Text(runs) => text(runs, fonts, map, pixmap),
        }
    }
}

fn text(runs: &[GlyphRun], fonts: &Fonts, map: Affine, pixmap: &mut PixmapMut<'_>) {
    for run in runs {
        let Some(path) = outline::run(fonts, run) else { continue };
        let opacity = (run.fill.opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
        let mut paint = Paint::default();
        paint.set_color_rgba8(run.fill.r, run.fill.g, run.fill.b, opacity);
        let map = outline::transform(map.then_inner(run.transform));
        pixmap.fill_path(&path, &paint, FillRule::Winding, map, None);
    }
}

/// Draws a face where it lies: on a layer of its own, which is then painted inside the clip.
fn placed(placement: &Placement, fonts: &Fonts, map: Affine, paper: &mut Pixmap) {
    let clip = art::bounds_of(placement.clip).mapped(map);
    let [left, top, right, bottom] = [clip.left, clip.top, clip.right, clip.bottom].map(|side| side as f32);
    let Some(clip) = Rect::from_ltrb(left, top, right, bottom) else { return };
    let page = IntRect::from_xywh(0, 0, paper.width(), paper.height());
    let Some(dots) = clip.round_out().and_then(|dots| page.and_then(|page| dots.intersect(&page))) else { return };
    let Some(mut layer) = Pixmap::new(dots.width(), dots.height()) else { return };
    let corner = Affine::translate(-f64::from(dots.x()), -f64::from(dots.y()));
    layers(&placement.face, fonts, corner.then_inner(map).then_inner(placement.transform), &mut layer.as_mut());
    let place = Transform::from_translate(dots.x() as f32, dots.y() as f32);
    let shader = Pattern::new(layer.as_ref(), SpreadMode::Pad, FilterQuality::Nearest, 1.0, place);
    let paint = Paint { shader, ..Paint::default() };
    let outline = placement.tilted.and_then(|corners| polygon(&corners, map));
    let outline = outline.unwrap_or_else(|| PathBuilder::from_rect(clip));
    paper.fill_path(&outline, &paint, FillRule::Winding, Transform::identity(), None);
}

/// Adds the outline with these corners, mapped.
fn push_polygon(path: &mut PathBuilder, corners: &[Point], map: Affine) {
    for (at, corner) in corners.iter().enumerate() {
        let (x, y) = map.apply(corner.x.to_mm(), corner.y.to_mm());
        let (x, y) = (x as f32, y as f32);
        if at == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.close();
}

/// The outline with these corners, mapped.
pub fn polygon(corners: &[Point], map: Affine) -> Option<Path> {
    let mut path = PathBuilder::new();
    push_polygon(&mut path, corners, map);
    path.finish()
}

fn draw_line(line: &Line, map: Affine, paper: &mut Pixmap) {
    let mut path = PathBuilder::new();
    path.move_to(line.from.x.to_mm() as f32, line.from.y.to_mm() as f32);
    path.line_to(line.to.x.to_mm() as f32, line.to.y.to_mm() as f32);
    let dash = line.dash.map(|dash| dash.to_mm() as f32);
    let dash = dash.and_then(|dash| StrokeDash::new(vec![dash, dash], 0.0));
    let stroke = Stroke { width: line.width.to_mm() as f32, dash, ..Stroke::default() };
    draw_stroke(path, line.grey, &stroke, map, paper);
}

fn draw_ring(ring: &Ring, map: Affine, paper: &mut Pixmap) {
    let mut path = PathBuilder::new();
    match ring.course {
        Course::Circle { centre, radius } => {
            path.push_circle(centre.x.to_mm() as f32, centre.y.to_mm() as f32, radius.to_mm() as f32);
        }
        Course::Hexagon(corners) => push_polygon(&mut path, &corners, Affine::IDENTITY),
    }
    let stroke = Stroke { width: ring.width.to_mm() as f32, ..Stroke::default() };
    draw_stroke(path, ring.grey, &stroke, map, paper);
}

fn draw_stroke(path: PathBuilder, grey: u8, stroke: &Stroke, map: Affine, paper: &mut Pixmap) {
    let Some(path) = path.finish() else { return };
    let mut paint = Paint::default();
    paint.set_color_rgba8(grey, grey, grey, u8::MAX);
    paper.stroke_path(&path, &paint, stroke, outline::transform(map), None);
}
