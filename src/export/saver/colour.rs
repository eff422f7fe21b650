//! Colours, and how well they stand out from each other.

/// How much brighter the one of two must be for text: what the guidelines for the web ask for.
pub(super) const TEXT_CONTRAST: f64 = 4.5;
/// The same for shapes.
pub(super) const SHAPE_CONTRAST: f64 = 3.0;
/// How much of a colour is left of it in its tint.
const TINT: f64 = 0.13;

/// A colour, sRGB, of 255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour(pub(super) [f64; 3]);

/// What lies below something: as it was, and as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Under {
    pub(super) before: Colour,
    pub(super) after: Colour,
}

impl Colour {
    /// Paper.
    pub(super) const WHITE: Colour = Colour([255.0; 3]);
    /// Neither light nor dark: what stands for pictures.
    pub(super) const MIDDLE: Colour = Colour([128.0; 3]);

    /// The colour, `part` of it over `other`.
    pub(super) fn over(self, other: Colour, part: f64) -> Self {
        let mut mixed = self.0;
        mixed.iter_mut().zip(other.0).for_each(|(own, other)| *own = *own * part + other * (1.0 - part));
        Colour(mixed)
    }

    /// Hardly any of it, on paper.
    pub(super) fn tint(self) -> Self {
        self.over(Colour::WHITE, TINT)
    }

    /// As it is while it stands out as well as it did, or well enough; else as dark as it must be.
    pub(super) fn standing_out(self, under: Under, enough: f64) -> Self {
        let wanted = self.contrast(under.before).min(enough);
        if self.contrast(under.after) >= wanted - 0.05 {
            return self;
        }
        let darker = |step: i32| Colour(self.0.map(|level| level * 0.9_f64.powi(step)));
        (1..40).map(darker).find(|colour| colour.contrast(under.after) >= wanted).unwrap_or(Colour([0.0; 3]))
    }

    /// The colour for a thin line on paper: dark enough to be seen.
    pub(super) fn line_on_paper(self) -> Self {
        self.standing_out(Under { before: Colour([0.0; 3]), after: Colour::WHITE }, SHAPE_CONTRAST)
    }

    /// How much brighter the one is than the other: 1 to 21.
    fn contrast(self, other: Colour) -> f64 {
        let (a, b) = (self.brightness(), other.brightness());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// How bright it is, 0 to 1, as light adds up.
    fn brightness(self) -> f64 {
        let [r, g, b] = self.0.map(|level| {
            let level = level / 255.0;
            if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// As bytes.
    pub(super) fn bytes(self) -> [u8; 3] {
        self.0.map(|level| level.round().clamp(0.0, 255.0) as u8)
    }

    /// As SVG writes it.
    pub(super) fn hex(self) -> String {
        let [r, g, b] = self.bytes();
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLUE: Colour = Colour([31.0, 99.0, 209.0]);

    #[test]
    fn white_on_what_became_pale_becomes_dark() {
        let saved = Colour::WHITE.standing_out(Under { before: BLUE, after: BLUE.tint() }, TEXT_CONTRAST);
        assert!(saved.contrast(BLUE.tint()) >= 4.5, "{saved:?}");
    }

    #[test]
    fn what_stands_out_stays() {
        for (colour, under) in [
            (Colour::WHITE, Under { before: BLUE, after: BLUE }),
            (BLUE, Under { before: Colour([255.0, 248.0, 234.0]), after: Colour::WHITE }),
            (Colour::WHITE, Under { before: Colour::WHITE, after: Colour::WHITE }),
        ] {
            assert_eq!(colour.standing_out(under, TEXT_CONTRAST), colour);
        }
    }

    #[test]
    fn a_tint_needs_little_ink() {
        let ink = |colour: Colour| colour.0.iter().map(|level| 255.0 - level).sum::<f64>() / 765.0;
        assert!(ink(Colour([0.0; 3]).tint()) < 0.15 && ink(BLUE.tint()) < 0.1);
    }
}
