//! Furniture: the words that say what a sheet is, a ruler to check that it came out at 100 %, and the map of a tiled board. All of
//! it stands in the printable margin, outside bleed and marks, or not at all.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::draft::{Draft, Note, Tile};
use super::marks::solid;
use super::room::{Room, Strip};
use super::ruler;
use super::seams;
use super::turn::Turn;
use super::words::{ANY, BETWEEN, GREY, Pen, SMALL, Unruled};
use super::{Fault, Line, Options, Sheet, Side};
use crate::geometry::{Point, Rect, Size};
use crate::units::{EMU_PER_PT, Length};

/// Distance of two lines of words.
const LEADING: Length = Length::emu(EMU_PER_PT * 36 / 5);
/// How much of a strip's length the words may take, tried in this order: the shorter, the more lines.
const SHARES: [(i64, i64); 5] = [(1, 1), (2, 3), (1, 2), (1, 3), (1, 4)];

/// The larger side of the map of a tiled board, tried in this order, and the size of the tile's name beside it.
const MAPS: [Length; 3] = [Length::mm(14), Length::mm(9), Length::mm(6)];
const NAME: Length = Length::emu(EMU_PER_PT * 12);
/// Darkness of the tile's own field on the map.
const MAP_FIELD: u8 = 128;
/// What stands beside each other stands this far apart.
pub(super) const BESIDE: Length = Length::mm(1);

/// A sheet with its furniture.
pub(super) struct Dressed {
    /// The sheet.
    pub(super) sheet: Sheet,
    /// Whether words of ours say what it is, or none need to.
    pub(super) has_words: bool,
    /// The words that stand on it, those beside marks first.
    pub(super) notes: Vec<Note>,
}

/// Puts the furniture on all sheets, which by now know how many they are.
pub(super) fn dress(drafts: Vec<Draft>, options: &Options, pen: &Pen<'_>, faults: &mut Vec<Fault>) -> Vec<Sheet> {
    let pages = drafts.len();
    let dressed = drafts.into_par_iter().enumerate().map(|(at, draft)| {
        let Dressed { mut sheet, has_words, notes } = dressed(draft, (at + 1, pages), options, pen);
        sheet.words = notes.iter().flat_map(|note| pen.write(note)).collect();
        (sheet, has_words)
    });
    let dressed: Vec<(Sheet, bool)> = dressed.collect();
    let mut wordless = BTreeSet::new();
    for (sheet, _) in dressed.iter().filter(|(_, has_words)| !has_words) {
        if wordless.insert(sheet.component()) {
            faults.push(Fault::NoRoomForWords { component: sheet.component().to_owned() });
        }
    }
    dressed.into_iter().map(|(sheet, _)| sheet).collect()
}

/// The side that is page `page.0` of `page.1`, with its furniture; the words are still to be written.
pub(super) fn dressed(draft: Draft, page: (usize, usize), options: &Options, pen: &Pen<'_>) -> Dressed {
    let taken = draft.taken();
    let Draft { mut sheet, mut notes, tile, bare, titles } = draft;
    let mut has_words = true;
    if !bare {
        let room = Room::new(options.printable(), taken);
        let topic = Topic { sheet: &sheet, titles, tile, page, unruled: None };
        let mut stands = Furniture::of(&topic, options, pen, room.clone());
        if stands.unruled.is_some() {
            // Said on the page, unless what is said takes the room of something else.
            let saying = Furniture::of(&Topic { unruled: stands.unruled, ..topic }, options, pen, room);
            if saying.says_all && saying.unruled == stands.unruled {
                stands = saying;
            }
        }
        has_words = stands.has_words;
        sheet.lines.extend(stands.lines);
        notes.extend(stands.notes);
    }
    Dressed { sheet, has_words, notes }
}

/// What stands beside the pieces of a sheet.
#[derive(Default)]
struct Furniture {
    lines: Vec<Line>,
    notes: Vec<Note>,
    has_words: bool,
    /// Whether none of them were left out.
    says_all: bool,
    /// Which rulers found no room.
    unruled: Option<Unruled>,
}

impl Furniture {
    fn of(topic: &Topic<'_>, options: &Options, pen: &Pen<'_>, mut room: Room) -> Self {
        let (words, says_all) = imprint(topic, options, pen, &mut room);
        let mut all = Furniture { has_words: !words.is_empty(), says_all, notes: words, ..Furniture::default() };
        let is_printed = !topic.sheet.placements.is_empty();
        let across = is_printed.then(|| ruler::across(&mut room, pen)).flatten();
        let map = topic.tile.filter(|_| topic.sheet.side == Side::Front).and_then(|tile| map(tile, &mut room, pen));
        let down = is_printed.then(|| ruler::down(&mut room, pen)).flatten();
        all.unruled = match (across.is_some(), down.is_some()) {
            _ if !is_printed => None,
            (true, true) => None,
            (false, true) => Some(Unruled::Across),
            (true, false) => Some(Unruled::Down),
            (false, false) => Some(Unruled::Both),
        };
        for (lines, notes) in [across, map, down].into_iter().flatten() {
            all.lines.extend(lines);
            all.notes.extend(notes);
        }
        all
    }
}

/// Lines and words that belong together.
pub(super) type Drawing = (Vec<Line>, Vec<Note>);

/// The words that say what this sheet is: all of them in as few lines as possible, or only the most needed ones; and whether they
/// are all.
fn imprint(topic: &Topic<'_>, options: &Options, pen: &Pen<'_>, room: &mut Room) -> (Vec<Note>, bool) {
    let mut written = |phrases: &[String]| paragraph(phrases, options.printable(), pen, room);
    match written(&topic.phrases(options, pen)) {
        Some(all) => (all, true),
        None => (written(&topic.needed_phrases(pen)).unwrap_or_default(), false),
    }
}

/// What the words of a sheet speak of.
struct Topic<'a> {
    sheet: &'a Sheet,
    /// Titles of the components on it.
    titles: Vec<String>,
    tile: Option<Tile>,
    /// The page, and how many there are.
    page: (usize, usize),
    /// The rulers that are to be missed.
    unruled: Option<Unruled>,
}

impl Topic<'_> {
    fn phrases(&self, options: &Options, pen: &Pen<'_>) -> Vec<String> {
        let (wording, imprint, sheet) = (pen.wording(), &options.imprint, self.sheet);
        let mut phrases = vec![imprint.game.clone()];
        phrases.extend(self.names());
        phrases.push(self.side(pen).to_owned());
        if sheet.placements.is_empty() {
            phrases.push(wording.empty().to_owned());
        }
        phrases.push(imprint.players.clone());
        phrases.push(wording.page(self.page.0, self.page.1));
        phrases.push(format!("{} 100 %", options.paper.title()));
        phrases.push(wording.flip(options.sides).to_owned());
        phrases.extend(self.unruled.map(|unruled| wording.unruled(unruled).to_owned()));
        if sheet.side == Side::Back && !options.adjustment.is_none() {
            phrases.push(wording.adjusted(options.adjustment));
        }
        if let Some(tab) = self.tile.and_then(seams::tab) {
            phrases.push(wording.tab(tab, options.overlap));
        }
        phrases.push([imprint.version.as_str(), imprint.hash.as_str()].join(" ").trim().to_owned());
        phrases.push(imprint.made_with.clone());
        phrases.retain(|phrase| !phrase.is_empty());
        phrases
    }

    fn needed_phrases(&self, pen: &Pen<'_>) -> Vec<String> {
        let wording = pen.wording();
        let mut phrases = self.names();
        phrases.extend([self.side(pen).to_owned(), wording.page(self.page.0, self.page.1)]);
        phrases
    }

    /// Which side of the pieces it shows.
    fn side(&self, pen: &Pen<'_>) -> &'static str {
        let wording = pen.wording();
        if self.sheet.is_folded() { wording.both() } else { wording.side(self.sheet.side) }
    }

    /// What lies on the sheet: the components, or which tile of a board.
    fn names(&self) -> Vec<String> {
        let tile = self.tile.map(seams::name).unwrap_or_default();
        self.titles.iter().map(|title| format!("{title} {tile}").trim().to_owned()).collect()
    }
}

/// `phrases` as a block of lines, where there is room for it.
fn paragraph(phrases: &[String], printable: Rect, pen: &Pen<'_>, room: &mut Room) -> Option<Vec<Note>> {
    SHARES.into_iter().find_map(|(share, of)| {
        Strip::ALL.into_iter().find_map(|strip| {
            let lines = lines(phrases, strip.length(printable) * share / of, pen);
            let size = block_size(&lines, pen);
            let place = room.take(strip, size)?;
            let note = |(line, index)| {
                let corner = Point { x: Length::ZERO, y: LEADING * index };
                pen.note_in(line, SMALL, corner, place, strip.turn())
            };
            Some(lines.iter().map(String::as_str).zip(0..).map(note).collect())
        })
    })
}

/// Phrases joined into lines no longer than `limit`, as far as no phrase is longer by itself.
fn lines(phrases: &[String], limit: Length, pen: &Pen<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (between, mut width) = (pen.between(SMALL), Length::ZERO);
    for phrase in phrases {
        let own = pen.room(phrase, SMALL, ANY).w;
        match lines.last_mut() {
            Some(last) if width + between + own <= limit => {
                last.push_str(BETWEEN);
                last.push_str(phrase);
                width = width + between + own;
            }
            _ => {
                lines.push(phrase.clone());
                width = own;
            }
        }
    }
    lines
}

fn block_size(lines: &[String], pen: &Pen<'_>) -> Size {
    let rooms = lines.iter().zip(0..).map(|(line, index)| (pen.room(line, SMALL, ANY), index));
    rooms.fold(Size::default(), |block, (room, index)| Size {
        w: block.w.max(room.w),
        h: block.h.max(LEADING * index + room.h),
    })
}

/// The map of a tiled board with this tile's field filled, and its name beside it; the name alone where there is less room.
fn map(tile: Tile, room: &mut Room, pen: &Pen<'_>) -> Option<Drawing> {
    let name = seams::name(tile);
    let label = pen.room(&name, NAME, ANY);
    let sizes = MAPS.into_iter().map(|longest| map_size(tile.board, longest)).chain([Size::default()]);
    sizes.into_iter().find_map(|map| {
        let gap = if map.w > Length::ZERO { BESIDE } else { Length::ZERO };
        let size = Size { w: map.w + gap + label.w, h: map.h.max(label.h) };
        let (strip, place) = Strip::ALL.into_iter().find_map(|strip| Some((strip, room.take(strip, size)?)))?;
        let corner = Point { x: map.w + gap, y: Length::ZERO };
        let note = pen.note_in(&name, NAME, corner, place, strip.turn());
        Some((fields(tile, map, place, strip.turn()), vec![note]))
    })
}

fn map_size(board: Size, longest: Length) -> Size {
    let scaled = |side: Length| {
        let longer = board.w.max(board.h).to_emu().max(1);
        Length::emu(side.to_emu() * longest.to_emu() / longer)
    };
    Size { w: scaled(board.w), h: scaled(board.h) }
}

/// The fields of the map, `size` large, at the beginning of `place`.
fn fields(tile: Tile, size: Size, place: Rect, turn: Turn) -> Vec<Line> {
    if size == Size::default() {
        return Vec::new();
    }
    let x = |column: usize| share(size.w, column, tile.columns);
    let y = |row: usize| share(size.h, row, tile.rows);
    let at = |x: Length, y: Length| turn.point_in(place, Point { x, y });
    let grey = |line: Line| Line { grey: GREY, ..line };
    let (top, bottom) = (y(tile.row), y(tile.row + 1));
    let middle = top + (bottom - top).half();
    let field = Line {
        from: at(x(tile.column), middle),
        to: at(x(tile.column + 1), middle),
        width: bottom - top,
        grey: MAP_FIELD,
        dash: None,
    };
    let upright = (0..=tile.columns).map(|column| grey(solid(at(x(column), Length::ZERO), at(x(column), size.h))));
    let lying = (0..=tile.rows).map(|row| grey(solid(at(Length::ZERO, y(row)), at(size.w, y(row)))));
    std::iter::once(field).chain(upright).chain(lying).collect()
}

/// `part` of `parts` equal parts of a length.
fn share(length: Length, part: usize, parts: usize) -> Length {
    let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    length * whole(part) / whole(parts.max(1))
}
