//! `paiban new`: a small complete game in an empty folder. Its files are those of docs/starter, which is a project itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Outcome;
use super::output;
use crate::cli::New;

/// The starter's files: path and text.
macro_rules! starter {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../docs/starter/", $path)))),*]
    };
}

/// Every file of docs/starter; a test compares the list with the folder.
const FILES: [(&str, &str); 26] = starter![
    ".gitignore",
    "README.md",
    "data/kites/game.toml",
    "data/kites/invariants.toml",
    "data/kites/kites.toml",
    "data/kites/rules.toml",
    "data/kites/weather.toml",
    "templates/icons/sky/LICENSE.txt",
    "templates/icons/sky/breeze.svg",
    "templates/icons/sky/climb.svg",
    "templates/icons/sky/dragon.svg",
    "templates/icons/sky/evening.svg",
    "templates/icons/sky/fish.svg",
    "templates/icons/sky/gale.svg",
    "templates/icons/sky/gust.svg",
    "templates/icons/sky/morning.svg",
    "templates/icons/sky/moth.svg",
    "templates/icons/sky/noon.svg",
    "templates/icons/sky/swallow.svg",
    "templates/kites/back.svg",
    "templates/kites/bead.svg",
    "templates/kites/kite.svg",
    "templates/kites/page.svg",
    "templates/kites/sail.svg",
    "templates/kites/sky.svg",
    "templates/kites/weather.svg",
];

/// The starter's own id, as it stands in its files: a folder of a path, or the value of `id`.
const ID: [&str; 2] = ["kites/", "\"kites\""];
/// The starter's own title.
const TITLE: &str = "Kite Day";
/// The id where the folder's name gives none.
const PLAIN_ID: &str = "my-game";
/// Folders of templates/ that belong to no game.
const TAKEN: [&str; 2] = ["icons", "shared"];
/// The longest title, in characters: what the starter's board has room for.
const LONGEST_TITLE: usize = 40;

/// What the name of the folder begins with in which the files are written first.
const DRAFT: &str = ".paiban-new-";

/// Runs the command.
pub fn run(arguments: &New, project: Option<&Path>) -> Result<Outcome> {
    if project.is_some() {
        bail!("`new` does not look at --project: name the folder behind `new`");
    }
    let folder = &arguments.folder;
    let id = match &arguments.id {
        Some(id) => checked_id(id)?,
        None => id_of(folder),
    };
    let title = checked_title(arguments.title.as_deref().unwrap_or(TITLE))?;
    must_be_free(folder)?;
    let files = FILES.map(|(path, text)| (named(path, &id, title), named(text, &id, title)));
    write_all(folder, &files)?;
    output::print(&next(folder, arguments.id.is_none(), &id, title))?;
    Ok(Outcome::Clean)
}

/// `id`, if a game can be called that.
fn checked_id(id: &str) -> Result<String> {
    if id.is_empty() || id != safe(id) || TAKEN.contains(&id) {
        bail!(
            "`{id}` cannot be the id of a game: an id has small letters (a-z), digits and single hyphens between them, and is not {}",
            TAKEN.map(|taken| format!("`{taken}`")).join(" or ")
        );
    }
    Ok(id.to_owned())
}

/// An id made from the name of `folder`.
fn id_of(folder: &Path) -> String {
    let id = safe(&name_of(folder));
    if id.is_empty() || TAKEN.contains(&id.as_str()) { PLAIN_ID.to_owned() } else { id }
}

/// The name of `folder`; empty where it has none, as the root of a disk.
fn name_of(folder: &Path) -> String {
    // `.` and `..` have no name of their own.
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What of `name` an id may have: small letters and digits, and one hyphen for anything else between them.
fn safe(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

fn checked_title(title: &str) -> Result<&str> {
    let title = title.trim();
    if title.is_empty() || title.chars().any(char::is_control) || title.chars().count() > LONGEST_TITLE {
        bail!("a title is one line of 1 to {LONGEST_TITLE} characters; a longer one can be written into game.toml");
    }
    Ok(title)
}

/// `text` with the game's own names in the place of the starter's.
fn named(text: &str, id: &str, title: &str) -> String {
    let [folder, value] = ID;
    let quoted = toml::Value::String(title.to_owned()).to_string();
    text.replace(folder, &format!("{id}/"))
        .replace(value, &format!("\"{id}\""))
        .replace(&format!("\"{TITLE}\""), &quoted)
        .replace(TITLE, title)
}

/// Nothing is ever overwritten: the folder must be missing or empty. A fresh `git init` does no harm.
fn must_be_free(folder: &Path) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            bail!(
                "{} cannot be the project's folder: there is a file in its place or on the way to it",
                folder.display()
            )
        }
        Err(error) => return Err(error).with_context(|| format!("{} cannot be looked into", folder.display())),
    };
    for entry in entries {
        let name = entry.with_context(|| format!("{} cannot be looked into", folder.display()))?.file_name();
        if name != ".git" {
            let name = name.to_string_lossy();
            let advice = if name.starts_with(DRAFT) {
                "an earlier run was broken off: delete the folder and try again"
            } else {
                "nothing is overwritten: name a folder that does not exist or is empty"
            };
            bail!("{} is not empty (there is `{name}` in it); {advice}", folder.display());
        }
    }
    Ok(())
}

/// Writes `files` below `folder`: first all of them beside their place, and only then, all at once or not at all, into it. What
/// was begun is taken away when the disk refuses; a run that was broken off leaves a folder that is not empty.
fn write_all(folder: &Path, files: &[(String, String)]) -> Result<()> {
    let made = first_missing(folder);
    let written = (|| -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        let draft = tempfile::Builder::new().prefix(DRAFT).tempdir_in(folder);
        let draft = draft.with_context(|| format!("nothing can be written into {}", folder.display()))?;
        for (path, text) in files {
            let full = draft.path().join(path);
            output::write_file(&full, text.as_bytes())?;
        }
        move_all(draft.path(), folder)
    })();
    if let (Err(_), Some(made)) = (&written, made) {
        // The first trouble is what is told.
        let _ = fs::remove_dir_all(made);
    }
    written
}

/// The uppermost folder on the way to `folder` that is not there yet.
fn first_missing(folder: &Path) -> Option<PathBuf> {
    let ancestors = folder.ancestors().filter(|ancestor| !ancestor.as_os_str().is_empty());
    ancestors.take_while(|ancestor| fs::symlink_metadata(ancestor).is_err()).last().map(Path::to_path_buf)
}

/// Moves everything in `draft` into `folder`; takes back what was moved when one cannot be.
fn move_all(draft: &Path, folder: &Path) -> Result<()> {
    let mut moved: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(draft).with_context(|| format!("{} cannot be read", draft.display()))? {
        let place = entry.map(|entry| (entry.path(), folder.join(entry.file_name())));
        let result = place.and_then(|(from, to)| fs::rename(from, &to).map(|()| to));
        match result {
            Ok(to) => moved.push(to),
            Err(error) => {
                for path in moved {
                    // The first trouble is what is told.
                    let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                }
                return Err(error).with_context(|| format!("the files cannot be put into {}", folder.display()));
            }
        }
    }
    Ok(())
}

/// What was made, and what to do now. An id that is not the folder's name is told; one that was `made` from it can be chosen.
fn next(folder: &Path, made: bool, id: &str, title: &str) -> String {
    let shown = folder.display().to_string();
    let here = folder.components().all(|part| part == std::path::Component::CurDir);
    let quoted = if shown.contains(|c: char| c.is_whitespace()) { format!("\"{shown}\"") } else { shown.clone() };
    let enter = if here { "paiban verify".to_owned() } else { format!("cd {quoted}") };
    let called = match (id == name_of(folder), made) {
        (true, _) => String::new(),
        (false, true) => format!(" Its id is `{id}`, made from the folder's name; `--id` gives another."),
        (false, false) => format!(" Its id is `{id}`."),
    };
    format!(
        "{title} is in {shown}: {} files.{called} Now:\n\n  {enter}\n  paiban build\n\nThe PDFs will be in out/{id}/.\n",
        FILES.len()
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use super::*;

    /// All files below `folder`, as paths from it; `out` is no part of the starter.
    fn below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type().unwrap().is_dir() {
                true if path == "out" => {}
                true => below(&entry.path(), &format!("{path}/"), found),
                false => found.push(path),
            }
        }
    }

    #[test]
    fn the_list_is_the_folder() {
        let mut found = Vec::new();
        below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/starter"), "", &mut found);
        found.sort();
        assert_eq!(FILES.map(|(path, _)| path).to_vec(), found);
    }

    #[test]
    fn every_mention_of_the_starters_names_is_renamed() {
        for (path, text) in FILES {
            let made = named(path, "tea", "A \"Cup\" of 茶") + &named(text, "tea", "A \"Cup\" of 茶");
            assert!(!made.contains("kites/") && !made.contains("\"kites\"") && !made.contains(TITLE), "{path}");
            if path.ends_with(".toml") {
                let table: toml::Table = named(text, "tea", "A \"Cup\" of 茶").parse().unwrap();
                if let Some(game) = table.get("game") {
                    assert_eq!((game["id"].as_str(), game["title"].as_str()), (Some("tea"), Some("A \"Cup\" of 茶")));
                }
            }
        }
    }

    #[test]
    fn ids_are_made_from_any_name() {
        let id = |name: &str| id_of(Path::new(name));
        assert_eq!(id("no-such/My Game (2)"), "my-game-2");
        assert_eq!(id("no-such/纸鸢"), PLAIN_ID);
        assert_eq!(id("no-such/icons"), PLAIN_ID);
        assert_eq!(id("no-such/__x__"), "x");
        assert!(checked_id("two--hyphens").is_err() && checked_id("Upper").is_err() && checked_id("").is_err());
        assert!(checked_id("shared").is_err() && checked_id("tea-2").is_ok());
    }
}
