//! `paiban serve` and `build --watch`, by a plain connection: what is answered and refused, and what happens when a file is saved.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::Project;
use serde_json::Value;

/// Longer than this nothing takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of a project; it is ended when this goes.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn of(project: &Project) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_paiban"));
        command.args(["serve", "--port", "0"]).current_dir(project.root());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Served { child, port: port.unwrap_or_else(|| panic!("{line:?} has no port")) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        stream
    }

    /// Sends a request as it is and returns status, head and body.
    fn raw(&self, request: &str) -> (u16, String, String) {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("a request");
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).expect("a reply");
        let reply = String::from_utf8(reply).expect("text");
        let (head, body) = reply.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head in {reply:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn get_with(&self, address: &str, more: &str) -> (u16, String, String) {
        let host = format!("127.0.0.1:{}", self.port);
        self.raw(&format!("GET {address} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"))
    }

    fn get(&self, address: &str) -> (u16, String, String) {
        self.get_with(address, "")
    }

    #[track_caller]
    fn json(&self, address: &str) -> Value {
        let (status, _, body) = self.get(address);
        assert_eq!(status, 200, "{address}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// The game that is first, or at another place.
    fn game(&self, at: usize) -> Value {
        let index = self.json("/index.json");
        assert_eq!(index["trouble"], Value::Null);
        let key = index["games"][at]["key"].as_str().expect("a game").to_owned();
        self.json(&format!("/games/{key}"))
    }

    /// The first game once it is as `wanted`, and was checked.
    #[track_caller]
    fn game_when(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.game_at_when(0, what, wanted)
    }

    #[track_caller]
    fn game_at_when(&self, at: usize, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        let mut last = Value::Null;
        while began.elapsed() < PATIENCE {
            if self.json("/index.json")["games"][at].is_object() {
                last = self.game(at);
                if last["checking"] == false && wanted(&last) {
                    return last;
                }
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("never {what}: {last:#}");
    }

    /// Waits until everything is read and checked for the first time.
    fn ready(&self) -> Value {
        self.game_when("ready", |_| true)
    }

    /// Asks the program to end, as Ctrl-C does, and returns its exit code.
    fn interrupted(mut self) -> Option<i32> {
        interrupt(&self.child);
        self.child.wait().expect("a status").code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

/// The face of a card, and the notes on it.
fn card<'g>(game: &'g Value, address: &str) -> &'g Value {
    let sections = game["sections"].as_array().expect("sections");
    let mut cards = sections.iter().flat_map(|section| section["cards"].as_array().expect("cards"));
    cards
        .find(|card| card["address"] == address && card["side"] == "front")
        .unwrap_or_else(|| panic!("no {address}: {game:#}"))
}

fn notes<'g>(game: &'g Value, numbers: &Value) -> Vec<&'g Value> {
    let numbers = numbers.as_array().expect("numbers").iter();
    numbers.map(|at| &game["notes"][usize::try_from(at.as_u64().expect("a number")).expect("small")]).collect()
}

#[test]
fn faces_and_sheets_are_shown() {
    let project = Project::base();
    let served = Served::of(&project);
    let game = served.ready();
    assert_eq!(game["title"], "Mini");
    let sun = card(&game, "card/sun");
    assert_eq!((&sun["copies"], &sun["stale"], &sun["changed"]), (&3.into(), &false.into(), &false.into()));
    assert!(sun["text"].as_str().is_some_and(|text| text.contains("Warms the land.")), "{sun}");
    let sections = game["sections"].as_array().expect("sections");
    let backs = sections[0]["cards"].as_array().expect("cards").iter().filter(|card| card["side"] == "back").count();
    assert_eq!(backs, 1, "the back that all share is shown once");

    let (status, head, svg) = served.get(&format!("/faces/{}", sun["face"].as_str().expect("a key")));
    assert_eq!(status, 200);
    assert!(head.contains("image/svg+xml") && head.contains("immutable") && head.contains("sandbox"), "{head}");
    // The trim is 63 x 88 mm, the bleed 2 mm.
    assert!(svg.contains(r#"viewBox="-2 -2 67 92""#), "{svg}");

    let key = game["key"].as_str().expect("a key");
    let pages = |players: &str, paper: &str| served.json(&format!("/games/{key}/sheets/{players}/{paper}"));
    let full = pages("full", "a4");
    let sheet = &full["sheets"][0];
    assert_eq!(sheet["page"], serde_json::json!([210.0, 297.0]));
    let picture = format!("/faces/{}", sun["face"].as_str().expect("a key"));
    assert!(sheet["svg"].as_str().is_some_and(|svg| svg.contains(&picture)), "sheets show the same pictures");
    assert_eq!(pages("2", "letter")["sheets"][0]["page"], serde_json::json!([215.9, 279.4]));
    for wrong in ["3/a4", "x/a4", "full/a9", "full/../a4", "full/%2e%2e"] {
        assert_eq!(served.get(&format!("/games/{key}/sheets/{wrong}")).0, 404, "{wrong}");
    }
}

#[test]
fn the_page_is_whole_and_closed() {
    let project = Project::base();
    let served = Served::of(&project);
    let (status, head, body) = served.get("/");
    assert_eq!(status, 200);
    for header in
        ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "frame-ancestors 'none'"]
    {
        assert!(head.contains(header), "no {header} in {head}");
    }
    assert!(!head.contains("access-control-allow"), "nobody else may read it");
    for link in body.split("=\"/").skip(1) {
        let file = format!("/{}", link.split('"').next().expect("a part"));
        assert_eq!(served.get(&file).0, 200, "{file}");
    }
}

#[test]
fn others_are_refused() {
    let project = Project::base();
    let served = Served::of(&project);
    let ask = |host: &str, more: &str| {
        served.raw(&format!("GET /index.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n")).0
    };
    let own = format!("127.0.0.1:{}", served.port);
    assert_eq!(ask(&own, ""), 200);
    assert_eq!(ask(&format!("localhost:{}", served.port), ""), 200);
    assert_eq!(ask(&own, &format!("Origin: http://{own}\r\n")), 200);
    assert_eq!(ask(&format!("evil.example:{}", served.port), ""), 403);
    assert_eq!(ask("127.0.0.1", ""), 403);
    assert_eq!(ask(&own, "Origin: http://evil.example\r\n"), 403);
    assert_eq!(ask(&own, "Origin: null\r\n"), 403);
    assert_eq!(ask(&own, "Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_eq!(served.raw("GET /index.json HTTP/1.1\r\nConnection: close\r\n\r\n").0, 403, "no host at all");
    let feed = format!("GET /feed HTTP/1.1\r\nHost: evil.example:{}\r\nConnection: close\r\n\r\n", served.port);
    assert_eq!(served.raw(&feed).0, 403, "the feed is for the page only, too");
    let post = format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert_eq!(served.raw(&post).0, 405);
}

#[test]
fn no_address_leads_to_a_file() {
    let project = Project::base();
    project.write("secret.txt", "the secret");
    let served = Served::of(&project);
    served.ready();
    let wrong = [
        "/secret.txt",
        "/../secret.txt",
        "/data/mini/game.toml",
        "/faces/../../secret.txt",
        "/faces/..%2f..%2fsecret.txt",
        "/games/..",
        "//secret.txt",
        "/%2e%2e/secret.txt",
        "/faces/",
        "/page/../secret.txt",
        "/faces/%00",
    ];
    for address in wrong {
        let (status, _, body) = served.get(address);
        assert_eq!(status, 404, "{address}");
        assert!(!body.contains("secret") && !body.contains("[game]"), "{address}");
    }
}

#[test]
fn a_saved_file_is_told_and_shown() {
    let project = Project::base();
    let served = Served::of(&project);
    let before = served.ready();
    let mut feed = BufReader::new(served.connect());
    let request = format!("GET /feed HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port);
    feed.get_mut().write_all(request.as_bytes()).expect("a request");
    let mut event = || loop {
        let mut line = String::new();
        assert!(feed.read_line(&mut line).expect("a line") > 0, "the feed ended");
        if let Some(data) = line.strip_prefix("data: ") {
            break serde_json::from_str::<Value>(data).expect("JSON");
        }
    };
    assert_eq!(event()["games"], Value::Null, "the first event says: look at everything");

    project.replace("data/mini/cards.toml", "Warms the land.", "Warms the sea.");
    assert_eq!(event()["games"], serde_json::json!([before["key"]]));
    let after = served.game_when("the new text", |game| {
        card(game, "card/sun")["text"].as_str().is_some_and(|text| text.contains("Warms the sea."))
    });
    assert_ne!(card(&before, "card/sun")["face"], card(&after, "card/sun")["face"]);
    assert_eq!(card(&before, "card/moon")["face"], card(&after, "card/moon")["face"], "others keep their pictures");

    project.replace("templates/mini/coin.svg", "</svg>", "<rect width=\"2\" height=\"2\"/></svg>");
    let drawn = served.game_when("the new drawing", |game| card(game, "coin")["face"] != card(&after, "coin")["face"]);
    assert_eq!(card(&drawn, "card/sun")["face"], card(&after, "card/sun")["face"]);

    project.replace("templates/icons/plain/star.svg", "</svg>", "<rect width=\"1\" height=\"1\"/></svg>");
    let icon = |game: &Value| game["sections"].to_string();
    served.game_when("the new icon", |game| icon(game) != icon(&drawn));
}

#[test]
fn findings_stand_beside_what_caused_them() {
    let project = Project::base();
    let served = Served::of(&project);
    served.ready();
    project.replace("data/mini/cards.toml", "power = 4", "power = 5");
    let game = served.game_when("a finding", |game| card(game, "card/moon")["notes"] != serde_json::json!([]));
    let found = notes(&game, &card(&game, "card/moon")["notes"]);
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&"fair".into(), &"error".into()));
    assert_eq!(found[0]["place"], "data/mini/cards.toml:11:9");
    assert_eq!(card(&game, "card/sun")["notes"], serde_json::json!([]));
    assert_eq!(served.json("/index.json")["games"][0]["errors"], 1);

    project.replace("data/mini/cards.toml", "power = 5", "power = 4");
    served.game_when("clean", |game| game["notes"] == serde_json::json!([]));
}

#[test]
fn findings_of_remembered_faces_point_where_things_stand_now() {
    let project = Project::base();
    for file in ["cards.toml", "game.toml", "invariants.toml", "components.toml"] {
        project.write(&format!("data/other/{file}"), &project.read(&format!("data/mini/{file}")));
    }
    project.replace("data/other/game.toml", "id = \"mini\"", "id = \"other\"");
    // Too small to read, whatever the data says.
    project.replace("templates/mini/coin.svg", "</svg>", "<text x=\"6\" y=\"10\" font-size=\"3pt\">tiny</text></svg>");
    let served = Served::of(&project);
    served.game_at_when(1, "ready", |_| true);
    for lines in 1..4 {
        let cards = project.read("data/other/cards.toml");
        project.write("data/other/cards.toml", &format!("# one more line\n{cards}"));
        project.replace("data/other/cards.toml", "power = 4", "power = 5");
        let place = format!("data/other/cards.toml:{}:9", 11 + lines);
        let game = served.game_at_when(1, "a finding", |game| game["notes"].to_string().contains(&place));
        let coin = game["notes"].as_array().expect("notes").iter().find(|note| note["code"] == "text-tiny");
        let place = coin.map(|note| note["place"].clone());
        assert!(
            place.is_some_and(|place| place.to_string().contains("templates/mini/coin.svg")),
            "{:#}",
            game["notes"]
        );
        project.replace("data/other/cards.toml", "power = 5", "power = 4");
        served.game_at_when(1, "mended", |game| !game["notes"].to_string().contains("\"fair\""));
    }
}

#[test]
fn broken_files_leave_the_last_good_faces_and_say_why() {
    let project = Project::base();
    let served = Served::of(&project);
    let good = served.ready();
    let sound = project.read("data/mini/cards.toml");
    let face = |game: &Value, address: &str| card(game, address)["face"].clone();

    project.write("data/mini/cards.toml", "[[card]]\nid = \"sun\nname = ");
    let broken = served.game_when("broken", |game| game["stale"] == true);
    for address in ["card/sun", "card/moon"] {
        assert_eq!(face(&broken, address), face(&good, address));
        assert_eq!(card(&broken, address)["stale"], true);
    }
    let codes: Vec<&Value> = broken["notes"].as_array().expect("notes").iter().map(|note| &note["code"]).collect();
    assert!(codes.contains(&&"toml-syntax".into()), "{codes:?}");
    assert!(broken["notes"].to_string().contains("data/mini/cards.toml:2:"), "{broken:#}");

    project.write("data/mini/cards.toml", &sound);
    let mended = served.game_when("mended", |game| game["stale"] == false);
    assert_eq!(face(&mended, "card/sun"), face(&good, "card/sun"));

    let head = project.read("data/mini/game.toml");
    project.write("data/mini/game.toml", "nonsense = = 1");
    let gone = served.game_when("without a head", |game| game["stale"] == true);
    assert_eq!(face(&gone, "card/sun"), face(&good, "card/sun"));
    project.write("data/mini/game.toml", &head);
    served.game_when("mended again", |game| game["stale"] == false && game["notes"] == serde_json::json!([]));

    let template = project.read("templates/mini/card.svg");
    project.write("templates/mini/card.svg", "<svg");
    let torn = served.game_when("a torn template", |game| card(game, "card/sun")["stale"] == true);
    assert_eq!(face(&torn, "card/sun"), face(&good, "card/sun"));
    assert!(torn["notes"].to_string().contains("templates/mini/card.svg:1:"), "{torn:#}");
    project.write("templates/mini/card.svg", &template);
    served.game_when("mended at last", |game| game["stale"] == false);
}

#[test]
fn what_changed_since_the_last_print_is_marked() {
    let project = Project::base();
    project.run(&["printed", "mini"]).ended(0);
    let served = Served::of(&project);
    let printed = served.ready();
    assert_eq!(printed["printed"], true);
    let changed = |game: &Value, address: &str| card(game, address)["changed"] == true;
    assert!(!changed(&printed, "card/sun") && !changed(&printed, "card/moon"));
    project.replace("data/mini/cards.toml", "Warms the land.", "Warms the sea.");
    let game = served.game_when("a change", |game| changed(game, "card/sun"));
    assert!(!changed(&game, "card/moon"));
}

#[test]
fn an_interrupt_ends_it_and_all_is_well() {
    let project = Project::base();
    let served = Served::of(&project);
    served.ready();
    let began = Instant::now();
    assert_eq!(served.interrupted(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_port_in_use_is_trouble_and_so_is_an_unknown_game() {
    let project = Project::base();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let ran = project.run(&["serve", "--port", &port]).ended(2);
    assert!(ran.stderr.contains(&format!("port {port} is in use")), "{}", ran.stderr);
    let ran = project.run(&["serve", "nini"]).ended(2);
    assert!(ran.stderr.contains("did you mean `mini`?"), "{}", ran.stderr);
}

#[test]
fn build_watch_builds_what_was_saved() {
    let project = Project::base();
    let mut command = Command::new(env!("CARGO_BIN_EXE_paiban"));
    command.args(["build", "--watch", "--players", "full"]).current_dir(project.root());
    command.env("PAIBAN_CACHE", project.cache());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut until = |wanted: &str| {
        let mut all = String::new();
        while !all.contains(wanted) {
            assert!(said.read_line(&mut all).expect("a line") > 0, "it ended: {all}");
        }
        all
    };
    let pdf = project.root().join("out/mini/mini-full-a4.pdf");
    until("clean after");
    let first = std::fs::read(&pdf).expect("a PDF");

    project.replace("data/mini/cards.toml", "Warms the land.", "Warms the sea.");
    until("clean after");
    let second = std::fs::read(&pdf).expect("a PDF");
    assert_ne!(first, second);

    project.replace("data/mini/cards.toml", "power = 4", "power = 5");
    let told = until("findings after");
    assert!(told.contains("error[fair]") && told.contains("data/mini/cards.toml:11"), "{told}");
    assert_eq!(std::fs::read(&pdf).expect("a PDF"), second, "a game with errors is not built");

    interrupt(&child);
    assert_eq!(child.wait().expect("a status").code(), Some(0));
}
