//! Findings for people: the message, the line itself with the value marked, what was expected and how to mend it.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Finding, Label, Severity};
use crate::source::Sources;

/// Renders one finding, with colours when `coloured`; ends with a line feed.
pub fn render(finding: &Finding, sources: &Sources, coloured: bool) -> String {
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let game = finding.game.as_ref().map(|game| format!("[{game}] ")).unwrap_or_default();
    let title = level.primary_title(format!("{game}{}", finding.headline())).id(finding.code.clone());
    let files = by_file(finding, sources);
    let mut group = Group::with_title(title);
    for (path, text, labels) in &files {
        let mut snippet = Snippet::source(text.as_str()).path(path.as_str());
        for (label, kind) in labels {
            let range = clamp(label.span.range(), text);
            let annotation = kind.span(range);
            snippet = snippet.annotation(match label.text.as_str() {
                "" => annotation,
                text => annotation.label(text.to_owned()),
            });
        }
        group = group.element(snippet);
    }
    if let Some(expected) = &finding.expected {
        group = group.element(Level::NOTE.message(format!("expected {expected}")));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.clone()));
    }
    renderer.render(&[group]) + "\n"
}

type FileLabels<'a> = (String, String, Vec<(&'a Label, AnnotationKind)>);

/// The finding's labels by file, the primary place's file first.
fn by_file<'a>(finding: &'a Finding, sources: &Sources) -> Vec<FileLabels<'a>> {
    let mut files: Vec<FileLabels<'a>> = Vec::new();
    let primary = finding.place.iter().map(|label| (label, AnnotationKind::Primary));
    let others = finding.others.iter().map(|label| (label, AnnotationKind::Context));
    for (label, kind) in primary.chain(others) {
        let file = sources.get(label.span.file);
        match files.iter_mut().find(|(path, _, _)| *path == file.path) {
            Some((_, _, labels)) => labels.push((label, kind)),
            None => files.push((file.path.clone(), file.text.clone(), vec![(label, kind)])),
        }
    }
    files
}

/// The most characters of a text in Han that are marked: the renderer does not shorten lines of wide characters by itself.
const MOST_WIDE: usize = 40;

/// A range that the renderer can draw: on one line, inside the text, on character borders.
fn clamp(range: std::ops::Range<usize>, text: &str) -> std::ops::Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(range.start);
    let end = floor(range.end).max(start);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let end = end.min(line_end);
    let most = text[start..end].char_indices().nth(MOST_WIDE).filter(|_| !text[start..end].is_ascii());
    start..most.map_or(end, |(at, _)| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::checks;
    use crate::source::Span;

    #[test]
    fn a_finding_shows_its_line_its_place_and_its_help() {
        let sources = Sources::default();
        let file = sources.add("data/g/clubs.toml", "[[club]]\nid = \"a\"\nsum = 16\n");
        let finding = Finding::new(checks::VALUE_WRONG, "the sum is 16")
            .at(Span::new(file, 24..26))
            .expected("15")
            .help("take one away");
        let text = render(&finding, &sources, false);
        assert_eq!(
            text,
            "error[value-wrong]: the sum is 16\n \
             --> data/g/clubs.toml:3:7\n  \
             |\n3 | sum = 16\n  |       ^^\n  |\n  \
             = note: expected 15\n  = help: take one away\n"
        );
    }

    #[test]
    fn ranges_outside_the_text_do_no_harm() {
        let sources = Sources::default();
        let file = sources.add("a.toml", "一");
        for range in [0..1, 1..2, 0..99, 50..60] {
            let finding = Finding::new(checks::TOML_SYNTAX, "broken").at(Span::new(file, range));
            assert!(render(&finding, &sources, false).contains("a.toml:1:"));
        }
    }
}
