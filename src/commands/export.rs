//! `paiban export`: faces as pictures.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use tiny_skia::{Pixmap, PixmapPaint, Transform};

use super::kit::{KitOptions, assemble};
use super::session::Session;
use super::{Outcome, output};
use crate::cli::{Export, PictureFormat};
use crate::compose::face::Face;
use crate::export::{png, svg};
use crate::model::KitSize;
use crate::sheet::{Marks, Paper, Placement, Shape, Sides};

/// Runs the command.
pub fn run(arguments: &Export, project: Option<&Path>) -> Result<Outcome> {
    let session = Session::open(project)?;
    let game = session.game(&arguments.game)?;
    let mut report = session.report.clone();
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, &mut report);
    let options = KitOptions {
        paper: Paper::a4(),
        sides: Sides::LongEdge,
        marks: Marks::None,
        components: arguments.component.clone(),
    };
    let kit = assemble(&composer, game, KitSize::Full, &options, &session.fonts, &mut report);
    report.belongs_to(&game.id);
    output::tell(&report.sorted(&session.project.sources), &session.project.sources);

    let out = arguments.out.clone().unwrap_or_else(|| session.project.disk.root().join("out"));
    let out = out.join(&game.id).join("faces");
    let faces = distinct(kit.sheets.iter().flat_map(|sheet| &sheet.placements));
    if arguments.contact_sheet {
        let picture = contact_sheet(&faces, &session, arguments)?;
        output::write_file(
            &out.with_file_name(format!("{}-contact.png", game.id)),
            &png::encode(&picture, f64::from(arguments.dpi))?,
        )?;
    } else {
        for (name, picture) in &faces {
            write_face(name, &picture.face, &session, arguments, &out)?;
        }
    }
    Ok(output::outcome(&report, false))
}

/// A face that is shown once.
struct Picture {
    face: Arc<Face>,
    shape: Shape,
}

/// The distinct faces, by a file name made of the address; a back is called after the first piece it is behind.
fn distinct<'p>(placements: impl Iterator<Item = &'p Placement>) -> Vec<(String, Picture)> {
    let mut seen = BTreeMap::new();
    let mut faces = Vec::new();
    for placement in placements {
        if seen.insert(placement.face.hash, ()).is_some() {
            continue;
        }
        let base = placement.piece.replace('/', "-");
        let taken = |name: &str| faces.iter().any(|(other, _): &(String, Picture)| other == name);
        let name = if taken(&base) { format!("{base}-back") } else { base };
        faces.push((name, Picture { face: Arc::clone(&placement.face), shape: placement.shape }));
    }
    faces
}

fn area(arguments: &Export) -> png::Area {
    if arguments.bleed { png::Area::Bleed } else { png::Area::Trim }
}

fn write_face(name: &str, face: &Face, session: &Session, arguments: &Export, out: &Path) -> Result<()> {
    match arguments.format {
        PictureFormat::Svg => {
            output::write_file(&out.join(format!("{name}.svg")), svg::face(face, &session.fonts).as_bytes())
        }
        PictureFormat::Png => {
            let mut picture = png::face(face, &session.fonts, f64::from(arguments.dpi), area(arguments))?;
            if arguments.grey {
                picture = png::grey(picture);
            }
            output::write_file(&out.join(format!("{name}.png")), &png::encode(&picture, f64::from(arguments.dpi))?)
        }
    }
}

/// Pixels across a contact sheet.
const CONTACT_WIDTH: u32 = 1800;
/// Pixels between the faces of a contact sheet.
const CONTACT_GAP: u32 = 14;

/// All faces on one picture: rows filled from the left, each as high as its highest face.
fn contact_sheet(faces: &[(String, Picture)], session: &Session, arguments: &Export) -> Result<Pixmap> {
    let mut places = Vec::new();
    let (mut x, mut y, mut row) = (CONTACT_GAP, CONTACT_GAP, 0);
    for (_, picture) in faces {
        let wide = picture.face.trim.w.to_mm() / 25.4;
        let dpi = f64::from(arguments.dpi).min(f64::from(CONTACT_WIDTH - 2 * CONTACT_GAP) / wide);
        let mut pixels = png::face(&picture.face, &session.fonts, dpi, png::Area::Trim)?;
        if picture.shape == Shape::Circle {
            pixels = round(&pixels)?;
        }
        if x + pixels.width() + CONTACT_GAP > CONTACT_WIDTH {
            (x, y, row) = (CONTACT_GAP, y + row + CONTACT_GAP, 0);
        }
        row = row.max(pixels.height());
        places.push((x, y, pixels));
        x += places[places.len() - 1].2.width() + CONTACT_GAP;
    }
    let mut sheet = Pixmap::new(CONTACT_WIDTH, y + row + CONTACT_GAP).context("the contact sheet is too large")?;
    sheet.fill(tiny_skia::Color::from_rgba8(0x9a, 0x9a, 0x9a, 0xff));
    for (x, y, pixels) in &places {
        let (x, y) = (i32::try_from(*x)?, i32::try_from(*y)?);
        sheet.draw_pixmap(x, y, pixels.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    Ok(if arguments.grey { png::grey(sheet) } else { sheet })
}

/// The circle that touches the edges of a square picture, the corners clear.
fn round(square: &Pixmap) -> Result<Pixmap> {
    let (w, h) = (square.width(), square.height());
    let mut mask = tiny_skia::Mask::new(w, h).context("the picture is too large")?;
    let radius = w.min(h) as f32 / 2.0;
    let circle = tiny_skia::PathBuilder::from_circle(w as f32 / 2.0, h as f32 / 2.0, radius).context("no circle")?;
    mask.fill_path(&circle, tiny_skia::FillRule::Winding, true, Transform::identity());
    let mut rounded = square.clone();
    rounded.apply_mask(&mask);
    Ok(rounded)
}
