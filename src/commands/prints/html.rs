//! Changes as a page with pictures before and after: one file that needs nothing else, runs nothing, and can be printed.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::changes::Told;
use super::compare::{Change, FieldChange};
use super::state::State;
use super::words;

/// How the page looks. The page is in the colours of paper, so that pictures show as they are printed.
const STYLE: &str = include_str!("changes.css");

/// The changes of all games. `root` is the project's folder, whose repository may know what the faces were like.
pub fn render(told: &mut [Told<'_>], root: &Path) -> String {
    let titles: Vec<&str> = told.iter().map(|told| told.game.title.as_str()).collect();
    let title = escaped(&format!("Changes: {}", titles.join(", ")));
    let games: String = told.iter_mut().map(|told| game(told, root)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{games}</body>\n</html>\n"
    )
}

fn game(told: &mut Told<'_>, root: &Path) -> String {
    let Told { game, earlier, state, changes } = told;
    let since = escaped(&earlier.title);
    let head = format!("<h1 lang=\"{}\">{}</h1>\n", escaped(&game.language), escaped(&game.title));
    if changes.is_empty() {
        return format!("<main>\n{head}<p>Nothing changed since {since}.</p>\n</main>\n");
    }
    let (before, why) = match earlier.faces(root, &game.id) {
        Ok(before) => (before, String::new()),
        Err(why) => (None, format!("<p class=\"note\">There are no pictures of before: {}.</p>\n", escaped(&why))),
    };
    let pictures = Pictures { before, now: state };
    let groups = words::grouped(game, changes).into_iter().map(|group| {
        let mut shown = BTreeSet::new();
        let cards: String =
            group.changes.iter().map(|change| pictures.card(change, &game.language, &mut shown)).collect();
        let title = format!("<h2 lang=\"{}\">{}</h2>\n", escaped(&game.language), escaped(group.title));
        format!("<section>\n{title}<div class=\"cards\">\n{cards}</div>\n</section>\n")
    });
    let groups: String = groups.collect();
    let summary = words::summary(changes);
    format!("<main>\n{head}<p>Changes since {since}: {summary}.</p>\n{why}{groups}</main>\n")
}

/// Where pictures come from.
struct Pictures<'s> {
    before: Option<&'s State>,
    now: &'s State,
}

impl Pictures<'_> {
    /// What changed of a piece. Pictures that many pieces share are `shown` once.
    fn card(&self, change: &Change, language: &str, shown: &mut BTreeSet<[Option<String>; 2]>) -> String {
        let address = &change.address;
        let name = self.name(address).map(|name| format!("<b lang=\"{}\">{}</b> ", escaped(language), escaped(name)));
        let what = words::told(change, "→", |address| format!("\u{201c}{address}\u{201d}"));
        let sides: String = [true, false].into_iter().map(|is_front| self.side(change, is_front, shown)).collect();
        let fields: String = change.fields.iter().map(field).collect();
        let fields = if fields.is_empty() { fields } else { format!("<table>\n{fields}</table>\n") };
        let todo = [(change.print, "print"), (change.discard, "throw away")];
        let todo: Vec<String> =
            todo.iter().filter(|(number, _)| *number > 0).map(|(number, verb)| format!("{verb} {number}")).collect();
        let todo = if todo.is_empty() { String::new() } else { format!("<p class=\"todo\">{}</p>\n", todo.join(", ")) };
        format!(
            "<article>\n<h3>{}<code>{}</code></h3>\n<p>{}</p>\n{todo}{sides}{fields}</article>\n",
            name.unwrap_or_default(),
            escaped(address),
            escaped(&what)
        )
    }

    fn name(&self, address: &str) -> Option<&str> {
        let pieces = std::iter::once(self.now).chain(self.before).filter_map(|state| state.pieces.get(address));
        pieces.filter_map(|piece| piece.name()).next()
    }

    /// One side of a piece before and after, where it looks different.
    fn side(&self, change: &Change, is_front: bool, shown: &mut BTreeSet<[Option<String>; 2]>) -> String {
        let seen = change.seen;
        let differs = seen.cut || if is_front { seen.front } else { seen.back };
        // What is new or gone is shown by its front; so is what only has other data, without which one would not know what it is.
        if !differs && (!is_front || (seen.back && !seen.front)) {
            return String::new();
        }
        let side = if is_front { "front" } else { "back" };
        let look = |state: &State| state.pieces.get(&change.address).map(|piece| piece.look.clone());
        let hash = |state: &State| look(state).and_then(|look| if is_front { Some(look.front) } else { look.back });
        let key = [self.before.and_then(hash), hash(self.now)];
        if !is_front && !shown.insert(key) {
            return format!("<p class=\"note\">The {side} changed like that of a piece above.</p>\n");
        }
        let alone = !differs && !change.is_gone();
        let before = self.before.filter(|_| !alone).and_then(|state| picture(state, change, is_front, "before"));
        let now = picture(self.now, change, is_front, if alone { "" } else { "now" });
        let pictures = [before, now].into_iter().flatten().collect::<String>();
        if pictures.is_empty() { pictures } else { format!("<div class=\"pair\">\n{pictures}</div>\n") }
    }
}

fn picture(state: &State, change: &Change, is_front: bool, when: &str) -> Option<String> {
    let svg = state.picture(&change.address, is_front)?;
    let [w, h] = state.size(&change.address)?;
    let shape = state.pieces.get(&change.address).map_or("", |piece| piece.look.shape.as_str());
    let side = if is_front { "front" } else { "back" };
    let data = STANDARD.encode(svg);
    let caption = if when.is_empty() { side.to_owned() } else { format!("{side}, {when}") };
    let alt = escaped(&format!("{}: {caption}", change.address));
    Some(format!(
        "<figure><img class=\"{shape}\" style=\"width:{w}mm;aspect-ratio:{w}/{h}\" alt=\"{alt}\" src=\"data:image/svg+xml;base64,{data}\"><figcaption>{caption}</figcaption></figure>\n"
    ))
}

fn field(change: &FieldChange) -> String {
    let cell = |value: &Option<String>, tag: &str| match value {
        Some(value) => format!("<td><{tag}>{}</{tag}></td>", escaped(value)),
        None => "<td class=\"none\">none</td>".to_owned(),
    };
    let (before, now) = (cell(&change.before, "del"), cell(&change.now, "ins"));
    format!("<tr><th scope=\"row\">{}</th>{before}{now}</tr>\n", escaped(&change.path))
}

/// Text that is nothing but text wherever it stands in a page.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_makes_no_markup() {
        assert_eq!(
            escaped("<b a=\"1\" b='2'>&\u{1b}</b>"),
            "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;\\u{1b}&lt;/b&gt;"
        );
    }
}
