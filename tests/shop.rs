//! What print shops are sent: sizes, order, names.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::Project;
use common::read::Read;

/// The small project, ordered from the shop `profile`.
fn ordered(profile: &str, arguments: &[&str]) -> (Project, PathBuf) {
    let project = Project::base();
    project.write("shops/test.toml", profile);
    project.run(&[["build", "--for", "test"].as_slice(), arguments].concat()).ended(0);
    let folder = project.root().join("out/mini/test");
    (project, folder)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn texts(path: &Path) -> Vec<String> {
    let read = Read::new(&fs::read(path).expect("a PDF"));
    (0..read.pages.len()).map(|page| read.text(page).split_whitespace().next().unwrap_or("-").to_owned()).collect()
}

#[test]
fn pages_are_trim_and_bleed_in_the_order_of_the_shop() {
    let profile = |order: &str| {
        format!("bleed = \"2mm\"\nsafe = \"3mm\"\ncopies = true\norder = \"{order}\"\nfile = \"{{component}}\"\n")
    };
    let (_project, folder) = ordered(&profile("front-back"), &[]);
    assert_eq!(names(&folder), ["board.pdf", "card.pdf", "coin.pdf", "files.json"]);
    let read = Read::new(&fs::read(folder.join("card.pdf")).expect("a PDF"));
    assert_eq!(read.pages.len(), 12);
    let points = |mm: f32| mm / 25.4 * 72.0;
    for page in 0..12 {
        for (key, expected) in [
            ("MediaBox", [0.0, 0.0, points(67.0), points(92.0)]),
            ("BleedBox", [0.0, 0.0, points(67.0), points(92.0)]),
            ("TrimBox", [points(2.0), points(2.0), points(65.0), points(90.0)]),
        ] {
            let is = read.numbers(read.page(page), key);
            assert!(is.iter().zip(expected).all(|(is, expected)| (is - expected).abs() < 2e-3), "{key}: {is:?}");
        }
    }
    let fronts_first = texts(&folder.join("card.pdf"));
    let (_project, folder) = ordered(&profile("back-front"), &["--component", "card"]);
    let backs_first = texts(&folder.join("card.pdf"));
    assert_eq!((&fronts_first[0], &fronts_first[1]), (&backs_first[1], &backs_first[0]));
    assert_ne!(fronts_first[0], fronts_first[1]);
    let (_project, folder) = ordered(&profile("fronts-then-back"), &["--component", "card"]);
    let back_last = texts(&folder.join("card.pdf"));
    assert_eq!(back_last.len(), 7);
    assert_eq!(back_last[6], fronts_first[1]);
}

#[test]
fn pictures_have_the_pixels_of_the_shops_template() {
    let profile = "bleed = \"0.12in\"\noutput = \"png\"\ndpi = 300\nfile = \"{component}/{number}-{side}-x{copies}\"\n";
    let (_project, folder) = ordered(profile, &["--component", "card"]);
    assert_eq!(names(&folder.join("card")), ["001-front-x3.png", "002-front-x3.png", "all-back-x6.png"]);
    let picture = tiny_skia::Pixmap::load_png(folder.join("card/001-front-x3.png")).expect("a picture");
    // As the shop's own template for 63 x 88 mm.
    assert_eq!((picture.width(), picture.height()), (816, 1111));
    assert!(picture.pixels().iter().all(|dot| dot.alpha() == 255));
}

#[test]
fn a_flat_edge_goes_on_into_the_bleed() {
    let project = Project::base();
    let path = project.root().join("data/mini/components.toml");
    let components = fs::read_to_string(&path).expect("components").replace("#ffffff", "#102030");
    fs::write(path, components).expect("components");
    project.write("shops/test.toml", "bleed = \"6mm\"\noutput = \"png\"\nfile = \"{component}-{number}-{side}\"\n");
    project.run(&["build", "--for", "test", "--component", "card"]).ended(0);
    let picture = project.root().join("out/mini/test/card-001-front.png");
    let picture = tiny_skia::Pixmap::load_png(picture).expect("a picture");
    let corner = picture.pixel(1, 1).expect("a dot").demultiply();
    assert_eq!([corner.red(), corner.green(), corner.blue()], [0x10, 0x20, 0x30]);
}

#[test]
fn the_folder_holds_what_is_ordered_now() {
    let profile = "bleed = \"2mm\"\noutput = \"png\"\ndpi = 72\nfile = \"{component}/{number}-{side}-x{copies}\"\n";
    let (project, folder) = ordered(profile, &[]);
    let listed = || {
        let list: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(folder.join("files.json")).expect("a list")).expect("JSON");
        let mut files: Vec<String> = list["files"]
            .as_array()
            .expect("files")
            .iter()
            .map(|file| file["file"].as_str().expect("a name").to_owned())
            .collect();
        files.sort();
        files
    };
    let before = listed();
    assert!(before.contains(&"card/002-front-x3.png".to_owned()), "{before:?}");
    fs::write(folder.join("note.txt"), "mine").expect("a file of my own");
    project.replace("data/mini/components.toml", "copies = 3", "copies = 4");
    project.run(&["build", "--for", "test"]).ended(0);
    let after = listed();
    assert!(!after.contains(&"card/002-front-x3.png".to_owned()), "{after:?}");
    assert_eq!(
        names(&folder.join("card")),
        after.iter().filter_map(|file| file.strip_prefix("card/").map(str::to_owned)).collect::<Vec<_>>()
    );
    // What is ordered of one component leaves the others alone, and lists them.
    project.run(&["build", "--for", "test", "--component", "coin"]).ended(0);
    assert_eq!(listed(), after);
    // A list that somebody else wrote deletes nothing elsewhere.
    project.write("kept.txt", "kept");
    let foreign = r#"{"files":[{"file":"../../../kept.txt","component":"card","pages":1,"pieces":[]}]}"#;
    fs::write(folder.join("files.json"), foreign).expect("a list");
    project.run(&["build", "--for", "test"]).ended(0);
    assert!(project.root().join("kept.txt").exists() && folder.join("note.txt").exists());
}

#[test]
fn the_same_order_has_the_same_bytes() {
    let profile = "bleed = \"2mm\"\nfile = \"{component}\"\n";
    let (first, second) = (ordered(profile, &[]), ordered(profile, &[]));
    let read = |folder: &Path| fs::read(folder.join("card.pdf")).expect("a PDF");
    assert_eq!(read(&first.1), read(&second.1));
}
