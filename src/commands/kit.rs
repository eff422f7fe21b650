//! One kit: the pieces of a game for a player count, composed and laid on sheets. Building, checking and showing all do this.

mod faults;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use rayon::prelude::*;

use super::plan;
use super::printers::{Printers, Profile};
use super::session::Session;
use crate::cli::{MarksArg, Print, SidesArg};
use crate::compose::face::Face;
use crate::compose::{Composer, KitRow, PageContext};
use crate::diagnostics::{Report, instead};
use crate::geometry::Size;
use crate::model::{self, Component, Game, Kind, KitSize, Outline};
use crate::sheet::{self, Gutter, Imprint, Margins, Marks, Paper, Piece, Sheet, Sides, Stack};
use crate::units::Length;

/// How kits are made.
#[derive(Clone, Debug, PartialEq)]
pub struct KitOptions {
    /// The paper.
    pub paper: Paper,
    /// How fronts and backs come together.
    pub sides: Sides,
    /// Which crop marks are drawn.
    pub marks: Marks,
    /// What the printer does not reach.
    pub margins: Margins,
    /// The printer that backs are moved for.
    pub profile: Option<Profile>,
    /// Only these components; all if empty.
    pub components: Vec<String>,
    /// Of each of these pieces only so many copies, and of others none, nor pages; everything if none.
    pub only: Option<BTreeMap<String, usize>>,
}

impl KitOptions {
    /// Everything as it is by default, on `paper`.
    pub const fn new(paper: Paper) -> Self {
        KitOptions {
            paper,
            sides: Sides::LongEdge,
            marks: Marks::Outside,
            margins: Margins::DEFAULT,
            profile: None,
            components: Vec::new(),
            only: None,
        }
    }

    /// What was typed.
    ///
    /// # Errors
    /// When there is no such paper, or nothing is kept under the name of the printer.
    pub fn of(arguments: &Print) -> Result<Self> {
        Ok(KitOptions {
            sides: match arguments.sides {
                SidesArg::LongEdge => Sides::LongEdge,
                SidesArg::ShortEdge => Sides::ShortEdge,
                SidesArg::Fold => Sides::Fold,
                SidesArg::Fronts => Sides::Fronts,
            },
            marks: match arguments.marks {
                MarksArg::Outside => Marks::Outside,
                MarksArg::Guillotine => Marks::Guillotine,
                MarksArg::None => Marks::None,
            },
            margins: arguments.margin,
            profile: arguments.profile.as_deref().map(|name| Printers::open()?.get(name)).transpose()?,
            components: arguments.component.clone(),
            ..KitOptions::new(Paper::parse(&arguments.paper).map_err(|unknown| anyhow!("{unknown}"))?)
        })
    }

    /// Checks that the components they name are there.
    ///
    /// # Errors
    /// When `game` has no such component.
    pub fn check(&self, game: &Game) -> Result<()> {
        let ids: Vec<&str> = game.components.iter().map(|component| component.id.as_str()).collect();
        match self.components.iter().find(|id| !ids.contains(&id.as_str())) {
            Some(id) => bail!("{} has no component `{id}`{}", game.id, instead(id, "it has", &ids)),
            None => Ok(()),
        }
    }
}

/// A kit, laid out.
pub struct Kit {
    /// For how many players.
    pub size: KitSize,
    /// What its pages can say of it.
    pub page: PageContext,
    /// Its sheets, in the order of the pages.
    pub sheets: Vec<Sheet>,
    /// The front of each printed piece, by address.
    pub faces: BTreeMap<String, Arc<Face>>,
    /// The backs of those that have one.
    pub backs: BTreeMap<String, Arc<Face>>,
    /// How many of each are printed; of pages nothing.
    pub copies: BTreeMap<String, usize>,
}

impl Kit {
    /// Everything that is placed on its sheets.
    pub fn placed(&self) -> impl Iterator<Item = &sheet::Placement> {
        self.sheets.iter().flat_map(|sheet| &sheet.placements)
    }
}

/// The words for `sides` that data and file names use.
pub const fn sides_name(sides: Sides) -> &'static str {
    match sides {
        Sides::LongEdge => "long-edge",
        Sides::ShortEdge => "short-edge",
        Sides::Fold => "fold",
        Sides::Fronts => "fronts",
    }
}

/// Lays out the kit of `game` for `size`. What is wrong goes to `report`; what could be made is returned all the same.
pub fn assemble(
    composer: &Composer<'_>,
    game: &Game,
    size: KitSize,
    options: &KitOptions,
    session: &Session,
    report: &mut Report,
) -> Kit {
    let Gathered { chosen, mut page, stacks } = gather(composer, game, size, options, report);
    let imposed = sheet::impose(&stacks, &sheet_options(game, size, options, &stacks), &session.fonts);
    faults::report(imposed.faults, game, options, report);
    let mut sheets = imposed.sheets;
    page.steps = plan::steps(&sheets, &chosen);
    let pictured = composer.words().contains("picture");
    page.rows.par_iter_mut().for_each(|row| {
        let on_sheets = sheets.iter().filter(|sheet| sheet.side == sheet::Side::Front && sheet.holds(&row.id)).count();
        let tiled = page.steps.iter().any(|step| step.tiled && step.components.contains(&row.id));
        row.pages = plan::page_range(&sheets, |sheet| sheet.holds(&row.id));
        row.sheets = on_sheets;
        row.tiles = if tiled { on_sheets / row.printed.max(1) } else { 1 };
        let first = stacks.iter().find(|stack| stack.component == row.id && stack.kind != sheet::Kind::Page);
        if let Some(stack) = first.filter(|_| pictured) {
            let front = stack.pieces.first().map(|piece| &piece.front);
            row.picture = front.map_or_else(
                || Arc::clone(&row.picture),
                |front| session.pictures.of(front, stack.shape, &session.fonts),
            );
        }
    });
    fill_pages(composer, &chosen, &page, &mut sheets, report);
    let fronts =
        sheets.iter().flat_map(|sheet| &sheet.placements).filter(|placement| placement.side == sheet::Side::Front);
    let faces: BTreeMap<String, Arc<Face>> =
        fronts.map(|placement| (placement.piece.clone(), Arc::clone(&placement.face))).collect();
    let mut backs = BTreeMap::new();
    let mut copies = BTreeMap::new();
    // A piece that is larger than the paper is not on the sheets.
    for piece in pieces(&stacks).filter(|piece| faces.contains_key(&piece.address)) {
        *copies.entry(piece.address.clone()).or_default() += 1;
        backs.extend(piece.back.iter().map(|back| (piece.address.clone(), Arc::clone(back))));
    }
    Kit { size, page, sheets, faces, backs, copies }
}

/// The pieces of stacks; pages are none.
pub fn pieces(stacks: &[Stack]) -> impl Iterator<Item = &Piece> {
    stacks.iter().filter(|stack| stack.kind != sheet::Kind::Page).flat_map(|stack| &stack.pieces)
}

/// All pieces of a kit, and what its pages know of them.
pub struct Gathered<'g> {
    /// The components that were asked for.
    pub chosen: Vec<&'g Component>,
    /// What pages of the kit see.
    pub page: PageContext,
    /// The pieces of each component. Pages say on which sheets the rest is: blank ones stand in for them.
    pub stacks: Vec<Stack>,
}

/// Makes the faces of all pieces of the kit of `game` for `size`.
pub fn gather<'g>(
    composer: &Composer<'_>,
    game: &'g Game,
    size: KitSize,
    options: &KitOptions,
    report: &mut Report,
) -> Gathered<'g> {
    let wanted = |component: &&Component| {
        let named = options.components.is_empty() || options.components.contains(&component.id);
        named && (options.only.is_none() || component.kind != Kind::Page)
    };
    let chosen: Vec<&Component> = game.components.iter().filter(wanted).collect();
    let page = PageContext {
        size,
        paper: options.paper.name.clone(),
        paper_size: options.paper.size,
        sides: sides_name(options.sides).to_owned(),
        rows: game.components.iter().map(|component| row(component, size, options)).collect(),
        steps: Vec::new(),
    };
    composer.prepare(chosen.iter().copied().filter(|component| component.kind != Kind::Page), &page, report);
    let mut stacks: Vec<Stack> =
        chosen.iter().map(|component| stack(composer, component, &page, options, report)).collect();
    if let Some(only) = &options.only {
        keep_only(&mut stacks, only);
    }
    Gathered { chosen, page, stacks }
}

/// Leaves of each piece as many copies as `only` says.
fn keep_only(stacks: &mut Vec<Stack>, only: &BTreeMap<String, usize>) {
    let mut left = only.clone();
    let mut take = |address: &str| {
        let left = left.get_mut(address).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    };
    for stack in &mut *stacks {
        stack.pieces.retain(|piece| take(&piece.address));
    }
    stacks.retain(|stack| !stack.pieces.is_empty());
}

fn row(component: &Component, size: KitSize, options: &KitOptions) -> KitRow {
    let count = component.count(size);
    let mut addresses: Vec<&str> = component.stack(size).map(|piece| piece.address.as_str()).collect();
    addresses.dedup();
    KitRow {
        id: component.id.clone(),
        title: component.title.clone(),
        kind: component.kind.name(),
        printed: count.printed,
        used: count.used,
        faces: addresses.len(),
        pages: String::new(),
        sheets: 0,
        tiles: 1,
        shape: component.outline.name(),
        cut: match (component.outline, gutter(component)) {
            (Outline::Rect | Outline::Standee, Gutter::Shared) => "shared",
            (Outline::Rect | Outline::Standee, _) => "apart",
            (Outline::Circle, _) => "round",
            (Outline::HexFlat | Outline::HexPointy | Outline::Drawn, _) => "drawn",
        },
        trim: component.trim.unwrap_or(options.paper.size),
        picture: Arc::from(""),
    }
}

fn stack(
    composer: &Composer<'_>,
    component: &Component,
    page: &PageContext,
    options: &KitOptions,
    report: &mut Report,
) -> Stack {
    let trim = component.trim.unwrap_or(options.paper.size);
    let mut pieces = Vec::new();
    for piece in component.stack(page.size) {
        if component.kind == Kind::Page {
            pieces.extend(blank_pages(component, &piece.address, trim, options));
            continue;
        }
        let (front, back) =
            (composer.front(component, piece, page, report), composer.back(component, piece, page, report));
        pieces.extend(front.map(|front| Piece { address: piece.address.clone(), front, back }));
    }
    Stack {
        component: component.id.clone(),
        title: component.title.clone(),
        kind: match component.kind {
            Kind::Card => sheet::Kind::Card,
            Kind::Token | Kind::Box => sheet::Kind::Token,
            Kind::Board => sheet::Kind::Board,
            Kind::Page => sheet::Kind::Page,
        },
        trim,
        bleed: component.bleed,
        shape: component.outline.into(),
        gutter: gutter(component),
        folds: component.folds.clone(),
        own_sheet: component.own_sheet,
        pieces,
    }
}

/// What lies between two pieces of `component`. A gutter of nothing is a shared cut: straight, from edge to edge.
fn gutter(component: &Component) -> Gutter {
    match component.gutter {
        model::Gutter::Auto if component.edge.is_some() => Gutter::Shared,
        model::Gutter::Auto => Gutter::Bleeds,
        model::Gutter::Fixed(Length::ZERO) if component.outline == Outline::Rect => Gutter::Shared,
        model::Gutter::Fixed(gutter) => Gutter::Fixed(gutter),
    }
}

/// What stands in for a page of the kit. Where only one side of the paper is printed, its back is a page of its own.
fn blank_pages(component: &Component, address: &str, trim: Size, options: &KitOptions) -> Vec<Piece> {
    let blank = || Arc::new(Face::blank(trim));
    let page = |back| Piece { address: address.to_owned(), front: blank(), back };
    match (&component.back, options.sides) {
        (None, _) => vec![page(None)],
        (Some(_), Sides::LongEdge | Sides::ShortEdge) => vec![page(Some(blank()))],
        (Some(_), Sides::Fold | Sides::Fronts) => vec![page(None), page(None)],
    }
}

fn sheet_options(game: &Game, size: KitSize, options: &KitOptions, stacks: &[Stack]) -> sheet::Options {
    let chinese = game.language.starts_with("zh");
    let players = match (size, chinese) {
        _ if options.only.is_some() => if chinese { "补印" } else { "reprint" }.to_owned(),
        (KitSize::Players(players), true) => format!("{players} 人"),
        (KitSize::Players(players), false) => format!("{players} players"),
        (KitSize::Full, true) => "全套".to_owned(),
        (KitSize::Full, false) => "everything".to_owned(),
    };
    sheet::Options {
        sides: options.sides,
        marks: options.marks,
        margins: options.margins,
        in_step: matches!(options.sides, Sides::LongEdge | Sides::ShortEdge),
        adjustment: options.profile.as_ref().map(|profile| profile.adjustment).unwrap_or_default(),
        imprint: Imprint {
            game: game.title.clone(),
            players,
            version: game.version.clone(),
            hash: kit_hash(stacks),
            made_with: concat!("paiban ", env!("CARGO_PKG_VERSION")).to_owned(),
            language: game.language.clone(),
        },
        ..sheet::Options::new(options.paper.clone())
    }
}

/// Eight hex digits that change when any face of the kit changes.
fn kit_hash(stacks: &[Stack]) -> String {
    let mut hasher = blake3::Hasher::new();
    for piece in stacks.iter().flat_map(|stack| &stack.pieces) {
        hasher.update(piece.address.as_bytes());
        for face in std::iter::once(&piece.front).chain(&piece.back) {
            hasher.update(&face.hash.0);
        }
    }
    hasher.finalize().to_hex().chars().take(8).collect()
}

/// Puts the composed pages where blank ones stand.
fn fill_pages(
    composer: &Composer<'_>,
    chosen: &[&Component],
    page: &PageContext,
    sheets: &mut [Sheet],
    report: &mut Report,
) {
    for component in chosen.iter().filter(|component| component.kind == Kind::Page) {
        let mut faces: Vec<Option<Arc<Face>>> = Vec::new();
        for piece in component.stack(page.size) {
            faces.push(composer.front(component, piece, page, report));
            if component.back.is_some() {
                faces.push(composer.back(component, piece, page, report));
            }
        }
        let places = sheets.iter_mut().filter(|sheet| sheet.holds(&component.id));
        let places = places.flat_map(|sheet| sheet.placements.iter_mut()).filter(|place| !place.piece.is_empty());
        for (place, face) in places.zip(faces) {
            if let Some(face) = face {
                place.face = face;
            }
        }
    }
}
