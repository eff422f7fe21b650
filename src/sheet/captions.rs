//! What stands in the margins of known sheets: words, names of tiles, rulers.

use super::testing::{boards, cards, imposed, options};
use super::*;

const POKER: Size = Size::mm(63, 88);

/// What stands on the sheets of `stack` in words.
pub(super) fn words(stack: &Stack, options: &Options) -> Vec<Vec<String>> {
    let pen = words::Pen::new(&testing::FONTS, &options.imprint.language);
    let drafts = lay_out(std::slice::from_ref(stack), options, &pen, &mut Vec::new());
    let pages = drafts.len();
    let dressed = (1..).zip(drafts).map(|(page, draft)| furniture::dressed(draft, (page, pages), options, &pen).notes);
    dressed.map(|notes| notes.into_iter().map(|note| note.text).collect()).collect()
}

#[test]
fn the_margin_says_what_a_sheet_is() {
    let stack = cards(POKER, 9, Gutter::Shared);
    let said = words(&stack, &options("a4"));
    let numbers = ["1", "2", "3", "4", "5", "6", "7", "8"];
    assert_eq!(said[0][..8], numbers);
    let front = "社团博览会：抢新大战 · 社团手段卡 · 正面 · 4 人 · 第 1 / 2 页 · A4 100 % · 长边翻转 · 1.0 3f2a91c0 · paiban 0.1.0";
    let ruler = "100 mm · 4 in";
    assert_eq!(said[0][8..], [front, ruler, ruler]);
    let back = "社团博览会：抢新大战 · 社团手段卡 · 背面 · 4 人 · 第 2 / 2 页 · A4 100 % · 长边翻转 · 1.0 3f2a91c0 · paiban 0.1.0";
    assert_eq!(said[1], [back, ruler, ruler]);

    let imprint = Imprint { game: "Club Fair".to_owned(), language: "en-GB".to_owned(), ..Imprint::default() };
    let english = Options { imprint, sides: Sides::ShortEdge, ..options("letter") };
    let front =
        "Club Fair · 社团手段卡 · front · page 1 / 2 · Letter 100 % · flip on short edge · no room for a ruler across";
    assert_eq!(words(&stack, &english)[0][8..], [front, ruler]);
}

#[test]
fn tiles_say_where_they_belong() {
    let board = Stack { title: "中央展板".to_owned(), ..boards(Size::mm(420, 297), 1) };
    let said = words(&board, &options("a4"));
    assert_eq!(said[0][..2], ["→ A2", "↓ B1"]);
    assert!(said[0][2].contains("中央展板 A1 · 正面"), "{}", said[0][2]);
    assert!(said[0][2].contains("右、下各 10 mm 为粘贴边"), "{}", said[0][2]);
    assert_eq!(said[0][3..], ["100 mm · 4 in", "A1", "100 mm · 4 in"]);
    assert_eq!(said[1][..2], ["← A1", "↓ B2"]);
    assert_eq!(said[2][..2], ["↑ A1", "→ B2"]);
    assert_eq!(said[3][..2], ["← B1", "↑ A2"]);
    assert!(said[1][2].contains("下边 10 mm 为粘贴边"), "{}", said[1][2]);
    assert!(said[2][2].contains("右边 10 mm 为粘贴边"), "{}", said[2][2]);
    assert!(!said[3][2].contains("粘贴"), "{}", said[3][2]);
}

#[test]
fn creases_say_what_they_are() {
    let board = Stack { folds: vec![Length::mm(90)], ..boards(Size::mm(180, 120), 1) };
    assert_eq!(words(&board, &options("a4"))[0].iter().filter(|word| *word == "折").count(), 2);
    let board = Stack { folds: vec![Length::mm(210)], ..boards(Size::mm(420, 297), 1) };
    assert!(words(&board, &options("a4")).iter().all(|words| words.iter().filter(|word| *word == "折").count() == 2));
}

#[test]
fn crosses_lie_on_the_same_place_of_the_board_on_both_tiles() {
    let sheets = imposed(boards(Size::mm(297, 420), 1), &options("a4")).sheets;
    let crosses = |sheet: &Sheet| -> Vec<Point> {
        let trim = sheet.placements[0].trim;
        let is_arm = |line: &&Line| line.dash.is_none() && (line.to.x - line.from.x) == Length::mm(4);
        let arms = sheet.lines.iter().filter(is_arm);
        arms.map(|line| Point { x: line.from.x + Length::mm(2) - trim.x, y: line.from.y - trim.y }).collect()
    };
    for (one, other) in [(0, 1), (2, 3), (0, 2), (1, 3)] {
        let (one, other) = (crosses(&sheets[one]), crosses(&sheets[other]));
        let shared = one.iter().filter(|cross| other.contains(cross)).count();
        assert_eq!(shared, 2, "{one:?} {other:?}");
    }
}

#[test]
fn a_ruler_has_a_hundred_millimetres_and_four_inches() {
    for sheet in imposed(cards(POKER, 9, Gutter::Shared), &options("a4")).sheets {
        let bars: Vec<&Line> = sheet.lines.iter().filter(|line| line.to.x - line.from.x == Length::mm(100)).collect();
        let [bar] = bars.as_slice() else { panic!("one ruler") };
        let ticks = |up: bool| -> Vec<Length> {
            let stands_on =
                |line: &&Line| line.from.x == line.to.x && bar.from.y == if up { line.to.y } else { line.from.y };
            sheet.lines.iter().filter(stands_on).map(|line| line.from.x - bar.from.x).collect()
        };
        assert_eq!(ticks(true), (0..=10).map(|n| Length::mm(10 * n)).collect::<Vec<_>>());
        assert_eq!(ticks(false), ["0in", "1in", "2in", "3in", "4in"].map(|text| Length::parse(text).expect(text)));
    }
}

#[test]
fn there_is_a_ruler_for_each_direction_where_there_is_room() {
    let bars = |sheet: &Sheet| {
        let along = |line: &&Line| (line.to.x - line.from.x).abs() == Length::mm(100);
        let down = |line: &&Line| (line.to.y - line.from.y).abs() == Length::mm(100);
        (sheet.lines.iter().filter(along).count(), sheet.lines.iter().filter(down).count())
    };
    let page = Stack { kind: Kind::Page, ..boards(Size::mm(210, 297), 1) };
    let nine = cards(POKER, 9, Gutter::Shared);
    for (stack, paper, wanted) in [
        (boards(Size::mm(148, 210), 1), "a4", (1, 1)),
        (boards(Size::mm(420, 297), 1), "a4", (1, 1)),
        (cards(POKER, 4, Gutter::Bleeds), "a4", (1, 1)),
        // Marks leave nothing free at the sides of nine cards on A4, nor above and below them on Letter.
        (nine.clone(), "a4", (1, 0)),
        (nine, "letter", (0, 1)),
        (page, "a4", (0, 0)),
    ] {
        let drawn = bars(&imposed(stack.clone(), &options(paper)).sheets[0]);
        assert_eq!(drawn, wanted, "{} {} on {paper}", stack.component, stack.trim);
    }
}
