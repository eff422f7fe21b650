//! What a sheet is before its furniture stands: a layout on the page, and the side of a sheet that is made from it.

use std::sync::Arc;

use super::duplex::Flip;
use super::standee;
use super::turn::{Frame, Turn};
use super::{Course, Line, Piece, Placement, Ring, Shape, Sheet, Side, Stack};
use crate::compose::face::Face;
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// A place for a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'s> {
    /// The piece.
    pub(super) piece: &'s Piece,
    /// Which side of it is seen.
    pub(super) side: Side,
    /// The outline of its cut.
    pub(super) shape: Shape,
    /// Where its trim lies.
    pub(super) trim: Rect,
    /// What may be painted.
    pub(super) clip: Rect,
    /// Where its top points.
    pub(super) turn: Turn,
}

impl Spot<'_> {
    /// What is behind the piece's front; that itself where there is nothing else.
    pub(super) fn back(&self) -> &Arc<Face> {
        self.piece.back.as_ref().unwrap_or(&self.piece.front)
    }
}

/// A few words at a place that was found for them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Note {
    /// The words.
    pub(super) text: String,
    /// Size of the em.
    pub(super) size: Length,
    /// Where the first baseline begins.
    pub(super) at: Point,
    /// Where the top of the words points.
    pub(super) turn: Turn,
    /// The room they take.
    pub(super) area: Rect,
}

/// Which part of a large board a sheet holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Row, from the board's top.
    pub(super) row: usize,
    /// Column, from the board's left.
    pub(super) column: usize,
    /// Number of rows.
    pub(super) rows: usize,
    /// Number of columns.
    pub(super) columns: usize,
    /// Size of the board.
    pub(super) board: Size,
    /// Where the board's top points on the page.
    pub(super) turn: Turn,
}

/// The front of a sheet: places and marks, in the frame that it was laid out in or on the page.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout<'s> {
    /// The components on it, in the order of the data.
    pub(super) stacks: Vec<&'s Stack>,
    /// The places, one for each piece.
    pub(super) spots: Vec<Spot<'s>>,
    /// Crop marks and the like.
    pub(super) lines: Vec<Line>,
    /// Cutting circles.
    pub(super) rings: Vec<Ring>,
    /// Words that belong to marks.
    pub(super) notes: Vec<Note>,
    /// Set for a part of a large board.
    pub(super) tile: Option<Tile>,
    /// Whether the sheet is the template's alone: no words of ours.
    pub(super) bare: bool,
    /// How it is folded, so that the backs come behind it; none where they are printed behind it or left out.
    pub(super) fold: Option<Flip>,
    /// Whether no more pieces of its component fit.
    pub(super) is_full: bool,
    /// Whether marks are missing on a side.
    pub(super) lacks_marks: bool,
    /// How far a piece reaches beyond what the printer does.
    pub(super) beyond_margin: Length,
    /// How many numbered cuts there are.
    pub(super) cuts: usize,
}

impl<'s> Layout<'s> {
    /// Whether any piece on it has a back.
    pub(super) fn has_backs(&self) -> bool {
        self.spots.iter().any(|spot| spot.shape != Shape::Standee && spot.piece.back.is_some())
    }

    /// Puts what lies on `other` on this sheet too.
    pub(super) fn add(&mut self, other: Layout<'s>) {
        self.stacks.extend(other.stacks);
        self.spots.extend(other.spots);
        self.lines.extend(other.lines);
        self.rings.extend(other.rings);
        self.notes.extend(other.notes);
        self.lacks_marks |= other.lacks_marks;
        self.cuts += other.cuts;
    }

    /// The same layout on the upright page.
    pub(super) fn on_page(mut self, frame: Frame) -> Self {
        for spot in &mut self.spots {
            (spot.trim, spot.clip, spot.turn) = (frame.rect(spot.trim), frame.rect(spot.clip), frame.turn());
        }
        for line in &mut self.lines {
            (line.from, line.to) = (frame.point(line.from), frame.point(line.to));
        }
        for ring in &mut self.rings {
            ring.course = ring.course.moved(|at| frame.point(at), 1.0);
        }
        for note in &mut self.notes {
            (note.at, note.area, note.turn) = (frame.point(note.at), frame.rect(note.area), frame.turn());
        }
        if let Some(tile) = &mut self.tile {
            tile.turn = frame.turn();
        }
        self
    }
}

/// One side of a sheet that still lacks its furniture.
pub(super) struct Draft {
    /// The side as it is so far.
    pub(super) sheet: Sheet,
    /// Words that belong to marks.
    pub(super) notes: Vec<Note>,
    /// Set for a part of a large board.
    pub(super) tile: Option<Tile>,
    /// Whether no words of ours may stand on it.
    pub(super) bare: bool,
    /// The titles of the components on it.
    pub(super) titles: Vec<String>,
}

impl Draft {
    /// The side that shows `layout`, which is already as that side is seen.
    pub(super) fn new(layout: Layout<'_>, side: Side, page: Size) -> Self {
        let titles: Vec<String> = layout.stacks.iter().map(|stack| stack.title.clone()).collect();
        let sheet = Sheet {
            page,
            side,
            components: layout.stacks.iter().map(|stack| stack.component.clone()).collect(),
            title: titles.join(" · "),
            placements: layout.spots.iter().flat_map(placements).collect(),
            lines: layout.lines,
            rings: layout.rings,
            words: Vec::new(),
        };
        Draft { sheet, notes: layout.notes, tile: layout.tile, bare: layout.bare, titles }
    }

    /// The empty side behind this one.
    pub(super) fn unprinted_back(&self) -> Self {
        let front = &self.sheet;
        let sheet = Sheet {
            page: front.page,
            side: Side::Back,
            components: front.components.clone(),
            title: front.title.clone(),
            placements: Vec::new(),
            lines: Vec::new(),
            rings: Vec::new(),
            words: Vec::new(),
        };
        Draft { sheet, notes: Vec::new(), tile: None, bare: false, titles: self.titles.clone() }
    }

    /// Everything that furniture has to keep clear of.
    pub(super) fn taken(&self) -> Vec<Rect> {
        let clips = self.sheet.placements.iter().map(|placement| placement.clip);
        let lines = self.sheet.lines.iter().map(area_of_line);
        let rings = self.sheet.rings.iter().map(area_of_ring);
        clips.chain(lines).chain(rings).chain(self.notes.iter().map(|note| note.area)).collect()
    }
}

/// The faces that are seen at `spot`.
fn placements(spot: &Spot<'_>) -> Vec<Placement> {
    match spot.shape {
        Shape::Standee => standee::placements(spot).to_vec(),
        _ => placement(spot).into_iter().collect(),
    }
}

/// The face that is seen at `spot`; none where the piece has no back.
fn placement(spot: &Spot<'_>) -> Option<Placement> {
    let piece = spot.piece;
    let face = match spot.side {
        Side::Front => &piece.front,
        Side::Back => piece.back.as_ref()?,
    };
    Some(Placement {
        piece: piece.address.clone(),
        side: spot.side,
        face: face.clone(),
        transform: spot.turn.laid_into(spot.trim),
        clip: spot.clip,
        tilted: None,
        trim: spot.trim,
        shape: spot.shape,
    })
}

/// The room that an upright or lying line takes, with its thickness.
pub(super) fn area_of_line(line: &Line) -> Rect {
    let (left, right) = (line.from.x.min(line.to.x), line.from.x.max(line.to.x));
    let (top, bottom) = (line.from.y.min(line.to.y), line.from.y.max(line.to.y));
    let half = line.width.half();
    let (across, along) = if left == right { (half, Length::ZERO) } else { (Length::ZERO, half) };
    Rect { x: left - across, y: top - along, w: right - left + across * 2, h: bottom - top + along * 2 }
}

fn area_of_ring(ring: &Ring) -> Rect {
    let half = ring.width.half();
    match ring.course {
        Course::Circle { centre, radius } => {
            Rect { x: centre.x, y: centre.y, w: Length::ZERO, h: Length::ZERO }.outset(radius + half)
        }
        Course::Hexagon(corners) => around(&corners).outset(half),
    }
}

/// The smallest upright rectangle around some places.
pub(super) fn around(places: &[Point]) -> Rect {
    let Some(first) = places.first() else { return Rect::default() };
    let (low, high) = places.iter().fold((*first, *first), |(low, high), at| {
        (Point { x: low.x.min(at.x), y: low.y.min(at.y) }, Point { x: high.x.max(at.x), y: high.y.max(at.y) })
    });
    Rect { x: low.x, y: low.y, w: high.x - low.x, h: high.y - low.y }
}
