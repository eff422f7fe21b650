//! How the drawings of a face map to its millimetres.

use super::pdf::Bounds;
use crate::compose::face::{Art, Face};
use crate::geometry::{Affine, Rect};
use crate::sheet::Sheet;

/// From the units of a drawing's tree to the millimetres of its face. The tree's size is the trim, so this is the identity
/// unless the drawing's own size was written in another unit than its view box.
pub(super) fn placement(face: &Face, art: &Art) -> Affine {
    let size = art.tree.size();
    let factor = |trim: f64, drawn: f32| {
        let factor = trim / f64::from(drawn);
        if factor.is_finite() && (factor - 1.0).abs() > 1e-5 { factor } else { 1.0 }
    };
    Affine::scale(factor(face.trim.w.to_mm(), size.width()), factor(face.trim.h.to_mm(), size.height()))
}

/// Trim and bleed of a face, in its millimetres.
pub(super) fn bounds(face: &Face) -> Bounds {
    let trim = Bounds { left: 0.0, top: 0.0, right: face.trim.w.to_mm(), bottom: face.trim.h.to_mm() };
    trim.outset(face.bleed.to_mm())
}

/// A rectangle in millimetres.
pub(super) fn bounds_of(rect: Rect) -> Bounds {
    Bounds { left: rect.x.to_mm(), top: rect.y.to_mm(), right: rect.right().to_mm(), bottom: rect.bottom().to_mm() }
}

/// A whole page, in millimetres.
pub(super) fn page_bounds(sheet: &Sheet) -> Bounds {
    Bounds { left: 0.0, top: 0.0, right: sheet.page.w.to_mm(), bottom: sheet.page.h.to_mm() }
}
