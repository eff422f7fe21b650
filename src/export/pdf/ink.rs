//! How colours are written: the one place that knows the colour space of a stream.

use super::inks::Inks;

/// A colour, sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) [u8; 3]);

impl Rgb {
    /// Black.
    pub(super) const BLACK: Rgb = Rgb([0; 3]);
}

impl From<resvg::usvg::Color> for Rgb {
    fn from(colour: resvg::usvg::Color) -> Self {
        Rgb([colour.red, colour.green, colour.blue])
    }
}

/// The colour space that a stream is written in.
#[derive(Clone, Copy, Debug, Default)]
pub enum Ink<'a> {
    /// Colours as they are.
    #[default]
    Rgb,
    /// Every colour as grey, as bright as it is: for one black ink, and the inside of a luminance mask.
    Grey,
    /// The four inks of a press.
    Cmyk(&'a Inks),
}

impl<'a> Ink<'a> {
    /// Name of the colour space that groups blend and shadings run in.
    pub(super) const fn space(self) -> &'static str {
        match self {
            Ink::Rgb => "DeviceRGB",
            Ink::Grey => "DeviceGray",
            Ink::Cmyk(_) => "DeviceCMYK",
        }
    }

    /// The components in that space.
    pub(super) fn components(self, colour: Rgb) -> Vec<f64> {
        match self {
            Ink::Rgb => colour.0.iter().map(|level| f64::from(*level) / 255.0).collect(),
            Ink::Grey => vec![luminance(colour)],
            Ink::Cmyk(inks) => inks.flat(colour).to_vec(),
        }
    }

    /// The components for a fill or a stroke, and the operators that set them: greys need one component only.
    pub(super) fn solid(self, colour: Rgb) -> (Vec<f64>, [&'static str; 2]) {
        let [r, g, b] = colour.0;
        match self {
            Ink::Rgb if r == g && g == b => (vec![f64::from(r) / 255.0], ["g", "G"]),
            Ink::Rgb => (self.components(colour), ["rg", "RG"]),
            Ink::Grey => (self.components(colour), ["g", "G"]),
            Ink::Cmyk(_) => (self.components(colour), ["k", "K"]),
        }
    }

    /// The colour for text.
    pub(super) fn text(self, colour: Rgb) -> Rgb {
        match self {
            Ink::Rgb | Ink::Grey => colour,
            Ink::Cmyk(_) => Inks::text(colour),
        }
    }

    /// Whether text of that colour is printed over what lies below it, instead of into a hole that is left for it.
    pub(super) fn overprints(self, colour: Rgb) -> bool {
        matches!(self, Ink::Cmyk(_)) && Inks::overprints(colour)
    }

    /// Percent of ink where that is more than the press can take.
    pub(super) fn excess(self, colour: Rgb) -> Option<u32> {
        match self {
            Ink::Rgb | Ink::Grey => None,
            Ink::Cmyk(inks) => inks.excess(&inks.flat(colour)),
        }
    }

    /// The four inks, if colours are written so.
    pub(super) const fn inks(self) -> Option<&'a Inks> {
        match self {
            Ink::Rgb | Ink::Grey => None,
            Ink::Cmyk(inks) => Some(inks),
        }
    }
}

/// How bright a colour is, 0 to 1, by the weights that masks are drawn with everywhere else.
pub(super) fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = colour.0.map(f64::from);
    (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255.0
}
