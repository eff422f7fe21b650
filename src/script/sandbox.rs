//! What a script may see, and how far it may go.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::{ChunkMode, Function, HookTriggers, Lua, LuaOptions, StdLib, Table, Value, VmState};

use crate::diagnostics::{Finding, checks};
use crate::model::{Game, StepKind};
use crate::source::tree::{self, Node};
use crate::source::{SourceFile, Span};

/// How many steps of the virtual machine a call may take.
const STEPS: u64 = 50_000_000;
/// After how many steps they are counted.
const EVERY: u32 = 1_000;
/// How much memory a script may hold.
const MEMORY: usize = 64 << 20;

/// The names that a script sees of Lua's own. Patterns are out because a hostile one runs for minutes inside one step;
/// `string.rep` and `table.move` likewise; metatables because the host's own checks rest on them.
const NAMES: [&str; 6] = ["assert", "error", "ipairs", "select", "tonumber", "type"];
const LIBRARIES: [(&str, &[&str]); 4] = [
    ("string", &["byte", "char", "format", "len", "lower", "reverse", "sub", "upper"]),
    ("table", &["concat", "insert", "pack", "remove", "sort", "unpack"]),
    (
        "math",
        &[
            "abs",
            "acos",
            "asin",
            "atan",
            "ceil",
            "cos",
            "deg",
            "exp",
            "floor",
            "fmod",
            "huge",
            "log",
            "max",
            "maxinteger",
            "min",
            "mininteger",
            "modf",
            "pi",
            "rad",
            "sin",
            "sqrt",
            "tan",
            "tointeger",
            "type",
            "ult",
        ],
    ),
    ("utf8", &["char", "codepoint", "len", "offset"]),
];

/// The rules were broken, says the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which rule: the code of the finding.
    pub code: Option<String>,
    /// What is wrong.
    pub message: String,
    /// The key of the move that is to blame.
    pub key: Option<String>,
}

/// A Lua state with a script in it.
pub(super) struct Sandbox {
    lua: Lua,
    names: Table,
    record: Function,
    meter: Rc<Meter>,
    breach: Rc<RefCell<Option<Breach>>>,
}

#[derive(Default)]
struct Meter {
    steps: Cell<u64>,
    tripped: Cell<bool>,
}

impl Sandbox {
    /// A sandbox with the records of `game`, and the host's calls.
    pub fn new(game: &Game) -> mlua::Result<(Self, Table)> {
        let libraries = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::UTF8;
        let lua = Lua::new_with(libraries, LuaOptions::default())?;
        let names = names(&lua)?;
        let raw = lua.globals();
        let prelude = lua.load(include_str!("prelude.lua")).set_name("=paiban").set_mode(ChunkMode::Text);
        let calls: Table = prelude.call((raw.clone(), names.clone()))?;
        prune(&raw)?;
        let sandbox =
            Sandbox { record: calls.raw_get("record")?, lua, names, meter: Rc::default(), breach: Rc::default() };
        sandbox.names.raw_set("breaks", sandbox.breaks()?)?;
        sandbox.names.raw_set("records", sandbox.records(game)?)?;
        sandbox.samples(game, &calls.raw_get("samples")?)?;
        sandbox.set_limits()?;
        Ok((sandbox, calls))
    }

    /// Runs the script itself.
    pub fn run(&self, text: &str) -> mlua::Result<()> {
        let chunk = self.lua.load(text).set_name("@rules.lua").set_mode(ChunkMode::Text);
        chunk.set_environment(self.names.clone()).exec()
    }

    /// Does `work` within the limits. Once one has tripped, nothing more is done.
    pub fn limited<R>(&self, work: impl FnOnce() -> mlua::Result<R>) -> mlua::Result<R> {
        if self.meter.tripped.get() {
            return Err(mlua::Error::runtime("a limit was reached before"));
        }
        self.meter.steps.set(0);
        let outcome = work();
        if let Err(error) = &outcome
            && is_memory(error)
        {
            self.meter.tripped.set(true);
        }
        outcome
    }

    pub fn has_tripped(&self) -> bool {
        self.meter.tripped.get()
    }

    pub fn take_breach(&self) -> Option<Breach> {
        self.breach.borrow_mut().take()
    }

    /// An empty table.
    pub fn table(&self) -> mlua::Result<Table> {
        self.lua.create_table()
    }

    /// A value of the data as Lua has it. The fields of a table may be missing: what the moves of a sample have is free.
    pub fn plain(&self, node: &Node) -> mlua::Result<Value> {
        self.value(node, false)
    }

    fn value(&self, node: &Node, strict: bool) -> mlua::Result<Value> {
        Ok(match &node.value {
            tree::Value::String(text) => Value::String(self.lua.create_string(text.as_bytes())?),
            tree::Value::Integer(number) => Value::Integer(*number),
            tree::Value::Float(number) => Value::Number(*number),
            tree::Value::Boolean(truth) => Value::Boolean(*truth),
            tree::Value::Array(items) => {
                let list = self.table()?;
                for item in items.iter() {
                    list.raw_push(self.value(item, strict)?)?;
                }
                Value::Table(list)
            }
            tree::Value::Table(fields) => {
                let table = self.table()?;
                for entry in &fields.entries {
                    table.raw_set(&*entry.key.value, self.value(&entry.node, strict)?)?;
                }
                if strict { self.record.call(table)? } else { Value::Table(table) }
            }
        })
    }

    /// Every kind of records and every combined component, as lists under their names.
    fn records(&self, game: &Game) -> mlua::Result<Value> {
        let all = self.table()?;
        for (name, nodes) in game.lists() {
            let list = self.table()?;
            for node in nodes.iter() {
                list.raw_push(self.value(node, true)?)?;
            }
            all.raw_set(name, list)?;
        }
        self.record.call(all)
    }

    /// The sample games by id: how each is set up, and its moves, those that are slips as they should be.
    fn samples(&self, game: &Game, all: &Table) -> mlua::Result<()> {
        for replay in &game.replays {
            let (told, moves) = (self.table()?, self.table()?);
            for step in &replay.steps {
                let step = step.erratum.as_ref().map_or(step, |erratum| &erratum.instead);
                if let StepKind::Move(play) = &step.kind {
                    moves.raw_push(self.plain(play)?)?;
                }
            }
            told.raw_set("setup", self.plain(&replay.setup)?)?;
            told.raw_set("moves", moves)?;
            all.raw_set(replay.id.as_str(), told)?;
        }
        Ok(())
    }

    /// The function by which a script says that the rules are broken.
    fn breaks(&self) -> mlua::Result<Function> {
        let said = Rc::clone(&self.breach);
        self.lua.create_function(
            move |_, (code, message, key): (Option<String>, String, Option<String>)| -> mlua::Result<()> {
                *said.borrow_mut() = Some(Breach { code, message: message.clone(), key });
                Err(mlua::Error::runtime(message))
            },
        )
    }

    fn set_limits(&self) -> mlua::Result<()> {
        self.lua.set_memory_limit(MEMORY)?;
        let meter = Rc::clone(&self.meter);
        self.lua.set_hook(HookTriggers::new().every_nth_instruction(EVERY), move |_, running| {
            meter.steps.set(meter.steps.get() + u64::from(EVERY));
            if meter.steps.get() > STEPS {
                meter.tripped.set(true);
                let line =
                    running.current_line().filter(|_| running.source().short_src.as_deref() == Some("rules.lua"));
                let place = line.map_or_else(String::new, |line| format!("rules.lua:{line}: "));
                let message = format!("{place}more than {} million steps in one call", STEPS / 1_000_000);
                return Err(mlua::Error::runtime(message));
            }
            Ok(VmState::Continue)
        })
    }
}

/// The table of everything that a script sees.
fn names(lua: &Lua) -> mlua::Result<Table> {
    let (raw, names) = (lua.globals(), lua.create_table()?);
    for name in NAMES {
        names.raw_set(name, raw.raw_get::<Value>(name)?)?;
    }
    for (library, functions) in LIBRARIES {
        let whole: Table = raw.raw_get(library)?;
        if library == "string" {
            // Texts reach this very table by `text:sub(...)`, so it is pruned in place.
            names.raw_set(library, whole)?;
            continue;
        }
        let part = lua.create_table()?;
        for function in functions {
            part.raw_set(*function, whole.raw_get::<Value>(*function)?)?;
        }
        names.raw_set(library, part)?;
    }
    Ok(names)
}

/// Takes out of the library of texts what is not allowed.
fn prune(raw: &Table) -> mlua::Result<()> {
    let strings: Table = raw.raw_get("string")?;
    let allowed = LIBRARIES.iter().find(|(library, _)| *library == "string").map_or(&[][..], |(_, allowed)| allowed);
    let all: Vec<String> =
        strings.pairs::<String, Value>().map(|pair| pair.map(|(name, _)| name)).collect::<Result<_, _>>()?;
    for name in all.iter().filter(|name| !allowed.contains(&name.as_str())) {
        strings.raw_set(name.as_str(), Value::Nil)?;
    }
    Ok(())
}

fn is_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } => is_memory(cause),
        mlua::Error::RuntimeError(message) => message.starts_with("not enough memory"),
        _ => false,
    }
}

/// The finding that an error of Lua stands for, at the line of the script that it names.
pub(super) fn finding(error: &mlua::Error, tripped: bool, file: &SourceFile, whole: Span) -> Finding {
    let told = error.to_string();
    let place = line_of(&told).map_or(whole, |line| line_span(file, whole, line));
    let headline = told.lines().next().unwrap_or_default();
    let message = headline.strip_prefix("runtime error: ").or_else(|| headline.strip_prefix("syntax error: "));
    let message = without_place(message.unwrap_or(headline));
    let check = if tripped { checks::SCRIPT_LIMIT } else { checks::SCRIPT_FAILED };
    Finding::new(check, format!("rules.lua: {message}")).at(place)
}

/// The first line of the script that an error names.
fn line_of(told: &str) -> Option<usize> {
    told.split("rules.lua:").skip(1).find_map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

fn without_place(message: &str) -> &str {
    let rest = message.strip_prefix("rules.lua:").and_then(|rest| rest.split_once(": "));
    rest.filter(|(line, _)| line.bytes().all(|byte| byte.is_ascii_digit())).map_or(message, |(_, rest)| rest)
}

/// What stands on a line of the script, without its indent.
fn line_span(file: &SourceFile, whole: Span, line: usize) -> Span {
    let start: usize = file.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let text = file.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let indent = text.len() - text.trim_start().len();
    Span::new(whole.file, start + indent..start + text.trim_end().len().max(indent))
}
