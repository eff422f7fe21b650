//! The metadata packet: what the document is, as XMP.

use lopdf::{Stream, dictionary};

use super::{Document, standard};

/// The packet as a stream. It is left as it is, so that programs that know no PDF can find it.
pub(super) fn stream(document: &Document<'_>) -> Stream {
    let dict = dictionary! { "Type" => "Metadata", "Subtype" => "XML" };
    Stream::new(dict, packet(document).into_bytes()).with_compression(false)
}

fn packet(document: &Document<'_>) -> String {
    let [title, language, creator] = [document.title, document.language, document.creator].map(escaped);
    format!(
        r#"<?xpacket begin="{mark}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<pdf:Producer>{creator}</pdf:Producer>{promise}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"#,
        mark = '\u{feff}',
        promise = promise(document),
    )
}

/// What the packet says of the standard that the document keeps, if it is one.
fn promise(document: &Document<'_>) -> String {
    let Some(name) = standard::name(document.standard) else { return String::new() };
    let mut hasher = blake3::Hasher::new();
    hasher.update(document.title.as_bytes());
    let faces = document.sheets.iter().flat_map(|sheet| &sheet.placements).map(|placement| placement.face.hash);
    faces.for_each(|hash| {
        hasher.update(&hash.0);
    });
    let id: String = hasher.finalize().to_hex().chars().take(32).collect();
    let date = standard::XMP_DATE;
    format!(
        r#"
<pdf:Trapped>False</pdf:Trapped>
<xmp:CreateDate>{date}</xmp:CreateDate>
<xmp:ModifyDate>{date}</xmp:ModifyDate>
<xmp:MetadataDate>{date}</xmp:MetadataDate>
<pdfxid:GTS_PDFXVersion xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">{name}</pdfxid:GTS_PDFXVersion>
<xmpMM:DocumentID xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">uuid:{id}</xmpMM:DocumentID>
<xmpMM:VersionID xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">1</xmpMM:VersionID>
<xmpMM:RenditionClass xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">default</xmpMM:RenditionClass>"#
    )
}

/// Text for XML. Characters that XML has no place for are left out.
fn escaped(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().filter(allowed).fold(String::new(), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
        out
    })
}
