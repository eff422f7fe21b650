//! What wakes the thread that composes: files that were saved, and sheets that were asked for.

use std::collections::{BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use crate::commands::watch;
use crate::model::KitSize;
use crate::sheet::Paper;

/// A reason to wake up.
pub enum Wake {
    /// A file of the project changed; its path, or nothing where nobody knows which.
    File(String),
    /// Somebody wants to see sheets.
    Sheets(Wanted),
}

/// Sheets that somebody wants to see.
pub struct Wanted {
    /// The game's id.
    pub game: String,
    /// Which kit.
    pub size: KitSize,
    /// On which paper.
    pub paper: Paper,
    /// Where the JSON goes; dropped when there is none.
    pub reply: Sender<String>,
}

/// What is to be done next.
pub enum Next {
    /// These files changed.
    Change(BTreeSet<String>),
    /// Somebody wants to see sheets.
    Sheets(Wanted),
}

/// Receives it all, and keeps apart what came while something else was looked for.
pub struct Inbox {
    letters: Receiver<Wake>,
    wanted: VecDeque<Wanted>,
}

impl Inbox {
    /// An inbox for `letters`.
    pub const fn new(letters: Receiver<Wake>) -> Self {
        Inbox { letters, wanted: VecDeque::new() }
    }

    /// Waits for something to do. None when nothing can come any more.
    pub fn next(&mut self) -> Option<Next> {
        if let Some(wanted) = self.wanted.pop_front() {
            return Some(Next::Sheets(wanted));
        }
        match self.letters.recv().ok()? {
            Wake::Sheets(wanted) => Some(Next::Sheets(wanted)),
            Wake::File(path) => Some(Next::Change(self.settled(path))),
        }
    }

    /// Waits for files to change, and lets those who want to see sheets go. None when nothing can come any more.
    pub fn wait(&mut self) -> Option<BTreeSet<String>> {
        loop {
            match self.next()? {
                Next::Change(paths) => return Some(paths),
                Next::Sheets(_) => {}
            }
        }
    }

    fn settled(&mut self, first: String) -> BTreeSet<String> {
        watch::settled(first, |patience| self.file(patience))
    }

    /// The next file, if it comes in time.
    fn file(&mut self, patience: Duration) -> Option<String> {
        loop {
            match self.letters.recv_timeout(patience).ok()? {
                Wake::File(path) => return Some(path),
                Wake::Sheets(wanted) => self.wanted.push_back(wanted),
            }
        }
    }
}
