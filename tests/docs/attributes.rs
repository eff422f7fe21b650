//! docs/reference/attributes.md: what paiban reads in templates, from the register that it judges them by.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use paiban::compose::attributes::{
    self, Attribute, DEFINITIONS, Group, PAINTED, REFUSED, SILENT, SPANS, UNDRAWN, Undrawn,
};

use tiny_skia::Pixmap;

use crate::common::{Project, copy, repository};

/// The register as a page.
pub fn page() -> String {
    let mut page = String::from(
        "# Attributes\n\nEvery attribute and property of a template that paiban itself reads, made from the register that it judges them by \
         (`src/compose/attributes/`). All else of SVG is drawn as it is. [Templates](templates.md) explains how they go together, \
         [the gallery](../gallery/README.md) shows them.\n\n\
         Attributes with `pb:` need `xmlns:pb=\"urn:paiban:template\"` at the root; one that is unknown, or stands where it means nothing, is \
         an error. Lengths are millimetres, or have a unit (`mm`, `cm`, `in`, `pt`, `pc`, `em`, `ex`); `px` is a millimetre too.\n",
    );
    for Group { title, about, attributes } in attributes::ALL {
        write!(page, "\n## {title}\n\n").expect("text");
        if !about.is_empty() {
            write!(page, "{about}\n\n").expect("text");
        }
        page.push_str("| attribute | stands on | takes | without it | |\n|---|---|---|---|---|\n");
        for Attribute { name, on, takes, without, about, .. } in attributes {
            let on = on.to_string().replace('<', "`<").replace('>', ">`");
            writeln!(page, "| `{name}` | {on} | {takes} | {without} | {about} |").expect("text");
        }
        page.push_str("\n```xml\n");
        attributes.iter().for_each(|attribute| writeln!(page, "{}", attribute.example).expect("text"));
        page.push_str("```\n");
    }
    page.push_str(&undrawn());
    page.push_str(&elements());
    page
}

fn undrawn() -> String {
    let mut part = String::from(
        "\n## Refused on text\n\nOther programs draw letters otherwise for these; paiban does not, and says so. \
         [What paiban does not do](../unsupported.md) has more of the kind.\n\n| property | values that ask for nothing | instead |\n|---|---|---|\n",
    );
    for Undrawn { name, nothing, instead } in UNDRAWN {
        writeln!(part, "| `{name}` | {} | {instead} |", in_code(nothing)).expect("text");
    }
    part
}

fn elements() -> String {
    let text = in_code(&["text", SPANS[0], SPANS[1]]);
    format!(
        "\n## Elements\n\n| elements | are |\n|---|---|\n\
         | {text} | set by paiban: glyph by glyph, with the fonts of the project |\n\
         | `use` of `icon:name` | an icon of the game's set |\n\
         | `use` of `#id` | a copy of that part, with its text |\n\
         | `g`, `a`, `svg`, `switch` | drawn with what is inside |\n\
         | {} | drawn |\n\
         | {} | looked up by others; they draw nothing themselves |\n\
         | {} | passed over |\n\
         | {} | errors: no printer's program draws them |\n\
         | elements of other namespaces | passed over |\n",
        in_code(&PAINTED),
        in_code(&DEFINITIONS),
        in_code(&SILENT),
        in_code(&REFUSED),
    )
}

fn in_code(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// A template that holds `drawing`, or is it.
fn template(drawing: &str) -> String {
    if drawing.starts_with("<svg") {
        return drawing.to_owned();
    }
    let spaces = r#"xmlns="http://www.w3.org/2000/svg" xmlns:pb="urn:paiban:template""#;
    format!("<svg {spaces} viewBox=\"0 0 63 88\">{drawing}</svg>\n")
}

/// What `verify` says of a project with these templates, named `0.svg`, `1.svg` ...
fn verified(templates: &[String]) -> String {
    let project = Project::empty();
    copy(&repository().join("tests/base/templates/icons"), &project.root().join("templates/icons")).expect("icons");
    project.write("templates/shared/frame.svg", &template(r#"<path d="M6 6H57V82H6Z" fill="{{ ink }}"/>"#));
    fs::create_dir(project.root().join("pictures")).expect("a folder");
    let picture = Pixmap::new(200, 200).expect("a picture");
    picture.save_png(project.root().join("pictures/leaf.png")).expect("a picture");
    let mut game = String::from(
        "[game]\nid = \"mini\"\ntitle = \"Mini\"\nlanguage = \"en\"\nplayers = [2]\nicons = \"plain\"\n\n[icons]\nsun = \"star\"\n\n[theme]\nink = \"#222222\"\n",
    );
    for (number, text) in templates.iter().enumerate() {
        project.write(&format!("templates/mini/{number}.svg"), text);
        let component = format!("id = \"c{number}\"\ntrim = \"63x88mm\"\nfront = \"mini/{number}.svg\"\n");
        write!(game, "\n[[component]]\n{component}").expect("text");
    }
    project.write("data/mini/game.toml", &game);
    let ran = project.run(&["verify", "--format", "short"]);
    assert!(ran.code.is_some_and(|code| code < 2), "{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

fn all() -> impl Iterator<Item = &'static Attribute> {
    attributes::ALL.iter().flat_map(|group| group.attributes)
}

/// The plain words among what an attribute takes, and whether it takes nothing else.
fn words(attribute: &Attribute) -> (Vec<&'static str>, bool) {
    let parts: Vec<&'static str> = attribute.takes.split(", ").collect();
    let words: Vec<&'static str> = parts.iter().copied().filter_map(plain).collect();
    let only = words.len() == parts.len();
    (words, only)
}

/// The word that is written as code, if it is one.
fn plain(part: &str) -> Option<&str> {
    let word = part.strip_prefix('`')?.strip_suffix('`')?;
    word.chars().all(|c| c.is_ascii_lowercase() || c == '-').then_some(word)
}

/// The example of an attribute with another value.
fn example_with(attribute: &Attribute, value: &str) -> String {
    let Attribute { name, example, .. } = attribute;
    for (open, close) in [(format!(" {name}=\""), '"'), (format!("\"{name}:"), '"')] {
        if let Some((before, rest)) = example.split_once(&open) {
            let (_, after) = rest.split_once(close).expect("a value ends");
            return format!("{before}{open}{value}{close}{after}");
        }
    }
    panic!("the example of {name} lacks it")
}

#[test]
fn every_example_and_every_word_is_understood() {
    let mut drawings: Vec<String> = all().map(|attribute| attribute.example.to_owned()).collect();
    for attribute in all() {
        drawings.extend(words(attribute).0.into_iter().map(|word| example_with(attribute, word)));
    }
    let templates: Vec<String> = drawings.iter().map(|drawing| template(drawing)).collect();
    let said = verified(&templates);
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("error[")).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn what_is_none_of_the_words_is_an_error() {
    let own = |attribute: &&Attribute| attribute.look.is_some() || attribute.name.starts_with("pb:");
    let strict: Vec<&Attribute> = all().filter(own).filter(|attribute| words(attribute).1).collect();
    assert!(strict.len() > 8, "{strict:?}");
    let templates: Vec<String> =
        strict.iter().map(|attribute| template(&example_with(attribute, "whatever"))).collect();
    let said = verified(&templates);
    for (number, attribute) in strict.iter().enumerate() {
        let told = said.lines().any(|line| {
            line.starts_with(&format!("templates/mini/{number}.svg:")) && line.contains("error[template-attribute]")
        });
        assert!(told, "{}=\"whatever\" passes:\n{said}", attribute.name);
    }
}

#[test]
fn attributes_that_stand_where_they_mean_nothing_are_errors() {
    let only: Vec<&Attribute> = attributes::own().collect();
    // None of them means anything at the root, but for those that do.
    let root = |attribute: &Attribute| template("").replace("<svg ", &format!("<svg {}=\"x\" ", attribute.name));
    let templates: Vec<String> = only.iter().map(|attribute| root(attribute)).collect();
    let said = verified(&templates);
    for (number, attribute) in only.iter().enumerate() {
        let told = said.lines().any(|line| {
            line.starts_with(&format!("templates/mini/{number}.svg:")) && line.contains("means nothing on")
        });
        assert_eq!(told, !attribute.on.takes("svg", true), "{}:\n{said}", attribute.name);
    }
}

/// The sources of the composer, without the register and without tests.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("attributes") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            found.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
        }
    }
}

#[test]
fn the_register_and_the_sources_name_the_same_attributes() {
    let mut found = Vec::new();
    sources(&repository().join("src/compose"), &mut found);
    let text = found.concat();
    // How letters look goes by the register itself.
    for attribute in all().filter(|attribute| attribute.look.is_none()) {
        assert!(text.contains(&format!("\"{}\"", attribute.name)), "nothing reads `{}`", attribute.name);
    }
    for reads in [".attribute(\"", ".property(\"", ".fault(\"", "\"pb:"] {
        for rest in text.split(reads).skip(1) {
            let name = rest.split('"').next().unwrap_or_default();
            let name = if reads == "\"pb:" { format!("pb:{name}") } else { name.to_owned() };
            assert!(name.contains('{') || name == "pb:" || attributes::knows(&name), "the register lacks `{name}`");
        }
    }
}
