//! Art that stops before the end of the bleed.

use super::colour::Rgb;
use super::flaw::{Extent, Flaw, Part, number};
use super::ground::Ground;
use crate::compose::face::Face;
use crate::diagnostics::checks;
use crate::model::Outline;
use crate::sheet::Shape;

/// How far inside the trim one looks for art, in millimetres.
const INSIDE: f64 = 0.4;
/// The shortest gap that is told, in millimetres: less is a detail that ends there.
const SHORTEST: f64 = 2.0;
/// A part that is lighter is paper.
const PAPER: f64 = 0.98;

/// A place at the cut: one where it is, and the way outwards.
struct Spot {
    at: (f64, f64),
    out: (f64, f64),
}

/// The longest gap of each side (or of a round piece's rim), where art reaches the cut and not the end of the bleed.
pub fn empty(face: &Face, outline: Outline, ground: &Ground<'_>) -> Vec<Flaw> {
    let bleed = face.bleed.to_mm();
    if bleed <= 0.0 {
        return Vec::new();
    }
    let step = ground.dot_width();
    sides(face, outline, step).into_iter().filter_map(|(name, spots)| gap(name, &spots, step, bleed, ground)).collect()
}

/// The places along the cut, by sides.
fn sides(face: &Face, outline: Outline, step: f64) -> Vec<(&'static str, Vec<Spot>)> {
    let (w, h) = (face.trim.w.to_mm(), face.trim.h.to_mm());
    let along = |length: f64| (0..(length / step) as usize).map(move |at| (at as f64 + 0.5) * step);
    let side = |length: f64, place: &dyn Fn(f64) -> (f64, f64), out: (f64, f64)| {
        along(length).map(|t| Spot { at: place(t), out }).collect()
    };
    match outline {
        Outline::Rect | Outline::Standee => vec![
            ("top", side(w, &|t| (t, 0.0), (0.0, -1.0))),
            ("right", side(h, &|t| (w, t), (1.0, 0.0))),
            ("bottom", side(w, &|t| (t, h), (0.0, 1.0))),
            ("left", side(h, &|t| (0.0, t), (-1.0, 0.0))),
        ],
        Outline::Circle => {
            let radius = w / 2.0;
            let spots = along(std::f64::consts::TAU * radius).map(|t| {
                let (sin, cos) = (t / radius).sin_cos();
                Spot { at: (radius + radius * cos, radius + radius * sin), out: (cos, sin) }
            });
            vec![("round", spots.collect())]
        }
        Outline::HexFlat | Outline::HexPointy => {
            let corners = Shape::from(outline).corners(face.trim).unwrap_or_default();
            let corners = corners.map(|corner| (corner.x.to_mm(), corner.y.to_mm()));
            let names = ["side 1", "side 2", "side 3", "side 4", "side 5", "side 6"];
            let sides = names.into_iter().enumerate().map(|(at, name)| {
                let ((x, y), (to_x, to_y)) = (corners[at], corners[(at + 1) % 6]);
                let length = (to_x - x).hypot(to_y - y);
                let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
                // The corners go clockwise, so what is left of a side is outside.
                (name, side(length, &|t| (x + dx * t, y + dy * t), (dy, -dx)))
            });
            sides.collect()
        }
        // Nobody knows where the cut is.
        Outline::Drawn => Vec::new(),
    }
}

fn is_paper(colour: Rgb) -> bool {
    colour.iter().all(|part| *part > PAPER)
}

fn gap(name: &str, spots: &[Spot], step: f64, bleed: f64, ground: &Ground<'_>) -> Option<Flaw> {
    let place = |spot: &Spot, out: f64| (spot.at.0 + spot.out.0 * out, spot.at.1 + spot.out.1 * out);
    let is_bare = |spot: &Spot, out: f64| {
        let (x, y) = place(spot, out);
        ground.at(x, y).is_none_or(is_paper)
    };
    // The outermost dot may be half covered.
    let end = bleed - 1.5 * step;
    let is_gap = |spot: &&Spot| !is_bare(spot, -INSIDE) && is_bare(spot, end);
    let gaps: Vec<&Spot> = spots.iter().filter(is_gap).collect();
    let length = gaps.len() as f64 * step;
    if length < SHORTEST {
        return None;
    }
    let reach = |spot: &&Spot| {
        let steps = (0..).map(|n| f64::from(n) * step);
        steps.take_while(|out| *out < bleed).find(|out| is_bare(spot, *out + step / 2.0))
    };
    let least = gaps.iter().filter_map(reach).fold(bleed, f64::min);
    let extent: Option<Extent> = super::flaw::around(gaps.iter().map(|spot| {
        let ((x, y), (outer_x, outer_y)) = (place(spot, 0.0), place(spot, bleed));
        [x.min(outer_x), y.min(outer_y), x.max(outer_x), y.max(outer_y)]
    }));
    let side = if name == "round" { "the rim".to_owned() } else { format!("the {name} edge") };
    Some(Flaw {
        check: checks::BLEED_EMPTY,
        message: format!(
            "along {} mm of {side} the art reaches {} mm beyond the trim",
            number(length, 0),
            number(least, 1)
        ),
        expected: format!("{} mm, the component's bleed", number(bleed, 2)),
        measured: least,
        too_little: true,
        part: Part::Whole,
        extent: extent?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{face, painted};
    use super::*;
    use crate::geometry::Size;

    fn found(outline: Outline, body: &str) -> Vec<String> {
        let face = face(Size::mm(20, 20), body);
        painted(&face, |_, ground| empty(&face, outline, ground)).into_iter().map(|flaw| flaw.message).collect()
    }

    #[test]
    fn art_that_reaches_the_cut_goes_on_to_the_end_of_the_bleed() {
        let ground = |x: f64, w: f64| format!(r##"<rect x="{x}" y="-2" width="{w}" height="24" fill="#336699"/>"##);
        assert!(found(Outline::Rect, &ground(-2.0, 24.0)).is_empty());
        assert_eq!(
            found(Outline::Rect, &ground(-2.0, 22.0)),
            ["along 20 mm of the right edge the art reaches 0 mm beyond the trim"]
        );
        assert_eq!(
            found(Outline::Rect, &ground(-1.0, 23.0)),
            ["along 20 mm of the left edge the art reaches 1 mm beyond the trim"]
        );
    }

    #[test]
    fn white_and_what_stays_inside_needs_no_bleed() {
        assert!(found(Outline::Rect, "").is_empty());
        assert!(found(Outline::Rect, r##"<rect x="2" y="2" width="16" height="16" fill="#336699"/>"##).is_empty());
        assert!(found(Outline::Rect, r#"<rect width="20" height="20" fill="white"/>"#).is_empty());
    }

    #[test]
    fn a_rim_is_looked_at_all_around() {
        let disc = |radius: f64| format!(r##"<circle cx="10" cy="10" r="{radius}" fill="#336699"/>"##);
        assert!(found(Outline::Circle, &disc(12.0)).is_empty());
        assert_eq!(found(Outline::Circle, &disc(10.5)).len(), 1);
        assert!(found(Outline::Drawn, &disc(10.5)).is_empty());
    }
}
