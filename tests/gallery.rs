//! The gallery of text, docs/gallery: a project whose every component shows one feature. Its page and pictures are made from it:
//! `PAIBAN_ACCEPT=1 cargo test --test gallery` writes them anew. Look at every picture before you commit it.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Project, accepting, copy, diff, repository};
use tiny_skia::Pixmap;

/// Dots per inch of the pictures.
const DPI: &str = "200";
/// A channel that is off by more than this differs clearly.
const CLEAR: u8 = 48;
/// The share of dots that may differ clearly.
const TOLERANCE: f64 = 0.0005;

/// The parts of the page: a heading, and the component it begins with.
const PARTS: [(&str, &str); 5] = [
    ("Boxes", "shape-inside"),
    ("Lines", "kinsoku"),
    ("Columns", "columns"),
    ("Rich text", "rich"),
    ("Fonts", "families"),
];

const INTRODUCTION: &str = "# Gallery of text

What text in a template can do, each thing once, with the lines of the template that do it. This folder is a project of its own
(`paiban --project docs/gallery build`) that needs no fonts but the built-in one; the last part is another, in `faces/`, that needs
the repository's `fonts/` beside its `data/`. [The reference](../reference/templates.md) has the rules in full. Pale areas are the
boxes. A test makes this page and its pictures from the project and holds them to it.
";

/// What the page says of a component.
struct Exhibit {
    id: String,
    title: String,
    about: String,
    template: String,
    data: Option<String>,
    picture: PathBuf,
}

fn gallery() -> PathBuf {
    repository().join("docs/gallery")
}

/// The two projects in a temporary folder, the second with the fonts that it needs.
fn projects() -> [(&'static str, Project); 2] {
    let (plain, faces) = (Project::empty(), Project::empty());
    for folder in ["data", "templates"] {
        copy(&gallery().join(folder), &plain.root().join(folder)).expect("a copy");
        copy(&gallery().join("faces").join(folder), &faces.root().join(folder)).expect("a copy");
    }
    copy(&repository().join("fonts"), &faces.root().join("fonts")).expect("the fonts");
    [("gallery", plain), ("faces", faces)]
}

/// The exhibits of `game`, in the order of its components.
fn exhibits(game: &str, project: &Project) -> Vec<Exhibit> {
    project.run(&["export", game, "--dpi", DPI]).ended(0);
    let table: toml::Table = project.read(&format!("data/{game}/game.toml")).parse().expect("TOML");
    let components = table["component"].as_array().expect("components");
    let text = |component: &toml::Value, key: &str| component[key].as_str().expect(key).to_owned();
    let exhibit = |component: &toml::Value| {
        let id = text(component, "id");
        let template = project.read(&format!("templates/{}", text(component, "front")));
        let data = fs::read_to_string(project.root().join(format!("data/{game}/{id}.toml"))).ok();
        let piece = if data.is_some() { format!("{id}-{id}") } else { id.clone() };
        Exhibit {
            title: text(component, "title"),
            about: about(&template),
            template: shown(&template),
            data,
            picture: project.root().join(format!("out/{game}/faces/{piece}.png")),
            id,
        }
    };
    components.iter().map(exhibit).collect()
}

/// The description that a template gives of itself.
fn about(template: &str) -> String {
    let document = roxmltree::Document::parse(template).expect("well-formed");
    let description = document.descendants().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "desc")));
    description.and_then(|node| node.text()).expect("a <desc>").to_owned()
}

/// The lines of a template that matter: those behind the mark.
fn shown(template: &str) -> String {
    let (_, lines) = template.split_once("<!-- shown -->\n").expect("a template marks what is to be shown");
    let lines = lines.trim_end().strip_suffix("</svg>").expect("the root ends the file").trim_end().lines();
    lines.map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
}

fn page(exhibits: &[Exhibit]) -> String {
    let mut page = INTRODUCTION.to_owned();
    for Exhibit { id, title, about, template, data, .. } in exhibits {
        if let Some((heading, _)) = PARTS.iter().find(|(_, first)| first == id) {
            write!(page, "\n## {heading}\n").expect("text");
        }
        write!(page, "\n### {title}\n\n{about}\n\n![{title}](pictures/{id}.png)\n").expect("text");
        if let Some(data) = data {
            write!(page, "\n```toml\n{data}```\n").expect("text");
        }
        write!(page, "\n```xml\n{template}```\n").expect("text");
    }
    page
}

/// The share of dots that differ clearly; all of them when the sizes do.
fn difference(a: &Pixmap, b: &Pixmap) -> f64 {
    if (a.width(), a.height()) != (b.width(), b.height()) {
        return 1.0;
    }
    let dots = a.data().chunks_exact(4).zip(b.data().chunks_exact(4));
    let clear = dots.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > CLEAR)).count();
    clear as f64 / f64::from(a.width() * a.height())
}

/// What is wrong with the picture `at`, if anything; when accepting, it is put right.
fn hold_picture(exhibit: &Exhibit, at: &Path) -> Option<String> {
    let now = Pixmap::load_png(&exhibit.picture).expect("a picture");
    let off = Pixmap::load_png(at).map_or(1.0, |then| difference(&now, &then));
    if off <= TOLERANCE {
        return None;
    }
    if accepting() {
        fs::copy(&exhibit.picture, at).expect("a copy");
        return None;
    }
    Some(format!("{} looks different: {:.2} % of it", exhibit.id, off * 100.0))
}

#[test]
fn the_page_and_its_pictures_are_what_the_project_makes() {
    let projects = projects();
    let exhibits: Vec<Exhibit> = projects.iter().flat_map(|(game, project)| exhibits(game, project)).collect();
    let (readme, pictures) = (gallery().join("README.md"), gallery().join("pictures"));
    let made = page(&exhibits);
    if accepting() {
        fs::create_dir_all(&pictures).expect("a folder");
        fs::write(&readme, &made).expect("a page");
    }
    let mut wrong: Vec<String> = exhibits
        .iter()
        .filter_map(|exhibit| hold_picture(exhibit, &pictures.join(format!("{}.png", exhibit.id))))
        .collect();
    let names: BTreeSet<String> = exhibits.iter().map(|exhibit| format!("{}.png", exhibit.id)).collect();
    for entry in fs::read_dir(&pictures).expect("pictures") {
        let path = entry.expect("an entry").path();
        if !names.contains(&*path.file_name().expect("a name").to_string_lossy()) {
            wrong.push(format!("{} shows nothing of the gallery", path.display()));
        }
    }
    let written = fs::read_to_string(&readme).unwrap_or_default();
    if written != made {
        wrong.push(format!("README.md is not what the project says:\n{}", diff::lines(&written, &made)));
    }
    assert!(wrong.is_empty(), "{}\nlook, then run with PAIBAN_ACCEPT=1", wrong.join("\n"));
}

#[test]
fn the_gallery_is_clean() {
    for (game, project) in projects() {
        let ran = project.run(&["verify", "--deny-warnings", game]).ended(0);
        // Falling back is one of the features, and is told.
        let notes = ran.stdout.matches("note[font-fallback]").count();
        assert_eq!(notes, usize::from(game == "faces"), "{}", ran.stdout);
    }
}

#[test]
fn everything_that_the_reference_tells_of_text_is_shown() {
    let names = [
        "text-anchor",
        "shape-inside",
        "inline-size",
        "pb:box",
        "text-align",
        "line-height",
        "pb:valign",
        "white-space",
        "pb:fit",
        "pb:min-size",
        "pb:max-lines",
        "font-family",
        "font-size",
        "font-weight",
        "fill",
        "letter-spacing",
        "writing-mode",
        "text-orientation",
        "xml:lang",
        "pb:rich",
        "tspan",
        "dx",
        "dy",
    ];
    let reference = fs::read_to_string(repository().join("docs/reference/templates.md")).expect("the reference");
    let page = fs::read_to_string(gallery().join("README.md")).expect("the page");
    for name in names {
        assert!(reference.contains(name), "the reference does not tell of {name}");
        let shown = page.split("```xml").skip(1).filter_map(|rest| rest.split("```").next());
        assert!(shown.into_iter().any(|lines| lines.contains(name)), "the gallery does not show {name}");
    }
}
