//! Faces as SVG.

use super::*;
use crate::export::{png, svg};

#[test]
fn the_svg_of_a_face_looks_like_the_face() {
    let fonts = fonts();
    let gradient = |from: &str, to: &str, y: f64, style: &str| {
        format!(
            r##"<defs><linearGradient id="g"><stop stop-color="{from}"/><stop offset="1" stop-color="{to}"/></linearGradient></defs>
            {style}<rect x="-2" y="{y}" width="29.4" height="12" fill="url(#g)"/><path class="g" d="M1 {y}h20v1" stroke-width="2"/>"##
        )
    };
    let mut turned = han(&fonts, "竖", 6.0, (0.0, 0.0));
    turned.transform = Affine::translate(15.0, 20.0).then_inner(Affine::QUARTER_TURN);
    turned.fill = Colour { r: 180, g: 0, b: 60, opacity: 0.5 };
    let face = face(vec![
        art(&fonts, &gradient("#fff", "#08f", 2.0, "")),
        Layer::Text(vec![han(&fonts, "文 & <字>", 4.0, (2.0, 18.0)), turned]),
        art(&fonts, &gradient("#0f0", "#030", 20.0, "")),
        art(&fonts, &gradient("#f80", "#030", 25.0, "<style>.g{stroke:url(#g)}</style>")),
    ]);
    let text = svg::face(&face, &fonts);
    assert_eq!(text, svg::face(&face, &fonts));
    assert!(text.contains(r#"aria-label="文 &amp; &lt;字&gt;""#), "{text}");

    let again = usvg::Tree::from_str(&text, &usvg::Options::default()).expect("an SVG");
    let meant = png::face(&face, &fonts, 254.0, png::Area::Bleed).expect("a picture");
    let mut seen = Pixmap::new(meant.width(), meant.height()).unwrap();
    // In its own document a millimetre is 96 / 25.4 units.
    let scale = 25.4 / 96.0 * 10.0;
    let map = resvg::tiny_skia::Transform::from_scale(scale, scale).post_translate(20.0, 20.0);
    resvg::render(&again, map, &mut seen.as_mut());
    let difference = difference(&seen, &meant);
    assert!(difference.clear < 0.001 && difference.mean < 0.1, "{difference:?}");
}

#[test]
fn a_drawing_whose_text_is_broken_is_written_from_its_tree() {
    let fonts = fonts();
    let Layer::Art(good) = art(&fonts, "<rect width='1' height='1'/>") else { panic!("a drawing") };
    let broken = Art::new(good.tree.clone(), "<svg".to_owned());
    let text = svg::face(&face(vec![Layer::Art(Arc::new(broken))]), &fonts);
    let parsed = roxmltree::Document::parse(&text).expect("an SVG");
    assert!(parsed.descendants().any(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "path"))));
}
