//! The deck, colours, the wrap and the fonts' character maps.
use serde::Deserialize;
use std::{fs::File, sync::Arc};

pub const MM: f32 = 72.0 / 25.4;
const NOTO: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-";

#[derive(Deserialize)]
pub struct Card {
    pub title: String,
    pub body: String,
    pub num: u32,
    pub icon: String,
    pub bg: String,
    pub c1: String,
    pub c2: String,
    pub ink: String,
}

pub fn rgb(h: &str) -> [u8; 3] {
    let v = u32::from_str_radix(&h[1..], 16).unwrap();
    [(v >> 16) as u8, (v >> 8) as u8, v as u8]
}

/// Arguments ROOT DECK OUT; the deck is ROOT/data/DECK.json.
pub fn load() -> (String, String, Vec<Card>) {
    let a: Vec<String> = std::env::args().collect();
    let cards = serde_json::from_slice(&std::fs::read(format!("{}/data/{}.json", a[1], a[2])).unwrap()).unwrap();
    (a[1].clone(), a[3].clone(), cards)
}

/// Full-width wrap that keeps a comma or full stop off the start of a line (what every peer does here).
pub fn wrap(s: &str, n: usize) -> Vec<&str> {
    let idx: Vec<usize> = s.char_indices().map(|(i, _)| i).chain([s.len()]).collect();
    let (mut out, mut a) = (vec![], 0);
    while idx.len() - 1 - a > n {
        let b = if s[idx[a + n]..].starts_with(['，', '。']) { a + n - 1 } else { a + n };
        out.push(&s[idx[a]..idx[b]]);
        a = b;
    }
    out.push(&s[idx[a]..]);
    out
}

#[derive(Clone)]
pub struct Map(pub Arc<memmap2::Mmap>);
impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

pub fn font(weight: &str) -> Map {
    let f = File::open(format!("{NOTO}{weight}.ttc")).unwrap();
    Map(Arc::new(unsafe { memmap2::Mmap::map(&f).unwrap() }))
}
