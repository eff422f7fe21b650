//! Images of all kinds.

use super::fidelity::{compare, within};
use super::*;
use crate::export::pdf::What;

/// Sixteen by sixteen dots of colour, and the same in grey and progressive.
pub(super) const JPEG: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDn7fTuny1p2+ndPlrbt9O6fLWnb6d0+WvVzHHb6kZRmO2p/9k=";
const GREY_JPEG: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wgALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABAX/2gAIAQEAAAABnpcn/8QAFhAAAwAAAAAAAAAAAAAAAAAAAAID/9oACAEBAAEFAlmLMWYsz//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEABj8CH//EABUQAQEAAAAAAAAAAAAAAAAAAABh/9oACAEBAAE/IYIIIP/aAAgBAQAAABBf/8QAFRABAQAAAAAAAAAAAAAAAAAAADH/2gAIAQEAAT8QiRIkT//Z";
/// Four by four dots, red and blue.
const GIF: &str = "R0lGODdhBAAEAIEAAP8AAAAA/wAAAAAAACwAAAAABAAEAAAIDAABBBA4cKBAggcDAgA7";

/// A PNG that fades out to the right.
pub(super) fn png() -> String {
    let mut picture = Pixmap::new(32, 32).unwrap();
    for (index, dot) in picture.pixels_mut().iter_mut().enumerate() {
        let (x, y) = ((index % 32) as u8, (index / 32) as u8);
        *dot = resvg::tiny_skia::ColorU8::from_rgba(255 - y * 8, x * 4, y * 8, 255 - x * 8).premultiply();
    }
    base64(&picture.encode_png().unwrap())
}

pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let letter = |index: usize| char::from(LETTERS[(bits >> (18 - 6 * index)) as usize & 63]);
        (0..4).map(move |index| if index <= three.len() { letter(index) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

pub(super) fn image(kind: &str, data: &str, attributes: &str) -> String {
    format!(r#"<image xlink:href="data:image/{kind};base64,{data}" {attributes}/>"#)
}

#[test]
fn png_and_jpeg_are_images() {
    let body = [
        image("png", &png(), r#"x="2" y="2" width="10" height="10""#),
        image("jpeg", JPEG, r#"x="13" y="2" width="10" height="10""#),
        image("jpeg", GREY_JPEG, r#"x="13" y="14" width="10" height="10" transform="rotate(10 18 19)""#),
        image("png", &png(), r#"x="2" y="14" width="10" height="6" preserveAspectRatio="xMidYMid slice" opacity=".5""#),
        image("jpeg", JPEG, r#"x="2" y="25" width="10" height="10" image-rendering="pixelated""#),
    ];
    let body = format!(r##"<rect width="25.4" height="38.1" fill="#ffe"/>{}"##, body.concat());
    // Readers scale images each in their own way: what counts is the place and the colour.
    let written = within("images", &body, 0.03);
    assert!(written.notes.is_empty(), "{:?}", written.notes);
}

#[test]
fn an_image_is_written_once() {
    let fonts = fonts();
    let faces = ["1", "2"]
        .map(|x| face(vec![art(&fonts, &image("png", &png(), &format!(r#"x="{x}" y="2" width="10" height="10""#)))]));
    let placements = faces.iter().enumerate().map(|(slot, face)| placement(face, slot as f64 * 40.0, 5.0)).collect();
    let read = super::read::Read::new(&written(&[sheet(placements)], Sides::Fronts, &fonts).bytes);
    let images = read.streams().filter(|stream| stream.dict.has(b"Width"));
    // The image and its mask.
    assert_eq!(images.count(), 2);
}

#[test]
fn other_images_become_pictures() {
    let fonts = fonts();
    let body = image("gif", GIF, r#"x="2" y="2" width="10" height="10" image-rendering="pixelated""#);
    let face = face(vec![art(&fonts, &body)]);
    let (difference, written) = compare("gif", sheet(vec![placement(&face, 10.0, 10.0)]), &fonts);
    assert!(difference.clear < 0.01, "{difference:?}");
    assert!(matches!(written.notes[0].what, What::Picture { dpi: 600, .. }), "{:?}", written.notes);
}

#[test]
fn an_svg_in_an_svg_is_drawn() {
    let inner = r##"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect x="1" y="1" width="30" height="8" fill="#06a"/><circle cx="10" cy="5" r="3" fill="#fc0"/></svg>"##;
    let body = image("svg+xml", &base64(inner.as_bytes()), r#"x="2" y="2" width="16" height="8""#);
    let written = within("svg-in-svg", &body, 0.01);
    assert!(written.notes.is_empty(), "{:?}", written.notes);
}
