//! Creases: dashed marks outside a piece where it is folded, with the word for it beside them.

use super::Line;
use super::draft::{Note, Spot, area_of_line};
use super::marks::{self, Cuts, Edges};
use super::turn::Turn;
use super::words::{ANY, Pen};
use crate::geometry::{Point, Rect};
use crate::units::Length;

/// Dash and gap, longer than those of a seam.
const DASH: Length = Length::mm(1);

/// Where the pieces at `spots` are folded, as far as it is within `around`: at these distances along their longer side.
fn creases(spots: &[Spot<'_>], folds: &[Length], around: Rect) -> Cuts {
    let mut creases = Cuts { xs: Vec::new(), ys: Vec::new(), around };
    for spot in spots {
        let is_turned = matches!(spot.turn, Turn::Left | Turn::Right);
        let size = if is_turned { spot.trim.size().turned() } else { spot.trim.size() };
        let is_wide = size.w >= size.h;
        for fold in folds {
            let at =
                if is_wide { Point { x: *fold, ..Point::default() } } else { Point { y: *fold, ..Point::default() } };
            let Point { x, y } = spot.turn.point_in(spot.trim, at);
            if is_wide == is_turned { creases.ys.push(y) } else { creases.xs.push(x) }
        }
    }
    creases.xs.retain(|x| around.x < *x && *x < around.right());
    creases.ys.retain(|y| around.y < *y && *y < around.bottom());
    for all in [&mut creases.xs, &mut creases.ys] {
        all.sort_unstable();
        all.dedup();
    }
    creases
}

/// The marks outside `around`, in which the pieces at `spots` lie.
pub(super) fn lines(spots: &[Spot<'_>], folds: &[Length], around: Rect, edges: &Edges) -> Vec<Line> {
    let lines = marks::crop(&creases(spots, folds, around), edges);
    lines.into_iter().map(|line| Line { dash: Some(DASH), ..line }).collect()
}

/// The word beside the creases among `lines`, where nothing of `lines` and `notes` is in its way.
pub(super) fn words(lines: &[Line], notes: &[Note], around: Rect, edges: &Edges, pen: &Pen<'_>) -> Vec<Note> {
    let mut taken: Vec<Rect> = lines.iter().map(area_of_line).chain(notes.iter().map(|note| note.area)).collect();
    let mut words = Vec::new();
    for crease in lines.iter().filter(|line| line.dash == Some(DASH)) {
        let free = |area| edges.leave_free(area, around, &taken);
        let word = marks::beside(crease, pen.wording().crease(), ANY, pen, free);
        taken.extend(word.iter().map(|word| word.area));
        words.extend(word);
    }
    words
}
