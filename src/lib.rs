//! paiban typesets tabletop games.

pub mod compose;
pub mod diagnostics;
pub mod export;
pub mod expr;
pub mod fonts;
pub mod geometry;
pub mod icons;
pub mod model;
pub mod sheet;
pub mod source;
pub mod units;
pub mod verify;
