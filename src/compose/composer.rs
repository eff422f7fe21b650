//! Runs the steps from a piece to its faces, each distinct face once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use minijinja::Value;
use rayon::prelude::*;

use super::art::Studio;
use super::dom::Element;
use super::face::Face;
use super::hash;
use super::instance::instantiate;
use super::memory::{Recipe, RecipeHash};
use super::names;
use super::page::PageContext;
use super::paint::{self, Palette};
use super::size::check_size;
use super::store::Faces;
use super::template::{Compiler, Template};
use crate::diagnostics::{Finding, Report};
use crate::expr::{Engine, Scope, lens};
use crate::fonts::Fonts;
use crate::geometry::{Rect, Size};
use crate::icons::Icons;
use crate::model::tuck::{Panel, Space, Tuck};
use crate::model::{Component, Game, Kind, KitSize, Piece, Project};
use crate::source::tree::Node;
use crate::source::{Span, Spanned};
use crate::units::Length;

/// Which side of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Front,
    Back,
}

/// What a face depends on, as far as the template mentions it.
type Key = (String, Side, Option<String>, Option<RecipeHash>);

/// A face to be composed.
#[derive(Clone, Copy)]
struct Job<'j> {
    component: &'j Component,
    piece: &'j Piece,
    template: &'j Template<'j>,
    named_at: Span,
}

/// Composes the faces of one game.
pub struct Composer<'a> {
    game: &'a Game,
    palette: Palette<'a>,
    templates: BTreeMap<String, Template<'a>>,
    lists: Arc<lens::Lists>,
    done: Mutex<BTreeMap<Key, Option<Arc<Face>>>>,
    memory: Option<Arc<Faces>>,
    /// The hashes of what all faces may read: the game's head, and each of its lists.
    common: OnceLock<(RecipeHash, BTreeMap<String, RecipeHash>)>,
}

impl<'a> Composer<'a> {
    /// Compiles the templates of `game`. What is wrong with them goes to `report`.
    pub fn new(
        project: &'a Project,
        game: &'a Game,
        engine: &'a Engine,
        resources: (&'a Fonts, &'a Icons, &'a Studio),
        report: &mut Report,
    ) -> Self {
        let disk = project.disk.for_game(&game.id);
        let compiler = Compiler::new(&disk, &project.sources, engine);
        let mut templates = BTreeMap::new();
        let mut tried = BTreeSet::new();
        for component in &game.components {
            for Spanned { value: path, span } in std::iter::once(&component.front).chain(&component.back) {
                if tried.insert(path.clone()) {
                    templates.extend(compiler.compile(path, *span, report).map(|template| (path.clone(), template)));
                }
            }
        }
        let (fonts, icons, studio) = resources;
        names::check(game, fonts, icons, &disk, report);
        let palette = Palette { game, fonts, icons, studio };
        Composer {
            game,
            palette,
            templates,
            lists: Arc::new(game.lists()),
            done: Mutex::default(),
            memory: None,
            common: OnceLock::new(),
        }
    }

    /// Takes faces from `memory` where they are there, and keeps new ones in it.
    #[must_use]
    pub fn remembering(self, memory: Option<&Arc<Faces>>) -> Self {
        Composer { memory: memory.cloned(), ..self }
    }

    /// Every word in the expressions of the templates.
    pub fn words(&self) -> BTreeSet<&str> {
        self.templates.values().flat_map(Template::words).collect()
    }

    /// The names of the icons in the faces composed so far.
    pub fn icons_asked_for(&self) -> BTreeSet<String> {
        self.palette.icons.asked_for()
    }

    /// The sets that those icons are of.
    pub fn icon_sets(&self) -> BTreeSet<String> {
        let icons = self.icons_asked_for().into_iter().filter_map(|name| self.palette.icons.look_up(&name).ok());
        icons.filter_map(|icon| icon.path.split('/').nth(2).map(str::to_owned)).collect()
    }

    /// The front of `piece`. None when it cannot be composed; `report` says why.
    pub fn front(
        &self,
        component: &Component,
        piece: &Piece,
        page: &PageContext,
        report: &mut Report,
    ) -> Option<Arc<Face>> {
        self.face(self.job(component, piece, &component.front), Side::Front, page, report)
    }

    /// The back of `piece`, if its component has one.
    pub fn back(
        &self,
        component: &Component,
        piece: &Piece,
        page: &PageContext,
        report: &mut Report,
    ) -> Option<Arc<Face>> {
        let template = component.back.as_ref()?;
        self.face(self.job(component, piece, template), Side::Back, page, report)
    }

    /// Composes all faces of `components` for a kit, on all cores. What [`Composer::front`] and [`Composer::back`] return
    /// afterwards is already there, and the findings stand in the order of the data.
    pub fn prepare<'c>(
        &self,
        components: impl IntoIterator<Item = &'c Component>,
        page: &PageContext,
        report: &mut Report,
    ) {
        let mut jobs: Vec<(Key, Job<'_>)> = Vec::new();
        let mut planned = BTreeSet::new();
        for component in components {
            for piece in component.stack(page.size) {
                let sides = [(Side::Front, Some(&component.front)), (Side::Back, component.back.as_ref())];
                for (side, template) in sides {
                    let Some(job) = template.and_then(|template| self.job(component, piece, template)) else {
                        continue;
                    };
                    let key = self.key(&job, side, page);
                    if !self.done().contains_key(&key) && planned.insert(key.clone()) {
                        jobs.push((key, job));
                    }
                }
            }
        }
        let composed: Vec<_> = jobs
            .into_par_iter()
            .map(|(key, job)| {
                let mut found = Report::default();
                let face = self.compose(&job, page, &mut found);
                (key, face, found)
            })
            .collect();
        for (key, face, found) in composed {
            report.extend(found);
            self.done().insert(key, face);
        }
    }

    fn face(&self, job: Option<Job<'_>>, side: Side, page: &PageContext, report: &mut Report) -> Option<Arc<Face>> {
        let job = job?;
        let key = self.key(&job, side, page);
        if let Some(face) = self.done().get(&key) {
            return face.clone();
        }
        let face = self.compose(&job, page, report);
        self.done().insert(key, face.clone());
        face
    }

    fn done(&self) -> MutexGuard<'_, BTreeMap<Key, Option<Arc<Face>>>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None when the template could not be compiled; the report has said why.
    fn job<'j>(&'j self, component: &'j Component, piece: &'j Piece, template: &'j Spanned<String>) -> Option<Job<'j>> {
        let compiled = self.templates.get(&template.value)?;
        Some(Job { component, piece, template: compiled, named_at: template.span })
    }

    fn key(&self, job: &Job<'_>, side: Side, page: &PageContext) -> Key {
        let of_piece = std::iter::once("record").chain(job.piece.parents.iter().map(|(kind, _)| kind.as_str()));
        let piece_key = job.template.mentions(of_piece).then(|| job.piece.address.clone());
        let varies =
            job.component.kind == Kind::Page || job.template.mentions(["players", "paper", "kit", "sides", "steps"]);
        (job.component.id.clone(), side, piece_key, varies.then(|| page.hash()))
    }

    /// Everything that a face is made of, as far as its template mentions it.
    fn recipe(&self, job: &Job<'_>, page: &PageContext) -> RecipeHash {
        let Job { component, piece, template, .. } = *job;
        let (head, lists) = self.common.get_or_init(|| self.common_recipes());
        let (_, _, of_piece, of_page) = self.key(job, Side::Front, page);
        let mut recipe = Recipe::default().text(&hex(head)).text(&hex(&template.hash)).node(&component.table);
        recipe =
            recipe.text(&format!("{:?} {} {} {:?}", component.trim, component.bleed, component.safe, component.tuck));
        recipe = recipe.text(&of_page.as_ref().map(hex).unwrap_or_default());
        recipe = recipe.text(of_piece.as_deref().unwrap_or_default());
        if of_piece.is_some() {
            recipe = piece.parents.iter().fold(recipe, |recipe, (kind, node)| recipe.text(kind).node(node));
            recipe = recipe.node(&piece.record.node);
        }
        let asked = |name: &str| template.lists.as_ref().is_none_or(|asked| asked.contains(name));
        let lists = lists.iter().filter(|(name, _)| asked(name));
        lists.fold(recipe, |recipe, (name, hash)| recipe.text(name).text(&hex(hash))).hash()
    }

    fn common_recipes(&self) -> (RecipeHash, BTreeMap<String, RecipeHash>) {
        let game = self.game;
        let named = |recipe: Recipe, names: &BTreeMap<String, Spanned<String>>| {
            let names = names.iter().flat_map(|(name, value)| [name, &value.value]);
            names.fold(recipe.text("names"), |recipe, text| recipe.text(text))
        };
        let mut head = Recipe::default().text(&game.id).text(&game.language).node(&game.table).node(&game.theme);
        head = head.text(game.icon_set.as_ref().map_or("", |set| set.value.as_str()));
        head = named(named(head, &game.icons), &game.fonts);
        let of = |nodes: &[Node]| nodes.iter().fold(Recipe::default(), |recipe, node| recipe.node(node)).hash();
        (head.hash(), self.lists.iter().map(|(name, nodes)| (name.clone(), of(nodes))).collect())
    }

    /// Composes a face; its findings learn which piece they are about.
    fn compose(&self, job: &Job<'_>, page: &PageContext, report: &mut Report) -> Option<Arc<Face>> {
        let known = self.memory.as_ref().map(|memory| (memory, self.recipe(job, page)));
        if let Some(face) = known.as_ref().and_then(|(memory, recipe)| memory.get(recipe)) {
            return Some(face);
        }
        let mut found = Report::default();
        let face = self.compose_face(job, page, &mut found);
        if let (Some((memory, recipe)), Some(face), []) = (known, &face, found.findings()) {
            memory.keep(recipe, Arc::clone(face));
        }
        found.belongs_to_piece(&job.piece.address, job.piece.record.node.span);
        report.extend(found);
        face
    }

    fn compose_face(&self, job: &Job<'_>, page: &PageContext, report: &mut Report) -> Option<Arc<Face>> {
        let component = job.component;
        let trim = component.trim.unwrap_or(page.paper_size);
        let root = match self.instance(job, trim, page) {
            Ok(root) => root,
            Err(finding) => {
                report.push(*finding);
                return None;
            }
        };
        let paint::Painted { layers, texts, .. } = paint::paint(&root, trim, &self.palette, report);
        let hash = hash::of_face(trim, component.bleed, &layers, self.palette.fonts);
        Some(Arc::new(Face { trim, bleed: component.bleed, layers, texts, hash }))
    }

    fn instance(&self, job: &Job<'_>, trim: Size, page: &PageContext) -> Result<Element, Box<Finding>> {
        let Job { component, piece, template, named_at } = *job;
        let scope = self.scope(component, piece, trim, page);
        check_size(template, named_at, trim, &scope)?;
        instantiate(&template.root, &scope)
    }

    /// The front (or the back) of `piece` once more, with an id on every shape, and where each stands in the templates.
    pub fn traced(
        &self,
        component: &Component,
        piece: &Piece,
        is_front: bool,
        page: &PageContext,
    ) -> Option<paint::Painted> {
        let template = if is_front { Some(&component.front) } else { component.back.as_ref() };
        let trim = component.trim.unwrap_or(page.paper_size);
        let root = self.instance(&self.job(component, piece, template?)?, trim, page).ok()?;
        Some(paint::traced(&root, trim, &self.palette))
    }

    fn scope(&self, component: &Component, piece: &Piece, trim: Size, page: &PageContext) -> Scope {
        let root = Scope::root();
        let trace = root.trace().clone();
        let rows = page.rows.iter().map(|row| {
            let fields = [
                ("id", Value::from(row.id.as_str())),
                ("title", Value::from(row.title.as_str())),
                ("kind", Value::from(row.kind)),
                ("printed", Value::from(row.printed)),
                ("used", Value::from(row.used)),
                ("faces", Value::from(row.faces)),
                ("pages", Value::from(row.pages.as_str())),
                ("sheets", Value::from(row.sheets)),
                ("tiles", Value::from(row.tiles)),
                ("shape", Value::from(row.shape)),
                ("cut", Value::from(row.cut)),
                ("trim", size(row.trim, "trim", &trace)),
                ("picture", Value::from(Arc::clone(&row.picture))),
            ];
            lens::fields(fields, "kit", &trace)
        });
        let steps = page.steps.iter().map(|step| {
            let fields = [
                ("pages", Value::from(step.pages.as_str())),
                ("sheets", Value::from(step.sheets)),
                ("components", Value::from(step.components.clone())),
                ("two_sided", Value::from(step.two_sided)),
                ("folded", Value::from(step.folded)),
                ("tiled", Value::from(step.tiled)),
            ];
            lens::fields(fields, "steps", &trace)
        });
        let players = match page.size {
            KitSize::Players(players) => Value::from(players),
            KitSize::Full => Value::from(()),
        };
        let mut scope = root
            .with("all", lens::lookup(&self.lists, &trace))
            .with("game", lens::value(&self.game.table, "game", &trace))
            .with("theme", lens::value(&self.game.theme, "theme", &trace))
            .with("component", lens::value(&component.table, "component", &trace))
            .with("trim", size(trim, "trim", &trace))
            .with("bleed", Value::from(component.bleed.to_mm()))
            .with("safe", Value::from(component.safe.to_mm()))
            .with("players", players)
            .with("sides", Value::from(page.sides.as_str()))
            .with("kit", rows.collect())
            .with("steps", steps.collect())
            .with(
                "paper",
                lens::fields(
                    [
                        ("name", Value::from(page.paper.as_str())),
                        ("w", Value::from(page.paper_size.w.to_mm())),
                        ("h", Value::from(page.paper_size.h.to_mm())),
                    ],
                    "paper",
                    &trace,
                ),
            );
        if let Some(tuck) = &component.tuck {
            scope = scope.with("box", boxed(tuck, &trace));
        }
        for (kind, node) in &piece.parents {
            scope = scope.with(kind, lens::value(node, kind, &trace));
        }
        scope.with("record", lens::value(&piece.record.node, "record", &trace))
    }
}

fn hex(hash: &RecipeHash) -> String {
    blake3::Hash::from_bytes(*hash).to_string()
}

/// A tuck box as expressions see it: its size, its faces, its flaps.
fn boxed(tuck: &Tuck, trace: &lens::Trace) -> Value {
    let number = |length: Length| Value::from(length.to_mm());
    let place = |part: &Panel| {
        let Rect { x, y, w, h } = part.place;
        let fields = [("x", number(x)), ("y", number(y)), ("w", number(w)), ("h", number(h))];
        (part.name, lens::fields(fields, part.name, trace))
    };
    let Space { w, h, d } = tuck.size;
    let count = tuck.count.map_or(Value::from(()), Value::from);
    let mut fields = vec![("w", number(w)), ("h", number(h)), ("d", number(d))];
    fields.extend([("count", count), ("notch", number(tuck.notch()))]);
    fields.extend(tuck.faces().iter().map(place));
    fields.push(("flaps", lens::fields(tuck.flaps().iter().map(place), "box.flaps", trace)));
    lens::fields(fields, "box", trace)
}

/// A size as expressions see it: `w` and `h` in millimetres.
fn size(size: Size, name: &'static str, trace: &lens::Trace) -> Value {
    lens::fields([("w", Value::from(size.w.to_mm())), ("h", Value::from(size.h.to_mm()))], name, trace)
}
