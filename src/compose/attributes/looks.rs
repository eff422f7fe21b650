//! How letters look: attributes and properties that a text inherits.

use super::{Attribute, On};

/// How a text looks: what [`super::style::TextStyle`] keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// `font-family`
    Families,
    /// `font-size`
    Size,
    /// `font-weight`
    Weight,
    /// `font-style`
    Slant,
    /// `fill`
    Fill,
    /// `fill-opacity`, and `opacity` of a text
    Opacity,
    /// `color`
    Colour,
    /// `letter-spacing`
    Spacing,
    /// `line-height`
    LineHeight,
    /// `text-align`
    Align,
    /// `text-anchor`
    Anchor,
    /// `white-space`
    WhiteSpace,
    /// `writing-mode`
    Writing,
    /// `text-orientation`
    Orientation,
    /// `xml:lang` and its like
    Language,
}

impl Look {
    /// The look that the attribute or property of this name says, and what it takes.
    pub fn named(name: &str) -> Option<(Self, &'static str)> {
        let attribute = LOOKS.iter().find(|attribute| attribute.name == name)?;
        Some((attribute.look?, attribute.takes))
    }
}

/// How letters look.
pub(super) const LOOKS: [Attribute; 18] = [
    Attribute {
        name: "font-family",
        look: Some(Look::Families),
        on: On::Handed,
        takes: "names of `[fonts]` or families in `fonts/`, apart by commas",
        without: "`sans`",
        about: "The first family that has the characters of a run is taken. `sans` is the built-in one where a game says nothing else.",
        example: r##"<text x="6" y="20" font-family="sans">Green Tea</text>"##,
    },
    Attribute {
        name: "font-size",
        look: Some(Look::Size),
        on: On::Handed,
        takes: "a length above zero",
        without: "`3` (mm)",
        about: "The size of the em.",
        example: r##"<text x="6" y="20" font-size="9pt">Green Tea</text>"##,
    },
    Attribute {
        name: "font-weight",
        look: Some(Look::Weight),
        on: On::Handed,
        takes: "`normal`, `bold`, 1 to 1000",
        without: "`normal`",
        about: "The nearest weight that the family has is taken.",
        example: r##"<text x="6" y="20" font-weight="700">Green Tea</text>"##,
    },
    Attribute {
        name: "font-style",
        look: Some(Look::Slant),
        on: On::Handed,
        takes: "`normal`, `italic`, `oblique`",
        without: "`normal`",
        about: "The italic face, where the family has one.",
        example: r##"<text x="6" y="20" font-style="italic">Green Tea</text>"##,
    },
    Attribute {
        name: "fill",
        look: Some(Look::Fill),
        on: On::Handed,
        takes: "one colour, `none`, `currentColor`",
        without: "`black`",
        about: "The colour of letters: no gradient, no pattern.",
        example: r##"<text x="6" y="20" fill="#33402f">Green Tea</text>"##,
    },
    Attribute {
        name: "fill-opacity",
        look: Some(Look::Opacity),
        on: On::Handed,
        takes: "0 to 1, or per cent",
        without: "`1`",
        about: "How opaque that colour is.",
        example: r##"<text x="6" y="20" fill-opacity="0.6">Green Tea</text>"##,
    },
    Attribute {
        name: "opacity",
        look: Some(Look::Opacity),
        on: On::Handed,
        takes: "0 to 1, or per cent",
        without: "`1`",
        about: "The same; on a group the group is drawn as a whole (see below).",
        example: r##"<text x="6" y="20" opacity="60%">Green Tea</text>"##,
    },
    Attribute {
        name: "color",
        look: Some(Look::Colour),
        on: On::Handed,
        takes: "a colour",
        without: "`black`",
        about: "What `currentColor` is. On a `<use>` of an icon it tints what the icon draws in `currentColor`.",
        example: r##"<use href="icon:sun" x="5" y="5" width="8" height="8" color="#b3261e"/>"##,
    },
    Attribute {
        name: "letter-spacing",
        look: Some(Look::Spacing),
        on: On::Handed,
        takes: "`normal`, a length",
        without: "`normal`",
        about: "Room after every letter.",
        example: r##"<text x="6" y="20" letter-spacing="0.1em">GREEN TEA</text>"##,
    },
    Attribute {
        name: "line-height",
        look: Some(Look::LineHeight),
        on: On::Handed,
        takes: "`normal`, a number of sizes, a length",
        without: "`1.4`",
        about: "From baseline to baseline; in columns from middle to middle.",
        example: r##"<text pb:box="6 30 51 40" line-height="1.25">Lines that stand closer than usual.</text>"##,
    },
    Attribute {
        name: "text-align",
        look: Some(Look::Align),
        on: On::Handed,
        takes: "`start`, `center`, `end`, `justify`",
        without: "`start`",
        about: "Where lines stand between the sides of their box. `left`, `centre`, `middle` and `right` are understood.",
        example: r##"<text pb:box="6 30 51 40" text-align="center">In the middle of each line.</text>"##,
    },
    Attribute {
        name: "text-anchor",
        look: Some(Look::Anchor),
        on: On::Handed,
        takes: "`start`, `middle`, `end`",
        without: "`start`",
        about: "What of a single line is at `x`, of a single column at `y`.",
        example: r##"<text x="31.5" y="20" text-anchor="middle">Green Tea</text>"##,
    },
    Attribute {
        name: "white-space",
        look: Some(Look::WhiteSpace),
        on: On::Handed,
        takes: "`normal`, `nowrap`, `pre`, `pre-line`, `pre-wrap`, `break-spaces`",
        without: "`normal`",
        about: "With all but the first two a line feed of the template breaks the line; one in the data always does.",
        example: r##"<text pb:box="6 30 51 40" white-space="pre-line">one line&#10;and one more</text>"##,
    },
    Attribute {
        name: "writing-mode",
        look: Some(Look::Writing),
        on: On::Handed,
        takes: "`horizontal-tb`, `vertical-rl`",
        without: "`horizontal-tb`",
        about: "`vertical-rl` sets columns from right to left. SVG 1.1's `lr`, `lr-tb`, `tb` and `tb-rl` are understood.",
        example: r##"<text x="52" y="10" writing-mode="vertical-rl">春茶</text>"##,
    },
    Attribute {
        name: "text-orientation",
        look: Some(Look::Orientation),
        on: On::Handed,
        takes: "`mixed`, `upright`, `sideways`",
        without: "`mixed`",
        about: "How words stand in columns: turned, or with `upright` letter below letter.",
        example: r##"<text x="52" y="10" writing-mode="vertical-rl" text-orientation="upright">春茶TEA</text>"##,
    },
    Attribute {
        name: "pb:lang",
        look: Some(Look::Language),
        on: On::These(&["text", "tspan", "a", "g", "svg"]),
        takes: "a language, as in BCP 47",
        without: "the game's `language`",
        about: "Where lines may break, and the regional forms of glyphs where the font has them: `zh-Hans`, `zh-Hant`, `ja`; all others are alike. The built-in font has the forms of the mainland only; `[fonts]` can name another for a language, as in `\"sans:ja\"`.",
        example: r##"<text x="6" y="20" pb:lang="zh-Hant">骨直角草</text>"##,
    },
    Attribute {
        name: "xml:lang",
        look: Some(Look::Language),
        on: On::Handed,
        takes: "a language",
        without: "the game's `language`",
        about: "The same, as XML spells it.",
        example: r##"<text x="6" y="20" xml:lang="ja">骨直角草</text>"##,
    },
    Attribute {
        name: "lang",
        look: Some(Look::Language),
        on: On::Handed,
        takes: "a language",
        without: "the game's `language`",
        about: "The same, as SVG 2 spells it.",
        example: r##"<text x="6" y="20" lang="ja">骨直角草</text>"##,
    },
];
