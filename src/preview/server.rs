//! The server: a few threads that answer, on loopback only.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use tiny_http::{Header, Method, Request, Response, StatusCode};

use super::guard::{self, Asker};
use super::routes::{self, Reply};
use super::{Feed, Show};

/// How many requests are answered at once: as many as a browser makes, and some for sheets that take a while.
const THREADS: usize = 8;

/// A server that listens.
pub struct Server {
    http: tiny_http::Server,
    port: u16,
}

impl Server {
    /// Listens on `port` of 127.0.0.1; on a free one for 0.
    ///
    /// # Errors
    /// When the port is in use, or the system refuses.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let http = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        Ok(Server { http, port })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the system refuses to listen any longer.
    pub fn run(&self, show: &dyn Show, feed: &Feed) {
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    while let Ok(request) = self.http.recv() {
                        self.answer(request, show, feed);
                    }
                });
            }
        });
    }

    fn answer(&self, request: Request, show: &dyn Show, feed: &Feed) {
        let value = |name: &'static str| {
            let found = request.headers().iter().find(|header| header.field.equiv(name));
            found.map(|header| header.value.as_str())
        };
        let asker = Asker { host: value("Host"), origin: value("Origin"), site: value("Sec-Fetch-Site") };
        let reply = if let Some(why) = guard::refusal(asker, self.port) {
            routes::refusal(403, why)
        } else if !matches!(request.method(), Method::Get | Method::Head) {
            routes::refusal(405, "this can only be looked at")
        } else if request.url() == routes::FEED {
            return admit(request, show, feed);
        } else {
            routes::reply(request.url(), show)
        };
        // Whoever asked may have gone away; then there is nobody to tell.
        let _ = request.respond(response(&reply));
    }
}

fn response(reply: &Reply) -> Response<&[u8]> {
    let body = reply.body.text().as_bytes();
    let headers = routes::headers(reply.media, reply.lasting).into_iter().filter_map(|(name, value)| {
        Header::from_bytes(name, value).ok() // they are all plain ASCII
    });
    // A length instead of chunks, whatever the size.
    Response::new(StatusCode(reply.status), headers.collect(), body, Some(body.len()), None)
        .with_chunked_threshold(usize::MAX)
}

/// Leaves the connection open for events.
fn admit(request: Request, show: &dyn Show, feed: &Feed) {
    let mut head = "HTTP/1.1 200 OK\r\nConnection: close\r\n".to_owned();
    for (name, value) in routes::headers("text/event-stream", false) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\nretry: 1000\n\n");
    feed.admit(request.into_writer(), &head, &format!("{{\"generation\":{},\"games\":null}}", show.generation()));
}
