//! What a measure finds on a face.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::diagnostics::checks::{self, Check};

/// An upright rectangle of a face, in its millimetres: left, top, right, bottom.
pub type Extent = [f64; 4];

/// What of a face a flaw is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// One of its texts, by its place in [`Face::texts`](crate::compose::face::Face::texts).
    Text(usize),
    /// A shape or picture: the layer, and which of its leaves.
    Leaf(usize, usize),
    /// All of it.
    Whole,
}

/// A limit that something on a face does not keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flaw {
    /// The check.
    #[serde(serialize_with = "to_code", deserialize_with = "from_code")]
    pub check: &'static Check,
    /// What was measured, in words.
    pub message: String,
    /// What was expected, in words.
    pub expected: String,
    /// What was measured, in the unit of the limit.
    pub measured: f64,
    /// Whether less is worse.
    pub too_little: bool,
    /// What it is about.
    pub part: Part,
    /// Where it is.
    pub extent: Extent,
}

impl Flaw {
    /// Whether it would be none with this limit.
    pub fn keeps(&self, limit: f64) -> bool {
        const EXACT: f64 = 1e-6;
        if self.too_little { self.measured >= limit - EXACT } else { self.measured <= limit + EXACT }
    }
}

fn to_code<S: Serializer>(check: &Check, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(check.code)
}

fn from_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Check, D::Error> {
    let code = String::deserialize(deserializer)?;
    checks::by_code(&code).ok_or_else(|| serde::de::Error::custom("no such check"))
}

/// The rectangle around both; nothing is around nothing.
pub fn around(all: impl IntoIterator<Item = Extent>) -> Option<Extent> {
    let join = |a: Extent, b: Extent| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
    all.into_iter().reduce(join)
}

/// A number with at most `places` decimals.
pub fn number(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
