//! What several test programs need: projects in temporary folders, and the program run in them.

#![allow(dead_code)] // each test program uses its own part of this
#![allow(clippy::expect_used)] // a test may fail

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub mod diff;
pub mod pages;
/// The reader that the exporter's own tests use.
#[path = "../../src/export/tests/read.rs"]
#[allow(clippy::unwrap_used, missing_docs)] // a test may fail, and its own module says what it is
pub mod read;

/// A run that takes longer than this hangs. Generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// The folder of this repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether what came out is to be written down as expected (`PAIBAN_ACCEPT=1`).
pub fn accepting() -> bool {
    std::env::var_os("PAIBAN_ACCEPT").is_some_and(|value| value == "1")
}

/// A project in a temporary folder, which goes when this does.
pub struct Project {
    folder: TempDir,
}

impl Project {
    /// An empty folder, not even a project yet.
    pub fn empty() -> Self {
        let folder = tempfile::Builder::new().prefix("paiban-test-").tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("project")).expect("a folder");
        Project { folder }
    }

    /// A copy of the small project in tests/base.
    pub fn base() -> Self {
        let project = Project::empty();
        project.lay_over(&repository().join("tests/base"));
        project
    }

    /// A copy of a game of this repository with its templates, the shared ones, icons and fonts.
    pub fn of_game(id: &str) -> Self {
        let project = Project::empty();
        let folders = [format!("data/{id}"), format!("templates/{id}"), "templates/shared".into()];
        for folder in folders.into_iter().chain(["templates/icons".into(), "fonts".into()]) {
            copy(&repository().join(&folder), &project.root().join(&folder)).expect("a copy of the game");
        }
        project
    }

    /// The project's folder.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// The folder that builds leave things in for the next one.
    pub fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// Copies everything in `folder` over the project's files.
    pub fn lay_over(&self, folder: &Path) {
        copy(folder, &self.root()).expect("a copy");
    }

    /// Writes a file of the project.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a written file");
    }

    /// The text of a file of the project.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("a file")
    }

    /// Replaces `old`, which must be there, in a file of the project.
    pub fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no {old:?}");
        self.write(path, &text.replace(old, new));
    }

    /// Runs the program with `arguments` in the project's folder.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[])
    }

    /// Runs the program with `arguments` and more environment variables.
    pub fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        let cache = self.cache();
        let own = [("PAIBAN_CACHE", &*cache.to_string_lossy())];
        let ran = run_in(&self.root(), arguments, &[&own[..], variables].concat());
        let hide = |text: String| text.replace(&*self.root().to_string_lossy(), "PROJECT");
        Ran { stdout: hide(ran.stdout), stderr: hide(ran.stderr), ..ran }
    }
}

/// How a run of the program ended, and what it said.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; none when it was stopped by a signal or because it hung.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said beside that.
    pub stderr: String,
}

impl Ran {
    /// The run again, which must have ended with `code`.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// What it printed, as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stdout))
    }
}

/// Runs the program in `folder`; stops it when it hangs.
pub fn run_in(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paiban"));
    command.args(arguments).current_dir(folder);
    command.env("PAIBAN_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")).envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdout = drain(child.stdout.take().expect("a pipe"));
    let stderr = drain(child.stderr.take().expect("a pipe"));
    let began = Instant::now();
    let status = loop {
        match child.try_wait().expect("a status") {
            Some(status) => break Some(status),
            None if began.elapsed() > PATIENCE => break None,
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    if status.is_none() {
        child.kill().expect("it can be stopped");
        child.wait().expect("a status");
    }
    let text = |bytes: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8(bytes.join().expect("a reader")).expect("the program prints UTF-8")
    };
    Ran { code: status.and_then(|status| status.code()), stdout: text(stdout), stderr: text(stderr) }
}

fn drain(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe that can be read");
        bytes
    })
}

/// Copies what is in `from` into `to`, links as links, over what is there.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&source, &target)?;
            continue;
        }
        if fs::symlink_metadata(&target).is_ok() {
            fs::remove_file(&target)?;
        }
        if kind.is_symlink() {
            link(&fs::read_link(&source)?, &target)?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(goal: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(goal, at)
}

#[cfg(not(unix))]
fn link(goal: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(goal, at)
}
