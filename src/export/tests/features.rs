//! Each feature of a drawing on its own. The PDF looks like the picture, and the picture without the feature looks so different that a
//! PDF which dropped it would be noticed.

use super::fidelity::within;
use super::images::{base64, image};
use super::*;
use crate::export::png;

/// Draws `body`, in which `{}` stands for the feature, with `feature` and with `nothing` in its place.
fn told(name: &str, body: &str, feature: &str, nothing: &str) {
    told_within(name, body, (feature, nothing), 0.01);
}

/// As [`told`], where renderers are softer or sharper: a share of `clear` dots may differ.
fn told_within(name: &str, body: &str, (feature, nothing): (&str, &str), clear: f64) {
    let with = body.replace("{}", feature);
    let written = within(name, &with, clear);
    assert!(written.notes.is_empty(), "{name}: {:?}", written.notes);
    let fonts = fonts();
    let [with, without] = [with, body.replace("{}", nothing)].map(|body| {
        let face = face(vec![art(&fonts, &body)]);
        let places = [(5.0, 5.0), (40.0, 5.0), (80.0, 25.0)].map(|(x, y)| placement(&face, x, y));
        png::sheet(&sheet(places.to_vec()), &fonts, 144.0).expect("a picture")
    });
    let difference = difference(&with, &without);
    assert!(difference.clear > 2.0 * clear, "{name}: nobody would notice that it is missing: {difference:?}");
}

const GROUND: &str =
    r##"<rect width="25.4" height="38.1" fill="#7ab"/><rect y="12" width="25.4" height="14" fill="#d94"/>"##;

#[test]
fn every_blend_mode() {
    for mode in [
        "multiply",
        "screen",
        "overlay",
        "darken",
        "lighten",
        "color-dodge",
        "color-burn",
        "hard-light",
        "soft-light",
        "difference",
        "exclusion",
        "hue",
        "saturation",
        "color",
        "luminosity",
    ] {
        let body =
            format!(r##"{GROUND}<g style="{{}}"><rect x="2" y="2" width="21" height="34" fill="#5a2090"/></g>"##);
        told(mode, &body, &format!("mix-blend-mode:{mode}"), "");
    }
}

#[test]
fn gradients() {
    let body = r##"<defs><linearGradient id="l"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
        <radialGradient id="r"><stop stop-color="#ff0"/><stop offset="1" stop-color="#063"/></radialGradient></defs>
        <rect width="25" height="38" fill="{}"/>"##;
    told("a linear gradient", body, "url(#l)", "#f00");
    told("a radial gradient", body, "url(#r)", "#ff0");
}

#[test]
fn patterns() {
    let body = r##"<defs><pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="4" height="4" fill="#c22"/></pattern></defs>
        <rect width="24" height="36" fill="{}"/>"##;
    // Both renderers draw a cell once and sample it: every edge in it is a little soft.
    told_within("a pattern", body, ("url(#p)", "#c22"), 0.03);
}

#[test]
fn clips_and_masks() {
    let body = r##"<defs><clipPath id="c"><circle cx="12" cy="19" r="9"/></clipPath>
        <clipPath id="n" clip-path="url(#c)"><rect x="12" y="0" width="14" height="38"/></clipPath>
        <mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="26" height="39"><rect width="26" height="39" fill="#888"/><rect y="20" width="26" height="20"/></mask></defs>
        <g {}><rect width="25" height="38" fill="#208"/></g>"##;
    told("a clip", body, r##"clip-path="url(#c)""##, "");
    told("a clip within a clip", body, r##"clip-path="url(#n)""##, r##"clip-path="url(#c)""##);
    told("a mask", body, r##"mask="url(#m)""##, "");
}

#[test]
fn opacity() {
    let body = r##"<g {}><rect width="18" height="28" fill="#c20"/><rect x="8" y="10" width="17" height="28" fill="#08c"/></g>"##;
    told("the opacity of a group", body, r#"opacity=".5""#, "");
    // The parts of a group do not show through each other.
    told("the opacity of a group as a whole", body, r#"opacity=".5""#, r#"fill-opacity=".5""#);
    told("the opacity of a fill", r##"<rect width="25" height="38" fill="#c20" {}/>"##, r#"fill-opacity=".4""#, "");
    told(
        "the opacity of a line",
        r##"<path d="M0 10H25M0 26H25" stroke="#c20" stroke-width="9" {}/>"##,
        r#"stroke-opacity=".4""#,
        "",
    );
}

#[test]
fn lines() {
    let body = r##"<g fill="none" stroke="#102" stroke-width="5" {}><path d="M4 5H21"/><path d="M4 15H21"/><path d="M4 25H21M4 34H21"/></g>"##;
    told("dashes", body, r#"stroke-dasharray="5 3""#, "");
    told("the phase of dashes", body, r#"stroke-dasharray="5 5" stroke-dashoffset="5""#, r#"stroke-dasharray="5 5""#);
    told("caps", body, r#"stroke-linecap="square""#, "");
    let corners = r##"<path fill="none" stroke="#102" stroke-width="7" d="M2 34L6 14L10 34L15 14L20 34" {}/>"##;
    told("joins", corners, r#"stroke-linejoin="bevel""#, r#"stroke-miterlimit="20""#);
    told("the rule of a fill", r##"<path d="M1 1H24V37H1ZM6 8H19V30H6Z" {}/>"##, r#"fill-rule="evenodd""#, "");
}

#[test]
fn images_of_every_depth() {
    let place = r#"x="1" y="1" width="23" height="34" image-rendering="pixelated" preserveAspectRatio="none""#;
    for (name, depth, colours) in [
        ("grey", 8, 0),
        ("16 bits", 16, 2),
        ("grey of 16 bits", 16, 0),
        ("grey with clear dots", 8, 4),
        ("16 bits with clear dots", 16, 6),
    ] {
        let picture = image("png", &base64(&png_of(depth, colours)), place);
        told(name, &format!("{GROUND}{{}}"), &picture, "");
    }
}

/// A PNG of two by two dots, which are of `depth` bits and of PNG's colour type `kind`.
fn png_of(depth: u8, kind: u8) -> Vec<u8> {
    use ::png::{BitDepth, ColorType, Encoder};
    let colour = ColorType::from_u8(kind).unwrap();
    let channels = colour.samples() as u16;
    let clear = matches!(colour, ColorType::GrayscaleAlpha | ColorType::Rgba);
    let mut levels = Vec::new();
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1_u16)] {
        for channel in 0..channels {
            let opacity = clear && channel + 1 == channels;
            let level = if opacity { 0x9fff + 0x6000 * x } else { 0x1800 + 0x3000 * channel + 0x5000 * (x ^ y) };
            levels.extend(if depth == 16 { level.to_be_bytes().to_vec() } else { vec![(level >> 8) as u8] });
        }
    }
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, 2, 2);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::from_u8(depth).unwrap());
    encoder.write_header().unwrap().write_image_data(&levels).unwrap();
    png
}
