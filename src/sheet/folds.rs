//! Folded sheets: where fronts, backs and the fold lie, and the law that folding brings back k behind front k.

use proptest::prelude::*;

use super::kits::{kits, sheets};
use super::laws::registers;
use super::testing::{boards, cards, hundredths, imposed, options};
use super::*;

fn folded(paper: &str) -> Options {
    Options { sides: Sides::Fold, ..options(paper) }
}

/// The cards and how many faces of them a full sheet shows.
fn faces(w: i64, h: i64, paper: &str) -> usize {
    let stack =
        Stack { bleed: Length::mm(2), ..cards(Size { w: hundredths(w), h: hundredths(h) }, 20, Gutter::Bleeds) };
    imposed(stack, &folded(paper)).sheets[0].placements.len()
}

/// The line that a sheet is folded along.
fn fold_of(sheet: &Sheet) -> Option<&Line> {
    sheet.lines.iter().find(|line| line.dash == Some(Length::mm(2)))
}

/// Where folding along `fold` brings a rectangle.
fn over(fold: &Line, rect: Rect, page: Size) -> Rect {
    if fold.from.y == fold.to.y {
        Rect { y: page.h - rect.bottom(), ..rect }
    } else {
        Rect { x: page.w - rect.right(), ..rect }
    }
}

#[test]
fn four_cards_fold_on_a4_and_letter() {
    assert_eq!([faces(6300, 8800, "a4"), faces(6300, 8800, "letter")], [8, 8]);
    // 270 mm of cards and bleed: more than the 269.4 mm of Letter.
    assert_eq!([faces(6350, 8890, "a4"), faces(6350, 8890, "letter")], [8, 6]);
}

#[test]
fn backs_stand_on_their_heads_below_the_fold() {
    let stack = Stack { bleed: Length::mm(2), ..cards(Size::mm(60, 100), 2, Gutter::Bleeds) };
    let sheets = imposed(stack, &folded("a4")).sheets;
    let [sheet] = sheets.as_slice() else { panic!("one sheet") };
    assert!(sheet.is_folded() && sheet.side == Side::Front);
    let fold = fold_of(sheet).expect("a fold");
    let middle = Length::mm(297).half();
    let at = |x| Point { x: Length::mm(x), y: middle };
    assert_eq!((fold.from, fold.to), (at(5), at(205)));
    let placed: Vec<_> = sheet.placements.iter().map(|p| (p.side, p.piece.as_str(), p.trim.x, p.trim.y)).collect();
    // Room for three beside each other, in the middle between the margin and what the fold keeps free.
    let (y, behind) = (Length::from_mm(24.25), Length::from_mm(297.0 - 24.25 - 100.0));
    let x = |slot: i64| Length::mm(11 + 64 * slot);
    assert_eq!(placed[..2], [(Side::Front, "card/0", x(0), y), (Side::Front, "card/1", x(1), y)]);
    assert_eq!(placed[2..], [(Side::Back, "card/0", x(0), behind), (Side::Back, "card/1", x(1), behind)]);
    let top_left = |k: usize| sheet.placements[k].transform.apply(0.0, 0.0);
    assert_eq!((top_left(0), top_left(2)), ((11.0, 24.25), (71.0, 297.0 - 24.25)));
}

#[test]
fn the_words_say_that_the_sheet_is_folded() {
    let stack = cards(Size::mm(63, 88), 4, Gutter::Bleeds);
    let said = captions::words(&stack, &folded("a4"));
    assert_eq!(said.len(), 1);
    assert!(said[0].iter().any(|line| line.contains("正面 + 背面") && line.contains("沿虚线对折")), "{said:?}");
}

#[test]
fn what_has_no_back_or_is_too_large_is_not_folded() {
    let sheets = imposed(boards(Size::mm(90, 200), 2), &folded("a4")).sheets;
    assert_eq!((sheets.len(), sheets[0].placements.len(), fold_of(&sheets[0])), (1, 2, None));
    let large = imposed(cards(Size::mm(180, 250), 1, Gutter::Shared), &folded("a4"));
    assert_eq!(large.faults, [Fault::TooLargeToFold { component: "card".to_owned() }]);
    assert_eq!(large.sheets.iter().map(|sheet| sheet.side).collect::<Vec<_>>(), [Side::Front, Side::Back]);
    assert_eq!(fold_of(&large.sheets[0]), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn folding_brings_each_back_behind_its_front((stacks, options) in kits()) {
        let options = Options { sides: Sides::Fold, ..options };
        let (sheets, _) = sheets(&stacks, &options);
        for sheet in &sheets {
            prop_assert_eq!(fold_of(sheet).is_some(), sheet.is_folded());
            let Some(fold) = fold_of(sheet) else { continue };
            let (fronts, backs): (Vec<&Placement>, Vec<&Placement>) =
                sheet.placements.iter().partition(|placed| placed.side == Side::Front);
            for back in &backs {
                let front = fronts.iter().find(|front| front.piece == back.piece);
                let front = front.ok_or_else(|| TestCaseError::fail("a back without a front"))?;
                registers(front, back, |rect| over(fold, rect, sheet.page))?;
            }
            // Nothing is printed within 5 mm of the fold, nor does a mark cross it.
            let (from, to) = (fold.from, fold.to);
            let line = Rect { x: from.x, y: from.y, w: to.x - from.x, h: to.y - from.y };
            let strip = line.outset(Length::mm(5) - marks::THIN);
            let art_strip = line.outset(Length::mm(5) - Length::emu(1));
            prop_assert!(!sheet.placements.iter().any(|placed| placed.clip.overlaps(art_strip)));
            let marks = sheet.lines.iter().filter(|mark| *mark != fold);
            prop_assert!(!marks.map(draft::area_of_line).any(|mark| mark.overlaps(strip)));
        }
    }
}
