//! Draws a PDF by a program that knows nothing of this one.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use resvg::tiny_skia::{IntSize, Pixmap};

/// A page of a PDF as hayro draws it, on white.
pub fn drawn(pdf: &[u8], page: usize, dpi: f32) -> Pixmap {
    let pdf = Pdf::new(pdf.to_vec()).expect("a PDF");
    let pages = pdf.pages();
    let scale = dpi / 72.0;
    let picture = hayro::render(
        &pages[page],
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings { hinting: false, glyph_caching: false, ..Default::default() },
        &PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE },
    );
    let size = IntSize::from_wh(picture.width().into(), picture.height().into()).expect("a size");
    Pixmap::from_vec(picture.data_as_u8_slice().to_vec(), size).expect("dots")
}
