//! Parts that drawings have in common, such as icons.

use super::read::Read;
use super::*;

/// An icon of forty points, as a group that lies somewhere else on every face.
fn icon(x: f64, scale: f64) -> String {
    let points: Vec<String> = (0..40).map(|at| format!("{} {}", at % 7, (at * 3) % 11)).collect();
    format!(
        r##"<g transform="translate({x} 4) scale({scale})"><path d="M{}Z" fill="#a33" stroke="#123" stroke-width=".4"/></g>"##,
        points.join("L")
    )
}

/// A face with these parts and a mark of its own.
fn own(fonts: &Fonts, number: usize, parts: &str) -> Arc<Face> {
    face(vec![art(fonts, &format!(r##"{parts}<circle cx="{}" cy="30" r="2" fill="#36a"/>"##, number + 2))])
}

fn on_a_sheet(faces: &[Arc<Face>]) -> Sheet {
    sheet(faces.iter().enumerate().map(|(slot, face)| placement(face, slot as f64 * 26.0, 5.0)).collect())
}

#[test]
fn an_icon_on_several_faces_is_one_form() {
    let fonts = fonts();
    let faces: Vec<_> = (0..3).map(|number| own(&fonts, number, &icon(number as f64, 1.0))).collect();
    let read = Read::new(&written(&[on_a_sheet(&faces)], Sides::Fronts, &fonts).bytes);
    assert_eq!(read.forms(), 1);
    assert_eq!(String::from_utf8_lossy(&read.content(0)).matches(" Do").count(), 3);
}

#[test]
fn what_is_drawn_once_or_in_another_size_or_colour_is_no_form() {
    let fonts = fonts();
    let others =
        [icon(0.0, 1.0), icon(0.0, 0.5), icon(0.0, 1.0).replace("#a33", "#a34"), icon(0.0, 1.0).replace(".4", ".5")];
    let faces: Vec<_> = others.iter().enumerate().map(|(number, icon)| own(&fonts, number, icon)).collect();
    let read = Read::new(&written(&[on_a_sheet(&faces)], Sides::Fronts, &fonts).bytes);
    assert_eq!(read.forms(), 0);
}

#[test]
fn a_form_looks_like_what_it_stands_for() {
    let fonts = fonts();
    let turned = |x: f64| format!(r#"<g transform="translate(2 1) rotate(20)">{}</g>"#, icon(x, 0.7));
    let faces: Vec<_> = (0..3).map(|number| own(&fonts, number, &turned(number as f64 * 2.0))).collect();
    let together = written(&[on_a_sheet(&faces)], Sides::Fronts, &fonts).bytes;
    assert_eq!(Read::new(&together).forms(), 1);
    let together = drawn(&together, 0, 144.0);
    for (slot, one) in faces.iter().enumerate() {
        let alone = sheet(vec![placement(one, slot as f64 * 26.0, 5.0)]);
        let alone = drawn(&written(&[alone], Sides::Fronts, &fonts).bytes, 0, 144.0);
        let (left, right) = (slot * 144, (slot * 26 + 25) * 144 * 10 / 254);
        let differing = (left..right).flat_map(|x| (30..250).map(move |y| (x, y))).filter(|(x, y)| {
            let (a, b) = (together.pixel(*x as u32, *y as u32), alone.pixel(*x as u32, *y as u32));
            a.zip(b).is_some_and(|(a, b)| a.red().abs_diff(b.red()) > 24)
        });
        assert_eq!(differing.count(), 0, "card {slot}");
    }
}
