//! The register of the keys that a data file may have: what the loader reads, what `paiban schema` tells editors, and what the
//! reference must explain. Reading a key that is not here, or forgetting one that is, stops every debug build.

/// What may stand under a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of texts.
    Texts,
    /// A whole number between two.
    Integer(i64, i64),
    /// A number, or a list of numbers.
    Numbers,
    /// `true` or `false`.
    Flag,
    /// A length, like `"3mm"`.
    Length,
    /// A list of lengths, or one.
    Lengths,
    /// A size, like `"63x88mm"`.
    Size,
    /// A number of pieces: a whole number, a table by player counts, or an expression.
    Quantity,
    /// A table of texts under free names.
    TextTable,
    /// A table.
    Table,
    /// A list of tables.
    Tables,
    /// A list of whole numbers.
    Integers,
    /// Whatever the reference says.
    Any,
}

/// A key of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What may stand under it.
    pub shape: Shape,
    /// What it means, in a line.
    pub about: &'static str,
    /// Whether it must be there.
    pub required: bool,
}

/// A table with its keys.
#[derive(Debug, PartialEq)]
pub struct Keys {
    /// How the table is written: `[game]`, `[[component]]`.
    pub table: &'static str,
    /// Its keys, in the order of the reference.
    pub keys: &'static [Key],
}

impl Keys {
    /// Whether the table has a key of this name.
    pub fn has(&self, name: &str) -> bool {
        self.shape(name).is_some()
    }

    /// What may stand under the key of this name.
    pub fn shape(&self, name: &str) -> Option<Shape> {
        self.keys.iter().find(|key| key.name == name).map(|key| key.shape)
    }

    /// Whether the register says of this key that it takes these words; a kind of table may take fewer of them.
    pub fn takes_words(&self, name: &str, words: &[&str]) -> bool {
        match self.shape(name) {
            Some(Shape::Word([only])) => words.contains(only),
            Some(Shape::Word(known)) => known == words,
            shape => shape.is_none(),
        }
    }

    /// Whether the register says of this key that it takes whole numbers from `low` to `high`.
    pub fn takes_integers(&self, name: &str, low: i64, high: i64) -> bool {
        self.shape(name).is_none_or(|shape| shape == Shape::Integer(low, high))
    }
}

const fn key(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key { name, shape, about, required: false }
}

const fn must(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key { name, shape, about, required: true }
}

use Shape::{
    Any, Flag, Integer, Integers, Length, Lengths, Numbers, Quantity, Size, Table, Tables, Text, TextTable, Texts, Word,
};

const SOURCE: Key =
    key("source", Any, "Where it comes from: rules, derived, reconstructed or decided; or a table of these by field.");
const TITLE: Key = key("title", Text, "What people read.");

/// `[game]`
pub const GAME: Keys = Keys {
    table: "[game]",
    keys: &[
        must("id", Text, "The folder's name."),
        must("title", Text, "What people read."),
        key("language", Text, "BCP 47, like zh-Hans: regional glyph forms and the words in the margins."),
        must("players", Integers, "The player counts that get a kit each."),
        key("version", Text, "Printed on every sheet."),
        key("icons", Text, "The set in templates/icons/ that icon names are looked up in."),
        key("gutter", Text, "The room between neighbours where a component says nothing: auto, 0 or a length."),
        key("credits", Any, "Free text for templates."),
    ],
};

/// `[[component]]`
pub const COMPONENT: Keys = Keys {
    table: "[[component]]",
    keys: &[
        must("id", Text, "Its name in addresses and file names."),
        TITLE,
        key("kind", Word(&["card", "token", "board", "page", "box"]), "What it is."),
        key("trim", Size, "The finished size."),
        key("bleed", Length, "How far the art reaches beyond the trim."),
        key("safe", Length, "How far inside the trim texts keep."),
        key("shape", Word(&["rect", "circle", "hex-flat", "hex-pointy", "standee", "drawn"]), "How it is cut."),
        key("edge", Text, "The flat colour at every edge: neighbours may then share a cut."),
        key("gutter", Text, "The room between neighbours: auto, 0 or a length."),
        key("own_sheet", Flag, "No other component lies on its sheets."),
        key("folds", Lengths, "Where a board is folded, along its longer side."),
        must("front", Text, "The template of the front, below templates/."),
        key("back", Text, "The template of the back."),
        key("backs_differ", Text, "Why the backs of this deck may differ."),
        key("one_way_back", Text, "Why this back need not look the same upside down."),
        key("records", Text, "One piece per record of this kind, or per row of this spreadsheet."),
        key("expand", Texts, "One piece per combination of records of these kinds."),
        key(
            "fields",
            TextTable,
            "The types of the records' fields: text, integer, number, boolean, list; with ? they may be missing.",
        ),
        key("copies", Integer(1, 1000), "Copies of each piece."),
        key("derive", TextTable, "Fields of a combined piece, each an expression."),
        key("preflight", Table, "Limits of its own, as in [preflight]."),
        key("printed", Quantity, "Pieces in a kit."),
        key("used", Quantity, "Pieces in play."),
        SOURCE,
    ],
};

/// `[[component]]` with `kind = "box"`
pub const BOX: Keys = Keys {
    table: "[[component]] of kind box",
    keys: &[
        must("id", Text, "Its name in addresses and file names."),
        TITLE,
        key("kind", Word(&["box"]), "A tuck box."),
        key("holds", Texts, "The cards or tokens that make its size."),
        key("inside", Size, "The room that it is to have: width, height, depth."),
        key("stock", Length, "Thickness of a card."),
        key("paper_thickness", Length, "Thickness of what the box is made from."),
        key("bleed", Length, "How far the art reaches beyond the cut."),
        key("safe", Length, "How far inside the cut texts keep."),
        must("front", Text, "The template of its outside."),
        key("back", Text, "The template of its inside."),
        key("preflight", Table, "Limits of its own, as in [preflight]."),
        SOURCE,
    ],
};

/// `[[invariant]]`
pub const INVARIANT: Keys = Keys {
    table: "[[invariant]]",
    keys: &[
        must("id", Text, "The code of its findings."),
        TITLE,
        key("for", Text, "A record kind, a combined component, players, or left out: once."),
        key("where", Text, "An expression that picks some."),
        key("group_by", Texts, "Fields that records are grouped by."),
        must("check", Text, "The expression that must hold."),
        key("at", Text, "The field that a finding points at."),
        key("expect", Text, "What was expected."),
        key("message", Text, "What the finding says, with {{ }}."),
        key("help", Text, "How to mend it."),
        key("erratum", Text, "Why the rules are known to be wrong here."),
        key("where_in_rules", Text, "Where the rules say it."),
    ],
};

/// `[[claim]]`
pub const CLAIM: Keys = Keys {
    table: "[[claim]]",
    keys: &[
        must("id", Text, "Its name."),
        must("at", Text, "Where it stands in the rules."),
        must("says", Text, "The words of the rules."),
        must("stated", Any, "The number that they state: a number, a text like \"36.6 %\", or a list."),
        key("relation", Word(&["=", ">=", "<=", "about"]), "How it stands to what comes out."),
        key("value", Text, "The expression that works it out."),
        key("arithmetic", Flag, "The text only reckons with its own numbers."),
        key("players", Integer(1, 99), "For how many players."),
        key("script", Text, "The function of rules.lua that works it out."),
        key("with", Any, "The arguments of that function, a list."),
        key("simulate", Table, "The self-play that works it out."),
        key("not_checkable", Text, "Why it cannot be checked."),
        key("erratum", Text, "Why the rules are wrong here."),
        key("right", Any, "What is right then."),
    ],
};

/// `simulate` of a claim
pub const SIMULATE: Keys = Keys {
    table: "simulate of a [[claim]]",
    keys: &[
        must("players", Integer(1, 99), "How many play."),
        must("games", Integer(2, 100_000), "How many games."),
        key("seed", Integer(0, i64::MAX), "What the dice begin with."),
        key("policy", Word(&["random", "greedy"]), "How players choose."),
        must("figure", Text, "The figure of the simulation."),
        key("of", Word(&["mean", "least", "most"]), "What of that figure."),
    ],
};

/// `[[replay]]`
pub const REPLAY: Keys = Keys {
    table: "[[replay]]",
    keys: &[
        must("id", Text, "Its name."),
        TITLE,
        key("where_in_rules", Text, "Where the rules print it."),
        must("setup", Table, "What the script is given to set up the game."),
        must("steps", Tables, "Moves and what is stated, in turn."),
        key("unfinished", Flag, "The sample stops before the game ends."),
    ],
};

/// A statement among the steps of a `[[replay]]`
pub const STEP: Keys = Keys {
    table: "steps of a [[replay]]",
    keys: &[
        key("is", Table, "What must be so, among others."),
        key("exactly", Table, "What must be so, and nothing else."),
        key("in_fact", Table, "What is so instead, where the text has a slip."),
        key("erratum", Text, "Why the text has a slip here."),
        key("stated", Text, "This step states something; the text names a fact of the script."),
    ],
};

/// The limits that `[preflight]` and a component's `preflight` share.
const LIMITS: [Key; 11] = [
    key("contrast", Numbers, "Least contrast of a text to its ground."),
    key("contrast_large", Numbers, "Least contrast of a large text."),
    key("shrunk", Numbers, "How many per cent a text may shrink."),
    key("sheet", Numbers, "How many per cent of its sheets a component may leave empty."),
    key("text_cjk", Lengths, "Smallest Chinese, Japanese and Korean text: error, warning."),
    key("text_latin", Lengths, "Smallest other text: error, warning."),
    key("reversed", Lengths, "How much larger light text on a dark ground must be."),
    key("stroke", Lengths, "Thinnest line."),
    key("frame", Length, "How far inside the trim frames keep."),
    key("ppi", Numbers, "Dots an inch of pictures: error, warning, too many."),
    key("colours", Numbers, "How far apart the colours of categories are: as they are, in grey, to the colour-blind."),
];

/// `[preflight]`
pub const PREFLIGHT: Keys = Keys {
    table: "[preflight]",
    keys: &{
        let allow = key("allow", Tables, "What a design means although it breaks a limit.");
        let categories = key("categories", Table, "Colours that tell things apart.");
        let [a, b, c, d, e, f, g, h, i, j, k] = LIMITS;
        [a, b, c, d, e, f, g, h, i, j, k, allow, categories]
    },
};

/// `preflight` of a component
pub const COMPONENT_PREFLIGHT: Keys = Keys { table: "preflight of a [[component]]", keys: &LIMITS };

/// `[[preflight.allow]]`
pub const ALLOW: Keys = Keys {
    table: "[[preflight.allow]]",
    keys: &[
        must("check", Text, "The code of the check."),
        key("of", Texts, "Components, pieces, sides or elements that may."),
        key("limit", Numbers, "The limit that holds for them instead."),
        must("why", Text, "Why the design means it."),
    ],
};

/// The file of a shop, `shops/<id>.toml`
pub const SHOP: Keys = Keys {
    table: "shops/<id>.toml",
    keys: &[
        TITLE,
        must("bleed", Length, "How far art must reach beyond the trim."),
        key("safe", Length, "How far inside the trim texts must keep."),
        key("output", Word(&["pdf", "png"]), "What it takes."),
        key("dpi", Integer(72, 2400), "Dots an inch of pictures."),
        key("colour", Word(&["rgb", "cmyk", "grey"]), "Colours or inks."),
        key("ink_limit", Integer(100, 400), "Per cent of all inks at one place."),
        key("rich_black", Integers, "Per cent of cyan, magenta, yellow and black of large black areas."),
        key("pdf", Word(&["plain", "x-4", "x-1a"]), "The standard of its PDF."),
        key("order", Word(&["front-back", "back-front", "fronts-then-back"]), "The order of pages."),
        key("copies", Flag, "Each copy is a page or file of its own."),
        key("file", Text, "How files are named."),
        key("most", Integer(1, 1_000_000), "The most pieces of an order."),
    ],
};

/// A table whose keys are free, or of which only some are read.
pub const FREE: Keys = Keys { table: "records", keys: &[] };

/// All tables of the data files.
pub const ALL: [&Keys; 12] = [
    &GAME,
    &COMPONENT,
    &BOX,
    &PREFLIGHT,
    &COMPONENT_PREFLIGHT,
    &ALLOW,
    &INVARIANT,
    &CLAIM,
    &SIMULATE,
    &REPLAY,
    &STEP,
    &SHOP,
];
