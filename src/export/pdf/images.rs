//! Pictures: those that a face shows, and those that stand for what PDF has no words for.

use std::sync::Arc;

use lopdf::{Dictionary, Object, dictionary};
use resvg::{tiny_skia, usvg};

use super::canvas::{Bounds, Canvas};
use super::ink::{Ink, Rgb};
use super::inks::Inks;
use super::notes::What;
use super::resource::Piece;
use crate::geometry::Affine;

/// Dots per inch of what is drawn as a picture.
const DPI: f64 = 600.0;
/// The most dots of such a picture; a larger one gets fewer per inch.
const MOST_DOTS: f64 = 48e6;
const MM_PER_INCH: f64 = 25.4;

impl Canvas<'_> {
    /// Paints an image.
    pub(super) fn image(&mut self, node: &usvg::Node, image: &usvg::Image, place: Affine) {
        if !image.is_visible() || self.dim <= 0.0 {
            return;
        }
        let bounds = Bounds::around(image.bounding_box(), place);
        let smooth = match image.rendering_mode() {
            usvg::ImageRendering::OptimizeQuality
            | usvg::ImageRendering::Smooth
            | usvg::ImageRendering::HighQuality => true,
            usvg::ImageRendering::OptimizeSpeed
            | usvg::ImageRendering::CrispEdges
            | usvg::ImageRendering::Pixelated => false,
        };
        let picture = match image.kind() {
            usvg::ImageKind::SVG(tree) => return self.nodes(tree.root().children(), place),
            usvg::ImageKind::PNG(data) => png(data, self.ink),
            usvg::ImageKind::JPEG(data) => match jpeg(data, self.ink) {
                None if self.converted(node, image, place) => return,
                as_it_is => as_it_is,
            },
            usvg::ImageKind::GIF(_) | usvg::ImageKind::WEBP(_) => None,
        };
        match picture {
            Some(mut picture) => {
                if smooth {
                    picture.dict.set("Interpolate", true);
                }
                let size = image.size();
                let unit = Affine::scale(f64::from(size.width()), f64::from(size.height()));
                self.paint_picture(picture, place.then_inner(unit));
            }
            None => self.picture(node, bounds, place, "an image that PDF cannot hold"),
        }
    }

    /// Paints an image dot by dot, in the ink of this canvas; false when it has no dots.
    fn converted(&mut self, node: &usvg::Node, image: &usvg::Image, place: Affine) -> bool {
        let local = Bounds::around(image.bounding_box(), Affine::IDENTITY);
        // usvg sizes an image by its own dots, and maps that size to where it lies.
        let Some(dots) = render(node, local, Affine::IDENTITY, 1.0) else { return false };
        let size = Affine::scale(f64::from(dots.width()), f64::from(dots.height()));
        let picture = picture(dots, self.ink);
        self.paint_picture(picture, place.then_inner(Affine::translate(local.left, local.top)).then_inner(size));
        true
    }

    /// Paints a picture whose corners are those of the unit square, y downwards, mapped by `place`.
    fn paint_picture(&mut self, picture: Piece, place: Affine) {
        let in_inks =
            picture.dict.get(b"ColorSpace").and_then(Object::as_name).is_ok_and(|space| space == b"DeviceCMYK");
        let dots = picture.data.as_deref().filter(|_| in_inks).unwrap_or_default();
        if let Some(percent) = self.ink.inks().and_then(|inks| most_excess(inks, dots)) {
            self.notes.add(What::TooMuchInk { percent });
        }
        self.transparent |= !picture.parts.is_empty();
        self.save();
        self.set_alpha(self.dim);
        let upright = Affine { d: -1.0, f: 1.0, ..Affine::IDENTITY };
        self.stream.matrix(place.then_inner(upright), "cm");
        self.paint_object(Arc::new(picture));
        self.restore();
    }

    /// Paints a node that PDF has no words for as a picture. `bounds` is what it covers of the canvas.
    pub(super) fn picture(&mut self, node: &usvg::Node, bounds: Bounds, place: Affine, why: &'static str) {
        let Some(seen) = bounds.outset(0.1).common(self.bounds) else { return };
        let area = seen.width() * seen.height() / (MM_PER_INCH * MM_PER_INCH);
        let dpi = DPI.min((MOST_DOTS / area).sqrt()).floor();
        let Some(dots) = render(node, seen, place, dpi / MM_PER_INCH) else {
            self.notes.add(What::Missing(why));
            return;
        };
        self.notes.add(What::Picture { why, dpi: dpi as u32 });
        let size =
            Affine::scale(f64::from(dots.width()) * MM_PER_INCH / dpi, f64::from(dots.height()) * MM_PER_INCH / dpi);
        let picture = picture(dots, self.ink);
        self.paint_picture(picture, Affine::translate(seen.left, seen.top).then_inner(size));
    }
}

/// A node in dots: `seen` of the canvas, `scale` dots to its unit.
fn render(node: &usvg::Node, seen: Bounds, place: Affine, scale: f64) -> Option<tiny_skia::Pixmap> {
    let dots = |length: f64| (length * scale).ceil().max(1.0) as u32;
    let mut pixmap = tiny_skia::Pixmap::new(dots(seen.width()), dots(seen.height()))?;
    // The renderer moves a node to the corner of its box; this takes that back.
    let corner = node.abs_layer_bounding_box()?;
    let map = Affine::scale(scale, scale)
        .then_inner(Affine::translate(-seen.left, -seen.top))
        .then_inner(place)
        .then_inner(Affine::translate(f64::from(corner.x()), f64::from(corner.y())));
    let [a, b, c, d, e, f] = [map.a, map.b, map.c, map.d, map.e, map.f].map(|part| part as f32);
    resvg::render_node(node, tiny_skia::Transform::from_row(a, b, c, d, e, f), &mut pixmap.as_mut())?;
    Some(pixmap)
}

fn png(data: &[u8], ink: Ink<'_>) -> Option<Piece> {
    Some(picture(tiny_skia::Pixmap::decode_png(data).ok()?, ink))
}

/// Dots as an image, grey where all of them are, with a mask where some are not opaque.
fn picture(pixmap: tiny_skia::Pixmap, ink: Ink<'_>) -> Piece {
    let (width, height) = (pixmap.width(), pixmap.height());
    let dots = pixmap.take_demultiplied();
    let (pixels, _) = dots.as_chunks::<4>();
    let grey = pixels.iter().all(|[r, g, b, _]| r == g && g == b);
    let (space, colours): (&str, Vec<u8>) = match ink {
        Ink::Rgb if grey => ("DeviceGray", pixels.iter().map(|[r, ..]| *r).collect()),
        Ink::Rgb => ("DeviceRGB", pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect()),
        Ink::Cmyk(_) if grey => ("DeviceGray", pixels.iter().map(|[r, ..]| *r).collect()),
        Ink::Cmyk(inks) => ("DeviceCMYK", inks.dots(pixels)),
        Ink::Grey => ("DeviceGray", pixels.iter().map(|[r, g, b, _]| level(ink, Rgb([*r, *g, *b]))).collect()),
    };
    let mut piece = Piece { dict: image(width, height, space), data: Some(colours), ..Piece::default() };
    if pixels.iter().any(|[.., alpha]| *alpha != 255) {
        let opacity = pixels.iter().map(|[.., alpha]| *alpha).collect();
        let mask = Piece { dict: image(width, height, "DeviceGray"), data: Some(opacity), ..Piece::default() };
        piece.parts.push(("SMask", Arc::new(mask)));
    }
    piece
}

/// The most ink of any dot, where that is more than the press can take.
fn most_excess(inks: &Inks, dots: &[u8]) -> Option<u32> {
    let (dots, _) = dots.as_chunks::<4>();
    let most = dots.iter().max_by_key(|dot| dot.iter().map(|ink| u32::from(*ink)).sum::<u32>())?;
    inks.excess(&most.map(|ink| f64::from(ink) / 255.0))
}

fn level(ink: Ink<'_>, colour: Rgb) -> u8 {
    let level = ink.components(colour).first().copied().unwrap_or(0.0);
    (level * 255.0).round() as u8
}

fn image(width: u32, height: u32, space: &str) -> Dictionary {
    dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(width),
        "Height" => i64::from(height),
        "ColorSpace" => space,
        "BitsPerComponent" => 8,
    }
}

/// A JPEG as it is. None for one that PDF readers might show otherwise than resvg does.
fn jpeg(data: &[u8], ink: Ink<'_>) -> Option<Piece> {
    let frame = JpegFrame::read(data)?;
    let space = match (frame.components, ink) {
        (1, _) => "DeviceGray",
        (3, Ink::Rgb) => "DeviceRGB",
        _ => return None,
    };
    let mut dict = image(frame.width, frame.height, space);
    dict.set("Filter", "DCTDecode");
    Some(Piece { dict, data: Some(data.to_vec()), ..Piece::default() })
}

/// What a JPEG says about itself.
struct JpegFrame {
    width: u32,
    height: u32,
    components: u8,
}

impl JpegFrame {
    /// Finds the frame among the markers; none for what is no baseline or progressive JPEG of eight bits.
    fn read(data: &[u8]) -> Option<Self> {
        let mut rest = data.strip_prefix(&[0xFF, 0xD8])?;
        loop {
            let [0xFF, marker, after @ ..] = rest else { return None };
            if *marker == 0xFF {
                rest = &rest[1..];
                continue;
            }
            let length = usize::from(u16::from_be_bytes(after.first_chunk().copied()?));
            let segment = after.get(2..length)?;
            match marker {
                0xC0..=0xC2 => {
                    let [8, h1, h0, w1, w0, components, ..] = segment else { return None };
                    let join = |high: &u8, low: &u8| u32::from(u16::from_be_bytes([*high, *low]));
                    return Some(JpegFrame { width: join(w1, w0), height: join(h1, h0), components: *components });
                }
                0xC3..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => return None,
                _ => rest = after.get(length..)?,
            }
        }
    }
}
