//! Trials from the field about paper, by their numbers in tests/TRIALS.md: what people printed with other tools and could not use.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test may fail

mod common;

use std::fs;

use common::Project;
use common::pages::{MM, Placed, Read, marks, media_box, placed};

/// A game with one deck: `count` cards of `trim` millimetres, each with its number on both sides.
fn deck(trim: (f64, f64), count: usize, more: &str) -> Project {
    let project = Project::base();
    let (w, h) = trim;
    for (name, letter) in [("front", "F"), ("back", "B")] {
        let svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"><rect x="-3" y="-3" width="{}" height="{}" fill="#ffffff"/>
  <text x="10" y="20" font-size="8">{letter}{{{{ record.n }}}}</text></svg>"##,
            w + 6.0,
            h + 6.0
        );
        project.write(&format!("templates/mini/{name}.svg"), &svg);
    }
    let cards: Vec<String> = (1..=count).map(|n| format!("[[card]]\nid = \"c{n}\"\nn = {n}\n")).collect();
    project.write("data/mini/cards.toml", &cards.concat());
    fs::remove_file(project.root().join("data/mini/invariants.toml")).ok();
    project.write(
        "data/mini/components.toml",
        &format!(
            "[[component]]\nid = \"card\"\ntitle = \"Card\"\nkind = \"card\"\ntrim = \"{w}x{h}mm\"\nfront = \"mini/front.svg\"\nback = \"mini/back.svg\"\nrecords = \"card\"\n{more}"
        ),
    );
    project
}

const EDGE: &str = "edge = \"#ffffff\"\n";

/// The kit of everything, built with `arguments`; its file ends in `ending`.
fn built(project: &Project, arguments: &[&str], ending: &str) -> Read {
    project.run(&[["build", "--players", "full"].as_slice(), arguments].concat()).ended(0);
    Read::new(&fs::read(project.root().join(format!("out/mini/mini-full-{ending}.pdf"))).expect("a kit"))
}

fn near(is: f64, should: f64) -> bool {
    (is - should).abs() < 0.01
}

/// The numbers on a page, in the order in which the cards are painted.
fn numbers(read: &Read, page: usize, letter: char) -> Vec<String> {
    let text = read.text(page);
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let numbers = words.filter_map(|word| word.strip_prefix(letter)).filter(|rest| rest.parse::<usize>().is_ok());
    numbers.map(str::to_owned).collect()
}

/// Checks a front and the page behind it: behind each card lies its own back. Returns how many there are.
fn backs_lie_behind(read: &Read, page: usize, flip: &str) -> usize {
    let [_, _, w, h] = media_box(read, page).map(|points| points / MM);
    let (fronts, backs) = (placed(read, page), placed(read, page + 1));
    let (front_numbers, back_numbers) = (numbers(read, page, 'F'), numbers(read, page + 1, 'B'));
    assert_eq!((fronts.len(), backs.len()), (front_numbers.len(), back_numbers.len()), "{front_numbers:?}");
    for (front, number) in fronts.iter().zip(&front_numbers) {
        let [x0, y0, x1, y1] = front.clip;
        let behind = if flip == "long-edge" { [w - x1, y0, w - x0, y1] } else { [x0, h - y1, x1, h - y0] };
        let there = |back: &&Placed| back.clip.iter().zip(behind).all(|(is, should)| near(*is, should));
        let at = backs.iter().position(|back| there(&back)).unwrap_or_else(|| panic!("nothing lies behind {number}"));
        assert_eq!(&back_numbers[at], number, "{flip}");
        // What lies on its side does so on both.
        let upright = front.upright && flip == "long-edge";
        assert_eq!(backs[at].upright, upright, "{flip}: {number} stands on its head");
    }
    fronts.len()
}

#[test]
fn p01_each_back_lies_behind_its_front_for_both_edges() {
    for (trim, count) in [((63.0, 88.0), 3), ((95.0, 130.0), 4), ((63.0, 88.0), 9), ((88.0, 63.0), 9)] {
        let project = deck(trim, count, EDGE);
        for (flip, ending) in [("long-edge", "a4"), ("short-edge", "a4-short-edge")] {
            let read = built(&project, &["--sides", flip], ending);
            assert_eq!(read.pages.len(), 2);
            assert_eq!(backs_lie_behind(&read, 0, flip), count);
        }
    }
}

#[test]
fn p03_a_sheet_that_is_not_full_keeps_its_backs_behind_its_fronts() {
    let project = deck((63.0, 88.0), 13, EDGE);
    for (flip, ending) in [("long-edge", "a4"), ("short-edge", "a4-short-edge")] {
        let read = built(&project, &["--sides", flip], ending);
        assert_eq!([backs_lie_behind(&read, 0, flip), backs_lie_behind(&read, 2, flip)], [9, 4]);
    }
}

#[test]
fn p06_the_page_is_the_paper_that_was_asked_for() {
    let project = deck((63.0, 88.0), 9, EDGE);
    for (paper, ending, [w, h]) in
        [("letter", "letter", [612.0, 792.0]), ("a4", "a4", [595.276, 841.89]), ("legal", "legal", [612.0, 1008.0])]
    {
        let read = built(&project, &["--paper", paper], ending);
        for page in 0..read.pages.len() {
            let is = media_box(&read, page);
            assert!((is[2] - w).abs() < 0.002 && (is[3] - h).abs() < 0.002, "{paper}: {is:?}");
        }
    }
}

#[test]
fn p10_cards_are_as_large_as_they_should_be() {
    let read = built(&deck((63.0, 88.0), 9, EDGE), &[], "a4");
    for card in placed(&read, 0) {
        assert!((card.scale.0 - 1.0).abs() < 1e-4 && (card.scale.1 - 1.0).abs() < 1e-4, "{card:?}");
    }
    // The marks say the same: four cuts, 63.00 mm apart.
    let lines = marks(&read, 0);
    let upright = lines.iter().filter(|(from, to)| near(from.0, to.0) && from.1 < 20.0);
    let at: Vec<f64> = upright.map(|(from, _)| from.0).collect();
    let cut = |x: f64| at.iter().any(|mark| near(*mark, x));
    assert!(at.iter().any(|x| [63.0, 126.0, 189.0].iter().all(|right| cut(x + right))), "{at:?}");
}

#[test]
fn p11_nothing_is_scaled_and_a_ruler_shows_it() {
    let read = built(&deck((63.0, 88.0), 4, EDGE), &[], "a4");
    let catalog = read.pdf.catalog().expect("a catalogue");
    let wish = read.at(read.dict(catalog, "ViewerPreferences"), "PrintScaling");
    assert_eq!(wish.as_name().expect("a name"), b"None");
    for page in 0..read.pages.len() {
        let ruler = marks(&read, page).into_iter().any(|(from, to)| near((to.0 - from.0).hypot(to.1 - from.1), 100.0));
        assert!(ruler, "page {} has no ruler of 100 mm", page + 1);
    }
}

#[test]
fn p20_a_large_board_is_there_to_its_last_millimetre() {
    let project = Project::base();
    project.write(
        "templates/mini/board.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400"><rect x="-2" y="-2" width="604" height="404" fill="#ddeedd"/></svg>"##,
    );
    project.replace("data/mini/components.toml", "120x80mm", "600x400mm");
    let read = built(&project, &["--component", "board", "--sides", "fronts"], "a4-fronts-board");
    assert_eq!(read.pages.len(), 8);
    let tiles: Vec<Placed> = (0..8).flat_map(|page| placed(&read, page)).collect();
    // On the board, in whole millimetres.
    let seen = |(x, y): (f64, f64)| {
        tiles.iter().any(|tile| {
            let [x0, y0, x1, y1] = tile.clip;
            let (px, py) = (x + tile.origin.0, y + tile.origin.1);
            px >= x0 - 0.01 && px <= x1 + 0.01 && py >= y0 - 0.01 && py <= y1 + 0.01
        })
    };
    for x in 0..=600 {
        for y in 0..=400 {
            assert!(seen((f64::from(x), f64::from(y))), "{x}, {y} is on no sheet");
        }
    }
}

#[test]
fn p22_marks_stand_on_sheets_and_never_in_what_a_shop_gets() {
    let project = deck((63.0, 88.0), 4, EDGE);
    project.write("shops/test.toml", "bleed = \"2mm\"\nfile = \"{component}\"\n");
    assert!(!marks(&built(&project, &[], "a4"), 0).is_empty());
    project.run(&["build", "--for", "test"]).ended(0);
    let order = Read::new(&fs::read(project.root().join("out/mini/test/card.pdf")).expect("an order"));
    assert!(order.pages.len() >= 4);
    for page in 0..order.pages.len() {
        assert_eq!(marks(&order, page), []);
        let strokes = lopdf::content::Content::decode(&order.content(page)).expect("a page").operations;
        assert!(!strokes.iter().any(|operation| operation.operator == "S"), "a line on the art");
    }
}

#[test]
fn p23_pictures_sheets_and_orders_have_one_trim() {
    let project = deck((63.0, 88.0), 2, EDGE);
    project.write("shops/test.toml", "bleed = \"2mm\"\nfile = \"{component}\"\n");
    let sheet = placed(&built(&project, &[], "a4"), 0);
    assert!(
        near(sheet[1].origin.0 - sheet[0].origin.0, 63.0) || near(sheet[1].origin.1 - sheet[0].origin.1, 63.0),
        "{sheet:?}"
    );
    project.run(&["export", "mini", "--dpi", "254"]).ended(0);
    let picture = tiny_skia::Pixmap::load_png(project.root().join("out/mini/faces/card-c1.png")).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (630, 880));
    project.run(&["build", "--for", "test"]).ended(0);
    let order = Read::new(&fs::read(project.root().join("out/mini/test/card.pdf")).expect("an order"));
    let trim: Vec<f64> = order.numbers(order.page(0), "TrimBox").iter().map(|side| f64::from(*side) / MM).collect();
    assert!(near(trim[2] - trim[0], 63.0) && near(trim[3] - trim[1], 88.0), "{trim:?}");
}

#[test]
fn d09_as_many_cards_come_out_as_went_in() {
    let project = deck((63.0, 88.0), 3, EDGE);
    for file in 2..=6 {
        let cards: Vec<String> = (1..=3).map(|n| format!("[[card]]\nid = \"f{file}-{n}\"\nn = {n}\n")).collect();
        project.write(&format!("data/mini/cards-{file}.toml"), &cards.concat());
    }
    built(&project, &[], "a4");
    let manifest: serde_json::Value = serde_json::from_str(&project.read("out/mini/mini-full-a4.json")).expect("JSON");
    let pages = manifest["pages"].as_array().expect("pages");
    let fronts = pages.iter().filter(|page| page["side"] == "front");
    let pieces: usize = fronts.map(|page| page["pieces"].as_array().expect("pieces").len()).sum();
    assert_eq!(pieces, 18);
    assert_eq!(manifest["faces"].as_object().expect("faces").len(), 18);
}

#[test]
fn d12_copies_of_one_picture_are_all_ordered() {
    let project = deck((63.0, 88.0), 2, &format!("{EDGE}copies = 3\n"));
    project.replace("data/mini/cards.toml", "n = 2", "n = 1");
    let ordered = |profile: &str| {
        project.write("shops/test.toml", profile);
        project.run(&["build", "--for", "test"]).ended(0);
        let list: serde_json::Value = serde_json::from_str(&project.read("out/mini/test/files.json")).expect("JSON");
        list["files"].as_array().expect("files").clone()
    };
    let files = ordered("bleed = \"2mm\"\noutput = \"png\"\nfile = \"{component}-{number}-{side}-x{copies}\"\n");
    let names: Vec<&str> = files.iter().map(|file| file["file"].as_str().expect("a name")).collect();
    assert_eq!(names, ["card-001-front-x6.png", "card-all-back-x6.png"]);
    let files = ordered("bleed = \"2mm\"\ncopies = true\nfile = \"{component}\"\n");
    assert_eq!((files.len(), &files[0]["pages"]), (1, &serde_json::Value::from(12)));
    assert_eq!(files[0]["pieces"].as_array().expect("pieces").len(), 6);
}
