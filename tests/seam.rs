//! The two halves of a partner join at the seam: laid side by side they are one picture, without a step.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::path::Path;

use common::{repository, run_in};
use tiny_skia::{IntRect, Pixmap, PixmapPaint, Transform};

/// Five dots a millimetre, so that trim and bleed are whole dots.
const DPI: &str = "127";
const DOTS_PER_MM: u32 = 5;
const BLEED: u32 = 2 * DOTS_PER_MM;
const TRIM: (u32, u32) = (63 * DOTS_PER_MM, 88 * DOTS_PER_MM);

/// A part of a picture.
fn part(picture: &Pixmap, x: u32, y: u32, w: u32, h: u32) -> Pixmap {
    let signed = |n: u32| i32::try_from(n).expect("a small number");
    picture.clone_rect(IntRect::from_xywh(signed(x), signed(y), w, h).expect("a part")).expect("inside the picture")
}

/// The share of dots that differ by more than a shade.
fn differing(a: &Pixmap, b: &Pixmap) -> f64 {
    let differs = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 24);
    let count = a.data().chunks(4).zip(b.data().chunks(4)).filter(|pair| differs(*pair)).count();
    count as f64 / f64::from(a.width() * a.height())
}

/// How much the overlap of the halves differs: what the left one shows beyond the seam, and what the right one shows before it.
fn step(left: &Pixmap, right: &Pixmap) -> f64 {
    let seam_left = BLEED + TRIM.0;
    let beyond = differing(&part(left, seam_left, BLEED, BLEED, TRIM.1), &part(right, BLEED, BLEED, BLEED, TRIM.1));
    let before = differing(&part(left, seam_left - BLEED, BLEED, BLEED, TRIM.1), &part(right, 0, BLEED, BLEED, TRIM.1));
    beyond.max(before)
}

/// Both halves side by side, as they lie on the table.
fn joined(left: &Pixmap, right: &Pixmap) -> Pixmap {
    let mut picture = Pixmap::new(2 * TRIM.0, TRIM.1).expect("a picture");
    for (x, half) in [(0, left), (TRIM.0, right)] {
        let trimmed = part(half, BLEED, BLEED, TRIM.0, TRIM.1);
        let x = i32::try_from(x).expect("a small number");
        picture.draw_pixmap(x, 0, trimmed.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    picture
}

#[test]
fn every_left_half_goes_on_in_its_right_half() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let arguments = ["export", "yomi-twins", "--component", "half", "--dpi", DPI, "--bleed", "--out", out];
    run_in(repository(), &arguments, &[]).ended(0);
    let faces = folder.path().join("yomi-twins/faces");
    let load = |path: &Path| Pixmap::load_png(path).expect("a picture");
    let mut partners = 0;
    let mut stranger: Option<Pixmap> = None;
    let mut names: Vec<_> = fs::read_dir(&faces)
        .expect("faces")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter(|name| name.ends_with("-1-left.png"))
        .collect();
    names.sort();
    for name in names {
        let left = load(&faces.join(&name));
        let right = load(&faces.join(name.replace("-left", "-right")));
        assert_eq!(left.width(), TRIM.0 + 2 * BLEED, "{name} has another size");
        let step = step(&left, &right);
        assert!(step < 0.01, "{name}: {:.1} % of the seam does not go on in the other half", step * 100.0);
        partners += 1;
        if let Some(keep) = std::env::var_os("PAIBAN_TEST_OUT") {
            joined(&left, &right).save_png(Path::new(&keep).join(&name)).expect("a kept picture");
        }
        // The measure must tell a stranger's half from the own one.
        if let Some(stranger) = &stranger {
            assert!(self::step(&left, stranger) > 0.01, "{name} joins the half of another partner");
        }
        stranger = Some(right);
    }
    assert_eq!(partners, 10);
}
