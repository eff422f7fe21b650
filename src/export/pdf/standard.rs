//! What a document promises to a print shop: the press it is meant for, and a standard that it keeps.

use lopdf::{Dictionary, Object, Stream, dictionary};

use super::finish::text;
use super::{Document, Failure};
use crate::model::shop::Standard;

/// The standards ask for a date. It is always this one, so that the same data makes the same bytes.
const DATE: &str = "D:20000101000000Z";
/// The same for the metadata packet.
pub(super) const XMP_DATE: &str = "2000-01-01T00:00:00Z";

/// The version of PDF that a standard is written in.
pub(super) const fn version(standard: Standard) -> &'static str {
    match standard {
        Standard::Plain => "1.7",
        Standard::X4 => "1.6",
        Standard::X1a => "1.4",
    }
}

/// Whether pages may have layers.
pub(super) const fn allows_layers(standard: Standard) -> bool {
    !matches!(standard, Standard::X1a)
}

/// What a standard is called.
pub(super) const fn name(standard: Standard) -> Option<&'static str> {
    match standard {
        Standard::Plain => None,
        Standard::X4 => Some("PDF/X-4"),
        Standard::X1a => Some("PDF/X-1a:2003"),
    }
}

/// Says in the document's information which standard it keeps.
pub(super) fn inform(info: &mut Dictionary, standard: Standard) {
    let Some(name) = name(standard) else { return };
    info.set("Trapped", Object::Name(b"False".to_vec()));
    info.set("GTS_PDFXVersion", text(name));
    info.set("CreationDate", text(DATE));
    info.set("ModDate", text(DATE));
}

/// Says for which press the inks are mixed, with its profile.
pub(super) fn intend(pdf: &mut lopdf::Document, document: &Document<'_>) -> Result<(), Failure> {
    let Some(profile) = document.ink.inks().and_then(super::Inks::profile) else { return Ok(()) };
    let icc = pdf.add_object(Stream::new(dictionary! { "N" => 4 }, profile.bytes.clone()));
    let intent = dictionary! {
        "Type" => "OutputIntent",
        "S" => "GTS_PDFX",
        "OutputCondition" => text(&profile.name),
        "OutputConditionIdentifier" => text("Custom"),
        "Info" => text(&profile.name),
        "DestOutputProfile" => Object::Reference(icc),
    };
    let catalog = pdf.catalog_mut().map_err(|_| Failure::Composition("there is no catalogue"))?;
    catalog.set("OutputIntents", vec![Object::Dictionary(intent)]);
    Ok(())
}
