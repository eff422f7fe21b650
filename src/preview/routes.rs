//! Which address gives what. Every address is a word of this list or a key; no part of one ever becomes the name of a file.

use bytes::Bytes;

use super::Show;

/// What is answered.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The media type.
    pub media: &'static str,
    /// Whether it stays as it is for ever.
    pub lasting: bool,
    /// The body.
    pub body: Bytes,
}

/// The address of the feed.
pub const FEED: &str = "/feed";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const PLAIN: &str = "text/plain; charset=utf-8";

/// The files of the page: address, media type, text.
const PAGE: [(&str, &str, &str); 9] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/page.css", CSS, include_str!("page/page.css")),
    ("/icon.svg", PICTURE, include_str!("page/icon.svg")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/faces.js", SCRIPT, include_str!("page/faces.js")),
    ("/sheets.js", SCRIPT, include_str!("page/sheets.js")),
    ("/settings.js", SCRIPT, include_str!("page/settings.js")),
    ("/keys.js", SCRIPT, include_str!("page/keys.js")),
];

/// The media type of the feed.
pub const EVENTS: &str = "text/event-stream";

/// The reply to a request for `address`, a path without a query.
pub fn reply(address: &str, show: &dyn Show) -> Reply {
    if let Some((_, media, text)) = PAGE.iter().find(|(known, ..)| *known == address) {
        return Reply { status: 200, media, lasting: false, body: Bytes::from_static(text.as_bytes()) };
    }
    let parts: Vec<&str> = address.split('/').skip(1).collect();
    let json = |text: String| Reply { status: 200, media: JSON, lasting: false, body: Bytes::from(text) };
    let found = match parts.as_slice() {
        ["index.json"] => Some(json(show.index())),
        ["games", key] => show.game(key).map(json),
        ["games", key, "sheets", players, paper] => show.sheets(key, players, paper).map(json),
        ["faces", key] => show.face(key).map(|picture| Reply {
            status: 200,
            media: PICTURE,
            lasting: true,
            body: Bytes::from_owner(picture),
        }),
        _ => None,
    };
    found.unwrap_or_else(|| refusal(404, "there is nothing here"))
}

/// A reply that says why there is no other.
pub fn refusal(status: u16, why: &'static str) -> Reply {
    Reply { status, media: PLAIN, lasting: false, body: Bytes::from_static(why.as_bytes()) }
}

/// The headers of a reply. Whatever is shown may load nothing from elsewhere, run no script but the page's own, and be shown in no
/// other page.
pub fn headers(media: &'static str, lasting: bool) -> [(&'static str, &'static str); 7] {
    let policy = if media == PICTURE {
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
    } else {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    };
    [
        ("content-type", media),
        ("content-security-policy", policy),
        ("cache-control", if lasting { "private, max-age=31536000, immutable" } else { "no-store" }),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    struct One;

    impl Show for One {
        fn index(&self) -> String {
            "{}".to_owned()
        }
        fn game(&self, key: &str) -> Option<String> {
            (key == "a").then(|| "{}".to_owned())
        }
        fn sheets(&self, key: &str, players: &str, paper: &str) -> Option<String> {
            ((key, players, paper) == ("a", "4", "a4")).then(|| "[]".to_owned())
        }
        fn face(&self, key: &str) -> Option<Arc<[u8]>> {
            (key == "f").then(|| Arc::from(*b"<svg/>"))
        }
        fn generation(&self) -> u64 {
            1
        }
    }

    #[test]
    fn addresses_are_words_and_keys_and_nothing_else() {
        for address in ["/", "/page.css", "/index.json", "/games/a", "/games/a/sheets/4/a4", "/faces/f"] {
            assert_eq!(reply(address, &One).status, 200, "{address}");
        }
        let wrong =
            ["", "//", "/games", "/games/b", "/faces/../Cargo.toml", "/../Cargo.toml", "/%2e%2e/x", "/games/a/", "/f"];
        for address in wrong {
            assert_eq!(reply(address, &One).status, 404, "{address}");
        }
    }

    #[test]
    fn the_page_asks_for_files_of_its_own_only() {
        let (_, _, html) = PAGE[0];
        for link in html.split("=\"/").skip(1) {
            let file = format!("/{}", link.split('"').next().unwrap_or_default());
            assert!(PAGE.iter().any(|(known, ..)| *known == file), "{file}");
        }
        for (name, _, text) in PAGE {
            let foreign = text.replace("http://www.w3.org/", "");
            assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{name} names another host");
        }
    }
}
