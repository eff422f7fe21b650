//! The guide, docs/guide: every page has a project, its commands run there, and what it quotes stands in the project's files.
//! `PAIBAN_ACCEPT=1 cargo test --test guide` draws its pictures anew. Look at every picture before you commit it.
//!
//! A block of a page is a list of commands (`sh`; `run:` lines of `yaml`), what the command before printed (`text`), an excerpt of a
//! file (`toml`, `xml`, `csv`) or a change of one (`diff`), which holds for the rest of the page. The first picture of a page shows
//! its project as it is at the end; another one what the command before it has made.

#![allow(clippy::expect_used)] // a test may fail

mod common;
#[path = "../src/export/tests/draw.rs"]
mod draw;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Project, Ran, accepting, copy, repository};
use tiny_skia::{IntRect, Pixmap};

/// A channel that is off by more than this differs clearly.
const CLEAR: u8 = 48;
/// The share of dots that may differ clearly.
const TOLERANCE: f64 = 0.0005;

/// Dots per inch of a picture of a page of a PDF.
const DPI: f32 = 90.0;

/// A fenced block of a page; or a picture, whose text is its name, its command and the file that it was made from.
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
    let mut shown = String::new();
    for line in page.lines() {
        match (open.take(), line.strip_prefix("```")) {
            (Some(block), Some(_)) => blocks.push(block),
            (None, Some(kind)) => open = Some(Block { kind: kind.to_owned(), text: String::new() }),
            (Some(mut block), None) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => blocks.extend(picture_below(line, &mut shown)),
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The picture that ends with this line, which says how it was made. The line before it names it: it is the one that is `shown`.
fn picture_below(line: &str, shown: &mut String) -> Option<Block> {
    if let Some((_, rest)) = line.split_once("](pictures/") {
        *shown = rest.trim_end_matches(".png)").to_owned();
    }
    let parts: Vec<&str> = line.split('`').collect();
    let [_, command, " drew it: ", file, _] = parts[..] else { return None };
    assert!(!shown.is_empty(), "{file} is not shown");
    Some(Block { kind: "picture".to_owned(), text: [&std::mem::take(shown), command, file].join("\n") })
}

/// Runs `paiban ...`. What belongs to the machine is kept in the project.
fn run(project: &Project, command: &str) -> Ran {
    let arguments = command.strip_prefix("paiban ").expect("a command of paiban");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    if arguments[0] == "serve" {
        return served(project, &arguments);
    }
    let config = project.root().join("config");
    project.run_with(&arguments, &[("PAIBAN_CONFIG", &config.to_string_lossy())])
}

/// Starts the server, which never ends by itself, and ends it when it has told its address.
fn served(project: &Project, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paiban"));
    command.args(arguments).args(["--port", "0"]).current_dir(project.root());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let mut address = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut address).expect("an address");
    child.kill().expect("it can be ended");
    child.wait().expect("a status");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    Ran { code: Some(0), stdout: address, stderr: String::new() }
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

/// What is said of `new` everywhere is what the page that begins with the starter runs, and it makes the very project of that page.
#[test]
fn what_new_writes_is_the_project_of_the_later_pages() {
    let page = read("06-counts");
    let blocks = blocks(&page);
    let command = blocks.iter().flat_map(commands).find(|line| line.starts_with("paiban new ")).expect("a command");
    for path in ["README.md", "README.zh-CN.md", "docs/guide/README.md"] {
        let text = fs::read_to_string(repository().join(path)).expect("a page");
        assert!(text.contains(&format!("`{command}`")), "{path} does not say `{command}`");
    }
    let project = Project::empty();
    run(&project, command).ended(0);
    let folder = command.split_whitespace().nth(2).expect("a folder");
    let sorted = |project: &Project| {
        let root = project.root();
        let mut files = files(project);
        files.iter_mut().for_each(|(path, _)| *path = path.strip_prefix(&root).expect("a path in it").to_path_buf());
        files.sort();
        files
    };
    assert_eq!(sorted(&copied(&project.root().join(folder))), sorted(&starter()));
}

/// The shared page of instructions stands in a game of one's own, when what is said of it is done.
#[test]
fn the_shared_page_can_be_taken_over() {
    let page = fs::read_to_string(repository().join("docs/reference/printing.md")).expect("a page");
    let blocks = blocks(&page);
    let added = blocks.iter().find(|block| block.text.contains("kind = \"page\"")).expect("a component");
    let project = starter();
    copy(&repository().join("templates/shared"), &project.root().join("templates/shared")).expect("a copy");
    fs::remove_file(project.root().join("templates/shared/tuck-box.svg")).expect("a file");
    let theme = "[fonts]\ndisplay = \"Noto Sans CJK SC\"\n\n[theme]\ntint = \"#f2f6f8\"\naccent = \"#b83a28\"\ncredit = \"CC0\"\n";
    project.replace("data/kites/game.toml", "[theme]\n", theme);
    let game = project.read("data/kites/game.toml");
    project.write("data/kites/game.toml", &format!("{game}\n{}", added.text));
    project.run(&["verify", "--deny-warnings"]).ended(0);
    project.run(&["build", "--players", "2", "--component", "instructions"]).ended(0);
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
        let mut first = None;
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
                "picture" if first.is_none() => first = Some(block.text),
                "picture" => hold_picture(&page, &block.text, &project),
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
        let first = first.expect("a page has a picture");
        assert_eq!(first.lines().next(), Some(page.as_str()), "the first picture has the name of its page");
        hold_picture(&page, &first, &project);
    }
    let list = blocks(&read("README")).into_iter().find(|block| block.kind == "picture").expect("a picture");
    hold_picture("README", &list.text, &starter());
}

/// Draws a picture of a page and compares it with the one that is kept.
fn hold_picture(page: &str, picture: &str, project: &Project) {
    let [name, command, file] = picture.lines().collect::<Vec<_>>().try_into().expect("a picture");
    run(project, command).ended(0);
    let (made, kept) = (project.root().join(file), guide().join(format!("pictures/{name}.png")));
    let now = if file.ends_with(".pdf") {
        cropped(&draw::drawn(&fs::read(&made).expect("a PDF"), 0, DPI))
    } else {
        Pixmap::load_png(&made).expect("a picture")
    };
    let off = Pixmap::load_png(&kept).map_or(1.0, |then| difference(&now, &then));
    if off > TOLERANCE && accepting() {
        fs::create_dir_all(guide().join("pictures")).expect("a folder");
        now.save_png(&kept).expect("a picture");
    } else {
        assert!(off <= TOLERANCE, "the picture of {page} looks different: look, then run with PAIBAN_ACCEPT=1");
    }
}

/// The part of a page that is not white, with a little room around it.
fn cropped(page: &Pixmap) -> Pixmap {
    let white = |dot: &[u8]| dot.iter().all(|level| *level == u8::MAX);
    let dots = (0..).zip(page.data().chunks_exact(4)).filter(|(_, dot)| !white(dot)).map(|(at, _)| at);
    let dots: Vec<(u32, u32)> = dots.map(|at: u32| (at % page.width(), at / page.width())).collect();
    let most =
        |of: &dyn Fn(&(u32, u32)) -> u32, end: u32| (dots.iter().map(of).max().expect("a dot") + 12).min(end - 1);
    let least = |of: &dyn Fn(&(u32, u32)) -> u32| dots.iter().map(of).min().expect("a dot").saturating_sub(11);
    let (left, top) = (least(&|dot| dot.0), least(&|dot| dot.1));
    let (right, bottom) = (most(&|dot| dot.0, page.width()), most(&|dot| dot.1, page.height()));
    let area = IntRect::from_xywh(left as i32, top as i32, right - left, bottom - top).expect("an area");
    page.clone_rect(area).expect("a picture")
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
