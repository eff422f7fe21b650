//! What paiban adds to MiniJinja's own filters.

use std::collections::BTreeMap;

use crate::diagnostics::nearest;

use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, Value};

pub(super) fn install(environment: &mut Environment<'static>) {
    environment.add_filter("tally", tally);
    environment.add_filter("field", field);
    environment.add_filter("values", values);
    environment.add_filter("floor", f64::floor);
    environment.add_filter("ceil", f64::ceil);
    environment.add_function("choose", choose);
    environment.add_function("factorial", factorial);
    environment.add_function("hypergeometric", hypergeometric);
}

/// The filters that an expression may use, ours and MiniJinja's, which cannot be asked for them.
const FILTERS: [&str; 50] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "count",
    "d",
    "default",
    "dictsort",
    "e",
    "escape",
    "field",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "tally",
    "title",
    "trim",
    "unique",
    "upper",
    "values",
    "zip",
];
/// The tests that may stand behind `is`, and in `select` and its like.
const TESTS: [&str; 31] = [
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "escaped",
    "even",
    "false",
    "filter",
    "float",
    "ge",
    "greaterthan",
    "gt",
    "in",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sequence",
    "startingwith",
    "string",
    "true",
    "upper",
];

/// A sentence about a filter or test that does not exist.
pub(super) fn unknown(error: &Error) -> String {
    let (what, known) =
        if error.kind() == ErrorKind::UnknownTest { ("test", &TESTS[..]) } else { ("filter", &FILTERS[..]) };
    let named =
        error.detail().and_then(|detail| detail.split(' ').nth(1)).filter(|_| error.detail() != Some("unknown"));
    let Some(name) = named else { return format!("a {what} in it does not exist; there are: {}", known.join(", ")) };
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("there is no {what} `{name}`; did you mean `{near}`?"),
        None => format!("there is no {what} `{name}`; there are: {}", known.join(", ")),
    }
}

/// How often each value occurs: a map, sorted by value.
fn tally(list: Value) -> Result<Value, Error> {
    let mut counts: BTreeMap<Value, i64> = BTreeMap::new();
    for item in list.try_iter()? {
        *counts.entry(item).or_default() += 1;
    }
    Ok(Value::from_pairs(counts))
}

/// The field `name` of each item. An item without it is an error.
fn field(list: Value, name: &str) -> Result<Value, Error> {
    list.try_iter()?
        .map(|item| {
            let value = item.get_attr(name)?;
            if value.is_undefined() {
                return Err(Error::new(ErrorKind::UndefinedError, format!("an item has no field `{name}`")));
            }
            Ok(value)
        })
        .collect()
}

/// The values of a map, in its order.
fn values(map: Value) -> Result<Value, Error> {
    map.try_iter()?.map(|key| map.get_item(&key)).collect()
}

/// The largest number of things that the functions of chances take; beyond it they would work too long.
const MOST_THINGS: u32 = 1000;

/// In how many ways `some` of `all` things can be chosen, `all! / (some! (all - some)!)`; 0 when there are not so many.
fn choose(all: u32, some: u32) -> Result<f64, Error> {
    if all > MOST_THINGS {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("at most {MOST_THINGS} things can be chosen from"),
        ));
    }
    if some > all {
        return Ok(0.0);
    }
    let few = some.min(all - some);
    // Each product is a whole number, and is kept exact as long as a float can.
    Ok((1..=few).fold(1.0, |ways, at| (ways * f64::from(all - few + at) / f64::from(at)).round()))
}

/// In how many orders `things` can stand.
fn factorial(things: u32) -> Result<f64, Error> {
    if things > 170 {
        return Err(Error::new(ErrorKind::InvalidOperation, "the factorial of more than 170 is no number any more"));
    }
    Ok((1..=things).map(f64::from).product())
}

/// The chance that, of `drawn` things from `all` of which `marked` are marked, as many as `hits` are marked; `hits` is a number, or a
/// list of numbers whose chances are summed.
fn hypergeometric(all: u32, marked: u32, drawn: u32, hits: Value) -> Result<f64, Error> {
    if marked > all || drawn > all {
        return Err(Error::new(ErrorKind::InvalidOperation, format!("there are only {all} things")));
    }
    if let Ok(items) = hits.try_iter().map(Vec::from_iter)
        && hits.kind() != ValueKind::Number
    {
        return items.into_iter().map(|one| hypergeometric(all, marked, drawn, one)).sum();
    }
    let hits = u32::try_from(hits).map_err(|_| Error::new(ErrorKind::InvalidOperation, "hits are counted"))?;
    let Some(others) = drawn.checked_sub(hits) else { return Ok(0.0) };
    Ok(choose(marked, hits)? * choose(all - marked, others)? / choose(all, drawn)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_textbook() {
        let near = |is: Result<f64, Error>, wanted: f64| assert!((is.expect("a number") - wanted).abs() < 1e-12);
        near(choose(72, 6), 156_238_908.0);
        near(choose(3, 4), 0.0);
        near(choose(5, 0), 1.0);
        near(factorial(5), 120.0);
        near(hypergeometric(52, 4, 5, Value::from(1)), 4.0 * 194_580.0 / 2_598_960.0);
        near(hypergeometric(52, 4, 5, Value::from(vec![0, 1, 2, 3, 4])), 1.0);
        near(hypergeometric(4, 1, 2, Value::from(3)), 0.0);
        assert!(choose(4000, 2000).is_err() && hypergeometric(4, 5, 1, Value::from(1)).is_err());
    }

    #[test]
    fn the_lists_name_what_is_there() {
        let mut environment = Environment::new();
        install(&mut environment);
        for (code, names) in [("x|NAME", &FILTERS[..]), ("x is NAME", &TESTS[..])] {
            for name in names {
                let code = code.replace("NAME", name);
                let outcome = environment.compile_expression(&code).and_then(|code| code.eval(()));
                let kind = outcome.err().map(|error| error.kind());
                assert!(!matches!(kind, Some(ErrorKind::UnknownFilter | ErrorKind::UnknownTest)), "{code}");
            }
        }
    }
}
