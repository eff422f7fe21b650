//! What is composed is what is drawn: the glyphs of a [`Face`] stand in PNGs of any resolution and in the PDF where the layout put
//! them, to 0.05 mm, and the PDF's text reads as it was written.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test may fail

#[path = "../common/mod.rs"]
mod common;
mod composed;
#[path = "../../src/export/tests/draw.rs"]
mod draw;
mod ink;
mod placed;

use std::sync::LazyLock;

use paiban::compose::face::Face;
use paiban::export::pdf::{self, Document};
use paiban::export::png;
use paiban::geometry::Affine;
use paiban::sheet::{Sheet, Sides};
use tiny_skia::Pixmap;

use common::read::Read;
use composed::{Composed, sheet_of};
use draw::drawn;
use ink::{Picture, clusters, of_face};
use placed::placed;

/// How exact everything must be, in millimetres.
const EXACT: f64 = 0.05;

static COMPOSED: LazyLock<Composed> = LazyLock::new(Composed::new);

/// The sheet with the first card once, which is drawn in the page, and the second twice, which is drawn as a form.
static SHEET: LazyLock<Sheet> = LazyLock::new(|| sheet_of(&COMPOSED.faces));

static PDF: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let sheets = std::slice::from_ref(&*SHEET);
    let document = Document::new("One truth", "zh-Hans", sheets, Sides::Fronts);
    pdf::write(&document, &COMPOSED.fonts).expect("a document").bytes
});

/// The lines that the layout must make of the first card, in the order of the template.
const LINES: [&str; 16] = [
    "Æther，淼！",
    "我们的社团，今天招募",
    "新同学！获得+1/+1标",
    "记，然后抽2张牌（每回",
    "合一次）；“好。”他",
    "说——走吧……",
    "Lim-Dûl’s Vault, Straße,",
    "Œuvre, re\u{301}sume\u{301}: “quoted” and",
    "‘single’ office fi ffl 12,345.6",
    "替天行道，保境安民。",
    "第12回",
    "BOSS（“好”）",
    "小大small bold 粗",
    "斜着 AV To",
    "行动：付2，得三",
    "分★①",
];

#[test]
fn the_text_of_the_pdf_reads_in_order() {
    let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let text = solid(&Read::new(&PDF).text(0));
    let mut rest = text.as_str();
    for line in LINES {
        let line = solid(line);
        let at = rest.find(&line).unwrap_or_else(|| panic!("{line:?} is not next in {rest:?}"));
        assert_eq!(at, 0, "{:?} stands before {line:?}", &rest[..at]);
        rest = &rest[at + line.len()..];
    }
    let second: String = COMPOSED.texts[1].iter().map(|text| solid(text)).collect();
    assert_eq!(rest.matches("犇骉燚彧Ø").count(), 2, "{rest}");
    assert_eq!(rest.matches("naïvefaçade").count(), 2, "{rest}");
    assert!(second.contains("naïvefaçade"));
}

#[test]
fn every_glyph_of_the_pdf_stands_where_it_was_put() {
    let read = Read::new(&PDF);
    let is = placed(&read, 0);
    let should = SHEET.placements.iter().flat_map(|placement| composed::glyphs(&placement.face, placement.transform));
    let should: Vec<_> = should.collect();
    assert!(should.len() > 300, "{} glyphs", should.len());
    assert_eq!(is.len(), should.len());
    let all = |glyphs: &[placed::Placed]| glyphs.iter().map(|glyph| glyph.text.as_str()).collect::<String>();
    assert_eq!(all(&is), all(&should));
    for (is, should) in is.iter().zip(&should) {
        let off = (is.x - should.x).hypot(is.y - should.y);
        assert!(off < EXACT, "{:?} stands {off:.3} mm off: {is:?}, not {should:?}", should.text);
        assert!((is.size - should.size).abs() < 0.001, "{is:?} {should:?}");
        assert!((is.turn - should.turn).abs() < 1e-3, "{is:?} {should:?}");
    }
}

#[test]
fn lines_break_where_the_layout_broke_them() {
    let lines = composed::lines(&COMPOSED.faces[0]);
    let solid = |text: &str| text.replace(' ', "");
    let is: Vec<String> = lines.iter().map(|line| solid(line)).collect();
    let should: Vec<String> = LINES.iter().map(|line| solid(line)).collect();
    assert_eq!(is, should);
    let read = Read::new(&PDF);
    let first: usize =
        COMPOSED.faces[..1].iter().map(|face| composed::glyphs(face, SHEET.placements[0].transform).count()).sum();
    let drawn = placed::lines(&placed(&read, 0)[..first]);
    assert_eq!(drawn.iter().map(|line| solid(line)).collect::<Vec<_>>(), is);
}

/// A picture of a face.
fn picture(face: &Face, dpi: f64) -> Picture {
    Picture::new(png::face(face, &COMPOSED.fonts, dpi, png::Area::Trim).expect("a picture"), dpi)
}

/// Ink in a PNG begins and ends in the very dots that the outlines reach, whatever the resolution.
#[test]
fn ink_is_where_the_outlines_are() {
    for face in &COMPOSED.faces {
        let outlines = of_face(face, &COMPOSED.fonts);
        for dpi in [96.0, 300.0, 600.0] {
            let picture = picture(face, dpi);
            let dot = picture.dot;
            let clusters = clusters(&outlines, dot);
            assert!(clusters.len() > 10, "{} clusters at {dpi} dpi", clusters.len());
            for should in clusters {
                let is = picture.bounds(should.outset(dot)).expect("ink");
                let off = is.distance(should);
                assert!(off <= dot, "{off:.3} mm off at {dpi} dpi: {is:?} for {should:?}");
            }
        }
    }
}

/// Every word is at the same place at any resolution, and in the PDF as another program draws it.
#[test]
fn pictures_of_all_resolutions_and_the_pdf_agree() {
    for placement in &SHEET.placements {
        let face = &placement.face;
        let reference = picture(face, 600.0);
        let origin = (-placement.transform.e, -placement.transform.f);
        let on_page = Picture::new(drawn(&PDF, 0, 300.0), 300.0).with_origin(origin);
        let others = [("96 dpi", picture(face, 96.0)), ("300 dpi", picture(face, 300.0)), ("the PDF", on_page)];
        for area in clusters(&of_face(face, &COMPOSED.fonts), others[0].1.dot) {
            for (name, other) in &others {
                let (x, y) = other.shift(&reference, area.outset(other.dot));
                assert!(x.hypot(y) < EXACT, "{name} is {x:.3}, {y:.3} mm off in {area:?}");
            }
        }
    }
}

#[test]
fn the_pdf_looks_like_the_picture_of_its_sheet() {
    let (seen, meant) = (drawn(&PDF, 0, 150.0), png::sheet(&SHEET, &COMPOSED.fonts, 150.0).expect("a picture"));
    assert_eq!((seen.width(), seen.height()), (meant.width(), meant.height()));
    let dots = seen.data().chunks_exact(4).zip(meant.data().chunks_exact(4));
    let clear = dots.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 64)).count();
    let share = clear as f64 / f64::from(seen.width() * seen.height());
    assert!(share < 0.005, "{share}");
}

/// What the program exports is what the library draws.
#[test]
fn the_program_draws_the_same() {
    let project = composed::project();
    project.run(&["export", "truth", "--dpi", "300"]).ended(0);
    for (face, name) in COMPOSED.faces.iter().zip(["card-han", "card-latin"]) {
        let path = project.root().join(format!("out/truth/faces/{name}.png"));
        let meant = png::face(face, &COMPOSED.fonts, 300.0, png::Area::Trim).expect("a picture");
        assert!(Pixmap::load_png(path).expect("a picture").data() == meant.data(), "{name}");
    }
    project.run(&["build", "--players", "full"]).ended(0);
    let built = std::fs::read(project.root().join("out/truth/truth-full-a4.pdf")).expect("a kit");
    let glyphs = placed(&Read::new(&built), 0);
    for face in &COMPOSED.faces {
        // The card lies somewhere on the sheet, turned or not.
        let should: Vec<_> = composed::glyphs(face, Affine::IDENTITY).collect();
        let text: String = should.iter().map(|glyph| glyph.text.as_str()).collect();
        let start = (0..glyphs.len()).find(|start| {
            let here = glyphs[*start..].iter().take(should.len());
            !glyphs[*start].text.is_empty() && here.map(|glyph| glyph.text.as_str()).collect::<String>() == text
        });
        let start = start.expect("the card's text");
        let (is, should) = (&glyphs[start..start + should.len()], &should);
        let (sin, cos) = (is[0].turn - should[0].turn).sin_cos();
        let turn = Affine { a: cos, b: sin, c: -sin, d: cos, ..Affine::IDENTITY };
        let at = |glyph: &placed::Placed| turn.apply(glyph.x, glyph.y);
        let shift = (is[0].x - at(&should[0]).0, is[0].y - at(&should[0]).1);
        for (is, should) in is.iter().zip(should) {
            let (x, y) = at(should);
            let off = (is.x - x - shift.0).hypot(is.y - y - shift.1);
            assert!(off < EXACT, "{:?} stands {off:.3} mm off", should.text);
        }
    }
}

#[test]
fn what_is_off_would_be_seen() {
    let face = &COMPOSED.faces[0];
    let outlines = of_face(face, &COMPOSED.fonts);
    let exact = picture(face, 600.0);
    let moved = clusters(&outlines, exact.dot).into_iter().map(|area| area.moved(0.06, 0.0));
    let mut off = moved.filter_map(|area| Some(exact.bounds(area.outset(exact.dot))?.distance(area)));
    assert!(off.any(|off| off > exact.dot));
    let coarse = picture(face, 96.0).with_origin((0.06, 0.0));
    for area in clusters(&outlines, coarse.dot) {
        let (x, _) = coarse.shift(&exact, area.outset(coarse.dot));
        assert!(x > EXACT, "{x:.3} mm in {area:?}");
    }
}
