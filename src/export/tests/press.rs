//! The four inks. The profile here is no press's: a small table made up for these tests, which mixes dark colours from all inks as
//! real profiles do.

use lopdf::Object;

use super::images::{JPEG, image, png};
use super::read::{NameText, Read};
use super::*;
use crate::export::pdf::{Inks, What};

/// A profile for the four inks: a table of seven by seven by seven places from Lab to inks.
pub fn profile() -> Vec<u8> {
    const GRID: usize = 7;
    let mut table = b"mft1\0\0\0\0".to_vec();
    table.extend([3, 4, GRID as u8, 0]);
    for row in 0..9 {
        table.extend(if row % 4 == 0 { 0x1_0000_u32 } else { 0 }.to_be_bytes());
    }
    let straight = || (0..=255_u8).collect::<Vec<u8>>();
    (0..3).for_each(|_| table.extend(straight()));
    for index in 0..GRID.pow(3) {
        let part = |at: usize| at as f64 / (GRID - 1) as f64;
        let (light, a, b) = (part(index / (GRID * GRID)), part(index / GRID % GRID) - 0.5, part(index % GRID) - 0.5);
        let dark = 1.0 - light;
        let inks = [dark - 1.6 * a, dark + 1.6 * a, dark + 1.6 * b, (dark - 0.4) * 1.5];
        table.extend(inks.map(|ink| (ink.clamp(0.0, 0.9) * 255.0).round() as u8));
    }
    (0..4).for_each(|_| table.extend(straight()));
    let text = |kind: &[u8; 4], text: &str| [kind.as_slice(), &[0; 4], text.as_bytes(), &[0]].concat();
    let name = "Made up for tests";
    let mut described = [b"desc".as_slice(), &[0; 4], &(name.len() as u32 + 1).to_be_bytes(), name.as_bytes()].concat();
    described.extend([0; 79]);
    let white = [b"XYZ ".as_slice(), &[0; 4], &[0, 0, 0xF6, 0xD6], &[0, 1, 0, 0], &[0, 0, 0xD3, 0x2D]].concat();
    let tags: [(&[u8; 4], Vec<u8>); 4] =
        [(b"desc", described), (b"cprt", text(b"text", "public domain")), (b"wtpt", white), (b"B2A0", table)];
    let mut body = Vec::new();
    let mut list = (tags.len() as u32).to_be_bytes().to_vec();
    let start = 128 + 4 + 12 * tags.len();
    for (name, data) in tags {
        list.extend_from_slice(name);
        list.extend(((start + body.len()) as u32).to_be_bytes());
        list.extend((data.len() as u32).to_be_bytes());
        body.extend(data);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    let mut header = vec![0; 128];
    header[..4].copy_from_slice(&((start + body.len()) as u32).to_be_bytes());
    header[8..12].copy_from_slice(&[2, 0x10, 0, 0]);
    header[12..24].copy_from_slice(b"prtrCMYKLab ");
    header[24..36].copy_from_slice(&[7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    header[36..40].copy_from_slice(b"acsp");
    header[68..80].copy_from_slice(&[0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]);
    [header, list, body].concat()
}

fn sheets(fonts: &Fonts, body: &str) -> [Sheet; 1] {
    let mut brown = run(fonts, "Fredoka", "brown", 4.0, (2.0, 34.0));
    brown.fill = Colour { r: 60, g: 40, b: 20, opacity: 1.0 };
    let face = face(vec![art(fonts, body), Layer::Text(vec![brown])]);
    [sheet(vec![placement(&face, 5.0, 5.0), placement(&face, 50.0, 5.0)])]
}

fn busy() -> String {
    format!(
        r##"<defs><linearGradient id="g"><stop stop-color="#c00"/><stop offset="1" stop-color="#00c" stop-opacity=".3"/></linearGradient></defs>
            <rect width="25" height="38" fill="#e8f0d0"/><circle cx="8" cy="8" r="6" fill="url(#g)" stroke="#080"/>
            <g opacity=".5" style="mix-blend-mode:multiply"><path d="M1 1h9v9z" fill="#f0f"/><path d="M3 3h9v9z" fill="#111"/></g>{}{}"##,
        image("jpeg", JPEG, r#"x="2" y="18" width="10" height="10""#),
        image("png", &png(), r#"x="13" y="18" width="10" height="10""#)
    )
}

fn document<'a>(sheets: &'a [Sheet], inks: &'a Inks, standard: Standard) -> Document<'a> {
    Document { ink: Ink::Cmyk(inks), standard, ..Document::new("四色", "zh-Hans", sheets, Sides::Fronts) }
}

#[test]
fn everything_is_in_the_four_inks_and_the_press_is_named() {
    let fonts = fonts();
    let inks = Inks::by_profile(profile(), 400).expect("a profile");
    let sheets = sheets(&fonts, &busy());
    let bytes = write(&document(&sheets, &inks, Standard::X4), &fonts).unwrap().bytes;
    assert!(bytes.starts_with(b"%PDF-1.6"));
    let read = Read::new(&bytes);
    for object in read.pdf.objects.values() {
        assert!(!format!("{object:?}").contains("DeviceRGB"), "{object:?}");
    }
    let mut operators = Vec::new();
    for stream in read.streams().filter(|stream| stream.dict.has(b"BBox")) {
        let content = lopdf::content::Content::decode(&stream.get_plain_content().unwrap()).unwrap();
        operators.extend(content.operations);
    }
    assert!(operators.iter().all(|op| !["rg", "RG"].contains(&op.operator.as_str())));
    assert!(operators.iter().any(|op| op.operator == "k"));
    let group = read.dict(read.page(0), "Group");
    assert_eq!(read.at(group, "CS").as_name_str(), "DeviceCMYK");
    let intent = read.at(read.pdf.catalog().unwrap(), "OutputIntents").as_array().unwrap()[0].as_dict().unwrap();
    assert_eq!(read.at(intent, "S").as_name_str(), "GTS_PDFX");
    assert_eq!(read.at(intent, "Info").as_str().unwrap(), b"Made up for tests");
    assert_eq!(read.at(intent, "DestOutputProfile").as_stream().unwrap().get_plain_content().unwrap(), profile());
    let info = read.dict(&read.pdf.trailer, "Info");
    assert_eq!(read.at(info, "GTS_PDFXVersion").as_str().unwrap(), b"PDF/X-4");
    let packet = read.at(read.pdf.catalog().unwrap(), "Metadata").as_stream().unwrap().content.clone();
    assert!(String::from_utf8(packet).unwrap().contains(">PDF/X-4</pdfxid:GTS_PDFXVersion>"));
}

#[test]
fn dark_text_and_near_black_are_black_ink_alone() {
    let fonts = fonts();
    let inks = Inks::by_profile(profile(), 300).expect("a profile");
    let body = r##"<rect x="1" y="1" width="5" height="5" fill="#17120f"/><rect x="8" y="1" width="5" height="5" fill="#808080"/>"##;
    let sheets = sheets(&fonts, body);
    let written = write(&document(&sheets, &inks, Standard::X4), &fonts).unwrap();
    assert!(written.notes.is_empty(), "{:?}", written.notes);
    let read = Read::new(&written.bytes);
    let mut colours = Vec::new();
    for stream in read.streams().filter(|stream| stream.dict.has(b"BBox")) {
        let content = lopdf::content::Content::decode(&stream.get_plain_content().unwrap()).unwrap();
        let set = content.operations.into_iter().filter(|op| op.operator == "k");
        colours.extend(set.map(|op| op.operands.iter().map(|ink| ink.as_float().unwrap()).collect::<Vec<f32>>()));
    }
    assert_eq!(colours.len(), 3, "{colours:?}");
    assert!(colours.iter().all(|inks| inks[..3] == [0.0; 3] && inks[3] > 0.4), "{colours:?}");
}

#[test]
fn too_much_ink_is_noted() {
    let fonts = fonts();
    let inks = Inks::by_profile(profile(), 240).expect("a profile");
    let dark = r##"<rect width="25" height="38" fill="#401a50"/>"##;
    let sheets = sheets(&fonts, dark);
    let notes = write(&document(&sheets, &inks, Standard::X4), &fonts).unwrap().notes;
    assert!(matches!(notes[0].what, What::TooMuchInk { percent: 241..=400 }), "{notes:?}");
}

#[test]
fn x1a_has_no_layers_and_tells_what_is_transparent() {
    let fonts = fonts();
    let inks = Inks::by_formula(300);
    let solid = sheets(&fonts, r##"<rect width="25" height="38" fill="#e8f0d0"/>"##);
    let written = write(&document(&solid, &inks, Standard::X1a), &fonts).unwrap();
    assert!(written.notes.is_empty() && written.bytes.starts_with(b"%PDF-1.4"), "{:?}", written.notes);
    let text = String::from_utf8_lossy(&written.bytes);
    assert!(!text.contains("/OCG") && !text.contains("/ObjStm") && !text.contains("/XRef"));
    let read = Read::new(&written.bytes);
    assert!(!read.pdf.catalog().unwrap().has(b"OCProperties"));
    assert!(!read.page(0).has(b"Group"));
    let packed = read.pdf.objects.values().filter_map(|object| object.as_dict().ok());
    assert!(packed.into_iter().all(|dict| !matches!(dict.get(b"SMask"), Ok(Object::Reference(_)))));
    let clear = sheets(&fonts, &busy());
    let notes = write(&document(&clear, &inks, Standard::X1a), &fonts).unwrap().notes;
    assert!(notes.iter().any(|note| note.what == What::Transparent && note.piece.starts_with("deck/")), "{notes:?}");
}

/// All operations of the forms of a document.
fn operations(read: &Read) -> Vec<lopdf::content::Operation> {
    let forms = read.streams().filter(|stream| stream.dict.has(b"BBox"));
    let contents = forms.map(|form| lopdf::content::Content::decode(&form.get_plain_content().unwrap()).unwrap());
    contents.flat_map(|content| content.operations).collect()
}

#[test]
fn black_text_is_printed_over_what_is_below_and_no_other_is() {
    let fonts = fonts();
    let inks = Inks::by_profile(profile(), 300).expect("a profile");
    let text = |words: &str, fill: Colour, y: f64| GlyphRun { fill, ..run(&fonts, "Fredoka", words, 4.0, (2.0, y)) };
    let ground = art(&fonts, r##"<rect width="25" height="38" fill="#e8a040"/>"##);
    let runs = [("black", Colour::BLACK), ("white", Colour::grey(255)), ("grey", Colour::grey(120))];
    let runs = runs.iter().zip([8.0, 16.0, 24.0]).map(|((words, fill), y)| text(words, *fill, y)).collect();
    let after = art(&fonts, r##"<rect x="3" y="30" width="4" height="4" fill="#fff"/>"##);
    let face = face(vec![ground, Layer::Text(runs), after]);
    let sheets = [sheet(vec![placement(&face, 5.0, 5.0), placement(&face, 50.0, 5.0)])];
    let written = write(&document(&sheets, &inks, Standard::X4), &fonts).unwrap();
    let read = Read::new(&written.bytes);
    let form = read.streams().find(|stream| stream.dict.has(b"BBox")).expect("a form");
    let states = read.dict(read.dict(&form.dict, "Resources"), "ExtGState");
    let mut seen = Vec::new();
    let (mut over, mut colour) = (false, Vec::new());
    for operation in operations(&read) {
        match operation.operator.as_str() {
            "gs" => {
                let state = read.dict(states, &operation.operands[0].as_name_str());
                assert_eq!(read.at(state, "OPM").as_i64().unwrap(), 1);
                assert_eq!(read.at(state, "OP"), read.at(state, "op"));
                over = read.at(state, "op").as_bool().unwrap();
            }
            "k" => colour = operation.operands.iter().map(|ink| ink.as_float().unwrap()).collect(),
            "TJ" => seen.push((over, colour[3] > 0.99)),
            "f" => assert!(!over, "a fill is printed over what is below"),
            _ => {}
        }
    }
    assert_eq!(seen, [(true, true), (false, false), (false, false)]);
    // Elsewhere nobody asks for it.
    assert!(
        !operations(&Read::new(&super::written(&sheets, Sides::Fronts, &fonts).bytes))
            .iter()
            .any(|op| op.operator == "gs")
    );
}

#[test]
fn large_black_areas_take_the_inks_of_the_recipe() {
    let fonts = fonts();
    let body =
        r##"<rect width="25" height="20" fill="#0a0a0a"/><rect x="2" y="24" width="5" height="5" fill="#000"/>"##;
    let sheets = sheets(&fonts, body);
    let black = |limit: u32, recipe: Option<[u32; 4]>| {
        let inks = Inks::by_formula(limit).with_rich_black(recipe);
        let written = write(&document(&sheets, &inks, Standard::Plain), &fonts).unwrap();
        let set = operations(&Read::new(&written.bytes)).into_iter().filter(|op| op.operator == "k");
        let inks: Vec<f32> =
            set.take(2).map(|op| op.operands.iter().map(|ink| ink.as_float().unwrap()).sum()).collect();
        (inks.iter().map(|sum| (sum * 100.0).round()).collect::<Vec<f32>>(), written.notes)
    };
    let (inks, notes) = black(240, Some([60, 40, 40, 100]));
    assert_eq!((inks, notes), (vec![240.0, 100.0], Vec::new()));
    assert_eq!(black(240, None).0, [96.0, 100.0]);
    assert!(matches!(black(239, Some([60, 40, 40, 100])).1[0].what, What::TooMuchInk { percent: 240 }));
}

/// What ISO 15930-7 asks for and a program can see without the standard's own tables.
#[test]
fn what_pdf_x4_asks_for_is_there() {
    let fonts = fonts();
    let inks = Inks::by_profile(profile(), 400).expect("a profile");
    let sheets = sheets(&fonts, &busy());
    let bytes = write(&document(&sheets, &inks, Standard::X4), &fonts).unwrap().bytes;
    assert!(bytes.starts_with(b"%PDF-1.6"));
    let read = Read::new(&bytes);
    let catalog = read.pdf.catalog().unwrap();
    assert!(!read.pdf.trailer.has(b"Encrypt") && read.at(&read.pdf.trailer, "ID").as_array().unwrap().len() == 2);
    let info = read.dict(&read.pdf.trailer, "Info");
    assert_eq!(read.at(info, "Trapped").as_name_str(), "False");
    assert!(["Title", "CreationDate", "ModDate"].iter().all(|key| info.has(key.as_bytes())));
    let packet = read.at(catalog, "Metadata").as_stream().unwrap();
    assert!(!packet.dict.has(b"Filter"));
    let packet = String::from_utf8(packet.content.clone()).unwrap();
    for key in [
        "pdfxid:GTS_PDFXVersion",
        "dc:title",
        "pdf:Trapped",
        "xmp:CreateDate",
        "xmp:ModifyDate",
        "xmp:MetadataDate",
        "xmpMM:DocumentID",
        "xmpMM:VersionID",
        "xmpMM:RenditionClass",
    ] {
        assert!(packet.contains(&format!("<{key}")), "{key}");
    }
    let intents = read.at(catalog, "OutputIntents").as_array().unwrap();
    assert_eq!(intents.iter().filter(|intent| intent.as_dict().unwrap().has(b"DestOutputProfile")).count(), 1);
    for page in 0..read.pages.len() {
        let page = read.page(page);
        let boxes = ["MediaBox", "BleedBox", "TrimBox"].map(|name| read.numbers(page, name));
        let inside = |inner: &[f32], outer: &[f32]| {
            (0..2).all(|at| inner[at] >= outer[at] - 0.01) && (2..4).all(|at| inner[at] <= outer[at] + 0.01)
        };
        assert!(inside(&boxes[2], &boxes[1]) && inside(&boxes[1], &boxes[0]), "{boxes:?}");
        assert!(!page.has(b"ArtBox") && !page.has(b"Annots") && !page.has(b"CropBox"));
    }
    for font in read.fonts() {
        assert_ne!(read.at(font, "Subtype").as_name_str(), "Type3");
    }
    for object in read.pdf.objects.values() {
        let text = format!("{object:?}");
        for forbidden in ["JavaScript", "LZWDecode", "/OPI", "PostScript", "TransferFunction", "DeviceRGB", "Launch"] {
            assert!(!text.contains(forbidden), "{forbidden}: {text}");
        }
    }
    // Each layer is in the order and has a name.
    if let Ok(layers) = catalog.get(b"OCProperties").and_then(Object::as_dict) {
        let named = read.at(layers, "OCGs").as_array().unwrap();
        assert!(named.iter().all(|layer| read.solid(layer).as_dict().unwrap().has(b"Name")));
        assert!(!read.dict(layers, "D").has(b"AS"));
    }
}

/// A reader shows the four inks by a formula of its own, so that hues differ from the screen's: what is compared is that nothing is
/// missing or elsewhere. On average a channel may be 8 of 255 off, and half as much as if nothing was drawn at all.
#[test]
fn the_four_inks_look_like_the_colours() {
    let fonts = fonts();
    let inks = Inks::by_formula(400);
    let sheets = sheets(&fonts, &busy());
    let cmyk = write(&document(&sheets, &inks, Standard::Plain), &fonts).unwrap();
    let rgb = super::written(&sheets, Sides::Fronts, &fonts);
    let (cmyk, rgb) = (drawn(&cmyk.bytes, 0, 72.0), drawn(&rgb.bytes, 0, 72.0));
    let alike = difference(&cmyk, &rgb);
    assert!(alike.mean < 8.0, "{alike:?}");
    // White stays white: nothing is drawn where nothing was.
    let white = |picture: &Pixmap| picture.pixels().iter().filter(|dot| dot.red() == 255 && dot.blue() == 255).count();
    let whites = [white(&cmyk), white(&rgb)];
    assert!(whites[0].abs_diff(whites[1]) * 100 <= whites[1], "{whites:?}");
    let mut paper = Pixmap::new(rgb.width(), rgb.height()).unwrap();
    paper.fill(resvg::tiny_skia::Color::WHITE);
    let blank = difference(&paper, &rgb);
    assert!(blank.mean > 2.0 * alike.mean, "an empty page would pass: {alike:?}, {blank:?}");
}

#[test]
fn what_is_no_profile_of_a_press_is_refused() {
    assert!(Inks::by_profile(b"no profile".to_vec(), 300).is_err());
    let mut cut = profile();
    cut.truncate(200);
    assert!(Inks::by_profile(cut, 300).is_err());
}
