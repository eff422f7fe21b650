//! Composed faces as bytes, for another run of the same program on the same fonts, icons and pictures. Drawings are kept as the SVG that
//! they were read from, each once, and are read again when they are looked at.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::art::Studio;
use super::face::{Art, Face, FaceHash, GlyphRun, Layer, SetText};
use super::memory::{Kept, Memory};
use crate::fonts::Fonts;
use crate::geometry::Size;
use crate::units::Length;

/// Faces by their recipes.
pub type Faces = Memory<Arc<Face>>;

#[derive(Serialize, Deserialize)]
struct Stored<'f> {
    /// SVG and hash of each drawing.
    drawings: Vec<(Cow<'f, str>, [u8; 32])>,
    faces: Kept<StoredFace<'f>>,
}

#[derive(Clone, Serialize, Deserialize)]
struct StoredFace<'f> {
    trim: Size,
    bleed: Length,
    layers: Vec<StoredLayer<'f>>,
    texts: Cow<'f, [SetText]>,
    hash: FaceHash,
}

#[derive(Clone, Serialize, Deserialize)]
enum StoredLayer<'f> {
    /// A drawing, by its number.
    Art(usize),
    Text(Cow<'f, [GlyphRun]>),
}

/// All that `faces` holds, as bytes. None where these are more than `most`.
pub fn pack(faces: &Faces, most: usize) -> Option<Vec<u8>> {
    let kept = faces.kept();
    let mut numbers: HashMap<[u8; 32], usize> = HashMap::new();
    let mut drawings = Vec::new();
    let mut number = |art: &Arc<Art>| {
        *numbers.entry(art.hash).or_insert_with(|| {
            drawings.push(Arc::clone(art));
            drawings.len() - 1
        })
    };
    let results = kept.results.iter().map(|(recipe, (used, face))| (*recipe, (*used, stored(face, &mut number))));
    let faces = Kept { turn: kept.turn, results: results.collect() };
    let size: usize = drawings.iter().map(|art| art.svg.len()).sum();
    let drawings = drawings.iter().map(|art| (Cow::from(art.svg.as_str()), art.hash)).collect();
    let bytes = (size <= most).then(|| postcard::to_allocvec(&Stored { drawings, faces }).ok())??;
    (bytes.len() <= most).then_some(bytes)
}

fn stored<'f>(face: &'f Face, number: &mut impl FnMut(&Arc<Art>) -> usize) -> StoredFace<'f> {
    let layers = face.layers.iter().map(|layer| match layer {
        Layer::Art(art) => StoredLayer::Art(number(art)),
        Layer::Text(runs) => StoredLayer::Text(Cow::from(runs)),
    });
    let Face { trim, bleed, texts, hash, .. } = face;
    StoredFace { trim: *trim, bleed: *bleed, layers: layers.collect(), texts: Cow::from(texts), hash: *hash }
}

/// What [`pack`] made bytes of, with drawings that `studio` reads. None where it is something else.
pub fn unpack(bytes: &[u8], studio: &Studio, fonts: &Fonts) -> Option<Faces> {
    let Stored { drawings, faces } = postcard::from_bytes(bytes).ok()?;
    let drawings: Vec<Arc<Art>> =
        drawings.into_iter().map(|(svg, hash)| studio.remembered(svg.into_owned(), hash)).collect();
    let mut results = BTreeMap::new();
    for (recipe, (used, face)) in faces.results {
        results.insert(recipe, (used, Arc::new(restored(face, &drawings, fonts)?)));
    }
    Some(Faces::from(Kept { turn: faces.turn, results }))
}

fn restored(face: StoredFace<'_>, drawings: &[Arc<Art>], fonts: &Fonts) -> Option<Face> {
    let StoredFace { trim, bleed, layers, texts, hash } = face;
    let layers: Option<Vec<Layer>> = layers.into_iter().map(|layer| restored_layer(layer, drawings, fonts)).collect();
    Some(Face { trim, bleed, layers: layers?, texts: texts.into_owned(), hash })
}

fn restored_layer(layer: StoredLayer<'_>, drawings: &[Arc<Art>], fonts: &Fonts) -> Option<Layer> {
    match layer {
        StoredLayer::Art(number) => Some(Layer::Art(Arc::clone(drawings.get(number)?))),
        StoredLayer::Text(runs) => {
            let known = runs.iter().all(|run| fonts.holds(run.font));
            known.then(|| Layer::Text(runs.into_owned()))
        }
    }
}
