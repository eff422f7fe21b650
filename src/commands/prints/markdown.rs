//! Changes as Markdown, for release notes and comments. Whatever the data says stands there as it is: it makes no markup, no links
//! and mentions nobody.

use std::fmt::Write;

use super::changes::Told;
use super::compare::FieldChange;
use super::words;

/// The changes of a game.
pub fn render(told: &Told<'_>) -> String {
    let (game, changes) = (told.game, &told.changes);
    let since = text(&told.earlier.title);
    // Writing to a string cannot fail.
    let mut out = format!("## {}\n\n", text(&game.title));
    if changes.is_empty() {
        let _ = writeln!(out, "Nothing changed since {since}.");
        return out;
    }
    let _ = writeln!(out, "Changes since {since}: {}.", words::summary(changes));
    for group in words::grouped(game, changes) {
        let _ = writeln!(out, "\n### {}\n", text(group.title));
        for change in group.changes {
            let name = words::name(&change.address, &told.state.pieces, &told.earlier.pieces);
            let name = name.map(|name| format!("**{}** ", text(name))).unwrap_or_default();
            let what = words::told(change, "→", code);
            let _ = writeln!(out, "- {name}{}: {what}", code(&change.address));
            for change in &change.fields {
                let _ = writeln!(out, "  - {}", field(change));
            }
        }
    }
    out
}

fn field(change: &FieldChange) -> String {
    let path = code(&change.path);
    match (&change.before, &change.now) {
        (Some(before), Some(now)) => format!("{path}: {} → {}", code(before), code(now)),
        (None, Some(now)) => format!("{path}: {} (new)", code(now)),
        (Some(before), None) => format!("{path}: gone, it was {}", code(before)),
        (None, None) => path,
    }
}

/// Text on one line, every mark that could mean something escaped.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in words::plain(text).chars() {
        match c {
            // A backslash does not keep code hosts from mentioning people and linking numbers; a character reference does.
            '@' => out.push_str("&#64;"),
            '#' => out.push_str("&#35;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_ascii_punctuation()
                && !matches!(c, '.' | ',' | ';' | '(' | ')' | '\'' | '"' | '/' | '?' | '%') =>
            {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}

/// Text as code: in as many backticks as it needs.
fn code(text: &str) -> String {
    let text = words::plain(text);
    if text.trim().is_empty() {
        return if text.is_empty() { "*nothing*".to_owned() } else { "*blanks*".to_owned() };
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_makes_no_markup() {
        assert_eq!(text("a*b_c <i> @me #1 [x](y)!"), "a\\*b\\_c &lt;i&gt; &#64;me &#35;1 \\[x\\](y)\\!");
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("`a``b"), "``` `a``b ```");
        assert_eq!(code("two\nlines"), "`two\\nlines`");
        assert_eq!((code(""), code(" ")), ("*nothing*".into(), "*blanks*".into()));
    }
}
