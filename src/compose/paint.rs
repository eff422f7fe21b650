//! From an instance to the layers of a face: everything that is no text becomes drawings, text becomes placed glyphs, and paint
//! order stays what it was.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::art::{Sketch, Studio, acts_as_a_whole};
use super::attributes::{PAINTED, REFUSED, SILENT};
use super::clones::{drawn_out, is_definition};
use super::definitions::{self, Definition};
use super::dom::Element;
use super::face::{GlyphRun, Layer, SetText};
use super::pending::{self, Pending, UsedIcons, What};
use super::set::{Setting, set_text};
use super::style::TextStyle;
use super::text::{Laid, PlacedIcon};
use super::{judge, links};
use crate::diagnostics::{Finding, Report, checks};
use crate::fonts::Fonts;
use crate::geometry::{Affine, Size};
use crate::icons::Icons;
use crate::model::Game;
use crate::source::Span;

mod drawing;

/// What painting needs to know.
pub struct Palette<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its fonts.
    pub fonts: &'a Fonts,
    /// Its icons.
    pub icons: &'a Icons,
    /// Makes drawings.
    pub studio: &'a Studio,
}

/// What was painted.
#[derive(Default)]
pub struct Painted {
    /// From the bottom up.
    pub layers: Vec<Layer>,
    /// The texts among them.
    pub texts: Vec<SetText>,
    /// Where each of the texts comes from.
    pub origins: Vec<Origin>,
    /// Where shapes and pictures stand in the templates, by the ids that they have in the drawings. Only where that was asked for.
    pub places: BTreeMap<String, Span>,
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Where its element stands in the template.
    pub span: Span,
    /// The values of the data that it shows.
    pub sources: Vec<Span>,
}

/// Paints `root` on a face of size `trim`. What is wrong goes to `report`.
pub fn paint(root: &Element, trim: Size, palette: &Palette<'_>, report: &mut Report) -> Painted {
    painted(root, trim, palette, false, report)
}

/// The same with an id on every shape and picture, to find out where it comes from.
pub fn traced(root: &Element, trim: Size, palette: &Palette<'_>) -> Painted {
    painted(root, trim, palette, true, &mut Report::default())
}

fn painted(root: &Element, trim: Size, palette: &Palette<'_>, traced: bool, report: &mut Report) -> Painted {
    links::check(root, palette.studio, report);
    let drawn_out = match drawn_out(root) {
        Ok(drawn_out) => drawn_out,
        Err(finding) => {
            report.push(*finding);
            return Painted::default();
        }
    };
    let root = drawn_out.as_ref().unwrap_or(root);
    let definitions = definitions::definitions(root);
    let mut painter = Painter {
        palette,
        trim,
        root,
        report,
        traced,
        done: Painted::default(),
        pending: Vec::new(),
        sketch: Sketch::default(),
        written: definitions.iter().map(|_| None).collect(),
        definitions,
    };
    let mut faults = Vec::new();
    let style = TextStyle::root(&palette.game.language).inside(root, &mut faults);
    painter.tell(faults);
    for child in root.elements() {
        painter.element(child, &style, Affine::IDENTITY, &mut Vec::new());
    }
    painter.flush();
    painter.done
}

struct Painter<'a, 'p> {
    palette: &'p Palette<'a>,
    trim: Size,
    root: &'p Element,
    report: &'p mut Report,
    traced: bool,
    done: Painted,
    /// What goes into the drawing in the making.
    pending: Vec<Pending<'p>>,
    /// The drawing in the making.
    sketch: Sketch,
    definitions: Vec<Definition<'p>>,
    /// The definitions, as far as they were written.
    written: Vec<Option<WrittenDefinition>>,
}

/// A definition as SVG.
#[derive(Clone)]
struct WrittenDefinition {
    text: Arc<str>,
    icons: UsedIcons,
    /// Whether nothing is wrong with it.
    is_sound: bool,
}

/// The most values of the data that a finding about a text shows.
pub const MOST_SOURCES: usize = 4;

fn is_painted(element: &Element) -> bool {
    PAINTED.contains(&element.name.as_str())
}

fn is_silent(element: &Element) -> bool {
    SILENT.contains(&element.name.as_str())
}

impl<'p> Painter<'_, 'p> {
    fn element(&mut self, element: &'p Element, style: &TextStyle, transform: Affine, groups: &mut Vec<Rc<Element>>) {
        if is_definition(element) || is_silent(element) || element.property("display") == Some("none") {
            return;
        }
        match element.name.as_str() {
            "text" => self.text(element, style, transform, groups),
            name if REFUSED.contains(&name) => self.no_such_element(element),
            "g" | "a" if (element.contains("text") || pending::has_icon(element)) && !acts_as_a_whole(element) => {
                self.group(element, style, transform, groups);
            }
            _ if element.contains("text") => {
                let drawn = self.drawn(element, style);
                let what = What::Written(drawn, self.sketch.take_icons());
                self.pending.push(Pending { what, groups: groups.clone() });
            }
            _ => self.pending.push(Pending { what: What::Plain(element), groups: groups.clone() }),
        }
    }

    /// Elements that other programs cannot draw either.
    fn no_such_element(&mut self, element: &Element) {
        let message = format!("<{}> is not SVG that can be printed", element.name);
        let finding = Finding::new(checks::TEMPLATE_ATTRIBUTE, message).at(element.span);
        self.report.push(finding.help("use <text> with `shape-inside` or `pb:box`; Inkscape: Text > Convert to Text"));
    }

    /// A group with text or icons in it: they go their own way, its drawings stay inside copies of the group.
    fn group(&mut self, element: &'p Element, style: &TextStyle, transform: Affine, groups: &mut Vec<Rc<Element>>) {
        let style = self.style_inside(element, style);
        let transform = transform.then_inner(self.transform_of(element));
        groups.push(Rc::new(bare(element.attributes.clone(), element)));
        for child in element.elements() {
            self.element(child, &style, transform, groups);
        }
        groups.pop();
    }

    fn text(&mut self, element: &Element, style: &TextStyle, transform: Affine, groups: &[Rc<Element>]) {
        let transform = transform.then_inner(self.transform_of(element));
        let laid = self.set(element, style, transform);
        let outside: Vec<Finding> = laid.iter().filter_map(|laid| judge::place(laid, transform, self.trim)).collect();
        let is_misplaced = !outside.is_empty() || laid.iter().any(|laid| laid.overflow.is_some());
        self.tell_of_text(outside, element);
        let icons: Vec<PlacedIcon> = laid.iter().flat_map(|laid| &laid.icons).cloned().collect();
        let scale = laid.iter().filter(|laid| !laid.runs.is_empty()).map(|laid| laid.scale).fold(1.0, f64::min);
        let runs: Vec<GlyphRun> = laid
            .into_iter()
            .flat_map(|laid| laid.runs)
            .map(|run| GlyphRun { transform: transform.then_inner(run.transform), ..run })
            .collect();
        if !runs.is_empty() {
            self.flush();
            self.add_text(runs, (scale, is_misplaced), element);
        }
        if icons.is_empty() {
            return;
        }
        let place = element.attribute("transform").map(|value| ("transform".to_owned(), value.to_owned()));
        let holder = Rc::new(bare(place.into_iter().collect(), element));
        let groups: Vec<Rc<Element>> = groups.iter().cloned().chain([holder]).collect();
        let placed = icons.into_iter().map(|icon| Pending { what: What::Icon(icon), groups: groups.clone() });
        self.pending.extend(placed);
    }

    /// Puts the glyphs of `element` on top of what is there, with how they were fitted: the scale, and whether they do not fit.
    fn add_text(&mut self, runs: Vec<GlyphRun>, (scale, is_misplaced): (f64, bool), element: &Element) {
        let (span, sources, new) = (element.span, element.sources(), runs.len());
        let start = match self.done.layers.last_mut() {
            Some(Layer::Text(earlier)) => {
                earlier.extend(runs);
                earlier.len() - new
            }
            _ => {
                self.done.layers.push(Layer::Text(runs));
                0
            }
        };
        let layer = self.done.layers.len() - 1;
        let id = element.attribute("id").map(str::to_owned);
        self.done.texts.push(SetText { id, scale, is_misplaced, layer, runs: start..start + new });
        self.done.origins.push(Origin { span, sources });
    }

    /// Sets a text element and reports what is wrong with it.
    fn set(&mut self, element: &Element, style: &TextStyle, transform: Affine) -> Vec<Laid> {
        let Palette { game, fonts, icons, .. } = *self.palette;
        let setting = Setting { game, fonts, icons, root: self.root };
        let mut findings = Vec::new();
        let laid = set_text(element, style, &setting, &mut findings);
        laid.iter().for_each(|laid| judge::setting(laid, transform, self.palette.fonts, &mut findings));
        self.tell_of_text(findings, element);
        laid
    }

    /// Reports `findings` about the text in `element`, with the values of the data that it shows.
    fn tell_of_text(&mut self, findings: Vec<Finding>, element: &Element) {
        let sources = element.sources();
        let label = if sources.len() == 1 { "the text" } else { "part of the text" };
        for finding in findings {
            let place = finding.place.as_ref().map_or(element.span, |label| label.span);
            let finding = finding.at(place);
            self.report
                .push(sources.iter().take(MOST_SOURCES).fold(finding, |finding, source| finding.and(*source, label)));
        }
    }

    /// The style of what no group styles.
    fn unstyled(&self) -> TextStyle {
        TextStyle::root(&self.palette.game.language)
    }

    fn style_inside(&mut self, element: &Element, style: &TextStyle) -> TextStyle {
        let mut faults = Vec::new();
        let style = style.inside(element, &mut faults);
        // Only text minds what these say; usvg reads the same attributes of drawings and ignores what it cannot use.
        if element.contains("text") {
            self.tell(faults);
        }
        style
    }

    fn transform_of(&mut self, element: &Element) -> Affine {
        let Some(text) = element.attribute("transform") else { return Affine::IDENTITY };
        match text.parse::<svgtypes::Transform>() {
            Ok(t) => Affine { a: t.a, b: t.b, c: t.c, d: t.d, e: t.e, f: t.f },
            Err(_) => {
                self.tell(vec![element.fault("transform", format!("`transform` is {text:?}"))]);
                Affine::IDENTITY
            }
        }
    }

    fn tell(&mut self, faults: Vec<Finding>) {
        faults.into_iter().for_each(|fault| self.report.push(fault));
    }
}

/// A group with these attributes and nothing inside, in the place of an element.
fn bare(attributes: Vec<(String, String)>, at: &Element) -> Element {
    Element { name: "g".to_owned(), attributes, children: Vec::new(), span: at.span, places: Arc::clone(&at.places) }
}
