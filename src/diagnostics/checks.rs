//! The register of built-in checks. Each has a code, a severity, a title, a reason and a way to mend what it finds.

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
}

/// The check with this code.
pub fn by_code(code: &str) -> Option<&'static Check> {
    ALL.iter().copied().find(|check| check.code == code)
}

macro_rules! checks {
    ($($name:ident = $code:literal, $severity:ident, $title:literal, $why:literal;)*) => {
        $(#[doc = $title] pub const $name: &Check =
            &Check { code: $code, severity: Severity::$severity, title: $title, why: $why };)*
        /// All built-in checks, in the order of the way a datum takes through the program.
        pub const ALL: &[&Check] = &[$($name),*];
    };
}

checks! {
    FILE_UNREADABLE = "file-unreadable", Error, "a file that the data names cannot be read",
        "A missing picture, template or font would leave a hole in a card. Check the name, its upper and lower case, and that the file lies inside the project.";
    TOML_SYNTAX = "toml-syntax", Error, "a data file is not valid TOML",
        "What follows the fault may be read wrongly. The message says what the parser stumbled over; a quote or bracket that is not closed is the usual cause.";
    SHEET_SYNTAX = "spreadsheet-syntax", Error, "a spreadsheet cannot be read as it stands",
        "A cell that is read wrongly is a card that is printed wrongly. The first row names the columns; a cell with the delimiter, a quote or a line break in it stands in quotes; docs/reference/data.md tells the rest.";
    KEY_UNKNOWN = "key-unknown", Error, "a table has a key that means nothing",
        "A misspelt key would be ignored in silence and the default used instead. Correct the spelling or delete the line.";
    KEY_MISSING = "key-missing", Error, "a table lacks a key that it needs",
        "Add the key; docs/reference/data.md says what it means.";
    TYPE_WRONG = "type-wrong", Error, "a value has the wrong type",
        "A number in quotes is text, and text is not counted. Write the value in the type that is asked for.";
    VALUE_WRONG = "value-wrong", Error, "a value is not one of those that are possible here",
        "The message names what is possible.";
    ID_DUPLICATE = "id-duplicate", Error, "two things have the same id",
        "One would hide the other, and a card would be lost. Give each its own id.";
    REFERENCE_DANGLING = "reference-dangling", Error, "something is named that does not exist",
        "The name of a record kind, a component, a template, an icon or a font must be that of one that is there.";
    RECORD_UNUSED = "record-unused", Warning, "records of this kind are neither printed nor checked",
        "Either a component or an invariant was meant to use them, or the kind's name is misspelt.";
    COUNT_WRONG = "count-wrong", Error, "a number of pieces does not work out",
        "A kit cannot hold more pieces than there are, nor use more than it prints, and every player count needs a number.";
    EXPRESSION_SYNTAX = "expression-syntax", Error, "an expression cannot be understood",
        "Expressions are MiniJinja's: names, numbers, 'text', + - * / %, comparisons, and, or, not, filters with |.";
    EXPRESSION_FAILED = "expression-failed", Error, "an expression could not be computed",
        "A misspelt name or field would silently count as nothing; that is why it is an error. Use `record.get('x')` for a field that may be missing.";
    INVARIANT_IDLE = "invariant-idle", Error, "an invariant never found anything to check",
        "A check that looks at nothing cannot fail. Its `for` or `where` matches no record: correct it or delete the invariant.";
    CLAIM_WRONG = "claim-wrong", Error, "a number that the rules state is not what comes out",
        "Either the number was copied wrongly, or the way it is worked out is wrong, or the rules' own text has a slip: then say so with `erratum` and `right` at that claim.";
    CLAIM_IDLE = "claim-idle", Error, "a claim is checked without looking at the game",
        "An expression of numbers alone proves nothing about the data. Let it read records or counts, use `script` or `simulate`, or say `arithmetic = true` where the text itself only reckons with its own numbers.";
    CLAIM_OPEN = "claim-open", Note, "a number of the rules cannot be checked",
        "It hangs on something that the rules do not say, like the play of people or a lost text. The claim's `not_checkable` says what.";
    ERRATUM_STALE = "erratum-stale", Error, "a declared erratum is no longer one",
        "The data or the rules were mended, so the excuse must go: delete the `erratum` key.";
    SCRIPT_FAILED = "script-failed", Error, "the script of the rules cannot be run",
        "The message is Lua's, at the line of rules.lua that it names. A script sees only what docs/reference/rules.md lists: no files, no patterns, no metatables; a misspelt field of a record is an error.";
    SCRIPT_LIMIT = "script-limit", Error, "the script of the rules works too long or takes too much memory",
        "A call may take some millions of steps and a few dozen megabytes, so that a loop without end is found here and not at the table. Look for a loop whose end never comes.";
    REPLAY_ILLEGAL = "replay-illegal", Error, "a move of a sample game breaks the rules",
        "Either the sample was copied wrongly, or rules.lua is wrong, or the rules' own text has a slip: then say so with `erratum` and `in_fact` at that move.";
    REPLAY_DIFFERS = "replay-differs", Error, "a number that a sample game states is not what its moves give",
        "Either the number was copied wrongly, or a move before it, or the rules' own text has a slip: then say so with `erratum` and `in_fact` at that line.";
    TEMPLATE_SYNTAX = "template-syntax", Error, "a template is not well-formed SVG",
        "The message says where the XML breaks. Open the file in a drawing program and save it as plain SVG if in doubt.";
    TEMPLATE_SIZE = "template-size", Error, "a template's viewBox is not the trim of its component",
        "One user unit is one millimetre, so `viewBox` must read `0 0 width height` of the trim; otherwise everything would print in the wrong size.";
    TEMPLATE_ATTRIBUTE = "template-attribute", Error, "a template's attribute cannot be understood",
        "The message says what the attribute takes; docs/reference/templates.md lists them all.";
    TEMPLATE_LOOP = "template-loop", Error, "templates include each other without end",
        "A part may include other parts, but not itself, not even by a detour.";
    TEMPLATE_TOO_LARGE = "template-too-large", Error, "a template grows beyond all measure",
        "A loop makes more elements than any card can show. Look at the list that it runs over.";
    FONT_UNUSABLE = "font-unusable", Error, "a font file cannot be used",
        "The file is broken or no TrueType or OpenType font. Replace it or take it out of fonts/.";
    FONT_MISSING = "font-missing", Error, "a text asks for a font family that the project does not have",
        "Another font would change every line break. Put the font into fonts/ or name one that is there.";
    GLYPH_MISSING = "glyph-missing", Error, "no font of a text has one of its characters",
        "It would print as an empty box. Choose another character, or a font that has it.";
    FONT_FALLBACK = "font-fallback", Note, "part of a text is set from another font than asked for",
        "The font that was asked for lacks a character of this run. Fine if it looks right; name the other font to say so.";
    TEXT_OVERFLOW = "text-overflow", Error, "a text does not fit its box",
        "What sticks out would be cut off or print over something else. Shorten the text, enlarge the box, or allow it to shrink (`pb:fit=\"shrink\"`).";
    TEXT_MARK = "text-mark", Error, "a mark of rich text is wrong",
        "An unclosed `**` or `{` prints as typed. Close it, or write a backslash before it where the character itself is meant.";
    TEXT_OUTSIDE = "text-outside", Error, "a text reaches beyond the edge of its piece",
        "It would be cut off. Shorten it, move it, or set it in a box (`pb:box`) that may shrink. Lettering that is meant to be cut belongs into a group with a `clip-path`.";
    TEXT_LONELY = "text-lonely", Warning, "a paragraph ends with a single character alone on its line",
        "It looks like a slip. Change a word or the width of the box.";
    SHEET_TOO_SMALL = "sheet-too-small", Error, "a piece does not fit on the paper",
        "Choose larger paper with `--paper`, or a smaller trim.";
    SHEET_CROWDED = "sheet-crowded", Warning, "a sheet has no room for its marks, its words or its fold",
        "The pieces fill the paper up to what the printer reaches, so cutting is guesswork, or are too large to be folded. Choose larger paper or a smaller trim.";
    SHEET_MARGIN = "sheet-margin", Warning, "a board is as large as the paper, and the printer has a margin",
        "It is on one page in its exact size, but most printers leave some millimetres white at each edge. Print without margins (borderless; `--margin 0mm` says that the printer can), on larger paper such as `320x450mm` (SRA3), or on smaller paper: there it is divided and glued.";
    EDGE_DIFFERS = "edge-differs", Warning, "a face has another colour at its edge than its component says",
        "Neighbours share a cut because `edge` says that all their edges have this one flat colour; a cut that is a little off would show the other colour. Let the ground reach the edge all around, correct the colour, or leave `edge` out: each piece then has bleed of its own.";
    BOX_TOO_LARGE = "box-too-large", Warning, "the net of a tuck box does not fit on the paper",
        "The kit is made without the box. Print the box alone on the larger paper that the finding names: `paiban build --players full --component ID --paper a3`.";
    SHOP_BLEED = "shop-bleed", Error, "the art of a component does not reach as far beyond the trim as the shop asks for",
        "A cut that is a little off would leave a white edge. Give the component the `bleed` that the shop asks for and let its templates reach that far, or name the flat colour of its edges as `edge`: it then goes on as far as need be.";
    SHOP_SAFE = "shop-safe", Warning, "the safe zone of a component is smaller than the shop's",
        "The shop may cut that far inside the trim. Give the component the `safe` that the shop asks for and look whether its texts keep inside.";
    SHOP_TOO_MANY = "shop-too-many", Warning, "an order has more pieces than the shop takes at once",
        "Split the order with `--component` or `--players`.";
    INK_LIMIT = "ink-limit", Warning, "a colour takes more ink at one place than the press can",
        "It would smear and stay wet. Choose a lighter colour, or a profile that mixes with less ink; a shop may refuse the file.";
    PRESS_PROFILE = "press-profile", Warning, "nothing says how the colours will look on the press",
        "Without the profile of the press the inks are mixed by a formula that knows none, and colours will shift. Ask the shop for its ICC profile and give it with `--icc`.";
    PDFX_TRANSPARENT = "pdfx-transparent", Error, "a face is transparent, which PDF/X-1a does not allow",
        "Make its colours solid (no opacity, masks, blending or pictures with clear parts), or send PDF/X-4 (`--pdf x-4`) if the shop takes it.";
    PDFX_UNMET = "pdfx-unmet", Warning, "the PDF does not keep all of the standard that was asked for",
        "The message says what is missing. The file is written all the same, and says no more than it keeps.";
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
            assert_eq!(by_code(check.code), Some(*check));
        }
    }
}
