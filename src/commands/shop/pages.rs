//! The pages of an order: one side of one piece each, with the bleed that the shop asks for.

use std::sync::Arc;

use anyhow::{Context, Result};
use resvg::usvg;

use crate::compose::face::{Art, Face, FaceHash, Layer};
use crate::geometry::{Affine, Rect, Size};
use crate::model::Component;
use crate::model::shop::{PageOrder, Shop};
use crate::sheet::{Piece, Placement, Sheet, Side, Stack};
use crate::units::Length;

/// Pieces that go into a file together.
pub(super) struct Batch<'s> {
    pub(super) component: &'s Component,
    pub(super) stack: &'s Stack,
    /// Each with how many there are.
    pub(super) pieces: Vec<(&'s Piece, usize)>,
    /// Which of several batches of the component it is.
    pub(super) number: Option<usize>,
}

impl Batch<'_> {
    /// The back that all pieces have, if it is one.
    pub(super) fn common_back(&self) -> Option<&Arc<Face>> {
        let first = self.pieces.first()?.0.back.as_ref()?;
        let same = |(piece, _): &(&Piece, usize)| piece.back.as_ref().is_some_and(|back| back.hash == first.hash);
        self.pieces.iter().all(same).then_some(first)
    }

    /// The pages of a PDF, in the order that the shop asks for. A side that is missing is a white page where sides take turns.
    pub(super) fn sheets(&self, shop: &Shop) -> Result<Vec<Sheet>> {
        let two_sided = self.pieces.iter().any(|(piece, _)| piece.back.is_some());
        let mut sheets = Vec::new();
        for (piece, _) in &self.pieces {
            let front = self.page(shop, &piece.address, Some(&piece.front), Side::Front)?;
            let back = || self.page(shop, &piece.address, piece.back.as_ref(), Side::Back);
            match shop.order {
                PageOrder::FrontBack if two_sided => sheets.extend([front, back()?]),
                PageOrder::BackFront if two_sided => sheets.extend([back()?, front]),
                PageOrder::FrontBack | PageOrder::BackFront | PageOrder::FrontsThenBack => sheets.push(front),
            }
        }
        if let (PageOrder::FrontsThenBack, Some(back)) = (shop.order, self.common_back()) {
            sheets.push(self.page(shop, &self.component.id, Some(back), Side::Back)?);
        }
        Ok(sheets)
    }

    /// A page that is one side of a piece, and its bleed.
    pub(super) fn page(&self, shop: &Shop, piece: &str, face: Option<&Arc<Face>>, side: Side) -> Result<Sheet> {
        let trim = self.stack.trim;
        let page = trim.outset(shop.bleed);
        let all = Rect { w: page.w, h: page.h, ..Rect::default() };
        let edge = self.component.edge.as_ref().filter(|_| face.is_some());
        let ground = edge.map(|edge| ground(&edge.value, trim, shop.bleed)).transpose()?;
        let placed = |piece: &str, face: Arc<Face>| Placement {
            piece: piece.to_owned(),
            face,
            transform: Affine::translate(shop.bleed.to_mm(), shop.bleed.to_mm()),
            clip: all,
            tilted: None,
            trim: Rect { x: shop.bleed, y: shop.bleed, w: trim.w, h: trim.h },
            shape: self.stack.shape,
            side,
        };
        let face = face.map_or_else(|| Arc::new(Face::blank(trim)), Arc::clone);
        let below = ground.map(|ground| placed("", Arc::new(ground)));
        Ok(Sheet {
            page,
            side,
            components: vec![self.component.id.clone()],
            title: self.component.title.clone(),
            placements: below.into_iter().chain([placed(piece, face)]).collect(),
            lines: Vec::new(),
            rings: Vec::new(),
            words: Vec::new(),
        })
    }
}

/// A face in one colour: what goes on where the art of a piece ends.
fn ground(colour: &str, trim: Size, bleed: Length) -> Result<Face> {
    let [w, h, bleed_mm] = [trim.w, trim.h, bleed].map(Length::to_mm);
    let document = svg::Document::new().set("width", w).set("height", h).add(
        svg::node::element::Rectangle::new()
            .set("x", -bleed_mm)
            .set("y", -bleed_mm)
            .set("width", w + 2.0 * bleed_mm)
            .set("height", h + 2.0 * bleed_mm)
            .set("fill", colour),
    );
    let svg = document.to_string();
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).context("an edge cannot be drawn")?;
    let mut hash = [0; 16];
    blake3::Hasher::new().update(b"ground").update(svg.as_bytes()).finalize_xof().fill(&mut hash);
    Ok(Face {
        trim,
        bleed,
        layers: vec![Layer::Art(Arc::new(Art::new(tree, svg)))],
        texts: Vec::new(),
        hash: FaceHash(hash),
    })
}
