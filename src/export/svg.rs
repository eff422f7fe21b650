//! A finished face as plain SVG in millimetres, with text as outlines: it looks the same in every program.

use resvg::tiny_skia::PathSegment;
use svg::Document;
use svg::node::Blob;
use svg::node::element::{Group, Path, Title};

use super::outline;
use crate::compose::face::{Colour, Face, GlyphRun, Layer};
use crate::fonts::Fonts;
use crate::geometry::Affine;
use crate::units::Length;

mod embed;
mod sheet;

pub use sheet::sheet;

/// The face as an SVG document: its view box is the trim.
pub fn face(face: &Face, fonts: &Fonts) -> String {
    document(face, Length::ZERO, fonts)
}

/// The face as an SVG document: its view box is the trim and the bleed around it.
pub fn face_with_bleed(face: &Face, fonts: &Fonts) -> String {
    document(face, face.bleed, fonts)
}

/// The face and what it shows up to `around` beyond its trim.
fn document(face: &Face, around: Length, fonts: &Fonts) -> String {
    let size = face.trim.outset(around);
    let (width, height, corner) = (number(size.w.to_mm()), number(size.h.to_mm()), number(-around.to_mm()));
    let mut document = Document::new()
        .set("width", format!("{width}mm"))
        .set("height", format!("{height}mm"))
        .set("viewBox", format!("{corner} {corner} {width} {height}"))
        .set("overflow", "visible");
    let mut drawings = embed::Drawings::default();
    for layer in &face.layers {
        document = match layer {
            Layer::Art(art) => match drawings.embed(art, face.trim) {
                Some(text) => document.add(Blob::new(text)),
                None => document,
            },
            Layer::Text(runs) => document.add(text(fonts, runs)),
        };
    }
    format!("{document}\n")
}

fn text(fonts: &Fonts, runs: &[GlyphRun]) -> Group {
    let outlines = runs.iter().filter_map(|run| Some((run, outline::run(fonts, run)?)));
    outlines.fold(Group::new(), |group, (run, path)| group.add(drawn(run, &path)))
}

/// A run as a path that says what is written there.
fn drawn(run: &GlyphRun, path: &resvg::tiny_skia::Path) -> Path {
    let mut element = Path::new().set("d", data(path)).set("fill", colour(run.fill));
    if run.fill.opacity < 1.0 {
        element = element.set("fill-opacity", number(f64::from(run.fill.opacity)));
    }
    if run.transform != Affine::IDENTITY {
        element = element.set("transform", matrix(run.transform));
    }
    if run.text.trim().is_empty() {
        return element;
    }
    element.set("role", "img").set("aria-label", run.text.as_str()).add(Title::new(run.text.as_str()))
}

fn colour(colour: Colour) -> String {
    format!("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)
}

fn matrix(m: Affine) -> String {
    if (m.a, m.b, m.c, m.d) == (1.0, 0.0, 0.0, 1.0) {
        return format!("translate({} {})", number(m.e), number(m.f));
    }
    let [a, b, c, d] = [m.a, m.b, m.c, m.d].map(|part| decimals(part, 7));
    format!("matrix({a} {b} {c} {d} {} {})", number(m.e), number(m.f))
}

fn data(path: &resvg::tiny_skia::Path) -> String {
    let mut out = String::new();
    let mut put = |letter: char, points: &[resvg::tiny_skia::Point]| {
        out.push(letter);
        let numbers = points.iter().flat_map(|at| [at.x, at.y]).map(|value| number(f64::from(value)));
        out.push_str(&numbers.collect::<Vec<_>>().join(" "));
    };
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => put('M', &[p]),
            PathSegment::LineTo(p) => put('L', &[p]),
            PathSegment::QuadTo(control, p) => put('Q', &[control, p]),
            PathSegment::CubicTo(first, second, p) => put('C', &[first, second, p]),
            PathSegment::Close => put('Z', &[]),
        }
    }
    out
}

/// A number with at most four decimals.
fn number(value: f64) -> String {
    decimals(value, 4)
}

fn decimals(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
