//! Pieces of a document: objects with their parts, still without numbers, so that faces can be drawn side by side. The
//! [`Store`] gives them numbers, equal pieces the same one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lopdf::{Dictionary, Object, ObjectId};

use super::Failure;
use crate::fonts::FontId;

/// A dictionary or a stream, and the pieces it refers to.
#[derive(Default)]
pub(super) struct Piece {
    /// The dictionary, without the references.
    pub(super) dict: Dictionary,
    /// An array in place of the dictionary.
    pub(super) array: Option<Vec<Object>>,
    /// The bytes; none for a plain dictionary.
    pub(super) data: Option<Vec<u8>>,
    /// Referred to under these keys.
    pub(super) parts: Vec<(&'static str, Arc<Piece>)>,
    /// What the content names.
    pub(super) resources: Resources,
}

/// What a content stream names.
#[derive(Default, Clone)]
pub(super) struct Resources {
    /// Fonts; their names are the same everywhere.
    pub(super) fonts: BTreeMap<String, FontId>,
    /// Graphics states.
    pub(super) states: Vec<(String, Arc<Piece>)>,
    /// Patterns and shadings.
    pub(super) patterns: Vec<(String, Arc<Piece>)>,
    /// Forms and images.
    pub(super) objects: Vec<(String, Arc<Piece>)>,
    /// Colour spaces.
    pub(super) spaces: Vec<(String, Arc<Piece>)>,
}

impl Resources {
    /// Takes in what `other` names.
    pub(super) fn extend(&mut self, other: Resources) {
        self.fonts.extend(other.fonts);
        self.states.extend(other.states);
        self.patterns.extend(other.patterns);
        self.objects.extend(other.objects);
        self.spaces.extend(other.spaces);
    }
}

/// Composed pages are always put together in the same way.
const ODD: Failure = Failure::Composition("a page is not built as expected");

/// Gives pieces their numbers.
pub(super) struct Store<'a> {
    document: &'a mut lopdf::Document,
    fonts: BTreeMap<FontId, ObjectId>,
    by_content: HashMap<[u8; 32], ObjectId>,
    by_address: HashMap<usize, (ObjectId, Arc<Piece>)>,
}

impl<'a> Store<'a> {
    /// A store that adds to `document`; `fonts` are already in it.
    pub(super) fn new(document: &'a mut lopdf::Document, fonts: BTreeMap<FontId, ObjectId>) -> Self {
        Store { document, fonts, by_content: HashMap::new(), by_address: HashMap::new() }
    }

    /// The number of `piece`, which is added unless an equal one is there.
    pub(super) fn add(&mut self, piece: &Arc<Piece>) -> ObjectId {
        let address = Arc::as_ptr(piece).addr();
        if let Some((id, _)) = self.by_address.get(&address) {
            return *id;
        }
        if let Some(array) = &piece.array {
            let id = self.intern_array(array);
            self.by_address.insert(address, (id, Arc::clone(piece)));
            return id;
        }
        let mut dict = piece.dict.clone();
        for (key, part) in &piece.parts {
            dict.set(*key, Object::Reference(self.add(part)));
        }
        if piece.data.is_some() && dict.get(b"Subtype").and_then(Object::as_name).ok() != Some(b"Image".as_slice()) {
            dict.set("Resources", Object::Reference(self.resources(&piece.resources)));
        }
        let id = self.intern(dict, piece.data.as_deref());
        self.by_address.insert(address, (id, Arc::clone(piece))); // kept, so that its address stays its own
        id
    }

    /// The number of a resource dictionary.
    pub(super) fn resources(&mut self, resources: &Resources) -> ObjectId {
        let dict = self.resource_dictionary(resources);
        self.intern(dict, None)
    }

    /// The dictionary of what a content stream names.
    pub(super) fn resource_dictionary(&mut self, resources: &Resources) -> Dictionary {
        let mut dict = Dictionary::new();
        let mut fonts = Dictionary::new();
        for (name, font) in &resources.fonts {
            if let Some(id) = self.fonts.get(font) {
                fonts.set(name.as_str(), Object::Reference(*id));
            }
        }
        for (kind, named) in [
            ("ExtGState", &resources.states),
            ("Pattern", &resources.patterns),
            ("XObject", &resources.objects),
            ("ColorSpace", &resources.spaces),
        ] {
            let mut entries = Dictionary::new();
            for (name, piece) in named {
                entries.set(name.as_str(), Object::Reference(self.add(piece)));
            }
            if !entries.is_empty() {
                dict.set(kind, entries);
            }
        }
        if !fonts.is_empty() {
            dict.set("Font", fonts);
        }
        dict
    }

    /// The number that `object` refers to under `key`.
    pub(super) fn reference(&self, object: ObjectId, key: &[u8]) -> Result<ObjectId, Failure> {
        let dict = self.document.get_dictionary(object).ok();
        dict.and_then(|dict| dict.get(key).and_then(Object::as_reference).ok()).ok_or(ODD)
    }

    /// A dictionary that is already in the document.
    pub(super) fn dictionary(&mut self, object: ObjectId) -> Result<&mut Dictionary, Failure> {
        self.document.get_object_mut(object).and_then(Object::as_dict_mut).map_err(|_| ODD)
    }

    /// The content of a stream that is already in the document.
    pub(super) fn content(&self, object: ObjectId) -> Result<&[u8], Failure> {
        let stream = self.document.get_object(object).and_then(Object::as_stream).map_err(|_| ODD)?;
        Ok(&stream.content)
    }

    /// Puts an object in the place of another.
    pub(super) fn replace(&mut self, old: ObjectId, new: impl Into<Object>) {
        self.document.set_object(old, new);
    }

    /// Takes an object out.
    pub(super) fn remove(&mut self, object: ObjectId) {
        self.document.objects.remove(&object);
    }

    fn intern_array(&mut self, array: &[Object]) -> ObjectId {
        let object = Object::Array(array.to_vec());
        let mut hasher = blake3::Hasher::new();
        hash_object(&mut hasher, &object);
        let document = &mut *self.document;
        *self.by_content.entry(*hasher.finalize().as_bytes()).or_insert_with(|| document.add_object(object))
    }

    fn intern(&mut self, dict: Dictionary, data: Option<&[u8]>) -> ObjectId {
        let mut hasher = blake3::Hasher::new();
        hash_dictionary(&mut hasher, &dict);
        if let Some(data) = data {
            hasher.update(b"stream");
            hasher.update(data);
        }
        let key = *hasher.finalize().as_bytes();
        if let Some(id) = self.by_content.get(&key) {
            return *id;
        }
        let id = match data {
            Some(data) => self.document.add_object(lopdf::Stream::new(dict, data.to_vec())),
            None => self.document.add_object(dict),
        };
        self.by_content.insert(key, id);
        id
    }
}

/// Feeds an object, with all its bytes, to a hash.
pub(super) fn hash_object(hasher: &mut blake3::Hasher, object: &Object) {
    match object {
        Object::Null => hash_part(hasher, 0, b""),
        Object::Boolean(value) => hash_part(hasher, 1, &[u8::from(*value)]),
        Object::Integer(value) => hash_part(hasher, 2, &value.to_be_bytes()),
        Object::Real(value) => hash_part(hasher, 3, &value.to_be_bytes()),
        Object::Name(name) => hash_part(hasher, 4, name),
        Object::String(text, _) => hash_part(hasher, 5, text),
        Object::Array(items) => {
            hash_part(hasher, 6, &items.len().to_be_bytes());
            items.iter().for_each(|item| hash_object(hasher, item));
        }
        Object::Dictionary(dict) => hash_dictionary(hasher, dict),
        Object::Stream(stream) => {
            hash_dictionary(hasher, &stream.dict);
            hash_part(hasher, 8, &stream.content);
        }
        Object::Reference(id) => hash_part(hasher, 9, &[id.0.to_be_bytes().as_slice(), &id.1.to_be_bytes()].concat()),
    }
}

fn hash_dictionary(hasher: &mut blake3::Hasher, dict: &Dictionary) {
    hash_part(hasher, 7, &dict.len().to_be_bytes());
    for (key, value) in dict {
        hash_part(hasher, 10, key);
        hash_object(hasher, value);
    }
}

fn hash_part(hasher: &mut blake3::Hasher, kind: u8, bytes: &[u8]) {
    hasher.update(&[kind]);
    hasher.update(&bytes.len().to_be_bytes());
    hasher.update(bytes);
}
