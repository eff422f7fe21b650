//! What of git is needed: which commit the data is of, and an earlier revision of the project in a folder of its own. The repository is
//! not touched: no index of its own is written, and nothing in its folders.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// The variables by which hooks of git point at another repository than that of the folder.
const POINTERS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// A project of an earlier revision. Its folder goes when this does.
pub struct Restored {
    folder: TempDir,
}

impl Restored {
    /// The project's folder.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }
}

/// The commit that the data of the project in `root` is of. None when it is of no commit, because something of it was changed since or
/// is not in git at all.
pub fn commit(root: &Path) -> Option<String> {
    let status = ["status", "--porcelain", "--untracked-files=all", "--", "data", "templates", "fonts", "shops"];
    let records = ":(exclude,glob)data/*/printed.json";
    let changed = said(git(root).args(status).arg(records)).ok()?;
    changed.is_empty().then(|| said(git(root).args(["rev-parse", "--verify", "--quiet", "HEAD"])).ok()).flatten()
}

/// The commit that `revision` names in the repository that `root` lies in.
///
/// # Errors
/// When there is no repository, or no such revision in it.
pub fn find(root: &Path, revision: &str) -> Result<String> {
    said(git(root).args(["rev-parse", "--is-inside-work-tree"])).context("the project is in no repository of git")?;
    let named = format!("{revision}^{{commit}}");
    said(git(root).args(["rev-parse", "--verify", "--quiet", "--end-of-options", &named]))
        .ok()
        .filter(|commit| !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .with_context(|| format!("there is no revision `{revision}` in the project's repository"))
}

/// Restores the project in `root` as it was at `commit`. None when it was not there yet.
///
/// # Errors
/// When git or the disk refuses.
pub fn restore(root: &Path, commit: &str) -> Result<Option<Restored>> {
    let top = said(git(root).args(["rev-parse", "--show-toplevel"]))?;
    let below = said(git(root).args(["rev-parse", "--show-prefix"]))?;
    let tree = format!("{commit}:{}", below.trim_end_matches('/'));
    let Ok(tree) = said(git(root).args(["rev-parse", "--verify", "--quiet", &tree])) else { return Ok(None) };
    let folder = tempfile::Builder::new().prefix("paiban-").tempdir().context("there is no room for a folder")?;
    let index = folder.path().join("index");
    let mut goal = folder.path().join("project").into_os_string();
    std::fs::create_dir(&goal).context("a folder cannot be made")?;
    goal.push("/");
    let git = |words: &[&OsStr]| {
        let own = ["-c", "core.splitIndex=false", "-c", "core.fsmonitor=false"];
        said(git(Path::new(&top)).args(own).args(words).env("GIT_INDEX_FILE", &index))
    };
    git(&["read-tree", "--no-sparse-checkout", &tree].map(OsStr::new))?;
    let mut prefix = std::ffi::OsString::from("--prefix=");
    prefix.push(&goal);
    git(&[OsStr::new("checkout-index"), OsStr::new("--all"), OsStr::new("--force"), &prefix])?;
    Ok(Some(Restored { folder }))
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).stdin(Stdio::null()).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    POINTERS.iter().for_each(|name| {
        command.env_remove(name);
    });
    command
}

/// What a command of git says, without the line feed at its end.
fn said(command: &mut Command) -> Result<String> {
    let output = command.output().context("git cannot be run")?;
    if !output.status.success() {
        bail!("git says: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let text = String::from_utf8(output.stdout).context("git says what is no text")?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
