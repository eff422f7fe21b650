//! Pictures for pages, in few bytes: PNG with a palette. What is drawn with fonts and shapes has few colours, and a page that holds
//! hundreds of faces is to be sent around.

use std::collections::HashMap;

use ::png::{ColorType, Compression, Encoder, Filter};
use resvg::tiny_skia::Pixmap;

use super::png::{Failure, on_white};

/// The most colours of a palette.
const COLOURS: usize = 256;

type Colour = [u8; 3];

/// A colour and how many dots have it.
type Counted = (Colour, u32);

/// `picture` on white paper as a PNG of at most 256 colours; of more, those that are alike become one.
///
/// # Errors
/// When it has more dots than a PNG can have.
pub fn encode(picture: Pixmap) -> Result<Vec<u8>, Failure> {
    let picture = on_white(picture);
    let dots: Vec<Colour> = picture.data().chunks_exact(4).map(|dot| [dot[0], dot[1], dot[2]]).collect();
    let (palette, places) = palette(&dots);
    let mut numbers = Vec::with_capacity(dots.len());
    for alike in dots.chunk_by(|a, b| a == b) {
        numbers.resize(numbers.len() + alike.len(), places[&alike[0]]);
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_palette(palette.concat());
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter); // the numbers of a palette are no levels
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&numbers)?;
        writer.finish()
    });
    written.map_err(|error| Failure::Encode(error.to_string()))?;
    Ok(bytes)
}

/// The colours of a palette, and the place in it of each colour of `dots`.
fn palette(dots: &[Colour]) -> (Vec<Colour>, HashMap<Colour, u8>) {
    let mut groups = vec![counted(dots)];
    let mut weights = vec![weight(&groups[0])];
    while groups.len() < COLOURS {
        let heaviest = weights.iter().enumerate().max_by_key(|(at, weight)| (**weight, usize::MAX - at));
        let Some((at, _)) = heaviest.filter(|(_, weight)| **weight > 0) else { break };
        let half = split(&mut groups[at]);
        weights[at] = weight(&groups[at]);
        weights.push(weight(&half));
        groups.push(half);
    }
    let mut places = HashMap::new();
    for (place, group) in groups.iter().enumerate() {
        places.extend(group.iter().map(|(colour, _)| (*colour, u8::try_from(place).unwrap_or(u8::MAX))));
    }
    (groups.iter().map(|group| mean(group)).collect(), places)
}

/// Each colour once, in order.
fn counted(dots: &[Colour]) -> Vec<Counted> {
    let mut counts: HashMap<Colour, u32> = HashMap::new();
    for row in dots.chunk_by(|a, b| a == b) {
        *counts.entry(row[0]).or_default() += u32::try_from(row.len()).unwrap_or(u32::MAX);
    }
    let mut counted: Vec<Counted> = counts.into_iter().collect();
    counted.sort_unstable();
    counted
}

/// The channel in which the colours of a group differ most, and by how much.
fn widest(group: &[Counted]) -> (usize, u8) {
    let spread = |channel: usize| {
        let levels = group.iter().map(|(colour, _)| colour[channel]);
        levels.clone().max().unwrap_or(0) - levels.min().unwrap_or(0)
    };
    let channels = [0, 1, 2].map(|channel| (channel, spread(channel)));
    channels.into_iter().max_by_key(|(channel, spread)| (*spread, 2 - channel)).unwrap_or_default()
}

/// How much is lost if the colours of a group become one.
fn weight(group: &[Counted]) -> u64 {
    let dots: u64 = group.iter().map(|(_, count)| u64::from(*count)).sum();
    let spread = u64::from(widest(group).1);
    dots * spread * spread
}

/// Takes the brighter half of a group's colours away from it, by the channel in which they differ most.
fn split(group: &mut Vec<Counted>) -> Vec<Counted> {
    let (channel, spread) = widest(group);
    let least = group.iter().map(|(colour, _)| colour[channel]).min().unwrap_or(0);
    group.extract_if(.., |(colour, _)| colour[channel] - least > spread / 2).collect()
}

/// The mean of a group's dots.
fn mean(group: &[Counted]) -> Colour {
    let dots: u64 = group.iter().map(|(_, count)| u64::from(*count)).sum();
    [0, 1, 2].map(|channel| {
        let sum: u64 = group.iter().map(|(colour, count)| u64::from(colour[channel]) * u64::from(*count)).sum();
        u8::try_from((sum + dots / 2) / dots.max(1)).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use super::*;

    fn picture(width: u32, height: u32, colour: impl Fn(u32, u32) -> Colour) -> Pixmap {
        let mut picture = Pixmap::new(width, height).unwrap();
        for (at, dot) in picture.data_mut().chunks_exact_mut(4).enumerate() {
            let [r, g, b] = colour(at as u32 % width, at as u32 / width);
            dot.copy_from_slice(&[r, g, b, 255]);
        }
        picture
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        let meant = picture(20, 10, |x, y| [x as u8 * 12, y as u8 * 25, 77]);
        let shown = Pixmap::decode_png(&encode(meant.clone()).unwrap()).unwrap();
        assert_eq!(shown.data(), meant.data());
    }

    #[test]
    fn of_many_colours_those_that_are_alike_become_one() {
        let meant = picture(256, 256, |x, y| [x as u8, y as u8, if (x, y) == (9, 9) { 255 } else { 0 }]);
        let shown = Pixmap::decode_png(&encode(meant.clone()).unwrap()).unwrap();
        let off = shown.data().iter().zip(meant.data()).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(off <= 24, "{off}");
    }
}
