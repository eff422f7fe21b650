//! Pictures with too few dots, or too many.

use resvg::usvg::{ImageKind, Node};

use super::art::{Leaf, affine, extent};
use super::flaw::{Flaw, Part, number};
use crate::diagnostics::checks;
use crate::model::preflight::Limits;

/// Millimetres in an inch.
const INCH: f64 = 25.4;

/// A picture beyond the limits, of `leaf` in layer `layer`.
pub fn resolution(leaf: Leaf<'_>, layer: usize, limits: &Limits) -> Option<Flaw> {
    let Node::Image(image) = leaf.node else { return None };
    if !image.is_visible() || matches!(image.kind(), ImageKind::SVG(_)) {
        return None;
    }
    let map = affine(image.abs_transform());
    // A dot may be wider than high.
    let ppi = INCH / map.a.hypot(map.b).max(map.c.hypot(map.d));
    let [error, warning, waste] = limits.ppi;
    let (check, limit, too_little) = match ppi {
        ppi if !ppi.is_finite() => return None,
        ppi if ppi < error - 0.5 => (checks::PICTURE_COARSE, error, true),
        ppi if ppi < warning - 0.5 => (checks::PICTURE_SOFT, warning, true),
        ppi if ppi > waste + 0.5 => (checks::PICTURE_FINE, waste, false),
        _ => return None,
    };
    let (w, h) = (image.size().width(), image.size().height());
    let bound = if too_little { "at least" } else { "at most" };
    Some(Flaw {
        check,
        message: format!("a picture of {w:.0} x {h:.0} dots has {ppi:.0} dots per inch"),
        expected: format!("{bound} {}", number(limit, 0)),
        measured: ppi,
        too_little,
        part: Part::Leaf(layer, leaf.number),
        extent: extent(image.abs_bounding_box()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::super::art::leaves;
    use super::*;
    use resvg::tiny_skia::Pixmap;
    use resvg::usvg::{ImageHrefResolver, Options, Tree};
    use std::sync::Arc;

    fn found(width: u32, mm: f64) -> Option<(&'static str, f64)> {
        let png = Arc::new(Pixmap::new(width, width).unwrap().encode_png().unwrap());
        let resolver = ImageHrefResolver {
            resolve_string: Box::new(move |_, _| Some(ImageKind::PNG(Arc::clone(&png)))),
            ..ImageHrefResolver::default()
        };
        let options = Options { image_href_resolver: resolver, ..Options::default() };
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="63" height="88"><image href="a.png" width="{mm}" height="{mm}"/></svg>"#
        );
        let tree = Tree::from_str(&svg, &options).unwrap();
        let leaves = leaves(&tree);
        let flaw = resolution(leaves[0], 0, &Limits::default())?;
        Some((flaw.check.code, flaw.measured.round()))
    }

    #[test]
    fn dots_are_counted_on_the_face() {
        assert_eq!(found(100, 25.4), Some(("picture-coarse", 100.0)));
        assert_eq!(found(200, 25.4), Some(("picture-soft", 200.0)));
        assert_eq!(found(300, 25.4), None);
        assert_eq!(found(150, 12.7), None);
        assert_eq!(found(700, 25.4), Some(("picture-fine", 700.0)));
    }
}
