//! The last step: bytes from finished faces and sheets. Nothing here touches the disk.
//!
//! All three formats start from the same [`Face`](crate::compose::face::Face): its drawings (usvg trees) and its placed
//! glyphs. [`pdf`] writes both as they are, [`png`] fills them, [`svg`] writes them down for other programs. [`small`] packs what
//! [`png`] filled for pages; [`saver`] makes a face that needs little ink of a face, before any of them.

mod art;
mod outline;
pub mod pdf;
pub mod png;
pub mod saver;
pub mod small;
pub mod svg;
#[cfg(test)]
mod tests;
