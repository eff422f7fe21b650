use std::fs;

use super::*;
use crate::diagnostics::Report;
use crate::expr::Engine;
use crate::model::{Project, load};
use crate::source::disk::Disk;

/// A script with the functions that every script must have.
const WHOLE: &str = "\nfunction setup(deal) return { n = 0 } end function turn(s) return nil end \
                     function apply(s, m) return {} end function facts(s) return FACTS(s) end";

fn project(script: &str) -> Project {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data/mini");
    fs::create_dir_all(&data).unwrap();
    let game = "[game]\nid = \"mini\"\ntitle = \"Mini\"\nplayers = [2]\n[[card]]\nid = \"a\"\npower = 3\n";
    fs::write(data.join("game.toml"), game).unwrap();
    fs::write(data.join("rules.lua"), script).unwrap();
    load::project(Disk::open(folder.path()).unwrap(), &Engine::default(), &mut Report::default())
}

fn load(script: &str) -> Outcome<Rules> {
    let project = project(script);
    Rules::load(&project.games[0], &project.sources).unwrap()
}

/// What the script's `FACTS` gives.
fn facts(body: &str) -> Outcome<Fact> {
    let rules = load(&format!("function FACTS(s)\n{body}\nend{WHOLE}"))?;
    rules.seed(7)?;
    let state = rules.setup(&empty())?;
    rules.facts(&state)
}

fn empty() -> Node {
    let file = Sources::default().add("none", "");
    Node { value: crate::source::tree::Value::Table(Arc::default()), span: Span::new(file, 0..0) }
}

fn fault(body: &str) -> Finding {
    match facts(body) {
        Err(Trouble::Fault(finding)) => *finding,
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn values_come_out_as_they_are() {
    assert_eq!(
        facts("return { a = 1, b = { true, 'x' }, [3] = 0.5 }").unwrap().to_string(),
        "{ 3 = 0.5, a = 1, b = [true, \"x\"] }"
    );
    assert_eq!(facts("return records.card[1].power").unwrap(), Fact::Whole(3));
}

#[test]
fn what_is_not_on_the_list_is_not_there() {
    for name in [
        "load",
        "dofile",
        "loadfile",
        "loadstring",
        "require",
        "pcall",
        "xpcall",
        "coroutine",
        "io",
        "os",
        "debug",
        "package",
        "collectgarbage",
        "setmetatable",
        "getmetatable",
        "rawset",
        "rawget",
        "next",
        "print",
        "_G",
        "_ENV.load",
    ] {
        let finding = fault(&format!("return {name}"));
        assert!(finding.message.ends_with("is not known here"), "{name}: {}", finding.message);
    }
    for name in [
        "string.find",
        "string.match",
        "string.gmatch",
        "string.gsub",
        "string.dump",
        "string.rep",
        "table.move",
        "math.randomseed",
    ] {
        let finding = fault(&format!("return {name}('a', 'a')"));
        assert!(finding.message.contains("call a nil value"), "{name}: {}", finding.message);
    }
    for way in ["('x'):find('x')", "('x'):rep(3)", "('x'):gsub('x', 'y')"] {
        assert!(fault(&format!("return {way}")).message.contains("nil value"), "{way}");
    }
}

#[test]
fn a_field_or_name_that_is_misspelt_is_an_error() {
    assert!(fault("return records.card[1].pwoer").message.contains("there is no field `pwoer` in a"));
    assert!(fault("return recrods").message.contains("`recrods` is not known here"));
    assert!(fault("records.card[1].pwoer = 1 return 1").message.contains("the data cannot be changed"));
    assert!(fault("remembered = 1 return 1").message.contains("is not local"));
    assert_eq!(facts("return has(records.card[1], 'pwoer')").unwrap(), Fact::Truth(false));
}

#[test]
fn nothing_depends_on_addresses_or_hashes() {
    for body in [
        "return tostring({})",
        "return string.format('%s', {})",
        "return ('%p'):format('a')",
        "return ('%-9p'):format('a')",
    ] {
        let finding = fault(body);
        assert!(finding.message.contains("no text") || finding.message.contains("%p"), "{}", finding.message);
    }
    let walk = "local t = {} for k in pairs({ b = 1, a = 2, [10] = 3, [2] = 4 }) do t[#t + 1] = k end return t";
    assert_eq!(facts(walk).unwrap().to_string(), "[2, 10, \"a\", \"b\"]");
}

#[test]
fn the_dice_follow_the_seed() {
    let body = "return { math.random(6), math.random(6), math.random(1, 100), shuffle({ 1, 2, 3, 4, 5 }) }";
    assert_eq!(facts(body).unwrap(), facts(body).unwrap());
    let many = "local c = { 0, 0, 0 } for i = 1, 3000 do local d = math.random(3) c[d] = c[d] + 1 end return c";
    let counts = facts(many).unwrap();
    assert!(
        counts.items().iter().all(|count| count.number().is_some_and(|n| (900.0..1100.0).contains(&n))),
        "{counts}"
    );
}

#[test]
fn endless_work_and_endless_memory_are_stopped() {
    for body in [
        "while true do end",
        "local t = {} while true do t[#t + 1] = { 1, 2, 3 } end",
        "local s = 'xy' while true do s = s .. s end",
    ] {
        let finding = fault(body);
        assert_eq!(finding.code, checks::SCRIPT_LIMIT.code, "{body}: {}", finding.message);
    }
    let deep = fault("local function f(n) return 1 + f(n) end return f(1)");
    assert!(deep.message.contains("stack overflow"), "{}", deep.message);
}

#[test]
fn a_limit_once_reached_stays_reached() {
    let rules = load(&format!("function FACTS(s) while true do end end{WHOLE}"))
        .unwrap_or_else(|trouble| panic!("{trouble:?}"));
    let state = rules.setup(&empty()).unwrap();
    assert!(rules.facts(&state).is_err());
    assert!(matches!(rules.setup(&empty()), Err(Trouble::Fault(finding)) if finding.code == checks::SCRIPT_LIMIT.code));
}

#[test]
fn a_fault_names_its_line() {
    let project = project(&format!("local a = 1\n\nfunction FACTS(s)\n  return a + nil\nend{WHOLE}"));
    let rules =
        Rules::load(&project.games[0], &project.sources).unwrap().unwrap_or_else(|trouble| panic!("{trouble:?}"));
    let state = rules.setup(&empty()).unwrap();
    let Err(Trouble::Fault(finding)) = rules.facts(&state) else { panic!("it adds nothing") };
    assert_eq!(finding.position(&project.sources).unwrap().to_string(), "data/mini/rules.lua:4:3");
    for (script, line) in [("local x = = 1", 1), ("\nerror('no')", 2), ("\n\n\nfunction f(", 4)] {
        let project = self::project(script);
        let Some(Err(Trouble::Fault(finding))) = Rules::load(&project.games[0], &project.sources) else {
            panic!("{script}")
        };
        assert_eq!(finding.position(&project.sources).unwrap().line, line, "{}", finding.message);
    }
}

#[test]
fn a_breach_is_no_fault() {
    match facts("breaks('hand', 'played twice', 'card')") {
        Err(Trouble::Breach(breach)) => {
            assert_eq!((breach.code.as_deref(), breach.key.as_deref()), (Some("hand"), Some("card")));
            assert_eq!(breach.message, "played twice");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bytecode_is_refused() {
    assert!(matches!(load("\u{1b}Lua"), Err(Trouble::Fault(_))));
}

#[test]
fn a_script_that_lacks_a_function_is_told() {
    let Err(Trouble::Fault(finding)) = load("function setup() end") else { panic!("it lacks three") };
    assert!(finding.message.contains("no function `turn`"));
}
