//! The one expression language, MiniJinja's, for templates, quantities and invariants.
//!
//! Records enter an expression as a [`lens`] that notes every value it reads and every field it misses, so that a
//! finding can point at the values and a misspelt field can never pass in silence.

pub mod lens;
mod library;
pub mod scope;

use std::ops::Range;

use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

use crate::source::Span;
use crate::units::write_decimals;

pub use scope::Scope;

/// How much work a single expression may do.
const FUEL: u64 = 1_000_000;

/// Compiles expressions. One serves the whole run.
pub struct Engine {
    environment: Environment<'static>,
}

/// An expression, ready to be computed.
pub struct Expression<'e> {
    compiled: minijinja::Expression<'e, 'e>,
    text: String,
    /// The names in it that are neither its own nor MiniJinja's, by their places in the text.
    names: Vec<(usize, String)>,
}

/// Why an expression cannot be compiled or computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, in a sentence.
    pub message: String,
    /// Which bytes of the expression are to blame, if that is known.
    pub range: Option<Range<usize>>,
}

impl Fault {
    /// The place that the fault blames, where the expression `code` stands at `span`, in quotes or without. All of `span` where
    /// escapes moved the bytes.
    pub fn place(&self, span: Span, code: &str) -> Span {
        let quotes = match span.range().len().checked_sub(code.len()) {
            Some(0) => 0,
            Some(2) => 1,
            Some(6) => 3,
            _ => return span,
        };
        let start = span.range().start + quotes;
        let inside = self.range.as_ref().filter(|range| range.end <= code.len());
        inside.map_or(span, |range| Span::new(span.file, start + range.start..start + range.end))
    }
}

impl Default for Engine {
    fn default() -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        environment.set_debug(true);
        library::install(&mut environment);
        Engine { environment }
    }
}

impl Engine {
    /// Compiles `text`.
    ///
    /// # Errors
    /// When it is no expression.
    pub fn compile(&self, text: &str) -> Result<Expression<'_>, Fault> {
        let compiled = self.environment.compile_expression_owned(text.to_owned()).map_err(|error| fault(&error))?;
        let foreign = compiled.undeclared_variables(false).into_iter();
        let foreign = foreign.filter(|name| self.environment.globals().all(|(global, _)| global != name));
        let place = |name: &str| words(text, name).next().unwrap_or(text.len());
        let mut names: Vec<(usize, String)> = foreign.map(|name| (place(&name), name)).collect();
        names.sort();
        Ok(Expression { compiled, text: text.to_owned(), names })
    }
}

impl Expression<'_> {
    /// Computes the expression with the names of `scope`.
    ///
    /// # Errors
    /// When a name is not known, a value is of the wrong kind, a field that the expression reads does not exist, or the work
    /// is too much.
    pub fn evaluate(&self, scope: &Scope) -> Result<Value, Fault> {
        // Asked first, because a name that is misspelt may stand where it is never looked up.
        if let Some((at, name)) = self.names.iter().find(|(_, name)| !scope.knows(name)) {
            let message = format!("`{name}` is not known here{}", scope.did_you_mean(name));
            return Err(Fault { message, range: Some(*at..at + name.len()) });
        }
        let outcome = self.compiled.eval(scope.as_value());
        if let Some(miss) = scope.trace().take_miss() {
            let mut places = words(&self.text, &miss.key);
            let only = places.next().filter(|_| places.next().is_none());
            return Err(Fault { message: miss.message, range: only.map(|at| at..at + miss.key.len()) });
        }
        let value = outcome.map_err(|error| fault(&error))?;
        if value.is_undefined() {
            return Err(Fault {
                message: "the result is undefined: a name or field in it does not exist".into(),
                range: None,
            });
        }
        Ok(value)
    }
}

/// Where `word` stands in `text` as a word of its own.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let alone = move |at: &usize| {
        !text[..*at].ends_with(inside) && !text[at + word.len()..].starts_with(inside) && !word.is_empty()
    };
    text.match_indices(word).map(|(at, _)| at).filter(alone)
}

/// What kind of value this is, for a message: `a text`, `a number` ...
pub fn kind(value: &Value) -> &'static str {
    match value.kind() {
        ValueKind::String => "a text",
        ValueKind::Number => "a number",
        ValueKind::Bool => "a truth value",
        ValueKind::Seq | ValueKind::Iterable => "a list",
        ValueKind::Map => "a table",
        ValueKind::Undefined | ValueKind::None => "nothing",
        _ => "a value of another kind",
    }
}

/// The text that a value shows as in a template: numbers without a needless fraction, lists and tables not at all.
///
/// # Errors
/// When the value has no text: a list, a table, none.
pub fn to_text(value: &Value) -> Result<String, String> {
    match value.kind() {
        ValueKind::String | ValueKind::Bool => Ok(value.to_string()),
        ValueKind::Number if value.is_integer() => Ok(value.to_string()),
        ValueKind::Number => match f64::try_from(value.clone()) {
            Ok(number) if number.is_finite() => Ok(number_text(number)),
            _ => Err("the number is not finite".to_owned()),
        },
        _ => Err(format!("{} cannot stand in a text", kind(value))),
    }
}

/// Numbers as large as this have no fraction left, and so many digits that no card shows them.
const LARGE: f64 = 1e15;

/// A number with at most four decimals and no trailing zeros.
fn number_text(number: f64) -> String {
    if number.abs() >= LARGE {
        return format!("{number:e}");
    }
    let mut text = String::new();
    write_decimals(number, &mut text);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn fault(error: &Error) -> Fault {
    let detail = error.detail().map(str::to_owned);
    let message = match error.kind() {
        ErrorKind::UndefinedError => {
            let name = error
                .range()
                .zip(error.template_source())
                .and_then(|(range, source)| source.get(range).map(str::to_owned));
            match name {
                Some(name) if !name.is_empty() => format!("`{name}` is not known here"),
                _ => detail.unwrap_or_else(|| "a name is not known here".to_owned()),
            }
        }
        ErrorKind::UnknownFilter | ErrorKind::UnknownTest => library::unknown(error),
        ErrorKind::OutOfFuel => "the expression works too long".to_owned(),
        kind => detail.unwrap_or_else(|| kind.to_string()),
    };
    Fault { message, range: error.range().filter(|range| !range.is_empty()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> Result<Value, Fault> {
        let engine = Engine::default();
        let scope = Scope::root().with("n", Value::from(3));
        engine.compile(text)?.evaluate(&scope)
    }

    #[test]
    fn names_numbers_and_filters_work() {
        assert_eq!(evaluate("6 * (n - 1)"), Ok(Value::from(12)));
        assert_eq!(evaluate("[3, 1, 2]|sort|last"), Ok(Value::from(3)));
    }

    #[test]
    fn what_does_not_exist_is_a_fault() {
        for text in ["m", "m + 1", "n.x", "nofilter|foo", "1 +"] {
            assert!(evaluate(text).is_err(), "{text}");
        }
        assert_eq!(evaluate("n + mm").map_err(|fault| fault.message), Err("`mm` is not known here".into()));
    }

    #[test]
    fn whole_numbers_stay_exact() {
        assert_eq!(to_text(&Value::from(i64::MAX)), Ok("9223372036854775807".into()));
    }

    #[test]
    fn a_misspelt_name_is_seen_where_it_is_never_looked_up() {
        for text in ["false and nn > 1", "1 if n else nn", "nn is defined"] {
            let fault = evaluate(text).expect_err(text);
            assert!(fault.message.ends_with("is not known here; did you mean `n`?"), "{}", fault.message);
            assert_eq!(fault.range.map(|range| text[range].len()), Some(2));
        }
    }

    #[test]
    fn endless_work_is_stopped() {
        let engine = Engine::default();
        let deep = "(".repeat(10_000) + "1" + &")".repeat(10_000);
        assert!(engine.compile(&deep).is_err());
    }

    #[test]
    fn numbers_print_short() {
        assert_eq!(to_text(&Value::from(2.0)), Ok("2".into()));
        assert_eq!(to_text(&Value::from(0.1 + 0.2)), Ok("0.3".into()));
        assert_eq!(to_text(&Value::from(1e300)), Ok("1e300".into()));
        assert!(to_text(&Value::from(vec![1])).is_err());
    }
}
