//! Small faces for the tests of the measures.

#![allow(clippy::unwrap_used)] // a test may fail

use std::sync::Arc;

use resvg::usvg::{Options, Tree};

use super::ground::{Ground, Shared};
use crate::compose::face::{Art, Face, Layer};
use crate::geometry::Size;
use crate::units::Length;

/// A face with a bleed of 2 mm that shows `body`, elements of SVG.
pub fn face(trim: Size, body: &str) -> Face {
    let (w, h) = (trim.w.to_mm(), trim.h.to_mm());
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}">{body}</svg>"#);
    let tree = Tree::from_str(&svg, &Options::default()).unwrap();
    Face { bleed: Length::mm(2), layers: vec![Layer::Art(Arc::new(Art::new(tree, svg)))], ..Face::blank(trim) }
}

/// Calls `judge` with the drawing of `face` and the face painted.
pub fn painted<T>(face: &Face, judge: impl FnOnce(&Art, &Ground<'_>) -> T) -> T {
    let shared = Shared::of(&[]);
    let mut ground = Ground::new(face, &shared).unwrap();
    let Layer::Art(art) = &face.layers[0] else { panic!("no drawing") };
    ground.paint(art);
    judge(art, &ground)
}
