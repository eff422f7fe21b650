//! What shells and `man` want to know of the command line, made from the same definition that parses it.

use std::io::{self, Write};

use anyhow::Result;
use clap::CommandFactory;

use super::Outcome;
use crate::cli::{Cli, Completions};

/// `paiban completions SHELL`: the script that the shell reads, to stdout.
///
/// # Errors
/// When stdout is closed.
pub fn completions(completions: &Completions) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Cli::command(), "paiban", &mut script);
    say(&script)
}

/// `paiban man`: the manual page, commands and all, to stdout.
///
/// # Errors
/// When stdout is closed.
pub fn man() -> Result<Outcome> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    // What stands below the help are the exit codes, for which manuals have a name of their own.
    let mut page = String::from_utf8(page)?.replacen(".SH EXTRA", ".SH \"EXIT STATUS\"", 1).into_bytes();
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let manual = clap_mangen::Man::new(sub.clone());
        writeln!(page, ".SH \"PAIBAN {}\"", sub.get_name().to_uppercase())?;
        manual.render_description_section(&mut page)?;
        manual.render_options_section(&mut page)?;
        if let Some(example) = sub.get_after_help() {
            writeln!(page, ".PP\n{}", example.to_string().replace('-', "\\-"))?;
        }
    }
    say(&page)
}

fn say(bytes: &[u8]) -> Result<Outcome> {
    match io::stdout().write_all(bytes) {
        // Whoever read the first lines and went away had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Clean),
        written => Ok(written.map(|()| Outcome::Clean)?),
    }
}
