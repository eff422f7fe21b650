//! The pages, composed with printpdf: faces where they lie, marks above them, an outline beside them.

use printpdf::{
    Color, Greyscale, Layer, LayerIntent, LayerInternalId, LayerSubtype, Line, LineDashPattern, LinePoint, Op,
    PageAnnotId, PageAnnotation, PaintMode, PdfDocument, PdfPage, Point, Polygon, PolygonRing, Pt, Rect, WindingOrder,
    XObjectId, XObjectTransform,
};
use printpdf::{CurTransMat, LineCapStyle, PdfSaveOptions};

use super::notes::{Notes, What};
use super::paths::THINNEST;
use super::plan::{Plan, page_matrix};
use super::{Document, contour, standard};
use crate::geometry::{self, Affine};
use crate::sheet::{self, Course, Placement, Sheet};
use crate::units::Length;

/// Resource names of the layers, which printpdf puts in their order: that in which they are painted. And their names for the reader.
const ART: (&str, &str) = ("LayerArt", "art");
const MARKS: (&str, &str) = ("LayerMarks", "marks");
const CUTS: &str = "LayerTrim";
const GUIDES: (&str, &str) = ("LayerZones", super::GUIDES_LAYER);

/// All pages.
pub(super) fn compose(document: &Document<'_>, plan: &Plan<'_>, notes: &mut Notes) -> PdfDocument {
    let mut pdf = PdfDocument::new(document.title);
    let cuts = document.cut.map(|spot| (CUTS, spot));
    let guides = (!document.guides.is_empty()).then_some(GUIDES);
    let layered = standard::allows_layers(document.standard);
    for (id, name) in [ART, MARKS].into_iter().chain(cuts).chain(guides).filter(|_| layered) {
        pdf.resources.layers.map.insert(LayerInternalId(id.to_owned()), layer(name, document.creator));
    }
    for (page, sheet) in document.sheets.iter().enumerate() {
        pdf.pages.push(compose_page(page, (document, sheet), plan, notes));
    }
    outline(&mut pdf, document.sheets);
    pdf
}

/// The pages as objects, not yet compressed.
pub(super) fn to_objects(pdf: &PdfDocument) -> lopdf::Document {
    pdf.to_lopdf_document(&PdfSaveOptions::default(), &mut Vec::new())
}

fn layer(name: &str, creator: &str) -> Layer {
    Layer {
        name: name.to_owned(),
        creator: creator.to_owned(),
        intent: LayerIntent::Design,
        usage: LayerSubtype::Artwork,
    }
}

fn compose_page(
    page: usize,
    (document, sheet): (&Document<'_>, &Sheet),
    plan: &Plan<'_>,
    notes: &mut Notes,
) -> PdfPage {
    let mut ops = vec![begin(ART)];
    for placement in &sheet.placements {
        ops.extend(placed(sheet, placement, plan));
    }
    ops.push(Op::EndLayer);
    ops.extend([begin(MARKS), Op::SaveGraphicsState]);
    lines(sheet, &mut ops, notes);
    if document.cut.is_none() {
        rings(sheet, &mut ops, notes);
    }
    ops.push(Op::RestoreGraphicsState);
    if !sheet.words.is_empty() {
        ops.extend(called(page_matrix(sheet), Plan::words_name(page)));
    }
    ops.push(Op::EndLayer);
    let cuts = document.cut.map(|spot| ((CUTS, spot), contour::cuts_name(page)));
    let guides = (!document.guides.is_empty()).then(|| (GUIDES, contour::guides_name(page)));
    for (layer, name) in cuts.into_iter().chain(guides) {
        ops.push(begin(layer));
        ops.extend(called(page_matrix(sheet), name));
        ops.push(Op::EndLayer);
    }
    if !standard::allows_layers(document.standard) {
        ops.retain(|op| !matches!(op, Op::BeginLayer { .. } | Op::EndLayer));
    }
    let size = Rect::from_wh(pt(sheet.page.w), pt(sheet.page.h));
    PdfPage { media_box: size.clone(), trim_box: size.clone(), crop_box: size, ops }
}

fn begin((id, _): (&str, &str)) -> Op {
    Op::BeginLayer { layer_id: LayerInternalId(id.to_owned()) }
}

/// A face where it lies, clipped.
fn placed(sheet: &Sheet, placement: &Placement, plan: &Plan<'_>) -> Vec<Op> {
    let place = page_matrix(sheet).then_inner(placement.transform);
    let mut ops = called(place, plan.name(placement));
    ops.insert(1, clip(sheet, placement));
    ops
}

/// Lets what follows paint only where `placement` may.
fn clip(sheet: &Sheet, placement: &Placement) -> Op {
    let (mode, winding_order) = (PaintMode::Clip, WindingOrder::NonZero);
    match placement.tilted {
        Some(corners) => {
            let points = corners.map(|at| LinePoint { p: point(sheet, at), bezier: false }).to_vec();
            Op::DrawPolygon { polygon: Polygon { rings: vec![PolygonRing { points }], mode, winding_order } }
        }
        None => {
            let (mode, winding_order) = (Some(mode), Some(winding_order));
            Op::DrawRectangle { rectangle: Rect { mode, winding_order, ..rectangle(sheet, placement.clip) } }
        }
    }
}

/// A form or what stands for one, under a matrix. The finishing pass puts in what is called.
fn called(matrix: Affine, name: String) -> Vec<Op> {
    let matrix = CurTransMat::Raw([matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f].map(|part| part as f32));
    vec![
        Op::SaveGraphicsState,
        Op::SetTransformationMatrix { matrix },
        Op::UseXobject {
            id: XObjectId(name),
            transform: XObjectTransform { no_auto_scale: true, ..Default::default() },
        },
        Op::RestoreGraphicsState,
    ]
}

/// A rectangle on the page, from the bottom left corner.
fn rectangle(sheet: &Sheet, rect: geometry::Rect) -> Rect {
    let corner = point(sheet, geometry::Point { x: rect.x, y: rect.bottom() });
    Rect { x: corner.x, y: corner.y, ..Rect::from_wh(pt(rect.w), pt(rect.h)) }
}

/// What is set for lines; only what changes is said again.
#[derive(PartialEq)]
struct Style {
    width: Length,
    grey: u8,
    dash: Option<Length>,
}

fn lines(sheet: &Sheet, ops: &mut Vec<Op>, notes: &mut Notes) {
    ops.push(Op::SetLineCapStyle { cap: LineCapStyle::Butt });
    let mut known = None;
    for line in &sheet.lines {
        let style = Style { width: thick_enough(line.width, notes), grey: line.grey, dash: line.dash };
        set_style(style, &mut known, ops);
        ops.push(drawn(sheet, line));
    }
    if known.is_some_and(|style| style.dash.is_some()) {
        ops.push(Op::SetLineDashPattern { dash: LineDashPattern::solid() });
    }
}

fn drawn(sheet: &Sheet, line: &sheet::Line) -> Op {
    let points = [line.from, line.to].map(|at| LinePoint { p: point(sheet, at), bezier: false }).to_vec();
    Op::DrawLine { line: Line { points, is_closed: false } }
}

fn rings(sheet: &Sheet, ops: &mut Vec<Op>, notes: &mut Notes) {
    let mut known = None;
    for ring in &sheet.rings {
        let style = Style { width: thick_enough(ring.width, notes), grey: ring.grey, dash: None };
        set_style(style, &mut known, ops);
        let line = match ring.course {
            Course::Circle { centre, radius } => circle(point(sheet, centre), radius),
            Course::Hexagon(corners) => {
                let corner = |at| LinePoint { p: point(sheet, at), bezier: false };
                Line { points: corners.map(corner).to_vec(), is_closed: true }
            }
        };
        ops.push(Op::DrawLine { line });
    }
}

fn set_style(style: Style, known: &mut Option<Style>, ops: &mut Vec<Op>) {
    let old = known.as_ref();
    if old.is_none_or(|old| old.width != style.width) {
        ops.push(Op::SetOutlineThickness { pt: pt(style.width) });
    }
    if old.is_none_or(|old| old.grey != style.grey) {
        let percent = f32::from(style.grey) / 255.0;
        ops.push(Op::SetOutlineColor { col: Color::Greyscale(Greyscale { percent, icc_profile: None }) });
    }
    if old.map_or(style.dash.is_some(), |old| old.dash != style.dash) {
        let dash = style.dash.map_or_else(LineDashPattern::solid, |dash| LineDashPattern::new(0.0, &[pt(dash).0]));
        ops.push(Op::SetLineDashPattern { dash });
    }
    *known = Some(style);
}

fn thick_enough(width: Length, notes: &mut Notes) -> Length {
    if width < THINNEST {
        notes.add(What::ThinLines);
    }
    width.max(THINNEST)
}

/// A circle out of four curves.
fn circle(centre: Point, radius: Length) -> Line {
    const QUARTER: f64 = 0.552_284_749_8;
    let radius = radius.to_pt();
    let at = |x: f64, y: f64, bezier: bool| {
        let p = Point { x: short(f64::from(centre.x.0) + x * radius), y: short(f64::from(centre.y.0) + y * radius) };
        LinePoint { p, bezier }
    };
    let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let mut points = vec![at(1.0, 0.0, false)];
    for quarter in 0..4 {
        let ((x, y), (next_x, next_y)) = (corners[quarter], corners[(quarter + 1) % 4]);
        points.push(at(x + next_x * QUARTER, y + next_y * QUARTER, true));
        points.push(at(next_x + x * QUARTER, next_y + y * QUARTER, true));
        points.push(at(next_x, next_y, false));
    }
    Line { points, is_closed: true }
}

/// An entry for every run of sheets with the same components, at its first sheet.
fn outline(pdf: &mut PdfDocument, sheets: &[Sheet]) {
    let mut last: Option<&[String]> = None;
    for (page, sheet) in (1..).zip(sheets) {
        if last != Some(sheet.components.as_slice()) {
            let id = PageAnnotId(format!("{page:06}"));
            pdf.bookmarks.map.insert(id, PageAnnotation { name: sheet.title.clone(), page });
            last = Some(&sheet.components);
        }
    }
}

/// A place on the page, from the bottom left corner.
fn point(sheet: &Sheet, at: geometry::Point) -> Point {
    Point { x: pt(at.x), y: pt(sheet.page.h - at.y) }
}

fn pt(length: Length) -> Pt {
    short(length.to_pt())
}

/// Rounded to a ten-thousandth of a point.
fn short(points: f64) -> Pt {
    Pt(((points * 1e4).round() / 1e4) as f32)
}
