//! Where a text stands, and the box that it is broken into.

use super::{Attribute, On};

const TEXT: On = On::These(&["text"]);
const PLACED: On = On::These(&["text", "tspan"]);

/// Where a text stands.
pub(super) const PLACE: [Attribute; 5] = [
    Attribute {
        name: "x",
        look: None,
        on: PLACED,
        takes: "one length",
        without: "`0`; of a `<tspan>`: where the text is",
        about: "Where the line begins, has its middle or ends (`text-anchor`). On a `<tspan>` a new line begins there.",
        example: r##"<text x="31.5" y="20" text-anchor="middle">Green Tea</text>"##,
    },
    Attribute {
        name: "y",
        look: None,
        on: PLACED,
        takes: "one length",
        without: "`0`; of a `<tspan>`: where the text is",
        about: "The baseline. On a `<tspan>` without `x` the text goes on at that height. In columns it is the other way round.",
        example: r##"<text x="6" y="20">one<tspan x="6" y="26">two</tspan></text>"##,
    },
    Attribute {
        name: "dx",
        look: None,
        on: PLACED,
        takes: "one length",
        without: "`0`",
        about: "Moves this text and all that follows it in the line to the right.",
        example: r##"<text x="6" y="20">7<tspan dx="1">points</tspan></text>"##,
    },
    Attribute {
        name: "dy",
        look: None,
        on: PLACED,
        takes: "one length",
        without: "`0`",
        about: "Moves this text and all that follows it in the line down; below zero up. What is to stand on the line again is moved back.",
        example: r##"<text x="6" y="20">3 m<tspan dy="-1" font-size="2">2</tspan><tspan dy="1"> each</tspan></text>"##,
    },
    Attribute {
        name: "transform",
        look: None,
        on: On::Every,
        takes: "SVG's transforms",
        without: "none",
        about: "Moves, turns or scales the element and all inside it.",
        example: r##"<text x="10" y="30" transform="rotate(-8 10 30)">Fresh!</text>"##,
    },
];

/// The box of a text.
pub(super) const BOX: [Attribute; 9] = [
    Attribute {
        name: "pb:box",
        look: None,
        on: TEXT,
        takes: "four lengths: left, top, width, height",
        without: "one line",
        about: "Breaks the text into lines inside the box. What does not fit is an error.",
        example: r##"<text pb:box="6 30 51 40">The first cup wakes the tongue, the second the heart.</text>"##,
    },
    Attribute {
        name: "shape-inside",
        look: None,
        on: TEXT,
        takes: "`url(#id)` of a `<rect>`",
        without: "one line",
        about: "The same in SVG 2, as Inkscape writes it: the box is the rectangle. Its own `transform` counts, those around it do not.",
        example: r##"<g><rect id="words" x="6" y="30" width="51" height="40" fill="none"/><text shape-inside="url(#words)">Words in a box.</text></g>"##,
    },
    Attribute {
        name: "shape-padding",
        look: None,
        on: TEXT,
        takes: "a length",
        without: "`0`",
        about: "How far the text keeps inside of its `shape-inside`.",
        example: r##"<g><rect id="page" x="6" y="30" width="51" height="40" fill="#ffffff"/><text shape-inside="url(#page)" shape-padding="2">Words with room around them.</text></g>"##,
    },
    Attribute {
        name: "inline-size",
        look: None,
        on: TEXT,
        takes: "a length",
        without: "one line",
        about: "Bounds the width only, in columns the height; `x` and `y` say where the first line stands.",
        example: r##"<text x="6" y="34" inline-size="51">Words that take as many lines as they need.</text>"##,
    },
    Attribute {
        name: "pb:valign",
        look: None,
        on: TEXT,
        takes: "`top`, `middle`, `bottom`",
        without: "`top`",
        about: "Where the lines stand in their box; in columns `top` is the right side.",
        example: r##"<text pb:box="6 30 51 40" pb:valign="middle">In the middle.</text>"##,
    },
    Attribute {
        name: "pb:fit",
        look: None,
        on: TEXT,
        takes: "`none`, `shrink`",
        without: "`none`",
        about: "`shrink` makes a text that does not fit smaller until it does.",
        example: r##"<text pb:box="6 30 51 12" pb:fit="shrink">A text that may be long on one card and short on the next.</text>"##,
    },
    Attribute {
        name: "pb:min-size",
        look: None,
        on: TEXT,
        takes: "a length above zero",
        without: "70 % of the size",
        about: "The smallest size that `pb:fit=\"shrink\"` may come to.",
        example: r##"<text pb:box="6 30 51 12" pb:fit="shrink" pb:min-size="7pt" font-size="9pt">Never smaller than seven points.</text>"##,
    },
    Attribute {
        name: "pb:max-lines",
        look: None,
        on: TEXT,
        takes: "a whole number from 1",
        without: "as many as fit",
        about: "The most lines that the text may take.",
        example: r##"<text pb:box="6 30 51 40" pb:max-lines="2">No more than two lines.</text>"##,
    },
    Attribute {
        name: "pb:rich",
        look: None,
        on: TEXT,
        takes: "`true`, `false`",
        without: "`false`",
        about: "Gives meaning to `**bold**`, `*emphasis*`, `[words](#c00)` in a colour, `{icon}` and emoji; `\\*` is the character itself. It needs no box.",
        example: r##"<text pb:box="6 30 51 12" pb:rich="true">Take **two** {sun}.</text>"##,
    },
];

/// A property that other programs draw letters otherwise for.
#[derive(Clone, Copy, Debug)]
pub struct Undrawn {
    /// Its name.
    pub name: &'static str,
    /// The values that ask for nothing.
    pub nothing: &'static [&'static str],
    /// What to do in its place.
    pub instead: &'static str,
}

const fn undrawn(name: &'static str, nothing: &'static [&'static str], instead: &'static str) -> Undrawn {
    Undrawn { name, nothing, instead }
}

const LINE: &str = "draw a line at the words";
const SMALL_CAPITALS: &str = "write capitals, in a `<tspan>` with a smaller `font-size`";
const BASELINE: &str = "`y` is the baseline; in a box `pb:valign` says where the lines stand";

/// Properties that would change how letters look and are not drawn.
pub const UNDRAWN: [Undrawn; 16] = [
    undrawn("stroke", &["none"], "turn the word into a path in a drawing program, or draw a shape behind it"),
    undrawn("text-decoration", &["none"], LINE),
    undrawn("text-decoration-line", &["none"], LINE),
    undrawn(
        "text-transform",
        &["none"],
        "write it so; in an expression the filters `upper`, `lower` and `title` do it",
    ),
    undrawn("font-variant", &["normal"], SMALL_CAPITALS),
    undrawn("font-variant-caps", &["normal"], SMALL_CAPITALS),
    undrawn("font-feature-settings", &["normal"], "choose a font that looks so by itself"),
    undrawn(
        "baseline-shift",
        &["baseline", "0", "0px"],
        "write ² and ³, or give the `<tspan>` a `dy` and a smaller `font-size`",
    ),
    undrawn("dominant-baseline", &["auto", "alphabetic"], BASELINE),
    undrawn("alignment-baseline", &["auto", "baseline", "alphabetic"], BASELINE),
    undrawn("rotate", &["0"], "turn the whole text with `transform`"),
    undrawn("word-spacing", &["normal", "0", "0px"], "set `letter-spacing`, or each word as a text of its own"),
    undrawn("text-indent", &["0", "0px"], "set the first line as a text of its own"),
    undrawn("textLength", &[], "set `letter-spacing`, or let the text shrink in a box (`pb:fit=\"shrink\"`)"),
    undrawn("columns", &["auto", "1"], "take two boxes"),
    undrawn("shape-subtract", &["none"], "take several boxes"),
];
