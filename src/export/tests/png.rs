//! Pictures of faces.

use super::*;
use crate::export::png::{self, Area, Failure};

fn dot(picture: &Pixmap, x: u32, y: u32) -> [u8; 4] {
    let dot = picture.pixel(x, y).expect("a dot").demultiply();
    [dot.red(), dot.green(), dot.blue(), dot.alpha()]
}

#[test]
fn a_face_is_trim_or_bleed_large() {
    let fonts = fonts();
    let face = face(vec![art(
        &fonts,
        r##"<rect x="-2" y="-2" width="40" height="50" fill="#f00"/><rect width="5" height="5" fill="#00f"/>"##,
    )]);
    let trim = png::face(&face, &fonts, 300.0, Area::Trim).expect("a picture");
    assert_eq!((trim.width(), trim.height()), (300, 450));
    assert_eq!(dot(&trim, 0, 0), [0, 0, 255, 255]);
    let bleed = png::face(&face, &fonts, 254.0, Area::Bleed).expect("a picture");
    assert_eq!((bleed.width(), bleed.height()), (294, 421));
    assert_eq!(dot(&bleed, 0, 0), [255, 0, 0, 255]);
    assert_eq!(dot(&bleed, 21, 21), [0, 0, 255, 255]);
}

#[test]
fn drawings_in_other_units_fill_the_trim() {
    let fonts = fonts();
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="25.4mm" height="38.1mm" viewBox="0 0 25.4 38.1"><rect x="20.4" y="33.1" width="5" height="5"/></svg>"##;
    let options = usvg::Options { fontdb: fonts.database(), ..Default::default() };
    let tree = usvg::Tree::from_str(svg, &options).expect("a drawing");
    let face = face(vec![Layer::Art(Arc::new(Art::new(tree, svg.to_owned())))]);
    let picture = png::face(&face, &fonts, 254.0, Area::Trim).expect("a picture");
    assert_eq!(dot(&picture, 253, 380), [0, 0, 0, 255]);
    assert_eq!(dot(&picture, 203, 330), [0, 0, 0, 0]);
}

#[test]
fn a_sheet_is_white_and_clips_its_faces() {
    let fonts = fonts();
    let face = face(vec![art(&fonts, r##"<rect x="-9" y="-9" width="60" height="60" fill="#080"/>"##)]);
    let picture = png::sheet(&sheet(vec![placement(&face, 10.0, 10.0)]), &fonts, 254.0).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (1270, 762));
    assert_eq!(dot(&picture, 79, 200), [255; 4]);
    assert_eq!(dot(&picture, 80, 200), [0, 136, 0, 255]);
    assert_eq!(dot(&png::grey(picture), 80, 200), [97, 97, 97, 255]);
}

#[test]
fn a_file_says_how_large_it_is() {
    let mut picture = Pixmap::new(4, 4).expect("dots");
    picture.fill(resvg::tiny_skia::Color::WHITE);
    let bytes = png::encode(&picture, 300.0).expect("a file");
    let at = bytes.windows(4).position(|window| window == b"pHYs").expect("a size");
    assert_eq!(bytes[at + 4..at + 13], [0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1]);
    // The chunk's checksum is right, or this would fail.
    assert_eq!(Pixmap::decode_png(&bytes).expect("a picture").data(), picture.data());
}

#[test]
fn what_is_too_large_is_no_picture() {
    let fonts = fonts();
    assert_eq!(png::face(&face(Vec::new()), &fonts, 1e6, Area::Trim).err(), Some(Failure::Size));
    assert_eq!(png::face(&face(Vec::new()), &fonts, 0.0, Area::Trim).err(), Some(Failure::Size));
}
