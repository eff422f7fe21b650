//! paiban typesets tabletop games: TOML data and SVG templates in, print-ready cards and boards out.
//!
//! The way of a datum: [`model::load`] reads the files of a project; [`compose`] makes a face of a template and a record;
//! [`sheet`] lays faces on paper; [`export`] turns sheets into bytes. [`verify`] judges what the first steps made.
//! [`commands`] runs the steps and is the only one that writes.

pub mod cli;
pub mod commands;
pub mod compose;
pub mod diagnostics;
pub mod export;
pub mod expr;
pub mod fonts;
pub mod geometry;
pub mod icons;
pub mod model;
pub mod preview;
pub mod script;
pub mod sheet;
pub mod simulate;
pub mod source;
pub mod units;
pub mod verify;
