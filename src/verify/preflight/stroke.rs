//! Lines too thin to print.

use resvg::usvg::{Node, Path};

use super::art::{Leaf, affine, extent};
use super::flaw::{Extent, Flaw, Part, number};
use super::ink::enlargement;
use crate::diagnostics::checks;
use crate::model::preflight::Limits;

/// Millimetres in a point.
const PT: f64 = 25.4 / 72.0;
/// Points that a width may be off by rounding.
const EXACT: f64 = 0.002;

/// The width of a path's stroke on the face, in millimetres. None where it has none that shows.
pub fn width(path: &Path) -> Option<f64> {
    let stroke = path.stroke().filter(|stroke| path.is_visible() && stroke.opacity().get() > 0.0)?;
    Some(f64::from(stroke.width().get()) * enlargement(affine(path.abs_transform())))
}

/// A stroke below the limit, of `leaf` in layer `layer`. What lies outside of `all`, trim and bleed, is not printed.
pub fn thin(leaf: Leaf<'_>, layer: usize, all: Extent, limits: &Limits) -> Option<Flaw> {
    let Node::Path(path) = leaf.node else { return None };
    let points = width(path)? / PT;
    let [left, top, right, bottom] = extent(path.abs_stroke_bounding_box());
    let shows = left < all[2] && right > all[0] && top < all[3] && bottom > all[1];
    // A stroke in the colour of the area that it goes around only makes that larger; a straight line goes around none.
    let area = path.abs_bounding_box();
    let is_area = f64::from(area.width().min(area.height())) > PT;
    let same = is_area && path.fill().zip(path.stroke()).is_some_and(|(fill, stroke)| fill.paint() == stroke.paint());
    (points < limits.stroke - EXACT && shows && !same).then(|| Flaw {
        check: checks::STROKE_THIN,
        message: format!("a line is {} pt wide", number(points, 3)),
        expected: format!("at least {} pt ({} mm)", number(limits.stroke, 3), number(limits.stroke * PT, 3)),
        measured: points,
        too_little: true,
        part: Part::Leaf(layer, leaf.number),
        extent: [left, top, right, bottom],
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::super::art::leaves;
    use super::*;
    use resvg::usvg::Tree;

    fn found(body: &str) -> Vec<String> {
        let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="63" height="88">{body}</svg>"#);
        let tree = Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
        let all = [-2.0, -2.0, 65.0, 90.0];
        leaves(&tree)
            .into_iter()
            .filter_map(|leaf| thin(leaf, 0, all, &Limits::default()))
            .map(|flaw| flaw.message)
            .collect()
    }

    #[test]
    fn strokes_are_measured_on_the_face() {
        assert!(found(r#"<path d="M1 1H9" stroke="black" stroke-width="0.1"/>"#).is_empty());
        assert_eq!(found(r#"<path d="M1 1H9" stroke="black" stroke-width="0.05"/>"#), ["a line is 0.142 pt wide"]);
        let scaled =
            |by| format!(r#"<g transform="scale({by})"><path d="M1 1H9" stroke="black" stroke-width="0.2"/></g>"#);
        assert!(found(&scaled(0.5)).is_empty());
        assert_eq!(found(&scaled(0.1)), ["a line is 0.057 pt wide"]);
    }

    #[test]
    fn what_does_not_show_is_no_line() {
        assert!(found(r#"<path d="M-9 1H-5" stroke="black" stroke-width="0.05"/>"#).is_empty());
        assert!(found(r#"<path d="M1 1H9" stroke="black" stroke-opacity="0" stroke-width="0.05"/>"#).is_empty());
        assert!(found(r#"<path d="M1 1H9V9Z" fill="red" stroke="red" stroke-width="0.05"/>"#).is_empty());
    }
}
