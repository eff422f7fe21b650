//! `paiban serve`: a page on loopback that shows every face and sheet of the project and follows what is saved.
//!
//! [`live`] reads and composes anew on a thread of its own whenever a file changes, and `checker` checks on another; what they made stands
//! on the [`stage`], where the server takes it from. `draft` says what is shown of a game, `notes` where findings belong.

mod checker;
mod draft;
mod inbox;
mod live;
mod notes;
mod stage;

use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use super::session::{Resources, Session};
use super::watch::Watch;
use super::{Outcome, output};
use crate::cli::Serve;
use crate::preview::{Feed, Server, Show};
use checker::Checker;
use inbox::{Inbox, Wake};
use live::Live;
use stage::Stage;

/// The port where none is asked for.
const PORT: u16 = 4108;

/// Runs the command.
pub fn run(arguments: &Serve, project: Option<&Path>) -> Result<Outcome> {
    let resources = Resources::open(project)?;
    Session::read(resources.clone())?.choose(&arguments.games)?;
    let root = resources.disk.root().to_path_buf();
    let (post, letters) = mpsc::channel();
    let files = post.clone();
    // Nobody listens any more only when the program ends.
    let watch = Watch::start(&root, &root.join("out"), move |path| drop(files.send(Wake::File(path))))?;
    let server = bind(arguments.port)?;
    output::end_on_interrupt()?;

    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let feed = Arc::new(Feed::default());
    let stage = Arc::new(Stage::new(name, post, Arc::clone(&feed)));
    let checker = Checker::default();
    let pool = rayon::ThreadPoolBuilder::new().build().context("no threads to check with")?;
    let live = Live::new((&stage, &checker), Inbox::new(letters), watch, arguments.games.clone(), resources);
    output::print(&format!("{}\n", server.address()))?;
    output::note("Ctrl-C ends");
    thread::scope(|scope| {
        scope.spawn(|| feed.beat());
        scope.spawn(|| live.run());
        scope.spawn(|| checker.run(&stage, &pool));
        let ended = server.run(Arc::clone(&stage) as Arc<dyn Show>, Arc::clone(&feed));
        // The other threads would never end by themselves.
        let why = ended.map_or_else(|error| error.to_string(), |never| match never {});
        eprintln!("paiban: the server cannot run: {why}");
        std::process::exit(2)
    })
}

/// A server on `port`; without one on the usual port, or a free one where that is in use.
fn bind(port: Option<u16>) -> Result<Server> {
    let in_use = |error: &io::Error| error.kind() == io::ErrorKind::AddrInUse;
    match (port, Server::bind(port.unwrap_or(PORT))) {
        (_, Ok(server)) => Ok(server),
        (Some(port), Err(error)) if in_use(&error) => {
            bail!("port {port} is in use; choose another one, or leave `--port` out for one that is free")
        }
        (None, Err(error)) if in_use(&error) => {
            eprintln!("paiban: port {PORT} is in use, so another one is taken");
            Server::bind(0).context("no port is free")
        }
        (_, Err(error)) => Err(anyhow!(error).context("the server cannot listen on 127.0.0.1")),
    }
}
