//! The server: answers on loopback only.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;

use super::feed::Heard;
use super::guard::{self, Asker};
use super::routes::{self, Reply};
use super::{Feed, Show};

/// How long the server waits when the system has no room for another connection.
const BREATH: Duration = Duration::from_millis(50);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    port: u16,
}

/// What every connection needs.
#[derive(Clone)]
struct Desk {
    show: Arc<dyn Show>,
    feed: Arc<Feed>,
    port: u16,
}

impl Server {
    /// Listens on `port` of 127.0.0.1; on a free one for 0.
    ///
    /// # Errors
    /// When the port is in use, or the system refuses.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers as long as the program runs.
    ///
    /// # Errors
    /// When the system has no means for that.
    pub fn run(self, show: Arc<dyn Show>, feed: Arc<Feed>) -> io::Result<Infallible> {
        let desk = Desk { show, feed, port: self.port };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            loop {
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(BREATH).await;
                    continue;
                };
                // Without it small replies may wait for nothing; nothing else depends on it.
                let _ = stream.set_nodelay(true);
                let desk = desk.clone();
                let service = service_fn(move |request| answer(request, desk.clone()));
                // A connection that breaks off is the other side's business.
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        })
    }
}

type Body = Either<Full<Bytes>, Heard>;

async fn answer(request: Request<Incoming>, desk: Desk) -> Result<Response<Body>, Infallible> {
    let value = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let asker = Asker { host: value("host"), origin: value("origin"), site: value("sec-fetch-site") };
    let reply = if let Some(why) = guard::refusal(asker, desk.port) {
        routes::refusal(403, why)
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        routes::refusal(405, "this can only be looked at")
    } else if request.uri().path() == routes::FEED {
        let hello = format!("{{\"generation\":{},\"games\":null}}", desk.show.generation());
        let heard = Either::Right(desk.feed.admit(&hello));
        return Ok(response(200, routes::headers(routes::EVENTS, false), heard));
    } else {
        let path = request.uri().path().to_owned();
        // Sheets take a while; meanwhile others are answered.
        let made = tokio::task::spawn_blocking(move || routes::reply(&path, &*desk.show)).await;
        made.unwrap_or_else(|_| routes::refusal(500, "the program broke down over this; the terminal says where"))
    };
    let Reply { status, media, lasting, body } = reply;
    Ok(response(status, routes::headers(media, lasting), Either::Left(Full::new(body))))
}

fn response(status: u16, headers: [(&'static str, &'static str); 7], body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in headers {
        response.headers_mut().insert(name, hyper::header::HeaderValue::from_static(value));
    }
    response
}
