//! What a reader of the PDF sees is what the PNG shows, feature by feature.

use super::*;
use crate::export::png;

const DPI: f32 = 144.0;

/// Writes a sheet, draws the PDF, and compares it with the PNG. With `PAIBAN_TEST_OUT=folder` all three are kept to look at.
pub fn compare(name: &str, sheet: Sheet, fonts: &Fonts) -> (Difference, Written) {
    let sheets = [sheet];
    let written = written(&sheets, Sides::Fronts, fonts);
    let seen = drawn(&written.bytes, 0, DPI);
    let meant = png::sheet(&sheets[0], fonts, f64::from(DPI)).expect("a picture");
    if let Ok(folder) = std::env::var("PAIBAN_TEST_OUT") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(format!("{folder}/{name}.pdf"), &written.bytes).unwrap();
        std::fs::write(format!("{folder}/{name}-pdf.png"), seen.encode_png().unwrap()).unwrap();
        std::fs::write(format!("{folder}/{name}-png.png"), meant.encode_png().unwrap()).unwrap();
    }
    (difference(&seen, &meant), written)
}

/// The feature once drawn in the page and, twice, as a form; at most one dot in a hundred may differ clearly.
fn feature(name: &str, body: &str) -> Written {
    within(name, body, 0.01)
}

pub fn within(name: &str, body: &str, clear: f64) -> Written {
    let fonts = fonts();
    let once = face(vec![art(&fonts, &format!("{body}<!-- once -->"))]);
    let twice = face(vec![art(&fonts, body)]);
    let placements = vec![placement(&once, 5.0, 5.0), placement(&twice, 40.0, 5.0), placement(&twice, 80.0, 25.0)];
    let (difference, written) = compare(name, sheet(placements), &fonts);
    eprintln!("{name}: {difference:?} {:?}", written.notes);
    assert!(difference.clear < clear && difference.mean < 1.5, "{name}: {difference:?}");
    written
}

fn exact(name: &str, body: &str) {
    let written = feature(name, body);
    assert!(written.notes.is_empty(), "{name}: {:?}", written.notes);
}

#[test]
fn fills() {
    exact(
        "fills",
        r##"<rect x="-2" y="-2" width="29.4" height="42.1" fill="#c0dfe8"/>
        <path d="M3 3H20V20H3ZM7 7H16V16H7Z" fill="#d33" fill-rule="evenodd"/>
        <path d="M3 22L12 22L5 30L7.5 20L11 30Z" fill="#063" fill-rule="evenodd"/>
        <path d="M13 22L22 22L15 30L17.5 20L21 30Z" fill="#063"/>
        <circle cx="12" cy="34" r="3" fill="rgb(10,80,200)" fill-opacity=".5"/>
        <path d="M3 32Q6 28 9 36T15 32" fill="#111"/>"##,
    );
}

#[test]
fn strokes() {
    exact(
        "strokes",
        r##"<g fill="none" stroke="#222">
        <path d="M3 4L12 9L21 4" stroke-width="2"/>
        <path d="M3 9L12 14L21 9" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>
        <path d="M3 14L12 19L21 14" stroke-width="2" stroke-linejoin="bevel" stroke-linecap="square" stroke="#a20"/>
        <path d="M3 21L12 22L3 23" stroke-width="1" stroke-miterlimit="40"/>
        <path d="M14 21L22 22L14 23" stroke-width="1" stroke-miterlimit="2"/>
        <path d="M3 26H22" stroke-width=".8" stroke-dasharray="3 1 .5" stroke-dashoffset="-1"/>
        <path d="M3 28H22" stroke-width=".8" stroke-dasharray="0 1.6" stroke-linecap="round" stroke-dashoffset="1"/>
        <rect x="3" y="30" width="8" height="5" fill="#fd0" stroke-width="1.5" paint-order="stroke"/>
        <rect x="14" y="30" width="8" height="5" fill="#fd0" stroke-width="1.5" stroke="#04a" stroke-opacity=".5"/>
        <circle cx="3" cy="3" r="2" stroke-width=".6" transform="translate(6 36) scale(3 .3)"/></g>"##,
    );
}

#[test]
fn thin_lines_are_thickened_and_said() {
    let written = feature("thin", r##"<path d="M3 4H20" stroke="#000" stroke-width=".02"/>"##);
    assert!(written.notes.iter().all(|note| note.what == crate::export::pdf::What::ThinLines), "{:?}", written.notes);
    assert_eq!(written.notes.len(), 2);
}

#[test]
fn linear_gradients() {
    exact(
        "linear",
        r##"<defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#f00"/><stop offset=".3" stop-color="#ff0"/>
        <stop offset=".6" stop-color="#0a4"/><stop offset="1" stop-color="#00f"/></linearGradient>
        <linearGradient id="b" gradientUnits="userSpaceOnUse" x1="8" x2="14" y1="0" y2="3" spreadMethod="reflect">
        <stop offset=".2" stop-color="#fff"/><stop offset="1" stop-color="#606"/></linearGradient>
        <linearGradient id="c" gradientUnits="userSpaceOnUse" x1="8" x2="11" spreadMethod="repeat" gradientTransform="rotate(20)">
        <stop stop-color="#0cf"/><stop offset=".5" stop-color="#024"/><stop offset=".5" stop-color="#fa0"/><stop offset="1" stop-color="#fff"/></linearGradient>
        <linearGradient id="d"><stop stop-color="#d00"/><stop offset="1" stop-color="#00d" stop-opacity="0"/></linearGradient>
        <linearGradient id="e"><stop stop-color="#d00" stop-opacity=".4"/><stop offset="1" stop-color="#00d" stop-opacity=".4"/></linearGradient>
        <linearGradient id="f" x1=".5" x2=".5"><stop stop-color="#d00"/><stop offset="1" stop-color="#080"/></linearGradient></defs>
        <rect x="2" y="2" width="21" height="5" fill="url(#a)"/><rect x="2" y="8" width="21" height="5" fill="url(#b)"/>
        <rect x="2" y="14" width="21" height="5" fill="url(#c)"/><rect x="2" y="20" width="21" height="5" fill="url(#d)"/>
        <rect x="2" y="26" width="10" height="5" fill="url(#e)"/><rect x="14" y="26" width="9" height="5" fill="url(#f)"/>
        <path d="M3 34L22 35" stroke="url(#a)" stroke-width="3" transform="rotate(3)"/>"##,
    );
}

#[test]
fn radial_gradients() {
    exact(
        "radial",
        r##"<defs><radialGradient id="a" fx=".3" fy=".3"><stop stop-color="#fff"/><stop offset=".5" stop-color="#f80"/>
        <stop offset="1" stop-color="#400"/></radialGradient>
        <radialGradient id="b" gradientUnits="userSpaceOnUse" cx="12" cy="18" r="3" spreadMethod="reflect"><stop stop-color="#fff"/><stop offset="1" stop-color="#048"/></radialGradient>
        <radialGradient id="c" gradientUnits="userSpaceOnUse" cx="12" cy="28" r="3" fx="11" spreadMethod="repeat"><stop stop-color="#ff0"/><stop offset="1" stop-color="#080"/></radialGradient>
        <radialGradient id="d" r=".5"><stop stop-color="#a0a"/><stop offset="1" stop-color="#a0a" stop-opacity="0"/></radialGradient></defs>
        <rect x="2" y="2" width="10" height="9" fill="url(#a)"/><rect x="13" y="2" width="10" height="9" fill="url(#d)"/>
        <rect x="2" y="13" width="21" height="10" fill="url(#b)"/><rect x="2" y="24" width="21" height="10" fill="url(#c)" fill-opacity=".7"/>"##,
    );
}

#[test]
fn clips() {
    exact(
        "clips",
        r##"<defs><clipPath id="a"><circle cx="7" cy="7" r="5"/></clipPath>
        <clipPath id="b"><rect x="13" y="2" width="5" height="10"/><rect x="16" y="5" width="7" height="4"/></clipPath>
        <clipPath id="c" clip-path="url(#a2)"><rect x="2" y="14" width="10" height="6"/></clipPath>
        <clipPath id="a2"><circle cx="7" cy="18" r="5"/></clipPath>
        <clipPath id="d"><path d="M13 14H23V24H13ZM15 16H21V22H15Z" clip-rule="evenodd"/></clipPath>
        <clipPath id="e"><rect x="2" y="26" width="9" height="9" clip-path="url(#f)"/><circle cx="12" cy="33" r="2"/></clipPath>
        <clipPath id="f"><circle cx="6" cy="30" r="4"/></clipPath>
        <clipPath id="g"><rect x="14" y="26" width="3" height="9"/><rect x="19" y="26" width="3" height="9"/></clipPath>
        <clipPath id="h" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5"/></clipPath>
        <clipPath id="i"><rect x="22" y="2" width="3" height="9" clip-path="url(#j)"/></clipPath><clipPath id="j"><circle cx="24" cy="6" r="2"/></clipPath>
        <clipPath id="nothing"/></defs><rect x="20" width="10" height="12" fill="#999" clip-path="url(#i)"/>
        <rect width="12" height="12" fill="#d22" clip-path="url(#a)"/><rect x="12" width="12" height="12" fill="#28c" clip-path="url(#b)"/>
        <rect y="13" width="12" height="12" fill="#2a4" clip-path="url(#c)"/><rect x="12" y="13" width="12" height="12" fill="#a2a" clip-path="url(#d)"/>
        <rect y="25" width="14" height="12" fill="#740" clip-path="url(#e)"/><rect x="14" y="25" width="12" height="12" fill="#077" clip-path="url(#g)"/>
        <rect x="0" y="0" width="2" height="4" fill="#000" clip-path="url(#h)"/><rect width="30" height="30" fill="#f0f" clip-path="url(#nothing)"/>"##,
    );
}

#[test]
fn groups_with_opacity() {
    exact(
        "opacity",
        r##"<rect x="-2" y="10" width="30" height="4" fill="#000"/>
        <g opacity=".5"><rect x="3" y="3" width="10" height="10" fill="#d00"/><rect x="8" y="8" width="10" height="10" fill="#0a0"/></g>
        <rect x="3" y="20" width="10" height="6" fill="#00c" opacity=".3"/>
        <g opacity=".6"><g opacity=".5" transform="rotate(10 12 30)"><rect x="3" y="28" width="18" height="6" fill="#06c" stroke="#000" stroke-width="2"/></g></g>"##,
    );
}

#[test]
fn blending() {
    exact(
        "blend",
        r##"<rect width="25.4" height="38.1" fill="#8cc"/><rect x="0" y="6" width="25.4" height="12" fill="#e84"/>
        <rect x="2" y="2" width="6" height="20" fill="#88f" style="mix-blend-mode:multiply"/>
        <rect x="10" y="2" width="6" height="20" fill="#448" style="mix-blend-mode:screen"/>
        <g style="isolation:isolate"><rect x="18" y="2" width="6" height="20" fill="#fc0" style="mix-blend-mode:difference"/></g>
        <g opacity=".8"><rect x="2" y="25" width="20" height="10" fill="#fff"/><circle cx="8" cy="30" r="4" fill="#d22" style="mix-blend-mode:multiply"/>
        <circle cx="12" cy="30" r="4" fill="#2d2" style="mix-blend-mode:multiply"/></g>"##,
    );
}

#[test]
fn masks() {
    exact(
        "masks",
        r##"<defs><linearGradient id="w"><stop stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>
        <mask id="a" maskUnits="userSpaceOnUse" x="2" y="2" width="21" height="10"><rect x="0" y="0" width="30" height="30" fill="url(#w)"/></mask>
        <mask id="b" mask-type="alpha" maskUnits="userSpaceOnUse" x="0" y="13" width="25" height="10"><circle cx="8" cy="18" r="4" fill-opacity=".7"/><circle cx="16" cy="18" r="4"/></mask>
        <mask id="c" maskUnits="userSpaceOnUse" x="0" y="24" width="25" height="10"><rect x="2" y="25" width="9" height="8" fill="#f00"/><rect x="12" y="25" width="9" height="8" fill="#0f0"/></mask>
        <mask id="d" mask="url(#c)" maskUnits="userSpaceOnUse" x="0" y="24" width="25" height="12"><circle cx="12" cy="29" r="6" fill="#fff"/></mask>
        <mask id="none"/></defs>
        <rect x="0" y="0" width="25" height="12" fill="#d04" mask="url(#a)"/>
        <g mask="url(#b)"><rect x="0" y="12" width="25" height="12" fill="#04d"/><rect x="8" y="16" width="9" height="4" fill="#ff0"/></g>
        <rect x="0" y="24" width="25" height="12" fill="#000" mask="url(#d)"/><rect width="5" height="5" fill="#f0f" mask="url(#none)"/>"##,
    );
}

#[test]
fn patterns() {
    // Both renderers draw a cell once and sample it: every edge in it is a little soft.
    let written = within(
        "patterns",
        r##"<defs><pattern id="a" width="4.2333" height="4.2333" patternUnits="userSpaceOnUse"><rect width="2" height="2" fill="#c22"/><rect x="2" y="2" width="2" height="2" fill="#22c"/></pattern>
        <pattern id="b" width="2.8222" height="2.8222" x="1" y="1" patternUnits="userSpaceOnUse" patternTransform="rotate(30) scale(1.5 1)"><circle cx="1.5" cy="1.5" r="1" fill="#070"/></pattern>
        <pattern id="c" width=".25" height=".5" viewBox="0 0 10 10"><path d="M0 0L10 10" stroke="#000" stroke-width="2"/></pattern></defs>
        <rect x="2" y="2" width="21" height="10" fill="url(#a)"/><rect x="2" y="13" width="21" height="10" fill="url(#b)" fill-opacity=".6"/>
        <rect x="2" y="25" width="16.9333" height="8.4667" fill="url(#c)" stroke="#000" stroke-width=".3"/>"##,
        0.03,
    );
    assert!(written.notes.is_empty(), "{:?}", written.notes);
}

#[test]
fn features_inside_features() {
    exact(
        "nested",
        r##"<defs><linearGradient id="g"><stop stop-color="#f40"/><stop offset="1" stop-color="#04f"/></linearGradient>
        <linearGradient id="fade"><stop stop-color="#000"/><stop offset="1" stop-color="#000" stop-opacity="0"/></linearGradient>
        <pattern id="p" width="4.2333" height="4.2333" patternUnits="userSpaceOnUse"><rect width="4.2333" height="2" fill="url(#g)"/>
        <g opacity=".5"><circle cx="2" cy="3" r="1" fill="#0a0"/><circle cx="3" cy="3" r="1" fill="#0a0"/></g></pattern>
        <mask id="m" maskUnits="userSpaceOnUse" x="0" y="12" width="26" height="10"><g opacity=".8"><rect x="2" y="12" width="20" height="9" fill="url(#p)"/></g></mask>
        <clipPath id="c"><circle cx="5" cy="5" r="4"/><circle cx="9" cy="5" r="4"/></clipPath>
        <symbol id="s" viewBox="0 0 10 10"><path d="M0 0L10 5L0 10Z" fill="url(#g)" stroke="url(#fade)" stroke-width="1"/></symbol></defs>
        <g opacity=".7"><rect x="2" y="1" width="12" height="9" fill="url(#g)" clip-path="url(#c)"/><rect x="12" y="1" width="11" height="9" fill="url(#p)"/></g>
        <rect x="0" y="12" width="26" height="10" fill="#206" mask="url(#m)"/>
        <g transform="rotate(8) translate(4 20)"><use href="#s" width="6" height="6"/><g style="mix-blend-mode:multiply"><use href="#s" x="5" width="6" height="6"/></g></g>
        <g transform="translate(3 33) skewX(30) scale(2 .5)"><path d="M0 0H8V5H0Z" fill="none" stroke="#a00" stroke-width=".6" stroke-dasharray="2 1"/></g>
        <g clip-path="url(#c)" transform="translate(12 24) rotate(20)"><g opacity=".5"><rect width="12" height="9" fill="url(#fade)"/><rect y="4" width="12" height="2" fill="#f00"/></g></g>"##,
    );
}

#[test]
fn imported_text_becomes_paths() {
    exact(
        "imported",
        r##"<text x="2" y="8" font-family="Noto Sans CJK SC" font-size="5" fill="#a00">排版印</text>
        <text x="2" y="16" font-family="Noto Sans CJK SC" font-size="6" font-weight="700" stroke="#fff" stroke-width=".4" fill="#036">Ag永</text>"##,
    );
}

#[test]
fn filters_become_pictures_and_are_said() {
    let written = feature(
        "filters",
        r##"<defs><filter id="f"><feGaussianBlur stdDeviation=".6"/></filter></defs>
        <g transform="rotate(5)"><rect x="5" y="5" width="12" height="12" fill="#d40" filter="url(#f)"/></g><rect x="5" y="22" width="10" height="10" fill="#048"/>"##,
    );
    assert_eq!(written.notes.len(), 2);
    for note in written.notes {
        assert_eq!(note.what, crate::export::pdf::What::Picture { why: "a filter", dpi: 600 });
    }
}

#[test]
fn text_is_where_its_outlines_are() {
    let fonts = fonts();
    let mut turned = han(&fonts, "竖排文字", 4.0, (20.0, 20.0));
    turned.transform =
        Affine::translate(15.0, 22.0).then_inner(Affine { a: 0.9, b: 0.4, c: -0.4, d: 0.9, e: 0.0, f: 0.0 });
    turned.fill = Colour { r: 200, g: 30, b: 0, opacity: 0.6 };
    let latin = run(&fonts, "Fredoka", "Cut & play (1)", 3.0, (2.0, 16.0));
    let text = Layer::Text(vec![
        han(&fonts, "社团博览会，抢新", 2.8222, (1.0, 6.0)),
        han(&fonts, "大战", 8.0, (2.0, 30.0)),
        latin,
        turned,
    ]);
    let face = face(vec![text]);
    let (difference, _) =
        compare("text", sheet(vec![placement(&face, 5.0, 5.0), placement(&face, 50.0, 20.0)]), &fonts);
    eprintln!("text: {difference:?}");
    assert!(difference.clear < 0.002 && difference.mean < 0.3, "{difference:?}");
}

#[test]
fn a_sheet_with_turned_faces_marks_rings_and_words() {
    use crate::sheet::{Course, Line, Ring};
    let fonts = fonts();
    let body = |shade: &str| {
        format!(
            r##"<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#fff"/><stop offset="1" stop-color="{shade}" stop-opacity=".6"/></linearGradient>
            <mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="30" height="40"><circle cx="12" cy="20" r="9" fill="#fff"/></mask></defs>
            <rect x="-2" y="-2" width="29.4" height="42.1" fill="{shade}"/><rect x="2" y="2" width="21" height="34" fill="url(#g)"/>
            <rect x="2" y="10" width="21" height="20" fill="url(#g)" stroke="#000" stroke-width=".4" mask="url(#m)"/>"##
        )
    };
    let once = face(vec![art(&fonts, &body("#a42")), Layer::Text(vec![han(&fonts, "正面", 6.0, (6.0, 12.0))])]);
    let often = face(vec![art(&fonts, &body("#24a")), Layer::Text(vec![han(&fonts, "背面", 6.0, (6.0, 12.0))])]);
    let turned = |face: &Arc<Face>, x: f64, y: f64, turn: Affine| {
        let mut placement = placement(face, x, y);
        placement.transform = Affine::translate(x, y).then_inner(turn);
        let (width, height) = if turn == Affine::QUARTER_TURN { (38.1, 25.4) } else { (25.4, 38.1) };
        let corner = |at: f64, length: f64, turned: bool| Length::from_mm(if turned { at - length } else { at });
        let half = turn == Affine::HALF_TURN;
        let at = Point { x: corner(x, width, half || turn == Affine::QUARTER_TURN), y: corner(y, height, half) };
        placement.clip =
            Rect::new(at, Size { w: Length::from_mm(width), h: Length::from_mm(height) }).outset(Length::mm(1));
        placement
    };
    let mut sheet = sheet(vec![
        turned(&once, 45.0, 5.0, Affine::QUARTER_TURN),
        turned(&often, 75.0, 45.0, Affine::HALF_TURN),
        turned(&often, 80.0, 5.0, Affine::IDENTITY),
    ]);
    let at = |x: i64, y: i64| Point { x: Length::mm(x), y: Length::mm(y) };
    let line = Line { from: at(3, 50), to: at(40, 50), width: Length::from_pt(0.4), grey: 0, dash: None };
    sheet.lines = vec![
        Line { to: at(3, 70), width: Length::from_pt(1.5), grey: 150, ..line.clone() },
        Line { dash: Some(Length::mm(2)), width: Length::from_pt(1.0), ..line.clone() },
        Line { from: at(3, 55), to: at(40, 70), ..line },
    ];
    sheet.rings = vec![Ring {
        course: Course::Circle { centre: at(115, 60), radius: Length::mm(8) },
        width: Length::from_pt(1.0),
        grey: 80,
    }];
    sheet.words = vec![han(&fonts, "社团博览会 1/4", 3.0, (10.0, 74.0))];
    let (difference, written) = compare("sheet", sheet, &fonts);
    eprintln!("sheet: {difference:?}");
    assert!(written.notes.is_empty(), "{:?}", written.notes);
    assert!(difference.clear < 0.005 && difference.mean < 0.8, "{difference:?}");
}
