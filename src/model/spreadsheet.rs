//! Records from spreadsheets: a component whose `records` (or `expand`) name a CSV, TSV, XLSX or ODS file beside its `game.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::fields::Fields;
use super::keys;
use super::load::{Raw, unreadable};
use super::types::{self, Declared, Type};
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::source::disk::Disk;
use crate::source::grid::{self, Cell, Grid, Row};
use crate::source::tree::{Entry, Mark, Node, Table, Value};
use crate::source::{FileId, Sources, Span, Spanned};

/// The record kind that a component names: of a spreadsheet, the name of its file without the ending.
pub(super) fn kind_of(name: &str) -> &str {
    if !grid::is_spreadsheet(name) {
        return name;
    }
    let (file, _) = grid::split(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Reads every spreadsheet that the components of `raw` name, once each, into records of its kind. `folder` is the game's.
pub(super) fn read_all(disk: &Disk, sources: &Sources, folder: &str, raw: &mut Raw, report: &mut Report) {
    let mut done = BTreeSet::new();
    for component in raw.arrays.get("component").cloned().unwrap_or_default() {
        let Some(table) = component.as_table() else { continue };
        // What is wrong with the declarations is told where the component is read.
        let declared = types::declared(&Fields::new(table, component.span, "", &keys::FREE), &mut Report::default());
        for name in named(table) {
            if !done.insert(name.value.clone()) {
                continue;
            }
            let nodes = read(disk, sources, folder, &name, &declared, report);
            raw.arrays.entry(kind_of(&name.value).to_owned()).or_default().extend(nodes);
        }
    }
}

/// The spreadsheets that a component names.
fn named(table: &Table) -> Vec<Spanned<String>> {
    let single = table.get("records").into_iter();
    let several = table.get("expand").and_then(Node::as_array).into_iter().flat_map(|items| items.iter());
    let texts = single.chain(several).filter_map(|node| Some(Spanned::new(node.as_str()?.to_owned(), node.span)));
    texts.filter(|name| grid::is_spreadsheet(&name.value)).collect()
}

fn read(
    disk: &Disk,
    sources: &Sources,
    folder: &str,
    name: &Spanned<String>,
    declared: &[Declared],
    report: &mut Report,
) -> Vec<Node> {
    let (file, sheet) = grid::split(&name.value);
    let path = format!("{folder}/{file}");
    match grid::read(disk, sources, &path, sheet) {
        Err(refusal) => {
            let finding = unreadable(disk, sources, &path, &refusal);
            report.push(match finding.place {
                Some(_) => finding,
                None => finding.at(name.span),
            });
            Vec::new()
        }
        Ok((file, grid, faults)) => {
            for fault in faults {
                let span = fault.span.unwrap_or(name.span);
                report.push(Finding::new(checks::SHEET_SYNTAX, fault.message).at(span).help(fault.help));
            }
            records(file, &grid, declared, report)
        }
    }
}

/// Turns rows into records. Without a column `id` there are none, and one finding says so.
fn records(file: FileId, grid: &Grid, declared: &[Declared], report: &mut Report) -> Vec<Node> {
    if grid.columns.is_empty() {
        return Vec::new();
    }
    if !grid.columns.iter().any(|column| &*column.value == "id") {
        report.push(no_id(file, &grid.columns));
        return Vec::new();
    }
    let types: BTreeMap<&str, &Declared> = declared.iter().map(|field| (field.name.value.as_str(), field)).collect();
    undeclared(grid, declared, report);
    grid.rows.iter().map(|row| record(row, grid, &types, report)).collect()
}

fn no_id(file: FileId, columns: &[Cell]) -> Finding {
    let span = columns.first().map_or(Span::new(file, 0..0), |column| column.span);
    let near = columns.iter().find(|column| column.value.eq_ignore_ascii_case("id"));
    let finding = Finding::new(checks::KEY_MISSING, "the spreadsheet has no column `id`");
    match near {
        Some(near) => finding.at(near.span).help(format!("`{}` is not `id`: upper and lower case count", near.value)),
        None => finding.at(span).help("name the column that tells the records apart `id`; each needs its own"),
    }
}

/// Tells of declared fields that no column has.
fn undeclared(grid: &Grid, declared: &[Declared], report: &mut Report) {
    let names: Vec<&str> = grid.columns.iter().map(|column| &*column.value).collect();
    for field in declared.iter().filter(|field| !field.optional && !names.contains(&field.name.value.as_str())) {
        let message = format!("the spreadsheet has no column `{}`", field.name.value);
        let mut finding = Finding::new(checks::KEY_MISSING, message).at(field.name.span);
        if let Some(head) = grid.columns.first() {
            finding = finding.and(head.span, "its columns");
        }
        if let Some(near) = nearest(&field.name.value, names.iter().copied()) {
            finding = finding.help(format!("did you mean `{near}`? upper and lower case count"));
        }
        report.push(finding);
    }
}

fn record(row: &Row, grid: &Grid, types: &BTreeMap<&str, &Declared>, report: &mut Report) -> Node {
    let cells = grid.columns.iter().zip(&row.cells).enumerate().filter(|(_, (column, _))| !column.value.is_empty());
    let mut entries = Vec::new();
    for (at, (column, cell)) in cells {
        let name = &*column.value;
        let declared = types.get(name).copied();
        let kind = declared.map_or_else(|| usual(name), |field| field.kind);
        let may_be_left_out = declared.is_some_and(|field| field.optional) || matches!(name, "copies" | "source");
        if cell.value.is_empty() && (may_be_left_out || kind != Type::Text) {
            let is_told = row.cut_at.is_some_and(|end| at >= end);
            if !may_be_left_out && kind != Type::List && !is_told {
                report.push(wrong(row, name, cell, kind).help("fill it in, or declare the field with a `?`"));
            }
            if !may_be_left_out {
                put(&mut entries, name, Node { value: kind.blank(), span: cell.span });
            }
            continue;
        }
        let value = kind.read(&cell.value, cell.span).unwrap_or_else(|| {
            report.push(wrong(row, name, cell, kind));
            kind.blank()
        });
        put(&mut entries, name, Node { value, span: cell.span });
    }
    Node { value: Value::Table(Arc::new(Table { entries })), span: row.span }
}

/// Puts `node` under `name`; that of a column `cost.gold` into the table `cost`.
fn put(entries: &mut Vec<Entry>, name: &str, node: Node) {
    let Some((outer, inner)) = name.split_once('.') else {
        entries.push(Entry { key: Spanned::new(Arc::from(name), node.span), node, read: Mark::default() });
        return;
    };
    let span = node.span;
    let held = entries.iter().position(|entry| &*entry.key.value == outer);
    let at = held.unwrap_or_else(|| {
        let key = Spanned::new(Arc::from(outer), span);
        let table = Node { value: Value::Table(Arc::default()), span };
        entries.push(Entry { key, node: table, read: Mark::default() });
        entries.len() - 1
    });
    let value = &mut entries[at].node.value;
    if !matches!(value, Value::Table(_)) {
        *value = Value::Table(Arc::default());
    }
    if let Value::Table(table) = value {
        put(&mut Arc::make_mut(table).entries, inner, node);
    }
}

/// The type of a column that is not declared: text, but for the number of copies.
fn usual(name: &str) -> Type {
    if name == "copies" { Type::Integer } else { Type::Text }
}

fn wrong(row: &Row, name: &str, cell: &Cell, kind: Type) -> Finding {
    let said = if cell.value.is_empty() { "empty".to_owned() } else { format!("{:?}", &*cell.value) };
    let message = format!("row {}, column `{name}` is {said}", row.number);
    Finding::new(checks::TYPE_WRONG, message).at(cell.span).expected(kind.name())
}
