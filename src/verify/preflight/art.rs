//! The shapes and pictures of a face, each with its number in its layer.

use resvg::usvg::{Group, Node, Transform, Tree};

use super::flaw::Extent;
use crate::geometry::Affine;

/// A shape or picture of a drawing.
#[derive(Clone, Copy)]
pub struct Leaf<'t> {
    /// Its place in the drawing, in paint order.
    pub number: usize,
    /// What it is.
    pub node: &'t Node,
    /// The id that it has in the template, or the group around it; empty where there is none.
    pub id: &'t str,
    /// Whether a group around it cuts off parts of it.
    pub is_clipped: bool,
}

/// All shapes and pictures of `tree`, in paint order.
pub fn leaves(tree: &Tree) -> Vec<Leaf<'_>> {
    let mut leaves = Vec::new();
    collect(tree.root(), "", false, &mut leaves);
    leaves
}

fn collect<'t>(group: &'t Group, around: &'t str, is_clipped: bool, leaves: &mut Vec<Leaf<'t>>) {
    let is_clipped = is_clipped || group.clip_path().is_some() || group.mask().is_some();
    for node in group.children() {
        let id = if node.id().is_empty() { around } else { node.id() };
        match node {
            Node::Group(inner) => collect(inner, id, is_clipped, leaves),
            Node::Path(_) | Node::Image(_) => leaves.push(Leaf { number: leaves.len(), node, id, is_clipped }),
            // Drawings are free of text.
            Node::Text(_) => {}
        }
    }
}

/// A map of a drawing. Drawings count in the millimetres of their face.
pub fn affine(t: Transform) -> Affine {
    let [a, b, c, d, e, f] = [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from);
    Affine { a, b, c, d, e, f }
}

/// A rectangle of a drawing.
pub fn extent(rect: resvg::tiny_skia::Rect) -> Extent {
    [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from)
}
