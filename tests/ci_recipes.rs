//! docs/ci.md: every line of its recipes that is paiban's runs as it stands there, in a repository with a change to tell of.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{Project, repository};

/// The lines of a recipe that run paiban.
fn lines(recipe: &str) -> Vec<&str> {
    let lines = recipe.lines().map(|line| line.trim().trim_start_matches("- ").trim_start_matches("run: "));
    lines.filter(|line| line.starts_with("paiban ")).collect()
}

/// The blocks of YAML of the page.
fn recipes() -> Vec<String> {
    let page = fs::read_to_string(repository().join("docs/ci.md")).expect("a page");
    let blocks = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(str::to_owned).collect()
}

/// Runs a line in a shell that finds this paiban, and knows of `base` what a runner says of it.
fn shell(project: &Project, line: &str, base: &str) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_paiban")).parent().expect("a folder").to_path_buf();
    let old = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&old))).expect("a path");
    let mut command = Command::new("sh");
    command.args(["-e", "-c", line]).current_dir(project.root());
    command.env("PATH", path).env("CI_MERGE_REQUEST_DIFF_BASE_SHA", base).env("PAIBAN_CACHE", project.cache());
    command.output().expect("a shell")
}

fn git(project: &Project, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let ran = Command::new("git").arg("-C").arg(project.root()).args(identity).args(arguments).output().expect("git");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

#[test]
fn every_line_of_the_recipes_runs() {
    let recipes = recipes();
    assert_eq!(recipes.len(), 2, "one for GitHub, one for GitLab");
    for recipe in recipes {
        let project = Project::empty();
        project.lay_over(&repository().join("docs/starter"));
        git(&project, &["init", "-q", "-b", "main"]);
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "first"]);
        git(&project, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
        let base = git(&project, &["rev-parse", "HEAD"]);
        project.replace("data/kites/kites.toml", "name = \"Swift\"", "name = \"Common Swift\"");
        git(&project, &["commit", "-q", "-a", "-m", "second"]);
        let lines = lines(&recipe);
        assert!(lines.len() >= 4, "{lines:?}");
        for line in lines {
            let ran = shell(&project, line, &base);
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.success(), "{line}\n{said}");
        }
        let notes = project.read("out/changes.md");
        assert!(notes.contains("- **Common Swift** `kite/swift`: the front looks different\n"), "{notes}");
        assert!(notes.contains("  - `name`: `Swift` → `Common Swift`\n"), "{notes}");
        assert!(project.read("out/changes.html").contains("kite/swift: front, before"));
        assert!(project.root().join("out/kites/kites-full-a4.pdf").exists());
        if recipe.contains("codequality") {
            serde_json::from_str::<Vec<serde_json::Value>>(&project.read("quality.json")).expect("a list");
            assert!(project.read("report.xml").starts_with("<?xml"));
        }
    }
}
