//! The command line: parses what was typed, runs it, and turns the outcome into an exit code.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;
use paiban::cli::Cli;
use paiban::commands::{self, Outcome};

/// Faces are made of many small parts: a quarter of all work was getting and giving back their memory with the system's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Help and version are no trouble; clap sends them to stdout and the rest to stderr.
            let trouble = message.use_stderr();
            let _ = message.print();
            return if trouble { Outcome::Trouble.into() } else { Outcome::Clean.into() };
        }
    };
    match commands::run(&cli) {
        Ok(outcome) => outcome.into(),
        Err(trouble) => {
            // Nobody can be told when stderr cannot be written either, as on a full disk; the exit code still says it.
            let _ = writeln!(io::stderr(), "paiban: {trouble:#}");
            Outcome::Trouble.into()
        }
    }
}
