//! Flaws that were found before, on faces that are still the same.

use super::Printed;
use super::flaw::Flaw;
use crate::compose::Memory;
use crate::compose::face::SetText;

/// The flaws of faces, by everything that they hang on.
pub type Known = Memory<Vec<Flaw>>;

/// The hash of what the flaws of a face hang on: all that shows on it, how its texts were fitted, and what its component wants.
pub fn key(printed: &Printed<'_>) -> [u8; 32] {
    let Printed { component, face, .. } = printed;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&face.hash.0);
    for SetText { id: _, scale, is_misplaced, layer, runs } in &face.texts {
        hasher.update(&scale.to_bits().to_le_bytes()).update(&[u8::from(*is_misplaced)]);
        for number in [*layer, runs.start, runs.end] {
            hasher.update(&(number as u64).to_le_bytes());
        }
    }
    hasher.update(format!("{} {:?} {:?}", component.safe, component.outline, component.limits).as_bytes());
    *hasher.finalize().as_bytes()
}
