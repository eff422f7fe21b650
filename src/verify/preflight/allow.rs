//! What a game allows for, and whether it needed to.

use super::flaw::{Flaw, Part};
use super::{Printed, art};
use crate::compose::face::Layer;
use crate::diagnostics::{Finding, Report, checks};
use crate::model::preflight::Allowance;

/// The allowances of a game, and which of them were needed.
pub struct Allowances<'a> {
    all: Vec<(&'a Allowance, bool)>,
}

impl<'a> Allowances<'a> {
    /// None of them needed yet.
    pub fn new(all: &'a [Allowance]) -> Self {
        Allowances { all: all.iter().map(|allowance| (allowance, false)).collect() }
    }

    /// Whether a flaw of a face is allowed for.
    pub fn cover(&mut self, flaw: &Flaw, printed: &Printed<'_>) -> bool {
        self.first(|allowance| {
            allowance.check == flaw.check.code
                && allowance.limit.is_none_or(|limit| flaw.keeps(limit))
                && (allowance.of.is_empty() || allowance.of.iter().any(|name| is_named(name, flaw, printed)))
        })
    }

    /// Whether two colours of a category may look as much alike as was measured.
    pub fn cover_colours(&mut self, category: &str, measured: f64) -> bool {
        self.first(|allowance| {
            allowance.check == checks::COLOURS_ALIKE.code
                && allowance.limit.is_none_or(|limit| measured >= limit)
                && (allowance.of.is_empty() || allowance.of.iter().any(|name| name == category))
        })
    }

    fn first(&mut self, mut covers: impl FnMut(&Allowance) -> bool) -> bool {
        let found = self.all.iter_mut().find(|(allowance, _)| covers(allowance));
        found.map(|(_, needed)| *needed = true).is_some()
    }

    /// Reports those that nothing needed.
    pub fn stale(&self, report: &mut Report) {
        for (allowance, _) in self.all.iter().filter(|(_, needed)| !needed) {
            let message = format!("nothing needs this allowance for `{}`", allowance.check);
            report.push(Finding::new(checks::ALLOWANCE_STALE, message).at(allowance.span).help("delete it"));
        }
    }
}

/// Whether `name` is that of a component or of one of its pieces, of the right side, and has the id of the right element.
fn is_named(name: &str, flaw: &Flaw, printed: &Printed<'_>) -> bool {
    let (name, is_element) = match name.split_once('#') {
        Some((name, id)) => (name, element_id(flaw, printed) == Some(id)),
        None => (name, true),
    };
    let (name, is_side) = match name.strip_suffix(" back") {
        Some(name) => (name, !printed.is_front),
        None => match name.strip_suffix(" front") {
            Some(name) => (name, printed.is_front),
            None => (name, true),
        },
    };
    is_side && is_element && (name == printed.component.id || printed.pieces.iter().any(|piece| piece == name))
}

/// The id that the template gives to the element that a flaw is about.
fn element_id<'p>(flaw: &Flaw, printed: &'p Printed<'_>) -> Option<&'p str> {
    match flaw.part {
        Part::Text(number) => printed.face.texts.get(number)?.id.as_deref(),
        Part::Leaf(layer, leaf) => {
            let Layer::Art(art) = printed.face.layers.get(layer)? else { return None };
            Some(art::leaves(&art.tree).get(leaf)?.id).filter(|id| !id.is_empty())
        }
        Part::Whole => None,
    }
}
