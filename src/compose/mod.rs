//! One face: a template and a record become positioned art and glyphs.

pub mod face;
pub mod text;
