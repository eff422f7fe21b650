//! Little ink, and black only.

use super::images::{JPEG, image, png};
use super::read::Read;
use super::*;
use crate::export::saver;

/// A dark card: white text on a blue ground, a white panel with black text, a white star on a small red disc.
fn dark(fonts: &Fonts) -> Arc<Face> {
    let ground = art(
        fonts,
        r##"<rect x="-2" y="-2" width="30" height="43" fill="#14407a"/><rect x="3" y="22" width="8" height="6" fill="#fff"/>
            <circle cx="18" cy="30" r="4" fill="#b01020"/><path d="M16 30h4v1h-4z" fill="#fff"/>"##,
    );
    let mut light = run(fonts, "Fredoka", "light", 5.0, (3.0, 12.0));
    light.fill = Colour::grey(255);
    let dark = run(fonts, "Fredoka", "dark", 2.0, (4.0, 26.0));
    face(vec![ground, Layer::Text(vec![light, dark])])
}

fn fills(face: &Face) -> Vec<String> {
    let Layer::Art(art) = &face.layers[0] else { panic!("a drawing") };
    let document = roxmltree::Document::parse(&art.svg).unwrap();
    let paths = document.descendants().filter(|node| node.tag_name().name() == "path");
    paths.map(|node| node.attribute("fill").unwrap().to_owned()).collect()
}

fn brightness(face: &Face, fonts: &Fonts) -> f64 {
    let picture = crate::export::png::face(face, fonts, 72.0, crate::export::png::Area::Trim).unwrap();
    picture.data().iter().map(|level| f64::from(*level)).sum::<f64>() / picture.data().len() as f64
}

#[test]
fn a_dark_ground_becomes_pale_and_what_stood_on_it_dark() {
    let fonts = fonts();
    let full = dark(&fonts);
    let saved = saver::face(&full, &fonts);
    // The ground is a tint; the panel stays white; disc and star are too small to matter.
    assert_eq!(fills(&saved), ["#e0e6ee", "#ffffff", "#b01020", "#ffffff"]);
    let Layer::Text(runs) = &saved.layers[1] else { panic!("text") };
    assert!(runs[0].fill.r < 0x80, "{:?}", runs[0].fill);
    assert_eq!(runs[1].fill, Colour::BLACK);
    assert!(brightness(&full, &fonts) < 130.0 && brightness(&saved, &fonts) > 215.0);
    assert_ne!(saved.hash, full.hash);
}

#[test]
fn gradients_pictures_and_groups_are_saved_too() {
    let fonts = fonts();
    let body = format!(
        r##"<defs><linearGradient id="g"><stop stop-color="#000"/><stop offset="1" stop-color="#600"/></linearGradient>
            <clipPath id="c"><circle cx="12" cy="30" r="1"/></clipPath></defs>
            <g transform="rotate(3)"><rect width="25" height="18" fill="url(#g)"/></g>
            <g clip-path="url(#c)"><rect width="25" height="38" fill="#123"/></g>{}"##,
        image("png", &png(), r#"x="2" y="19" width="22" height="18""#)
    );
    let full = face(vec![art(&fonts, &body)]);
    let saved = saver::face(&full, &fonts);
    let fills = fills(&saved);
    // The clipped rectangle shows too little to matter.
    assert!(fills.contains(&"#112233".to_owned()) && fills.contains(&"#e4dede".to_owned()), "{fills:?}");
    let Layer::Art(drawing) = &saved.layers[0] else { panic!("a drawing") };
    assert!(drawing.svg.contains(r#"<image opacity="0.4""#));
}

#[test]
fn a_face_on_two_sheets_is_saved_once() {
    let fonts = fonts();
    let face = dark(&fonts);
    let mut sheets = [sheet(vec![placement(&face, 5.0, 5.0)]), sheet(vec![placement(&face, 5.0, 5.0)])];
    saver::sheets(&mut sheets, &fonts);
    let faces: Vec<&Arc<Face>> = sheets.iter().map(|sheet| &sheet.placements[0].face).collect();
    assert!(Arc::ptr_eq(faces[0], faces[1]) && faces[0].hash != face.hash);
}

#[test]
fn grey_uses_black_ink_only() {
    let fonts = fonts();
    let body = format!(
        r##"<defs><linearGradient id="g"><stop stop-color="#c00"/><stop offset="1" stop-color="#00c" stop-opacity=".3"/></linearGradient></defs>
            <rect width="25" height="38" fill="#e8f0d0"/><circle cx="8" cy="8" r="6" fill="url(#g)" stroke="#080"/>
            <g opacity=".5" style="mix-blend-mode:multiply"><path d="M1 1h9v9z" fill="#f0f"/><path d="M3 3h9v9z" fill="#0ff"/></g>{}{}"##,
        image("jpeg", JPEG, r#"x="2" y="18" width="10" height="10""#),
        image("png", &png(), r#"x="13" y="18" width="10" height="10""#)
    );
    let mut coloured = run(&fonts, "Fredoka", "grey", 4.0, (2.0, 34.0));
    coloured.fill = Colour { r: 200, g: 20, b: 20, opacity: 1.0 };
    let face = face(vec![art(&fonts, &body), Layer::Text(vec![coloured])]);
    let sheets = [sheet(vec![placement(&face, 5.0, 5.0), placement(&face, 50.0, 5.0)])];
    let grey = written_in(Ink::Grey, &sheets, Sides::Fronts, &fonts);
    assert!(grey.notes.is_empty(), "{:?}", grey.notes);
    let read = Read::new(&grey.bytes);
    for object in read.pdf.objects.values() {
        assert!(!format!("{object:?}").contains("DeviceRGB"), "{object:?}");
    }
    for stream in read.streams().filter(|stream| stream.dict.has(b"BBox")) {
        let content = lopdf::content::Content::decode(&stream.get_plain_content().unwrap()).unwrap();
        assert!(content.operations.iter().all(|op| !["rg", "RG", "k", "K"].contains(&op.operator.as_str())));
    }
    // It looks like the grey of the picture in colours.
    let full = written(&sheets, Sides::Fronts, &fonts);
    let coloured = crate::export::png::grey(drawn(&full.bytes, 0, 72.0));
    let difference = difference(&coloured, &drawn(&grey.bytes, 0, 72.0));
    assert!(difference.mean < 1.5, "{difference:?}");
    assert!(read.text(0).contains("grey"));
}
