//! Laws that hold for every paper, every size of piece and every number of them.

use proptest::prelude::*;

use super::draft::area_of_line;
use super::testing::{FONTS, boards, cards, hundredths, options};
use super::turn::Turn;
use super::words::Pen;
use super::*;

/// The papers with a name and any size of one's own, either way round.
pub(super) fn papers() -> impl Strategy<Value = String> {
    let named = prop_oneof![Just("a4"), Just("letter"), Just("a3"), Just("legal"), Just("tabloid")];
    let sized = (1_500_u32..4_500, 1_500_u32..4_500);
    let sized = sized.prop_map(|(w, h)| format!("{}.{}x{}.{}mm", w / 10, w % 10, h / 10, h % 10));
    prop_oneof![3 => named.prop_map(str::to_owned), 1 => sized]
}

pub(super) fn all_sides() -> impl Strategy<Value = Sides> {
    prop_oneof![Just(Sides::LongEdge), Just(Sides::ShortEdge), Just(Sides::Fold), Just(Sides::Fronts)]
}

pub(super) fn all_marks() -> impl Strategy<Value = Marks> {
    prop_oneof![2 => Just(Marks::Outside), 2 => Just(Marks::Guillotine), 1 => Just(Marks::None)]
}

pub(super) fn gutters() -> impl Strategy<Value = Gutter> {
    let fixed = (0_i64..1_000).prop_map(|n| Gutter::Fixed(hundredths(n)));
    prop_oneof![Just(Gutter::Shared), Just(Gutter::Bleeds), fixed]
}

pub(super) fn shapes() -> impl Strategy<Value = Shape> {
    let hex = any::<bool>().prop_map(|pointy| Shape::Hex { pointy });
    prop_oneof![Just(Shape::Rect), Just(Shape::Circle), Just(Shape::Drawn), hex]
}

pub(super) fn margins() -> impl Strategy<Value = Margins> {
    let margin = || (0_i64..1_200).prop_map(hundredths);
    let four = (margin(), margin(), margin(), margin());
    prop_oneof![
        margin().prop_map(Margins::all),
        four.prop_map(|(top, right, bottom, left)| Margins { top, right, bottom, left }),
    ]
}

prop_compose! {
    /// A stack of pieces of any size that may fit, some of them without a back, and how it is printed.
    pub(super) fn jobs()(
        paper in papers(),
        sides in all_sides(),
        gutter in gutters(),
        (w, h) in (200_i64..21_500, 200_i64..30_000),
        bleed in 0_i64..500,
        margins in margins(),
        shape in shapes(),
        marks in all_marks(),
        folds in prop::collection::vec(1_i64..100, 0..3),
        backless in prop::collection::vec(any::<bool>(), 1..60),
    ) -> (Stack, Options) {
        let size = Size { w: hundredths(w), h: hundredths(if shape == Shape::Circle { w } else { h }) };
        let mut stack = cards(size, backless.len(), gutter);
        stack.bleed = hundredths(bleed);
        stack.shape = shape;
        stack.folds = folds.into_iter().map(|percent| size.w.max(size.h) * percent / 100).collect();
        for (piece, backless) in stack.pieces.iter_mut().zip(backless) {
            piece.back = piece.back.take().filter(|_| !backless);
        }
        let mut options = options(&paper);
        (options.sides, options.margins) = (sides, margins);
        options.marks = marks;
        (stack, options)
    }
}

thread_local! {
    /// One pen for all cases: it remembers what it has set.
    pub(super) static PEN: Pen<'static> = Pen::new(&FONTS, "zh-Hans");
}

/// The sheets of a job, without furniture; none when not one piece fits, which then really does not.
fn sheets(stack: &Stack, options: &Options) -> Result<Vec<Sheet>, TestCaseError> {
    let mut faults = Vec::new();
    let drafts = PEN.with(|pen| lay_out(std::slice::from_ref(stack), options, pen, &mut faults));
    if faults.iter().any(Fault::is_fatal) {
        prop_assert!(drafts.is_empty());
        let printable = options.printable().size();
        prop_assert!(!printable.holds(stack.trim) && !printable.holds(stack.trim.turned()));
    }
    Ok(drafts.into_iter().map(|draft| draft.sheet).collect())
}

/// What the printer reaches of the page from every side that it prints; written down a second time on purpose.
fn reach(options: &Options) -> Rect {
    let Size { w, h } = options.paper.size;
    let Margins { top, right, bottom, left } = options.margins;
    let front = Rect { x: left, y: top, w: w - left - right, h: h - top - bottom };
    let both = |one: Rect, other: Rect| {
        let (x, y) = (one.x.max(other.x), one.y.max(other.y));
        Rect { x, y, w: one.right().min(other.right()) - x, h: one.bottom().min(other.bottom()) - y }
    };
    let behind = |sides| behind(front, options.paper.size, sides);
    match options.sides {
        Sides::Fronts => front,
        Sides::Fold => both(both(front, behind(Sides::LongEdge)), behind(Sides::ShortEdge)),
        sides => both(front, behind(sides)),
    }
}

/// What lies behind `rect` when the sheet is turned over; written down a second time on purpose.
pub(super) fn behind(rect: Rect, page: Size, sides: Sides) -> Rect {
    match sides {
        // What is too large to be folded is glued back to back, as if it had been turned about the long edge.
        Sides::LongEdge | Sides::Fold => Rect { x: page.w - rect.x - rect.w, ..rect },
        _ => Rect { y: page.h - rect.y - rect.h, ..rect },
    }
}

/// That a back lies behind its front, where `mirrored` says what is behind a place.
pub(super) fn registers(
    front: &Placement,
    back: &Placement,
    mirrored: impl Fn(Rect) -> Rect,
) -> Result<(), TestCaseError> {
    prop_assert_eq!((front.side, back.side), (Side::Front, Side::Back));
    prop_assert_eq!((back.trim, back.clip), (mirrored(front.trim), mirrored(front.clip)));
    // The corner of the face that is behind the front's top left one is the back's top right one.
    let spot = |(x, y)| Rect { x: Length::from_mm(x), y: Length::from_mm(y), ..Rect::default() };
    let there = spot(back.transform.apply(back.face.trim.w.to_mm(), 0.0));
    prop_assert_eq!(there, mirrored(spot(front.transform.apply(0.0, 0.0))));
    Ok(())
}

/// Pieces on a full sheet, by the formula: `floor((L - 2m - 2b + g) / (c + g))` along each side, the better way round. The
/// outer bleed `b` counts where it has to be whole, and gives way where otherwise nothing fits.
fn by_formula(stack: &Stack, options: &Options) -> usize {
    let whole = stack.bleed;
    let (gutter, bleed) = match (stack.shape, stack.gutter) {
        (Shape::Circle | Shape::Hex { .. }, Gutter::Shared | Gutter::Bleeds) => {
            (Length::mm(4), whole.min(Length::mm(2)))
        }
        (Shape::Circle | Shape::Hex { .. }, Gutter::Fixed(gutter)) => (gutter, whole.min(gutter.half())),
        (Shape::Drawn, gutter) => {
            let gutter = match gutter {
                Gutter::Shared => Length::ZERO,
                Gutter::Bleeds => whole * 2,
                Gutter::Fixed(gutter) => gutter,
            };
            (gutter.max(Length::mm(4)), whole.min(gutter.max(Length::mm(4)).half()))
        }
        (Shape::Rect | Shape::Standee, Gutter::Shared) => (Length::ZERO, Length::ZERO),
        (Shape::Rect | Shape::Standee, Gutter::Bleeds) => (whole * 2, whole),
        (Shape::Rect | Shape::Standee, Gutter::Fixed(gutter)) => (gutter, whole),
    };
    let along = |reach: Length, part: Length, bleed: Length| {
        let free = reach - bleed * 2 + gutter;
        usize::try_from(free.to_emu() / (part + gutter).to_emu()).unwrap_or(0)
    };
    let in_area = |Size { w, h }: Size, bleed: Length| {
        let upright = along(w, stack.trim.w, bleed) * along(h, stack.trim.h, bleed);
        upright.max(along(h, stack.trim.w, bleed) * along(w, stack.trim.h, bleed))
    };
    let whole = reach(options).size();
    let ways = |bleed: Length| {
        // Half a sheet, 5 mm off the fold, above or beside it.
        let halved = |length: Length, page: Length| length - (page - page.half()) - Length::mm(5);
        let above = in_area(Size { h: halved(whole.h + reach(options).y, options.paper.size.h), ..whole }, bleed);
        let beside = in_area(Size { w: halved(whole.w + reach(options).x, options.paper.size.w), ..whole }, bleed);
        above.max(beside)
    };
    let has_backs = stack.pieces.iter().any(|piece| piece.back.is_some());
    let folded = if options.sides == Sides::Fold && has_backs { [ways(bleed), ways(Length::ZERO)] } else { [0, 0] };
    let flat = [in_area(whole, bleed), in_area(whole, Length::ZERO)];
    folded.into_iter().chain(flat).find(|most| *most > 0).unwrap_or(0)
}

/// The whole EMU of a place in millimetres.
fn emu((x, y): (f64, f64)) -> (i64, i64) {
    (Length::from_mm(x).to_emu(), Length::from_mm(y).to_emu())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn each_piece_is_printed_once_and_no_page_is_blank((stack, options) in jobs()) {
        let sheets = sheets(&stack, &options)?;
        let shown = |side| sheets.iter().flat_map(|sheet| &sheet.placements).filter(move |placed| placed.side == side);
        let printed: Vec<&str> = shown(Side::Front).map(|placed| placed.piece.as_str()).collect();
        let wanted: Vec<&str> = stack.pieces.iter().map(|piece| piece.address.as_str()).collect();
        prop_assert!(sheets.is_empty() || printed == wanted);
        prop_assert!(sheets.iter().all(|sheet| !sheet.placements.is_empty()));
        let backs = shown(Side::Back).count();
        let wanted = stack.pieces.iter().filter(|piece| piece.back.is_some()).count();
        let wanted = if options.sides == Sides::Fronts { 0 } else { wanted };
        prop_assert!(sheets.is_empty() || backs == wanted);
    }

    #[test]
    fn sheets_are_as_few_and_as_full_as_the_formula_says((stack, options) in jobs()) {
        let sheets = sheets(&stack, &options)?;
        let fronts: Vec<_> = sheets.iter().filter(|sheet| sheet.side == Side::Front).collect();
        if let [full @ .., last] = fronts.as_slice() {
            let count = |sheet: &Sheet| sheet.placements.iter().filter(|placed| placed.side == Side::Front).count();
            let most = count(fronts[0]);
            prop_assert!(full.iter().all(|sheet| count(sheet) == most));
            prop_assert!(count(last) <= most);
            prop_assert_eq!(most, stack.pieces.len().min(by_formula(&stack, &options)));
        }
    }

    #[test]
    fn the_back_lies_behind_its_front((stack, options) in jobs()) {
        let sheets = sheets(&stack, &options)?;
        for (index, back) in sheets.iter().enumerate().filter(|(_, sheet)| sheet.side == Side::Back) {
            let front = &sheets[index - 1];
            prop_assert_eq!(front.side, Side::Front);
            for placed in &back.placements {
                let partner = front.placements.iter().find(|front| front.piece == placed.piece);
                let partner = partner.ok_or_else(|| TestCaseError::fail("a back without a front"))?;
                registers(partner, placed, |rect| behind(rect, back.page, options.sides))?;
            }
        }
    }

    #[test]
    fn trims_are_exact_and_apart_and_printable((stack, options) in jobs()) {
        let printable = reach(&options);
        for sheet in sheets(&stack, &options)? {
            for (index, placed) in sheet.placements.iter().enumerate() {
                prop_assert!([stack.trim, stack.trim.turned()].contains(&placed.trim.size()));
                prop_assert!(printable.contains(placed.trim) && printable.contains(placed.clip));
                prop_assert!(placed.clip.contains(placed.trim));
                prop_assert!(placed.trim.outset(stack.bleed).contains(placed.clip));
                for other in sheet.placements.iter().skip(index + 1) {
                    prop_assert!(!placed.trim.overlaps(other.trim));
                    prop_assert!(!placed.clip.overlaps(other.trim) && !other.clip.overlaps(placed.trim));
                }
            }
        }
    }

    #[test]
    fn a_transform_fills_its_trim((stack, options) in jobs()) {
        for placed in sheets(&stack, &options)?.iter().flat_map(|sheet| &sheet.placements) {
            let (w, h) = (stack.trim.w.to_mm(), stack.trim.h.to_mm());
            let corners = [(0.0, 0.0), (w, 0.0), (0.0, h), (w, h)].map(|(x, y)| emu(placed.transform.apply(x, y)));
            let trim = placed.trim;
            for x in [trim.x, trim.right()] {
                for y in [trim.y, trim.bottom()] {
                    prop_assert!(corners.contains(&(x.to_emu(), y.to_emu())));
                }
            }
        }
    }

    #[test]
    fn full_grids_stand_in_the_middle((stack, options) in jobs()) {
        let sheets = sheets(&stack, &options)?;
        if sheets.len() > 2 && options.sides != Sides::Fold {
            let trims = || sheets[0].placements.iter().map(|placed| placed.trim);
            let left = trims().map(|trim| trim.x).min().unwrap_or_default();
            let right = trims().map(Rect::right).max().unwrap_or_default();
            let top = trims().map(|trim| trim.y).min().unwrap_or_default();
            let bottom = trims().map(Rect::bottom).max().unwrap_or_default();
            let off = |before: Length, after: Length| (before - after).abs() <= Length::emu(1);
            let reach = reach(&options);
            prop_assert!(off(left - reach.x, reach.right() - right) && off(top - reach.y, reach.bottom() - bottom));
        }
    }

    #[test]
    fn marks_and_words_are_in_nobodys_way((stack, options) in jobs()) {
        keeps_off_the_art(&stack, &options)?;
    }

    #[test]
    fn tiles_cover_the_whole_board(
        paper in papers(),
        (w, h) in (20_000_i64..90_000, 20_000_i64..90_000),
        overlap in 0_i64..2_000,
        sides in all_sides(),
    ) {
        let trim = Size { w: hundredths(w), h: hundredths(h) };
        let options = Options { overlap: hundredths(overlap), sides, ..options(&paper) };
        let sheets = sheets(&boards(trim, 1), &options)?;
        let parts: Vec<Rect> = sheets.iter().flat_map(|sheet| &sheet.placements).map(on_board).collect();
        prop_assert!(!parts.is_empty());
        prop_assert!(covered(Rect::new(Point::default(), trim), &parts));
        for placed in sheets.iter().flat_map(|sheet| &sheet.placements) {
            let printable = options.printable().size();
            let page = Rect::new(Point::default(), options.paper.size);
            let fills_page = sheets.len() == 1 && !printable.holds(trim) && !printable.holds(trim.turned());
            let reach = if fills_page { page } else { options.printable() };
            prop_assert!(reach.contains(placed.clip));
        }
    }

    #[test]
    fn furniture_of_tiles_overlaps_nothing(
        paper in papers(),
        (w, h) in (15_000_i64..90_000, 15_000_i64..90_000),
        overlap in 0_i64..2_000,
        bleed in 0_i64..600,
        marks in all_marks(),
        folds in prop::collection::vec(1_i64..100, 0..3),
    ) {
        let mut stack = boards(Size { w: hundredths(w), h: hundredths(h) }, 1);
        stack.folds = folds.into_iter().map(|percent| hundredths(w.max(h)) * percent / 100).collect();
        stack.bleed = hundredths(bleed);
        keeps_off_the_art(&stack, &Options { overlap: hundredths(overlap), marks, ..options(&paper) })?;
    }
}

/// Marks and furniture are printable, off the art, and the words off everything.
fn keeps_off_the_art(stack: &Stack, options: &Options) -> Result<(), TestCaseError> {
    PEN.with(|pen| keeps_off(std::slice::from_ref(stack), options, pen))
}

pub(super) fn keeps_off(stacks: &[Stack], options: &Options, pen: &Pen<'_>) -> Result<(), TestCaseError> {
    let printable = options.printable();
    let drafts = lay_out(stacks, options, pen, &mut Vec::new());
    let pages = drafts.len();
    for (number, draft) in (1..).zip(drafts) {
        let furniture::Dressed { sheet, notes, .. } = furniture::dressed(draft, (number, pages), options, pen);
        let clips: Vec<Rect> = sheet.placements.iter().map(|placed| placed.clip).collect();
        let lines: Vec<Rect> = sheet.lines.iter().map(area_of_line).collect();
        let words: Vec<Rect> = notes.iter().map(|note| note.area).collect();
        for area in lines.iter().chain(&words) {
            prop_assert!(printable.outset(marks::THIN).contains(*area));
            prop_assert!(!clips.iter().any(|clip| clip.overlaps(*area)));
        }
        for (index, area) in words.iter().enumerate() {
            prop_assert!(!lines.iter().chain(&words[index + 1..]).any(|other| other.overlaps(*area)));
        }
        for note in &notes {
            let room = note.area.outset(marks::THIN);
            for run in pen.write(note) {
                for glyph in &run.glyphs {
                    let (x, y) = emu(run.transform.apply(f64::from(glyph.x), f64::from(glyph.y)));
                    let origin = Rect { x: Length::emu(x), y: Length::emu(y), ..Rect::default() };
                    prop_assert!(room.contains(origin));
                }
            }
        }
        prop_assert!(options.marks != Marks::None || sheet.rings.is_empty());
    }
    Ok(())
}

/// What of the board a placement shows, in the board's coordinates.
fn on_board(placed: &Placement) -> Rect {
    let Rect { x, y, w, h } = placed.clip;
    let trim = placed.trim;
    let turn = if placed.transform.b == 0.0 { Turn::Up } else { Turn::Left };
    match turn {
        Turn::Up => Rect { x: x - trim.x, y: y - trim.y, w, h },
        _ => Rect { x: trim.bottom() - placed.clip.bottom(), y: x - trim.x, w: h, h: w },
    }
}

/// Whether `parts` cover all of `whole`: no cell of the grid of all their edges is left out.
fn covered(whole: Rect, parts: &[Rect]) -> bool {
    let inside = |from: Length, to: Length, all: Vec<Length>| {
        let mut cuts: Vec<Length> = all.into_iter().filter(|cut| from < *cut && *cut < to).chain([from, to]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    };
    let xs = inside(whole.x, whole.right(), parts.iter().flat_map(|part| [part.x, part.right()]).collect());
    let ys = inside(whole.y, whole.bottom(), parts.iter().flat_map(|part| [part.y, part.bottom()]).collect());
    xs.windows(2).all(|x| {
        ys.windows(2).all(|y| {
            let cell = Rect { x: x[0], y: y[0], w: x[1] - x[0], h: y[1] - y[0] };
            parts.iter().any(|part| part.contains(cell))
        })
    })
}
