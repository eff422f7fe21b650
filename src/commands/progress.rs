//! How far a run is: shown on the terminal when it takes longer than a second and somebody watches.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a run is silent before it shows how far it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often what is shown moves, so that one sees that something goes on.
const TICK: Duration = Duration::from_millis(120);

/// What a run is at, and how much of it is done.
pub struct Progress {
    began: Instant,
    bar: Mutex<Option<ProgressBar>>,
}

impl Default for Progress {
    fn default() -> Self {
        Progress { began: Instant::now(), bar: Mutex::new(None) }
    }
}

impl Progress {
    /// From here on the run is at `what`, which takes so many steps, until what is returned is dropped. Nothing else may be written to the
    /// terminal meanwhile.
    pub fn begin(&self, what: &'static str, steps: u64) -> Stretch<'_> {
        if !io::stderr().is_terminal() {
            return Stretch { progress: self, end: None };
        }
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden()).with_message(what);
        let style = ProgressStyle::with_template("{spinner} {msg} {wide_bar} {human_pos}/{human_len}, {eta} left");
        style.into_iter().for_each(|style| bar.set_style(style));
        *self.bar() = Some(bar.clone());
        let (end, ended) = mpsc::channel::<()>();
        let patience = PATIENCE.saturating_sub(self.began.elapsed());
        let shown = thread::spawn(move || {
            if ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
        });
        Stretch { progress: self, end: Some((end, shown)) }
    }

    /// So many steps more are done.
    pub fn step(&self, steps: u64) {
        self.bar().iter().for_each(|bar| bar.inc(steps));
    }

    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stretch of a run; what is shown of it goes when it ends.
pub struct Stretch<'p> {
    progress: &'p Progress,
    end: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Drop for Stretch<'_> {
    fn drop(&mut self) {
        let bar = self.progress.bar().take();
        if let Some((end, shown)) = self.end.take() {
            drop(end);
            // It cannot have panicked; and if so there is nothing to show.
            let _ = shown.join();
        }
        bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}
