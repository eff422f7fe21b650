//! Layers, spot colours and the boxes of pages.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Object};

use super::read::{NameText, Read};
use super::*;
use crate::sheet::{Course, Ring};

/// A round and a square piece on a front, and a back behind them.
fn sheets(fonts: &Fonts) -> [Sheet; 2] {
    let drawing = face(vec![art(fonts, r##"<rect width="26" height="40" fill="#eef"/>"##)]);
    let square = placement(&drawing, 20.0, 10.0);
    let mut round = placement(&drawing, 60.0, 10.0);
    round.shape = Shape::Circle;
    let mut front = sheet(vec![square.clone(), round]);
    let centre = Point { x: Length::mm(73), y: Length::mm(29) };
    front.rings =
        vec![Ring { course: Course::Circle { centre, radius: Length::mm(13) }, width: Length::from_pt(0.4), grey: 0 }];
    let square = Placement { side: Side::Back, ..square };
    [front, Sheet { side: Side::Back, ..sheet(vec![square]) }]
}

fn document<'a>(sheets: &'a [Sheet], cut: Option<&'a str>, guides: &'a BTreeMap<String, Length>) -> Document<'a> {
    let plain = Document::new("层", "zh-Hans", sheets, Sides::LongEdge);
    Document { cut, guides, ..plain }
}

fn layers(read: &Read) -> Vec<&Dictionary> {
    let layers = read.at(read.dict(read.pdf.catalog().unwrap(), "OCProperties"), "OCGs").as_array().unwrap();
    layers.iter().map(|layer| read.solid(layer).as_dict().unwrap()).collect()
}

fn name(read: &Read, layer: &Dictionary) -> String {
    String::from_utf8(read.at(layer, "Name").as_str().unwrap().to_vec()).unwrap()
}

#[test]
fn cuts_are_lines_in_a_spot_colour_on_a_layer_of_their_own() {
    let fonts = fonts();
    let sheets = sheets(&fonts);
    let read = Read::new(&write(&document(&sheets, Some("CutContour"), &NO_GUIDES), &fonts).unwrap().bytes);
    let layers = layers(&read);
    assert_eq!(layers.iter().map(|layer| name(&read, layer)).collect::<Vec<_>>(), ["art", "marks", "CutContour"]);
    assert_eq!(read.at(read.dict(layers[2], "GTS_Metadata"), "GTS_ProcStepsType").as_name_str(), "Cutting");
    let content = String::from_utf8(read.content(0)).unwrap();
    let (printed, cut) = content.split_once("/LayerTrim BDC").unwrap();
    // The cutting circle is no longer printed; rectangle and circle are cut.
    assert!(!printed.contains(" c\n"), "{printed}");
    assert_eq!((cut.matches("\nS\n").count(), cut.matches(" re\n").count(), cut.matches(" c\n").count()), (2, 1, 8));
    assert!(cut.contains("/Cut CS\n1 SCN"), "{cut}");
    let resources = read.dict(read.page(0), "Resources");
    let space = read.at(read.dict(resources, "ColorSpace"), "Cut").as_array().unwrap();
    assert_eq!((space[0].as_name_str(), space[1].as_name_str()), ("Separation".into(), "CutContour".into()));
    let states = read.dict(resources, "ExtGState").iter().map(|(_, state)| read.solid(state).as_dict().unwrap());
    assert!(states.into_iter().any(|state| state.get(b"OP").is_ok_and(|on| *on == Object::Boolean(true))));
    // A sheet is cut from its front.
    assert!(!String::from_utf8(read.content(1)).unwrap().contains("SCN"));
}

#[test]
fn guides_are_there_but_hidden() {
    let fonts = fonts();
    let sheets = sheets(&fonts);
    let guides = BTreeMap::from([("deck".to_owned(), Length::mm(3))]);
    let read = Read::new(&write(&document(&sheets, None, &guides), &fonts).unwrap().bytes);
    let layers = layers(&read);
    assert_eq!(name(&read, layers[2]), "guides");
    let shown = read.dict(read.dict(read.pdf.catalog().unwrap(), "OCProperties"), "D");
    let off = read.at(shown, "OFF").as_array().unwrap();
    assert_eq!(off.iter().map(|layer| read.solid(layer).as_dict().unwrap()).collect::<Vec<_>>(), [layers[2]]);
    let content = String::from_utf8(read.content(0)).unwrap();
    let (_, guides) = content.split_once("/LayerZones BDC").unwrap();
    assert_eq!((guides.matches(" re\n").count(), guides.matches(" c\n").count()), (2, 16));
}

#[test]
fn a_page_that_is_a_piece_says_where_it_is_cut() {
    let fonts = fonts();
    let drawing = face(vec![art(&fonts, r##"<rect x="-2" y="-2" width="30" height="43" fill="#eef"/>"##)]);
    let mut page = sheet(vec![placement(&drawing, 2.0, 2.0)]);
    page.page = TRIM.outset(Length::mm(2));
    let pages = [page];
    let document = Document { boxes: Boxes::Piece, ..document(&pages, None, &NO_GUIDES) };
    let read = Read::new(&write(&document, &fonts).unwrap().bytes);
    let (bleed, near) = (2.0 / 25.4 * 72.0, |is: Vec<f32>, should: [f64; 4]| {
        assert!(is.iter().zip(should).all(|(is, should)| (f64::from(*is) - should).abs() < 1e-3), "{is:?}");
    });
    near(read.numbers(read.page(0), "MediaBox"), [0.0, 0.0, 72.0 + 2.0 * bleed, 108.0 + 2.0 * bleed]);
    near(read.numbers(read.page(0), "BleedBox"), [0.0, 0.0, 72.0 + 2.0 * bleed, 108.0 + 2.0 * bleed]);
    near(read.numbers(read.page(0), "TrimBox"), [bleed, bleed, 72.0 + bleed, 108.0 + bleed]);
}
