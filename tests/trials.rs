//! Trials from the field that `verify` alone cannot show: what people ran into with other tools, by its number in tests/TRIALS.md.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test may fail

mod common;

use std::fs;

use common::read::Read;
use common::{Project, repository};

/// The base project with one card whose text is `text` (TOML, with its quotes) in a box that is `attributes`.
fn project(attributes: &str, text: &str) -> Project {
    let project = Project::base();
    let card = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:pb="urn:paiban:template" viewBox="0 0 63 88" font-size="8pt">
  <title>{{{{ record.name }}}}</title>
  <rect id="{{{{ record.name }}}}" x="-2" y="-2" width="67" height="92" fill="#ffffff"/>
  <text {attributes}>{{{{ record.text }}}}</text>
</svg>"##
    );
    project.write("templates/mini/card.svg", &card);
    let record =
        format!("[[card]]\nid = \"a&b\"\nname = \"A & B <200\"\npower = 3\ncost = {{ gold = 3 }}\ntext = {text}\n");
    project.write("data/mini/cards.toml", &record);
    let component = "[[component]]\nid = \"card\"\ntitle = \"Card\"\nkind = \"card\"\ntrim = \"63x88mm\"\nfront = \"mini/card.svg\"\nrecords = \"card\"\n";
    project.write("data/mini/components.toml", component);
    // What of the small project this one does not use is no matter here.
    let said = project.run(&["verify", "--format", "short"]).ended(0).stdout;
    assert!(said.lines().all(|line| line.contains("-unused]")), "{said}");
    project
}

/// The lines of the card as the SVG export has them.
fn lines(project: &Project) -> Vec<String> {
    project.run(&["export", "mini", "--format", "svg"]).ended(0);
    let svg = project.read("out/mini/faces/card-a&b.svg");
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let labels = document.descendants().filter_map(|node| node.attribute("aria-label"));
    labels.filter(|label| !label.is_empty()).map(str::to_owned).collect()
}

/// The kit, built and read back.
fn built(project: &Project) -> Read {
    project.run(&["build", "--players", "full"]).ended(0);
    Read::new(&fs::read(project.root().join("out/mini/mini-full-a4.pdf")).expect("a kit"))
}

#[test]
fn t09_what_looks_like_markup_stays_as_it_was_typed() {
    let typed = "Spell & Trap, <3, a > b, &amp; <b>x</b> ]]>";
    let project = project("pb:box=\"3 3 57 20\"", &format!("{typed:?}"));
    assert_eq!(lines(&project).concat(), typed);
    assert!(built(&project).text(0).contains(typed));
}

#[test]
fn t10_values_are_escaped_once_in_text_in_attributes_and_in_file_names() {
    let project = project("pb:box=\"3 3 57 20\"", "\"<200 & rising\"");
    assert_eq!(lines(&project), ["<200 & rising"]);
    project.run(&["export", "mini", "--dpi", "40"]).ended(0);
    assert!(project.root().join("out/mini/faces/card-a&b.png").is_file());
    assert!(built(&project).text(0).contains("<200 & rising"));
    let manifest = project.read("out/mini/mini-full-a4.json");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert!(manifest.to_string().contains("card/a&b"), "{manifest}");
}

#[test]
fn t13_both_spellings_of_a_line_break_break() {
    let expected = ["One", "Two", "Three"];
    let spellings =
        ["\"One\\nTwo\\n\\nThree\\n\"", "\"\"\"\nOne\nTwo\n\nThree\n\"\"\"", "\"One\\r\\nTwo\\r\\n\\r\\nThree\""];
    let drawn = spellings.map(|text| {
        let project = project("pb:box=\"3 3 57 40\" pb:valign=\"bottom\"", text);
        assert_eq!(lines(&project), expected, "{text}");
        project.read("out/mini/faces/card-a&b.svg")
    });
    assert!(drawn.iter().all(|svg| *svg == drawn[0]), "the blank line counts, the break at the end does not");
}

#[test]
fn t07_an_icon_at_a_wrap_is_one_piece_and_touches_no_neighbour() {
    let text = "\"*ex {sun}* and {sun} so on and on {sun}{sun} until the end of it {sun}\"";
    for width in 12..40 {
        let project = project(&format!("pb:box=\"3 3 {width} 60\" pb:rich=\"true\""), text);
        let words = lines(&project).join(" ");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(words.join(" "), "ex and so on and on until the end of it", "in {width} mm");
        let svg = project.read("out/mini/faces/card-a&b.svg");
        assert_eq!(svg.matches("<use ").count(), 5, "in {width} mm");
    }
}

#[test]
fn f05_han_text_wraps_without_spaces() {
    let text = "人之初性本善。性相近习相远。苟不教性乃迁。教之道贵以专。昔孟母择邻处。子不学断机杼。";
    let project = project("pb:box=\"3 3 30 60\"", &format!("{text:?}"));
    let lines = lines(&project);
    assert_eq!(lines.concat(), text);
    assert!(lines.len() > 3 && lines.iter().all(|line| line.chars().count() <= 11), "{lines:?}");
    assert!(lines.iter().all(|line| !line.starts_with('。')), "{lines:?}");
}

#[test]
fn f09_every_font_of_a_kit_is_embedded() {
    let project = project("pb:box=\"3 3 57 20\"", "\"Gold 金 12\"");
    fs::create_dir_all(project.root().join("fonts/fredoka")).expect("a folder");
    let font = "fonts/fredoka/Fredoka-Bold.ttf";
    fs::copy(repository().join(font), project.root().join(font)).expect("a font");
    project.replace("templates/mini/card.svg", "<text ", "<text font-family=\"Fredoka\" ");
    let read = built(&project);
    let fonts = read.fonts();
    assert!(fonts.len() > 1, "{fonts:?}");
    for font in fonts {
        let descendants = read.at(font, "DescendantFonts").as_array().expect("fonts");
        let own = read.solid(&descendants[0]).as_dict().expect("a font");
        let descriptor = read.dict(own, "FontDescriptor");
        assert!(descriptor.has(b"FontFile2") || descriptor.has(b"FontFile3"), "{descriptor:?}");
    }
    let simple = read.pdf.objects.values().filter_map(|object| object.as_dict().ok());
    let is_font = |dict: &&lopdf::Dictionary| {
        dict.get(b"Type").and_then(lopdf::Object::as_name).is_ok_and(|kind| kind == b"Font")
    };
    let kinds =
        simple.filter(is_font).map(|dict| dict.get(b"Subtype").and_then(lopdf::Object::as_name).unwrap().to_vec());
    for kind in kinds {
        assert!([&b"Type0"[..], b"CIDFontType0", b"CIDFontType2"].contains(&kind.as_slice()), "{kind:?}");
    }
}

/// D04: cells with delimiters, quotes and line breaks in them stay one card each; TOML, CSV and a workbook make the same bytes.
#[test]
fn d04_a_spreadsheet_makes_the_bytes_that_toml_makes() {
    let made = |case: Option<&str>| {
        let project = Project::base();
        if let Some(case) = case {
            project.lay_over(&repository().join("tests/cases").join(case));
            fs::remove_file(project.root().join("data/mini/cards.toml")).unwrap();
        }
        project.run(&["build", "mini", "--players", "full"]).ended(0);
        fs::read(project.root().join("out/mini/mini-full-a4.pdf")).unwrap()
    };
    let toml = made(None);
    for case in ["csv-as-in-toml", "workbook-as-in-toml", "workbook-ods"] {
        assert!(made(Some(case)) == toml, "{case} makes other bytes");
    }
}

/// Every row of the table names cases and tests that are there.
#[test]
fn the_table_of_trials_names_what_there_is() {
    let table = fs::read_to_string(repository().join("tests/TRIALS.md")).expect("the table");
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| ["| T", "| F", "| S", "| P", "| D", "| E"].iter().any(|start| line.starts_with(start)))
        .collect();
    assert_eq!(rows.len(), 40, "{rows:#?}");
    for row in rows {
        let proofs = row.rsplit('|').nth(1).expect("a last column");
        let names: Vec<&str> = proofs.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row}");
        for name in names {
            let path = name.split("::").next().expect("a path");
            assert!(repository().join(path).exists(), "{name} is not there");
            if let Some((path, test)) = name.split_once("::") {
                let text = fs::read_to_string(repository().join(path)).expect("a file");
                assert!(text.contains(&format!("fn {test}(")), "{path} has no test {test}");
            }
        }
    }
}
