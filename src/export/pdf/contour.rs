//! Lines that are no ink on the pieces: where a machine cuts, in a spot colour of its own, and guides for whoever looks at the
//! file.

use std::sync::Arc;

use lopdf::{Object, dictionary};
use resvg::tiny_skia::{Path, PathBuilder, Rect as PathRect};

use super::Document;
use super::canvas::{Brush, Canvas, Part, Pen, numbers};
use super::ink::Rgb;
use super::paths::THINNEST;
use super::plan::{Drawn, page_matrix};
use super::resource::Piece;
use super::text::Subsets;
use crate::export::{art, png};
use crate::geometry::{Affine, Rect};
use crate::sheet::{Placement, Shape, Sheet, Side};
use crate::units::Length;

/// The colour of guides.
const GUIDE: Rgb = Rgb([0, 150, 190]);
/// How the spot colour is called in the resources of a page.
const SPACE: &str = "Cut";

/// The name by which page `page` calls its cuts.
pub(super) fn cuts_name(page: usize) -> String {
    format!("Cuts{page}")
}

/// The name by which page `page` calls its guides.
pub(super) fn guides_name(page: usize) -> String {
    format!("Guides{page}")
}

/// Draws the cuts and guides of all pages, as far as they are asked for.
pub(super) fn draw(document: &Document<'_>, subsets: &Subsets, drawn: &mut Drawn) {
    for (page, sheet) in document.sheets.iter().enumerate() {
        let canvas = || Canvas::new((subsets, document.ink), art::page_bounds(sheet), page_matrix(sheet), "c");
        if let Some(spot) = document.cut {
            let mut canvas = canvas();
            canvas.cuts(sheet, spot);
            drawn.inline.insert(cuts_name(page), canvas.finish());
        }
        if !document.guides.is_empty() {
            let mut canvas = canvas();
            canvas.guides(sheet, document);
            drawn.inline.insert(guides_name(page), canvas.finish());
        }
    }
}

impl Canvas<'_> {
    /// The outlines of all pieces. A sheet is cut from its fronts.
    fn cuts(&mut self, sheet: &Sheet, spot: &str) {
        let outlines = outlines(sheet);
        if outlines.is_empty() {
            return;
        }
        self.overprint();
        self.name_space(SPACE, separation(spot));
        self.stream.named(SPACE, "CS");
        self.stream.op(&[1.0], "SCN");
        self.thin();
        for path in outlines {
            self.outline(&path, Affine::IDENTITY);
            self.stream.word("S");
        }
    }

    fn guides(&mut self, sheet: &Sheet, document: &Document<'_>) {
        self.set_brush(Part::Stroke, Brush::Solid(GUIDE));
        self.thin();
        for placement in pieces(sheet) {
            let component = placement.piece.split('/').next().unwrap_or_default();
            let safe = document.guides.get(component).map(|safe| placement.trim.outset(-*safe));
            let shape = if placement.shape == Shape::Circle { Shape::Circle } else { Shape::Rect };
            for path in std::iter::once(placement.trim).chain(safe).filter_map(|rect| outline(rect, shape)) {
                self.outline(&path, Affine::IDENTITY);
                self.stream.word("S");
            }
        }
    }

    fn thin(&mut self) {
        let pen = Pen { width: THINNEST.to_mm(), cap: 0, join: 0, miter: 4.0, dash: Vec::new(), phase: 0.0 };
        self.set_pen(Pen { width: (pen.width * 1000.0).ceil() / 1000.0, ..pen });
    }

    /// Lets what lies below print as if nothing lay above.
    fn overprint(&mut self) {
        let state = dictionary! { "OP" => true, "op" => true, "OPM" => 1 };
        let transparent = self.transparent;
        self.apply(Piece { dict: state, ..Piece::default() });
        self.transparent = transparent;
    }
}

/// What is cut from the sheet: each once, even where something lies below it.
fn pieces(sheet: &Sheet) -> impl Iterator<Item = &Placement> {
    let page = Rect { w: sheet.page.w, h: sheet.page.h, ..Rect::default() };
    let cut = move |placement: &&Placement| page.contains(placement.trim) && placement.trim != page;
    sheet.placements.iter().filter(cut).filter(|placement| !placement.piece.is_empty())
}

/// The outlines of all pieces. A cut that neighbours share is there once: the later of them has an open line without it.
fn outlines(sheet: &Sheet) -> Vec<Path> {
    let mut known = Vec::new();
    let fronts = pieces(sheet).filter(|placement| placement.side == Side::Front);
    let paths = fronts.filter_map(|placement| match placement.shape {
        Shape::Rect | Shape::Standee => open_outline(placement.cut(), &mut known),
        Shape::Hex { .. } => png::polygon(&placement.corners()?, Affine::IDENTITY),
        shape => outline(placement.trim, shape),
    });
    paths.collect()
}

/// A straight cut, upright or lying: its place across, and where along it begins and ends.
#[derive(Clone, Copy, PartialEq)]
struct Cut {
    upright: bool,
    across: Length,
    along: (Length, Length),
}

impl Cut {
    /// What `known` cuts leave of this one.
    fn without(self, known: &[Cut]) -> Vec<Cut> {
        let same_line = known.iter().filter(|other| (other.upright, other.across) == (self.upright, self.across));
        same_line.fold(vec![self], |parts, other| {
            let around = |part: Cut| {
                let (from, to) = part.along;
                let before = Cut { along: (from, to.min(other.along.0)), ..part };
                let behind = Cut { along: (from.max(other.along.1), to), ..part };
                [before, behind].into_iter().filter(|part| part.along.0 < part.along.1)
            };
            parts.into_iter().flat_map(around).collect()
        })
    }
}

/// What is still to be cut of a rectangle when the `known` cuts are made; adds it to them.
fn open_outline(rect: Rect, known: &mut Vec<Cut>) -> Option<Path> {
    let lying = |across| Cut { upright: false, across, along: (rect.x, rect.right()) };
    let upright = |across| Cut { upright: true, across, along: (rect.y, rect.bottom()) };
    let edges = [lying(rect.y), upright(rect.right()), lying(rect.bottom()), upright(rect.x)];
    let parts: Vec<Cut> = edges.into_iter().flat_map(|edge| edge.without(known)).collect();
    let is_whole = parts == edges;
    known.extend(&parts);
    if is_whole {
        return outline(rect, Shape::Rect);
    }
    let mut path = PathBuilder::new();
    for Cut { upright, across, along: (from, to) } in parts {
        let [across, from, to] = [across, from, to].map(|length| length.to_mm() as f32);
        let [start, end] = if upright { [(across, from), (across, to)] } else { [(from, across), (to, across)] };
        path.move_to(start.0, start.1);
        path.line_to(end.0, end.1);
    }
    path.finish()
}

/// The outline of a straight or round cut.
fn outline(rect: Rect, shape: Shape) -> Option<Path> {
    let bounds = art::bounds_of(rect);
    let [left, top, right, bottom] = [bounds.left, bounds.top, bounds.right, bounds.bottom].map(|side| side as f32);
    match shape {
        Shape::Rect | Shape::Standee => PathRect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect),
        Shape::Circle => PathBuilder::from_circle((left + right) / 2.0, (top + bottom) / 2.0, (right - left) / 2.0),
        Shape::Hex { .. } | Shape::Drawn => None,
    }
}

/// A spot colour that shows as magenta where there is no such ink.
fn separation(name: &str) -> Arc<Piece> {
    let tint = dictionary! {
        "FunctionType" => 2, "Domain" => numbers(&[0.0, 1.0]), "C0" => numbers(&[0.0; 4]),
        "C1" => numbers(&[0.0, 1.0, 0.0, 0.0]), "N" => 1,
    };
    let space = vec![
        "Separation".into(),
        Object::Name(name.as_bytes().to_vec()),
        "DeviceCMYK".into(),
        Object::Dictionary(tint),
    ];
    Arc::new(Piece { array: Some(space), ..Piece::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: i64, y: i64, w: i64, h: i64) -> Rect {
        Rect { x: Length::mm(x), y: Length::mm(y), w: Length::mm(w), h: Length::mm(h) }
    }

    /// The cuts after the outlines of all `rects`, and how many of these had nothing left to cut.
    fn cuts(rects: &[Rect]) -> (Vec<Cut>, usize) {
        let mut known = Vec::new();
        let nothing = rects.iter().filter(|rect| open_outline(**rect, &mut known).is_none()).count();
        (known, nothing)
    }

    #[test]
    fn a_shared_cut_is_made_once() {
        let three_by_three: Vec<Rect> = (0..9).map(|k| rect(10 + k % 3 * 63, 10 + k / 3 * 88, 63, 88)).collect();
        let (cuts, _) = cuts(&three_by_three);
        // 4 lines of three cards each way.
        assert_eq!(cuts.len(), 24);
        let length: Length = cuts.iter().map(|cut| cut.along.1 - cut.along.0).sum();
        assert_eq!(length, Length::mm(4 * 3 * 63 + 4 * 3 * 88));
    }

    #[test]
    fn cuts_that_share_a_part_keep_the_rest() {
        let (known, _) = cuts(&[rect(0, 0, 20, 10), rect(10, 10, 30, 10)]);
        let upper_edge = known[4];
        assert_eq!((upper_edge.across, upper_edge.along), (Length::mm(10), (Length::mm(20), Length::mm(40))));
        assert_eq!(cuts(&[rect(0, 0, 20, 10), rect(0, 0, 20, 10)]).1, 1);
        assert_eq!(cuts(&[rect(0, 0, 20, 10), rect(24, 0, 20, 10)]).0.len(), 8);
    }
}
