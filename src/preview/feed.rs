//! The feed of changes: server-sent events to every open page.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often listeners are tried, so that those who went away are forgotten.
const PULSE: Duration = Duration::from_secs(15);
/// The most pages that listen at once; the oldest goes when one more comes.
const MOST: usize = 64;

type Listener = Box<dyn Write + Send>;

/// Everybody who listens.
#[derive(Default)]
pub struct Feed {
    listeners: Mutex<Vec<Listener>>,
}

impl Feed {
    /// Takes in a listener, to whom nothing was said yet, and tells it `hello`.
    pub fn admit(&self, mut listener: Listener, head: &str, hello: &str) {
        // Under the lock, so that no event can fall between the greeting and the list.
        let mut listeners = self.listeners();
        let greeting = format!("{head}{}", event(hello));
        if say(&mut listener, &greeting).is_ok() {
            if listeners.len() >= MOST {
                listeners.remove(0);
            }
            listeners.push(listener);
        }
    }

    /// Tells everybody that something changed; `data` is one line.
    pub fn tell(&self, data: &str) {
        self.send(&event(data));
    }

    /// Keeps connections alive, and forgets those who went away. Never returns.
    pub fn beat(&self) -> ! {
        loop {
            thread::sleep(PULSE);
            self.send(":\n\n");
        }
    }

    fn send(&self, text: &str) {
        self.listeners().retain_mut(|listener| say(listener, text).is_ok());
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Listener>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn event(data: &str) -> String {
    format!("event: change\ndata: {data}\n\n")
}

fn say(listener: &mut Listener, text: &str) -> io::Result<()> {
    listener.write_all(text.as_bytes())?;
    listener.flush()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A listener that hears `left` times and then goes away.
    struct Ear {
        heard: Arc<Mutex<String>>,
        left: usize,
    }

    impl Write for Ear {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(bytes));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn everybody_is_told_and_who_went_away_is_forgotten() {
        let feed = Feed::default();
        let heard: [Arc<Mutex<String>>; 2] = Default::default();
        for (heard, left) in heard.iter().zip([1, 9]) {
            feed.admit(Box::new(Ear { heard: Arc::clone(heard), left }), "head\n\n", "1");
        }
        feed.tell("2");
        let texts = heard.map(|heard| heard.lock().unwrap_or_else(PoisonError::into_inner).clone());
        assert_eq!(texts[0], "head\n\nevent: change\ndata: 1\n\n");
        assert_eq!(texts[1], "head\n\nevent: change\ndata: 1\n\nevent: change\ndata: 2\n\n");
        assert_eq!(feed.listeners().len(), 1);
    }
}
