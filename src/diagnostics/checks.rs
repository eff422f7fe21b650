//! The register of built-in checks. Each has a code, a severity, a title, a reason, a way to mend what it finds, and an example.

use super::Severity;

/// A built-in check.
#[derive(Debug, PartialEq)]
pub struct Check {
    /// Its code, in kebab case.
    pub code: &'static str,
    /// How bad its findings are.
    pub severity: Severity,
    /// What it finds, in a line.
    pub title: &'static str,
    /// Why that matters, and how to mend it.
    pub why: &'static str,
    /// What it finds, for example.
    pub wrong: &'static str,
    /// The same, mended.
    pub right: &'static str,
}

/// The check with this code.
pub fn by_code(code: &str) -> Option<&'static Check> {
    ALL.iter().copied().find(|check| check.code == code)
}

macro_rules! checks {
    ($($name:ident = $code:literal, $severity:ident, $title:literal, $why:literal, $wrong:literal, $right:literal;)*) => {
        $(#[doc = $title] pub const $name: &Check =
            &Check {
                code: $code,
                severity: Severity::$severity,
                title: $title,
                why: $why,
                wrong: $wrong,
                right: $right,
            };)*
        /// All built-in checks, in the order of the way a datum takes through the program.
        pub const ALL: &[&Check] = &[$($name),*];
    };
}

checks! {
    FILE_UNREADABLE = "file-unreadable", Error, "a file that the data names cannot be read",
        "A missing picture, template or font would leave a hole in a card. Check the name, its upper and lower case, and that the file lies inside the project.",
        r#"front = "mini/crad.svg""#,
        r#"front = "mini/card.svg""#;
    TOML_SYNTAX = "toml-syntax", Error, "a data file is not valid TOML",
        "What follows the fault may be read wrongly. The message says what the parser stumbled over; a quote or bracket that is not closed is the usual cause.",
        r#"name = "Sun"#,
        r#"name = "Sun""#;
    SHEET_SYNTAX = "spreadsheet-syntax", Error, "a spreadsheet cannot be read as it stands",
        "A cell that is read wrongly is a card that is printed wrongly. The first row names the columns; a cell with the delimiter, a quote or a line break in it stands in quotes; docs/reference/data.md tells the rest.",
        r#"sun,"Sun, the elder,3 (a quote that never closes)"#,
        r#"sun,"Sun, the elder",3"#;
    KEY_UNKNOWN = "key-unknown", Error, "a table has a key that means nothing",
        "A misspelt key would be ignored in silence and the default used instead. Correct the spelling or delete the line.",
        r##"colour = "#ffffff" in a [[component]]"##,
        r##"edge = "#ffffff""##;
    KEY_MISSING = "key-missing", Error, "a table lacks a key that it needs",
        "Add the key; docs/reference/data.md says what it means.",
        r#"[[component]] without `front`"#,
        r#"front = "mini/card.svg""#;
    TYPE_WRONG = "type-wrong", Error, "a value has the wrong type",
        "A number in quotes is text, and text is not counted. Write the value in the type that is asked for.",
        r#"power = "3""#,
        r#"power = 3"#;
    VALUE_WRONG = "value-wrong", Error, "a value is not one of those that are possible here",
        "The message names what is possible.",
        r#"kind = "cart""#,
        r#"kind = "card""#;
    TEXT_CONTROL = "text-control", Error, "a text has a control character in it",
        "Control characters have no shape and would be left out in silence; they come in by copying. Delete the character, or write a line feed (`\n`) where the line should break.",
        r#"text = "Warms\u0007 the land.""#,
        r#"text = "Warms the land.""#;
    ID_DUPLICATE = "id-duplicate", Error, "two things have the same id",
        "One would hide the other, and a card would be lost. Give each its own id.",
        r#"id = "sun" in two [[card]] tables"#,
        r#"id = "sun" and id = "moon""#;
    REFERENCE_DANGLING = "reference-dangling", Error, "something is named that does not exist",
        "The name of a record kind, a component, a template, an icon or a font must be that of one that is there.",
        r#"records = "crad""#,
        r#"records = "card""#;
    RECORD_UNUSED = "record-unused", Warning, "records of this kind are neither printed nor checked",
        "Either a component or an invariant was meant to use them, or the kind's name is misspelt.",
        r#"[[crad]] tables, and components with records = "card""#,
        r#"[[card]]"#;
    FIELD_UNUSED = "field-unused", Warning, "nothing reads a field of the records, or a value of the theme",
        "Its name is misspelt, or that of what should read it, or it was forgotten. Correct the name, delete the field, or say in `[unused]` of game.toml why it stays.",
        r#"powr = 3, and templates that read record.power"#,
        r#"power = 3"#;
    TEMPLATE_UNUSED = "template-unused", Warning, "no component and no other template uses a template",
        "It is not checked and rots. Name it, delete it, or say in `[unused]` of game.toml why it stays.",
        r#"templates/mini/old.svg, which no component names"#,
        r#""mini/old.svg" = "for the next edition" under [unused], or no such file"#;
    ICON_UNUSED = "icon-unused", Warning, "nothing draws an icon that has a name, or any icon of a set",
        "A misspelt name draws another icon, or none. Correct the name, delete it, or say in `[unused]` of game.toml why it stays.",
        r#"moon = "flat" under [icons], and templates that draw icon:sun only"#,
        r#"<use href="icon:moon" .../>, or no such line"#;
    EXCUSE_STALE = "excuse-stale", Error, "something is excused that needs no excuse",
        "The data was mended, so the excuse must go, or it would hide the next slip: delete the line.",
        r#""card.power" = "not needed yet" under [unused], and a template that reads record.power"#,
        r#"no such line"#;
    BACKS_DIFFER = "backs-differ", Warning, "cards of one deck have different backs",
        "A card would be known by its back. Let the back read nothing of the record, or, where the design means it, say why with `backs_differ` in the component.",
        r#"<text>{{ record.name }}</text> in the template of a back"#,
        r#"a back that reads nothing of the record, or backs_differ = "...""#;
    BACK_ONE_WAY = "back-one-way", Warning, "the back of a deck looks different upside down",
        "A card that was turned would be known by its back. Draw a back that is the same when turned by 180 degrees, or say why it need not be with `one_way_back` in the component.",
        r#"a back with one sun at its top"#,
        r#"the sun drawn twice, the second time turned by 180 degrees, or one_way_back = "...""#;
    COUNT_WRONG = "count-wrong", Error, "a number of pieces does not work out",
        "A kit cannot hold more pieces than there are, nor use more than it prints, and every player count needs a number.",
        r#"printed = { 2 = 4 } in a game for 2 and 5"#,
        r#"printed = { 2 = 4, 5 = 6 }"#;
    EXPRESSION_SYNTAX = "expression-syntax", Error, "an expression cannot be understood",
        "Expressions are MiniJinja's: names, numbers, 'text', + - * / %, comparisons, and, or, not, filters with |.",
        r#"check = "card.power ==""#,
        r#"check = "card.power == 3""#;
    EXPRESSION_FAILED = "expression-failed", Error, "an expression could not be computed",
        "A misspelt name or field would silently count as nothing; that is why it is an error. Use `record.get('x')` for a field that may be missing.",
        r#"{{ record.nmae }}"#,
        r#"{{ record.name }}"#;
    INVARIANT_IDLE = "invariant-idle", Error, "an invariant never found anything to check",
        "A check that looks at nothing cannot fail. Its `for` or `where` matches no record: correct it or delete the invariant.",
        r#"where = "card.power > 99""#,
        r#"where = "card.power > 3""#;
    CLAIM_WRONG = "claim-wrong", Error, "a number that the rules state is not what comes out",
        "Either the number was copied wrongly, or the way it is worked out is wrong, or the rules' own text has a slip: then say so with `erratum` and `right` at that claim.",
        r#"stated = 81 and value = "all('card')|length", where there are 80"#,
        r#"stated = 81, right = 80 and erratum = "one card was counted twice""#;
    CLAIM_IDLE = "claim-idle", Error, "a claim is checked without looking at the game",
        "An expression of numbers alone proves nothing about the data. Let it read records or counts, use `script` or `simulate`, or say `arithmetic = true` where the text itself only reckons with its own numbers.",
        r#"value = "80""#,
        r#"value = "all('card')|length""#;
    CLAIM_OPEN = "claim-open", Note, "a number of the rules cannot be checked",
        "It hangs on something that the rules do not say, like the play of people or a lost text. The claim's `not_checkable` says what.",
        r#"a claim with not_checkable = "it hangs on how people play""#,
        r#"a claim with value = "...""#;
    ERRATUM_STALE = "erratum-stale", Error, "a declared erratum is no longer one",
        "The data or the rules were mended, so the excuse must go: delete the `erratum` key.",
        r#"erratum = "the rules say 4", and a check that holds"#,
        r#"no `erratum` key"#;
    SCRIPT_FAILED = "script-failed", Error, "the script of the rules cannot be run",
        "The message is Lua's, at the line of rules.lua that it names. A script sees only what docs/reference/rules.md lists: no files, no patterns, no metatables; a misspelt field of a record is an error.",
        r#"funtion setup(deal)"#,
        r#"function setup(deal)"#;
    SCRIPT_LIMIT = "script-limit", Error, "the script of the rules works too long or takes too much memory",
        "A call may take some millions of steps and a few dozen megabytes, so that a loop without end is found here and not at the table. Look for a loop whose end never comes.",
        r#"while true do end"#,
        r#"for turn = 1, 100 do ... end"#;
    REPLAY_ILLEGAL = "replay-illegal", Error, "a move of a sample game breaks the rules",
        "Either the sample was copied wrongly, or rules.lua is wrong, or the rules' own text has a slip: then say so with `erratum` and `in_fact` at that move.",
        r#"{ by = 1, take = 9 } where at most 3 may be taken"#,
        r#"{ by = 1, take = 3 }"#;
    REPLAY_DIFFERS = "replay-differs", Error, "a number that a sample game states is not what its moves give",
        "Either the number was copied wrongly, or a move before it, or the rules' own text has a slip: then say so with `erratum` and `in_fact` at that line.",
        r#"{ by = 1, take = 2, is = { left = 4 } } of five stones"#,
        r#"{ by = 1, take = 2, is = { left = 3 } }"#;
    TEMPLATE_SYNTAX = "template-syntax", Error, "a template is not well-formed SVG",
        "The message says where the XML breaks. Open the file in a drawing program and save it as plain SVG if in doubt.",
        r#"<text>Sun & Moon</text>"#,
        r#"<text>Sun &amp; Moon</text>"#;
    TEMPLATE_SIZE = "template-size", Error, "a template's viewBox is not the trim of its component",
        "One user unit is one millimetre, so `viewBox` must read `0 0 width height` of the trim; otherwise everything would print in the wrong size.",
        r#"viewBox="0 0 744 1039" for a trim of 63x88mm"#,
        r#"viewBox="0 0 63 88""#;
    TEMPLATE_ATTRIBUTE = "template-attribute", Error, "a template's attribute cannot be understood",
        "The message says what the attribute takes; docs/reference/attributes.md lists them all.",
        r#"pb:box="5 50 53""#,
        r#"pb:box="5 50 53 20""#;
    TEMPLATE_LOOP = "template-loop", Error, "templates include each other without end",
        "A part may include other parts, but not itself, not even by a detour.",
        r#"pb:include="mini/card.svg" in mini/card.svg"#,
        r#"pb:include="mini/frame.svg""#;
    TEMPLATE_TOO_LARGE = "template-too-large", Error, "a template grows beyond all measure",
        "A loop makes more elements than any card can show. Look at the list that it runs over.",
        r#"pb:for="i in range(99999)""#,
        r#"pb:for="i in range(9)""#;
    FONT_UNUSABLE = "font-unusable", Error, "a font file cannot be used",
        "The file is broken or no TrueType or OpenType font. Replace it or take it out of fonts/.",
        r#"a text file named fonts/sans/Sans.ttf"#,
        r#"a font"#;
    FONT_MISSING = "font-missing", Error, "a text asks for a font family that the project does not have",
        "Another font would change every line break. Put the font into fonts/ or name one that is there.",
        r#"font-family="Comic Sans""#,
        r#"font-family="sans""#;
    GLYPH_MISSING = "glyph-missing", Error, "no font of a text has one of its characters",
        "It would print as an empty box. Choose another character, or a font that has it.",
        r#"a text in a font of Latin letters that says 社"#,
        r#"font-family="Noto Sans CJK SC""#;
    FONT_FALLBACK = "font-fallback", Note, "part of a text is set from another font than asked for",
        "The font that was asked for lacks a character of this run. Fine if it looks right; name the other font to say so.",
        r#"font-family="Fredoka, sans" for a text that says 社"#,
        r#"font-family="sans""#;
    TEXT_OVERFLOW = "text-overflow", Error, "a text does not fit its box",
        "What sticks out would be cut off or print over something else. Shorten the text, enlarge the box, or allow it to shrink (`pb:fit=\"shrink\"`).",
        r#"a long text in pb:box="5 50 53 4""#,
        r#"pb:box="5 50 53 24", or pb:fit="shrink""#;
    TEXT_MARK = "text-mark", Error, "a mark of rich text is wrong",
        "An unclosed `**` or `{` prints as typed. Close it, or write a backslash before it where the character itself is meant.",
        r#"text = "draw **two""#,
        r#"text = "draw **two**""#;
    TEXT_OUTSIDE = "text-outside", Error, "a text reaches beyond the edge of its piece",
        "It would be cut off. Shorten it, move it, or set it in a box (`pb:box`) that may shrink. Lettering that is meant to be cut belongs into a group with a `clip-path`.",
        r#"<text x="60" y="10">Moon</text> on a card 63 mm wide"#,
        r#"<text x="58" y="10" text-anchor="end">Moon</text>"#;
    TEXT_LONELY = "text-lonely", Warning, "a paragraph ends with a single character alone on its line",
        "It looks like a slip. Change a word or the width of the box.",
        r#"a paragraph whose last line is the one character 分"#,
        r#"a box half a millimetre wider"#;
    TEXT_UNSAFE = "text-unsafe", Warning, "a text reaches out of the safe zone",
        "A cut is off by a millimetre or two, and what stands near the edge is then cut into or looks crooked. Move the text inwards, or give the component the `safe` that its cut allows.",
        r##"<text x="1"> on a card with safe = "3mm""##,
        r##"<text x="4">"##;
    TEXT_TINY = "text-tiny", Error, "a text is too small to be printed",
        "Strokes break or fill in at this size. Enlarge the text; docs/reference/preflight.md has the limits and where they come from. A design that means it says so: `[[preflight.allow]]`.",
        r##"font-size="5pt" on 三人"##,
        r##"font-size="8pt""##;
    TEXT_SMALL = "text-small", Warning, "a text is smaller than is good to read",
        "It prints, but is hard to read across a table. Enlarge it, set your own limit in `[preflight]`, or say why it is meant with `[[preflight.allow]]`.",
        r##"font-size="7pt" on 三人"##,
        r##"font-size="8pt""##;
    TEXT_SHRUNK = "text-shrunk", Warning, "a text had to shrink by much to fit its box",
        "Cards of one deck should look alike. Shorten the text or enlarge the box.",
        r##"forty words in a box for twenty, pb:fit="shrink""##,
        r##"twenty words"##;
    CONTRAST_LOW = "contrast-low", Warning, "a text hardly stands out from what is behind it",
        "In dim light, on a poor printer or for weak eyes it cannot be read. Make the text darker or its ground lighter, or the other way round.",
        r##"fill="#999999" on white"##,
        r##"fill="#666666""##;
    STROKE_THIN = "stroke-thin", Error, "a line is too thin to be printed",
        "It breaks up or vanishes on paper, however it looks on a screen. Give it at least the width that the finding names.",
        r##"stroke-width="0.05""##,
        r##"stroke-width="0.1""##;
    PICTURE_COARSE = "picture-coarse", Error, "a picture has too few dots for the size it is printed in",
        "Its dots will be seen. Take a larger picture or print it smaller.",
        r##"a picture of 300 dots, width="63""##,
        r##"one of 750 dots"##;
    PICTURE_SOFT = "picture-soft", Warning, "a picture has fewer dots than it should for the size it is printed in",
        "It will look soft beside the text. Take a larger picture if there is one; 300 dots an inch are the aim.",
        r##"a picture of 500 dots, width="63""##,
        r##"one of 750 dots"##;
    PICTURE_FINE = "picture-fine", Note, "a picture has far more dots than can be printed",
        "It only makes the file larger. Scale it down to 300 dots an inch.",
        r##"a picture of 4000 dots, width="63""##,
        r##"one of 750 dots"##;
    BLEED_EMPTY = "bleed-empty", Error, "the art stops before the end of the bleed",
        "A cut that is a little off would leave a white edge. Let the ground reach beyond the trim by the component's `bleed`.",
        r##"<rect width="63" height="88"/>"##,
        r##"<rect x="-2" y="-2" width="67" height="92"/>"##;
    FRAME_NEAR = "frame-near", Warning, "a frame runs close to the trim",
        "A cut that is a little off makes one side of it visibly thicker than the other. Move it inwards, let it run into the bleed, or leave it out.",
        r##"<rect x="1.5" ... fill="none" stroke="red"/>"##,
        r##"<rect x="3.5" ... fill="none" stroke="red"/>"##;
    COLOURS_ALIKE = "colours-alike", Warning, "two colours that tell things apart look alike",
        "To some people, or in a grey print, they are the same. Choose colours that differ in lightness, or give each thing a shape or letter of its own and say so with `[[preflight.allow]]`.",
        r##"teams = ["#b5382a", "#5f7a1e"]"##,
        r##"teams = ["#e0b000", "#10307a"]"##;
    SHEET_WASTED = "sheet-wasted", Note, "a component leaves most of its sheets empty",
        "Another trim, another number of copies or a component to share the sheet with would save paper.",
        r##"trim = "146x146mm": one to a sheet of A4"##,
        r##"trim = "140x146mm": two"##;
    ALLOWANCE_STALE = "allowance-stale", Error, "an allowance is never needed",
        "The design was mended, so the excuse must go, or it would hide the next fault: delete it from `[[preflight.allow]]`.",
        r##"check = "text-small" where no text is small"##,
        r##"no such table"##;
    SHEET_TOO_SMALL = "sheet-too-small", Error, "a piece does not fit on the paper",
        "Choose larger paper with `--paper`, or a smaller trim.",
        r#"trim = "400x500mm" on A4"#,
        r#"trim = "200x280mm", or a component of kind "board", which is tiled"#;
    SHEET_CROWDED = "sheet-crowded", Warning, "a sheet has no room for its marks, its words or its fold",
        "The pieces fill the paper up to what the printer reaches, so cutting is guesswork, or are too large to be folded. Choose larger paper or a smaller trim.",
        r#"trim = "200x287mm" on A4"#,
        r#"trim = "180x260mm", or --paper a3"#;
    SHEET_MARGIN = "sheet-margin", Warning, "a board is as large as the paper, and the printer has a margin",
        "It is on one page in its exact size, but most printers leave some millimetres white at each edge. Print without margins (borderless; `--margin 0mm` says that the printer can), on larger paper such as `320x450mm` (SRA3), or on smaller paper: there it is divided and glued.",
        r##"a board with trim = "297x420mm" and --paper a3"##,
        r##"--paper a3 --margin 0mm on a printer without margins"##;
    EDGE_DIFFERS = "edge-differs", Warning, "a face has another colour at its edge than its component says",
        "Neighbours share a cut because `edge` says that all their edges have this one flat colour; a cut that is a little off would show the other colour. Let the ground reach the edge all around, correct the colour, or leave `edge` out: each piece then has bleed of its own.",
        r##"edge = "#ffffff" and a ground that is red at one side"##,
        r##"edge = "#ffffff" and a white ground"##;
    BOX_TOO_LARGE = "box-too-large", Warning, "the net of a tuck box does not fit on the paper",
        "The kit is made without the box. Print the box alone on the larger paper that the finding names: `paiban build --players full --component ID --paper a3`.",
        r#"a box for 200 cards on A4"#,
        r#"--paper a3"#;
    SHOP_BLEED = "shop-bleed", Error, "the art of a component does not reach as far beyond the trim as the shop asks for",
        "A cut that is a little off would leave a white edge. Give the component the `bleed` that the shop asks for and let its templates reach that far, or name the flat colour of its edges as `edge`: it then goes on as far as need be.",
        r#"bleed = "2mm" where the shop asks for 3"#,
        r#"bleed = "3mm""#;
    SHOP_SAFE = "shop-safe", Warning, "the safe zone of a component is smaller than the shop's",
        "The shop may cut that far inside the trim. Give the component the `safe` that the shop asks for and look whether its texts keep inside.",
        r#"safe = "3mm" where the shop asks for 5"#,
        r#"safe = "5mm""#;
    SHOP_TOO_MANY = "shop-too-many", Warning, "an order has more pieces than the shop takes at once",
        "Split the order with `--component` or `--players`.",
        r#"300 cards where the shop takes 234"#,
        r#"--component hand"#;
    INK_LIMIT = "ink-limit", Warning, "a colour takes more ink at one place than the press can",
        "It would smear and stay wet. Choose a lighter colour, or a profile that mixes with less ink; a shop may refuse the file.",
        r##"fill="#000000" mixed of all four inks"##,
        r##"fill="#1a1a1a""##;
    PRESS_PROFILE = "press-profile", Warning, "nothing says how the colours will look on the press",
        "Without the profile of the press the inks are mixed by a formula that knows none, and colours will shift. Ask the shop for its ICC profile and give it with `--icc`.",
        r#"--colour cmyk"#,
        r#"--colour cmyk --icc press.icc"#;
    PDFX_TRANSPARENT = "pdfx-transparent", Error, "a face is transparent, which PDF/X-1a does not allow",
        "Make its colours solid (no opacity, masks, blending or pictures with clear parts), or send PDF/X-4 (`--pdf x-4`) if the shop takes it.",
        r#"opacity="0.5" and --pdf x-1a"#,
        r#"a solid colour, or --pdf x-4"#;
    PDFX_UNMET = "pdfx-unmet", Warning, "the PDF does not keep all of the standard that was asked for",
        "The message says what is missing. The file is written all the same, and says no more than it keeps.",
        r#"--pdf x-4 without --icc"#,
        r#"--pdf x-4 --icc press.icc"#;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_explains_itself_under_a_code_of_its_own() {
        for (at, check) in ALL.iter().enumerate() {
            assert!(check.code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", check.code);
            assert!(ALL[..at].iter().all(|other| other.code != check.code), "{} twice", check.code);
            assert!(!check.title.is_empty() && check.why.len() > 20, "{}", check.code);
            assert!(!check.wrong.is_empty() && check.wrong != check.right, "{}", check.code);
            assert_eq!(by_code(check.code), Some(*check));
        }
    }
}
