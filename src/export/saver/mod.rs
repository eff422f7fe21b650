//! Faces for little ink. The rule, in the order in which a face is painted:
//!
//! 1. What covers much (a background, a banner, a board's field, a thick frame) becomes a light tint of its colour, with a thin
//!    line around it in that colour.
//! 2. Everything else stays as it is, unless that took away what it stood out from: then it becomes as dark as it must be, or
//!    gets a line around it where it is light and broad.
//!    White writing on a blue banner becomes dark writing on a pale one; white on a small blue disc stays.
//!
//! A face goes in and a face comes out, so every export shows the same.

mod colour;
mod drawing;
mod plate;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::{art, outline};
use crate::compose::face::{Face, FaceHash, GlyphRun, Layer};
use crate::fonts::Fonts;
use crate::sheet::Sheet;
use colour::{Colour, TEXT_CONTRAST};
use plate::{Plate, Spot};

/// Puts faces for little ink in the place of all faces on `sheets`; a face that stands on several is made once.
pub fn sheets(sheets: &mut [Sheet], fonts: &Fonts) {
    let placements = || sheets.iter().flat_map(|sheet| &sheet.placements);
    let faces: BTreeMap<FaceHash, Arc<Face>> =
        placements().map(|placement| (placement.face.hash, Arc::clone(&placement.face))).collect();
    let saved: BTreeMap<FaceHash, Arc<Face>> =
        faces.into_par_iter().map(|(hash, known)| (hash, Arc::new(face(&known, fonts)))).collect();
    for placement in sheets.iter_mut().flat_map(|sheet| &mut sheet.placements) {
        if let Some(saved) = saved.get(&placement.face.hash) {
            placement.face = Arc::clone(saved);
        }
    }
}

/// The face for little ink.
pub fn face(face: &Face, fonts: &Fonts) -> Face {
    let mut plate = Plate::new(art::bounds(face));
    let layer = |layer: &Layer| match layer {
        Layer::Art(known) => Layer::Art(drawing::saved(known, art::placement(face, known), &mut plate)),
        Layer::Text(runs) => Layer::Text(runs.iter().map(|known| run(known, fonts, &mut plate)).collect()),
    };
    let layers = face.layers.iter().map(layer).collect();
    Face { trim: face.trim, bleed: face.bleed, layers, texts: face.texts.clone(), hash: FaceHash(hash(face)) }
}

/// Another hash than that of the face with all its ink.
fn hash(face: &Face) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"saver").update(&face.hash.0);
    let mut hash = [0; 16];
    hasher.finalize_xof().fill(&mut hash);
    hash
}

/// A run that can be read where it now stands.
fn run(run: &GlyphRun, fonts: &Fonts, plate: &mut Plate) -> GlyphRun {
    let colour = Colour([run.fill.r, run.fill.g, run.fill.b].map(f64::from));
    let spot = outline::run(fonts, run)
        .and_then(|path| Spot::filled(plate, &path, resvg::tiny_skia::FillRule::Winding, run.transform));
    let Some(spot) = spot else { return run.clone() };
    let under = plate.under(&spot);
    let saved = colour.standing_out(under, TEXT_CONTRAST);
    plate.paint(&spot, colour, saved, f64::from(run.fill.opacity));
    let [r, g, b] = saved.bytes();
    GlyphRun { fill: crate::compose::face::Colour { r, g, b, ..run.fill }, ..run.clone() }
}
