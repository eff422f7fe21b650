//! `paiban printed`: records what was printed, in a file that belongs in git.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::record::{Piece, Pieces, Record};
use super::state::State;
use super::{git, words};
use crate::cli::Printed;
use crate::commands::list::sizes;
use crate::commands::session::Session;
use crate::commands::{Outcome, build, manifest, output};
use crate::model::{Game, Kind, KitSize};
use crate::source::disk::Disk;

/// Runs the command.
pub fn run(arguments: &Printed, project: Option<&Path>) -> Result<Outcome> {
    let session = Session::open(project)?;
    let game = session.game(&arguments.game)?;
    let [size] = sizes(game, arguments.players)?[..] else {
        bail!("one kit is recorded: a number of players or `full`")
    };
    let mut report = session.report.clone();
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, &mut report);
    let mut state = State::of(&session, &composer, game, size, &mut report);
    report.belongs_to(&game.id);
    if build::blames(&report, &game.id) {
        output::tell(&build::told(&report, &session), &session.project.sources);
        return Ok(Outcome::Findings);
    }
    let disk = &session.project.disk;
    let out = arguments.out.clone().unwrap_or_else(|| disk.root().join("out")).join(&game.id);
    let built = Built::of(&out, game, size)?;
    let unbuilt = built.boxes_left_out(game);
    state.pieces.retain(|address, _| !unbuilt.contains(&address.as_str()));
    if !arguments.anyway {
        // What was printed before and is the same now need not have been built again.
        let last = Record::last(&game.id, disk)?.filter(|record| record.kit == size.to_string());
        built.check(&state.pieces, &last.map(|record| record.pieces).unwrap_or_default(), game)?;
    }
    for address in unbuilt {
        output::print(&format!("{address} is in no PDF that was built, and not recorded\n"))?;
    }
    let (path, copies) = (Record::path(&game.id), state.pieces.values().map(|piece| u64::from(piece.copies)).sum());
    let faces = state.pieces.len();
    let record =
        Record::new(game.id.clone(), game.version.clone(), size.to_string(), git::commit(disk.root()), state.pieces);
    output::write_file(&disk.root().join(&path), record.render()?.as_bytes())?;
    let cards = if faces == 1 { "1 kind".to_owned() } else { format!("{faces} kinds") };
    output::print(&format!("{path} records {} of {cards}; keep it in git\n", words::pieces(copies)))?;
    Ok(Outcome::Clean)
}

/// What a manifest says of the pieces of its kit.
#[derive(Deserialize)]
struct Manifest {
    game: String,
    players: serde_json::Value,
    #[serde(default)]
    reprint: bool,
    faces: BTreeMap<String, String>,
    #[serde(default)]
    backs: BTreeMap<String, String>,
    #[serde(default)]
    copies: BTreeMap<String, u32>,
}

/// What was built of a kit: the name of each file and what it says.
struct Built(Vec<(String, Manifest)>);

impl Built {
    /// The manifests in the folder `out` of a game.
    fn of(out: &Path, game: &Game, size: KitSize) -> Result<Self> {
        let Ok(disk) = Disk::open(out) else { return Ok(Built(Vec::new())) };
        let mut built = Vec::new();
        for name in disk.list("", |name| name.ends_with(".json")).unwrap_or_default() {
            let text = disk.read_text(&name).map_err(|refusal| anyhow::anyhow!("{refusal}"));
            let text = text.with_context(|| format!("{} cannot be read", out.join(&name).display()))?;
            // Other files may lie there; what is no manifest says nothing of what was built.
            let manifest = serde_json::from_str::<Manifest>(&text).ok();
            let of_kit = |manifest: &Manifest| manifest.game == game.id && manifest.players == manifest::players(size);
            built.extend(manifest.filter(of_kit).map(|manifest| (name, manifest)));
        }
        Ok(Built(built))
    }

    /// The boxes that are in nothing that was built, though something was: their nets are larger than the paper.
    fn boxes_left_out<'g>(&self, game: &'g Game) -> Vec<&'g str> {
        let boxes = game.components.iter().filter(|component| component.kind == Kind::Box);
        let addresses = boxes.flat_map(|component| &component.pieces).map(|piece| piece.address.as_str());
        let in_none = |address: &&str| self.0.iter().all(|(_, manifest)| !manifest.faces.contains_key(*address));
        addresses.filter(|address| !self.0.is_empty() && in_none(address)).collect()
    }

    /// Checks that every piece as it is now was built, or is as it was when it was printed `last`. Where nothing was built at all there
    /// is nothing to compare with.
    fn check(&self, now: &Pieces, last: &Pieces, game: &Game) -> Result<()> {
        let missing: Vec<&str> = now
            .iter()
            .filter(|(address, piece)| !self.0.is_empty() && !self.has(address, piece, last.get(*address)))
            .map(|(address, _)| address.as_str())
            .collect();
        let [first, rest @ ..] = missing.as_slice() else { return Ok(()) };
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        bail!(
            "the data has changed since {} was built ({first}{more}): build again and print that, or say `--anyway` if what was printed is as the data is now",
            names.iter().map(|name| format!("out/{}/{name}", game.id)).collect::<Vec<_>>().join(", ")
        )
    }

    fn has(&self, address: &str, piece: &Piece, last: Option<&Piece>) -> bool {
        let same = |manifest: &&(String, Manifest)| {
            let (_, manifest) = manifest;
            manifest.faces.get(address) == Some(&piece.look.front)
                && manifest.backs.get(address) == piece.look.back.as_ref()
        };
        let copies = |reprint: bool| {
            let built = self.0.iter().filter(|(_, manifest)| manifest.reprint == reprint).filter(|known| same(known));
            built.filter_map(|(_, manifest)| manifest.copies.get(address)).copied().max().unwrap_or(0)
        };
        let kept = last.filter(|last| last.look == piece.look).map_or(0, |last| last.copies);
        copies(false) >= piece.copies || kept.saturating_add(copies(true)) >= piece.copies
    }
}
