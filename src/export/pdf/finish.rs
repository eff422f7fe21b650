//! The finishing pass: puts what was drawn into the composed pages, and says about the document what printpdf has no words
//! for.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lopdf::{Dictionary, Object, ObjectId, SaveOptions, Stream, StringFormat, dictionary};
use rayon::prelude::*;

use super::canvas::{numbers, transparency_group};
use super::ink::Ink;
use super::plan::Drawn;
use super::resource::{Resources, Store, hash_object};
use super::stream::utf16;
use super::{Boxes, Document, Failure, standard, xmp};
use crate::model::shop::Standard;
use crate::sheet::{Side, Sides};
use crate::units::Length;

/// The pages, in order.
pub(super) fn pages(pdf: &lopdf::Document) -> Vec<ObjectId> {
    pdf.get_pages().into_values().collect()
}

/// Puts what was drawn into the pages.
pub(super) fn fill_pages(
    store: &mut Store<'_>,
    drawn: &Drawn,
    pages: &[ObjectId],
    document: &Document<'_>,
) -> Result<(), Failure> {
    let mut unused = BTreeSet::new();
    for (page, sheet) in pages.iter().zip(document.sheets) {
        unused.extend(fill_page(store, drawn, *page, document.ink)?);
        if let (Boxes::Piece, Some(piece)) = (document.boxes, sheet.placements.last()) {
            let corner = |x: Length, y: Length| [x.to_pt(), (sheet.page.h - y).to_pt()];
            let trim = piece.trim;
            let corners = [corner(trim.x, trim.bottom()), corner(trim.right(), trim.y)].concat();
            store.dictionary(*page)?.set("TrimBox", numbers(&corners));
        }
    }
    unused.into_iter().for_each(|object| store.remove(object));
    Ok(())
}

/// Fills one page, and returns what it no longer refers to.
fn fill_page(store: &mut Store<'_>, drawn: &Drawn, page: ObjectId, ink: Ink<'_>) -> Result<Vec<ObjectId>, Failure> {
    let (content, resources) = (store.reference(page, b"Contents")?, store.reference(page, b"Resources")?);
    let filled = Filled::of(store.content(content)?, drawn);
    store.replace(content, Stream::new(Dictionary::new(), filled.bytes));
    let mut dict = store.resource_dictionary(&filled.resources);
    let old = std::mem::take(store.dictionary(resources)?);
    if let Ok(layers) = old.get(b"Properties") {
        dict.set("Properties", layers.clone());
    }
    store.replace(resources, dict);
    set_boxes(store.dictionary(page)?, filled.transparent.then_some(ink))?;
    Ok(old.iter().filter_map(|(_, value)| value.as_reference().ok()).collect())
}

fn set_boxes(page: &mut Dictionary, blends_in: Option<Ink<'_>>) -> Result<(), Failure> {
    let paper = page.get(b"MediaBox").cloned().map_err(|_| Failure::Composition("a page has no size"))?;
    page.set("BleedBox", paper);
    page.remove(b"CropBox");
    page.remove(b"Annots");
    if let Some(ink) = blends_in {
        page.set("Group", transparency_group(ink));
    }
    Ok(())
}

/// The content of a page with everything in place.
struct Filled {
    bytes: Vec<u8>,
    resources: Resources,
    transparent: bool,
}

impl Filled {
    /// printpdf calls every drawn thing by its name, under a matrix that does nothing. Forms are called without it; what is
    /// used once takes the place of its call.
    fn of(content: &[u8], drawn: &Drawn) -> Self {
        const CALL: &[u8] = b"q\n1 0 0 1 0 0 cm\n/";
        const END: &[u8] = b" Do\nQ";
        let mut filled = Filled { bytes: Vec::new(), resources: Resources::default(), transparent: false };
        let mut rest = content;
        while let Some(start) = find(rest, CALL) {
            let (before, call) = (&rest[..start], &rest[start + CALL.len()..]);
            let Some(length) = find(call, END) else { break };
            filled.bytes.extend_from_slice(before);
            filled.put(&String::from_utf8_lossy(&call[..length]), drawn);
            rest = &call[length + END.len()..];
        }
        filled.bytes.extend_from_slice(rest);
        filled
    }

    fn put(&mut self, name: &str, drawn: &Drawn) {
        if let Some((form, transparent)) = drawn.forms.get(name) {
            self.bytes.extend_from_slice(format!("/{name} Do").as_bytes());
            if !self.resources.objects.iter().any(|(known, _)| known == name) {
                self.resources.objects.push((name.to_owned(), form.clone()));
            }
            self.transparent |= transparent;
        } else if let Some(content) = drawn.inline.get(name) {
            self.bytes.extend_from_slice(content.bytes.trim_ascii_end());
            self.resources.extend(content.resources.clone());
            self.transparent |= content.transparent;
        }
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// Says what the document is, and how it wants to be shown and printed.
pub(super) fn describe(pdf: &mut lopdf::Document, document: &Document<'_>) -> Result<(), Failure> {
    name_layers(pdf, document);
    let metadata = pdf.add_object(xmp::stream(document));
    let mut info = dictionary! {
        "Title" => text(document.title), "Creator" => text(document.creator), "Producer" => text(document.creator),
    };
    standard::inform(&mut info, document.standard);
    let info = pdf.add_object(info);
    replace_info(pdf, info);
    let catalog = pdf.catalog_mut().map_err(|_| Failure::Composition("there is no catalogue"))?;
    catalog.set("Lang", text(document.language));
    catalog.set("Metadata", Object::Reference(metadata));
    catalog.set(
        "ViewerPreferences",
        if document.standard == Standard::X1a {
            dictionary! { "DisplayDocTitle" => true }
        } else {
            viewer_preferences(document.sides)
        },
    );
    catalog.set("PageLabels", page_labels(document));
    if let Ok(layers) = catalog.get_mut(b"OCProperties").and_then(Object::as_dict_mut)
        && let Ok(shown) = layers.get_mut(b"D").and_then(Object::as_dict_mut)
    {
        shown.set("Name", text("paiban"));
    }
    if let (false, Ok(layers)) =
        (document.guides.is_empty(), catalog.get_mut(b"OCProperties").and_then(Object::as_dict_mut))
    {
        hide_guides(layers);
    }
    catalog.set("PageMode", if catalog.has(b"Outlines") { "UseOutlines" } else { "UseNone" });
    Ok(())
}

fn replace_info(pdf: &mut lopdf::Document, info: ObjectId) {
    if let Ok(old) = pdf.trailer.get(b"Info").and_then(Object::as_reference) {
        pdf.objects.remove(&old);
    }
    pdf.trailer.set("Info", Object::Reference(info));
}

fn viewer_preferences(sides: Sides) -> Dictionary {
    let duplex = match sides {
        Sides::LongEdge => "DuplexFlipLongEdge",
        Sides::ShortEdge => "DuplexFlipShortEdge",
        Sides::Fold | Sides::Fronts => "Simplex",
    };
    dictionary! {
        "DisplayDocTitle" => true, "PrintScaling" => "None", "PickTrayByPDFSize" => true, "Duplex" => duplex,
    }
}

/// Sheets are numbered; where there are two sides, fronts are `1A`, `2A` and backs `1B`, `2B`.
fn page_labels(document: &Document<'_>) -> Dictionary {
    let two_sided = document.sheets.iter().any(|sheet| sheet.side == Side::Back);
    if !two_sided {
        return dictionary! { "Nums" => vec![0.into(), dictionary! { "S" => "D" }.into()] };
    }
    let mut labels: Vec<Object> = Vec::new();
    let mut number = 0;
    for (page, sheet) in (0_i64..).zip(document.sheets) {
        let letter = match sheet.side {
            Side::Front => {
                number += 1;
                'A'
            }
            Side::Back => 'B',
        };
        labels.extend([page.into(), dictionary! { "P" => text(&format!("{number}{letter}")) }.into()]);
    }
    dictionary! { "Nums" => labels }
}

/// The guides are the last layer; they are not shown until somebody asks for them.
fn hide_guides(layers: &mut Dictionary) {
    let last = layers.get(b"OCGs").and_then(Object::as_array).ok().and_then(|layers| layers.last().cloned());
    if let (Some(last), Ok(shown)) = (last, layers.get_mut(b"D").and_then(Object::as_dict_mut)) {
        shown.set("OFF", vec![last.clone()]);
        if let Ok(on) = shown.get_mut(b"ON").and_then(Object::as_array_mut) {
            on.retain(|layer| *layer != last);
        }
    }
}

/// Gives layers their names as text strings, and says which one is for the cutting machine. printpdf calls the usage of a
/// layer a layer too; that one has no name.
fn name_layers(pdf: &mut lopdf::Document, document: &Document<'_>) {
    let layers = pdf.objects.values_mut().filter_map(|object| object.as_dict_mut().ok());
    let layers = layers.filter(|dict| dict.get(b"Type").and_then(Object::as_name).is_ok_and(|kind| kind == b"OCG"));
    for layer in layers {
        match layer.get(b"Name").and_then(Object::as_str) {
            Ok(name) => {
                let name = String::from_utf8_lossy(name).into_owned();
                if document.cut == Some(&name) {
                    let step = dictionary! { "GTS_ProcStepsGroup" => "Structural", "GTS_ProcStepsType" => "Cutting" };
                    layer.set("GTS_Metadata", step);
                }
                layer.set("Name", text(&name));
            }
            Err(_) => {
                layer.remove(b"Type");
            }
        }
    }
}

/// A text string: as it is where it is plain ASCII, else in UTF-16.
pub(super) fn text(text: &str) -> Object {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let bytes = if plain { text.as_bytes().to_vec() } else { utf16(text) };
    Object::String(bytes, StringFormat::Literal)
}

/// The finished bytes: compressed, with an ID that is a hash of all that is in them.
pub(super) fn save(mut pdf: lopdf::Document, standard: Standard) -> Result<Vec<u8>, Failure> {
    standard::version(standard).clone_into(&mut pdf.version);
    let streams = pdf.objects.par_iter_mut().filter_map(|(_, object)| object.as_stream_mut().ok());
    streams.try_for_each(compress)?;
    let id = Object::String(content_hash(&pdf).to_vec(), StringFormat::Hexadecimal);
    pdf.trailer.set("ID", vec![id.clone(), id]);
    let modern = standard != Standard::X1a; // which is from before objects could be packed
    let options = SaveOptions::builder().use_object_streams(modern).use_xref_streams(modern);
    let options = options.max_objects_per_stream(200).compression_level(DEFLATE.level()).build();
    let mut bytes = Vec::new();
    pdf.save_with_options(&mut bytes, options).map_err(|error| Failure::Save(error.to_string()))?;
    Ok(bytes)
}

/// How hard streams are pressed together. More takes twice the time for a hundredth of the size.
const DEFLATE: Compression = Compression::new(6);

/// Deflates a stream, unless it is already or would not gain by it.
pub(super) fn compress(stream: &mut Stream) -> Result<(), Failure> {
    /// What the filter's name takes.
    const NAMING: usize = 19;
    if !stream.allows_compression || stream.dict.has(b"Filter") {
        return Ok(());
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), DEFLATE);
    let deflated = match encoder.write_all(&stream.content) {
        Ok(()) => encoder.finish(),
        Err(error) => Err(error),
    };
    let deflated = deflated.map_err(|error| Failure::Save(error.to_string()))?;
    if deflated.len() + NAMING < stream.content.len() {
        stream.dict.set("Filter", "FlateDecode");
        stream.set_content(deflated);
    }
    Ok(())
}

fn content_hash(pdf: &lopdf::Document) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for ((number, _), object) in &pdf.objects {
        hasher.update(&number.to_be_bytes());
        hash_object(&mut hasher, object);
    }
    let mut id = [0; 16];
    hasher.finalize_xof().fill(&mut id);
    id
}
