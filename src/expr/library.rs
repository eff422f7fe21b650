//! What paiban adds to MiniJinja's own filters.

use std::collections::BTreeMap;

use crate::diagnostics::nearest;

use minijinja::{Environment, Error, ErrorKind, Value};

pub(super) fn install(environment: &mut Environment<'static>) {
    environment.add_filter("tally", tally);
    environment.add_filter("field", field);
    environment.add_filter("values", values);
}

/// The filters that an expression may use, ours and MiniJinja's, which cannot be asked for them.
const FILTERS: [&str; 51] = [
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
    "urlencode",
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

#[cfg(test)]
mod tests {
    use super::*;

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
