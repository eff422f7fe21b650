//! What paiban adds to MiniJinja's own filters.

use std::collections::BTreeMap;

use minijinja::{Environment, Error, ErrorKind, Value};

pub(super) fn install(environment: &mut Environment<'static>) {
    environment.add_filter("tally", tally);
    environment.add_filter("field", field);
    environment.add_filter("values", values);
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
