//! Folders of the user's own, where programs of this system keep things.

use std::env;
use std::path::PathBuf;

/// What such a folder is for.
#[derive(Clone, Copy)]
pub enum Place {
    /// Settings.
    Settings,
    /// What can be worked out again.
    Cache,
}

/// The folder that the variable `own` names, else `paiban` in the place of that kind. None where there is no home.
pub fn folder(own: &str, place: Place) -> Option<PathBuf> {
    set(own).or_else(|| Some(system(place)?.join("paiban")))
}

fn system(place: Place) -> Option<PathBuf> {
    let (windows, other, usual) = match place {
        Place::Settings => ("APPDATA", "XDG_CONFIG_HOME", ".config"),
        Place::Cache if cfg!(target_os = "macos") => ("LOCALAPPDATA", "XDG_CACHE_HOME", "Library/Caches"),
        Place::Cache => ("LOCALAPPDATA", "XDG_CACHE_HOME", ".cache"),
    };
    let named = set(if cfg!(windows) { windows } else { other }).filter(|folder| folder.is_absolute());
    named.or_else(|| env::home_dir().map(|home| home.join(usual)))
}

fn set(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
