//! What was printed is recorded, only what changed is printed again, and no change that shows is missed.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use common::pages::{Read, placed};
use common::{Project, repository};
use serde_json::Value;

const CARDS: &str = "data/mini/cards.toml";
const COMPONENTS: &str = "data/mini/components.toml";
const REPRINT: &str = "out/mini/mini-reprint-a4";

/// The small project, printed.
fn printed() -> Project {
    let project = Project::base();
    project.run(&["printed", "mini"]).ended(0);
    project
}

/// The pieces of the last reprint and how many of each; its PDF holds just as many fronts as that.
fn made(project: &Project) -> BTreeMap<String, u64> {
    let manifest: Value = serde_json::from_str(&project.read(&format!("{REPRINT}.json"))).expect("JSON");
    assert_eq!(manifest["reprint"], true);
    let copies = manifest["copies"].as_object().expect("copies");
    let copies: BTreeMap<String, u64> =
        copies.iter().map(|(address, copies)| (address.clone(), copies.as_u64().expect("a number"))).collect();
    let read = Read::new(&fs::read(project.root().join(format!("{REPRINT}.pdf"))).expect("a PDF"));
    let pages = manifest["pages"].as_array().expect("pages");
    let mut named: BTreeMap<String, u64> = BTreeMap::new();
    for page in pages {
        let pieces: Vec<&str> = page["pieces"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let number = usize::try_from(page["page"].as_u64().expect("a number")).expect("a page");
        assert_eq!(placed(&read, number - 1).len(), pieces.len(), "what lies on page {number}");
        for piece in pieces.iter().filter(|_| page["side"] == "front") {
            *named.entry((*piece).to_owned()).or_default() += 1;
        }
    }
    assert_eq!(named, copies, "the pages hold what the list says");
    copies
}

/// What must be printed after `change`, and what is said of it.
fn after(change: impl Fn(&Project)) -> (BTreeMap<String, u64>, String) {
    let project = printed();
    change(&project);
    let said = project.run(&["reprint", "mini"]).ended(0).stdout;
    let pieces = if said.contains("nothing to print") || said.contains(": 0 pieces to print") {
        assert!(!project.root().join(format!("{REPRINT}.pdf")).exists());
        BTreeMap::new()
    } else {
        made(&project)
    };
    (pieces, said)
}

fn list<const N: usize>(pieces: [(&str, u64); N]) -> BTreeMap<String, u64> {
    pieces.into_iter().map(|(address, copies)| (address.to_owned(), copies)).collect()
}

#[test]
fn nothing_changed_means_nothing_to_print() {
    let (pieces, said) = after(|_| ());
    assert_eq!(pieces, list([]));
    assert_eq!(said, "mini (Mini): nothing to print since the print of version 1 (data/mini/printed.json)\n");
}

#[test]
fn what_does_not_show_is_not_printed() {
    let comment =
        |project: &Project| project.replace(CARDS, "[[card]]\nid = \"sun\"", "# warm\n[[card]]\nid = \"sun\"");
    assert_eq!(after(comment).0, list([]));
    let template = |project: &Project| {
        project.replace("templates/mini/card.svg", "  <text x=\"5\"", "  <!-- the name -->\n  <text x=\"5\"");
    };
    assert_eq!(after(template).0, list([]));
    let order = |project: &Project| {
        let text = project.read(CARDS);
        let cards: Vec<&str> = text.split("[[card]]").skip(1).collect();
        project.write(CARDS, &format!("[[card]]{}\n[[card]]{}", cards[1], cards[0]));
    };
    assert_eq!(after(order).0, list([]));
    let cost = |project: &Project| project.replace(CARDS, "gold = 2, wood = 1", "gold = 1, wood = 2");
    assert_eq!(after(cost).0, list([]));
}

#[test]
fn a_value_prints_its_card() {
    let (pieces, said) = after(|project| project.replace(CARDS, "Warms the land.", "Warms the sea."));
    assert_eq!(pieces, list([("card/sun", 3)]));
    assert!(
        said.contains(
            "print:\n    3 x card/sun (Sun): the front looks different; text: Warms the land. -> Warms the sea.\n"
        ),
        "{said}"
    );
    assert!(said.contains("throw away:\n    3 x card/sun (Sun)"), "{said}");
}

#[test]
fn a_template_a_theme_an_icon_and_a_back_print_all_that_show_them() {
    let both = list([("card/moon", 3), ("card/sun", 3)]);
    let template = |project: &Project| project.replace("templates/mini/card.svg", "#ffffff", "#fffff0");
    assert_eq!(after(template).0, both);
    assert_eq!(after(|project| project.replace("data/mini/game.toml", "#222222", "#333333")).0, both);
    let icon = |project: &Project| {
        let path = project.root().join("templates/icons/plain/star.svg");
        let text = fs::read_to_string(&path).expect("an icon");
        let body = text.find('>').expect("a tag") + 1;
        fs::write(path, format!("{}<path d=\"M0 0H1V1Z\"/>{}", &text[..body], &text[body..])).expect("an icon");
    };
    assert_eq!(after(icon).0, both);
    let (pieces, said) = after(|project| project.replace("templates/mini/back.svg", "#335577", "#335578"));
    assert_eq!(pieces, both);
    assert!(said.contains("the back looks different, though its record says the same"), "{said}");
}

#[test]
fn a_picture_of_the_same_name_is_seen_to_be_another() {
    let project = Project::base();
    let draw = |colour: [u8; 3]| {
        let mut pixels = tiny_skia::Pixmap::new(400, 400).expect("a picture");
        pixels.fill(tiny_skia::Color::from_rgba8(colour[0], colour[1], colour[2], 255));
        let path = project.root().join("templates/mini/art.png");
        fs::write(path, pixels.encode_png().expect("a PNG")).expect("a picture");
    };
    draw([200, 20, 20]);
    let image = "<image href=\"templates/mini/art.png\" x=\"30\" y=\"60\" width=\"20\" height=\"15\"/></svg>";
    project.replace("templates/mini/board.svg", "</svg>", image);
    project.run(&["printed", "mini"]).ended(0);
    draw([20, 200, 20]);
    project.run(&["reprint", "mini"]).ended(0);
    assert_eq!(made(&project), list([("board", 1)]));
}

/// A font whose glyph of `character` is another than in the font `bytes`, with the same names, numbers and widths.
fn with_other_glyph(bytes: &[u8], character: char) -> Vec<u8> {
    let face = ttf_parser::Face::parse(bytes, 0).expect("a font");
    let table = |tag: &[u8; 4]| {
        let record =
            face.raw_face().table_records.into_iter().find(|record| record.tag == ttf_parser::Tag::from_bytes(tag));
        record.expect("a table").offset as usize
    };
    let glyph = usize::from(face.glyph_index(character).expect("a glyph").0);
    let (loca, glyf, head) = (table(b"loca"), table(b"glyf"), table(b"head"));
    let long = bytes[head + 51] == 1;
    let start = if long {
        u32::from_be_bytes(bytes[loca + 4 * glyph..][..4].try_into().expect("four bytes")) as usize
    } else {
        2 * usize::from(u16::from_be_bytes(bytes[loca + 2 * glyph..][..2].try_into().expect("two bytes")))
    };
    let outline = glyf + start;
    let contours = usize::from(u16::from_be_bytes([bytes[outline], bytes[outline + 1]]));
    assert!((1..100).contains(&contours), "a glyph of its own");
    let last = outline + 10 + 2 * (contours - 1);
    let points = usize::from(u16::from_be_bytes([bytes[last], bytes[last + 1]])) + 1;
    let instructions = usize::from(u16::from_be_bytes([bytes[last + 2], bytes[last + 3]]));
    let flags = last + 4 + instructions;
    assert!(points > 3);
    let mut other = bytes.to_vec();
    // The first point is on the curve or beside it: the other way round the outline bends otherwise.
    other[flags] ^= 1;
    other
}

#[test]
fn another_edition_of_a_font_prints_what_shows_the_other_glyph() {
    let project = Project::base();
    let bytes = fs::read(repository().join("fonts/fredoka/Fredoka-Bold.ttf")).expect("a font");
    let file = project.root().join("fonts/own/own.ttf");
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(&file, &bytes).expect("a font");
    project.replace("data/mini/game.toml", "[theme]", "[fonts]\nsans = \"Fredoka\"\n\n[theme]");
    project.run(&["printed", "mini"]).ended(0);
    // A moon has an M, and so has "Moves the sea."; the sun has none.
    fs::write(&file, with_other_glyph(&bytes, 'M')).expect("a font");
    let said = project.run(&["reprint", "mini"]).ended(0).stdout;
    assert_eq!(made(&project), list([("card/moon", 3)]), "{said}");
}

#[test]
fn copies_are_printed_and_thrown_away_by_the_difference() {
    let (pieces, said) = after(|project| project.replace(COMPONENTS, "copies = 5", "copies = 7"));
    assert_eq!(pieces, list([("coin", 2)]));
    assert!(said.contains("2 x coin: copies: 5 -> 7") && !said.contains("throw away:"), "{said}");
    let (pieces, said) = after(|project| project.replace(COMPONENTS, "copies = 5", "copies = 4"));
    assert_eq!(pieces, list([]));
    assert!(said.contains("throw away:\n    1 x coin: copies: 5 -> 4"), "{said}");
}

const STAR: &str = "\n[[card]]\nid = \"star\"\nname = \"Star\"\npower = 1\ncost = { gold = 1 }\ntext = \"Shines.\"\n";

#[test]
fn new_gone_and_renamed_cards() {
    let add = |project: &Project| project.write(CARDS, &(project.read(CARDS) + STAR));
    assert_eq!(after(add).0, list([("card/star", 3)]));
    let remove = |project: &Project| {
        let text = project.read(CARDS);
        project.write(CARDS, text.split("[[card]]\nid = \"moon\"").next().expect("a card"));
        project.replace(COMPONENTS, "printed = { 2 = 4, 5 = 6 }", "printed = { 2 = 3, 5 = 3 }");
        project.replace(COMPONENTS, "used = \"players\"", "used = 2");
    };
    let (pieces, said) = after(remove);
    assert_eq!(pieces, list([]));
    assert!(said.contains("throw away:\n    3 x card/moon (Moon): gone, 3 copies\n"), "{said}");
    let (pieces, said) = after(|project| project.replace(CARDS, "id = \"moon\"", "id = \"luna\""));
    assert_eq!(pieces, list([]), "a card that only has another id looks the same");
    assert!(said.contains("nothing to print"), "{said}");
}

#[test]
fn another_size_or_outline_is_another_piece() {
    let outline = |project: &Project| project.replace(COMPONENTS, "shape = \"circle\"", "shape = \"drawn\"");
    let (pieces, said) = after(outline);
    assert_eq!(pieces, list([("coin", 5)]));
    assert!(said.contains("size or outline looks different"), "{said}");
}

/// Full kit less what was recorded is the reprint, face by face.
#[test]
fn the_reprint_holds_the_faces_of_the_kit_that_the_record_has_not() {
    let project = printed();
    let record: Value = serde_json::from_str(&project.read("data/mini/printed.json")).expect("JSON");
    project.replace(CARDS, "Moves the sea.", "Moves all seas.");
    project.replace("templates/mini/coin.svg", "#ccaa44", "#ccaa45");
    project.write(CARDS, &(project.read(CARDS) + STAR));
    project.run(&["build", "--players", "full"]).ended(0);
    let full: Value = serde_json::from_str(&project.read("out/mini/mini-full-a4.json")).expect("JSON");
    project.run(&["reprint", "mini"]).ended(0);
    made(&project);
    let reprint: Value = serde_json::from_str(&project.read(&format!("{REPRINT}.json"))).expect("JSON");
    let mut expected = full["faces"].as_object().expect("faces").clone();
    expected.retain(|address, hash| record["pieces"][address]["front"] != *hash);
    assert_eq!(reprint["faces"].as_object(), Some(&expected));
    assert_eq!(expected.keys().collect::<Vec<_>>(), ["card/moon", "card/star", "coin"]);
}

#[test]
fn after_a_reprint_is_recorded_nothing_is_left() {
    let project = printed();
    project.run(&["build", "--players", "full"]).ended(0);
    project.replace(CARDS, "Warms the land.", "Warms the sea.");
    let refused = project.run(&["printed", "mini"]).ended(2);
    assert!(
        refused.stderr.contains("the data has changed since out/mini/mini-full-a4.json was built (card/sun)"),
        "{}",
        refused.stderr
    );
    project.run(&["reprint", "mini"]).ended(0);
    project.run(&["printed", "mini"]).ended(0);
    let said = project.run(&["reprint", "mini"]).ended(0).stdout;
    assert!(
        said.contains("nothing to print") && said.contains("is of an earlier reprint; it was left as it is"),
        "{said}"
    );
    project.replace(CARDS, "Warms the sea.", "Warms the land.");
    project.run(&["printed", "mini", "--anyway"]).ended(0);
    let first = project.read("data/mini/printed.json");
    project.run(&["printed", "mini", "--anyway"]).ended(0);
    assert_eq!(project.read("data/mini/printed.json"), first, "same data, same record");
}

#[test]
fn a_change_of_the_back_alone_or_of_copies_alone_is_refused_too() {
    for (file, old, new) in
        [("templates/mini/back.svg", "#335577", "#335578"), (COMPONENTS, "copies = 5", "copies = 6")]
    {
        let project = Project::base();
        project.run(&["build", "--players", "full"]).ended(0);
        project.replace(file, old, new);
        project.run(&["printed", "mini"]).ended(2);
        assert!(!project.root().join("data/mini/printed.json").exists());
    }
}

#[test]
fn the_kit_that_was_printed_is_compared() {
    let project = Project::base();
    project.run(&["printed", "mini", "--players", "2"]).ended(0);
    let said = project.run(&["reprint", "mini"]).ended(0).stdout;
    assert!(said.contains("nothing to print"), "{said}");
    project.replace(COMPONENTS, "2 = 4", "2 = 5");
    let said = project.run(&["reprint", "mini"]).ended(0).stdout;
    assert_eq!(made(&project), list([("card/moon", 1)]), "{said}");
    project.run(&["reprint", "mini", "--players", "5"]).ended(2);
}

#[test]
fn broken_and_foreign_records_are_told() {
    let project = printed();
    let good = project.read("data/mini/printed.json");
    let said = |text: &str| {
        project.write("data/mini/printed.json", text);
        project.run(&["reprint", "mini"]).ended(2).stderr
    };
    assert!(said("{ not").contains("data/mini/printed.json:1:3: this is no record of a print"));
    assert!(said(&good.replace("\"mini\"", "\"maxi\"")).contains("is a record of `maxi`, not of `mini`"));
    assert!(said(&good.replace("\"format\": 1", "\"format\": 9")).contains("form 9"));
    assert!(said(&good.replace("\"copies\": 5", "\"copies\": 5000000000")).contains("data/mini/printed.json:"));
    fs::remove_file(project.root().join("data/mini/printed.json")).expect("a record");
    let none = project.run(&["reprint", "mini"]).ended(2).stderr;
    assert!(none.contains("after printing say `paiban printed mini`"), "{none}");
    let none = project.run(&["changes"]).ended(2).stderr;
    assert!(none.contains("no game has a record of a print"), "{none}");
    let none = project.run(&["reprint", "mini", "--since", "v1"]).ended(2).stderr;
    assert!(none.contains("`v1` is no file and no folder"), "{none}");
}

/// Runs git in the folder of a project.
fn git(project: &Project, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let ran = Command::new("git").arg("-C").arg(project.root()).args(identity).args(arguments).output().expect("git");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// The small project in a folder of a repository, committed.
fn committed() -> Project {
    let project = Project::base();
    git(&project, &["init", "-q", "-b", "main", ".."]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "first"]);
    project
}

#[test]
fn a_revision_is_compared_and_the_repository_is_not_touched() {
    let project = committed();
    project.replace(CARDS, "Warms the land.", "Warms the sea.");
    let before = (git(&project, &["status", "--porcelain"]), git(&project, &["stash", "list"]));
    let index = fs::read(project.root().join("../.git/index")).expect("an index");
    let said = project.run(&["reprint", "mini", "--since", "main"]).ended(0).stdout;
    assert!(said.contains("3 pieces to print, 3 to throw away since revision main"), "{said}");
    assert_eq!(made(&project), list([("card/sun", 3)]));
    fs::remove_dir_all(project.root().join("out")).expect("what was made");
    assert_eq!((git(&project, &["status", "--porcelain"]), git(&project, &["stash", "list"])), before);
    assert_eq!(fs::read(project.root().join("../.git/index")).expect("an index"), index);
    // A game that was not there is new as a whole; a revision that is an option is none.
    let empty = git(&project, &["commit-tree", "-m", "empty", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"]);
    let said = project.run(&["changes", "--since", empty.trim()]).ended(0).stdout;
    assert!(said.contains("0 changed, 4 new, 0 gone; 12 pieces to print, 0 to throw away"), "{said}");
    project.run(&["changes", "--since=--all"]).ended(2);
}

#[test]
fn a_folder_is_compared() {
    let (old, new) = (Project::base(), Project::base());
    new.replace(CARDS, "Warms the land.", "Warms the sea.");
    let said = new.run(&["changes", "--since", &old.root().to_string_lossy()]).ended(0).stdout;
    assert!(
        said.contains("card/sun (Sun): the front looks different\n    text: Warms the land. -> Warms the sea.\n"),
        "{said}"
    );
    old.replace(CARDS, "Warms", "\\u0007");
    let refused = new.run(&["changes", "--since", &old.root().to_string_lossy()]).ended(2).stderr;
    assert!(refused.contains("its data has errors, the first is: "), "{refused}");
}

#[test]
fn a_page_shows_before_and_after_where_before_is_known() {
    let project = committed();
    project.run(&["printed", "mini"]).ended(0);
    let record: Value = serde_json::from_str(&project.read("data/mini/printed.json")).expect("JSON");
    assert_eq!(record["commit"], git(&project, &["rev-parse", "HEAD"]).trim());
    project.replace(CARDS, "Warms the land.", "Warms <b>the</b> & \\\"sea\\\".");
    project.run(&["changes", "mini", "--format", "html", "--output", "changes.html"]).ended(0);
    let page = project.read("changes.html");
    assert!(page.contains("label=\"card/sun: front, before\"") && page.contains("label=\"card/sun: front, now\""));
    assert!(page.contains("Warms &lt;b&gt;the&lt;/b&gt; &amp; &quot;sea&quot;."), "{page}");
    assert!(!page.contains("<b>the") && !page.contains("<script") && !page.contains("src=\"http"));
    // Data that was in no commit: only now.
    project.run(&["printed", "mini"]).ended(0);
    let record: Value = serde_json::from_str(&project.read("data/mini/printed.json")).expect("JSON");
    assert_eq!(record.get("commit"), None);
    project.replace(CARDS, "Warms", "Heats");
    let page = project.run(&["changes", "mini", "--format", "html"]).ended(0).stdout;
    assert!(page.contains("There are no pictures of before: the print was of data that was in no commit."), "{page}");
    assert!(!page.contains(", before\"") && page.contains("label=\"card/sun: front, now\""));
}

#[test]
fn reprints_take_the_options_of_prints() {
    let project = printed();
    project.replace("templates/mini/board.svg", "#ddeedd", "#ddeede");
    project.replace(CARDS, "Warms the land.", "Warms the sea.");
    let said = project
        .run(&["reprint", "mini", "--component", "board", "--paper", "letter", "--ink", "saver"])
        .ended(0)
        .stdout;
    assert!(said.contains("1 x board") && !said.contains("card/sun"), "{said}");
    assert!(project.root().join("out/mini/mini-reprint-letter-board-saver.pdf").exists(), "{said}");
    project.run(&["reprint", "mini", "--component", "bord"]).ended(2);
}
