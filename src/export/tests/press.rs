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

#[test]
fn what_is_no_profile_of_a_press_is_refused() {
    assert!(Inks::by_profile(b"no profile".to_vec(), 300).is_err());
    let mut cut = profile();
    cut.truncate(200);
    assert!(Inks::by_profile(cut, 300).is_err());
}
