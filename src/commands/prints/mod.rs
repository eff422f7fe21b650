//! What was printed, and what changed since: `printed` records a kit, `reprint` makes only what is needed now, `changes` tells.
//!
//! [`record`] is the file that stays in git; [`state`] composes the same of the data as it is now; [`earlier`] is what that is compared
//! with; [`compare`] does so and knows nothing else.

pub mod changes;
mod compare;
mod earlier;
mod fields;
mod git;
mod html;
mod markdown;
pub mod printed;
pub mod record;
pub mod reprint;
mod state;
mod text;
mod words;
