//! The guide, docs/guide: every page has a project, its commands run there, and what it quotes stands in the project's files.
//! `PAIBAN_ACCEPT=1 cargo test --test guide` draws its pictures anew. Look at every picture before you commit it.
//!
//! A block of a page is a list of commands (`sh`; `run:` lines of `yaml`), what the command before printed (`text`), an excerpt of a
//! file (`toml`, `xml`, `csv`) or a change of one (`diff`), which holds for the rest of the page.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Project, Ran, accepting, copy, repository};
use tiny_skia::Pixmap;

/// A channel that is off by more than this differs clearly.
const CLEAR: u8 = 48;
/// The share of dots that may differ clearly.
const TOLERANCE: f64 = 0.0005;

/// A fenced block of a page.
struct Block {
    kind: String,
    text: String,
}

fn guide() -> PathBuf {
    repository().join("docs/guide")
}

/// The pages' names without their ending, in order.
fn pages() -> Vec<String> {
    let names = fs::read_dir(guide()).expect("the guide").map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).collect();
    pages.retain(|name| name != "README");
    pages.sort();
    pages
}

fn read(page: &str) -> String {
    fs::read_to_string(guide().join(format!("{page}.md"))).expect("a page")
}

/// The folder that a page's project lies in: one of its own name, or the starter, which the page must name.
fn folder(page: &str) -> PathBuf {
    let own = guide().join(page);
    let (folder, link) = if own.is_dir() {
        (own, format!("]({page}/)"))
    } else {
        (repository().join("docs/starter"), "](../starter/)".into())
    };
    assert!(read(page).contains(&link), "{page} does not say where its project is: {link}");
    folder
}

fn project(page: &str) -> Project {
    copied(&folder(page))
}

fn starter() -> Project {
    copied(&repository().join("docs/starter"))
}

/// A copy of the project in `folder`.
fn copied(folder: &Path) -> Project {
    let project = Project::empty();
    for part in ["data", "templates"] {
        copy(&folder.join(part), &project.root().join(part)).expect("a copy");
    }
    project
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (open.take(), line.strip_prefix("```")) {
            (Some(block), Some(_)) => blocks.push(block),
            (None, Some(kind)) => open = Some(Block { kind: kind.to_owned(), text: String::new() }),
            (Some(mut block), None) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Runs `paiban ...`. What belongs to the machine is kept in the project.
fn run(project: &Project, command: &str) -> Ran {
    let arguments = command.strip_prefix("paiban ").expect("a command of paiban");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let config = project.root().join("config");
    project.run_with(&arguments, &[("PAIBAN_CONFIG", &config.to_string_lossy())])
}

/// The texts of all files below `folder`.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
}

fn files(project: &Project) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for part in ["data", "templates"] {
        texts(&project.root().join(part), &mut found);
    }
    found
}

/// Applies a change to the one place that has it.
fn change(project: &Project, diff: &str) {
    let side = |drop: char| -> String {
        let kept = diff.lines().filter(|line| !line.starts_with(drop));
        kept.map(|line| format!("{}\n", &line[1..])).collect()
    };
    let (old, new) = (side('+'), side('-'));
    let found: Vec<_> = files(project).into_iter().filter(|(_, text)| text.contains(&old)).collect();
    let [(path, text)] = &found[..] else { panic!("{} files have:\n{old}", found.len()) };
    assert_eq!(text.matches(&old).count(), 1, "more than one place has:\n{old}");
    fs::write(path, text.replace(&old, &new)).expect("a changed file");
}

/// The commands of a block.
fn commands(block: &Block) -> Vec<&str> {
    let lines = block.text.lines().map(str::trim);
    match block.kind.as_str() {
        "sh" => lines.collect(),
        "yaml" => lines.filter_map(|line| line.strip_prefix("- run: ")).collect(),
        _ => Vec::new(),
    }
}

/// The command that draws a page's picture, and the file that it makes.
fn picture(page: &str) -> (String, String) {
    let line = page.lines().find(|line| line.contains("` drew it: `")).expect("a page says how its picture was made");
    let parts: Vec<&str> = line.split('`').collect();
    (parts[1].to_owned(), parts[3].to_owned())
}

#[test]
fn there_are_ten_pages_and_the_list_names_them_in_order() {
    let list = fs::read_to_string(guide().join("README.md")).expect("the list");
    let linked = list.split("](").skip(1).filter_map(|rest| rest.split_once(".md)")).map(|(name, _)| name);
    let pages = pages();
    assert_eq!(linked.collect::<Vec<_>>(), pages);
    assert_eq!(pages.len(), 10);
    for page in &pages {
        let lines = read(page).lines().count();
        assert!((40..=80).contains(&lines), "{page} has {lines} lines");
    }
}

#[test]
fn every_project_is_clean_and_builds() {
    for page in pages() {
        let project = project(&page);
        project.run(&["verify", "--deny-warnings"]).ended(0);
        project.run(&["build", "--players", "full"]).ended(0);
    }
}

#[test]
fn the_pages_are_true() {
    for page in pages() {
        let project = project(&page);
        // Whether a command may find something is known when the page goes on: a text that shows an error says so.
        let mut pending: Option<Ran> = None;
        for block in blocks(&read(&page)) {
            let shown = block.kind == "text";
            if let Some(ran) = pending.take() {
                let ran = ran.ended(i32::from(shown && block.text.starts_with("error[")));
                assert!(
                    !shown || ran.stdout.contains(&block.text),
                    "{page} shows:\n{}\nbut:\n{}",
                    block.text,
                    ran.stdout
                );
            }
            match block.kind.as_str() {
                "sh" | "yaml" => {
                    for command in commands(&block) {
                        if let Some(ran) = pending.take() {
                            ran.ended(0);
                        }
                        pending = Some(run(&project, command));
                    }
                }
                "text" => {}
                "diff" => change(&project, &block.text),
                "toml" | "xml" | "csv" => {
                    let found = files(&project).iter().any(|(_, text)| text.contains(&block.text));
                    assert!(found, "{page} quotes what no file has:\n{}", block.text);
                }
                other => panic!("{page} has a block of kind {other:?}"),
            }
        }
        if let Some(ran) = pending {
            ran.ended(0);
        }
        hold_picture(&page, &page, &project);
    }
    hold_picture("README", "kite-day", &starter());
}

/// Draws a page's picture and compares it with the one that is kept.
fn hold_picture(page: &str, name: &str, project: &Project) {
    let (command, file) = picture(&read(page));
    assert!(read(page).contains(&format!("](pictures/{name}.png)")), "{page} does not show its picture");
    run(project, &command).ended(0);
    let (made, kept) = (project.root().join(file), guide().join(format!("pictures/{name}.png")));
    let now = Pixmap::load_png(&made).expect("a picture");
    let off = Pixmap::load_png(&kept).map_or(1.0, |then| difference(&now, &then));
    if off > TOLERANCE && accepting() {
        fs::create_dir_all(guide().join("pictures")).expect("a folder");
        fs::copy(&made, &kept).expect("a copy");
    } else {
        assert!(off <= TOLERANCE, "the picture of {page} looks different: look, then run with PAIBAN_ACCEPT=1");
    }
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

#[test]
fn what_the_pages_link_to_is_there() {
    let mut pages: Vec<PathBuf> = pages().iter().map(|page| guide().join(format!("{page}.md"))).collect();
    pages.extend([guide().join("README.md"), repository().join("docs/unsupported.md")]);
    for path in pages {
        let text = fs::read_to_string(&path).expect("a page");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.map(|link| link.split('#').next().unwrap_or_default()).filter(|link| !link.is_empty()) {
            let goal = path.parent().expect("a folder").join(link);
            // A colour in brackets is text of a template, not a link.
            assert!(goal.exists(), "{} links to {link}", path.display());
        }
    }
}
