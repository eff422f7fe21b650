//! `paiban schema`: the register of keys as JSON Schema (draft 7, which TOML editors read).

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::{Outcome, output};
use crate::cli::{Schema, SchemaOf};
use crate::model::keys::{self, Key, Keys, Shape};

/// Writes the schema to stdout.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(schema: &Schema) -> Result<Outcome> {
    let schema = match schema.of {
        SchemaOf::Data => data(),
        SchemaOf::Shop => with_head(table(&keys::SHOP), "The profile of a print shop"),
    };
    output::print(&(serde_json::to_string_pretty(&schema)? + "\n"))?;
    Ok(Outcome::Clean)
}

/// Of a file of a game: its tables, and records under any other name.
fn data() -> Value {
    let list = |of: Value| json!({ "type": "array", "items": of });
    let texts = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let mut preflight = table(&keys::PREFLIGHT);
    preflight["properties"]["allow"] = list(table(&keys::ALLOW));
    let mut component = table(&keys::COMPONENT);
    component["properties"]["preflight"] = table(&keys::COMPONENT_PREFLIGHT);
    let mut tuck = table(&keys::BOX);
    tuck["properties"]["preflight"] = table(&keys::COMPONENT_PREFLIGHT);
    let is_box = json!({ "properties": { "kind": { "const": "box" } }, "required": ["kind"] });
    let mut claim = table(&keys::CLAIM);
    claim["properties"]["simulate"] = table(&keys::SIMULATE);
    let mut replay = table(&keys::REPLAY);
    // A step is a move, whose keys are the script's, or a statement.
    let mut step = table(&keys::STEP);
    step["additionalProperties"] = json!(true);
    replay["properties"]["steps"] = list(step);
    let record = json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } });
    let schema = json!({
        "type": "object",
        "properties": {
            "game": table(&keys::GAME),
            "icons": texts,
            "fonts": texts,
            "theme": { "type": "object", "description": "Free keys that templates read." },
            "unused": texts,
            "preflight": preflight,
            "component": list(json!({ "if": is_box, "then": tuck, "else": component })),
            "invariant": list(table(&keys::INVARIANT)),
            "claim": list(claim),
            "replay": list(replay),
        },
        "additionalProperties": list(record),
    });
    with_head(schema, "A data file of a game")
}

fn with_head(mut schema: Value, title: &str) -> Value {
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!(title);
    schema
}

fn table(of: &Keys) -> Value {
    let properties: Map<String, Value> = of.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = of.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn property(key: &Key) -> Value {
    const LENGTH: &str = r"^\s*-?[0-9.]+\s*(mm|cm|in|pt)\s*$";
    let text = || json!({ "type": "string" });
    let length = || json!({ "type": "string", "pattern": LENGTH });
    let one_or_more = |of: Value| json!({ "anyOf": [of, { "type": "array", "items": of }] });
    let mut schema = match key.shape {
        Shape::Text => text(),
        Shape::Word(words) => json!({ "enum": words }),
        Shape::Texts => json!({ "type": "array", "items": text() }),
        Shape::Integer(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Shape::Integers => json!({ "type": "array", "items": { "type": "integer" } }),
        Shape::Numbers => one_or_more(json!({ "type": "number" })),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Length => length(),
        Shape::Lengths => one_or_more(length()),
        Shape::Size => json!({ "type": "string", "pattern": r"^\s*[0-9.]+\s*([x×]\s*[0-9.]+\s*)+(mm|cm|in|pt)\s*$" }),
        Shape::Quantity => json!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            text(),
            { "type": "object", "additionalProperties": { "type": ["integer", "string"] } },
        ] }),
        Shape::TextTable => json!({ "type": "object", "additionalProperties": text() }),
        Shape::Table => json!({ "type": "object" }),
        Shape::Tables => json!({ "type": "array", "items": { "type": "object" } }),
        Shape::Any => json!({}),
    };
    schema["description"] = json!(key.about);
    schema
}
