//! How long it takes. Run with `cargo test --release -- --ignored speed --nocapture`.

use std::time::Instant;

use super::*;

/// `count` cards with a frame that all share, an own drawing and sixty characters each.
fn deck(fonts: &Fonts, count: u32) -> Vec<Arc<Face>> {
    let frame = r##"<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#fff"/><stop offset="1" stop-color="#bcd"/></linearGradient></defs>
        <rect x="-2" y="-2" width="29.4" height="42.1" fill="#357"/><rect x="1" y="1" width="23.4" height="36.1" rx="2" fill="url(#g)"/>"##;
    let frame = art(fonts, frame);
    let known = fonts.face(fonts.select(BUILT_IN_FAMILY, 400, false).expect("a font"));
    let known = ttf_parser::Face::parse(known.bytes(), known.index).expect("a face");
    let characters: Vec<char> =
        ('\u{4E00}'..'\u{9FA0}').filter(|c| known.glyph_index(*c).is_some()).take(3000).collect();
    let card = |number: u32| {
        let own = format!(
            r##"<circle cx="12" cy="{}" r="4" fill="#c33"/><path d="M8 20L12 {}L16 20Z" fill="#036" stroke="#fff" stroke-width=".3"/>"##,
            5.0 + f64::from(number % 97) / 100.0,
            10.0 + f64::from(number % 89) / 100.0,
        );
        let line = |row: u32| {
            let text: String =
                (0..10).map(|at| characters[(number * 7 + row * 131 + at * 17) as usize % characters.len()]).collect();
            han(fonts, &text, 2.1, (2.0, f64::from(row) * 2.6 + 22.0))
        };
        face(vec![frame.clone(), art(fonts, &own), Layer::Text((0..6).map(line).collect())])
    };
    (0..count).map(card).collect()
}

fn sheets(faces: &[Arc<Face>]) -> Vec<Sheet> {
    let place = |(slot, face): (usize, &Arc<Face>)| placement(face, (slot % 5) as f64 * 25.4, (slot / 5) as f64 * 38.1);
    faces.chunks(10).map(|faces| sheet(faces.iter().enumerate().map(place).collect())).collect()
}

#[test]
#[ignore = "takes its time"]
fn speed_of_decks() {
    let fonts = fonts();
    for count in [80, 1000, 9000] {
        let sheets = sheets(&deck(&fonts, count));
        let start = Instant::now();
        let written = written(&sheets, Sides::LongEdge, &fonts);
        eprintln!("{count} cards: {:?}, {} bytes", start.elapsed(), written.bytes.len());
        if let Ok(folder) = std::env::var("PAIBAN_TEST_OUT") {
            std::fs::write(format!("{folder}/deck-{count}.pdf"), &written.bytes).unwrap();
        }
    }
}
