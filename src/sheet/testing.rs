//! Stacks for tests: pieces with an empty face.

use std::sync::{Arc, LazyLock};

use super::{Gutter, Imposed, Imprint, Kind, Options, Paper, Piece, Shape, Stack, impose};
use crate::compose::face::{Face, FaceHash};
use crate::fonts::Fonts;
use crate::geometry::Size;
use crate::units::Length;

/// The built-in fonts, loaded once.
pub(super) static FONTS: LazyLock<Fonts> = LazyLock::new(|| Fonts::load(Vec::new()).0);

/// A face with nothing on it.
pub(super) fn face(trim: Size, bleed: Length) -> Arc<Face> {
    Arc::new(Face { trim, bleed, layers: Vec::new(), texts: Vec::new(), hash: FaceHash([0; 16]) })
}

/// `count` two-sided cards with a bleed of 3 mm; piece k has the address `card/k`.
pub(super) fn cards(trim: Size, count: usize, gutter: Gutter) -> Stack {
    let bleed = Length::mm(3);
    let (front, back) = (face(trim, bleed), face(trim, bleed));
    let piece = |k| Piece { address: format!("card/{k}"), front: front.clone(), back: Some(back.clone()) };
    Stack {
        component: "card".to_owned(),
        title: "社团手段卡".to_owned(),
        kind: Kind::Card,
        trim,
        bleed,
        shape: Shape::Rect,
        gutter,
        folds: Vec::new(),
        own_sheet: false,
        pieces: (0..count).map(piece).collect(),
    }
}

/// `count` boards without a back.
pub(super) fn boards(trim: Size, count: usize) -> Stack {
    let mut stack = Stack { kind: Kind::Board, component: "board".to_owned(), ..cards(trim, count, Gutter::Bleeds) };
    stack.pieces.iter_mut().for_each(|piece| piece.back = None);
    stack
}

/// Options with all words that a kit has.
pub(super) fn options(paper: &str) -> Options {
    let imprint = Imprint {
        game: "社团博览会：抢新大战".to_owned(),
        players: "4 人".to_owned(),
        version: "1.0".to_owned(),
        hash: "3f2a91c0".to_owned(),
        made_with: "paiban 0.1.0".to_owned(),
        language: "zh-Hans".to_owned(),
    };
    Options { imprint, ..Options::new(Paper::parse(paper).expect(paper)) }
}

/// The sheets of one stack.
pub(super) fn imposed(stack: Stack, options: &Options) -> Imposed {
    impose(&[stack], options, &FONTS)
}

/// A length in hundredths of a millimetre.
pub(super) const fn hundredths(n: i64) -> Length {
    Length::emu(n * 360)
}
