//! What the tests of text layout share.
#![allow(clippy::unwrap_used, reason = "a test without its fonts shall stop")]

use std::sync::LazyLock;

use super::*;

/// The built-in faces and the two that the repository has beside them.
pub(super) static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let read = |name: &str| (name.to_owned(), std::fs::read(name).unwrap());
    let files = ["fonts/zcool-kuaile/ZCOOLKuaiLe-Regular.ttf", "fonts/fredoka/Fredoka-SemiBold.ttf"];
    Fonts::load(files.into_iter().map(read).collect()).0
});

/// The built-in sans in black.
pub(super) fn style(size: f64) -> Style {
    styled(&["Noto Sans CJK SC"], size)
}

/// A style with a chain of families.
pub(super) fn styled(families: &[&str], size: f64) -> Style {
    let select = |weight| families.iter().map(|family| FONTS.select(family, weight, false).unwrap()).collect();
    Style { fonts: select(400), bold: select(700), size, fill: Colour::BLACK, letter_spacing: 0.0, shift: [0.0; 2] }
}

/// One stretch of text, one em being a millimetre.
pub(super) fn text(text: &str) -> Inline {
    Inline::Text { text: text.to_owned(), style: style(1.0) }
}

/// An icon as wide as high, one em being a millimetre.
pub(super) fn icon(name: &str) -> Inline {
    Inline::Icon { name: name.to_owned(), aspect: 1.0, style: style(1.0) }
}

/// Text with icons written as `{name}`.
pub(super) fn with_icons(source: &str) -> Vec<Inline> {
    let mut content = Vec::new();
    for (number, part) in source.split('{').enumerate() {
        match part.split_once('}') {
            Some((name, rest)) if number > 0 => content.extend([icon(name), text(rest)]),
            _ => content.push(text(part)),
        }
    }
    content
}

/// A box of `w` em, as high as it takes, one em being a millimetre.
pub(super) fn wide(w: f64) -> TextBox {
    TextBox {
        x: 0.0,
        y: 0.0,
        w,
        h: f64::INFINITY,
        align: Align::Start,
        vertical: Vertical::Top,
        line_height: 1.5,
        min_size: None,
        max_lines: None,
        language: Language::ZhHans,
    }
}

/// The lines of `source` in a box of `w` em.
pub(super) fn lines(source: &str, w: f64) -> Vec<String> {
    block(&FONTS, &with_icons(source), &wide(w)).lines
}
