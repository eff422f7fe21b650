//! Several components at once: which share sheets, where they lie on them, and the laws that hold for all of them.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::draft::area_of_line;
use super::laws::{PEN, all_marks, all_sides, behind, gutters, margins, papers, registers, shapes};
use super::testing::{FONTS, boards, cards, hundredths, options};
use super::*;

/// A stack of `count` tokens or cards with a bleed of 2 mm, called `name`.
fn stack(name: &str, trim: Size, count: usize, shape: Shape) -> Stack {
    let mut stack = cards(trim, count, Gutter::Shared);
    (stack.component, stack.title, stack.shape) = (name.to_owned(), name.to_uppercase(), shape);
    (stack.kind, stack.bleed) = (if shape == Shape::Rect { Kind::Card } else { Kind::Token }, Length::mm(2));
    let named = |(k, piece): (usize, Piece)| Piece { address: format!("{name}/{k}"), ..piece };
    stack.pieces = stack.pieces.into_iter().enumerate().map(named).collect();
    stack
}

fn without_backs(mut stack: Stack) -> Stack {
    stack.pieces.iter_mut().for_each(|piece| piece.back = None);
    stack
}

fn discs() -> [Stack; 3] {
    [
        stack("drive", Size::mm(25, 25), 8, Shape::Circle),
        stack("arrow", Size::mm(50, 50), 4, Shape::Circle),
        stack("slot", Size::mm(22, 22), 1, Shape::Circle),
    ]
}

/// The components of each sheet.
fn components(stacks: &[Stack], options: &Options) -> Vec<Vec<String>> {
    impose(stacks, options, &FONTS).sheets.into_iter().map(|sheet| sheet.components).collect()
}

/// Where the first piece of each component lies on a sheet, in whole millimetres.
fn corners(sheet: &Sheet) -> Vec<(&str, i64, i64)> {
    let mut corners: Vec<(&str, i64, i64)> = Vec::new();
    for placed in &sheet.placements {
        let component = placed.piece.split('/').next().unwrap_or_default();
        if corners.last().is_none_or(|(last, ..)| *last != component) {
            let whole = |length: Length| length.to_emu() / Length::mm(1).to_emu();
            corners.push((component, whole(placed.trim.x), whole(placed.trim.y)));
        }
    }
    corners
}

#[test]
fn small_components_share_a_sheet() {
    let sheets = impose(&discs(), &options("a4"), &FONTS).sheets;
    let [front, back] = sheets.as_slice() else { panic!("one sheet") };
    assert_eq!(front.components, ["drive", "arrow", "slot"]);
    assert_eq!((front.component(), front.title.as_str()), ("drive", "DRIVE · ARROW · SLOT"));
    // Rows from the top: each block is 6 mm off its neighbours' trims, 3 mm off what the printer does not reach.
    assert_eq!(corners(front), [("drive", 8, 8), ("arrow", 8, 68), ("slot", 126, 8)]);
    assert_eq!(corners(back), [("drive", 177, 8), ("arrow", 152, 68), ("slot", 62, 8)]);
    assert_eq!((front.placements.len(), front.rings.len()), (13, 26));
    assert_eq!((back.placements.len(), back.rings.len()), (13, 0));
    let drive = |k: usize| front.placements[k].trim;
    assert_eq!((drive(3).x, drive(4).y), (Length::mm(8 + 3 * 29), Length::mm(8 + 29)));
}

#[test]
fn a_component_with_a_sheet_of_its_own_shares_with_none() {
    let mut stacks = discs();
    stacks[1].own_sheet = true;
    let own = components(&stacks, &options("a4"));
    assert_eq!(own, [vec!["drive", "slot"], vec!["drive", "slot"], vec!["arrow"], vec!["arrow"]]);
}

#[test]
fn backs_go_with_backs_unless_none_are_printed() {
    let [drive, arrow, slot] = discs();
    let stacks = [drive, without_backs(arrow), slot];
    let front = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let two_sided = components(&stacks, &options("a4"));
    assert_eq!(two_sided, [front(&["drive", "slot"]), front(&["drive", "slot"]), front(&["arrow"])]);
    let fronts = components(&stacks, &Options { sides: Sides::Fronts, ..options("a4") });
    assert_eq!(fronts, [front(&["drive", "arrow", "slot"])]);
}

#[test]
fn what_is_left_of_a_deck_shares_its_sheet() {
    let poker = |name, count| stack(name, Size::mm(63, 88), count, Shape::Rect);
    let stacks = [poker("hand", 24), poker("recruit", 30), boards(Size::mm(180, 250), 1)];
    let one_sided = Options { sides: Sides::Fronts, ..options("a4") };
    let sheets = impose(&stacks, &one_sided, &FONTS).sheets;
    let on: Vec<(String, usize)> =
        sheets.iter().map(|sheet| (sheet.components.join("+"), sheet.placements.len())).collect();
    let wanted =
        [("hand", 9), ("hand", 9), ("hand+recruit", 9), ("recruit", 9), ("recruit", 9), ("recruit", 9), ("board", 1)];
    assert_eq!(on, wanted.map(|(names, count)| (names.to_owned(), count)));
    // Bleed of 2 mm and marks of 3 mm around each block.
    assert_eq!(corners(&sheets[2]), [("hand", 10, 10), ("recruit", 10, 196)]);
    let ticks = |y: i64| sheets[2].lines.iter().filter(move |line| line.from.y == Length::mm(y)).count();
    // Below the first block, above the second: four cuts each.
    assert_eq!((ticks(188), ticks(191)), (4, 4));
    // A full sheet of a deck stays as it is, even if a token would fit beside it.
    let full = [poker("hand", 18), stack("slot", Size::mm(5, 5), 1, Shape::Circle)];
    assert_eq!(components(&full.map(without_backs), &options("a4")).len(), 3);
}

#[test]
fn the_larger_come_first_where_that_saves_a_sheet() {
    let strips = [("a", 130), ("b", 60), ("c", 130), ("d", 190)];
    let strips = strips.map(|(name, high)| without_backs(stack(name, Size::mm(180, high), 1, Shape::Rect)));
    // In their order: a and b, then c, then d.
    assert_eq!(components(&strips, &options("a4")), [["a", "c"], ["b", "d"]]);
}

#[test]
fn the_cuts_of_a_shared_sheet_are_numbered_through() {
    let stacks = [stack("a", Size::mm(60, 80), 2, Shape::Rect), stack("b", Size::mm(40, 60), 3, Shape::Rect)];
    let said = PEN.with(|pen| {
        let drafts = lay_out(&stacks, &options("a4"), pen, &mut Vec::new());
        drafts[0].notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>()
    });
    // Two beside each other: 2 lying and 3 upright cuts; three beside each other: 2 and 4.
    let wanted: Vec<String> = (1..=11).map(|number: usize| number.to_string()).collect();
    assert_eq!(said, wanted);
}

#[test]
fn faults_of_a_shared_sheet_are_its_own() {
    // Alone, the strip is as wide as what the printer reaches; beside the token it stands upright, with all its marks.
    let stacks = [stack("a", Size::mm(199, 40), 1, Shape::Rect), stack("b", Size::mm(25, 25), 1, Shape::Circle)];
    let faults = |stacks: &[Stack]| impose(stacks, &options("a4"), &FONTS).faults;
    assert_eq!(faults(&stacks[..1]), [Fault::NoRoomForMarks { component: "a".to_owned() }]);
    assert_eq!(faults(&stacks), []);
}

prop_compose! {
    fn stacks_of_a_kit()(
        shape in shapes(),
        gutter in gutters(),
        (w, h) in (500_i64..14_000, 500_i64..14_000),
        bleed in 0_i64..400,
        count in 1_usize..24,
        backs in prop_oneof![Just(0_usize), Just(1), Just(2), Just(3)],
        board in 0_u8..8,
        own_sheet in 0_u8..8,
    ) -> Stack {
        let mut made = stack("", Size { w: hundredths(w), h: hundredths(if shape == Shape::Circle { w } else { h }) }, count, shape);
        (made.gutter, made.bleed, made.own_sheet) = (gutter, hundredths(bleed), own_sheet == 0);
        made.kind = if board == 0 { Kind::Board } else { made.kind };
        // No backs, every second one, every third one, or all.
        for (k, piece) in made.pieces.iter_mut().enumerate() {
            piece.back = piece.back.take().filter(|_| backs == 1 || (backs > 1 && k % backs == 0));
        }
        made
    }
}

prop_compose! {
    /// The stacks of a kit, and how it is printed.
    pub(super) fn kits()(
        mut stacks in prop::collection::vec(stacks_of_a_kit(), 1..8),
        paper in papers(),
        sides in all_sides(),
        margins in margins(),
        marks in all_marks(),
    ) -> (Vec<Stack>, Options) {
        for (at, stack) in stacks.iter_mut().enumerate() {
            stack.component = format!("c{at}");
            stack.pieces.iter_mut().enumerate().for_each(|(k, piece)| piece.address = format!("c{at}/{k}"));
        }
        (stacks, Options { sides, margins, marks, ..options(&paper) })
    }
}

/// The sides of a kit without furniture.
pub(super) fn sheets(stacks: &[Stack], options: &Options) -> (Vec<Sheet>, Vec<Fault>) {
    let mut faults = Vec::new();
    let drafts = PEN.with(|pen| lay_out(stacks, options, pen, &mut faults));
    (drafts.into_iter().map(|draft| draft.sheet).collect(), faults)
}

fn component(placed: &Placement) -> &str {
    placed.piece.split('/').next().unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn each_piece_is_on_one_sheet_and_one_only((stacks, options) in kits()) {
        let (sheets, faults) = sheets(&stacks, &options);
        let mut printed = BTreeMap::new();
        for (sheet, placed) in sheets.iter().flat_map(|sheet| sheet.placements.iter().map(move |placed| (sheet, placed))) {
            *printed.entry((placed.piece.as_str(), placed.side == Side::Back)).or_insert(0) += 1;
            prop_assert!(sheet.holds(component(placed)));
        }
        for stack in &stacks {
            let lost = faults.iter().any(|fault| fault.is_fatal() && fault.component() == stack.component);
            for piece in &stack.pieces {
                let has_back = piece.back.is_some() && options.sides != Sides::Fronts;
                let times = |back: bool| {
                    let times = printed.get(&(piece.address.as_str(), back)).copied().unwrap_or(0);
                    // A board may be tiled over several sheets.
                    if stack.kind == Kind::Board { times.min(1) } else { times }
                };
                prop_assert_eq!((times(false), times(true)), (i32::from(!lost), i32::from(has_back && !lost)));
            }
        }
    }

    #[test]
    fn sharing_never_takes_more_sheets_and_never_splits((mut stacks, options) in kits()) {
        let (shared, _) = sheets(&stacks, &options);
        let held = |sheets: &[Sheet], id: &str| {
            sheets.iter().filter(|sheet| sheet.side == Side::Front && sheet.holds(id)).count()
        };
        let per_stack: Vec<usize> = stacks.iter().map(|stack| held(&shared, &stack.component)).collect();
        stacks.iter_mut().for_each(|stack| stack.own_sheet = true);
        let (own, _) = sheets(&stacks, &options);
        prop_assert!(shared.len() <= own.len());
        for (stack, sheets) in stacks.iter().zip(per_stack) {
            prop_assert_eq!(sheets, held(&own, &stack.component));
        }
    }

    #[test]
    fn who_shares_may((stacks, options) in kits()) {
        let (sheets, _) = sheets(&stacks, &options);
        for sheet in sheets.iter().filter(|sheet| sheet.components.len() > 1) {
            let on_it: Vec<&Stack> = stacks.iter().filter(|stack| sheet.holds(&stack.component)).collect();
            prop_assert_eq!(on_it.len(), sheet.components.len());
            prop_assert!(on_it.iter().all(|stack| !stack.own_sheet && stack.kind != Kind::Board));
            let names: Vec<&str> = on_it.iter().map(|stack| stack.component.as_str()).collect();
            prop_assert_eq!(&sheet.components, &names);
        }
        for (front, back) in sheets.iter().zip(sheets.iter().skip(1)).filter(|(_, back)| back.side == Side::Back) {
            let behind = |id: &String| back.placements.iter().any(|placed| component(placed) == id);
            prop_assert!(front.components.iter().all(behind), "a component without a back on a two-sided sheet");
        }
    }

    #[test]
    fn the_back_lies_behind_its_front_on_shared_sheets_too((stacks, options) in kits()) {
        let (sheets, _) = sheets(&stacks, &options);
        for (front, back) in sheets.iter().zip(sheets.iter().skip(1)).filter(|(_, back)| back.side == Side::Back) {
            prop_assert_eq!(front.side, Side::Front);
            for placed in &back.placements {
                let partner = front.placements.iter().find(|front| front.piece == placed.piece);
                let partner = partner.ok_or_else(|| TestCaseError::fail("a back without a front"))?;
                registers(partner, placed, |rect| behind(rect, back.page, options.sides))?;
            }
        }
    }

    #[test]
    fn nothing_lies_on_anything_else((stacks, options) in kits()) {
        let printable = options.printable();
        let (sheets, faults) = sheets(&stacks, &options);
        for sheet in sheets {
            // A board may be as large as the paper.
            let filled = faults.iter().any(|fault| matches!(fault, Fault::BeyondMargin { .. }) && fault.component() == sheet.component());
            let printable = if filled { Rect::new(Point::default(), sheet.page) } else { printable };
            for (at, placed) in sheet.placements.iter().enumerate() {
                prop_assert!(printable.contains(placed.clip));
                for other in &sheet.placements[at + 1..] {
                    prop_assert!(!placed.clip.overlaps(other.trim) && !other.clip.overlaps(placed.trim));
                    let apart = component(placed) == component(other) || !placed.trim.outset(Length::mm(6)).overlaps(other.trim);
                    prop_assert!(apart, "two blocks are not a lane apart");
                }
            }
            let arts = || sheet.placements.iter().map(|placed| placed.clip);
            for mark in sheet.lines.iter().map(area_of_line) {
                prop_assert!(printable.outset(marks::THIN).contains(mark));
                prop_assert!(!arts().any(|art| art.overlaps(mark)));
            }
        }
    }

    #[test]
    fn furniture_of_shared_sheets_overlaps_nothing((stacks, options) in kits()) {
        PEN.with(|pen| laws::keeps_off(&stacks, &options, pen))?;
    }
}
