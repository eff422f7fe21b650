//! The register of built-in checks. Every check has a code, a title, a reason and a way to mend what it finds.

use super::Severity;

/// A built-in check.
#[derive(Debug, PartialEq)]
pub struct Check {
    /// Its code, in kebab case.
    pub code: &'static str,
    /// How bad its findings are.
    pub severity: Severity,
    /// What it finds, in a line.
    pub title: &'static str,
    /// Why that matters, and how to mend it.
    pub why: &'static str,
}

macro_rules! checks {
    ($($name:ident = $code:literal, $severity:ident, $title:literal, $why:literal;)*) => {
        $(#[doc = $title] pub const $name: &Check =
            &Check { code: $code, severity: Severity::$severity, title: $title, why: $why };)*
        /// All built-in checks, by code.
        pub const ALL: &[&Check] = &[$($name),*];
    };
}

checks! {
    TOML_SYNTAX = "toml-syntax", Error, "a data file is not valid TOML",
        "Nothing in a broken file can be trusted. The message says what the parser stumbled over; quotes and brackets that are not closed are the usual cause.";
}
