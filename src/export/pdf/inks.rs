//! From screen colours to the four inks.

use std::sync::Arc;

use moxcms::{
    ColorProfile, DataColorSpace, Layout, ProfileText, RenderingIntent, Transform8BitExecutor, TransformOptions,
};

use super::ink::{Rgb, luminance};

/// A colour whose parts are all darker than that is black, of 255: what the inks made of it would show if one of them were off.
const NEAR_BLACK: u8 = 56;
/// Text of a colour so dark is black too: fine strokes in four inks never meet.
const DARK_TEXT: u8 = 100;
/// A colour whose parts differ by less is grey, and grey is black ink alone.
const NEUTRAL: u8 = 4;

/// Black on so many square millimetres looks grey next to other inks when it is one ink alone.
const LARGE: f64 = 200.0;

/// How much of cyan, magenta, yellow and black there is, 0 to 1 each.
pub(super) type Cmyk = [f64; 4];

/// How colours become inks.
pub struct Inks {
    transform: Option<Arc<Transform8BitExecutor>>,
    profile: Option<IccProfile>,
    limit: u32,
    rich_black: Option<Cmyk>,
}

/// The colour profile of a press.
pub struct IccProfile {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it calls itself.
    pub name: String,
}

impl Inks {
    /// By PDF's own formula, which knows no press. The most ink at one place is given in percent of one ink.
    pub const fn by_formula(limit: u32) -> Self {
        Inks { transform: None, profile: None, limit, rich_black: None }
    }

    /// By the profile of a press.
    ///
    /// # Errors
    /// When `bytes` are no profile for the four inks.
    pub fn by_profile(bytes: Vec<u8>, limit: u32) -> Result<Self, String> {
        let profile = ColorProfile::new_from_slice(&bytes).map_err(|error| format!("it is no ICC profile: {error}"))?;
        if profile.color_space != DataColorSpace::Cmyk {
            return Err(format!("it is a profile for {:?}, not for the four inks", profile.color_space));
        }
        let options = TransformOptions { rendering_intent: RenderingIntent::Perceptual, ..TransformOptions::default() };
        let transform = ColorProfile::new_srgb()
            .create_transform_8bit(Layout::Rgb, &profile, Layout::Rgba, options)
            .map_err(|error| format!("it does not say how screen colours become inks: {error}"))?;
        let name = profile.description.as_ref().map(said).unwrap_or_default();
        let name = if name.trim().is_empty() { "a profile without a name".to_owned() } else { name };
        Ok(Inks { transform: Some(transform), profile: Some(IccProfile { bytes, name }), limit, rich_black: None })
    }

    /// The same, but for large areas of black: they are made of these inks, in percent.
    #[must_use]
    pub fn with_rich_black(self, recipe: Option<[u32; 4]>) -> Self {
        Inks { rich_black: recipe.map(|recipe| recipe.map(|percent| f64::from(percent) / 100.0)), ..self }
    }

    /// The inks of `colour` where it fills `area` square millimetres, if it is black and so large an area has inks of its own.
    pub(super) fn rich_black(&self, colour: Rgb, area: f64) -> Option<Cmyk> {
        self.rich_black.filter(|_| is_near_black(colour) && area >= LARGE)
    }

    /// Whether text of that colour is printed over what lies below it.
    pub(super) fn overprints(colour: Rgb) -> bool {
        is_near_black(colour)
    }

    /// The profile, if there is one.
    pub const fn profile(&self) -> Option<&IccProfile> {
        self.profile.as_ref()
    }

    /// Percent of ink at one place, where that is more than the limit.
    pub(super) fn excess(&self, inks: &Cmyk) -> Option<u32> {
        let percent = (inks.iter().sum::<f64>() * 100.0).round() as u32;
        (percent > self.limit).then_some(percent)
    }

    /// The inks of a flat colour: greys and what is nearly black are black ink alone.
    pub(super) fn flat(&self, colour: Rgb) -> Cmyk {
        let [least, most] = extremes(colour);
        if most - least <= NEUTRAL || is_near_black(colour) {
            return [0.0, 0.0, 0.0, 1.0 - luminance(colour)];
        }
        self.converted(colour.0).map(|ink| f64::from(ink) / 255.0)
    }

    /// The colour that text is written in: black where it is dark.
    pub(super) fn text(colour: Rgb) -> Rgb {
        let [_, most] = extremes(colour);
        if most > DARK_TEXT {
            return colour;
        }
        Rgb([(luminance(colour) * 255.0).round() as u8; 3])
    }

    /// The inks of dots.
    pub(super) fn dots(&self, dots: &[[u8; 4]]) -> Vec<u8> {
        let colours: Vec<u8> = dots.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        let mut inks = vec![0; dots.len() * 4];
        let done = self.transform.as_ref().is_some_and(|transform| transform.transform(&colours, &mut inks).is_ok());
        if !done {
            inks = colours.as_chunks::<3>().0.iter().flat_map(|colour| formula(*colour)).collect();
        }
        inks
    }

    fn converted(&self, colour: [u8; 3]) -> [u8; 4] {
        let mut inks = [0; 4];
        match &self.transform {
            Some(transform) if transform.transform(&colour, &mut inks).is_ok() => inks,
            _ => formula(colour),
        }
    }
}

impl std::fmt::Debug for Inks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.profile.as_ref().map_or("a formula", |profile| profile.name.as_str());
        write!(f, "inks by {name}, {} % at most", self.limit)
    }
}

/// What all three parts have in common is black.
fn formula([r, g, b]: [u8; 3]) -> [u8; 4] {
    let white = r.max(g).max(b);
    [white - r, white - g, white - b, u8::MAX - white]
}

fn is_near_black(colour: Rgb) -> bool {
    extremes(colour)[1] <= NEAR_BLACK
}

fn extremes(Rgb([r, g, b]): Rgb) -> [u8; 2] {
    [r.min(g).min(b), r.max(g).max(b)]
}

fn said(text: &ProfileText) -> String {
    match text {
        ProfileText::PlainString(text) => text.clone(),
        ProfileText::Localizable(texts) => texts.first().map(|text| text.value.clone()).unwrap_or_default(),
        ProfileText::Description(text) => text.ascii_string.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greys_and_near_black_are_black_ink() {
        let inks = Inks::by_formula(300);
        for colour in [[0, 0, 0], [0x2b, 0x1a, 0x00], [0x80, 0x80, 0x80], [0x17, 0x12, 0x0f], [255, 255, 255]] {
            let [c, m, y, k] = inks.flat(Rgb(colour));
            assert_eq!([c, m, y], [0.0; 3], "{colour:?}");
            assert!((k - 1.0 + luminance(Rgb(colour))).abs() < 1e-9);
        }
        assert_eq!(inks.flat(Rgb([255, 0, 0])), [0.0, 1.0, 1.0, 0.0]);
        assert_eq!(Inks::text(Rgb([90, 60, 20])), Rgb([63; 3]));
        assert_eq!(Inks::text(Rgb([200, 60, 20])), Rgb([200, 60, 20]));
    }

    #[test]
    fn only_large_black_is_rich_and_only_where_it_is_asked_for() {
        let (plain, rich) = (Inks::by_formula(300), Inks::by_formula(300).with_rich_black(Some([60, 40, 40, 100])));
        assert_eq!(plain.rich_black(Rgb::BLACK, 1e4), None);
        assert_eq!(rich.rich_black(Rgb([0x17, 0x12, 0x0f]), 200.0), Some([0.6, 0.4, 0.4, 1.0]));
        assert_eq!(rich.rich_black(Rgb::BLACK, 199.0), None);
        assert_eq!(rich.rich_black(Rgb([90; 3]), 1e4), None);
    }

    #[test]
    fn too_much_ink_is_seen() {
        let inks = Inks::by_formula(240);
        assert_eq!(inks.excess(&[0.6, 0.4, 0.4, 1.0]), None);
        assert_eq!(inks.excess(&[0.7, 0.4, 0.4, 1.0]), Some(250));
    }
}
