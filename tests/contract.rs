//! What users and scripts may rely on: names of files and keys, exit codes, who says what, and that the same input gives the
//! same bytes.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::read::Read;
use common::{Project, repository, run_in};
use serde_json::{Value, json};

/// The keys of a JSON object, in its order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().map(String::as_str).collect()
}

/// Every file below `folder`, by its path, with what is in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

/// A project whose only card costs what it is not worth.
fn with_an_error() -> Project {
    let project = Project::base();
    project.replace("data/mini/cards.toml", "power = 3", "power = 5");
    project
}

#[test]
fn list_as_json_has_the_shape_of_the_contract() {
    let list = Project::base().run(&["list", "--format", "json", "--players", "5"]).ended(0).json();
    assert_eq!(keys(&list), ["games"]);
    let kit = &list["games"][0];
    assert_eq!(keys(kit), ["id", "title", "players", "components"]);
    assert_eq!((&kit["id"], &kit["title"], &kit["players"]), (&json!("mini"), &json!("Mini"), &json!(5)));
    assert_eq!(
        kit["components"][0],
        json!({"id": "card", "title": "Card", "kind": "card", "count": 6, "used": 5, "faces": 2,
            "trim_mm": [63.0, 88.0], "back": "mini/back.svg"})
    );
    let order = ["id", "title", "kind", "count", "used", "faces", "trim_mm", "back"];
    for component in kit["components"].as_array().expect("a list") {
        assert_eq!(keys(component), order);
    }
}

#[test]
fn list_has_a_kit_for_each_count_and_full_where_it_is_asked_for() {
    let project = Project::base();
    let counts = |arguments: &[&str]| -> Vec<Value> {
        let list = project.run(&[&["list", "--format", "json"], arguments].concat()).ended(0).json();
        list["games"].as_array().expect("a list").iter().map(|kit| kit["players"].clone()).collect()
    };
    assert_eq!(counts(&[]), [json!(2), json!(5)]);
    assert_eq!(counts(&["--players", "all"]), [json!(2), json!(5)]);
    assert_eq!(counts(&["--players", "full"]), [json!("full")]);
    assert_eq!(counts(&["mini", "--players", "2"]), [json!(2)]);
}

#[test]
fn verify_as_json_has_the_shape_of_the_contract() {
    let verdict = with_an_error().run(&["verify", "--format", "json"]).ended(1).json();
    assert_eq!(keys(&verdict), ["findings", "summary"]);
    let finding = &verdict["findings"][0];
    let contract = ["code", "severity", "game", "message", "file", "line", "column", "help"];
    let more = ["pieces", "expected", "related"];
    assert!(contract.iter().all(|key| keys(finding).contains(key)), "{finding}");
    assert!(keys(finding).iter().all(|key| contract.contains(key) || more.contains(key)), "{finding}");
    assert_eq!(
        (&finding["code"], &finding["severity"], &finding["game"], &finding["file"]),
        (&json!("fair"), &json!("error"), &json!("mini"), &json!("data/mini/cards.toml"))
    );
    assert_eq!((&finding["line"], &finding["column"]), (&json!(4), &json!(9)));
    let summary = ["errors", "warnings", "notes", "invariants", "claims", "errata", "replays", "faces"];
    assert_eq!(keys(&verdict["summary"]), summary);
    assert!(verdict["summary"].as_object().expect("an object").values().all(Value::is_u64));
    assert_eq!((&verdict["summary"]["errors"], &verdict["summary"]["invariants"]), (&json!(1), &json!(1)));
}

#[test]
fn a_finding_about_faces_names_their_pieces() {
    let project = Project::base();
    project.replace("templates/mini/card.svg", "icon:sun", "icon:snu");
    let verdict = project.run(&["verify", "--format", "json"]).ended(1).json();
    assert_eq!(verdict["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(verdict["findings"][0]["pieces"], json!(["card/sun", "card/moon"]));
}

#[test]
fn the_manifest_says_what_is_on_which_page() {
    let project = Project::base();
    project.run(&["build", "--players", "2"]).ended(0);
    let manifest: Value = serde_json::from_str(&project.read("out/mini/mini-2p-a4.json")).expect("JSON");
    assert_eq!(keys(&manifest), ["game", "players", "paper", "pages", "faces", "backs", "copies", "paiban"]);
    assert_eq!((&manifest["copies"]["card/sun"], keys(&manifest["backs"]).len()), (&json!(3), 2));
    assert_eq!(
        (&manifest["game"], &manifest["players"], &manifest["paper"]),
        (&json!("mini"), &json!(2), &json!("a4"))
    );
    let page = &manifest["pages"][0];
    assert_eq!(keys(page), ["page", "side", "component", "pieces"]);
    assert_eq!((&page["page"], &page["side"], &page["component"]), (&json!(1), &json!("front"), &json!("card")));
    assert_eq!(page["pieces"], json!(["card/sun", "card/sun", "card/sun", "card/moon"]));
    let faces = keys(&manifest["faces"]);
    assert!(["card/sun", "card/moon", "board", "coin"].iter().all(|piece| faces.contains(piece)), "{faces:?}");
    let hash = manifest["faces"]["card/sun"].as_str().expect("a hash");
    assert!(hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
}

#[test]
fn a_shared_page_names_all_its_components() {
    let project = Project::base();
    project.replace("data/mini/components.toml", "back = \"mini/back.svg\"\n", "");
    project.run(&["build", "--players", "2"]).ended(0);
    let manifest: Value = serde_json::from_str(&project.read("out/mini/mini-2p-a4.json")).expect("JSON");
    let page = &manifest["pages"][0];
    assert_eq!(keys(page), ["page", "side", "component", "components", "pieces"]);
    assert_eq!((&page["component"], &page["components"]), (&json!("card"), &json!(["card", "coin"])));
    assert_eq!(page["pieces"].as_array().map(Vec::len), Some(4 + 5));
}

#[test]
fn a_folded_page_names_each_piece_once() {
    let project = Project::base();
    project.run(&["build", "--players", "2", "--sides", "fold"]).ended(0);
    let manifest: Value = serde_json::from_str(&project.read("out/mini/mini-2p-a4-fold.json")).expect("JSON");
    let page = &manifest["pages"][0];
    assert_eq!(page["pieces"], json!(["card/sun", "card/sun", "card/sun", "card/moon"]));
    let two_sided = Project::base();
    two_sided.run(&["build", "--players", "2"]).ended(0);
    let other: Value = serde_json::from_str(&two_sided.read("out/mini/mini-2p-a4.json")).expect("JSON");
    assert_eq!(manifest["faces"], other["faces"]);
}

#[test]
fn trouble_ends_with_2_and_says_what_to_do() {
    let project = Project::base();
    let refused = |arguments: &[&str], part: &str| {
        let ran = project.run(arguments).ended(2);
        assert!(ran.stdout.is_empty() && ran.stderr.contains(part), "{arguments:?}: {}", ran.stderr);
    };
    refused(&[], "Usage");
    refused(&["biuld"], "'build'");
    refused(&["build", "--papre", "a4"], "'--paper'");
    refused(&["build", "--paper", "lettr"], "did you mean `letter`?");
    refused(&["build", "mnii"], "did you mean `mini`?");
    refused(&["build", "--players", "4"], "2, 5");
    refused(&["build", "--component", "crad"], "did you mean `card`?");
    refused(&["verify", "--explain", "txet-overflow"], "did you mean `text-overflow`?");
    refused(&["verify", "--project", "nowhere"], "no project in nowhere");
    assert!(files(&project.root().join("out")).is_empty(), "trouble made something");
    let ran = Project::empty().run(&["verify"]).ended(2);
    assert!(ran.stderr.contains("no folder upwards"), "{}", ran.stderr);
}

#[test]
fn findings_end_with_1_and_help_with_0() {
    with_an_error().run(&["verify"]).ended(1);
    with_an_error().run(&["build"]).ended(1);
    let project = Project::base();
    project.write("data/mini/more.toml", "[[crad]]\nid = \"star\"\n");
    project.run(&["verify"]).ended(0);
    project.run(&["verify", "--deny-warnings"]).ended(1);
    for arguments in [&["--help"][..], &["--version"], &["build", "--help"], &["verify", "--explain", "id-duplicate"]] {
        assert!(!project.run(arguments).ended(0).stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_build_writes_the_files_of_the_contract_and_says_nothing() {
    let project = Project::base();
    let ran = project.run(&["build"]).ended(0);
    assert!(ran.stdout.is_empty() && ran.stderr.is_empty(), "{}{}", ran.stdout, ran.stderr);
    let out = files(&project.root().join("out"));
    let kits = ["mini/mini-2p-a4", "mini/mini-5p-a4", "mini/mini-full-a4"];
    let wanted: Vec<String> = kits.iter().flat_map(|kit| [format!("{kit}.json"), format!("{kit}.pdf")]).collect();
    assert_eq!(names(&out), wanted);
    for (name, bytes) in &out {
        assert!(bytes.starts_with(if name.ends_with("pdf") { b"%PDF-" } else { b"{" }), "{name}");
    }
}

#[test]
fn file_names_carry_what_differs_from_the_default() {
    let project = Project::base();
    let made = |arguments: &[&str]| {
        let _ = fs::remove_dir_all(project.root().join("elsewhere"));
        project.run(&[&["build", "--out", "elsewhere"], arguments].concat()).ended(0);
        let out = files(&project.root().join("elsewhere"));
        let pdfs: Vec<String> = out.keys().filter(|name| name.ends_with(".pdf")).cloned().collect();
        pdfs
    };
    assert_eq!(made(&["--players", "all"]), ["mini/mini-2p-a4.pdf", "mini/mini-5p-a4.pdf"]);
    assert_eq!(made(&["--players", "5"]), ["mini/mini-5p-a4.pdf"]);
    assert_eq!(made(&["--players", "full", "--paper", "letter"]), ["mini/mini-full-letter.pdf"]);
    assert_eq!(made(&["--players", "2", "--sides", "short-edge"]), ["mini/mini-2p-a4-short-edge.pdf"]);
    assert_eq!(made(&["--players", "2", "--component", "card"]), ["mini/mini-2p-a4-card.pdf"]);
    assert!(files(&project.root().join("out")).is_empty(), "--out was not heeded");
}

#[test]
fn a_build_with_errors_writes_nothing_and_leaves_what_was_there() {
    let project = Project::base();
    project.run(&["build"]).ended(0);
    let before = files(&project.root().join("out"));
    project.replace("data/mini/cards.toml", "power = 3", "power = 5");
    let ran = project.run(&["build"]).ended(1);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("error[fair]"), "{}", ran.stderr);
    assert_eq!(files(&project.root().join("out")), before);
    let ran = with_an_error().run(&["build", "--out", "made"]).ended(1);
    assert!(ran.stdout.is_empty());
}

#[test]
fn a_build_keeps_going_where_it_is_told_to() {
    let project = with_an_error();
    for file in ["components.toml", "cards.toml", "invariants.toml", "game.toml"] {
        let text = project.read(&format!("data/mini/{file}")).replace("id = \"mini\"", "id = \"other\"");
        project.write(&format!("data/other/{file}"), &text.replace("power = 5", "power = 3"));
    }
    project.run(&["build"]).ended(1);
    assert!(files(&project.root().join("out")).is_empty());
    project.run(&["build", "--keep-going", "--players", "2"]).ended(1);
    assert_eq!(names(&files(&project.root().join("out"))), ["other/other-2p-a4.json", "other/other-2p-a4.pdf"]);
    project.run(&["build", "other", "--players", "5"]).ended(0);
}

#[test]
fn a_place_that_cannot_be_written_is_trouble() {
    let project = Project::base();
    project.write("taken", "a file where a folder should be");
    let ran = project.run(&["build", "--out", "taken", "--players", "2"]).ended(2);
    assert!(ran.stderr.contains("taken/mini"), "{}", ran.stderr);
}

#[test]
fn the_project_is_found_from_below() {
    let project = Project::base();
    let inside = project.root().join("templates/mini");
    assert_eq!(run_in(&inside, &["verify"], &[]).code, Some(0));
    run_in(&inside, &["build", "--players", "2"], &[]);
    assert!(project.root().join("out/mini/mini-2p-a4.pdf").is_file(), "out/ is not beside data/");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let build = |variables: &[(&str, &str)]| {
        let project = Project::of_game("club-fair");
        let ran = project.run_with(&["build", "--players", "3"], variables).ended(0);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        files(&project.root().join("out"))
    };
    let first = build(&[]);
    assert_eq!(names(&first), ["club-fair/club-fair-3p-a4.json", "club-fair/club-fair-3p-a4.pdf"]);
    for threads in ["1", "2", "4"] {
        assert!(first == build(&[("RAYON_NUM_THREADS", threads)]), "{threads} threads make other bytes");
    }
    assert!(first == build(&[("RAYON_NUM_THREADS", "7"), ("TZ", "Asia/Tokyo"), ("LANG", "tr_TR.UTF-8")]));
}

#[test]
fn text_prints_as_it_was_typed() {
    let typed = r#"Sun & <Moon> 'x' "y" &amp; {{ z }} {% if %} <3 a > b ]]> <!-- -->"#;
    let project = Project::base();
    let quoted = typed.replace('\\', r"\\").replace('"', "\\\"");
    project.replace("data/mini/cards.toml", "Warms the land.", &quoted);
    project.replace(
        "templates/mini/card.svg",
        "<rect ",
        "<rect aria-label=\"{{ record.text }}\" id=\"{{ record.text }}\" ",
    );
    project.run(&["verify", "--deny-warnings"]).ended(0);
    project.run(&["build", "--players", "2"]).ended(0);
    let pdf = fs::read(project.root().join("out/mini/mini-2p-a4.pdf")).expect("a PDF");
    let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let printed = Read::new(&pdf).text(0);
    assert!(squeezed(&printed).contains(&squeezed(typed)), "{printed}");
    project.run(&["export", "mini", "--format", "svg", "--component", "card"]).ended(0);
    let svg = project.read("out/mini/faces/card-sun.svg");
    assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
}

#[test]
fn a_box_is_made_with_everything_only() {
    let project = Project::base();
    project.lay_over(&repository().join("tests/cases/box-of-cards"));
    project.run(&["build", "--component", "box"]).ended(0);
    let made = |kit: &str| project.root().join(format!("out/mini/mini-{kit}-a4-box.pdf")).exists();
    assert_eq!(["2p", "5p", "full"].map(made), [false, false, true]);
    // One that is too large for the paper is left out, and comes on the paper that the warning names.
    project.replace("data/mini/box.toml", "holds = [\"card\", \"coin\"]", "inside = \"100x150x40mm\"");
    let ran = project.run(&["build", "--players", "full", "--out", "a4"]).ended(0);
    assert!(
        ran.stderr.contains("box-too-large") && ran.stderr.contains("--component box --paper a3"),
        "{}",
        ran.stderr
    );
    let manifest = project.read("a4/mini/mini-full-a4.json");
    assert!(manifest.contains("card/sun") && !manifest.contains("\"box\""), "{manifest}");
    project.run(&["build", "--players", "full", "--component", "box", "--paper", "a3"]).ended(0);
    assert!(project.read("out/mini/mini-full-a3-box.json").contains("\"box\""));
}

/// Completions and the manual page are made of what the program can do; a bug report says what there is, even without a project.
#[test]
fn shells_manuals_and_bug_reports_know_every_command() {
    let project = Project::base();
    let commands = ["build", "verify", "list", "export", "simulate", "calibrate", "doctor", "completions", "man"];
    let man = project.run(&["man"]).ended(0).stdout;
    for command in commands {
        assert!(man.contains(&format!("PAIBAN {}", command.to_uppercase())), "the manual lacks {command}");
    }
    assert!(man.contains("EXIT STATUS") && man.contains("Example: paiban build"), "{man}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = project.run(&["completions", shell]).ended(0).stdout;
        for command in commands {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
    }
    project.run(&["completions", "dash"]).ended(2);
    let found = project.run(&["doctor"]).ended(0).stdout;
    assert!(found.contains("PROJECT") && found.contains("mini 1: 3 components"), "{found}");
    let nothing = Project::empty().run(&["doctor"]).ended(0).stdout;
    assert!(nothing.contains("none: there is no project here"), "{nothing}");
}

#[test]
fn a_proof_is_written_where_it_is_asked_for_and_never_differs() {
    let project = Project::base();
    let proof = project.root().join("out/mini/mini-proof.pdf");
    project.run(&["verify"]).ended(0);
    assert!(!proof.exists());
    project.run(&["verify", "--proof"]).ended(0);
    let first = fs::read(&proof).expect("a proof");
    project.run(&["verify", "--proof"]).ended(0);
    assert_eq!(fs::read(&proof).expect("a proof"), first);
    assert_eq!(files(&project.root().join("out")).len(), 1, "nothing beside it");
}
