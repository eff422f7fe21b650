//! The PDF taken apart by lopdf.

use lopdf::Object;

use super::read::{NameText, Read, utf16};
use super::*;
use crate::export::pdf::What;
use crate::sheet::{Course, Line, Ring};

/// A card with a drawing and a text.
fn card(fonts: &Fonts, text: &str) -> Arc<Face> {
    let drawing = art(
        fonts,
        r##"<rect x="-2" y="-2" width="40" height="50" fill="#eef"/><circle cx="12" cy="20" r="5" fill="#a33"/>"##,
    );
    face(vec![drawing, Layer::Text(vec![han(fonts, text, 4.0, (2.0, 8.0))])])
}

/// Nine of a card in a grid of five columns.
fn nine(face: &Arc<Face>) -> Vec<Placement> {
    (0..9).map(|slot| placement(face, f64::from(slot % 5) * 25.4, f64::from(slot / 5) * 38.1)).collect()
}

#[test]
fn a_face_placed_nine_times_is_one_form() {
    let fonts = fonts();
    let written = written(&[sheet(nine(&card(&fonts, "九张牌")))], Sides::LongEdge, &fonts);
    let read = Read::new(&written.bytes);
    assert_eq!(read.forms(), 1);
    assert_eq!(String::from_utf8_lossy(&read.content(0)).matches(" Do").count(), 9);
    assert_eq!(read.text(0), "九张牌\n".repeat(9));
    assert!(written.notes.is_empty());
}

#[test]
fn a_face_placed_once_stands_in_its_page() {
    let fonts = fonts();
    let faces = ["一", "二"].map(|text| card(&fonts, text));
    let placements = faces.iter().enumerate().map(|(slot, face)| placement(face, slot as f64 * 40.0, 5.0)).collect();
    let read = Read::new(&written(&[sheet(placements)], Sides::Fronts, &fonts).bytes);
    // The drawing stands on both faces: it is a form of its own.
    assert_eq!(read.forms(), 1);
    assert_eq!(read.text(0), "一\n二\n");
}

#[test]
fn the_same_document_has_the_same_bytes() {
    let build = || {
        let fonts = fonts();
        let body = r##"<defs><linearGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-opacity=".2"/></linearGradient></defs>
            <rect width="20" height="20" fill="url(#g)"/><g opacity=".5"><circle r="4"/><circle r="3"/></g>"##;
        let other = face(vec![art(&fonts, body), Layer::Text(vec![run(&fonts, "Fredoka", "fi AV", 4.0, (1.0, 9.0))])]);
        let mut placements = nine(&card(&fonts, "九张牌"));
        placements[4] = placement(&other, 101.6, 0.0);
        written(&[sheet(placements), sheet(nine(&other))], Sides::LongEdge, &fonts).bytes
    };
    let first = build();
    assert_eq!(first, build());
    assert!(first.starts_with(b"%PDF-1.7"));
}

#[test]
fn pages_and_viewer_know_the_paper() {
    let fonts = fonts();
    let mut a4 = sheet(nine(&card(&fonts, "纸")));
    a4.page = Size::mm(210, 297);
    let read = Read::new(&written(&[a4], Sides::ShortEdge, &fonts).bytes);
    let page = read.page(0);
    for key in ["MediaBox", "TrimBox", "BleedBox"] {
        let numbers = read.numbers(page, key);
        let expected = [0.0, 0.0, 210.0 / 25.4 * 72.0, 297.0 / 25.4 * 72.0];
        assert!(numbers.iter().zip(expected).all(|(is, expected)| (is - expected).abs() < 1e-3), "{key}: {numbers:?}");
    }
    let catalog = read.pdf.catalog().unwrap();
    let preferences = read.dict(catalog, "ViewerPreferences");
    assert_eq!(read.at(preferences, "PrintScaling").as_name_str(), "None");
    assert_eq!(read.at(preferences, "Duplex").as_name_str(), "DuplexFlipShortEdge");
    for key in ["PickTrayByPDFSize", "DisplayDocTitle"] {
        assert_eq!(read.at(preferences, key), &Object::Boolean(true));
    }
    assert_eq!(read.at(catalog, "Lang").as_str().unwrap(), b"zh-Hans");
}

#[test]
fn fonts_are_embedded_subset_and_mapped() {
    let fonts = fonts();
    let text = vec![han(&fonts, "社团博览会", 4.0, (1.0, 6.0)), run(&fonts, "Fredoka", "Fair 2026", 4.0, (1.0, 12.0))];
    let bytes = written(&[sheet(nine(&face(vec![Layer::Text(text)])))], Sides::Fronts, &fonts).bytes;
    assert!(bytes.len() < 30_000, "{} bytes", bytes.len());
    let read = Read::new(&bytes);
    let mut kinds = Vec::new();
    for font in read.fonts() {
        let name = read.at(font, "BaseFont").as_name_str();
        let (tag, _) = name.split_once('+').expect("a subset");
        assert!(tag.len() == 6 && tag.bytes().all(|byte| byte.is_ascii_uppercase()), "{name}");
        assert_eq!(read.at(font, "Encoding").as_name_str(), "Identity-H");
        let descendant = read.solid(&read.at(font, "DescendantFonts").as_array().unwrap()[0]).as_dict().unwrap();
        let descriptor = read.dict(descendant, "FontDescriptor");
        let kind = read.at(descendant, "Subtype").as_name_str();
        assert!(descriptor.has(if kind == "CIDFontType0" { b"FontFile3" } else { b"FontFile2" }), "{descriptor:?}");
        kinds.push(kind);
    }
    kinds.sort();
    assert_eq!(kinds, ["CIDFontType0", "CIDFontType2"]);
    assert!(read.text(0).starts_with("社团博览会Fair 2026\n"));
}

#[test]
fn a_glyph_with_two_texts_and_a_text_with_two_glyphs_extract() {
    let fonts = fonts();
    let mut runs = vec![han(&fonts, "一二一", 4.0, (1.0, 6.0)), han(&fonts, "一二", 4.0, (1.0, 12.0))];
    // The radical looks like the character: the same glyph stands for both.
    "⼀二".clone_into(&mut runs[1].text);
    // Two glyphs for one text.
    let mut joined = han(&fonts, "甲乙丙", 4.0, (1.0, 18.0));
    joined.glyphs[0].cluster = 0..6;
    joined.glyphs[1].cluster = 6..6;
    runs.push(joined);
    let read = Read::new(&written(&[sheet(nine(&face(vec![Layer::Text(runs)])))], Sides::Fronts, &fonts).bytes);
    assert!(read.text(0).starts_with("一二一⼀二甲乙丙\n"), "{}", read.text(0));
}

#[test]
fn glyphs_stay_where_they_were_put() {
    let fonts = fonts();
    let mut spaced = han(&fonts, &"字".repeat(40), 2.8222, (1.0, 6.0));
    for (index, glyph) in (0_i16..).zip(&mut spaced.glyphs) {
        glyph.x = f32::from(index) * 2.912_37;
    }
    let expected: Vec<f64> = spaced.glyphs.iter().map(|glyph| f64::from(glyph.x)).collect();
    let read = Read::new(&written(&[sheet(nine(&face(vec![Layer::Text(vec![spaced])])))], Sides::Fronts, &fonts).bytes);
    let form = read.streams().find(|stream| stream.dict.get(b"BBox").is_ok()).unwrap().get_plain_content().unwrap();
    let content = lopdf::content::Content::decode(&form).unwrap();
    let size = content.operations.iter().find(|op| op.operator == "Tf").unwrap().operands[1].as_float().unwrap();
    let shown = content.operations.iter().filter(|op| op.operator == "TJ").collect::<Vec<_>>();
    assert_eq!(shown.len(), 1);
    let mut pen = 0.0;
    let mut places = Vec::new();
    for item in shown[0].operands[0].as_array().unwrap() {
        match item {
            Object::String(codes, _) => codes.chunks_exact(2).for_each(|_| {
                places.push(pen * f64::from(size) / 1000.0);
                pen += 1000.0;
            }),
            number => pen -= f64::from(number.as_float().unwrap()),
        }
    }
    for (is, expected) in places.iter().zip(&expected) {
        assert!((is - expected).abs() < 0.001, "{is} for {expected}");
    }
    assert_eq!(places.len(), expected.len());
}

#[test]
fn an_outline_names_the_components_and_pages_have_labels() {
    let fonts = fonts();
    let card = card(&fonts, "目录");
    let named = |component: &str, title: &str, side: Side| Sheet {
        components: vec![component.to_owned()],
        title: title.to_owned(),
        side,
        ..sheet(nine(&card))
    };
    let sheets = [
        named("hand", "手段卡", Side::Front),
        named("hand", "手段卡 背面", Side::Back),
        named("board", "中央版图", Side::Front),
    ];
    let read = Read::new(&written(&sheets, Sides::LongEdge, &fonts).bytes);
    let catalog = read.pdf.catalog().unwrap();
    assert_eq!(read.at(catalog, "PageMode").as_name_str(), "UseOutlines");
    let outline = read.dict(catalog, "Outlines");
    let first = read.dict(outline, "First");
    let second = read.dict(first, "Next");
    for (entry, title, page) in [(first, "手段卡", 0), (second, "中央版图", 2)] {
        assert_eq!(utf16(&read.at(entry, "Title").as_str().unwrap()[2..]), title);
        assert_eq!(read.at(entry, "Dest").as_array().unwrap()[0].as_reference().unwrap(), read.pages[page]);
    }
    let labels = read.at(read.dict(catalog, "PageLabels"), "Nums").as_array().unwrap();
    let labels: Vec<&[u8]> =
        labels.iter().filter_map(|label| label.as_dict().ok()?.get(b"P").ok()?.as_str().ok()).collect();
    assert_eq!(labels, [b"1A", b"1B", b"2A"]);
}

#[test]
fn the_document_says_what_it_is_and_nothing_that_varies() {
    let fonts = fonts();
    let read = Read::new(&written(&[sheet(nine(&card(&fonts, "书")))], Sides::Fronts, &fonts).bytes);
    let info = read.dict(&read.pdf.trailer, "Info");
    assert_eq!(utf16(&read.at(info, "Title").as_str().unwrap()[2..]), "书 & <纸>");
    assert_eq!(info.len(), 3, "{info:?}");
    let catalog = read.pdf.catalog().unwrap();
    let packet = String::from_utf8(read.at(catalog, "Metadata").as_stream().unwrap().content.clone()).unwrap();
    let body = packet.split_once("?>").unwrap().1.rsplit_once("<?").unwrap().0;
    let parsed = roxmltree::Document::parse(body).expect("well-formed");
    assert!(parsed.descendants().any(|node| node.text() == Some("书 & <纸>")));
    let layers = read.at(read.dict(catalog, "OCProperties"), "OCGs").as_array().unwrap();
    let names: Vec<&[u8]> =
        layers.iter().map(|layer| read.at(read.solid(layer).as_dict().unwrap(), "Name").as_str().unwrap()).collect();
    assert_eq!(names, [b"art".as_slice(), b"marks"]);
    let groups = read.pdf.objects.values().filter_map(|object| object.as_dict().ok());
    let groups = groups.filter(|dict| dict.get(b"Type").and_then(Object::as_name).is_ok_and(|kind| kind == b"OCG"));
    assert_eq!(groups.count(), 2);
}

#[test]
fn every_stream_but_the_metadata_is_compressed() {
    let fonts = fonts();
    let bytes = written(&[sheet(nine(&card(&fonts, "压缩")))], Sides::Fronts, &fonts).bytes;
    for stream in Read::new(&bytes).streams().filter(|stream| stream.content.len() > 200) {
        let kind = stream.dict.get(b"Type").and_then(Object::as_name).unwrap_or_default();
        // lopdf unpacks object streams when it reads them; the other check looks at the file itself.
        let plain = [b"Metadata".as_slice(), b"XRef", b"ObjStm"].contains(&kind);
        assert!(stream.dict.has(b"Filter") || plain, "{:?}", stream.dict);
    }
    let objects = String::from_utf8_lossy(&bytes);
    let packed = objects.split("/ObjStm").skip(1).all(|rest| rest.split(">>").next().unwrap().contains("/FlateDecode"));
    assert!(packed && objects.contains("/ObjStm"));
}

#[test]
fn marks_and_words_are_above_the_art() {
    let fonts = fonts();
    let mut sheet = sheet(nine(&card(&fonts, "标记")));
    let at = |x: i64, y: i64| Point { x: Length::mm(x), y: Length::mm(y) };
    let line =
        Line { from: at(10, 70), to: at(20, 70), width: Length::from_pt(0.1), grey: 0, dash: Some(Length::mm(1)) };
    sheet.lines = vec![line.clone(), Line { width: Length::from_pt(0.4), dash: None, grey: 128, ..line }];
    sheet.rings = vec![Ring {
        course: Course::Circle { centre: at(60, 60), radius: Length::mm(10) },
        width: Length::from_pt(0.4),
        grey: 0,
    }];
    sheet.words = vec![han(&fonts, "裁切", 3.0, (5.0, 74.0))];
    let written = written(&[sheet], Sides::Fronts, &fonts);
    let read = Read::new(&written.bytes);
    let content = String::from_utf8_lossy(&read.content(0)).into_owned();
    let (art, marks) = content.split_once("/LayerMarks BDC").expect("two layers");
    assert!(art.contains(" Do") && !marks.contains(" Do"));
    assert!(marks.contains("28.3465 17.5748 m"), "{marks}");
    assert!(marks.contains("0.25 w") && marks.contains("0.4 w"), "{marks}");
    assert!(read.text(0).ends_with("裁切\n"));
    assert_eq!(written.notes.len(), 1);
    assert_eq!((written.notes[0].what.clone(), written.notes[0].piece.as_str()), (What::ThinLines, ""));
}

#[test]
fn an_empty_document_and_an_empty_page_are_written() {
    let fonts = fonts();
    let read = Read::new(&written(&[sheet(Vec::new())], Sides::Fronts, &fonts).bytes);
    assert_eq!((read.pages.len(), read.forms()), (1, 0));
    assert!(Read::new(&written(&[], Sides::Fronts, &fonts).bytes).pages.is_empty());
}

#[test]
fn gaps_that_look_like_spaces_are_said_to_be_none() {
    let fonts = fonts();
    let spread = |family: &str, text: &str, y: f64, gap: f32| {
        let mut spread = run(&fonts, family, text, 3.0, (1.0, y));
        for (index, glyph) in (0_i16..).zip(&mut spread.glyphs) {
            glyph.x += f32::from(index) * gap;
        }
        spread
    };
    let wide = spread(BUILT_IN_FAMILY, "抽三张", 5.0, 0.6);
    let narrow = spread(BUILT_IN_FAMILY, "弃二张", 10.0, 0.1);
    let words = spread("Fredoka", "a b c", 15.0, 0.0);
    let face = face(vec![Layer::Text(vec![wide, narrow, words])]);
    let read = Read::new(&written(&[sheet(vec![placement(&face, 5.0, 0.0)])], Sides::Fronts, &fonts).bytes);
    assert_eq!(read.text(0), "抽三张弃二张a b c\n");
    assert_eq!(String::from_utf8_lossy(&read.content(0)).matches("ActualText").count(), 1);
}
