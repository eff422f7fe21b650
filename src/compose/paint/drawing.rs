//! Everything that is no text: elements, icons and definitions become drawings, each made once.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use svg::Node as _;
use svg::node::element::Element as Written;

use super::{Painter, WrittenDefinition, is_painted, is_silent};
use crate::compose::art::copy_attributes;
use crate::compose::definitions::{self, Definition};
use crate::compose::dom::{Child, Element};
use crate::compose::face::Layer;
use crate::compose::outline::outline;
use crate::compose::pending::{self, Pending, What};
use crate::compose::style::TextStyle;
use crate::compose::text::PlacedIcon;
use crate::diagnostics::{Finding, checks, nearest};
use crate::geometry::Affine;

impl Painter<'_, '_> {
    /// An element that goes into the drawing whole, with icons linked and text outlined.
    pub(super) fn drawn(&mut self, element: &Element, style: &TextStyle) -> Written {
        if let Some(name) = pending::icon_of(element) {
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

    pub(super) fn placed_icon(&mut self, placed: &PlacedIcon) -> Option<Written> {
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

    /// Draws what is pending; what comes next starts on top of it.
    pub(super) fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        for drawing in pending::drawings(pending, self.palette.icons) {
            self.draw(drawing);
        }
    }

    /// Makes a drawing, or recalls it, and puts it on top.
    fn draw(&mut self, drawing: Vec<Pending<'_>>) {
        let definitions = self.wanted(&drawing);
        let fingerprint = self.fingerprint(&drawing, &definitions);
        let studio = self.palette.studio;
        if let Some(art) = fingerprint.and_then(|fingerprint| studio.recall(&fingerprint)) {
            self.done.layers.push(Layer::Art(art));
            return;
        }
        let told = self.report.findings().len();
        let mut is_sound = true;
        for number in definitions {
            is_sound &= self.define(number);
        }
        for part in drawing {
            let drawn = match part.what {
                What::Plain(element) => Some(self.drawn(element, &self.unstyled())),
                What::Icon(icon) => self.placed_icon(&icon),
                What::Written(drawn, icons) => {
                    self.sketch.add_icons(icons);
                    Some(drawn)
                }
            };
            drawn.into_iter().for_each(|drawn| self.sketch.add(drawn, &part.groups));
        }
        match studio.draw(self.sketch.take_svg(self.trim, studio)) {
            Ok(art) => {
                // What there is to tell of a drawing is told for every piece.
                if let Some(fingerprint) = fingerprint.filter(|_| is_sound && self.report.findings().len() == told) {
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

    /// The numbers of the definitions that a drawing gets.
    fn wanted(&self, drawing: &[Pending<'_>]) -> BTreeSet<usize> {
        if self.definitions.is_empty() {
            return BTreeSet::new();
        }
        match pending::names(drawing) {
            Some(names) => definitions::wanted(&self.definitions, names),
            None => (0..self.definitions.len()).collect(),
        }
    }

    /// The hash of all that a drawing is made from. None where it hangs on more than elements and icons, or gets ids.
    fn fingerprint(&self, drawing: &[Pending<'_>], definitions: &BTreeSet<usize>) -> Option<[u8; 32]> {
        if self.traced || self.definitions.iter().any(Definition::has_text) {
            return None;
        }
        let mut bytes: Vec<u8> =
            [self.trim.w, self.trim.h].into_iter().flat_map(|side| side.to_emu().to_le_bytes()).collect();
        for definition in definitions.iter().filter_map(|number| self.definitions.get(*number)) {
            bytes.push(b'd');
            definition.element.feed(&mut bytes);
            self.feed_icons(definition.element, &mut bytes)?;
        }
        let mut last: &[Rc<Element>] = &[];
        for Pending { what, groups } in drawing {
            // The same group goes on, or an equal one begins.
            let shared = last.iter().zip(groups).take_while(|(one, other)| Rc::ptr_eq(one, other)).count();
            bytes.extend([shared as u64, groups.len() as u64].into_iter().flat_map(u64::to_le_bytes));
            groups.iter().for_each(|group| group.feed(&mut bytes));
            last = groups;
            match what {
                What::Plain(element) => {
                    bytes.push(b'e');
                    element.feed(&mut bytes);
                    self.feed_icons(element, &mut bytes)?;
                }
                What::Icon(icon) => {
                    bytes.extend(format!("i{icon:?}").bytes());
                    self.feed_icon(&icon.name, &mut bytes)?;
                }
                What::Written(..) => return None,
            }
        }
        Some(*blake3::hash(&bytes).as_bytes())
    }

    /// Adds which icons are in `element`: games may mean others by the same names.
    /// None where one is not there: whether that is told hangs on the game.
    fn feed_icons(&self, element: &Element, bytes: &mut Vec<u8>) -> Option<()> {
        pending::icon_of(element).map_or(Some(()), |name| self.feed_icon(name, bytes))?;
        element.elements().try_for_each(|child| self.feed_icons(child, bytes))
    }

    fn feed_icon(&self, name: &str, bytes: &mut Vec<u8>) -> Option<()> {
        let icon = self.palette.icons.find(name).ok()?;
        bytes.extend((icon.path.len() as u64).to_le_bytes());
        bytes.extend(icon.path.bytes());
        Some(())
    }

    /// Puts a definition into the drawing in the making. Whether nothing is wrong with it.
    fn define(&mut self, number: usize) -> bool {
        let known = self.written.get(number).cloned().flatten();
        let Some(written) = known.or_else(|| self.written_definition(number)) else { return true };
        let is_sound = written.is_sound;
        self.sketch.add_icons(written.icons.clone());
        self.sketch.define(Arc::clone(&written.text));
        if let Some(known) = self.written.get_mut(number) {
            *known = Some(written);
        }
        is_sound
    }

    fn written_definition(&mut self, number: usize) -> Option<WrittenDefinition> {
        let element = self.definitions.get(number)?.element;
        let told = self.report.findings().len();
        let before = self.sketch.take_icons();
        let text = self.drawn(element, &self.unstyled()).to_string().into();
        let icons = self.sketch.take_icons();
        self.sketch.add_icons(before);
        Some(WrittenDefinition { text, icons, is_sound: self.report.findings().len() == told })
    }
}
