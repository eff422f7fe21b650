//! Writing: files appear whole or not at all, and the terminal is only talked to when somebody is there.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Outcome;
use crate::diagnostics::{Finding, Rank, Report, Severity, human};
use crate::source::Sources;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// From now on Ctrl-C is the way to end the program: it does so at once, but not in the midst of writing a file, and all is well.
///
/// # Errors
/// When the system does not allow it.
pub fn end_on_interrupt() -> Result<()> {
    on_interrupt(|| process::exit(0))
}

/// From now on Ctrl-C is trouble that ends the program at once, but not in the midst of writing a file.
///
/// # Errors
/// When the system does not allow it.
pub fn stop_on_interrupt() -> Result<()> {
    on_interrupt(|| {
        // The exit code says it when nobody can be told.
        let _ = writeln!(
            io::stderr(),
            "paiban: stopped; every file in the output is whole, though some may be of an earlier run: build again"
        );
        process::exit(2)
    })
}

fn on_interrupt(end: impl Fn() + Send + 'static) -> Result<()> {
    let handled = move || {
        let _between_files = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        end();
    };
    ctrlc::set_handler(handled).context("Ctrl-C cannot be listened for")
}

/// The most that is read of a file outside of the project: 1 GiB.
const MOST: u64 = 1 << 30;

/// The bytes of a plain file; pipes and devices, which may never end, are refused.
///
/// # Errors
/// When it is none, is larger than 1 GiB, or the disk refuses.
pub fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    let meta = fs::metadata(path)?;
    match meta.len() {
        _ if !meta.is_file() => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a plain file")),
        length if length > MOST => Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is too large")),
        _ => fs::read(path),
    }
}

/// Writes `bytes` to `path` by way of a file beside it, so that an interrupted run leaves the old file.
///
/// # Errors
/// When the disk refuses.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let write = || -> io::Result<()> {
        let file = written_beside(path, bytes)?;
        file.as_file().sync_all()?;
        readable(file.path())?;
        file.persist(path)?;
        Ok(())
    };
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    write().with_context(|| format!("{} cannot be written", path.display()))
}

/// The same for what may be lost when the machine breaks down, and is nobody else's to read.
///
/// # Errors
/// When the disk refuses.
pub fn write_scratch(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    written_beside(path, bytes)?.persist(path)?;
    Ok(())
}

/// A file beside `path` that holds `bytes`, and is deleted unless it is kept.
fn written_beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(".paiban-").tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Temporary files are private; what is made is as readable as any file.
#[cfg(unix)]
fn readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Prints to stdout; a reader that has gone away is no trouble.
///
/// # Errors
/// When stdout cannot be written for another reason.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("stdout cannot be written"),
        _ => Ok(()),
    }
}

/// Says something to whoever watches; nothing when nobody does.
pub fn note(text: &str) {
    if io::stderr().is_terminal() {
        // There is nobody to tell if the terminal goes away.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// A finding as people are told of it, now or by a later run.
#[derive(Clone, Serialize, Deserialize)]
pub struct Told {
    rank: Rank,
    /// With colours, and without.
    texts: [String; 2],
}

impl Told {
    /// How `findings` are told.
    pub fn of(findings: &[Finding], sources: &Sources) -> Vec<Self> {
        let told = |finding: &Finding| Told {
            rank: finding.rank(sources),
            texts: [true, false].map(|coloured| human::render(finding, sources, coloured)),
        };
        findings.iter().map(told).collect()
    }
}

/// Prints findings for people to stderr, in their order.
pub fn tell_all(mut findings: Vec<Told>) {
    findings.sort_by(|one, other| one.rank.cmp(&other.rank));
    let plain = !io::stderr().is_terminal();
    let mut stderr = io::stderr().lock();
    for finding in findings {
        // There is nobody to tell if stderr goes away.
        let [coloured, bare] = &finding.texts;
        let _ = writeln!(stderr, "{}", if plain { bare } else { coloured });
    }
}

/// Prints findings for people to stderr.
pub fn tell(findings: &[Finding], sources: &Sources) {
    tell_all(Told::of(findings, sources));
}

/// The outcome that a report stands for.
pub fn outcome(report: &Report, deny_warnings: bool) -> Outcome {
    let bad = report.has_errors() || (deny_warnings && report.count(Severity::Warning) > 0);
    if bad { Outcome::Findings } else { Outcome::Clean }
}
