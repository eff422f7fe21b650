//! The commands: the order of the steps, and everything that touches the disk or the terminal.

mod build;
mod cache;
mod calibrate;
mod doctor;
mod edges;
mod export;
mod kit;
mod list;
mod manifest;
mod new;
mod output;
mod places;
mod plan;
mod press;
mod printers;
mod prints;
mod progress;
mod proof;
mod schema;
mod serve;
mod session;
mod shell;
mod shop;
mod simulate;
mod sources;
mod verify;
mod watch;

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::{Cli, Command};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// The data has faults.
    Findings,
    /// Usage, disk or the program itself.
    Trouble,
}

impl Outcome {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Clean => "clean",
            Outcome::Findings => "findings",
            Outcome::Trouble => "trouble",
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Clean => 0,
            Outcome::Findings => 1,
            Outcome::Trouble => 2,
        })
    }
}

/// Runs what was typed.
///
/// # Errors
/// Trouble: something that is not the data's fault.
pub fn run(cli: &Cli) -> Result<Outcome> {
    let project = cli.project.as_deref();
    match &cli.command {
        Command::New(new) => new::run(new, project),
        Command::Build(build) => build::run(build, project),
        Command::Verify(verify) => verify::run(verify, project),
        Command::List(list) => list::run(list, project),
        Command::Export(export) => export::run(export, project),
        Command::Printed(printed) => prints::printed::run(printed, project),
        Command::Reprint(reprint) => prints::reprint::run(reprint, project),
        Command::Changes(changes) => prints::changes::run(changes, project),
        Command::Serve(serve) => serve::run(serve, project),
        Command::Simulate(simulate) => simulate::run(simulate, project),
        Command::Calibrate(calibrate) => calibrate::run(calibrate, project),
        Command::Doctor => doctor::run(project),
        Command::Completions(completions) => shell::completions(completions),
        Command::Man => shell::man(),
        Command::Schema(schema) => schema::run(schema),
    }
}
