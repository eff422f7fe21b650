//! A side of a sheet as SVG that links to the pictures of its faces instead of holding them: for the screen.

use std::sync::Arc;

use svg::Document;
use svg::node::element::{Image, Line as Stroke, Path, Rectangle, SVG};

use super::{colour, matrix, number, text};
use crate::compose::face::{Colour, Face};
use crate::fonts::Fonts;
use crate::sheet::{Course, Line, Placement, Ring, Sheet};
use crate::units::Length;

/// The sheet as an SVG document in millimetres: the faces as links to what `picture` says, which must be
/// [`super::face_with_bleed`], then lines and rings, then words.
pub fn sheet(sheet: &Sheet, fonts: &Fonts, picture: &dyn Fn(&Arc<Face>) -> String) -> String {
    let (width, height) = (mm(sheet.page.w), mm(sheet.page.h));
    let paper = Rectangle::new().set("width", width.as_str()).set("height", height.as_str()).set("fill", "#ffffff");
    let mut document = Document::new()
        .set("width", format!("{width}mm"))
        .set("height", format!("{height}mm"))
        .set("viewBox", format!("0 0 {width} {height}"))
        .add(paper);
    for placement in &sheet.placements {
        document = document.add(placed(placement, picture(&placement.face)));
    }
    for drawn in &sheet.lines {
        document = document.add(line(drawn));
    }
    for drawn in &sheet.rings {
        document = document.add(ring(drawn));
    }
    format!("{}\n", document.add(text(fonts, &sheet.words)))
}

/// A face where it lies, cut off at its clip.
fn placed(placement: &Placement, picture: String) -> SVG {
    let (face, clip) = (&placement.face, placement.clip);
    let size = face.trim.outset(face.bleed);
    let image = Image::new()
        .set("href", picture)
        .set("x", mm(-face.bleed))
        .set("y", mm(-face.bleed))
        .set("width", mm(size.w))
        .set("height", mm(size.h))
        .set("preserveAspectRatio", "none")
        .set("transform", matrix(placement.transform));
    let (x, y, w, h) = (mm(clip.x), mm(clip.y), mm(clip.w), mm(clip.h));
    let view = format!("{x} {y} {w} {h}");
    SVG::new().set("x", x).set("y", y).set("width", w).set("height", h).set("viewBox", view).add(image)
}

fn line(line: &Line) -> Stroke {
    let element = Stroke::new()
        .set("x1", mm(line.from.x))
        .set("y1", mm(line.from.y))
        .set("x2", mm(line.to.x))
        .set("y2", mm(line.to.y))
        .set("stroke", colour(Colour::grey(line.grey)))
        .set("stroke-width", mm(line.width));
    match line.dash {
        Some(dash) => element.set("stroke-dasharray", mm(dash)),
        None => element,
    }
}

fn ring(ring: &Ring) -> Path {
    let course = match ring.course {
        Course::Circle { centre, radius } => {
            let (x, y, r) = (mm(centre.x - radius), mm(centre.y), mm(radius));
            let across = mm(radius * 2);
            format!("M{x} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z")
        }
        Course::Hexagon(corners) => {
            let corners: Vec<String> =
                corners.iter().map(|corner| format!("{} {}", mm(corner.x), mm(corner.y))).collect();
            format!("M{}Z", corners.join("L"))
        }
    };
    Path::new()
        .set("d", course)
        .set("fill", "none")
        .set("stroke", colour(Colour::grey(ring.grey)))
        .set("stroke-width", mm(ring.width))
}

fn mm(length: Length) -> String {
    number(length.to_mm())
}
