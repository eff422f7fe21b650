//! `paiban export`: faces and sheets as pictures.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use tiny_skia::{Pixmap, PixmapPaint, Transform};

use super::kit::{Kit, KitOptions, assemble};
use super::list::sizes;
use super::session::Session;
use super::{Outcome, output};
use crate::cli::{Export, InkArg, PictureFormat};
use crate::compose::face::Face;
use crate::export::{png, saver, svg};
use crate::geometry::{Affine, Size};
use crate::model::{Game, KitSize};
use crate::sheet::{Paper, Placement, Shape, Sheet, Side};

/// Runs the command.
pub fn run(arguments: &Export, project: Option<&Path>) -> Result<Outcome> {
    if arguments.sheets && arguments.format == PictureFormat::Svg {
        bail!("sheets are exported as PNG only; build makes them as PDF");
    }
    let ink = if arguments.grey { InkArg::Grey } else { arguments.ink };
    if ink == InkArg::Grey && arguments.format == PictureFormat::Svg {
        bail!("shades of grey are for PNG only; SVG can be had with `--ink saver`");
    }
    let session = Session::open(project)?;
    let game = session.game(&arguments.game)?;
    let mut report = session.report.clone();
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, &mut report);
    let options = KitOptions { components: arguments.component.clone(), ..KitOptions::new(Paper::a4()) };
    options.check(game)?;
    let size = sizes(game, arguments.players)?.first().copied().unwrap_or(KitSize::Full);
    let mut kit = assemble(&composer, game, size, &options, &session, &mut report);
    report.belongs_to(&game.id);
    output::tell(&report.sorted(&session.project.sources), &session.project.sources);

    if ink == InkArg::Saver {
        saver::sheets(&mut kit.sheets, &session.fonts);
    }
    let out = arguments.out.clone().unwrap_or_else(|| session.project.disk.root().join("out")).join(&game.id);
    let pictures = if arguments.sheets { sheets(&kit) } else { faces(&kit, game) };
    if arguments.contact_sheet {
        let name = if arguments.sheets { "sheets" } else { "faces" };
        let picture = contact_sheet(&pictures, &session, arguments)?;
        write_png(picture, (arguments, ink), &out.join(format!("{}-{name}{}.png", game.id, ink.suffix())))?;
    } else {
        for picture in &pictures {
            write_picture(picture, &session, (arguments, ink), &out)?;
        }
    }
    Ok(output::outcome(&report, false))
}

/// Something to be shown, and the name of its file.
struct Picture<'k> {
    name: String,
    motif: Motif<'k>,
}

enum Motif<'k> {
    Face(&'k Arc<Face>, Shape),
    Sheet(&'k Sheet),
}

/// Every distinct face, in the order of the components. It is called after the first piece of the first component that shows it;
/// the name of a back ends in `-back`, and one that is taken is numbered. A page of the kit is no piece.
fn faces<'k>(kit: &'k Kit, game: &Game) -> Vec<Picture<'k>> {
    let is_page = |sheet: &&Sheet| sheet.placements.iter().any(|placement| placement.face.trim == sheet.page);
    let pieces = kit.sheets.iter().filter(|sheet| !is_page(sheet)).flat_map(|sheet| &sheet.placements);
    let mut placements: Vec<&Placement> = pieces.filter(|placement| !placement.piece.is_empty()).collect();
    let order = |placement: &&Placement| {
        let component = placement.piece.split('/').next().unwrap_or_default();
        game.components.iter().position(|known| known.id == component)
    };
    placements.sort_by_key(order);
    let mut seen = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut pictures = Vec::new();
    for placement in placements {
        if seen.insert(placement.face.hash) {
            let name = format!("faces/{}", free_name(&placement.piece, placement.side, &mut names));
            pictures.push(Picture { name, motif: Motif::Face(&placement.face, placement.shape) });
        }
    }
    pictures
}

/// A name for one side of a piece that no other face has.
fn free_name(piece: &str, side: Side, taken: &mut BTreeSet<String>) -> String {
    let base = piece.replace('/', "-") + if side == Side::Back { "-back" } else { "" };
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    // The numbers never end, so one of them is free.
    let name = names.find(|name| !taken.contains(name)).unwrap_or(base);
    taken.insert(name.clone());
    name
}

fn sheets(kit: &Kit) -> Vec<Picture<'_>> {
    let picture = |(at, sheet)| Picture { name: format!("sheets/{:03}", at + 1), motif: Motif::Sheet(sheet) };
    kit.sheets.iter().enumerate().map(picture).collect()
}

fn draw(motif: &Motif<'_>, session: &Session, dpi: f64, area: png::Area) -> Result<Pixmap> {
    match motif {
        Motif::Face(face, shape) => {
            let pixels = png::face(face, &session.fonts, dpi, area)?;
            match shape {
                Shape::Circle if area == png::Area::Trim => png::round(pixels).context("the picture is too large"),
                Shape::Hex { .. } if area == png::Area::Trim => hexagonal(pixels, *shape, face.trim),
                _ => Ok(pixels),
            }
        }
        Motif::Sheet(sheet) => Ok(png::sheet(sheet, &session.fonts, dpi)?),
    }
}

fn write_picture(
    picture: &Picture<'_>,
    session: &Session,
    (arguments, ink): (&Export, InkArg),
    out: &Path,
) -> Result<()> {
    let path = out.join(format!("{}{}", picture.name, ink.suffix()));
    if let (PictureFormat::Svg, Motif::Face(face, _)) = (arguments.format, &picture.motif) {
        return output::write_file(&path.with_extension("svg"), svg::face(face, &session.fonts).as_bytes());
    }
    let area = if arguments.bleed { png::Area::Bleed } else { png::Area::Trim };
    let pixels = draw(&picture.motif, session, f64::from(arguments.dpi), area)?;
    write_png(pixels, (arguments, ink), &path.with_extension("png"))
}

fn write_png(pixels: Pixmap, (arguments, ink): (&Export, InkArg), path: &Path) -> Result<()> {
    let pixels = if ink == InkArg::Grey { png::grey(pixels) } else { pixels };
    output::write_file(path, &png::encode(&pixels, f64::from(arguments.dpi))?)
}

/// Pixels across a contact sheet.
const CONTACT_WIDTH: u32 = 1800;
/// Pixels between the pictures of a contact sheet.
const CONTACT_GAP: u32 = 14;

/// All pictures on one: rows filled from the left, each as high as its highest picture.
fn contact_sheet(pictures: &[Picture<'_>], session: &Session, arguments: &Export) -> Result<Pixmap> {
    let mut places = Vec::new();
    let (mut x, mut y, mut row) = (CONTACT_GAP, CONTACT_GAP, 0);
    for picture in pictures {
        let wide = match picture.motif {
            Motif::Face(face, _) => face.trim.w.to_mm(),
            Motif::Sheet(sheet) => sheet.page.w.to_mm(),
        } / 25.4;
        let dpi = f64::from(arguments.dpi).min(f64::from(CONTACT_WIDTH - 2 * CONTACT_GAP) / wide);
        let pixels = draw(&picture.motif, session, dpi, png::Area::Trim)?;
        if x + pixels.width() + CONTACT_GAP > CONTACT_WIDTH {
            (x, y, row) = (CONTACT_GAP, y + row + CONTACT_GAP, 0);
        }
        row = row.max(pixels.height());
        let next = x + pixels.width() + CONTACT_GAP;
        places.push((x, y, pixels));
        x = next;
    }
    let mut sheet = Pixmap::new(CONTACT_WIDTH, y + row + CONTACT_GAP).context("the contact sheet is too large")?;
    sheet.fill(tiny_skia::Color::from_rgba8(0x9a, 0x9a, 0x9a, 0xff));
    for (x, y, pixels) in &places {
        let (x, y) = (i32::try_from(*x)?, i32::try_from(*y)?);
        sheet.draw_pixmap(x, y, pixels.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    Ok(sheet)
}

/// The hexagon that fills a picture of a face `trim` large, the corners clear.
fn hexagonal(mut picture: Pixmap, shape: Shape, trim: Size) -> Result<Pixmap> {
    let (w, h) = (picture.width(), picture.height());
    let mut mask = tiny_skia::Mask::new(w, h).context("the picture is too large")?;
    let map = Affine::scale(f64::from(w) / trim.w.to_mm(), f64::from(h) / trim.h.to_mm());
    let outline = shape.corners(trim).and_then(|corners| png::polygon(&corners, map)).context("no hexagon")?;
    mask.fill_path(&outline, tiny_skia::FillRule::Winding, true, Transform::identity());
    picture.apply_mask(&mask);
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_faces_have_the_same_name() {
        let mut taken = BTreeSet::new();
        let sides = [
            ("card/a", Side::Front, "card-a"),
            ("card/a", Side::Back, "card-a-back"),
            ("card-a", Side::Front, "card-a-2"),
            ("card/a-back", Side::Front, "card-a-back-2"),
            ("card/a", Side::Front, "card-a-3"),
        ];
        for (piece, side, name) in sides {
            assert_eq!(free_name(piece, side, &mut taken), name);
        }
    }
}
