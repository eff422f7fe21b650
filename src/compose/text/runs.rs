//! Cuts text into runs of one look and one kind of script, and runs into the units of falling back.

use std::ops::Range;

use super::class::Class;
use super::flow::Flow;
use crate::fonts::FontId;

/// A stretch that is shaped from one face.
pub(super) struct Run {
    /// Its bytes in the flow.
    pub(super) bytes: Range<usize>,
    /// Its look.
    pub(super) look: usize,
    /// Its characters' classes.
    pub(super) classes: Range<usize>,
    /// Whether it is Western text.
    pub(super) western: bool,
}

/// What is shaped together. Spaces go with what stands before them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Cjk,
    Western,
    Symbol,
    Icon,
}

const fn group(class: Class, before: Option<Group>) -> Group {
    match (class, before) {
        (Class::Icon, _) => Group::Icon,
        (Class::Space | Class::Inherit, Some(Group::Cjk)) => Group::Cjk,
        (Class::Inherit, Some(Group::Symbol)) | (Class::Symbol, _) => Group::Symbol,
        (
            Class::Letter | Class::Digit | Class::Sign | Class::Mark | Class::Hyphen | Class::Space | Class::Inherit,
            _,
        ) => Group::Western,
        (Class::Han | Class::Open | Class::Close | Class::Stop | Class::Link, _) => Group::Cjk,
    }
}

/// Cuts a paragraph where the look or the group changes; every icon is alone.
pub(super) fn runs(flow: &Flow, paragraph: &Range<usize>, classes: &[(usize, Class)]) -> Vec<Run> {
    let mut runs: Vec<(Run, Group)> = Vec::new();
    let mut stretch = flow.stretches.partition_point(|(end, _)| *end <= paragraph.start);
    for (number, &(at, class)) in classes.iter().enumerate() {
        while flow.stretches.get(stretch).is_some_and(|(end, _)| *end <= at) {
            stretch += 1;
        }
        let look = flow.stretches.get(stretch).map_or(0, |(_, look)| *look);
        let end = classes.get(number + 1).map_or(paragraph.end, |(at, _)| *at);
        let last = runs.last_mut();
        let group = group(class, last.as_ref().map(|(_, group)| *group));
        match last {
            Some((run, before)) if *before == group && run.look == look && group != Group::Icon => {
                run.bytes.end = end;
                run.classes.end = number + 1;
            }
            _ => {
                let western = group == Group::Western;
                runs.push((Run { bytes: at..end, look, classes: number..number + 1, western }, group));
            }
        }
    }
    runs.into_iter().map(|(run, _)| run).collect()
}

/// Cuts a run into the units of falling back.
pub(super) fn units(run: &Run, classes: &[(usize, Class)]) -> Vec<Run> {
    let base = run.classes.start;
    let starts = |at: usize| {
        let (class, before) = (classes[at - base].1, classes[at - base - 1].1);
        match class {
            Class::Inherit | Class::Space => false,
            Class::Symbol => true,
            _ => before == Class::Space || class.is_wide_punctuation() != before.is_wide_punctuation(),
        }
    };
    split(run, starts, classes, base)
}

/// Cuts a run before every class for which `starts` says so.
pub(super) fn split(run: &Run, starts: impl Fn(usize) -> bool, classes: &[(usize, Class)], base: usize) -> Vec<Run> {
    let mut parts = Vec::new();
    let mut from = run.classes.start;
    for at in run.classes.start + 1..=run.classes.end {
        if at == run.classes.end || starts(at) {
            let place = |at: usize| if at == run.classes.end { run.bytes.end } else { classes[at - base].0 };
            parts.push(Run { bytes: place(from)..place(at), look: run.look, classes: from..at, western: run.western });
            from = at;
        }
    }
    parts
}

/// Puts neighbours of one face together again.
pub(super) fn join(chosen: Vec<(Run, FontId)>) -> Vec<(Run, FontId)> {
    let mut joined: Vec<(Run, FontId)> = Vec::with_capacity(chosen.len());
    for (run, font) in chosen {
        match joined.last_mut() {
            Some((before, last)) if *last == font => before.bytes.end = run.bytes.end,
            _ => joined.push((run, font)),
        }
    }
    joined
}
