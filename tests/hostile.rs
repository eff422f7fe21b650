//! Every input is hostile: files that lie, never end or grow beyond measure are answered with a finding, in bounded time and memory; and
//! whatever befalls a build (a full disk, Ctrl-C, being killed, another build beside it), what was built before stays whole.

#![cfg(target_os = "linux")] // limits, pipes and signals
#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::Project;

/// How long a run may take, in seconds: ten, and more for builds without optimisation on a busy machine.
const PATIENCE: u64 = if cfg!(debug_assertions) { 100 } else { 10 };
/// The most memory that a run may use, in KiB: one GiB.
const MEMORY: u64 = 1 << 20;
/// The most memory that a run may ask for, in KiB; the allocator asks for more than it uses.
const ADDRESSES: u64 = 2_500_000;

const CARDS: &str = "data/mini/cards.toml";
const GAME: &str = "data/mini/game.toml";
const COMPONENTS: &str = "data/mini/components.toml";
const COIN: &str = "templates/mini/coin.svg";
const STAR: &str = "templates/icons/plain/star.svg";
const PICTURE: &str = "templates/mini/p.png";

/// What a run came to.
struct Ran {
    code: Option<i32>,
    said: String,
    peak: u64,
    took: Duration,
}

/// A way to spoil a project.
type Spoil = Box<dyn Fn(&Project) + Sync>;

/// A hostile input: its name, how a project comes by it, and the code that must be told of it.
type Hostile = (&'static str, Spoil, &'static str);

/// Starts the program within limits of the shell (`ulimit` and the like), in the project.
fn start(project: &Project, limits: &str, arguments: &[&str], log: &Path) -> Child {
    let log = fs::File::create(log).expect("a log");
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{limits}; exec \"$0\" \"$@\"")).arg(env!("CARGO_BIN_EXE_paiban")).args(arguments);
    command.current_dir(project.root()).stdin(Stdio::null()).env_remove("RUST_BACKTRACE");
    command.env("PAIBAN_CACHE", project.cache());
    command.stdout(log.try_clone().expect("a log")).stderr(log);
    command.spawn().expect("the program starts")
}

/// Waits for `child`, looking at its memory; kills it when it hangs.
fn watched(mut child: Child, log: &Path) -> Ran {
    let (began, mut peak) = (Instant::now(), 0);
    let code = loop {
        peak = peak.max(peak_of(child.id()));
        match child.try_wait().expect("a status") {
            Some(status) => break status.code(),
            None if began.elapsed() > Duration::from_secs(PATIENCE) => {
                child.kill().expect("it can be stopped");
                child.wait().expect("a status");
                break None;
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = String::from_utf8(fs::read(log).expect("a log")).expect("the program prints UTF-8");
    Ran { code, said, peak, took: began.elapsed() }
}

/// The most memory that a process used so far, in KiB.
fn peak_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn run(project: &Project, limits: &str, arguments: &[&str]) -> Ran {
    let log = project.root().with_extension("log");
    watched(start(project, limits, arguments, &log), &log)
}

/// What is wrong with how a hostile input was answered, if anything.
fn judged((name, spoil, code): &Hostile) -> Option<String> {
    let project = Project::base();
    spoil(&project);
    for command in [&["verify"][..], &["build", "--players", "full"]] {
        let ran = run(&project, &format!("ulimit -c 0; ulimit -v {ADDRESSES}"), command);
        let told = ran.said.contains(&format!("[{code}]"));
        let sound = ran.code == Some(1) && told && !ran.said.contains("panicked") && ran.peak < MEMORY;
        if !sound {
            let said: String = ran.said.chars().take(2000).collect();
            return Some(format!(
                "{name}, {}: code {:?}, {} MiB, {:?}, wanted [{code}]\n{said}",
                command[0],
                ran.code,
                ran.peak >> 10,
                ran.took
            ));
        }
        assert!(!project.root().join("out").exists(), "{name}: built in spite of it");
    }
    None
}

#[track_caller]
fn all_answered(table: &[Hostile]) {
    let failures: Vec<String> = table.iter().filter_map(judged).collect();
    assert!(failures.is_empty(), "{} of {} are not answered:\n{}", failures.len(), table.len(), failures.join("\n\n"));
}

fn write(project: &Project, path: &str, bytes: &[u8]) {
    let path = project.root().join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("a written file");
}

/// The file `path` becomes these bytes.
fn bytes(path: &'static str, bytes: impl Into<Vec<u8>>) -> Spoil {
    let bytes = bytes.into();
    Box::new(move |project| write(project, path, &bytes))
}

/// In the file `path`, one text becomes another.
fn changed(path: &'static str, from: &'static str, to: impl Into<String>) -> Spoil {
    let to = to.into();
    Box::new(move |project| {
        let text = fs::read_to_string(project.root().join(path)).expect("a file");
        assert!(text.contains(from), "{path} has no {from}");
        project.write(path, &text.replacen(from, &to, 1));
    })
}

/// The file `path` becomes a pipe that nobody writes to.
fn pipe(path: &'static str) -> Spoil {
    Box::new(move |project| {
        let path = project.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        drop(fs::remove_file(&path));
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    })
}

/// A data file whose name is no UTF-8.
fn nameless() -> Spoil {
    use std::os::unix::ffi::OsStrExt as _;
    Box::new(|project| {
        let name = std::ffi::OsStr::from_bytes(b"data/mini/\xff.toml");
        fs::write(project.root().join(name), "").expect("a file");
    })
}

/// The file `path` becomes a link to `goal`.
fn link(path: &'static str, goal: &'static str) -> Spoil {
    Box::new(move |project| std::os::unix::fs::symlink(goal, project.root().join(path)).expect("a link"))
}

fn svg(body: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{body}</svg>"#)
}

/// The coin becomes a drawing with this inside.
fn coin(body: &str) -> Spoil {
    bytes(COIN, svg(body))
}

/// The coin shows a picture with these bytes.
fn picture(bytes: impl Into<Vec<u8>>) -> Spoil {
    let bytes = bytes.into();
    Box::new(move |project| {
        write(project, PICTURE, &bytes);
        project.write(COIN, &svg(&format!(r#"<image href="{PICTURE}" width="20" height="20"/>"#)));
    })
}

fn filter(primitives: &str) -> Spoil {
    coin(&format!(r#"<filter id="f">{primitives}</filter><rect width="20" height="20" filter="url(#f)"/>"#))
}

/// A part of a PNG file.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(data);
    let length = u32::try_from(data.len()).expect("a short chunk").to_be_bytes();
    [&length[..], name, data, &crc.sum().to_be_bytes()].concat()
}

/// A PNG file whose head says one size and whose data are `rows` of nothing.
fn png(width: u32, height: u32, kind: [u8; 2], rows: usize) -> Vec<u8> {
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &kind, &[0, 0, 0]].concat();
    let mut data = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    data.write_all(&vec![0; rows]).expect("memory");
    let data = data.finish().expect("memory");
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &head), chunk(b"IDAT", &data), chunk(b"IEND", &[])].concat()
}

/// The head of a JPEG file.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let frame =
        [&[0xff, 0xc0, 0, 17, 8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[3, 1, 17, 0, 2, 17, 0, 3, 17, 0]];
    [b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec(), frame.concat()].concat()
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    [&b"GIF89a"[..], &width.to_le_bytes(), &height.to_le_bytes(), &[0, 0, 0, b';']].concat()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// The coin shows a picture that its template holds.
fn data_link(mime: &str, bytes: &[u8]) -> Spoil {
    coin(&format!(r#"<image href="data:{mime};base64,{}" width="20" height="20"/>"#, base64(bytes)))
}

/// Patterns, clips or masks, each of which refers `times` times to the one before.
fn chain(element: &str, length: usize, attribute: &str, times: usize) -> String {
    let part = |at: usize| {
        let link = format!(r#"<rect width="9" height="9" {attribute}="url(#p{at})"/>"#).repeat(times);
        format!(r#"<{element} id="p{}" width="9" height="9">{link}</{element}>"#, at + 1)
    };
    let parts: String = (0..length).map(part).collect();
    format!(r#"<{element} id="p0"/>{parts}<rect width="20" height="20" {attribute}="url(#p{length})"/>"#)
}

/// A workbook of these files.
fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in files {
        archive.start_file(*name, options).expect("memory");
        archive.write_all(text.as_bytes()).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// The records of the cards become this spreadsheet.
fn sheet(name: &'static str, bytes: impl Into<Vec<u8>>) -> Spoil {
    let bytes = bytes.into();
    Box::new(move |project| {
        changed(COMPONENTS, "records = \"card\"", format!("records = \"{name}\""))(project);
        fs::remove_file(project.root().join(CARDS)).expect("a file");
        write(project, &format!("data/mini/{name}"), &bytes);
    })
}

fn ods(rows: &str) -> Spoil {
    let spaces = ["office", "table", "text"]
        .map(|name| format!(r#"xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0""#));
    let content = format!(
        r#"<office:document-content {}><office:body><office:spreadsheet><table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"#,
        spaces.join(" ")
    );
    let mime = ("mimetype", "application/vnd.oasis.opendocument.spreadsheet");
    let manifest = r#"<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>"#;
    sheet("card.ods", zipped(&[mime, ("META-INF/manifest.xml", manifest), ("content.xml", &content)]))
}

fn xlsx(rows: &str) -> Spoil {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATED: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    let related = |kind: &str, target: &str| {
        format!(
            r#"<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{RELATED}/{kind}" Target="{target}"/></Relationships>"#
        )
    };
    let book = format!(
        r#"<workbook xmlns="{MAIN}" xmlns:r="{RELATED}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>"#
    );
    sheet(
        "card.xlsx",
        zipped(&[
            ("[Content_Types].xml", &format!(r#"<Types xmlns="{PACKAGE}/content-types"/>"#)),
            ("_rels/.rels", &related("officeDocument", "xl/workbook.xml")),
            ("xl/workbook.xml", &book),
            ("xl/_rels/workbook.xml.rels", &related("worksheet", "worksheets/sheet1.xml")),
            (
                "xl/worksheets/sheet1.xml",
                &format!(r#"<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>"#),
            ),
        ]),
    )
}

fn cell(place: &str, text: &str) -> String {
    format!(r#"<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

#[test]
fn tables_of_data() {
    let nested = |open: &str, close: &str, times: usize| format!("x = {}1{}", open.repeat(times), close.repeat(times));
    all_answered(&[
        ("lists in lists", bytes(CARDS, nested("[", "]", 100_000)), "toml-syntax"),
        ("tables in tables", bytes(CARDS, nested("{a=", "}", 50_000)), "toml-syntax"),
        ("a key of many dots", bytes(CARDS, format!("a{} = 1", ".a".repeat(100_000))), "toml-syntax"),
        ("no number", changed(COMPONENTS, "copies = 5", "copies = nan"), "toml-syntax"),
        ("a number beyond all", changed(COMPONENTS, "copies = 5", "copies = 99999999999999999999"), "toml-syntax"),
        ("bytes that are no text", bytes(CARDS, *b"\xff\xfe\x80"), "file-unreadable"),
        ("50 MB of tables", bytes(CARDS, "[[card]]\nid=\"x\"\n".repeat(50 << 16)), "file-unreadable"),
        ("50 MB of nothing", bytes(CARDS, "# x\n".repeat(13 << 20)), "file-unreadable"),
        ("faults and nothing else", bytes(CARDS, "=\n".repeat(2 << 20)), "toml-syntax"),
        ("faults, a little fewer", bytes(CARDS, "=\n".repeat(500 << 10)), "toml-syntax"),
        ("zeros", bytes(CARDS, vec![0; 100_000]), "toml-syntax"),
        ("a pipe", pipe("data/mini/x.toml"), "file-unreadable"),
        ("a name that is no text", nameless(), "file-unreadable"),
        ("a file without end", link("data/mini/x.toml", "/dev/zero"), "file-unreadable"),
        ("a script that is a pipe", pipe("data/mini/rules.lua"), "file-unreadable"),
    ]);
}

#[test]
fn spreadsheets() {
    let text = r#"<table:table-cell office:value-type="string"><text:p>id</text:p></table:table-cell>"#;
    let columns = text.replace("-cell office", r#"-cell table:number-columns-repeated="1000000000" office"#);
    let spaces = text.replace("</text:p>", r#"<text:s text:c="2000000000"/></text:p>"#);
    let row = |body: &str| format!("<table:table-row>{body}</table:table-row>");
    let rows = format!(r#"<table:table-row table:number-rows-repeated="4000000000">{text}</table:table-row>"#);
    let far = format!(r#"<row r="1">{}</row><row r="1048576">{}</row>"#, cell("A1", "id"), cell("XFD1048576", "x"));
    let head: String = (0..100_000).map(|at| format!("c{at},")).collect();
    all_answered(&[
        ("ods: a row for each star", ods(&rows), "spreadsheet-syntax"),
        ("ods: columns without end", ods(&row(&columns)), "spreadsheet-syntax"),
        ("ods: spaces without end", ods(&row(&spaces)), "spreadsheet-syntax"),
        ("xlsx: a cell far out", xlsx(&far), "spreadsheet-syntax"),
        (
            "xlsx: a place beyond numbers",
            xlsx(&format!(r#"<row r="1">{}</row>"#, cell("ZZZZZZZZ99999999999", "id"))),
            "spreadsheet-syntax",
        ),
        ("xlsx: no place", xlsx(&format!(r#"<row r="0">{}</row>"#, cell("0", "id"))), "spreadsheet-syntax"),
        ("no zip", sheet("card.xlsx", *b"PK\x03\x04 and nothing"), "spreadsheet-syntax"),
        ("csv: columns", sheet("card.csv", format!("id,{head}\nx")), "spreadsheet-syntax"),
        (
            "csv: tables in tables",
            sheet("card.csv", format!("id,a{}\nx,1\n", ".a".repeat(100_000))),
            "spreadsheet-syntax",
        ),
        (
            "csv: a quote that stays open",
            sheet("card.csv", format!("id,name\n\"{}", "x\n".repeat(1_000_000))),
            "spreadsheet-syntax",
        ),
        ("csv: 20 MB of lines", sheet("card.csv", format!("id\n{}", "\n".repeat(20_000_000))), "file-unreadable"),
    ]);
}

#[test]
fn templates_and_icons() {
    let deep = |times: usize| svg(&format!("{}{}", "<g>".repeat(times), "</g>".repeat(times)));
    let rules = "rect rect rect.a{fill:red}".repeat(20_000);
    all_answered(&[
        ("brackets", bytes(COIN, "<".repeat(100_000)), "template-syntax"),
        ("deep", bytes(COIN, deep(200_000)), "template-syntax"),
        ("elements", coin(&"<rect/>".repeat(300_000)), "template-syntax"),
        ("patterns in patterns", coin(&chain("pattern", 30, "fill", 3)), "template-syntax"),
        ("masks of masks", coin(&chain("mask", 300, "mask", 1)), "template-syntax"),
        ("clips of clips", coin(&chain("clipPath", 3000, "clip-path", 1)), "template-syntax"),
        ("a style sheet", coin(&format!("<style>{rules}</style><rect/>")), "template-syntax"),
        ("a blur of light years", filter(r#"<feGaussianBlur stdDeviation="1e10"/>"#), "template-syntax"),
        ("a filter for every dot", filter(r#"<feMorphology operator="dilate" radius="100000"/>"#), "template-syntax"),
        ("a filter of filters", filter(&r#"<feGaussianBlur stdDeviation="9"/>"#.repeat(5000)), "template-syntax"),
        ("noise", filter(r#"<feTurbulence baseFrequency="0.5" numOctaves="1000000"/>"#), "template-syntax"),
        ("a view without end", bytes(COIN, svg("").replace("20 20", "1e30 1e30")), "template-size"),
        (
            "a loop of loops",
            coin(
                r#"<g xmlns:pb="urn:paiban:template" pb:for="i in range(99999)"><g pb:for="j in range(99999)"><rect/></g></g>"#,
            ),
            "template-too-large",
        ),
        ("a pipe", pipe(COIN), "file-unreadable"),
        ("an icon, deep", bytes(STAR, deep(50_000)), "reference-dangling"),
        ("an icon of patterns", bytes(STAR, svg(&chain("pattern", 30, "fill", 3))), "template-syntax"),
    ]);
}

/// A font file of this repository.
fn font() -> Vec<u8> {
    fs::read(common::repository().join("fonts/fredoka/Fredoka-Bold.ttf")).expect("a font")
}

/// The font with other bytes at a place in one of its tables.
fn patched(table: &[u8; 4], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut font = font();
    let entry = font[12..].chunks(16).find(|entry| entry.starts_with(table)).expect("the table");
    let start = u32::from_be_bytes(entry[8..12].try_into().expect("four bytes")) as usize + at;
    font[start..start + bytes.len()].copy_from_slice(bytes);
    font
}

#[test]
fn fonts() {
    const PATH: &str = "fonts/x/X.ttf";
    let font = font();
    let magic = [b"NOPE", &font[4..]].concat();
    let collection = [&b"ttcf\0\x01\0\0\xff\xff\xff\xff"[..], &[0; 400]].concat();
    all_answered(&[
        ("cut off", bytes(PATH, &font[..200]), "font-unusable"),
        ("another magic number", bytes(PATH, magic), "font-unusable"),
        ("no bytes", bytes(PATH, *b""), "font-unusable"),
        ("no glyphs", bytes(PATH, patched(b"maxp", 4, &[0, 0])), "font-unusable"),
        ("no units to the em", bytes(PATH, patched(b"head", 18, &[0, 0])), "font-unusable"),
        ("a collection of millions", bytes(PATH, collection), "font-unusable"),
        ("a pipe", pipe(PATH), "file-unreadable"),
    ]);
    // More glyphs than there are: those that are there can be used.
    let project = Project::base();
    write(&project, PATH, &patched(b"maxp", 4, &[0xff, 0xff]));
    let ran = run(&project, ":", &["verify"]);
    assert!(matches!(ran.code, Some(0 | 1)) && !ran.said.contains("panicked"), "{:?} {}", ran.code, ran.said);
}

#[test]
fn a_font_that_only_embedding_finds_broken_is_a_finding() {
    let project = Project::base();
    write(&project, "fonts/x/X.ttf", &patched(b"glyf", 0, &[0xff; 30_000]));
    changed(COIN, "<text ", "<text font-family=\"Fredoka\" font-weight=\"700\" ")(&project);
    let ran = run(&project, ":", &BUILD);
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(ran.said.contains("[font-unusable]") && !ran.said.contains("panicked"), "{}", ran.said);
}

#[test]
fn a_record_of_prints_that_is_none_is_trouble() {
    for text in
        ["{{{{".to_owned(), "[".repeat(1_000_000), r#"{"faces": 5, "x": 1e999}"#.to_owned(), "[1,".repeat(30 << 20)]
    {
        let project = Project::base();
        project.write("data/mini/printed.json", &text);
        let ran = run(&project, ":", &["changes"]);
        assert_eq!(ran.code, Some(2), "{}", ran.said);
        assert!(ran.said.contains("printed.json") && !ran.said.contains("panicked"), "{}", ran.said);
    }
}

#[test]
fn pictures() {
    let bomb = png(20_000, 20_000, [8, 2], 60_001 * 20_000 / 100);
    let drawing = svg(&chain("pattern", 30, "fill", 3));
    all_answered(&[
        ("png: a head of 100,000 × 100,000", picture(png(100_000, 100_000, [8, 6], 100)), "file-unreadable"),
        ("png: the largest head", picture(png(i32::MAX as u32, i32::MAX as u32, [16, 6], 100)), "file-unreadable"),
        ("png: a bomb", picture(bomb.clone()), "file-unreadable"),
        ("png: no dots", picture(png(0, 0, [8, 6], 0)), "file-unreadable"),
        ("png: colours of a list that is not there", picture(png(9, 9, [8, 3], 90)), "file-unreadable"),
        ("png: cut off", picture(&png(99, 99, [8, 6], 99 * 397)[..60]), "file-unreadable"),
        ("jpeg: a head of 65,535 × 65,535", picture(jpeg(65_535, 65_535)), "file-unreadable"),
        ("jpeg: cut off", picture(jpeg(99, 99)), "file-unreadable"),
        ("jpeg: two bytes", picture(*b"\xff\xd8"), "file-unreadable"),
        ("gif: a head of 65,535 × 65,535", picture(gif(65_535, 65_535)), "file-unreadable"),
        ("gif: no frame", picture(gif(9, 9)), "file-unreadable"),
        ("webp: four bytes", picture(*b"RIFF"), "file-unreadable"),
        ("no bytes", picture(*b""), "file-unreadable"),
        ("a pipe", pipe_as_picture(), "file-unreadable"),
        ("inside: a bomb", data_link("image/png", &bomb), "file-unreadable"),
        ("inside: rubbish", data_link("image/jpeg", b"\xff\xd8\xff\xe0 and more"), "file-unreadable"),
        ("inside: a drawing of patterns", data_link("image/svg+xml", drawing.as_bytes()), "file-unreadable"),
        ("inside: another kind", data_link("image/tiff", b"II*\0"), "file-unreadable"),
    ]);
}

/// The coin shows a picture that is a pipe.
fn pipe_as_picture() -> Spoil {
    Box::new(|project| {
        picture(*b"")(project);
        pipe(PICTURE)(project);
    })
}

/// The project with a game of 400 cards, so that a build takes a while, and its first PDF.
fn built() -> (Project, PathBuf, Vec<u8>) {
    let project = Project::base();
    let card = |at: usize| {
        format!("[[card]]\nid = \"c{at}\"\nname = \"C{at}\"\npower = 1\ncost = {{ gold = 1 }}\ntext = \"Text {at}.\"\n")
    };
    project.write(CARDS, &(0..400).map(card).collect::<String>());
    changed(COMPONENTS, "copies = 3\nprinted = { 2 = 4, 5 = 6 }\nused = \"players\"", "copies = 1")(&project);
    let ran = run(&project, ":", &BUILD);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let pdf = project.root().join("out/mini/mini-full-a4.pdf");
    let whole = fs::read(&pdf).expect("a PDF");
    (project, pdf, whole)
}

const BUILD: [&str; 3] = ["build", "--players", "full"];

/// Changes what is printed, so that a build must write another PDF.
fn reprinted(project: &Project) {
    changed(GAME, "title = \"Mini\"", "title = \"Minim\"")(project);
}

/// The files that a build left unfinished.
fn litter(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))).collect()
}

#[test]
fn a_full_disk_leaves_the_old_output() {
    let (project, pdf, old) = built();
    reprinted(&project);
    // A limit on how large a file may grow makes writing fail as a full disk does.
    let ran = run(&project, "trap '' XFSZ; ulimit -f 8", &BUILD);
    assert_eq!(ran.code, Some(2), "{}", ran.said);
    assert!(ran.said.contains("cannot be written") && !ran.said.contains("panicked"), "{}", ran.said);
    assert_eq!(fs::read(&pdf).expect("a PDF"), old);
    assert_eq!(litter(pdf.parent().expect("a folder")), Vec::<PathBuf>::new());
}

#[test]
fn a_pipe_is_no_file_outside_of_the_project_either() {
    let project = Project::base();
    pipe("press.icc")(&project);
    let ran = run(&project, ":", &["build", "--players", "full", "--icc", "press.icc"]);
    assert!(ran.code == Some(2) && ran.said.contains("not a plain file"), "{:?} {}", ran.code, ran.said);
    // What stands where the PDF goes is looked at before it is written anew.
    assert_eq!(run(&project, ":", &BUILD).code, Some(0));
    pipe("out/mini/mini-full-a4.pdf")(&project);
    let ran = run(&project, ":", &BUILD);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let pdf = project.root().join("out/mini/mini-full-a4.pdf");
    assert!(fs::metadata(&pdf).expect("a PDF").is_file());
}

#[test]
fn words_that_nobody_can_take_are_no_panic() {
    let project = Project::base();
    let ran = run(&project, "exec >/dev/full", &["verify"]);
    assert!(ran.code == Some(2) && ran.said.contains("stdout cannot be written"), "{:?} {}", ran.code, ran.said);
    assert_eq!(run(&project, "exec >/dev/full 2>/dev/full", &["verify"]).code, Some(2));
}

#[test]
fn an_output_that_cannot_be_is_trouble() {
    let project = Project::base();
    project.write("taken", "a file");
    for out in ["taken", "taken/below", "/proc/paiban"] {
        let ran = run(&project, ":", &["build", "--players", "full", "--out", out]);
        assert_eq!(ran.code, Some(2), "{out}: {}", ran.said);
        assert!(ran.said.contains("cannot be made") && !ran.said.contains("panicked"), "{out}: {}", ran.said);
    }
    assert_eq!(fs::read_to_string(project.root().join("taken")).expect("the file"), "a file");
}

/// Moments of a build, in milliseconds after its start: early, late, and on to its end.
fn moments(length: Duration) -> impl Iterator<Item = Duration> {
    (0..12).map(move |at| length * at / 10)
}

/// Builds, sends `signal` at every moment, and sees that the PDF is the old or the new one each time.
fn interrupted(signal: &str) -> Vec<(Ran, Vec<PathBuf>)> {
    let (project, pdf, old) = built();
    reprinted(&project);
    let began = Instant::now();
    assert_eq!(run(&project, ":", &BUILD).code, Some(0));
    let (length, new) = (began.elapsed(), fs::read(&pdf).expect("a PDF"));
    assert_ne!(old, new);
    let log = project.root().with_extension("log");
    let interrupt = |moment| {
        fs::write(&pdf, &old).expect("the old PDF");
        let child = start(&project, ":", &BUILD, &log);
        thread::sleep(moment);
        // It may have ended already.
        drop(Command::new("sh").arg("-c").arg(format!("kill -{signal} {} 2>/dev/null", child.id())).status());
        let ran = watched(child, &log);
        let found = fs::read(&pdf).expect("a PDF");
        assert!(found == old || (found == new), "after {moment:?} the PDF is neither the old nor the new one");
        (ran, litter(pdf.parent().expect("a folder")))
    };
    moments(length).map(interrupt).collect()
}

#[test]
fn ctrl_c_at_any_moment_leaves_whole_files() {
    let runs = interrupted("INT");
    for (ran, litter) in &runs {
        // Before the program listens, the signal ends it as any other.
        assert!(matches!(ran.code, Some(0 | 2) | None), "{:?} {}", ran.code, ran.said);
        assert!(ran.code != Some(2) || ran.said.contains("build again"), "{}", ran.said);
        assert_eq!(litter, &Vec::<PathBuf>::new());
    }
    assert!(runs.iter().any(|(ran, _)| ran.code == Some(2)), "no build was stopped");
}

#[test]
fn a_killed_build_leaves_whole_files() {
    let runs = interrupted("KILL");
    assert!(runs.iter().any(|(ran, _)| ran.code.is_none()), "no build was killed");
}

#[test]
fn two_builds_at_once_write_whole_files() {
    let (project, pdf, whole) = built();
    for _ in 0..3 {
        fs::remove_file(&pdf).expect("a PDF");
        let logs = ["one", "two"].map(|name| project.root().with_extension(name));
        let children = logs.each_ref().map(|log| start(&project, ":", &BUILD, log));
        for (child, log) in children.into_iter().zip(&logs) {
            let ran = watched(child, log);
            assert_eq!(ran.code, Some(0), "{}", ran.said);
        }
        assert_eq!(fs::read(&pdf).expect("a PDF"), whole);
        assert_eq!(litter(pdf.parent().expect("a folder")), Vec::<PathBuf>::new());
    }
}

#[test]
fn files_that_come_and_go_while_they_are_read() {
    let project = Project::base();
    let log = project.root().with_extension("log");
    let paths = [CARDS, COIN, STAR].map(|path| project.root().join(path));
    let kept = paths.each_ref().map(|path| fs::read(path).expect("a file"));
    for round in 0..10 {
        let child = start(&project, ":", &["verify"], &log);
        thread::sleep(Duration::from_millis(15 * round));
        paths.iter().for_each(|path| drop(fs::remove_file(path)));
        thread::sleep(Duration::from_millis(10));
        paths
            .iter()
            .zip(&kept)
            .for_each(|(path, bytes)| fs::write(path, &bytes[..bytes.len() / 2]).expect("half a file"));
        let ran = watched(child, &log);
        assert!(matches!(ran.code, Some(0 | 1)) && !ran.said.contains("panicked"), "{:?} {}", ran.code, ran.said);
        paths.iter().zip(&kept).for_each(|(path, bytes)| fs::write(path, bytes).expect("a file"));
    }
}
