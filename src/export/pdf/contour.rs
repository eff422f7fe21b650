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
use crate::export::art;
use crate::geometry::{Affine, Rect};
use crate::sheet::{Placement, Shape, Sheet, Side};

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
        let fronts = pieces(sheet).filter(|placement| placement.side == Side::Front);
        let outlines: Vec<Path> = fronts.filter_map(|placement| outline(placement.trim, placement.shape)).collect();
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

/// The outline of a cut. None where the art draws it.
fn outline(rect: Rect, shape: Shape) -> Option<Path> {
    let bounds = art::bounds_of(rect);
    let [left, top, right, bottom] = [bounds.left, bounds.top, bounds.right, bounds.bottom].map(|side| side as f32);
    match shape {
        Shape::Rect => PathRect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect),
        Shape::Circle => PathBuilder::from_circle((left + right) / 2.0, (top + bottom) / 2.0, (right - left) / 2.0),
        Shape::Drawn => None,
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
