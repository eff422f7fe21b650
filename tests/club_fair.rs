//! 社团博览会 against its rules: numbers and names here are typed from the rules' tables (§3.3, §5.1 to §5.3), not taken from the
//! data, and the printed kits are read back.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use common::pages::{Line, Placed, Read, faults_of_fonts, marks, media_box, placed};
use common::{Project, repository};
use paiban::diagnostics::Report;
use paiban::expr::Engine;
use paiban::model::{Component, Game, load};
use paiban::source::disk::Disk;
use paiban::source::tree::Node;
use serde_json::Value;

/// §3.3: players; hand cards; recruits used and printed; clubs; drive; arrows; pieces in play.
const KITS: [[u64; 8]; 4] = [
    [3, 18, 12, 30, 3, 6, 3, 42],
    [4, 24, 18, 30, 4, 8, 4, 58],
    [5, 30, 24, 30, 5, 10, 5, 74],
    [6, 36, 30, 30, 6, 12, 6, 90],
];

/// §5.1: id, name and strengths in the order 音乐 料理 学术 影像 体育 文艺.
const CLUBS: [(&str, &str, [i64; 6]); 6] = [
    ("light-music", "轻音部", [5, 4, 2, 2, 1, 1]),
    ("cooking", "料理部", [1, 5, 3, 2, 2, 2]),
    ("astronomy", "天文部", [2, 1, 5, 4, 2, 1]),
    ("film-study", "映研部", [1, 2, 1, 5, 4, 2]),
    ("athletics", "运动部", [2, 2, 2, 1, 5, 3]),
    ("detective", "侦探部", [3, 2, 2, 1, 2, 5]),
];

/// §5.2: tag, name, tactic.
const INTERESTS: [(&str, &str, &str); 6] = [
    ("music", "音乐", "Live 试演"),
    ("food", "料理", "免费试吃"),
    ("sci", "学术", "器材体验"),
    ("film", "影像", "短片放映"),
    ("sport", "体育", "体验练习"),
    ("lit", "文艺", "读书分享"),
];

/// §5.3: tag, the five values, the five names.
const RECRUITS: [(&str, [i64; 5], [&str; 5]); 6] = [
    ("music", [1, 2, 2, 3, 4], ["打拍子的", "带吉他的", "耳机不离身的", "会哼副歌的", "合唱团退部生"]),
    ("food", [1, 2, 3, 3, 4], ["闻味而来的", "自带饭盒的", "甜党", "盐党", "减肥中的"]),
    ("sci", [1, 2, 2, 3, 4], ["戴眼镜的", "拿笔记本的", "问问题的", "要数据的", "做实验的"]),
    ("film", [1, 2, 3, 3, 4], ["扛相机的", "爱剪辑的", "追新番的", "想当主角的", "写脚本的"]),
    ("sport", [1, 2, 2, 3, 4], ["穿球鞋的", "晒黑了的", "爱跑步的", "想减肥的", "校队落选生"]),
    ("lit", [1, 2, 3, 3, 4], ["抱着书的", "戴贝雷帽的", "写小说的", "推理迷", "抄笔记的"]),
];

/// §5.3: how many recruits have each value.
const VALUES: [(i64, usize); 4] = [(1, 6), (2, 9), (3, 9), (4, 6)];

fn game() -> Game {
    let mut report = Report::default();
    let disk = Disk::open(repository()).expect("the repository");
    let project = load::project(disk, &Engine::default(), &mut report);
    project.games.into_iter().find(|game| game.id == "club-fair").expect("the game")
}

fn component<'g>(game: &'g Game, id: &str) -> &'g Component {
    game.components.iter().find(|component| component.id == id).expect(id)
}

fn field<'n>(node: &'n Node, key: &str) -> &'n Node {
    node.as_table().and_then(|table| table.get(key)).unwrap_or_else(|| panic!("no {key} in {node}"))
}

fn text<'n>(node: &'n Node, key: &str) -> &'n str {
    field(node, key).as_str().expect(key)
}

fn number(node: &Node, key: &str) -> i64 {
    field(node, key).as_integer().expect(key)
}

/// `count` and `used` of each component of a kit.
fn listed(players: &str) -> BTreeMap<String, (u64, u64)> {
    let arguments = ["list", "club-fair", "--format", "json", "--players", players];
    let list = common::run_in(repository(), &arguments, &[]).ended(0).json();
    let components = list["games"][0]["components"].as_array().expect("components").clone();
    let row = |row: &Value| {
        let count = |key: &str| row[key].as_u64().expect("a number");
        (row["id"].as_str().expect("an id").to_owned(), (count("count"), count("used")))
    };
    components.iter().map(row).collect()
}

#[test]
fn kits_have_the_counts_of_the_rules() {
    for [players, hand, used, printed, club, drive, arrow, in_play] in KITS {
        let kit = listed(&players.to_string());
        let counts = ["hand", "recruit", "club", "drive", "arrow"].map(|id| kit[id]);
        assert_eq!(counts, [(hand, hand), (printed, used), (club, club), (drive, drive), (arrow, arrow)], "{players}");
        assert_eq!(counts.iter().map(|(_, used)| used).sum::<u64>(), in_play, "{players} players");
        assert_eq!([kit["board"].0, kit["reference"].0], [1, 2]);
    }
    let full = listed("full");
    assert_eq!(["hand", "recruit", "club", "drive", "arrow"].map(|id| full[id].0), [36, 30, 6, 12, 6]);
}

#[test]
fn the_derived_hand_is_the_printed_table() {
    let game = game();
    let pieces = &component(&game, "hand").pieces;
    assert_eq!(pieces.len(), 36);
    let mut pieces = pieces.iter();
    for (club, _, strengths) in CLUBS {
        for ((interest, _, _), strength) in INTERESTS.iter().zip(strengths) {
            let piece = pieces.next().expect("36 pieces");
            assert_eq!(piece.address, format!("hand/{club}/{interest}"));
            assert_eq!(number(&piece.record.node, "strength"), strength, "{}", piece.address);
            assert_eq!(number(&piece.record.node, "cross"), (strength - 2).max(0), "{}", piece.address);
        }
    }
    for (at, (id, name, strengths)) in CLUBS.iter().enumerate() {
        let club = &game.records["club"][at];
        assert_eq!((club.id.as_str(), text(&club.node, "name")), (*id, *name));
        assert_eq!(strengths.iter().sum::<i64>(), 15, "{name}");
    }
}

#[test]
fn the_interests_are_those_of_the_rules() {
    let game = game();
    let interests: Vec<_> = game.records["interest"]
        .iter()
        .map(|interest| (interest.id.as_str(), text(&interest.node, "name"), text(&interest.node, "tactic")))
        .collect();
    assert_eq!(interests, INTERESTS);
}

#[test]
fn the_recruits_are_those_of_the_rules() {
    let game = game();
    let recruits = &game.records["recruit"];
    assert_eq!(recruits.len(), 30);
    for (tag, values, names) in RECRUITS {
        let of_tag: Vec<_> = recruits.iter().filter(|recruit| text(&recruit.node, "tag") == tag).collect();
        assert_eq!(of_tag.iter().map(|recruit| number(&recruit.node, "g")).collect::<Vec<_>>(), values, "{tag}");
        assert_eq!(of_tag.iter().map(|recruit| text(&recruit.node, "name")).collect::<Vec<_>>(), names, "{tag}");
    }
    for (value, cards) in VALUES {
        assert_eq!(recruits.iter().filter(|recruit| number(&recruit.node, "g") == value).count(), cards, "G = {value}");
    }
}

/// Appendix A: what a row is called, and the numbers in it (in our words, which say some of them as words).
const SUMMARY: [(&str, &[u32]); 11] = [
    ("翻牌", &[]),
    ("出牌", &[1]),
    ("对口", &[]),
    ("跨科", &[2, 0]),
    ("干劲", &[1, 2, 1, 1]),
    ("命中", &[]),
    ("撞车", &[]),
    ("不够", &[]),
    ("再逛一圈", &[6]),
    ("招牌", &[5, 4, 2]),
    ("胜负", &[]),
];

/// §6.2: the steps of a slot; how long the first three take.
const STEPS: [(&str, &str); 5] = [("翻牌", "15 秒"), ("游说", "60 秒"), ("暗置", "30 秒"), ("揭示", ""), ("收尾", "")];

#[test]
fn the_reference_card_says_what_the_summary_says() {
    let game = game();
    let rows = game.records["rule"].iter().map(|row| (text(&row.node, "name"), numbers_in(text(&row.node, "text"))));
    assert_eq!(rows.collect::<Vec<_>>(), SUMMARY.map(|(name, numbers)| (name, numbers.to_vec())));
    let steps = &game.records["flow"];
    assert_eq!(steps.iter().map(|step| text(&step.node, "name")).collect::<Vec<_>>(), STEPS.map(|(name, _)| name));
    for (step, (name, time)) in steps.iter().zip(STEPS).take(3) {
        assert_eq!(text(&step.node, "time"), time, "{name}");
    }
}

fn numbers_in(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// A kit, built and read back.
struct Kit {
    read: Read,
    manifest: Value,
}

/// One page of it, as its manifest says.
struct Page {
    /// Its index in the document.
    at: usize,
    front: bool,
    pieces: Vec<String>,
}

/// The kit for four on A4 and on Letter, with the paper's name and size in points.
static FOUR: LazyLock<[(Kit, &str, f64, f64); 2]> = LazyLock::new(|| {
    let (w, h) = (210.0 * common::pages::MM, 297.0 * common::pages::MM);
    [(Kit::build("4", "a4", None), "a4", w, h), (Kit::build("4", "letter", None), "letter", 612.0, 792.0)]
});

impl Kit {
    fn build(players: &str, paper: &str, component: Option<&str>) -> Self {
        let project = Project::of_game("club-fair");
        let mut arguments = vec!["build", "--players", players, "--paper", paper];
        arguments.extend(component.iter().flat_map(|component| ["--component", component]));
        project.run(&arguments).ended(0);
        let behind = component.map(|component| format!("-{component}")).unwrap_or_default();
        let name = format!("out/club-fair/club-fair-{players}p-{paper}{behind}");
        let bytes = fs::read(project.root().join(format!("{name}.pdf"))).expect("a PDF");
        let manifest = serde_json::from_str(&project.read(&format!("{name}.json"))).expect("a manifest");
        Kit { read: Read::new(&bytes), manifest }
    }

    fn pages(&self) -> Vec<Page> {
        let pages = self.manifest["pages"].as_array().expect("pages").iter().enumerate();
        let page = |(at, page): (usize, &Value)| Page {
            at,
            front: page["side"] == "front",
            pieces: page["pieces"]
                .as_array()
                .expect("pieces")
                .iter()
                .map(|piece| piece.as_str().expect("an address").to_owned())
                .collect(),
        };
        pages.map(page).collect()
    }

    /// Pages that hold nothing but cards of 63 x 88 mm.
    fn card_pages(&self) -> Vec<Page> {
        let is_card = |piece: &String| ["hand/", "recruit/", "club/"].iter().any(|deck| piece.starts_with(deck));
        let mut pages = self.pages();
        pages.retain(|page| !page.pieces.is_empty() && page.pieces.iter().all(is_card));
        pages
    }
}

fn near(is: f64, should: f64) -> bool {
    (is - should).abs() <= 0.01
}

#[test]
fn kits_are_what_their_manifests_say() {
    for (kit, paper, w, h) in FOUR.iter() {
        let pages = kit.pages();
        assert_eq!(pages.len(), kit.read.pages.len(), "{paper}");
        let mut printed: BTreeMap<String, u64> = BTreeMap::new();
        for page in &pages {
            let media = media_box(&kit.read, page.at);
            assert!(media[0] == 0.0 && media[1] == 0.0, "{media:?}");
            assert!((media[2] - w).abs() < 0.01 && (media[3] - h).abs() < 0.01, "{paper}: {media:?}");
            assert_eq!(placed(&kit.read, page.at).len(), page.pieces.len(), "{paper}, page {}", page.at + 1);
            for piece in page.pieces.iter().filter(|_| page.front) {
                let component = piece.split('/').next().unwrap_or_default();
                *printed.entry(component.to_owned()).or_default() += 1;
            }
        }
        let [_, hand, _, recruit, club, drive, arrow, _] = KITS[1];
        let wanted = [
            ("hand", hand),
            ("recruit", recruit),
            ("club", club),
            ("drive", drive),
            ("arrow", arrow),
            ("reference", 2),
        ];
        for (component, count) in wanted {
            assert_eq!(printed[component], count, "{paper}: {component}");
        }
    }
}

#[test]
fn cards_measure_63_by_88_and_nine_fill_a_sheet() {
    for (kit, paper, _, _) in FOUR.iter() {
        let pages = kit.card_pages();
        assert!(pages.iter().all(|page| page.pieces.len() <= 9));
        let full: Vec<&Page> = pages.iter().filter(|page| page.pieces.len() == 9).collect();
        assert!(full.len() >= 10, "{paper}: only {} sheets are full", full.len());
        // Where decks with edges of different colours share a sheet, their bleed stands between them.
        let deck = |piece: &String| piece.split('/').next().map(str::to_owned);
        for page in full.iter().filter(|page| page.pieces.iter().all(|piece| deck(piece) == deck(&page.pieces[0]))) {
            check_grid(&kit.read, page.at, paper);
        }
    }
}

/// Nine cards, edge to edge, and marks that say where their edges are.
fn check_grid(read: &Read, page: usize, paper: &str) {
    let cards = placed(read, page);
    let what = format!("{paper}, page {}", page + 1);
    assert!(cards.iter().all(|card| near(card.scale.0, 1.0) && near(card.scale.1, 1.0) && card.upright), "{what}");
    let left = cards.iter().map(|card| card.origin.0).fold(f64::INFINITY, f64::min);
    let top = cards.iter().map(|card| card.origin.1).fold(f64::INFINITY, f64::min);
    let mut cells: Vec<(i64, i64)> = Vec::new();
    for card in &cards {
        let (column, row) = ((card.origin.0 - left) / 63.0, (card.origin.1 - top) / 88.0);
        assert!(near(column.round() * 63.0, card.origin.0 - left), "{what}: {card:?}");
        assert!(near(row.round() * 88.0, card.origin.1 - top), "{what}: {card:?}");
        cells.push((row.round() as i64, column.round() as i64));
        let [x0, y0, x1, y1] = card.clip;
        let (x, y) = card.origin;
        assert!(x0 <= x + 0.01 && y0 <= y + 0.01 && x1 >= x + 62.99 && y1 >= y + 87.99, "{what} cuts {card:?}");
    }
    cells.sort_unstable();
    let all: Vec<(i64, i64)> = (0..3).flat_map(|row| (0..3).map(move |column| (row, column))).collect();
    assert_eq!(cells, all, "{what}");
    let lines = marks(read, page);
    for edge in 0..4 {
        let (x, y) = (left + 63.0 * f64::from(edge), top + 88.0 * f64::from(edge));
        let upright = lines.iter().filter(|(from, to)| near(from.0, x) && near(to.0, x));
        let lying = lines.iter().filter(|(from, to)| near(from.1, y) && near(to.1, y));
        assert!(upright.count() >= 2 && lying.count() >= 2, "{what}: marks of edge {edge} are missing");
    }
    let inside =
        |(x, y): (f64, f64)| x > left + 0.01 && x < left + 189.0 - 0.01 && y > top + 0.01 && y < top + 264.0 - 0.01;
    assert!(!lines.iter().any(|(from, to)| inside(*from) || inside(*to)), "{what}: a mark lies on a card");
}

#[test]
fn back_k_lies_behind_front_k() {
    for (kit, _, w, _) in FOUR.iter() {
        assert!(backs_compared(kit, *w) >= 40);
    }
    // Alone, the thirty recruits leave their last sheet partly filled.
    let recruits = Kit::build("4", "a4", Some("recruit"));
    let filled: Vec<usize> = recruits.card_pages().iter().map(|page| page.pieces.len()).collect();
    assert_eq!(filled, [9, 9, 9, 9, 9, 9, 3, 3]);
    assert_eq!(backs_compared(&recruits, FOUR[0].2), 30);
}

/// Compares each card page of a kit with the one behind it; returns how many cards there were.
fn backs_compared(kit: &Kit, width: f64) -> usize {
    let mut compared = 0;
    for pair in kit.card_pages().chunks(2) {
        let [front, back] = pair else { panic!("a front without a back") };
        assert!(front.front && !back.front && back.at == front.at + 1, "page {}", front.at + 1);
        assert_eq!(front.pieces, back.pieces, "page {}", front.at + 1);
        let fronts = placed(&kit.read, front.at);
        for (front, back) in fronts.iter().zip(placed(&kit.read, back.at)) {
            assert!(is_mirrored(front, &back, width / common::pages::MM), "{front:?} and {back:?}");
            compared += 1;
        }
    }
    compared
}

/// Turned about the long edge, `back` covers `front`.
fn is_mirrored(front: &Placed, back: &Placed, width: f64) -> bool {
    near(back.origin.0, width - front.origin.0 - 63.0) && near(back.origin.1, front.origin.1)
}

#[test]
fn viewers_are_told_not_to_scale_and_fonts_come_along() {
    for (kit, paper, _, _) in FOUR.iter() {
        let catalog = kit.read.pdf.catalog().expect("a catalogue");
        let wish = kit.read.at(kit.read.dict(catalog, "ViewerPreferences"), "PrintScaling");
        assert_eq!(wish.as_name().expect("a name"), b"None");
        assert_eq!(faults_of_fonts(&kit.read), Vec::<String>::new());
        let long = |line: &Line| near((line.1.0 - line.0.0).hypot(line.1.1 - line.0.1), 100.0);
        let ruled = (0..kit.read.pages.len()).any(|page| marks(&kit.read, page).iter().any(long));
        assert!(ruled, "{paper}: no sheet has a ruler of 100 mm");
    }
}

#[test]
fn names_can_be_copied_out_of_the_pdf_in_order() {
    let kit = Kit::build("6", "a4", None);
    for page in kit.pages().iter().filter(|page| page.front) {
        let written = kit.read.text(page.at);
        let mut rest = written.as_str();
        for name in page.pieces.iter().flat_map(|piece| names_on(piece)) {
            let at =
                rest.find(name).unwrap_or_else(|| panic!("page {}: no {name} in its place:\n{written}", page.at + 1));
            rest = &rest[at + name.len()..];
        }
        assert!(!written.contains('\u{fffd}'), "page {}: a glyph stands for nothing", page.at + 1);
    }
    let all: String = kit.pages().iter().filter(|page| page.front).map(|page| kit.read.text(page.at)).collect();
    for (_, name, _) in CLUBS {
        assert!(all.matches(name).count() >= 7, "{name} is on its club card and six hand cards");
    }
    for name in RECRUITS.iter().flat_map(|(_, _, names)| names) {
        assert!(all.contains(name), "{name}");
    }
}

/// The name that a card must show.
fn names_on(piece: &str) -> Option<&'static str> {
    let parts: Vec<&str> = piece.split('/').collect();
    match parts.as_slice() {
        ["club" | "hand", club, ..] => CLUBS.iter().find(|(id, _, _)| id == club).map(|(_, name, _)| *name),
        ["recruit", id] => {
            let (tag, at) = id.split_once('-')?;
            let (_, _, names) = RECRUITS.iter().find(|(own, _, _)| *own == tag)?;
            names.get(at.parse::<usize>().ok()?.checked_sub(1)?).copied()
        }
        _ => None,
    }
}
