//! Known sheets, in exact numbers. The geometry of a preset never changes silently: people own cutting dies for it.

use super::testing::{boards, cards, imposed, options};
use super::*;

const POKER: Size = Size::mm(63, 88);

fn tenths(n: i64) -> Length {
    Length::emu(n * 3_600)
}

fn corners(sheet: &Sheet) -> Vec<(Length, Length)> {
    sheet.placements.iter().map(|placed| (placed.trim.x, placed.trim.y)).collect()
}

fn addresses(sheet: &Sheet) -> Vec<&str> {
    sheet.placements.iter().map(|placed| placed.piece.as_str()).collect()
}

/// Pieces of `stack` on a full sheet.
fn most(stack: Stack, options: &Options) -> usize {
    imposed(stack, options).sheets[0].placements.len()
}

#[test]
fn nine_cards_on_a4() {
    let sheets = imposed(cards(POKER, 18, Gutter::Shared), &options("a4")).sheets;
    assert_eq!(sheets.len(), 4);
    let wanted: Vec<_> =
        [165, 1045, 1925].into_iter().flat_map(|y| [105, 735, 1365].map(|x| (tenths(x), tenths(y)))).collect();
    assert_eq!(corners(&sheets[0]), wanted);
    assert!(sheets[0].placements.iter().all(|placed| placed.trim.size() == POKER));
    let clip = |slot: usize| sheets[0].placements[slot].clip;
    assert_eq!(clip(0), Rect { x: tenths(75), y: tenths(135), w: tenths(660), h: tenths(910) });
    assert_eq!(clip(4), sheets[0].placements[4].trim);
}

#[test]
fn nine_cards_on_letter() {
    let sheets = imposed(cards(POKER, 9, Gutter::Shared), &options("letter")).sheets;
    let (x, y) = (Length::from_mm(13.45), Length::from_mm(7.7));
    assert_eq!(corners(&sheets[0])[0], (x, y));
    assert_eq!(corners(&sheets[0])[8], (x + Length::mm(126), y + Length::mm(176)));
    // Of the 2.7 mm above, 1.2 mm are kept for the marks.
    assert_eq!(sheets[0].placements[0].clip.y, y - tenths(15));
    assert_eq!(sheets[0].placements[0].clip.x, x - Length::mm(3));
}

#[test]
fn bleed_of_its_own_makes_a_lying_grid_of_eight() {
    let sheets = imposed(cards(POKER, 8, Gutter::Bleeds), &options("a4")).sheets;
    assert_eq!(sheets[0].placements.len(), 8);
    assert_eq!(sheets[0].page, Size::mm(210, 297));
    let first = &sheets[0].placements[0];
    // The lying grid starts at its top left, which is the upright page's bottom left; tops point to the left.
    assert_eq!(first.trim.size(), POKER.turned());
    assert_eq!((first.trim.x, first.trim.bottom()), (tenths(140), Length::mm(297) - tenths(135)));
    assert_eq!(first.transform.apply(0.0, 0.0), (first.trim.x.to_mm(), first.trim.bottom().to_mm()));
    assert_eq!(first.clip, first.trim.outset(Length::mm(3)));
}

#[test]
fn a_partly_filled_sheet_keeps_its_slots() {
    for (sides, wanted) in [
        (Sides::LongEdge, [(1365, 165), (735, 165), (105, 165), (1365, 1045)]),
        (Sides::ShortEdge, [(105, 1925), (735, 1925), (1365, 1925), (105, 1045)]),
    ] {
        let options = Options { sides, ..options("a4") };
        let sheets = imposed(cards(POKER, 4, Gutter::Shared), &options).sheets;
        assert_eq!(sheets.len(), 2);
        assert_eq!(
            corners(&sheets[0]),
            [(105, 165), (735, 165), (1365, 165), (105, 1045)].map(|(x, y)| (tenths(x), tenths(y)))
        );
        assert_eq!(corners(&sheets[1]), wanted.map(|(x, y)| (tenths(x), tenths(y))));
        assert_eq!(addresses(&sheets[1]), ["card/0", "card/1", "card/2", "card/3"]);
    }
}

#[test]
fn art_bleeds_into_empty_slots() {
    let sheets = imposed(cards(POKER, 4, Gutter::Shared), &options("a4")).sheets;
    let [_, second, _, fourth] = sheets[0].placements.as_slice() else { panic!("four cards") };
    assert_eq!(second.clip, Rect { x: tenths(735), y: tenths(135), w: tenths(630), h: tenths(940) });
    assert_eq!(fourth.clip, Rect { x: tenths(75), y: tenths(1045), w: tenths(690), h: tenths(910) });
}

#[test]
fn bleed_is_whole_where_there_is_room() {
    let stack = Stack { bleed: Length::mm(5), ..cards(POKER, 2, Gutter::Shared) };
    let sheets = imposed(stack, &options("a4")).sheets;
    let [first, second] = sheets[0].placements.as_slice() else { panic!("two cards") };
    // At the left 1.2 of 5.5 mm are kept for marks; at the right stands no third card.
    assert_eq!(first.clip, Rect { x: tenths(62), y: tenths(115), w: tenths(673), h: tenths(980) });
    assert_eq!(second.clip, Rect { x: tenths(735), y: tenths(115), w: tenths(680), h: tenths(980) });
}

#[test]
fn a_back_lies_upside_down_only_when_turned_about_the_short_edge() {
    for (sides, top_left) in [(Sides::LongEdge, (1365, 165)), (Sides::ShortEdge, (735, 2805))] {
        let options = Options { sides, ..options("a4") };
        let sheets = imposed(cards(POKER, 9, Gutter::Shared), &options).sheets;
        let (x, y) = sheets[1].placements[0].transform.apply(0.0, 0.0);
        assert_eq!((Length::from_mm(x), Length::from_mm(y)), (tenths(top_left.0), tenths(top_left.1)), "{sides:?}");
    }
}

#[test]
fn fronts_only_leaves_the_backs_out() {
    let options = Options { sides: Sides::Fronts, ..options("a4") };
    let sheets = imposed(cards(POKER, 10, Gutter::Shared), &options).sheets;
    assert_eq!(sheets.len(), 2);
    assert!(sheets.iter().all(|sheet| sheet.side == Side::Front));
}

#[test]
fn a_sheet_has_a_back_only_if_one_of_its_pieces_has() {
    let mut stack = cards(POKER, 18, Gutter::Shared);
    stack.pieces.iter_mut().take(10).for_each(|piece| piece.back = None);
    let sheets = imposed(stack, &options("a4")).sheets;
    let sides: Vec<Side> = sheets.iter().map(|sheet| sheet.side).collect();
    assert_eq!(sides, [Side::Front, Side::Front, Side::Back]);
    assert_eq!(addresses(&sheets[2])[0], "card/10");
    assert_eq!(corners(&sheets[2])[0], (tenths(735), tenths(165)));
}

#[test]
fn unprinted_backs_keep_a_two_sided_print_in_step() {
    let page = Stack { kind: Kind::Page, ..boards(Size::mm(210, 297), 1) };
    let stacks = [cards(POKER, 9, Gutter::Shared), boards(Size::mm(180, 250), 1), page];
    let in_step = |in_step| {
        let options = Options { in_step, ..options("a4") };
        let sheets = impose(&stacks, &options, &testing::FONTS).sheets;
        sheets.iter().map(|sheet| (sheet.side, sheet.placements.len())).collect::<Vec<_>>()
    };
    let (front, back) = (Side::Front, Side::Back);
    assert_eq!(in_step(false), [(front, 1), (front, 9), (back, 9), (front, 1)]);
    assert_eq!(in_step(true), [(front, 1), (back, 0), (front, 9), (back, 9), (front, 1)]);
}

/// What other tools and the arithmetic say about cards per sheet with 5 mm margins: shared cuts, 2 mm bleed each, 3 mm each.
#[test]
fn cards_per_sheet() {
    for (paper, w, h, wanted) in [
        ("a4", 6300, 8800, [9, 8, 8]),
        ("a4", 6350, 8890, [9, 8, 8]),
        ("a4", 5715, 8890, [10, 9, 9]),
        ("a4", 7000, 12000, [4, 4, 4]),
        ("a4", 4400, 6800, [16, 12, 12]),
        ("a4", 4100, 6300, [21, 16, 16]),
        ("a4", 5900, 9200, [9, 8, 8]),
        ("a4", 7000, 7000, [8, 6, 6]),
        ("letter", 6300, 8800, [9, 8, 6]),
        ("letter", 6350, 8890, [9, 6, 6]),
        ("letter", 5715, 8890, [9, 8, 8]),
        ("letter", 4400, 6800, [18, 12, 12]),
        ("letter", 4100, 6300, [20, 16, 12]),
        ("letter", 5900, 9200, [8, 8, 8]),
    ] {
        let trim = Size { w: testing::hundredths(w), h: testing::hundredths(h) };
        let count = |gutter, bleed| {
            let stack = Stack { bleed: Length::mm(bleed), ..cards(trim, 30, gutter) };
            most(stack, &options(paper))
        };
        let counts = [count(Gutter::Shared, 3), count(Gutter::Bleeds, 2), count(Gutter::Bleeds, 3)];
        assert_eq!(counts, wanted, "{trim} on {paper}");
    }
}

#[test]
fn what_fits_exactly_fits() {
    let options = Options { margins: Margins::all(Length::mm(2)), ..options("224x300mm") };
    let imposed = imposed(cards(Size::mm(44, 68), 20, Gutter::Shared), &options);
    assert_eq!(imposed.sheets[0].placements.len(), 20);
    assert_eq!(corners(&imposed.sheets[0])[0].0, Length::mm(2));
    assert_eq!(imposed.faults[0], Fault::NoRoomForMarks { component: "card".to_owned() });
}

#[test]
fn each_side_of_the_page_has_its_own_margin() {
    let margins = "1.8mm 3mm 6.7mm 3mm".parse().expect("margins");
    // Turned about the long edge, top and bottom stay where they are; turned about the short edge, the larger counts for both.
    for (sides, y) in [(Sides::LongEdge, 14_05), (Sides::Fronts, 14_05), (Sides::ShortEdge, 16_50)] {
        let options = Options { margins, sides, ..options("a4") };
        let sheets = imposed(cards(POKER, 9, Gutter::Shared), &options).sheets;
        assert_eq!(corners(&sheets[0])[0], (tenths(105), testing::hundredths(y)), "{sides:?}");
    }
    let margins = Margins { left: Length::mm(21), ..margins };
    let count = |sides| most(cards(POKER, 9, Gutter::Shared), &Options { margins, sides, ..options("a4") });
    assert_eq!((count(Sides::Fronts), count(Sides::ShortEdge), count(Sides::LongEdge)), (8, 8, 6));
}

#[test]
fn what_does_not_fit_names_the_largest_that_would() {
    let result = imposed(cards(Size::mm(200, 290), 3, Gutter::Shared), &options("a4"));
    assert!(result.sheets.is_empty());
    let [fault] = result.faults.as_slice() else { panic!("one fault") };
    assert!(fault.is_fatal());
    assert_eq!(
        fault.to_string(),
        "`card` is 200x290mm and does not fit on a4 (210x297mm); the largest that would is 200x287mm"
    );
}

#[test]
fn round_tokens_lie_four_millimetres_apart_in_their_rings() {
    let mut stack = cards(Size::mm(25, 25), 12, Gutter::Shared);
    (stack.shape, stack.kind) = (Shape::Circle, Kind::Token);
    let sheets = imposed(stack, &options("a4")).sheets;
    let front = &sheets[0];
    assert_eq!(front.placements.len(), 12);
    assert_eq!(front.placements[1].trim.x - front.placements[0].trim.x, Length::mm(29));
    assert_eq!(front.placements[0].clip, front.placements[0].trim.outset(Length::mm(2)));
    // Each a dark line on a white one.
    assert_eq!(front.rings.len(), 24);
    assert_eq!(front.rings[0].course, front.rings[1].course);
    assert!(front.rings[0].grey == 255 && front.rings[1].grey < 128 && front.rings[1].width < front.rings[0].width);
    let trim = front.placements[0].trim;
    let centre = Point { x: trim.x + tenths(125), y: trim.y + tenths(125) };
    assert_eq!(front.rings[0].course, Course::Circle { centre, radius: tenths(125) });
    assert!(sheets[1].rings.is_empty());
}

#[test]
fn hexagons_lie_in_straight_rows_in_their_cutting_lines() {
    for (pointy, trim) in [(false, Size::mm(30, 26)), (true, Size::mm(26, 30))] {
        let mut stack = cards(trim, 60, Gutter::Bleeds);
        (stack.shape, stack.kind) = (Shape::Hex { pointy }, Kind::Token);
        for sheet in imposed(stack, &options("a4")).sheets.iter().take(1) {
            assert_eq!(sheet.rings.len(), sheet.placements.len() * 2);
            for (placed, rings) in sheet.placements.iter().zip(sheet.rings.chunks(2)) {
                // What is printed around a piece is what a machine cuts, it fills the trim, and all its sides are of one length.
                let corners = placed.corners().expect("six corners");
                assert_eq!(rings[0].course, Course::Hexagon(corners));
                assert_eq!(draft::around(&corners), placed.trim);
                let side = |k: usize| {
                    let (one, other) = (corners[k], corners[(k + 1) % 6]);
                    (one.x - other.x).to_mm().hypot((one.y - other.y).to_mm())
                };
                assert!((0..6).all(|k| (side(k) - 15.0).abs() < 0.02));
                let aligned = |other: &Placement| other.trim.x == placed.trim.x || other.trim.y == placed.trim.y;
                assert!(sheet.placements.iter().filter(|other| aligned(other)).count() > 5);
            }
        }
    }
}

#[test]
fn pieces_that_draw_their_own_cut_line_get_no_marks() {
    for (gutter, bleed, wanted) in [
        (Gutter::Shared, 0, Length::mm(4)),
        (Gutter::Bleeds, 1, Length::mm(4)),
        (Gutter::Bleeds, 3, Length::mm(6)),
        (Gutter::Fixed(Length::mm(3)), 2, Length::mm(4)),
        (Gutter::Fixed(Length::mm(7)), 2, Length::mm(7)),
    ] {
        let mut nets = cards(Size::mm(60, 80), 4, gutter);
        (nets.shape, nets.kind, nets.bleed) = (Shape::Drawn, Kind::Token, Length::mm(bleed));
        let plain = Options { imprint: Imprint::default(), ..options("a4") };
        let pen = words::Pen::new(&testing::FONTS, "zh");
        let mut faults = Vec::new();
        let drafts = lay_out(&[nets], &plain, &pen, &mut faults);
        let [first, second, ..] = drafts[0].sheet.placements.as_slice() else { panic!("four nets") };
        assert_eq!(second.trim.x - first.trim.right(), wanted, "{gutter:?}");
        assert_eq!(first.clip.x, first.trim.x - Length::mm(bleed));
        assert_eq!(first.shape, Shape::Drawn);
        assert!(drafts.iter().all(|draft| draft.sheet.lines.is_empty() && draft.sheet.rings.is_empty()));
        assert!(faults.is_empty());
    }
}

#[test]
fn crop_marks_stand_at_the_cuts_and_outside_the_bleed() {
    let sheets =
        imposed(cards(POKER, 9, Gutter::Shared), &Options { imprint: Imprint::default(), ..options("a4") }).sheets;
    let ticks = |sheet: &Sheet| -> Vec<(Point, Point)> {
        sheet.lines.iter().take(16).map(|line| (line.from, line.to)).collect()
    };
    let front = ticks(&sheets[0]);
    let at = |x, y| Point { x: tenths(x), y: tenths(y) };
    // The first cut: 5 mm long, 3 mm off the trim, above and below.
    assert_eq!(front[0], (at(105, 85), at(105, 135)));
    assert_eq!(front[1], (at(105, 2835), at(105, 2885)));
    // The first lying cut: what the margin leaves.
    assert_eq!(front[8], (at(50, 165), at(75, 165)));
    assert_eq!(sheets[0].lines[0].width, Length::from_pt(0.4));
    let mirrored: Vec<_> = front
        .iter()
        .map(|(from, to)| {
            let mirror = |p: &Point| Point { x: Length::mm(210) - p.x, ..*p };
            (mirror(from), mirror(to))
        })
        .collect();
    assert_eq!(ticks(&sheets[1]), mirrored);
}

#[test]
fn guillotine_lines_run_through_the_gutters_and_nowhere_else() {
    let guillotine = Options { marks: Marks::Guillotine, imprint: Imprint::default(), ..options("a4") };
    let light = |sheet: &Sheet| -> Vec<Line> { sheet.lines.iter().filter(|line| line.grey == 178).cloned().collect() };
    // Lying, four by two with 6 mm between: three gutters across the page, one along it.
    let sheets = imposed(cards(POKER, 8, Gutter::Bleeds), &guillotine).sheets;
    let lines = light(&sheets[0]);
    let at = |x, y| Point { x: tenths(x), y: tenths(y) };
    let across: Vec<_> = [2175, 1485, 795].map(|y| (at(80, y), at(2020, y))).to_vec();
    assert_eq!(lines.iter().take(3).map(|line| (line.from, line.to)).collect::<Vec<_>>(), across);
    assert_eq!((lines[3].from.x, lines[3].to.x, lines.len()), (tenths(1050), tenths(1050), 4));
    assert!(lines.iter().all(|line| line.width == Length::from_pt(0.3)));
    // Bleed leaves half a millimetre free for them.
    assert_eq!(sheets[0].placements[0].clip.y, sheets[0].placements[0].trim.y - testing::hundredths(275));
    assert_eq!(light(&sheets[1]).len(), 4);
    // Where the cut is shared there is no gutter.
    assert!(light(&imposed(cards(POKER, 9, Gutter::Shared), &guillotine).sheets[0]).is_empty());
    // Round pieces get no crop marks, but they are cut apart too.
    let mut discs = cards(Size::mm(50, 50), 12, Gutter::Shared);
    discs.shape = Shape::Circle;
    let sheets = imposed(discs, &guillotine).sheets;
    assert_eq!((light(&sheets[0]).len(), sheets[0].rings.len()), (5, 24));
}

#[test]
fn marks_of_a_partly_filled_sheet_stand_at_real_cuts_only() {
    let sheets = imposed(cards(POKER, 2, Gutter::Shared), &Options { sides: Sides::Fronts, ..options("a4") }).sheets;
    let upright: Vec<Length> = sheets[0].lines.iter().take(6).map(|line| line.from.x).collect();
    assert_eq!(upright, [105, 105, 735, 735, 1365, 1365].map(tenths));
    assert_eq!(sheets[0].lines[1].from.y, tenths(165 + 880 + 30));
}

#[test]
fn an_a3_board_takes_four_a4_sheets() {
    let board = Size::mm(297, 420);
    for trim in [board, board.turned()] {
        let sheets = imposed(boards(trim, 1), &options("a4")).sheets;
        assert_eq!(sheets.len(), 4, "{trim}");
        assert!(sheets.iter().all(|sheet| sheet.page == Size::mm(210, 297)));
    }
    let first = &imposed(boards(board, 1), &options("a4")).sheets[0].placements[0];
    // A tile is (297 - 10) / 2 + 10 wide, (420 - 10) / 2 + 10 high, and stands in the middle of the page.
    assert_eq!((first.trim.x, first.trim.y), (testing::hundredths(2825), Length::mm(41)));
    assert_eq!(first.clip.right(), first.trim.x + tenths(1535));
    assert_eq!(first.clip.bottom(), first.trim.y + Length::mm(215));
}

#[test]
fn boards_take_the_fewest_sheets() {
    for (w, h, overlap, wanted) in [(420, 594, 10, 8), (600, 400, 5, 8), (300, 300, 10, 4), (180, 700, 10, 3)] {
        let options = Options { overlap: Length::mm(overlap), ..options("a4") };
        assert_eq!(imposed(boards(Size::mm(w, h), 1), &options).sheets.len(), wanted, "{w}x{h}");
    }
}

/// The dashes of a sheet that are as long as those of a crease.
fn creases(sheet: &Sheet) -> Vec<(Point, Point)> {
    let creases = sheet.lines.iter().filter(|line| line.dash == Some(Length::mm(1)));
    creases.map(|line| (line.from, line.to)).collect()
}

#[test]
fn a_board_is_marked_where_it_is_folded() {
    let folded = |trim| Stack { folds: vec![Length::mm(90)], ..boards(trim, 1) };
    let at = |x, y| Point { x: tenths(x), y: tenths(y) };
    let sheet = &imposed(folded(Size::mm(180, 120)), &options("a4")).sheets[0];
    assert_eq!(creases(sheet), [(at(1050, 175), at(1050, 225)), (at(1050, 1485), at(1050, 1535))]);
    // It stands on its side, so its longer side lies across the page.
    let sheet = &imposed(folded(Size::mm(120, 180)), &options("a4")).sheets[0];
    let x = sheet.placements[0].trim.x + Length::mm(90);
    assert_eq!(creases(sheet).iter().map(|(from, to)| (from.x, to.x)).collect::<Vec<_>>(), [(x, x), (x, x)]);
    // Nothing is marked where the cut line is drawn by the art.
    let drawn = Stack { shape: Shape::Drawn, ..folded(Size::mm(180, 120)) };
    assert!(creases(&imposed(drawn, &options("a4")).sheets[0]).is_empty());
}

#[test]
fn tiles_are_marked_where_the_board_is_folded() {
    let board = Stack { folds: vec![Length::mm(210), Length::mm(100)], ..boards(Size::mm(420, 297), 1) };
    for sheet in imposed(board, &options("a4")).sheets {
        let placed = &sheet.placements[0];
        let along: Vec<Length> = creases(&sheet).iter().map(|(from, _)| placed.trim.bottom() - from.y).collect();
        // The board stands on its side. The crease at 210 mm is in the middle of the overlap, so it is on both tiles; the one at
        // 100 mm is on the left tiles only.
        let is_left = placed.clip.bottom() > placed.trim.bottom();
        let wanted: &[i64] = if is_left { &[100, 100, 210, 210] } else { &[210, 210] };
        assert_eq!(along, wanted.iter().map(|mm| Length::mm(*mm)).collect::<Vec<_>>());
    }
}

#[test]
fn a_board_that_fits_is_not_tiled() {
    let options = options("a3");
    assert_eq!(imposed(boards(Size::mm(280, 400), 1), &options).sheets.len(), 1);
    assert_eq!(most(boards(Size::mm(180, 250), 2), &options), 2);
}

#[test]
fn a_board_as_large_as_the_paper_is_one_page() {
    let a3 = Size::mm(420, 297);
    let imposed_on =
        |trim, margin| imposed(boards(trim, 1), &Options { margins: Margins::all(margin), ..options("a3") });
    let Imposed { sheets, faults } = imposed_on(a3, Length::mm(5));
    let [sheet] = sheets.as_slice() else { panic!("one sheet") };
    let page = Rect::new(Point::default(), Size::mm(297, 420));
    assert_eq!((sheet.placements[0].trim, sheet.placements[0].clip), (page, page));
    assert!(sheet.lines.is_empty() && sheet.words.is_empty());
    assert_eq!(
        faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["`board` fills a3 up to its edges; a printer with a margin leaves out up to 5mm of it at a side"]
    );
    // A little smaller, with bleed as far as the paper reaches.
    let Imposed { sheets, faults } = imposed_on(Size::mm(290, 416), Length::mm(5));
    assert_eq!(
        sheets[0].placements[0].trim,
        Rect { x: tenths(35), y: Length::mm(2), w: Length::mm(290), h: Length::mm(416) }
    );
    assert_eq!(
        sheets[0].placements[0].clip,
        Rect { x: tenths(5), y: Length::ZERO, w: Length::mm(296), h: Length::mm(420) }
    );
    assert!(matches!(faults[..], [Fault::BeyondMargin { by, .. }] if by == Length::mm(3)), "{faults:?}");
    // Larger than the paper: tiles. A printer without margins: nothing to say of them.
    assert_eq!(imposed_on(Size::mm(298, 420), Length::mm(5)).sheets.len(), 2);
    let reached = imposed_on(a3, Length::ZERO);
    assert!(!reached.faults.iter().any(|fault| matches!(fault, Fault::BeyondMargin { .. })), "{:?}", reached.faults);
}

#[test]
fn a_page_fills_the_paper_without_furniture() {
    let page = Stack { kind: Kind::Page, ..boards(Size::mm(210, 297), 1) };
    let sheets = impose(&[cards(POKER, 1, Gutter::Shared), page], &options("a4"), &testing::FONTS).sheets;
    let first = &sheets[0];
    assert_eq!(first.component(), "board");
    assert_eq!(first.placements[0].trim, Rect::new(Point::default(), first.page));
    assert!(first.lines.is_empty() && first.words.is_empty() && first.rings.is_empty());
}

#[test]
fn an_empty_stack_makes_no_sheet() {
    let result = imposed(cards(POKER, 0, Gutter::Shared), &options("a4"));
    assert!(result.sheets.is_empty() && result.faults.is_empty());
}

/// The number on a full sheet and the first trim's corner. What has a name keeps its geometry.
#[test]
fn grids_stand_where_they_always_stood() {
    let rows = [
        ("a4", 6300, 8800, Gutter::Shared),
        ("a4", 6300, 8800, Gutter::Bleeds),
        ("a4", 6350, 8890, Gutter::Shared),
        ("a4", 4400, 6800, Gutter::Shared),
        ("a4", 4400, 6800, Gutter::Bleeds),
        ("a4", 7000, 12000, Gutter::Bleeds),
        ("a4", 10500, 14800, Gutter::Bleeds),
        ("a3", 6300, 8800, Gutter::Shared),
        ("a3", 6300, 8800, Gutter::Bleeds),
        ("letter", 6300, 8800, Gutter::Shared),
        ("letter", 6300, 8800, Gutter::Bleeds),
        ("letter", 6350, 8890, Gutter::Shared),
        ("legal", 6300, 8800, Gutter::Shared),
        ("tabloid", 6350, 8890, Gutter::Bleeds),
    ];
    let stood: Vec<String> = rows
        .into_iter()
        .map(|(paper, w, h, gutter)| {
            let trim = Size { w: testing::hundredths(w), h: testing::hundredths(h) };
            let sheets = imposed(cards(trim, 100, gutter), &options(paper)).sheets;
            let first = sheets[0].placements[0].trim;
            format!("{paper} {trim} {gutter:?}: {} from {} {}", sheets[0].placements.len(), first.x, first.y)
        })
        .collect();
    assert_eq!(stood, GOLDEN);
}

const GOLDEN: [&str; 14] = [
    "a4 63x88mm Shared: 9 from 10.5mm 16.5mm",
    "a4 63x88mm Bleeds: 8 from 14mm 220.5mm",
    "a4 63.5x88.9mm Shared: 9 from 9.75mm 15.15mm",
    "a4 44x68mm Shared: 16 from 17mm 12.5mm",
    "a4 44x68mm Bleeds: 12 from 8mm 40.5mm",
    "a4 70x120mm Bleeds: 4 from 32mm 25.5mm",
    "a4 105x148mm Bleeds: 2 from 31mm 151.5mm",
    "a3 63x88mm Shared: 18 from 16.5mm 336mm",
    "a3 63x88mm Bleeds: 16 from 13.5mm 25mm",
    "letter 63x88mm Shared: 9 from 13.45mm 7.7mm",
    "letter 63x88mm Bleeds: 6 from 16.95mm 177.2mm",
    "letter 63.5x88.9mm Shared: 9 from 12.7mm 6.35mm",
    "legal 63x88mm Shared: 10 from 19.95mm 272.3mm",
    "tabloid 63.5x88.9mm Bleeds: 12 from 38.45mm 29.1mm",
];
