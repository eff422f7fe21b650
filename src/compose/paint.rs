//! From an instance to the layers of a face: everything that is no text becomes drawings, text becomes placed glyphs, and paint
//! order stays what it was.

use std::collections::BTreeMap;
use std::sync::Arc;

use svg::Node as _;
use svg::node::element::Element as Written;

use super::art::{Sketch, Studio, acts_as_a_whole, copy_attributes};
use super::attributes::{PAINTED, REFUSED, SILENT};
use super::clones::{drawn_out, is_definition};
use super::dom::{Child, Element};
use super::face::{GlyphRun, Layer, SetText};
use super::outline::outline;
use super::set::{Setting, set_text};
use super::style::TextStyle;
use super::text::{Laid, PlacedIcon};
use super::{judge, links};
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::fonts::Fonts;
use crate::geometry::{Affine, Size};
use crate::icons::Icons;
use crate::model::Game;
use crate::source::Span;

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
    let mut definitions = Vec::new();
    collect_definitions(root, &mut definitions);
    let mut painter = Painter {
        palette,
        trim,
        root,
        report,
        traced,
        done: Painted::default(),
        pending: Vec::new(),
        sketch: Sketch::default(),
        definitions,
        defs: None,
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
    definitions: Vec<&'p Element>,
    /// The definitions, written; and whether nothing is wrong with them.
    defs: Option<(Vec<Written>, bool)>,
}

/// Something that goes into a drawing.
enum Pending<'p> {
    /// An element without text, and copies of the groups around it, the outermost first.
    Plain(&'p Element, Vec<Element>),
    /// What was written already, which hangs on more than its element.
    Written(Written, Vec<Element>),
}

/// The definitions in `element`, the outermost of each.
fn collect_definitions<'p>(element: &'p Element, definitions: &mut Vec<&'p Element>) {
    for child in element.elements() {
        if is_definition(child) {
            definitions.push(child);
        } else {
            collect_definitions(child, definitions);
        }
    }
}

/// The most values of the data that a finding about a text shows.
const MOST_SOURCES: usize = 4;

fn is_painted(element: &Element) -> bool {
    PAINTED.contains(&element.name.as_str())
}

fn is_silent(element: &Element) -> bool {
    SILENT.contains(&element.name.as_str())
}

impl<'p> Painter<'_, 'p> {
    fn element(&mut self, element: &'p Element, style: &TextStyle, transform: Affine, groups: &mut Vec<Element>) {
        if is_definition(element) || is_silent(element) || element.property("display") == Some("none") {
            return;
        }
        match element.name.as_str() {
            "text" => self.text(element, style, transform, groups),
            name if REFUSED.contains(&name) => self.no_such_element(element),
            "g" | "a" if element.contains("text") && !acts_as_a_whole(element) => {
                self.group(element, style, transform, groups);
            }
            _ if element.contains("text") => {
                let drawn = self.drawn(element, style);
                self.pending.push(Pending::Written(drawn, groups.clone()));
            }
            _ => self.pending.push(Pending::Plain(element, groups.clone())),
        }
    }

    /// Elements that other programs cannot draw either.
    fn no_such_element(&mut self, element: &Element) {
        let message = format!("<{}> is not SVG that can be printed", element.name);
        let finding = Finding::new(checks::TEMPLATE_ATTRIBUTE, message).at(element.span);
        self.report.push(finding.help("use <text> with `shape-inside` or `pb:box`; Inkscape: Text > Convert to Text"));
    }

    /// A group with text in it: its text goes its own way, its drawings stay inside copies of the group.
    fn group(&mut self, element: &'p Element, style: &TextStyle, transform: Affine, groups: &mut Vec<Element>) {
        let style = self.style_inside(element, style);
        let transform = transform.then_inner(self.transform_of(element));
        groups.push(Element { children: Vec::new(), ..element.clone() });
        for child in element.elements() {
            self.element(child, &style, transform, groups);
        }
        groups.pop();
    }

    fn text(&mut self, element: &Element, style: &TextStyle, transform: Affine, groups: &[Element]) {
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
        let mut holder = Element {
            name: "g".into(),
            attributes: Vec::new(),
            children: Vec::new(),
            span: element.span,
            places: Arc::default(),
        };
        holder
            .attributes
            .extend(element.attribute("transform").map(|value| ("transform".to_owned(), value.to_owned())));
        let groups: Vec<Element> = groups.iter().cloned().chain([holder]).collect();
        for icon in &icons {
            if let Some(drawn) = self.placed_icon(icon) {
                self.pending.push(Pending::Written(drawn, groups.clone()));
            }
        }
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

    /// An element that goes into the drawing whole, with icons linked and text outlined.
    fn drawn(&mut self, element: &Element, style: &TextStyle) -> Written {
        let icon = element.href().filter(|_| element.name == "use").and_then(|href| href.strip_prefix("icon:"));
        if let Some(name) = icon {
            return self.icon_use(element, name);
        }
        if element.name == "text" {
            return self.outlined(element, style);
        }
        let style = self.style_inside(element, style);
        let mut written = Written::new(element.name.as_str());
        copy_attributes(element, &mut written);
        if self.traced && is_painted(element) {
            let own = element.attribute("id").map(str::to_owned);
            let id = own.unwrap_or_else(|| format!("pb-{}", self.done.places.len()));
            written.assign("id", id.as_str());
            self.done.places.insert(id, element.span);
        }
        for child in &element.children {
            match child {
                Child::Element(child) if is_silent(child) => {}
                Child::Element(child) => {
                    let child = self.drawn(child, &style);
                    written.get_children_mut().push(Box::new(child));
                }
                Child::Text(stretches) => {
                    let text: String = stretches.iter().map(|stretch| stretch.text.as_str()).collect();
                    if !text.trim().is_empty() {
                        written.get_children_mut().push(Box::new(svg::node::Text::new(text)));
                    }
                }
            }
        }
        written
    }

    fn icon_use(&mut self, element: &Element, name: &str) -> Written {
        let mut written = Written::new("use");
        copy_attributes(element, &mut written);
        match self.palette.icons.find(name) {
            Ok(icon) => {
                if element.attribute("color").is_some() && !icon.tintable {
                    let message = format!("icon `{name}` takes no tint: nothing in it is drawn in currentColor");
                    self.report.push(Finding::new(checks::TEMPLATE_ATTRIBUTE, message).at(element.span));
                }
                let id = self.sketch.icon(&icon);
                written.get_attributes_mut().remove("xlink:href");
                written.assign("href", format!("#{id}"));
                written
            }
            // The name that stands for nothing was told where it is given.
            Err(_) if self.palette.game.icons.contains_key(name) => Written::new("g"),
            Err(why) => {
                let finding = Finding::new(checks::REFERENCE_DANGLING, format!("no icon `{name}`: {}", why.0));
                let place = finding.place.as_ref().map_or(element.span, |label| label.span);
                let finding = finding.at(place);
                self.report.push(match nearest(name, self.palette.icons.aliases()) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                });
                Written::new("g")
            }
        }
    }

    fn placed_icon(&mut self, placed: &PlacedIcon) -> Option<Written> {
        let icon = self.palette.icons.find(&placed.name).ok()?;
        let mut written = Written::new("use");
        written.assign("href", format!("#{}", self.sketch.icon(&icon)));
        for (name, value) in [("x", placed.x), ("y", placed.y), ("width", placed.w), ("height", placed.h)] {
            written.assign(name, format!("{value:.4}"));
        }
        let colour = placed.colour;
        written.assign("color", format!("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b));
        Some(written)
    }

    /// Text inside a group that acts as a whole: its outlines.
    fn outlined(&mut self, element: &Element, style: &TextStyle) -> Written {
        let laid = self.set(element, style, Affine::IDENTITY);
        let mut group = Written::new("g");
        if let Some(transform) = element.attribute("transform") {
            group.assign("transform", transform);
        }
        for run in laid.iter().flat_map(|laid| &laid.runs) {
            group.get_children_mut().push(Box::new(outline(run, self.palette.fonts)));
        }
        for icon in laid.iter().flat_map(|laid| &laid.icons) {
            if let Some(drawn) = self.placed_icon(icon) {
                group.get_children_mut().push(Box::new(drawn));
            }
        }
        group
    }

    /// Ends the drawing in the making; the next one starts on top of it.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return;
        }
        let fingerprint = self.fingerprint(&pending);
        let studio = self.palette.studio;
        if let Some(art) = fingerprint.and_then(|fingerprint| studio.recall(&fingerprint)) {
            self.done.layers.push(Layer::Art(art));
            return;
        }
        let told = self.report.findings().len();
        for part in pending {
            let (drawn, groups) = match part {
                Pending::Plain(element, groups) => (self.drawn(element, &self.unstyled()), groups),
                Pending::Written(drawn, groups) => (drawn, groups),
            };
            self.sketch.add(drawn, &groups);
        }
        let (defs, sound) = self.written_definitions();
        let svg = self.sketch.take_svg(self.trim, &defs, studio);
        self.defs = Some((defs, sound));
        match studio.draw(svg) {
            Ok(art) => {
                // What there is to tell of a drawing is told for every piece.
                if let Some(fingerprint) = fingerprint.filter(|_| sound && self.report.findings().len() == told) {
                    studio.remember(fingerprint, &art);
                }
                self.done.layers.push(Layer::Art(art));
            }
            Err(why) => {
                let message = format!("the template cannot be drawn: {why}");
                self.report.push(Finding::new(checks::TEMPLATE_SYNTAX, message).at(self.root.span));
            }
        }
    }

    /// The hash of all that a drawing is made from. None where it hangs on more than elements, or gets ids.
    fn fingerprint(&self, pending: &[Pending<'_>]) -> Option<[u8; 32]> {
        if self.traced {
            return None;
        }
        let mut bytes = self.trim.to_string().into_bytes();
        for definition in &self.definitions {
            if definition.contains("text") {
                return None;
            }
            definition.feed(&mut bytes);
        }
        for part in pending {
            let Pending::Plain(element, groups) = part else { return None };
            bytes.extend((groups.len() as u64).to_le_bytes());
            groups.iter().for_each(|group| group.feed(&mut bytes));
            element.feed(&mut bytes);
        }
        Some(*blake3::hash(&bytes).as_bytes())
    }

    /// The definitions, written, and whether nothing is wrong with them. To be put back.
    fn written_definitions(&mut self) -> (Vec<Written>, bool) {
        self.defs.take().unwrap_or_else(|| {
            let told = self.report.findings().len();
            let style = self.unstyled();
            let definitions = std::mem::take(&mut self.definitions);
            let written = definitions.iter().map(|definition| self.drawn(definition, &style)).collect();
            self.definitions = definitions;
            (written, self.report.findings().len() == told)
        })
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
