//! Changes as a page with pictures before and after: one file that needs nothing else, runs nothing, and can be printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;

use super::changes::Told;
use super::compare::{Change, FieldChange};
use super::state::{Picture, State};
use super::words;

/// How the page looks. The page is in the colours of paper, so that pictures show as they are printed.
const STYLE: &str = include_str!("changes.css");

/// The changes of all games. `root` is the project's folder, whose repository may know what the faces were like.
pub fn render(told: &mut [Told<'_>], root: &Path) -> String {
    let titles: Vec<&str> = told.iter().map(|told| told.game.title.as_str()).collect();
    let title = escaped(&format!("Changes: {}", titles.join(", ")));
    let mut shown = BTreeSet::new();
    let games: String = told.iter_mut().map(|told| game(told, root, &mut shown)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{games}</body>\n</html>\n"
    )
}

/// The changes of a game. `shown` are the faces whose pictures the page has already.
fn game(told: &mut Told<'_>, root: &Path, shown: &mut BTreeSet<String>) -> String {
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
    let pictures = Pictures::of(before, state, changes);
    let groups = words::grouped(game, changes).into_iter().map(|group| {
        let mut backs = BTreeSet::new();
        let cards = group.changes.iter().map(|change| pictures.card(change, &game.language, &mut backs, shown));
        let cards: String = cards.collect();
        let title = format!("<h2 lang=\"{}\">{}</h2>\n", escaped(&game.language), escaped(group.title));
        format!("<section>\n{title}<div class=\"cards\">\n{cards}</div>\n</section>\n")
    });
    let groups: String = groups.collect();
    let summary = words::summary(changes);
    format!("<main>\n{head}<p>Changes since {since}: {summary}.</p>\n{why}{groups}</main>\n")
}

/// The looks of backs, before and now.
type Backs = BTreeSet<[Option<String>; 2]>;

/// The faces of a game that are shown.
struct Pictures<'s> {
    before: Option<&'s State>,
    now: &'s State,
    /// Their pictures, by what shows on them.
    made: BTreeMap<&'s str, Picture>,
}

impl<'s> Pictures<'s> {
    /// Draws all that `changes` need, each once.
    fn of(before: Option<&'s State>, now: &'s State, changes: &'s [Change]) -> Self {
        let mut pictures = Pictures { before, now, made: BTreeMap::new() };
        let mut wanted = BTreeMap::new();
        for (change, is_front) in changes.iter().flat_map(|change| [(change, true), (change, false)]) {
            for (state, _) in pictures.seen(change, is_front) {
                let look = state.look(&change.address, is_front);
                wanted.extend(look.map(|look| (look, (state, &change.address, is_front))));
            }
        }
        let drawn = wanted.into_par_iter();
        let drawn =
            drawn.filter_map(|(look, (state, address, is_front))| Some((look, state.picture(address, is_front)?)));
        pictures.made = drawn.collect();
        pictures
    }

    /// What changed of a piece. Of `backs` that many pieces share the first is shown.
    fn card(&self, change: &Change, language: &str, backs: &mut Backs, shown: &mut BTreeSet<String>) -> String {
        let address = &change.address;
        let name = self.name(address).map(|name| format!("<b lang=\"{}\">{}</b> ", escaped(language), escaped(name)));
        let what = words::told(change, "→", |address| format!("\u{201c}{address}\u{201d}"));
        let sides = [true, false].into_iter().map(|is_front| self.side(change, is_front, backs, shown));
        let sides: String = sides.collect();
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

    /// The states in which a side of a piece is shown, each with the word for it: before and after, where it looks different.
    fn seen(&self, change: &Change, is_front: bool) -> Vec<(&'s State, &'static str)> {
        let seen = change.seen;
        let differs = seen.cut || if is_front { seen.front } else { seen.back };
        // What is new or gone is shown by its front; so is what only has other data, without which one would not know what it is.
        if !differs && (!is_front || (seen.back && !seen.front)) {
            return Vec::new();
        }
        if !differs && !change.is_gone() {
            return vec![(self.now, "")];
        }
        let before = self.before.map(|state| (state, ", before"));
        before.into_iter().chain([(self.now, ", now")]).collect()
    }

    /// One side of a piece.
    fn side(&self, change: &Change, is_front: bool, backs: &mut Backs, shown: &mut BTreeSet<String>) -> String {
        let seen = self.seen(change, is_front);
        let hash = |state: &State| state.look(&change.address, is_front).map(str::to_owned);
        if !is_front && !seen.is_empty() && !backs.insert([self.before.and_then(hash), hash(self.now)]) {
            return "<p class=\"note\">The back changed like that of a piece above.</p>\n".to_owned();
        }
        let pictures = seen.into_iter().filter_map(|state| self.figure(change, is_front, state, shown));
        let pictures: String = pictures.collect();
        if pictures.is_empty() { pictures } else { format!("<div class=\"pair\">\n{pictures}</div>\n") }
    }

    /// A side of a piece in one state. A picture that the page has already is not put there again.
    fn figure(
        &self,
        change: &Change,
        is_front: bool,
        (state, when): (&State, &str),
        shown: &mut BTreeSet<String>,
    ) -> Option<String> {
        let piece = state.pieces.get(&change.address)?;
        let look = state.look(&change.address, is_front)?;
        let [w, h] = state.size(&change.address)?;
        let drawn = if shown.insert(look.to_owned()) {
            let Picture { kind, bytes } = self.made.get(look)?;
            let data = STANDARD.encode(bytes);
            let place = format!("width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\"");
            format!("<image id=\"face-{look}\" {place} href=\"data:{kind};base64,{data}\"/>")
        } else {
            format!("<use href=\"#face-{look}\"/>")
        };
        let caption = format!("{}{when}", if is_front { "front" } else { "back" });
        let (label, shape) = (escaped(&format!("{}: {caption}", change.address)), &piece.look.shape);
        let place = format!("viewBox=\"0 0 {w} {h}\" style=\"width:{w}mm;aspect-ratio:{w}/{h}\"");
        let svg = format!("<svg class=\"{shape}\" role=\"img\" aria-label=\"{label}\" {place}>{drawn}</svg>");
        Some(format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>\n"))
    }
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
