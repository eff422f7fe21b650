//! Pictures, in files of the project and inside a template (`data:`): judged before they are decoded, and decoded by what draws them.

use std::io::Cursor;
use std::sync::Arc;

use resvg::usvg::{self, ImageKind};
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::{filters, weight};
use crate::source::xml;

/// The most dots of a picture: a board of 60 cm by 60 cm at 300 dpi has as many.
const MOST_DOTS: usize = 50_000_000;

/// What a raster picture is by its first bytes.
pub fn kind(bytes: Arc<Vec<u8>>) -> Option<ImageKind> {
    match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Some(ImageKind::PNG(bytes)),
        [0xff, 0xd8, ..] => Some(ImageKind::JPEG(bytes)),
        [b'G', b'I', b'F', ..] => Some(ImageKind::GIF(bytes)),
        [b'R', b'I', b'F', b'F', ..] => Some(ImageKind::WEBP(bytes)),
        _ => None,
    }
}

/// Why a picture is too large to be decoded, or says no size, if so. Looks at its head only.
pub fn size_fault(kind: &ImageKind) -> Option<String> {
    let (ImageKind::PNG(bytes) | ImageKind::JPEG(bytes) | ImageKind::GIF(bytes) | ImageKind::WEBP(bytes)) = kind else {
        return None;
    };
    match imagesize::blob_size(bytes) {
        Err(error) => Some(format!("the picture is broken: {error}")),
        Ok(size) if size.width == 0 || size.height == 0 => Some("the picture is broken: it has no dots".to_owned()),
        Ok(size) if size.width.saturating_mul(size.height) > MOST_DOTS => Some(format!(
            "the picture is too large ({} × {} dots; at most {} million in all)",
            size.width,
            size.height,
            MOST_DOTS / 1_000_000
        )),
        Ok(_) => None,
    }
}

/// What is wrong with a picture, if anything; decodes it.
pub fn fault(kind: &ImageKind) -> Option<String> {
    size_fault(kind).or_else(|| decoded(kind).err().map(|why| format!("the picture is broken: {why}")))
}

/// Decodes as the renderer does. Pictures that move show their first.
fn decoded(kind: &ImageKind) -> Result<(), String> {
    match kind {
        ImageKind::PNG(bytes) => tiny_skia::Pixmap::decode_png(bytes).map(drop).map_err(|error| error.to_string()),
        ImageKind::JPEG(bytes) => {
            let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGBA);
            let mut decoder = zune_jpeg::JpegDecoder::new_with_options(Cursor::new(&bytes[..]), options);
            decoder.decode().map(drop).map_err(|error| error.to_string())
        }
        ImageKind::GIF(bytes) => {
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::RGBA);
            let mut decoder = options.read_info(&bytes[..]).map_err(|error| error.to_string())?;
            let first = decoder.read_next_frame().map_err(|error| error.to_string())?;
            first.map(drop).ok_or_else(|| "it has no picture".to_owned())
        }
        ImageKind::WEBP(bytes) => {
            let mut decoder =
                image_webp::WebPDecoder::new(Cursor::new(&bytes[..])).map_err(|error| error.to_string())?;
            let size = decoder.output_buffer_size().ok_or("it says no size")?;
            decoder.read_image(&mut vec![0; size]).map_err(|error| error.to_string())
        }
        ImageKind::SVG(_) => Ok(()),
    }
}

/// The picture of a `data:` link: raster pictures that are not too large, and drawings within the limits of templates.
///
/// # Errors
/// A sentence, when it cannot be drawn.
pub fn embedded(mime: &str, bytes: Arc<Vec<u8>>, options: &usvg::Options<'_>) -> Result<ImageKind, String> {
    if let Some(kind) = kind(Arc::clone(&bytes)) {
        return size_fault(&kind).map_or(Ok(kind), Err);
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.contains("<svg"));
    let text = text.ok_or_else(|| format!("the picture inside ({mime}) is no PNG, JPEG, GIF, WebP or SVG"))?;
    let document = xml::parse(text).map_err(|fault| format!("the drawing inside: {}", fault.message))?;
    if let Some(why) = weight::fault(&document) {
        return Err(format!("the drawing inside: {why}"));
    }
    let tree = usvg::Tree::from_data_nested(&bytes, options).map_err(|error| format!("the drawing inside: {error}"))?;
    filters::fault(&tree).map_or(Ok(ImageKind::SVG(tree)), |why| Err(format!("the drawing inside: {why}")))
}
