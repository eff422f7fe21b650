//! The cards of the project beside this file, composed by the library.

use std::collections::BTreeMap;
use std::sync::Arc;

use paiban::compose::art::Studio;
use paiban::compose::face::{Face, Layer};
use paiban::compose::{Composer, PageContext};
use paiban::diagnostics::Report;
use paiban::expr::Engine;
use paiban::fonts::Fonts;
use paiban::geometry::{Affine, Point, Rect, Size};
use paiban::icons::Icons;
use paiban::model::{KitSize, load};
use paiban::sheet::{Placement, Shape, Sheet, Side};
use paiban::source::disk::Disk;
use paiban::units::Length;

use crate::common::{Project, repository};

/// The cards and what they were composed with.
pub struct Composed {
    pub fonts: Fonts,
    pub faces: Vec<Arc<Face>>,
    /// The text of every run of each face.
    pub texts: Vec<Vec<String>>,
}

/// A copy of the project in a temporary folder.
pub fn project() -> Project {
    let project = Project::empty();
    project.lay_over(&repository().join("tests/one_truth/project"));
    project
}

impl Composed {
    pub fn new() -> Self {
        let folder = project();
        let disk = Disk::open(&folder.root()).expect("a folder");
        let (engine, mut report) = (Engine::default(), Report::default());
        let (fonts, bad) = Fonts::load(Vec::new());
        assert!(bad.is_empty(), "{bad:?}");
        let studio = Studio::new(&fonts, &disk);
        let project = load::project(disk, &engine, &mut report);
        let game = &project.games[0];
        let aliases: BTreeMap<String, String> =
            game.icons.iter().map(|(name, icon)| (name.clone(), icon.value.clone())).collect();
        let icons = Icons::new(project.disk.clone(), game.icon_set.as_ref().map(|set| set.value.clone()), aliases);
        let composer = Composer::new(&project, game, &engine, (&fonts, &icons, &studio), &mut report);
        let component = &game.components[0];
        let page = PageContext {
            size: KitSize::Full,
            paper: "a4".to_owned(),
            paper_size: Size::mm(210, 297),
            sides: "fronts".to_owned(),
            rows: Vec::new(),
            steps: Vec::new(),
        };
        let pieces = component.stack(KitSize::Full);
        let faces = pieces.map(|piece| composer.front(component, piece, &page, &mut report).expect("a face"));
        let faces: Vec<Arc<Face>> = faces.collect();
        assert!(report.findings().is_empty(), "{:?}", report.findings());
        let texts = faces.iter().map(|face| runs(face).map(|run| run.text.clone()).collect()).collect();
        drop(composer);
        Composed { fonts, faces, texts }
    }
}

/// The runs of a face in paint order.
pub fn runs(face: &Face) -> impl Iterator<Item = &paiban::compose::face::GlyphRun> {
    face.layers.iter().flat_map(|layer| match layer {
        Layer::Text(runs) => runs.as_slice(),
        Layer::Art(_) => &[],
    })
}

/// A glyph with its place on the sheet; millimetres.
#[derive(Clone, Debug)]
pub struct Placed {
    pub x: f64,
    pub y: f64,
    /// The height of an em on the sheet.
    pub size: f64,
    /// The direction in which it is read, in radians, clockwise.
    pub turn: f64,
    /// What it stands for; empty for all glyphs of a cluster but the first.
    pub text: String,
}

/// The glyphs of a face that is placed by `place`, in paint order.
pub fn glyphs(face: &Face, place: Affine) -> impl Iterator<Item = Placed> {
    runs(face).flat_map(move |run| {
        let map = place.then_inner(run.transform);
        run.glyphs.iter().map(move |glyph| {
            let (x, y) = map.apply(f64::from(glyph.x), f64::from(glyph.y));
            let text = run.text[glyph.cluster.start as usize..glyph.cluster.end as usize].to_owned();
            Placed { x, y, size: f64::from(run.size) * map.c.hypot(map.d), turn: map.b.atan2(map.a), text }
        })
    })
}

/// The text of each line: runs that go on where the one before has ended.
pub fn lines(face: &Face) -> Vec<String> {
    let glyphs: Vec<Placed> = glyphs(face, Affine::IDENTITY).collect();
    crate::placed::lines(&glyphs)
}

/// A sheet with the first face once and the second twice.
pub fn sheet_of(faces: &[Arc<Face>]) -> Sheet {
    let places = [(&faces[0], 7.3), (&faces[1], 73.1), (&faces[1], 139.6)];
    let placement = |(face, x): (&Arc<Face>, f64)| {
        let at = Point { x: Length::from_mm(x), y: Length::from_mm(11.7) };
        let trim = Rect::new(at, face.trim);
        Placement {
            piece: "card".to_owned(),
            side: Side::Front,
            face: Arc::clone(face),
            transform: Affine::translate(at.x.to_mm(), at.y.to_mm()),
            clip: trim.outset(face.bleed),
            tilted: None,
            trim,
            shape: Shape::Rect,
        }
    };
    Sheet {
        page: Size { w: Length::emu(914_400 * 8), h: Length::emu(914_400 * 9 / 2) },
        side: Side::Front,
        components: vec!["card".to_owned()],
        title: "Cards".to_owned(),
        placements: places.into_iter().map(placement).collect(),
        lines: Vec::new(),
        rings: Vec::new(),
        words: Vec::new(),
    }
}
