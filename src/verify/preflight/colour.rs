//! Colours as people see them: lightness, contrast, distance, and the three kinds of colour-blindness.

use super::flaw::number;
use crate::model::preflight::{Category, Limits};

/// A colour in sRGB, 0 to 1 each.
pub type Rgb = [f64; 3];

/// How colours are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// By most people.
    Usual,
    /// Without the cones for red.
    Protanopia,
    /// Without the cones for green.
    Deuteranopia,
    /// Without the cones for blue.
    Tritanopia,
}

impl Sight {
    /// As it stands in a finding.
    pub const fn name(self) -> &'static str {
        match self {
            Sight::Usual => "as they are",
            Sight::Protanopia => "in protanopia",
            Sight::Deuteranopia => "in deuteranopia",
            Sight::Tritanopia => "in tritanopia",
        }
    }

    /// The colour as it is seen. Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
    /// Deficiency (2009), severity 1.0; the matrices work on linear RGB.
    pub fn sees(self, colour: Rgb) -> Rgb {
        let rows = match self {
            Sight::Usual => return colour,
            Sight::Protanopia => {
                [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
            }
            Sight::Deuteranopia => {
                [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
            }
            Sight::Tritanopia => {
                [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
            }
        };
        let linear = colour.map(to_linear);
        rows.map(|row| to_srgb(row.iter().zip(linear).map(|(factor, part)| factor * part).sum::<f64>().clamp(0.0, 1.0)))
    }
}

/// sRGB to linear light (IEC 61966-2-1).
pub fn to_linear(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

fn to_srgb(part: f64) -> f64 {
    if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 }
}

/// Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance").
pub fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = colour.map(to_linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Contrast of two luminances, 1 to 21 (WCAG 2.2, "contrast ratio").
pub fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// CIE L*a*b* with the white of D65.
pub fn lab(colour: Rgb) -> [f64; 3] {
    let [r, g, b] = colour.map(to_linear);
    let x = (0.412_456_4 * r + 0.357_576_1 * g + 0.180_437_5 * b) / 0.950_47;
    let y = 0.212_672_9 * r + 0.715_152_2 * g + 0.072_175_0 * b;
    let z = (0.019_333_9 * r + 0.119_192_0 * g + 0.950_304_1 * b) / 1.088_83;
    let f = |t: f64| if t > 216.0 / 24_389.0 { t.cbrt() } else { (24_389.0 / 27.0 * t + 16.0) / 116.0 };
    let (x, y, z) = (f(x), f(y), f(z));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The distance of two colours by CIEDE2000 (Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula, 2005).
pub fn distance([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25_f64.powi(7))).sqrt();
    let g = 0.5 * (1.0 - seventh((c1 + c2) / 2.0));
    let (a1, a2) = (a1 * (1.0 + g), a2 * (1.0 + g));
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let (dl, dc, dh) = (l2 - l1, c2 - c1, 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin());
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let h = match h1 + h2 {
        sum if grey => sum,
        sum if (h1 - h2).abs() <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };
    let cosine = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cosine(h - 30.0) + 0.24 * cosine(2.0 * h) + 0.32 * cosine(3.0 * h + 6.0)
        - 0.20 * cosine(4.0 * h - 63.0);
    let sl = 1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let rotation = -2.0 * seventh(c) * (60.0 * (-((h - 275.0) / 25.0).powi(2)).exp()).to_radians().sin();
    let (l, c, h) = (dl / sl, dc / sc, dh / sh);
    (l * l + c * c + h * h + rotation * c * h).max(0.0).sqrt()
}

/// Two colours of a category that look alike: what was measured, and the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Alike {
    /// In words.
    pub message: String,
    /// The limit, in words.
    pub expected: String,
    /// The distance, or the difference of lightness.
    pub measured: f64,
}

/// All pairs of colours of `category` that look alike, each with the way in which it is worst off.
pub fn alike(category: &Category, limits: &Limits) -> Vec<Alike> {
    let [usual, blind, grey] = limits.colours;
    let rgb = |colour: svgtypes::Color| [colour.red, colour.green, colour.blue].map(|part| f64::from(part) / 255.0);
    let mut found = Vec::new();
    for (at, (first, one)) in category.colours.iter().enumerate() {
        for (second, other) in &category.colours[at + 1..] {
            let (one, other) = (rgb(*one), rgb(*other));
            let seen = |sight: Sight| (sight.name(), distance(lab(sight.sees(one)), lab(sight.sees(other))));
            let lightness = (lab(one)[0] - lab(other)[0]).abs();
            let measures = [
                (seen(Sight::Usual), usual),
                (seen(Sight::Protanopia), blind),
                (seen(Sight::Deuteranopia), blind),
                (seen(Sight::Tritanopia), blind),
                (("in grey", lightness), grey),
            ];
            let worst = measures.into_iter().filter(|((_, measured), limit)| measured < limit);
            let worst = worst.min_by(|((_, a), limit_a), ((_, b), limit_b)| (a / limit_a).total_cmp(&(b / limit_b)));
            found.extend(worst.map(|((how, measured), limit)| Alike {
                message: format!(
                    "`{first}` and `{second}` of `{}` are {} apart {how}",
                    category.name,
                    number(measured, 1)
                ),
                expected: format!("at least {}", number(limit, 1)),
                measured,
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast(luminance([1.0; 3]), luminance([0.0; 3])) - 21.0).abs() < 1e-9);
        // The grey that WCAG names as just enough on white: #767676.
        let grey = luminance([118.0 / 255.0; 3]);
        assert!((contrast(1.0, grey) - 4.54).abs() < 0.01);
    }

    #[test]
    fn distance_is_that_of_the_published_pairs() {
        // Sharma et al., table 1: pairs 1, 7, 10, 11, 17 and 25.
        let pairs = [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0010], 7.1792),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ];
        for (one, other, apart) in pairs {
            let found = distance(one, other);
            assert!((found - apart).abs() < 2e-4, "{one:?} {other:?}: {found}, not {apart}");
            assert!((distance(other, one) - found).abs() < 1e-9);
        }
    }

    #[test]
    fn white_stays_white_however_it_is_seen() {
        for sight in [Sight::Protanopia, Sight::Deuteranopia, Sight::Tritanopia] {
            for part in sight.sees([1.0; 3]) {
                assert!((part - 1.0).abs() < 0.01, "{sight:?} {part}");
            }
        }
    }

    #[test]
    fn red_and_green_of_one_lightness_look_alike_to_some() {
        let colours = |names: [&str; 2]| {
            names.iter().filter_map(|name| Some(((*name).to_owned(), name.parse().ok()?))).collect::<Vec<_>>()
        };
        let category = |names| Category {
            name: "teams".to_owned(),
            colours: colours(names),
            span: crate::source::Span::new(crate::source::Sources::default().add("a", "a"), 0..1),
        };
        let found = alike(&category(["#b5382a", "#5f7a1e"]), &Limits::default());
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(alike(&category(["#f0c000", "#10307a"]), &Limits::default()).is_empty());
        let grey = alike(&category(["#ff0000", "#3070ff"]), &Limits::default());
        assert!(grey[0].message.ends_with("in grey"), "{grey:?}");
    }
}
