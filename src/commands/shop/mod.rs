//! `paiban build --for SHOP`: what a print shop wants to be sent, in its order and under its names.

mod pages;

use std::collections::BTreeMap;
use std::path::{self, Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::kit::{KitOptions, gather};
use super::output;
use super::press::Press;
use super::session::Session;
use crate::compose::Composer;
use crate::compose::face::{Face, FaceHash};
use crate::diagnostics::{Finding, Report, checks, instead};
use crate::export::{pdf, png};
use crate::model::shop::{self, Output, PageOrder, Shop};
use crate::model::{Component, Game, KitSize, Outline};
use crate::sheet::{Kind, Piece, Shape, Side, Sides, Stack};
use crate::units::Length;
use pages::Batch;

/// A safe zone may be smaller than the shop's by that much.
const NEARLY: Length = Length::emu(crate::units::EMU_PER_MM / 5);

/// A file for the shop, not yet on the disk.
pub struct File {
    /// Where it goes.
    pub path: PathBuf,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What was drawn otherwise than the faces say.
    pub notes: Vec<pdf::Note>,
    /// What the list of files says of it.
    entry: Entry,
}

/// The name of the list of an order's files.
pub const LIST: &str = "files.json";

/// A file in that list.
#[derive(Clone, Serialize, Deserialize)]
pub struct Entry {
    file: String,
    component: String,
    pages: usize,
    pieces: Vec<String>,
}

/// The profile called `id`. None when it has faults, which are in `report` then.
///
/// # Errors
/// When there is no such profile.
pub fn profile(id: &str, session: &Session, report: &mut Report) -> Result<Option<Shop>> {
    let known = shop::known(&session.project.disk);
    if !known.iter().any(|known| known == id) {
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        return Err(anyhow!("there is no shop `{id}`{}", instead(id, "there are", &names)));
    }
    Ok(shop::load(id, &session.project.disk, &session.project.sources, report))
}

/// What an order is made from.
pub struct Order<'a> {
    /// Makes the faces.
    pub composer: &'a Composer<'a>,
    /// The game.
    pub game: &'a Game,
    /// The kit.
    pub size: KitSize,
    /// What is asked for of it.
    pub options: &'a KitOptions,
    /// For whom.
    pub shop: &'a Shop,
    /// Its inks.
    pub press: &'a Press,
    /// The spot colour that cuts are drawn in.
    pub cut: Option<&'a str>,
    /// The folder of the order.
    pub folder: &'a Path,
}

impl Order<'_> {
    /// Makes all files of the order; none when something is wrong.
    pub fn make(&self, session: &Session, report: &mut Report) -> Result<Vec<File>> {
        let gathered = gather(self.composer, self.game, self.size, self.options, report);
        let stacks: Vec<(&Component, &Stack)> = gathered.chosen.iter().copied().zip(&gathered.stacks).collect();
        let stacks: Vec<_> = stacks.into_iter().filter(|(_, stack)| stack.kind != Kind::Page).collect();
        stacks.iter().for_each(|(component, stack)| self.check(component, stack, session, report));
        self.check_number(stacks.iter().map(|(_, stack)| stack.pieces.len()).sum(), report);
        if report.has_errors() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for (component, stack) in stacks {
            for batch in self.batches(component, stack) {
                files.extend(match self.shop.output {
                    Output::Pdf => vec![self.pdf(&batch, session)?],
                    Output::Png => self.pictures(&batch, session)?,
                });
            }
        }
        Ok(files)
    }

    /// What the list of an earlier order has beside `files`: what is of components that were not asked for this time, and the paths of what is
    /// out of date. The folder is uploaded as it is.
    pub fn earlier(&self, files: &[File]) -> (Vec<Entry>, Vec<PathBuf>) {
        #[derive(Deserialize)]
        struct List {
            files: Vec<Entry>,
        }
        let list =
            output::read_plain(&self.folder.join(LIST)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let List { files: mut earlier } = list.unwrap_or(List { files: Vec::new() });
        let is_plain = |name: &str| Path::new(name).components().all(|part| matches!(part, path::Component::Normal(_)));
        let is_made = |entry: &Entry| files.iter().any(|file| file.entry.file == entry.file);
        earlier.retain(|entry| is_plain(&entry.file) && self.folder.join(&entry.file).is_file() && !is_made(entry));
        let components = &self.options.components;
        let (others, stale): (Vec<Entry>, Vec<Entry>) =
            earlier.into_iter().partition(|entry| !components.is_empty() && !components.contains(&entry.component));
        (others, stale.into_iter().map(|entry| self.folder.join(entry.file)).collect())
    }

    /// The list of the files and of `others` that are there already, as JSON.
    pub fn list(&self, files: &[File], others: Vec<Entry>) -> String {
        #[derive(Serialize)]
        struct List<'a> {
            game: &'a str,
            shop: &'a str,
            files: Vec<Entry>,
            paiban: &'static str,
        }
        let files = files.iter().map(|file| file.entry.clone()).chain(others).collect();
        let list = List { game: &self.game.id, shop: &self.shop.id, files, paiban: env!("CARGO_PKG_VERSION") };
        serde_json::to_string_pretty(&list).unwrap_or_default() + "\n"
    }

    /// Whether the art of a component reaches as far as the shop asks for.
    fn check(&self, component: &Component, stack: &Stack, session: &Session, report: &mut Report) {
        let (shop, title) = (self.shop, &self.shop.title);
        if component.outline == Outline::Drawn {
            return; // its edge is paper, and it says itself where it is cut
        }
        let place = |key: &str| component.table.as_table().and_then(|table| table.get(key)).map(|node| node.span);
        let lacks_bleed = component.bleed < shop.bleed && component.edge.is_none();
        let bare = if lacks_bleed { bare_pieces(stack, shop.bleed, session) } else { Vec::new() };
        if !bare.is_empty() {
            let message = format!("component `{}` has a bleed of {}", component.id, component.bleed);
            let finding = Finding::new(checks::SHOP_BLEED, message)
                .at(place("bleed").unwrap_or(component.span))
                .expected(format!("{} for {title}", shop.bleed))
                .help(format!(
                    "write `bleed = \"{}\"` and let the art of {} reach that far beyond the viewBox, or name its flat edge colour as `edge`",
                    shop.bleed, component.front.value
                ));
            report.push(Finding { pieces: bare, ..finding });
        }
        if component.safe + NEARLY < shop.safe {
            let message = format!("component `{}` has a safe zone of {}", component.id, component.safe);
            let finding = Finding::new(checks::SHOP_SAFE, message)
                .at(place("safe").unwrap_or(component.span))
                .expected(format!("{} for {title}", shop.safe));
            report.push(finding);
        }
    }

    fn check_number(&self, pieces: usize, report: &mut Report) {
        let Some(most) = self.shop.most.filter(|most| pieces > *most) else { return };
        let message = format!("the order has {pieces} pieces");
        report.push(
            Finding::new(checks::SHOP_TOO_MANY, message)
                .expected(format!("{most} at most for {}", self.shop.title))
                .help("split it with --component"),
        );
    }

    /// The pieces of a component, as they go into files together.
    fn batches<'s>(&'s self, component: &'s Component, stack: &'s Stack) -> Vec<Batch<'s>> {
        let batch = |pieces: Vec<(&'s Piece, usize)>, number| Batch { component, stack, pieces, number };
        let all: Vec<(&Piece, usize)> = if self.shop.copies {
            stack.pieces.iter().map(|piece| (piece, 1)).collect()
        } else {
            counted(&stack.pieces)
        };
        if self.shop.order != PageOrder::FrontsThenBack || self.shop.output == Output::Png {
            return vec![batch(all, None)];
        }
        let back = |piece: &Piece| piece.back.as_ref().map(|back| back.hash);
        let mut groups: Vec<Vec<(&Piece, usize)>> = Vec::new();
        for (piece, copies) in all {
            match groups.iter_mut().find(|group| group.first().is_some_and(|(known, _)| back(known) == back(piece))) {
                Some(group) => group.push((piece, copies)),
                None => groups.push(vec![(piece, copies)]),
            }
        }
        let several = groups.len() > 1;
        (1..).zip(groups).map(|(number, group)| batch(group, several.then_some(number))).collect()
    }

    fn pdf(&self, batch: &Batch<'_>, session: &Session) -> Result<File> {
        let sheets = batch.sheets(self.shop)?;
        let name = format!("{}.pdf", self.name(batch, None));
        let document = pdf::Document {
            title: &format!("{} {}", self.game.title, batch.component.title),
            language: &self.game.language,
            creator: concat!("paiban ", env!("CARGO_PKG_VERSION")),
            sheets: &sheets,
            sides: Sides::Fronts,
            ink: self.press.ink(),
            standard: self.press.standard,
            boxes: pdf::Boxes::Piece,
            cut: self.cut,
            guides: &pdf::NO_GUIDES,
        };
        let written = pdf::write(&document, &session.fonts).with_context(|| format!("{name} cannot be made"))?;
        let pieces = batch.pieces.iter().map(|(piece, _)| piece.address.clone()).collect();
        Ok(self.file(name, (written.bytes, written.notes), batch, (sheets.len(), pieces)))
    }

    /// A picture of each side of each piece. A back that is that of the whole component is there once.
    fn pictures(&self, batch: &Batch<'_>, session: &Session) -> Result<Vec<File>> {
        let mut files = Vec::new();
        let common = batch.common_back();
        for (index, (piece, copies)) in batch.pieces.iter().enumerate() {
            let back = piece.back.as_ref().filter(|_| common.is_none());
            for (side, face) in [(Side::Front, Some(&piece.front)), (Side::Back, back)] {
                let Some(face) = face else { continue };
                let name = self.name(batch, Some((format!("{:03}", index + 1), side, *copies)));
                files.push(self.picture(name, face, batch, &piece.address, session)?);
            }
        }
        if let Some(back) = common {
            let name = self.name(batch, Some(("all".to_owned(), Side::Back, batch.stack.pieces.len())));
            files.push(self.picture(name, back, batch, &batch.component.id, session)?);
        }
        Ok(files)
    }

    fn picture(
        &self,
        name: String,
        face: &std::sync::Arc<crate::compose::face::Face>,
        batch: &Batch<'_>,
        piece: &str,
        session: &Session,
    ) -> Result<File> {
        let sheet = batch.page(self.shop, piece, Some(face), Side::Front)?;
        let dpi = f64::from(self.shop.dpi);
        let mut pixels = png::sheet(&sheet, &session.fonts, dpi)?;
        if matches!(self.press.ink(), pdf::Ink::Grey) {
            pixels = png::grey(pixels);
        }
        let bytes = png::encode(&pixels, dpi)?;
        Ok(self.file(format!("{name}.png"), (bytes, Vec::new()), batch, (1, vec![piece.to_owned()])))
    }

    fn file(
        &self,
        name: String,
        (bytes, notes): (Vec<u8>, Vec<pdf::Note>),
        batch: &Batch<'_>,
        (pages, pieces): (usize, Vec<String>),
    ) -> File {
        let entry = Entry { file: name.clone(), component: batch.component.id.clone(), pages, pieces };
        File { path: self.folder.join(name), bytes, notes, entry }
    }

    /// The name of a file: the shop's pattern, filled in.
    fn name(&self, batch: &Batch<'_>, picture: Option<(String, Side, usize)>) -> String {
        let (number, side, copies) =
            picture.unwrap_or_else(|| ("all".to_owned(), Side::Front, batch.stack.pieces.len()));
        let players = match self.size {
            KitSize::Players(players) => format!("{players}p"),
            KitSize::Full => "full".to_owned(),
        };
        let values = BTreeMap::from([
            ("game", self.game.id.clone()),
            ("component", batch.component.id.clone()),
            ("number", number),
            ("side", if side == Side::Front { "front" } else { "back" }.to_owned()),
            ("copies", copies.to_string()),
            ("players", players),
            ("back", batch.number.unwrap_or(1).to_string()),
        ]);
        let filled =
            values.iter().fold(self.shop.file.clone(), |name, (key, value)| name.replace(&format!("{{{key}}}"), value));
        match batch.number {
            Some(number) if !self.shop.file.contains("{back}") => format!("{filled}-{number}"),
            _ => filled,
        }
    }
}

/// The pieces whose art ends before `bleed` on one of their sides, each once.
fn bare_pieces(stack: &Stack, bleed: Length, session: &Session) -> Vec<String> {
    let round = stack.shape == Shape::Circle;
    let mut known: BTreeMap<FaceHash, bool> = BTreeMap::new();
    let mut ends = |face: &Face| {
        // What is too large to be looked at is too large to be drawn, which is told when it is.
        *known.entry(face.hash).or_insert_with(|| !png::reaches(face, &session.fonts, bleed, round).unwrap_or(true))
    };
    let mut bare: Vec<String> = Vec::new();
    for piece in &stack.pieces {
        let ended = std::iter::once(&piece.front).chain(&piece.back).filter(|face| ends(face)).count();
        if ended > 0 && bare.last() != Some(&piece.address) {
            bare.push(piece.address.clone());
        }
    }
    bare
}

/// Pieces that look the same, each once with how many there are.
fn counted(pieces: &[Piece]) -> Vec<(&Piece, usize)> {
    let look = |piece: &Piece| (piece.front.hash, piece.back.as_ref().map(|back| back.hash));
    let mut counted: Vec<(&Piece, usize)> = Vec::new();
    for piece in pieces {
        match counted.iter_mut().find(|(known, _)| look(known) == look(piece)) {
            Some((_, copies)) => *copies += 1,
            None => counted.push((piece, 1)),
        }
    }
    counted
}
