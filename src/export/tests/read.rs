//! Reads a PDF: objects by their way from the catalogue, text by what its fonts say.

use std::collections::BTreeMap;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

/// A document, read.
pub struct Read {
    pub pdf: Document,
    pub pages: Vec<ObjectId>,
}

impl Read {
    pub fn new(bytes: &[u8]) -> Self {
        let pdf = Document::load_mem(bytes).expect("a PDF");
        let pages = pdf.get_pages().into_values().collect();
        Read { pdf, pages }
    }

    /// The object itself, whatever refers to it.
    pub fn solid<'a>(&'a self, object: &'a Object) -> &'a Object {
        match object {
            Object::Reference(id) => self.solid(self.pdf.get_object(*id).expect("an object")),
            _ => object,
        }
    }

    pub fn at<'a>(&'a self, dict: &'a Dictionary, key: &str) -> &'a Object {
        self.solid(dict.get(key.as_bytes()).unwrap_or_else(|_| panic!("{key} in {dict:?}")))
    }

    pub fn dict<'a>(&'a self, dict: &'a Dictionary, key: &str) -> &'a Dictionary {
        self.at(dict, key).as_dict().expect(key)
    }

    pub fn page(&self, index: usize) -> &Dictionary {
        self.pdf.get_dictionary(self.pages[index]).expect("a page")
    }

    pub fn numbers(&self, dict: &Dictionary, key: &str) -> Vec<f32> {
        self.at(dict, key).as_array().expect(key).iter().map(|value| value.as_float().expect(key)).collect()
    }

    pub fn content(&self, index: usize) -> Vec<u8> {
        self.at(self.page(index), "Contents").as_stream().unwrap().get_plain_content().unwrap()
    }

    pub fn streams(&self) -> impl Iterator<Item = &Stream> {
        self.pdf.objects.values().filter_map(|object| object.as_stream().ok())
    }

    /// The form XObjects.
    pub fn forms(&self) -> usize {
        self.streams()
            .filter(|stream| stream.dict.get(b"Subtype").and_then(Object::as_name).ok() == Some(b"Form"))
            .count()
    }

    /// All fonts that text is written in.
    pub fn fonts(&self) -> Vec<&Dictionary> {
        let dicts = self.pdf.objects.values().filter_map(|object| object.as_dict().ok());
        dicts.filter(|dict| dict.get(b"Subtype").and_then(Object::as_name).ok() == Some(b"Type0")).collect()
    }

    /// The text of a page, in the order in which it is painted.
    pub fn text(&self, index: usize) -> String {
        let mut out = String::new();
        self.text_of(&self.content(index), self.dict(self.page(index), "Resources"), &mut out);
        out
    }

    fn text_of(&self, content: &[u8], resources: &Dictionary, out: &mut String) {
        let mut font = BTreeMap::new();
        let mut silent = false;
        for operation in Content::decode(content).expect("operators").operations {
            let operands = &operation.operands;
            match operation.operator.as_str() {
                "Tf" => {
                    let name = operands[0].as_name_str();
                    font = self.characters(self.dict(self.dict(resources, "Font"), &name));
                }
                "BDC" => {
                    if let Ok(text) =
                        operands[1].as_dict().and_then(|dict| dict.get(b"ActualText")).and_then(Object::as_str)
                    {
                        out.push_str(&utf16(&text[2..]));
                        silent = true;
                    }
                }
                "EMC" => silent = false,
                "TJ" if !silent => {
                    for bytes in operands[0].as_array().unwrap().iter().filter_map(|item| item.as_str().ok()) {
                        for code in bytes.chunks_exact(2) {
                            out.push_str(font.get(code).map_or("\u{fffd}", String::as_str));
                        }
                    }
                }
                "ET" => out.push('\n'),
                "Do" => {
                    let object = self.at(self.dict(resources, "XObject"), &operands[0].as_name_str());
                    let form = object.as_stream().unwrap();
                    if form.dict.get(b"Subtype").and_then(Object::as_name).ok() == Some(b"Form") {
                        self.text_of(&form.get_plain_content().unwrap(), self.dict(&form.dict, "Resources"), out);
                    }
                }
                _ => {}
            }
        }
    }

    /// What the codes of a font stand for, by its own map.
    pub fn characters(&self, font: &Dictionary) -> BTreeMap<Vec<u8>, String> {
        let map = self.at(font, "ToUnicode").as_stream().unwrap().get_plain_content().unwrap();
        let text = String::from_utf8(map).unwrap();
        let pair = |line: &str| {
            let (code, characters) = line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <")?;
            Some((hex(code), utf16(&hex(characters))))
        };
        let pairs = text.split("beginbfchar").skip(1).filter_map(|rest| rest.split("endbfchar").next());
        pairs.flat_map(str::lines).filter_map(pair).collect()
    }
}

pub trait NameText {
    fn as_name_str(&self) -> String;
}

impl NameText for Object {
    fn as_name_str(&self) -> String {
        String::from_utf8(self.as_name().expect("a name").to_vec()).unwrap()
    }
}

pub fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

pub fn utf16(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    String::from_utf16(&units).unwrap()
}
