//! `paiban new`: a game that verifies and builds, in a folder that was empty; and never over anything.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::path::Path;

use common::{Project, repository, run_in};

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_new_game_verifies_and_builds() {
    let project = Project::empty();
    let told = project.run(&["new", "tea house", "--title", "The \"Tea\" House & 茶馆"]).ended(0).stdout;
    let root = project.root().join("tea house");
    assert!(told.contains("cd \"tea house\"\n  paiban build\n"), "{told}");
    assert_eq!(names(&root), [".gitignore", "README.md", "data", "templates"]);
    assert_eq!(names(&root.join("data")), ["tea-house"]);

    let verified = run_in(&root, &["verify", "--deny-warnings"], &[]).ended(0);
    assert!(verified.stdout.starts_with("0 errors, 0 warnings, 0 notes; 3 invariants"), "{}", verified.stdout);
    let listed = run_in(&root, &["list", "--format", "json", "--players", "3"], &[]).ended(0).json();
    assert_eq!(listed["games"][0]["title"], "The \"Tea\" House & 茶馆");
    assert_eq!(listed["games"][0]["components"][1]["count"], 12);
    run_in(&root, &["build"], &[]).ended(0);
    for kit in ["2p", "3p", "4p", "full"] {
        let path = root.join(format!("out/tea-house/tea-house-{kit}-a4.pdf"));
        assert!(path.metadata().is_ok_and(|file| file.len() > 10_000), "{} was not made", path.display());
    }
    // What `build` made is not to be kept in git.
    assert_eq!(fs::read_to_string(root.join(".gitignore")).expect("a file"), "/out/\n");
}

#[test]
fn an_id_that_is_not_the_folders_name_is_told() {
    let project = Project::empty();
    let told = |arguments: &[&str]| project.run(arguments).ended(0).stdout;
    let made = told(&["new", "Über-Spiel"]);
    assert!(
        made.contains("26 files. Its id is `ber-spiel`, made from the folder's name; `--id` gives another. Now:"),
        "{made}"
    );
    let plain = told(&["new", "纸鸢"]);
    assert!(plain.contains("Its id is `my-game`, made"), "{plain}");
    let asked = told(&["new", "spiel", "--id", "kites"]);
    assert!(asked.contains("26 files. Its id is `kites`. Now:"), "{asked}");
    let same = told(&["new", "tea"]);
    assert!(same.contains("26 files. Now:"), "{same}");
}

#[test]
fn a_new_game_suits_other_papers_and_the_shops() {
    let project = Project::empty();
    project.run(&["new", ".", "--id", "kites"]).ended(0);
    for paper in ["a4", "letter"] {
        for sides in ["long-edge", "fold", "fronts"] {
            project.run(&["build", "--players", "2", "--paper", paper, "--sides", sides]).ended(0);
        }
    }
    for shop in ["mpc", "tgc", "drivethru", "generic"] {
        let ran = project.run(&["build", "--for", shop]).ended(0);
        assert!(!ran.stderr.contains("shop-"), "{}", ran.stderr);
    }
}

#[test]
fn with_its_own_names_it_is_the_starter() {
    let project = Project::empty();
    project.run(&["new", "kites"]).ended(0);
    for path in ["README.md", "data/kites/game.toml", "templates/kites/kite.svg", "templates/icons/sky/gale.svg"] {
        let starter = fs::read_to_string(repository().join("docs/starter").join(path)).expect("a file of the starter");
        assert_eq!(project.read(&format!("kites/{path}")), starter, "{path}");
    }
}

#[test]
fn the_longest_title_fits() {
    let project = Project::empty();
    let title = "字".repeat(40);
    project.run(&["new", ".", "--id", "long", "--title", &title]).ended(0);
    project.run(&["verify", "--deny-warnings"]).ended(0);
    for bad in ["", " ", "two\nlines", &"字".repeat(41)] {
        let ran = project.run(&["new", "other", "--title", bad]).ended(2);
        assert!(ran.stderr.contains("a title is one line"), "{}", ran.stderr);
    }
    assert!(!project.root().join("other").exists());
}

#[test]
fn nothing_is_ever_overwritten() {
    let project = Project::empty();
    project.run(&["new", "game"]).ended(0);
    project.write("game/data/game/kites.toml", "# mine\n");
    let ran = project.run(&["new", "game"]).ended(2);
    assert!(
        ran.stderr.contains("game is not empty") && ran.stderr.contains("does not exist or is empty"),
        "{}",
        ran.stderr
    );
    assert_eq!(project.read("game/data/game/kites.toml"), "# mine\n");

    // What a run that was broken off leaves behind.
    project.write("begun/.paiban-new-abc/data/x.toml", "");
    let ran = project.run(&["new", "begun"]).ended(2);
    assert!(ran.stderr.contains("an earlier run was broken off: delete the folder"), "{}", ran.stderr);
    assert_eq!(names(&project.root().join("begun")), [".paiban-new-abc"]);

    // A fresh repository is as good as empty.
    project.write("fresh/.git/HEAD", "ref: refs/heads/main\n");
    project.run(&["new", "fresh"]).ended(0);
    assert_eq!(names(&project.root().join("fresh")), [".git", ".gitignore", "README.md", "data", "templates"]);
}

#[test]
fn a_folder_that_cannot_be_is_trouble_and_leaves_nothing() {
    let project = Project::empty();
    project.write("file", "text");
    for folder in ["file", "file/inside", "file/far/inside"] {
        let ran = project.run(&["new", folder]).ended(2);
        assert!(ran.stderr.contains("there is a file in its place or on the way to it"), "{}", ran.stderr);
    }
    assert_eq!(project.read("file"), "text");
    for id in ["Upper", "a/b", "", "icons", "-x", "../x"] {
        let ran = project.run(&["new", "game", &format!("--id={id}")]).ended(2);
        assert!(ran.stderr.contains("cannot be the id of a game"), "{}", ran.stderr);
    }
    project.run(&["new"]).ended(2);
    project.run(&["--project", "file", "new", "game"]).ended(2);
    assert_eq!(names(&project.root()), ["file"]);
}

/// Nobody may make a folder there, whoever runs the tests.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made_is_trouble() {
    let project = Project::empty();
    let ran = project.run(&["new", "/proc/paiban/game"]).ended(2);
    assert!(ran.stderr.contains("the folder /proc/paiban/game cannot be made"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_trouble() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::empty();
    let locked = project.root().join("locked");
    fs::create_dir(&locked).expect("a folder");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("permissions");
    // Whoever may write anywhere cannot see this.
    let refused = fs::write(locked.join("probe"), "").is_err();
    if refused {
        for folder in ["locked", "locked/far/inside"] {
            let ran = project.run(&["new", folder]).ended(2);
            assert!(ran.stderr.contains("Permission denied"), "{}", ran.stderr);
        }
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).expect("permissions");
    assert!(!refused || names(&locked).is_empty());
}
