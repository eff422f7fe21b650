//! Templates as Inkscape 1.x saves them: each folder in tests/inkscape is laid over the small project in tests/base, verifies clean
//! and looks like its picture in tests/pictures/inkscape. `PAIBAN_ACCEPT=1 cargo test --test inkscape` draws these anew.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;

use common::{Project, accepting, repository};
use tiny_skia::Pixmap;

/// The text that shows on the card, line by line where the font or size changes, or a line ends.
fn labels(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let labels = document.descendants().filter_map(|node| node.attribute("aria-label"));
    labels.filter(|label| !label.is_empty()).map(str::to_owned).collect()
}

/// The share of dots that differ clearly.
fn difference(a: &Pixmap, b: &Pixmap) -> f64 {
    let dots = a.data().chunks_exact(4).zip(b.data().chunks_exact(4));
    let clear = dots.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 48)).count();
    clear as f64 / f64::from(a.width() * a.height())
}

/// Holds the template in tests/inkscape/`name` to its picture, and its text to `lines`.
fn hold(name: &str, lines: &[&str]) {
    let project = Project::base();
    project.lay_over(&repository().join("tests/inkscape").join(name));
    // Drawings of colours and places, not designs: whether one can read their text does not matter.
    project.replace("data/mini/game.toml", "[theme]", "[preflight]\ncontrast = 1\ncontrast_large = 1\n\n[theme]");
    // Nor whether all of the small project is used.
    let said = project.run(&["verify", "--format", "short"]).ended(0).stdout;
    assert!(said.lines().all(|line| line.contains("-unused]")), "{said}");
    project.run(&["export", "mini", "--component", "card", "--format", "svg"]).ended(0);
    assert_eq!(labels(&project.read("out/mini/faces/card-sun.svg")), lines);
    project.run(&["export", "mini", "--component", "card", "--dpi", "60"]).ended(0);
    let drawn = project.root().join("out/mini/faces/card-sun.png");
    let reference = repository().join(format!("tests/pictures/inkscape/{name}.png"));
    if accepting() {
        fs::create_dir_all(reference.parent().expect("a folder")).expect("a folder");
        fs::copy(&drawn, &reference).expect("a copy");
    }
    let (now, then) = (Pixmap::load_png(drawn).expect("a picture"), Pixmap::load_png(reference).expect("a reference"));
    assert_eq!((now.width(), now.height()), (then.width(), then.height()));
    let off = difference(&now, &then);
    assert!(off < 0.0005, "{name} looks different: {:.2} % of it; look, then accept", off * 100.0);
}

/// Layers, one of them hidden; metadata with RDF, guides, a path effect; text in a shape whose lines Inkscape has written down.
#[test]
fn layers() {
    hold(
        "layers",
        &["Sun", "Effect: ", "Warms the land. It is", "told in lines that were broken for", "another text."],
    );
}

/// A document that was made in pixels and scaled to millimetres: the shape and the size are in the text's own units.
#[test]
fn scaled() {
    hold("scaled", &["Warms the land.", "Sun and more words,", "set to the right"]);
}

/// Clones of groups, of clones and of paths, with gradients and clips.
#[test]
fn clones() {
    hold("clones", &["3", "3", "3"]);
}

/// A layer that was moved, with shapes that are drawn in it; one was moved itself.
#[test]
fn moved() {
    hold("moved", &["Warms the land. A shape in a", "layer that was moved.", "Sun"]);
}

/// Expressions that Inkscape has broken over the lines of a narrow shape.
#[test]
fn broken_lines() {
    hold("broken-lines", &["Sun:", "Warms", "the land."]);
}

/// Text in columns, in a shape and alone.
#[test]
fn columns() {
    let lines = ["水泊梁山，替天行", "道。第", "12", "回：“聚", "义厅”。", "Sun", "忠义堂"];
    hold("columns", &lines);
}
