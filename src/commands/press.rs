//! With which inks a document is printed, and what is to be said when they are too many.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, anyhow, bail};

use super::output;
use crate::cli::{Build, ColourArg, InkArg, PdfArg};
use crate::diagnostics::{Finding, Report, checks};
use crate::export::pdf::{Ink, Inks, Note, What};
use crate::model::Game;
use crate::model::shop::{Colours, Output, Shop, Standard};

/// The most ink at one place where nobody says, in percent of one ink.
const INK_LIMIT: u32 = 300;

/// The inks of a press, and what a PDF for it promises.
pub struct Press {
    colours: Colours,
    inks: Inks,
    limit: u32,
    /// What PDFs promise.
    pub standard: Standard,
}

impl Press {
    /// The press that was asked for: by what was typed, else by the shop.
    ///
    /// # Errors
    /// When the profile cannot be used, or what was asked for cannot be at once.
    pub fn of(arguments: &Build, shop: Option<&Shop>) -> Result<Self> {
        let colours = match (arguments.colour, &arguments.icc, arguments.print.ink) {
            (Some(ColourArg::Rgb), Some(_), _) => bail!("a profile of a press is for `--colour cmyk`"),
            (Some(ColourArg::Rgb), None, _) => Colours::Rgb,
            (Some(ColourArg::Cmyk), ..) | (None, Some(_), _) => Colours::Cmyk,
            (None, None, InkArg::Grey) => Colours::Grey,
            (None, None, _) => shop.map_or(Colours::Rgb, |shop| shop.colours),
        };
        if colours == Colours::Cmyk && shop.is_some_and(|shop| shop.output == Output::Png) {
            bail!("this shop wants pictures, and PNG has no four inks");
        }
        let limit = shop.and_then(|shop| shop.ink_limit).unwrap_or(INK_LIMIT);
        let inks = match &arguments.icc {
            None => Inks::by_formula(limit),
            Some(path) => {
                let bytes = output::read_plain(path).with_context(|| format!("{} cannot be read", path.display()))?;
                Inks::by_profile(bytes, limit).map_err(|why| anyhow!("{}: {why}", path.display()))?
            }
        };
        let inks = inks.with_rich_black(shop.and_then(|shop| shop.rich_black));
        let standard = match (arguments.pdf, shop.map(|shop| shop.standard)) {
            (Some(PdfArg::Plain), _) => Standard::Plain,
            (Some(PdfArg::X4), _) => Standard::X4,
            (Some(PdfArg::X1a), _) => Standard::X1a,
            (None, Some(standard)) if standard != Standard::Plain && colours == Colours::Cmyk => standard,
            (None, _) if inks.profile().is_some() => Standard::X4,
            (None, _) => Standard::Plain,
        };
        if standard != Standard::Plain && colours != Colours::Cmyk {
            bail!("PDF/X is for the four inks: add `--colour cmyk`");
        }
        // PDF/X-4 wants the profile in the file; without one there is no such promise.
        let unmet = standard == Standard::X4 && inks.profile().is_none();
        Ok(Press { colours, inks, limit, standard: if unmet { Standard::Plain } else { standard } })
    }

    /// The press of a printer at home: screen colours, or black only.
    pub fn at_home(ink: InkArg) -> Self {
        let colours = if ink == InkArg::Grey { Colours::Grey } else { Colours::Rgb };
        Press { colours, inks: Inks::by_formula(INK_LIMIT), limit: INK_LIMIT, standard: Standard::Plain }
    }

    /// The colour space of its documents.
    pub const fn ink(&self) -> Ink<'_> {
        match self.colours {
            Colours::Rgb => Ink::Rgb,
            Colours::Grey => Ink::Grey,
            Colours::Cmyk => Ink::Cmyk(&self.inks),
        }
    }

    /// What file names say of it.
    pub const fn suffix(&self) -> &'static str {
        match self.colours {
            Colours::Cmyk => "-cmyk",
            Colours::Rgb | Colours::Grey => "",
        }
    }

    /// What file names say of what its PDFs promise.
    pub const fn standard_suffix(&self) -> &'static str {
        match self.standard {
            Standard::Plain => "",
            Standard::X4 => "-x4",
            Standard::X1a => "-x1a",
        }
    }

    /// Says what is not as it should be before anything is made.
    pub fn check(&self, arguments: &Build, report: &mut Report) {
        if self.colours != Colours::Cmyk || self.inks.profile().is_some() {
            return;
        }
        let finding = Finding::new(checks::PRESS_PROFILE, "the inks are mixed by a formula that knows no press");
        report.push(finding.help("ask the shop for its ICC profile and add `--icc FILE`"));
        if arguments.pdf == Some(PdfArg::X4) || self.standard == Standard::X1a {
            let message = "the PDF names no output intent, because there is no profile of a press";
            report.push(Finding::new(checks::PDFX_UNMET, message).help("add `--icc FILE`"));
        }
    }

    /// What of the notes on a document the data must answer for, as findings; each once, for all pieces that show it.
    pub fn judge(&self, notes: &[Note], game: &Game, report: &mut Report) {
        let mut inked: BTreeMap<&str, u32> = BTreeMap::new();
        let mut transparent = Vec::new();
        for note in notes {
            match note.what {
                What::TooMuchInk { percent } => {
                    let most = inked.entry(&note.piece).or_default();
                    *most = percent.max(*most);
                }
                What::Transparent => transparent.push(note.piece.clone()),
                What::ThinLines | What::Picture { .. } | What::Nearly(_) | What::Missing(_) => {}
            }
        }
        if let Some(most) = inked.values().max() {
            let finding = Finding::new(checks::INK_LIMIT, format!("up to {most} % of ink at one place"))
                .expected(format!("{} % at most", self.limit))
                .help("choose lighter colours there");
            report.push(Finding { pieces: inked.keys().map(|piece| (*piece).to_owned()).collect(), ..finding });
        }
        if !transparent.is_empty() {
            let finding =
                Finding::new(checks::PDFX_TRANSPARENT, "something is transparent, and PDF/X-1a allows no such thing")
                    .help(format!(
                        "draw without opacity, masks, blend modes and pictures with clear dots in {}, or add `--pdf x-4` if the shop takes that",
                        templates(&transparent, game)
                    ));
            report.push(Finding { pieces: transparent, ..finding });
        }
    }
}

/// The templates that `pieces` are drawn with.
fn templates(pieces: &[String], game: &Game) -> String {
    let ids: BTreeSet<&str> = pieces.iter().filter_map(|piece| piece.split('/').next()).collect();
    let components = game.components.iter().filter(|component| ids.contains(component.id.as_str()));
    let paths = components.flat_map(|component| std::iter::once(&component.front).chain(&component.back));
    let paths: BTreeSet<String> = paths.map(|path| format!("templates/{}", path.value)).collect();
    paths.into_iter().collect::<Vec<String>>().join(", ")
}
