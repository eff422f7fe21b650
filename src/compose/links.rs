//! What an instance links to: its own parts, pictures of the project. What is not there would simply not be drawn.

use std::collections::BTreeSet;

use super::art::Studio;
use super::dom::{Element, declarations};
use crate::diagnostics::{Finding, Report, checks, nearest};

/// Reports every link of `root` that leads nowhere, but for icons, which are looked up when they are drawn.
pub fn check(root: &Element, studio: &Studio, report: &mut Report) {
    Links { ids: root.ids().into_iter().collect(), studio, report }.element(root);
}

struct Links<'a> {
    ids: BTreeSet<&'a str>,
    studio: &'a Studio,
    report: &'a mut Report,
}

impl Links<'_> {
    fn element(&mut self, element: &Element) {
        if let Some(href) = element.href() {
            let finding = match (href.strip_prefix('#'), element.name.as_str()) {
                (Some(id), _) => self.part(id),
                (None, "use") if href.starts_with("icon:") => None,
                (None, "use") => Some(foreign_use(href)),
                (None, "image" | "feImage") => self.picture(href),
                _ => None,
            };
            self.tell(finding, element);
        }
        for (name, value) in &element.attributes {
            if name == "style" {
                declarations(value).for_each(|(name, value)| self.paint(name, value, element));
            } else {
                self.paint(name, value, element);
            }
        }
        element.elements().for_each(|child| self.element(child));
    }

    /// `fill="url(#id)"`, `clip-path`, `mask` ... A fill may name a colour to fall back to.
    fn paint(&mut self, name: &str, value: &str, element: &Element) {
        let target = value.trim().strip_prefix("url(").and_then(|rest| rest.split_once(')'));
        let Some((target, fallback)) = target.filter(|_| name != "shape-inside") else { return };
        let id = target.trim().trim_matches(['"', '\'']).strip_prefix('#');
        if let Some(id) = id.filter(|_| fallback.trim().is_empty()) {
            let finding = self.part(id);
            self.tell(finding, element);
        }
    }

    fn part(&self, id: &str) -> Option<Finding> {
        if self.ids.contains(id) {
            return None;
        }
        let finding = Finding::new(checks::REFERENCE_DANGLING, format!("nothing in this template has the id `{id}`"));
        Some(match nearest(id, self.ids.iter().copied()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("draw the part in this file or delete the link"),
        })
    }

    fn picture(&self, href: &str) -> Option<Finding> {
        let inside = href.starts_with("data:");
        if !inside && href.contains("://") {
            let message = format!("{href}: pictures are not fetched from elsewhere");
            return Some(
                Finding::new(checks::FILE_UNREADABLE, message).help("save it in the project and name its path"),
            );
        }
        let fault = self.studio.picture_fault(href)?;
        let name = if inside { "data:…" } else { href };
        Some(Finding::new(checks::FILE_UNREADABLE, format!("{name}: {fault}")))
    }

    fn tell(&mut self, finding: Option<Finding>, element: &Element) {
        if let Some(finding) = finding {
            self.report.push(finding.at(element.span));
        }
    }
}

fn foreign_use(href: &str) -> Finding {
    Finding::new(checks::REFERENCE_DANGLING, format!("`use` cannot link into another file: {href:?}"))
        .help("draw the part in this file, make it an icon (`icon:name`) or include it (`pb:include`)")
}
