//! A compiled template and the names in scope become a [`dom::Element`]: loops unrolled, conditions decided, expressions computed.

use std::sync::Arc;

use minijinja::Value;

use super::dom::{Child, Element, Stretch};
use super::template::{Code, Compiled, Content, Part, Text};
use crate::diagnostics::{Finding, checks};
use crate::expr::{Scope, kind, lens, to_text};

/// The most elements that one face may have.
const MOST_ELEMENTS: usize = 50_000;

/// Instantiates the element `part` (the root of a template).
///
/// # Errors
/// The first thing that cannot be computed. It would be the same for the elements after it.
pub fn instantiate(part: &Part<'_>, scope: &Scope) -> Result<Element, Box<Finding>> {
    let mut budget = MOST_ELEMENTS;
    element(part, scope, &mut budget)
}

/// The text of `text` with its expressions computed.
///
/// # Errors
/// When one of them cannot be computed.
pub fn plain_text(text: &Text<'_>, scope: &Scope) -> Result<String, Box<Finding>> {
    Ok(stretches(text, scope)?.into_iter().map(|stretch| stretch.text).collect())
}

fn element(part: &Part<'_>, scope: &Scope, budget: &mut usize) -> Result<Element, Box<Finding>> {
    *budget = budget.checked_sub(1).ok_or_else(|| {
        let message = format!("the template makes more than {MOST_ELEMENTS} elements");
        Finding::new(checks::TEMPLATE_TOO_LARGE, message).at(part.span)
    })?;
    let attributes = part.attributes.iter().map(|(name, text)| Ok((name.clone(), plain_text(text, scope)?)));
    let attributes = attributes.collect::<Result<_, Box<Finding>>>()?;
    let mut children = Vec::new();
    for content in &part.children {
        match content {
            Content::Text(text) => children.push(Child::Text(stretches(text, scope)?)),
            Content::Part(part) => repeat(part, scope, budget, &mut children)?,
        }
    }
    let places = Arc::clone(&part.places);
    Ok(Element { name: part.name.clone(), attributes, children, span: part.span, places })
}

/// Adds the instances of `part`: one, several, or none.
fn repeat(part: &Part<'_>, scope: &Scope, budget: &mut usize, into: &mut Vec<Child>) -> Result<(), Box<Finding>> {
    let Some(repeat) = &part.repeat else { return instance(part, scope, budget, into) };
    let list = compute(&repeat.list, scope)?;
    let items: Vec<Value> = list
        .try_iter()
        .map_err(|_| {
            let message = format!("`pb:for` runs over {}", kind(&list));
            Finding::new(checks::EXPRESSION_FAILED, message).at(repeat.list.span).expected("a list")
        })?
        .take(MOST_ELEMENTS + 1)
        .collect();
    let length = items.len();
    for (index, item) in items.into_iter().enumerate() {
        let names = [(Arc::from(repeat.name.as_str()), item), (Arc::from("loop"), loop_value(index, length, scope))];
        instance(part, &scope.with_all(names), budget, into)?;
    }
    Ok(())
}

fn instance(part: &Part<'_>, scope: &Scope, budget: &mut usize, into: &mut Vec<Child>) -> Result<(), Box<Finding>> {
    let mut scope = scope.clone();
    for (name, code) in &part.names {
        scope = scope.with(name, compute(code, &scope)?);
    }
    let wanted = part.condition.as_ref().map_or(Ok(true), |code| compute(code, &scope).map(|value| value.is_true()))?;
    if wanted {
        into.push(Child::Element(element(part, &scope, budget)?));
    }
    Ok(())
}

fn loop_value(index: usize, length: usize, scope: &Scope) -> Value {
    let fields = [
        ("index", Value::from(index + 1)),
        ("index0", Value::from(index)),
        ("first", Value::from(index == 0)),
        ("last", Value::from(index + 1 == length)),
        ("length", Value::from(length)),
    ];
    lens::fields(fields, "loop", scope.trace())
}

fn stretches(text: &Text<'_>, scope: &Scope) -> Result<Vec<Stretch>, Box<Finding>> {
    let stretch = |compiled: &Compiled<'_>| match compiled {
        Compiled::Literal(text) => Ok(Stretch { text: text.clone(), computed: false, source: None }),
        Compiled::Code(code) => {
            scope.trace().take_reads();
            let value = compute(code, scope)?;
            let source = match scope.trace().take_reads().as_slice() {
                [read] => Some(read.span),
                _ => None,
            };
            let text = to_text(&value).map_err(|why| Finding::new(checks::EXPRESSION_FAILED, why).at(code.span))?;
            Ok(Stretch { text, computed: true, source })
        }
    };
    text.stretches.iter().map(stretch).collect()
}

fn compute(code: &Code<'_>, scope: &Scope) -> Result<Value, Box<Finding>> {
    code.expression.evaluate(scope).map_err(|fault| {
        let span = fault.place(code.span, &code.text);
        Box::new(Finding::new(checks::EXPRESSION_FAILED, fault.message).at(span))
    })
}
