//! One face: a template and a record become positioned art and glyphs.
//!
//! [`template`] compiles SVG files; [`instance`] fills one in for a piece; [`paint`] takes the instance apart into drawings
//! ([`art`]) and set text ([`set`], [`text`]); the result is a [`face::Face`]. [`Composer`] runs these steps and makes each
//! face once.

pub mod art;
pub mod attributes;
pub mod clones;
mod composer;
pub mod css;
mod definitions;
pub mod dom;
pub mod face;
mod filters;
pub mod frame;
mod hash;
pub mod instance;
mod judge;
mod links;
mod memory;
mod names;
pub mod outline;
mod page;
pub mod paint;
mod pending;
mod pictures;
pub mod set;
pub mod size;
pub mod stitch;
pub mod store;
pub mod style;
pub mod template;
pub mod text;
mod weight;

pub use composer::Composer;
pub use memory::{Kept, Memory};
pub use page::{KitRow, PageContext, Step};
