//! The feed of changes: server-sent events to every open page.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// How often listeners are tried, so that those who went away are forgotten.
const PULSE: Duration = Duration::from_secs(15);
/// A page that lets so many events lie is asleep; it will ask for everything when it wakes up.
const PATIENCE: usize = 64;

/// Everybody who listens.
#[derive(Default)]
pub struct Feed {
    listeners: Mutex<Vec<Sender<Bytes>>>,
}

/// What one page hears: the body of a reply that never ends.
pub struct Heard {
    events: Receiver<Bytes>,
}

impl Feed {
    /// Takes in a listener; the first thing that it hears is `hello`.
    pub fn admit(&self, hello: &str) -> Heard {
        let (sender, events) = mpsc::channel(PATIENCE);
        // Under the lock, so that no event can fall between the greeting and the list.
        let mut listeners = self.listeners();
        if sender.try_send(Bytes::from(format!("retry: 1000\n\n{}", event(hello)))).is_ok() {
            listeners.push(sender);
        }
        Heard { events }
    }

    /// Tells everybody that something changed; `data` is one line.
    pub fn tell(&self, data: &str) {
        self.send(Bytes::from(event(data)));
    }

    /// Keeps connections alive, and forgets those who went away. Never returns.
    pub fn beat(&self) -> ! {
        loop {
            thread::sleep(PULSE);
            self.send(Bytes::from_static(b":\n\n"));
        }
    }

    fn send(&self, text: Bytes) {
        self.listeners().retain(|listener| listener.try_send(text.clone()).is_ok());
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Sender<Bytes>>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Body for Heard {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.events.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

fn event(data: &str) -> String {
    format!("event: change\ndata: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(listener: &mut Heard) -> String {
        let mut text = String::new();
        while let Ok(event) = listener.events.try_recv() {
            text.push_str(&String::from_utf8_lossy(&event));
        }
        text
    }

    #[test]
    fn everybody_is_told_and_who_went_away_is_forgotten() {
        let feed = Feed::default();
        let (mut one, other) = (feed.admit("1"), feed.admit("1"));
        drop(other);
        feed.tell("2");
        assert_eq!(heard(&mut one), "retry: 1000\n\nevent: change\ndata: 1\n\nevent: change\ndata: 2\n\n");
        assert_eq!(feed.listeners().len(), 1);
    }

    #[test]
    fn who_sleeps_is_let_go() {
        let feed = Feed::default();
        let _asleep = feed.admit("1");
        (0..PATIENCE).for_each(|_| feed.tell("2"));
        assert_eq!(feed.listeners().len(), 0);
    }
}
