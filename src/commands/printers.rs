//! The user's file of printers: how each one's backs are moved. It belongs to the machine and its owner, not to a project.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::{output, places};
use crate::diagnostics::instead;
use crate::sheet::{Adjustment, Measure};

/// The file's name, in a folder of the user's own.
const FILE: &str = "printers.toml";
/// The variable that names another folder.
const VARIABLE: &str = "PAIBAN_CONFIG";
/// What stands at the top of the file.
const HEAD: &str = "# How paiban moves backs for each printer, tray and paper. `paiban calibrate` writes this file.\n";
/// The longest name of a profile.
const LONGEST_NAME: usize = 60;

/// What is kept under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The name.
    pub name: String,
    /// How backs are moved.
    pub adjustment: Adjustment,
}

/// What is kept for each printer, and where.
pub struct Printers {
    path: PathBuf,
    profiles: BTreeMap<String, Adjustment>,
}

impl Printers {
    /// Reads the user's file; there need not be one.
    ///
    /// # Errors
    /// When the file cannot be read or is not what it should be.
    pub fn open() -> Result<Self> {
        let path = folder()?.join(FILE);
        let profiles = match fs::read_to_string(&path) {
            Ok(text) => {
                read(&text).with_context(|| format!("{} is not as `paiban calibrate` writes it", path.display()))?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
        };
        Ok(Printers { path, profiles })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All names and what is kept under them.
    pub fn all(&self) -> impl Iterator<Item = (&str, Adjustment)> {
        self.profiles.iter().map(|(name, adjustment)| (name.as_str(), *adjustment))
    }

    /// What is kept under `name`.
    ///
    /// # Errors
    /// When nothing is; the error says which name is nearest.
    pub fn get(&self, name: &str) -> Result<Profile> {
        let names: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
        match self.profiles.get(name) {
            Some(adjustment) => Ok(Profile { name: name.to_owned(), adjustment: *adjustment }),
            None if names.is_empty() => bail!(
                "there is no profile `{name}`, nor any other in {}; `paiban calibrate` prints a sheet to make one",
                self.path.display()
            ),
            None => bail!("there is no profile `{name}`{}", instead(name, "there are", &names)),
        }
    }

    /// Keeps `measures` under `name`. What is not among them stays as it was.
    ///
    /// # Errors
    /// When the name or a number cannot be used, or the disk refuses.
    pub fn keep(&mut self, name: &str, measures: &[(Measure, f64)]) -> Result<Adjustment> {
        check_name(name)?;
        let old = self.profiles.get(name).copied().unwrap_or_default();
        let new = measures.iter().try_fold(old, |all, (measure, value)| all.with(*measure, *value));
        let new = new.map_err(|why| anyhow!("{why}"))?;
        self.profiles.insert(name.to_owned(), new);
        output::write_file(&self.path, write(&self.profiles).as_bytes())?;
        Ok(new)
    }
}

/// Letters, digits and hyphens: a name is part of file names.
fn check_name(name: &str) -> Result<()> {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(good) {
        bail!("a profile is called by letters, digits and hyphens, like `office-tray2-a4`, not {name:?}");
    }
    Ok(())
}

/// The folder of the user's file: what `PAIBAN_CONFIG` says, else `paiban` in the place where programs keep their settings.
fn folder() -> Result<PathBuf> {
    places::folder(VARIABLE, places::Place::Settings)
        .ok_or_else(|| anyhow!("there is no home folder to keep {FILE} in; name a folder in {VARIABLE}"))
}

fn read(text: &str) -> Result<BTreeMap<String, Adjustment>> {
    let tables: BTreeMap<String, BTreeMap<String, toml::Value>> = toml::from_str(text)?;
    let mut profiles = BTreeMap::new();
    for (name, numbers) in tables {
        check_name(&name)?;
        let adjustment = profile(&numbers).with_context(|| format!("profile `{name}`"))?;
        profiles.insert(name, adjustment);
    }
    Ok(profiles)
}

fn profile(numbers: &BTreeMap<String, toml::Value>) -> Result<Adjustment> {
    let names = Measure::ALL.map(Measure::name);
    numbers.iter().try_fold(Adjustment::NONE, |all, (key, value)| {
        let measure = Measure::ALL.into_iter().find(|measure| measure.name() == key);
        let measure = measure.ok_or_else(|| anyhow!("there is no `{key}`{}", instead(key, "there are", &names)))?;
        let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        let number = number.ok_or_else(|| anyhow!("`{key}` is no number"))?;
        all.with(measure, number).map_err(|why| anyhow!("{why}"))
    })
}

fn write(profiles: &BTreeMap<String, Adjustment>) -> String {
    let mut text = HEAD.to_owned();
    for (name, adjustment) in profiles {
        // Writing to a string cannot fail. Names are quoted: not all letters may stand bare.
        let _ = writeln!(text, "\n[\"{name}\"]");
        for measure in Measure::ALL {
            let _ = writeln!(text, "{} = {:?}", measure.name(), adjustment.get(measure));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let adjustment = Measure::ALL
            .into_iter()
            .zip([0.4, -0.35, 0.125, 1.002, 0.998])
            .try_fold(Adjustment::NONE, |all, (measure, value)| all.with(measure, value))
            .expect("sane");
        let profiles = BTreeMap::from([("office-a4".to_owned(), adjustment), ("学校".to_owned(), Adjustment::NONE)]);
        let text = write(&profiles);
        assert!(text.contains("[\"office-a4\"]\ndx = 0.4\ndy = -0.35\nrotate = 0.125\nscale_x = 1.002\n"), "{text}");
        assert_eq!(read(&text).expect("as written"), profiles);
    }

    #[test]
    fn a_file_that_was_written_by_hand_is_judged() {
        let fault = |text: &str| format!("{:#}", read(text).expect_err(text));
        assert!(read("[a]\ndx = 1\n").expect("whole numbers").contains_key("a"));
        assert!(
            fault("[a]\nrotat = 1\n").contains("profile `a`: there is no `rotat`; did you mean `rotate`?"),
            "{}",
            fault("[a]\nrotat = 1\n")
        );
        assert!(fault("[a]\ndx = 11\n").contains("-10 to 10 mm"));
        assert!(fault("[a]\ndx = \"1\"\n").contains("is no number"));
        assert!(fault("[\"../a\"]\ndx = 1\n").contains("letters, digits and hyphens"));
        assert!(fault("a = 1\n").contains("invalid type"));
    }
}
