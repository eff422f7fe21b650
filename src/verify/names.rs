//! The names that the expressions of invariants and claims see: the game, all its records, and the counts of a kit.

use std::sync::Arc;

use crate::diagnostics::{Finding, checks};
use crate::expr::{Engine, Expression, Scope, lens};
use crate::model::{Game, KitSize};
use crate::source::Span;
use crate::source::Spanned;
use crate::source::tree::{self, Entry, Mark, Node, Table};

/// What comes out, or the finding that says why not.
pub(super) type Outcome<T> = Result<T, Box<Finding>>;

/// `all('name')`, `game` and `kit`.
pub(super) fn scope(game: &Game, lists: &Arc<lens::Lists>, kit: &Node) -> Scope {
    let root = Scope::root();
    let table = lens::value(&game.table, "game", root.trace());
    let all = lens::lookup(lists, root.trace());
    let kit = lens::value(kit, "kit", root.trace());
    root.with("all", all).with("game", table).with("kit", kit)
}

/// The counts of all components. Each stands where the data says it, or where its component does.
pub(super) fn kit(game: &Game, size: KitSize) -> Node {
    let entry =
        |key: &str, node: Node| Entry { key: Spanned::new(Arc::from(key), node.span), node, read: Mark::default() };
    let components = game.components.iter().map(|component| {
        let count = component.count(size);
        let fields = [("printed", count.printed), ("used", count.used), ("total", component.total())];
        let fields = fields.into_iter().map(|(key, number)| {
            let written = component.table.as_table().and_then(|table| table.get(key));
            let span = written.map_or(component.span, |node| row(node, size).span);
            entry(key, Node { value: tree::Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)), span })
        });
        entry(&component.id, table(fields.collect(), component.span))
    });
    table(components.collect(), game.span)
}

/// What a quantity says for this kit: its row, where it has rows.
fn row(quantity: &Node, size: KitSize) -> &Node {
    let KitSize::Players(players) = size else { return quantity };
    quantity.as_table().and_then(|rows| rows.get(&players.to_string())).unwrap_or(quantity)
}

fn table(entries: Vec<Entry>, span: Span) -> Node {
    Node { value: tree::Value::Table(Arc::new(Table { entries })), span }
}

/// Compiles an expression of the data.
pub(super) fn compile<'e>(engine: &'e Engine, text: &Spanned<String>) -> Outcome<Expression<'e>> {
    engine.compile(&text.value).map_err(|fault| {
        let place = fault.place(text.span, &text.value);
        Box::new(Finding::new(checks::EXPRESSION_SYNTAX, fault.message).at(place))
    })
}
