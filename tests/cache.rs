//! What a build leaves to the next one saves work and changes nothing: whatever happens to a project or to the cache, the files are those of
//! a build without it.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use common::{Project, Ran, repository};

/// The files below `folder`, by their paths in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_path_buf();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

/// The files of the cache with this ending.
fn cached(project: &Project, ending: &str) -> Vec<PathBuf> {
    let all = files(&project.cache()).into_keys();
    all.filter(|path| path.extension().is_some_and(|found| found == ending))
        .map(|path| project.cache().join(path))
        .collect()
}

/// Builds with the cache, and without it into another folder: both must come to the same.
#[track_caller]
fn same(project: &Project, what: &str) -> Ran {
    let cached = project.run(&["build"]);
    fs::remove_dir_all(project.root().join("anew")).ok();
    let anew = project.run(&["build", "--no-cache", "--out", "anew"]);
    assert_eq!((cached.code, &cached.stderr), (anew.code, &anew.stderr), "{what}");
    if anew.code == Some(0) {
        let (is, should) = (files(&project.root().join("out")), files(&project.root().join("anew")));
        let differs = should.iter().find(|(path, bytes)| is.get(*path) != Some(bytes)).map(|(path, _)| path);
        assert_eq!(differs, None, "{what}");
    }
    cached
}

/// What may happen to a file.
type Spoil = &'static dyn Fn(&Path);

/// When each file of the output was written.
fn times(project: &Project) -> BTreeMap<PathBuf, SystemTime> {
    let out = project.root().join("out");
    let time = |path: &PathBuf| fs::metadata(out.join(path)).and_then(|meta| meta.modified()).expect("a time");
    files(&out).into_keys().map(|path| (path.clone(), time(&path))).collect()
}

/// The base project, with a picture, an included template, a spreadsheet and a second game.
fn project() -> Project {
    let project = Project::base();
    let dots = fs::read(repository().join("tests/pictures/yomi-twins/board.png")).expect("a picture");
    fs::write(project.root().join("photo.png"), dots).expect("a picture");
    project.replace(
        "templates/mini/board.svg",
        "<text ",
        "<image href=\"photo.png\" width=\"40\" height=\"40\"/>\n  <g pb:include=\"mini/part.svg\"/>\n  <text ",
    );
    project.replace("templates/mini/board.svg", "<svg ", "<svg xmlns:pb=\"urn:paiban:template\" ");
    project.write(
        "templates/mini/part.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"><rect x="50" y="50" width="9" height="9" fill="#aa3311"/></svg>"##,
    );
    project.write("data/mini/seats.csv", "id,place\na,1\nb,2\n");
    let components = project.read("data/mini/components.toml");
    let seats = "\n[[component]]\nid = \"seat\"\ntitle = \"Seat\"\nkind = \"card\"\ntrim = \"40x40mm\"\nfront = \"mini/seat.svg\"\nrecords = \"seats.csv\"\n";
    project.write("data/mini/components.toml", &(components + seats));
    project.write(
        "templates/mini/seat.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><text x="20" y="20" font-size="6" text-anchor="middle">{{ record.place }}</text></svg>"#,
    );
    common::copy(&project.root().join("data/mini"), &project.root().join("data/other")).expect("a copy");
    project.replace("data/other/game.toml", "id = \"mini\"", "id = \"other\"");
    project
}

#[test]
fn a_second_build_of_the_same_does_nothing() {
    let project = project();
    let first = same(&project, "the first build").ended(0);
    let before = times(&project);
    assert!(!before.is_empty());
    for faces in cached(&project, "faces") {
        fs::remove_file(faces).expect("remembered faces");
    }
    let second = project.run(&["build"]).ended(0);
    assert_eq!(first.stderr, second.stderr, "what is wrong is told again");
    assert_eq!(times(&project), before, "files were written again");
    assert_eq!(cached(&project, "faces"), Vec::<PathBuf>::new(), "faces were composed");
}

#[test]
fn only_the_game_that_changed_is_built() {
    let project = project();
    same(&project, "the first build").ended(0);
    let before = times(&project);
    project.replace("data/mini/cards.toml", "Warms the land.", "Warms the sea.");
    same(&project, "a value is another").ended(0);
    let touched: Vec<PathBuf> = times(&project)
        .into_iter()
        .filter(|(path, time)| before.get(path) != Some(time))
        .map(|(path, _)| path)
        .collect();
    assert!(!touched.is_empty() && touched.iter().all(|path| path.starts_with("mini")), "{touched:?}");
}

#[test]
fn kits_that_stay_the_same_are_not_written_again() {
    let project = Project::base();
    same(&project, "the first build").ended(0);
    let before = times(&project);
    // More copies for five players; nothing is another for two.
    project.replace("data/mini/components.toml", "5 = 6", "5 = 5");
    same(&project, "a number for one kit is another").ended(0);
    let after = times(&project);
    let is_same = |name: &str| after.get(Path::new(name)) == before.get(Path::new(name));
    assert!(is_same("mini/mini-2p-a4.pdf") && !is_same("mini/mini-5p-a4.pdf"), "{before:?} {after:?}");
}

#[test]
fn whatever_changes_shows() {
    let project = project();
    same(&project, "the first build").ended(0);
    let edits: [(&str, &str, &str); 14] = [
        ("data/mini/cards.toml", "Warms the land.", "Warms it."),
        ("data/mini/cards.toml", "Warms it.", "Warms the land."),
        ("data/mini/cards.toml", "[[card]]\nid = \"sun\"", "\n\n# moved down\n[[card]]\nid = \"sun\""),
        ("data/mini/game.toml", "#222222", "#224422"),
        ("data/mini/game.toml", "title = \"Mini\"", "title = \"Minim\""),
        ("data/mini/seats.csv", "b,2", "b,3"),
        ("data/mini/components.toml", "120x80mm", "121x80mm"),
        ("data/mini/components.toml", "121x80mm", "120x80mm"),
        ("templates/mini/part.svg", "#aa3311", "#11aa33"),
        ("templates/mini/card.svg", "#cc8800", "#0088cc"),
        ("templates/mini/card.svg", "font-size=\"8pt\"", "font-size=\"5pt\""),
        ("templates/icons/plain/star.svg", "viewBox=\"0 0", "stroke=\"none\" viewBox=\"0 0"),
        ("templates/mini/back.svg", "r=\"20\"", "r=\"19\""),
        ("data/mini/cards.toml", "power = 4", "power = 5"),
    ];
    for (path, old, new) in edits {
        project.replace(path, old, new);
        same(&project, &format!("{path}: {new}"));
    }
    project.replace("data/mini/cards.toml", "power = 5", "power = 4");
    same(&project, "mended").ended(0);
}

#[test]
fn whatever_comes_and_goes_shows() {
    let project = project();
    same(&project, "the first build").ended(0);
    let photo = |name: &str| fs::read(repository().join("tests/pictures/yomi-twins").join(name)).expect("a picture");
    let other = fs::read_dir(repository().join("tests/pictures/yomi-twins")).expect("pictures").flatten();
    let other = other.map(|entry| entry.file_name().to_string_lossy().into_owned()).find(|name| name != "board.png");
    fs::write(project.root().join("photo.png"), photo(&other.expect("another picture"))).expect("another picture");
    same(&project, "the picture is another");
    fs::remove_file(project.root().join("photo.png")).expect("it goes");
    same(&project, "the picture is gone").ended(1);
    fs::write(project.root().join("photo.png"), photo("board.png")).expect("it comes back");
    same(&project, "the picture is back").ended(0);

    project.write(
        "data/mini/more.toml",
        "[[card]]\nid = \"star\"\nname = \"Star\"\npower = 1\ncost = { gold = 1 }\ntext = \"T\"\n",
    );
    same(&project, "a file of data more").ended(0);
    fs::remove_file(project.root().join("data/mini/more.toml")).expect("it goes");
    same(&project, "and less").ended(0);

    let font = repository().join("fonts/fredoka");
    common::copy(&font, &project.root().join("fonts/fredoka")).expect("a font");
    same(&project, "a font more").ended(0);
    let name = fs::read_dir(&font)
        .expect("fonts")
        .flatten()
        .map(|entry| entry.file_name())
        .find(|name| name.to_string_lossy().ends_with("tf"));
    let path = project.root().join("fonts/fredoka").join(name.expect("a font file"));
    fs::write(&path, b"no font").expect("a broken font");
    same(&project, "the font is broken");
    fs::remove_dir_all(project.root().join("fonts")).expect("it goes");
    same(&project, "the font is gone").ended(0);
}

#[test]
fn a_build_that_ends_early_forgets_no_picture() {
    let project = project();
    same(&project, "the first build").ended(0);
    // Nobody draws the picture anew: its face is remembered, and no PDF is written.
    project.replace("data/mini/cards.toml", "power = 4", "power = 5");
    same(&project, "a fault").ended(1);
    project.replace("data/mini/cards.toml", "power = 5", "power = 4");
    let small = fs::read(repository().join("tests/cases/preflight-picture-coarse/art/field.png")).expect("a picture");
    fs::write(project.root().join("photo.png"), small).expect("another picture");
    let ran = same(&project, "mended, and the picture is another").ended(1);
    assert!(ran.stderr.contains("picture-coarse"), "{}", ran.stderr);
}

#[test]
fn faults_of_games_that_are_not_asked_for_count_as_before() {
    let project = project();
    same(&project, "the first build").ended(0);
    project.replace("data/other/components.toml", "title = \"Coin\"", "titel = \"Coin\"");
    let told = |arguments: &[&str]| {
        let ran = project.run(arguments);
        (ran.code, ran.stderr)
    };
    let anew = told(&["build", "mini", "--no-cache"]);
    assert_eq!(anew.0, Some(1));
    assert_eq!(told(&["build", "mini"]), anew);
    assert_eq!(told(&["build", "mini", "--keep-going"]), anew);
    assert_eq!(told(&["build", "mini", "--keep-going"]), anew);
}

#[test]
fn a_set_of_icons_that_goes_is_missed() {
    let project = Project::base();
    project.replace("templates/mini/card.svg", "<use href=\"icon:sun\"", "<rect");
    project.replace("data/mini/game.toml", "[icons]\nsun = \"star\"\n", "");
    same(&project, "the first build").ended(0);
    fs::remove_dir_all(project.root().join("templates/icons")).expect("it goes");
    same(&project, "no icons").ended(1);
}

#[test]
fn output_that_was_lost_or_spoilt_is_made_again() {
    let project = Project::base();
    same(&project, "the first build").ended(0);
    let pdf = project.root().join("out/mini/mini-2p-a4.pdf");
    fs::write(&pdf, b"spoilt").expect("a file");
    same(&project, "a spoilt PDF").ended(0);
    fs::remove_file(project.root().join("out/mini/mini-5p-a4.json")).expect("it goes");
    same(&project, "a manifest is gone").ended(0);
    fs::remove_dir_all(project.root().join("out")).expect("all goes");
    same(&project, "everything is gone").ended(0);
}

#[test]
fn what_is_asked_for_counts() {
    let project = Project::base();
    project.run(&["build", "--players", "2"]).ended(0);
    let names = || {
        files(&project.root().join("out")).into_keys().filter(|path| path.extension().is_some_and(|end| end == "pdf"))
    };
    assert_eq!(names().count(), 1);
    project.run(&["build", "--players", "2", "--paper", "letter"]).ended(0);
    assert_eq!(names().count(), 2);
    project.run(&["build", "--players", "2", "--marks", "none", "--out", "elsewhere"]).ended(0);
    let read = |path: &str| fs::read(project.root().join(path)).expect("a PDF");
    assert!(read("out/mini/mini-2p-a4.pdf") != read("elsewhere/mini/mini-2p-a4-unmarked.pdf"));
    assert_eq!(project.run(&["build", "--component", "nothing"]).code, Some(2));
}

#[test]
fn files_that_differ_have_names_that_differ() {
    let project = Project::base();
    let options: [&[&str]; 8] = [
        &[],
        &["--margin", "8mm"],
        &["--margin", "3mm 3mm 6.7mm 3mm"],
        &["--marks", "guillotine"],
        &["--marks", "none"],
        &["--guides"],
        &["--colour", "cmyk"],
        &["--colour", "cmyk", "--pdf", "x-1a"],
    ];
    for more in options {
        project.run(&[&["build", "--players", "2"], more].concat());
    }
    let pdfs =
        files(&project.root().join("out")).into_keys().filter(|path| path.extension().is_some_and(|end| end == "pdf"));
    assert_eq!(pdfs.count(), options.len());
}

#[test]
fn a_damaged_cache_is_passed_over() {
    let project = project();
    same(&project, "the first build").ended(0);
    let spoil: [(&str, Spoil); 5] = [
        ("cut off", &|path| fs::write(path, &fs::read(path).expect("a file")[..60]).expect("a file")),
        ("empty", &|path| fs::write(path, b"").expect("a file")),
        ("something else", &|path| fs::write(path, b"paiban cache 1\nand what is this").expect("a file")),
        ("a byte is another", &|path| {
            let mut bytes = fs::read(path).expect("a file");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x20;
            fs::write(path, bytes).expect("a file");
        }),
        ("a folder", &|path| {
            fs::remove_file(path).expect("it goes");
            fs::create_dir(path).expect("a folder");
        }),
    ];
    for (what, spoil) in spoil {
        for path in cached(&project, "faces").into_iter().chain(cached(&project, "build")) {
            spoil(&path);
        }
        same(&project, what).ended(0);
        project.replace("data/mini/cards.toml", "Warm", "Warmm");
        same(&project, &format!("{what}, and a value is another")).ended(0);
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    let project = Project::base();
    fs::write(project.cache(), b"a file where the folder should be").expect("a file");
    same(&project, "no folder").ended(0);
    let nowhere = [("PAIBAN_CACHE", "/proc/paiban")];
    project.run_with(&["build"], &nowhere).ended(0);
}

#[test]
fn no_cache_keeps_nothing() {
    let project = Project::base();
    project.run(&["build", "--no-cache"]).ended(0);
    assert!(!project.cache().exists());
}

#[test]
fn findings_point_where_things_stand_now() {
    let project = Project::base();
    project.replace("templates/mini/card.svg", "font-size=\"8pt\"", "font-size=\"5pt\"");
    let first = same(&project, "small text");
    assert!(first.stderr.contains("text-small") && first.stderr.contains("cards.toml:"), "{}", first.stderr);
    project.replace("data/mini/cards.toml", "[[card]]\nid = \"sun\"", "\n\n\n[[card]]\nid = \"sun\"");
    let moved = same(&project, "all is three lines further down");
    assert_ne!(first.stderr, moved.stderr);
    project.replace("data/mini/cards.toml", "Moves the sea.", "Moves the wide sea.");
    same(&project, "and another card changed");
}

#[test]
fn a_font_that_nothing_uses_changes_no_byte() {
    let project = Project::base();
    common::copy(&repository().join("fonts/fredoka"), &project.root().join("fonts/fredoka")).expect("a font");
    project.replace("templates/mini/card.svg", "<text x=\"5\"", "<text font-family=\"Fredoka\" x=\"5\"");
    same(&project, "one font");
    let before = files(&project.root().join("out"));
    assert!(!before.is_empty());
    common::copy(&repository().join("fonts/zcool-kuaile"), &project.root().join("fonts/another")).expect("a font");
    same(&project, "and one more");
    assert!(before == files(&project.root().join("out")), "the font that is not used shows");
}
