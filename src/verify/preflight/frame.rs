//! Frames that run along the cut so closely that a cut which is a little off shows.

use resvg::tiny_skia::PathSegment;
use resvg::usvg::{Node, Path};

use super::art::{Leaf, affine, extent};
use super::colour::{contrast, luminance};
use super::flaw::{Flaw, Part, number};
use super::ground::Ground;
use super::stroke::width;
use crate::compose::face::Face;
use crate::diagnostics::checks;
use crate::model::Outline;
use crate::model::preflight::Limits;

/// The share of a side that a line must run along to be a frame.
const LONG: f64 = 0.6;
/// Millimetres that a line may be off and still be straight, or on the cut.
const STRAIGHT: f64 = 0.1;
/// The least contrast of a frame that is seen.
const SEEN: f64 = 1.15;

/// A straight piece of an outline.
type Segment = [(f64, f64); 2];

/// A frame of `leaf` in layer `layer` that is nearer to the trim than allowed. `ground` shows the whole face.
pub fn near(
    leaf: Leaf<'_>,
    layer: usize,
    face: &Face,
    outline: Outline,
    ground: &Ground<'_>,
    limits: &Limits,
) -> Option<Flaw> {
    let Node::Path(path) = leaf.node else { return None };
    if leaf.is_clipped || !path.is_visible() {
        return None;
    }
    let half = width(path).unwrap_or(0.0) / 2.0;
    let size = (face.trim.w.to_mm(), face.trim.h.to_mm());
    let near = limits.frame - STRAIGHT;
    let distance = match outline {
        Outline::Rect | Outline::Standee => {
            let [left, top, right, bottom] = extent(path.abs_bounding_box());
            if right - left <= LONG * size.0 && bottom - top <= LONG * size.1 {
                return None;
            }
            let beside = |segment| beside_cut(segment, half, size, near, ground);
            segments(path).into_iter().filter_map(beside).reduce(f64::min)?
        }
        Outline::Circle => ring(path, half, size.0, near, ground)?,
        // A frame beside slanted cuts is not looked for.
        Outline::HexFlat | Outline::HexPointy | Outline::Drawn => return None,
    };
    Some(Flaw {
        check: checks::FRAME_NEAR,
        message: format!("a frame runs {} mm inside the trim", number(distance, 2)),
        expected: format!("at least {} mm, or into the bleed", number(limits.frame, 2)),
        measured: distance,
        too_little: true,
        part: Part::Leaf(layer, leaf.number),
        extent: extent(path.abs_stroke_bounding_box()),
    })
}

/// The straight pieces of a path, on the face.
fn segments(path: &Path) -> Vec<Segment> {
    let map = affine(path.abs_transform());
    let (mut start, mut last, mut found) = ((0.0, 0.0), (0.0, 0.0), Vec::new());
    for segment in path.data().segments() {
        let to = |point: resvg::tiny_skia::Point| map.apply(f64::from(point.x), f64::from(point.y));
        match segment {
            PathSegment::MoveTo(point) => (start, last) = (to(point), to(point)),
            PathSegment::LineTo(point) => {
                found.push([last, to(point)]);
                last = to(point);
            }
            PathSegment::QuadTo(_, point) | PathSegment::CubicTo(_, _, point) => last = to(point),
            PathSegment::Close => {
                found.push([last, start]);
                last = start;
            }
        }
    }
    found
}

/// How far inside the trim (`w` by `h`) the outer side of a line is that runs along it; none where it does not, is not nearer than
/// `near`, or is not seen.
fn beside_cut(
    [(x1, y1), (x2, y2)]: Segment,
    half: f64,
    (w, h): (f64, f64),
    near: f64,
    ground: &Ground<'_>,
) -> Option<f64> {
    let upright = (x1 - x2).abs() < STRAIGHT && (y1 - y2).abs() > LONG * h;
    let level = (y1 - y2).abs() < STRAIGHT && (x1 - x2).abs() > LONG * w;
    // The distance from the nearer edge, and the way from there inwards.
    let (from, inwards) = match (upright, level) {
        (true, _) if x1 < w / 2.0 => (x1, (1.0, 0.0)),
        (true, _) => (w - x1, (-1.0, 0.0)),
        (_, true) if y1 < h / 2.0 => (y1, (0.0, 1.0)),
        (_, true) => (h - y1, (0.0, -1.0)),
        _ => return None,
    };
    let outer = from - half;
    if outer < STRAIGHT || outer >= near {
        return None;
    }
    // Beside the line, between it and the cut, against the line itself or what is just inside of it.
    let (without, within) = (-half - outer / 2.0, if half > 0.0 { 0.0 } else { 2.0 * ground.dot_width() });
    let places = [0.2, 0.35, 0.5, 0.65, 0.8].map(|t| (x1 + (x2 - x1) * t, y1 + (y2 - y1) * t));
    let seen = places.iter().filter(|place| differs(**place, inwards, without, within, ground)).count();
    (seen * 2 > places.len()).then_some(outer)
}

/// The same for a ring along a round cut of diameter `trim`.
fn ring(path: &Path, half: f64, trim: f64, near: f64, ground: &Ground<'_>) -> Option<f64> {
    let curved =
        path.data().segments().any(|segment| matches!(segment, PathSegment::QuadTo(..) | PathSegment::CubicTo(..)));
    let straight = segments(path).iter().any(|[(x1, y1), (x2, y2)]| (x1 - x2).hypot(y1 - y2) > STRAIGHT);
    let [left, top, right, bottom] = extent(path.abs_bounding_box());
    let centre = |from: f64, to: f64| ((from + to) / 2.0 - trim / 2.0).abs() < 2.0 * STRAIGHT;
    let round = ((right - left) - (bottom - top)).abs() < 2.0 * STRAIGHT;
    if !curved || straight || !round || !centre(left, right) || !centre(top, bottom) {
        return None;
    }
    let radius = (right - left) / 2.0;
    let outer = trim / 2.0 - radius - half;
    if outer < STRAIGHT || outer >= near {
        return None;
    }
    let (without, within) = (-half - outer / 2.0, if half > 0.0 { 0.0 } else { 2.0 * ground.dot_width() });
    let seen = (0..8).filter(|eighth| {
        let (sin, cos) = (f64::from(*eighth) * std::f64::consts::FRAC_PI_4 + 0.2).sin_cos();
        let place = (trim / 2.0 + radius * cos, trim / 2.0 + radius * sin);
        differs(place, (-cos, -sin), without, within, ground)
    });
    (seen.count() > 4).then_some(outer)
}

/// Whether the colours `without` and `within` a place (distances inwards) differ so much that one sees it.
fn differs((x, y): (f64, f64), (dx, dy): (f64, f64), without: f64, within: f64, ground: &Ground<'_>) -> bool {
    let colour = |by: f64| ground.at(x + dx * by, y + dy * by);
    let (Some(outside), Some(inside)) = (colour(without), colour(within)) else { return false };
    contrast(luminance(outside), luminance(inside)) > SEEN
}

#[cfg(test)]
mod tests {
    use super::super::art::leaves;
    use super::super::testing::{face, painted};
    use super::*;
    use crate::geometry::Size;

    fn found(outline: Outline, body: &str) -> Vec<f64> {
        let face = face(Size::mm(40, 40), body);
        painted(&face, |art, ground| {
            let near = |leaf| near(leaf, 0, &face, outline, ground, &Limits::default());
            leaves(&art.tree).into_iter().filter_map(near).map(|flaw| (flaw.measured * 100.0).round() / 100.0).collect()
        })
    }

    #[test]
    fn a_frame_counts_from_its_outer_side() {
        let frame = |x: f64| {
            let side = 40.0 - 2.0 * x;
            format!(r#"<rect x="{x}" y="{x}" width="{side}" height="{side}" fill="none" stroke="black"/>"#)
        };
        assert_eq!(found(Outline::Rect, &frame(2.0)), [1.5]);
        assert!(found(Outline::Rect, &frame(3.5)).is_empty());
        assert!(found(Outline::Rect, &frame(0.5)).is_empty(), "it reaches the cut");
    }

    #[test]
    fn panels_count_and_short_or_unseen_lines_do_not() {
        assert_eq!(found(Outline::Rect, r#"<rect x="2" y="10" width="30" height="28" fill="navy"/>"#), [2.0]);
        assert!(found(Outline::Rect, r#"<path d="M2 10V30" stroke="black"/>"#).is_empty());
        assert!(found(Outline::Rect, r##"<path d="M2 5V35" stroke="#fdfdfd"/>"##).is_empty());
    }

    #[test]
    fn rings_count_on_round_pieces() {
        let ring = |radius: f64| format!(r#"<circle cx="20" cy="20" r="{radius}" fill="none" stroke="black"/>"#);
        assert_eq!(found(Outline::Circle, &ring(18.0)), [1.5]);
        assert!(found(Outline::Circle, &ring(16.0)).is_empty());
        assert!(found(Outline::Rect, &ring(18.0)).is_empty());
    }
}
