//! File texts and places in them. Every value that came from a file knows its [`Span`], so that a finding can point at it.

pub mod careful;
pub mod disk;
pub mod grid;
pub mod notes;
pub mod tree;
pub mod xml;

use std::ops::Range;
use std::sync::{Arc, RwLock};

/// A file of the project, by its number in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);

/// A stretch of a file: byte offsets `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch `range` of `file`.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The stretch as byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// Path relative to the project, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(path: String, text: String) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts =
            std::iter::once(0).chain(breaks.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX))).collect();
        SourceFile { path, text, line_starts }
    }

    /// Line and column of a byte offset, both counted from 1; columns count characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }
}

/// All files read so far. Cheap to share; grows only.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Arc<RwLock<Vec<Arc<SourceFile>>>>,
}

impl Sources {
    /// Adds a file and returns its number.
    pub fn add(&self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let mut files = self.files.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let id = FileId(u32::try_from(files.len()).unwrap_or(u32::MAX));
        files.push(Arc::new(SourceFile::new(path.into(), text.into())));
        id
    }

    /// The paths of all files.
    pub fn paths(&self) -> std::collections::BTreeSet<String> {
        let files = self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        files.iter().map(|file| file.path.clone()).collect()
    }

    /// The file with this number. Numbers come from [`Sources::add`] only, so the file is there.
    pub fn get(&self, id: FileId) -> Arc<SourceFile> {
        let files = self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(&files[id.0 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let sources = Sources::default();
        let file = sources.get(sources.add("a.toml", "一二\r\nab\n"));
        assert_eq!(file.position(0), (1, 1));
        assert_eq!(file.position(3), (1, 2));
        assert_eq!(file.position(8), (2, 1));
        assert_eq!(file.position(9), (2, 2));
        assert_eq!(file.position(999), (3, 1));
    }
}
