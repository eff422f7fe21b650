//! The page of `paiban serve`: routes and bytes over HTTP on loopback, and a feed of what changed. Knows nothing of how faces are made.
//!
//! [`Server`] answers what [`guard`] lets through; what it shows comes from a [`Show`], in the shapes of [`shown`]; [`Feed`] tells
//! open pages that something changed.

mod feed;
mod guard;
mod routes;
mod server;
pub mod shown;

use std::sync::Arc;

pub use feed::Feed;
pub use server::Server;

/// What the page asks for. Keys are those that were handed out before; nothing here is a path.
pub trait Show: Send + Sync {
    /// The project: [`shown::Index`] as JSON.
    fn index(&self) -> String;
    /// The game with this key: [`shown::Game`] as JSON. None when there is no such game.
    fn game(&self, key: &str) -> Option<String>;
    /// The sheets of a kit for `players` (a number or `full`) on `paper`: [`shown::Sheets`] as JSON. None when there is no such kit.
    fn sheets(&self, key: &str, players: &str, paper: &str) -> Option<String>;
    /// The face with this key as an SVG document, bleed and all. What a key stands for never changes.
    fn face(&self, key: &str) -> Option<Arc<[u8]>>;
    /// The files of the project are at this many changes since the start.
    fn generation(&self) -> u64;
}
