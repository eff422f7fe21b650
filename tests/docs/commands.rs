//! docs/reference/commands.md: every command as clap reads it.

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory, Parser};
use paiban::cli::Cli;

use crate::common::{Project, copy, repository};

/// The pages that tell more of a command.
const MORE: [(&str, &str); 14] = [
    ("new", "[The guide](../guide/) begins with less, and explains it."),
    ("build", "[Printing](printing.md) explains paper, marks, ink and shops."),
    (
        "verify",
        "[Checks](../checks.md) and [preflight](preflight.md) tell what is looked for, [CI](../ci.md) what the formats are for.",
    ),
    ("list", "[The data files](data.md) tell where the numbers come from."),
    ("export", "[Printing](printing.md) explains `--ink`."),
    ("printed", "[Printing again](reprint.md) tells of it."),
    ("reprint", "[Printing again](reprint.md) tells what is printed and what is thrown away."),
    ("changes", "[Printing again](reprint.md) tells of `--since` and the forms."),
    ("serve", "[The live page](serve.md) tells of its keys and overlays."),
    ("simulate", "[Rules](rules.md) tells what `rules.lua` must have."),
    ("calibrate", "[Calibration](calibration.md) tells how to read the sheet."),
    ("completions", "The script goes where the shell looks for such scripts."),
    ("man", "`paiban man > paiban.1`, then `man ./paiban.1`."),
    (
        "schema",
        "[Keys](keys.md) has the same as a page. Save it, and let a data file begin with `#:schema` and the path: editors that know TOML complete and check it.",
    ),
];

/// The whole command line.
fn command_line() -> Command {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    root
}

/// What stands behind `Example: ` in the help of a command.
fn example(command: &Command) -> String {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let example = help.strip_prefix("Example: ").expect("every command has an example");
    example.to_owned()
}

/// The command line as a page.
pub fn page() -> String {
    let root = command_line();
    let mut page = String::from(
        "# Commands\n\nEvery command with its arguments and options, made from the definition that the program itself reads them by \
         (`src/cli/`). `paiban COMMAND --help` says the same in a terminal. What is in bold must be there.\n\n",
    );
    write!(page, "{}", options(&root)).expect("text");
    write!(page, "\nThis one may stand with every command.\n\n## Exit codes\n\n| code | means |\n|---|---|\n")
        .expect("text");
    let codes = root.get_after_help().map(ToString::to_string).unwrap_or_default();
    for (code, means) in codes.lines().filter_map(|line| line.trim().split_once("  ")) {
        writeln!(page, "| {code} | {} |", means.trim()).expect("text");
    }
    for command in root.get_subcommands() {
        page.push_str(&section(command));
    }
    page
}

fn section(command: &Command) -> String {
    let about = command.get_about().expect("every command says what it does");
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let mut section = format!("\n## `paiban {}`\n\n{about}.\n\n", command.get_name());
    write!(section, "```text\n{usage}\n```\n\n{}", options(command)).expect("text");
    if let Some((_, more)) = MORE.iter().find(|(name, _)| *name == command.get_name()) {
        write!(section, "\n{more}\n").expect("text");
    }
    write!(section, "\n```sh\n{}\n```\n", example(command)).expect("text");
    section
}

/// The arguments of a command as a table; nothing where it has none.
fn options(command: &Command) -> String {
    let usual = ["help", "version"];
    let own = |arg: &&Arg| {
        let handed_down = arg.is_global_set() && command.get_name() != "paiban";
        !arg.is_hide_set() && !handed_down && !usual.contains(&arg.get_id().as_str())
    };
    let rows: String = command.get_arguments().filter(own).map(|arg| row(command, arg)).collect();
    if rows.is_empty() { rows } else { format!("| | takes | without it | |\n|---|---|---|---|\n{rows}") }
}

fn row(command: &Command, arg: &Arg) -> String {
    let name = called(arg);
    let name = if arg.is_required_set() { format!("**{name}**") } else { name };
    let takes = takes(arg);
    let without: Vec<String> = if arg.get_action().takes_values() {
        arg.get_default_values().iter().map(|value| code(&value.to_string_lossy())).collect()
    } else {
        Vec::new()
    };
    format!("| {name} | {takes} | {} | {} |\n", without.join(" "), does(command, arg))
}

fn called(arg: &Arg) -> String {
    match arg.get_long() {
        Some(long) => code(&format!("--{long}")),
        None => {
            let many = arg.get_num_args().is_some_and(|number| number.max_values() > 1);
            let name = arg.get_value_names().and_then(|names| names.first()).expect("a name");
            code(&format!("{name}{}", if many { "..." } else { "" }))
        }
    }
}

fn takes(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let values: Vec<String> = arg.get_possible_values().iter().map(|value| code(value.get_name())).collect();
    if !values.is_empty() {
        return values.join(", ");
    }
    if arg.is_positional() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default().iter().map(|name| code(name));
    names.collect::<Vec<_>>().join(" ")
}

/// What an argument does, what each of its values means, and what it cannot stand beside.
fn does(command: &Command, arg: &Arg) -> String {
    let mut does = arg.get_help().map(|help| cell(&help.to_string())).unwrap_or_default();
    for value in arg.get_possible_values() {
        if let Some(help) = value.get_help() {
            write!(does, "<br>{}: {}", code(value.get_name()), cell(&help.to_string())).expect("text");
        }
    }
    let against: Vec<String> =
        command.get_arg_conflicts_with(arg).into_iter().filter(|other| !other.is_hide_set()).map(called).collect();
    if !against.is_empty() {
        write!(does, "<br>Not with {}.", against.join(", ")).expect("text");
    }
    does
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn code(text: &str) -> String {
    format!("`{}`", cell(text))
}

#[test]
fn every_example_is_understood_and_those_that_end_run() {
    let starter = Project::empty();
    for part in ["data", "templates"] {
        copy(&repository().join("docs/starter").join(part), &starter.root().join(part)).expect("a copy");
    }
    let config = starter.root().join("config").to_string_lossy().into_owned();
    let with_rules = Project::of_game("club-fair");
    for command in command_line().get_subcommands() {
        let example = example(command);
        let mut words: Vec<&str> = example.split_whitespace().collect();
        assert_eq!(words[..2], ["paiban", command.get_name()]);
        Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{example}: {error}"));
        let project = match command.get_name() {
            "serve" => continue,
            // The starter has no `rules.lua`.
            "simulate" => {
                words.iter_mut().filter(|word| **word == "kites").for_each(|word| *word = "club-fair");
                &with_rules
            }
            _ => &starter,
        };
        project.run_with(&words[1..], &[("PAIBAN_CONFIG", &config)]).ended(0);
    }
}

#[test]
fn what_tells_more_is_about_a_command() {
    let root = command_line();
    for (name, _) in MORE {
        assert!(root.get_subcommands().any(|command| command.get_name() == name), "there is no command {name}");
    }
}
