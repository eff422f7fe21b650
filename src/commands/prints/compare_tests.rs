//! The laws of comparing.

use proptest::prelude::*;

use super::*;

fn piece(copies: u32, front: &str, power: &str) -> Piece {
    let look = Look { trim: "a".into(), shape: "rect".into(), front: front.into(), back: Some("b".into()) };
    Piece { copies, look, fields: BTreeMap::from([("power".to_owned(), power.to_owned())]) }
}

fn pieces<const N: usize>(pieces: [(&str, Piece); N]) -> Pieces {
    pieces.into_iter().map(|(address, piece)| (address.to_owned(), piece)).collect()
}

/// Address, to print, to throw away.
fn counts(changes: &[Change]) -> Vec<(&str, u32, u32)> {
    changes.iter().map(|change| (change.address.as_str(), change.print, change.discard)).collect()
}

#[test]
fn new_changed_more_fewer_and_gone() {
    let before = pieces([
        ("changed", piece(2, "1", "3")),
        ("fewer", piece(3, "2", "3")),
        ("gone", piece(2, "3", "3")),
        ("more", piece(1, "4", "3")),
        ("same", piece(1, "5", "3")),
        ("unseen", piece(1, "6", "3")),
    ]);
    let now = pieces([
        ("changed", piece(3, "1b", "4")),
        ("fewer", piece(1, "2", "3")),
        ("more", piece(3, "4", "3")),
        ("new", piece(2, "7", "3")),
        ("same", piece(1, "5", "3")),
        ("unseen", piece(1, "6", "4")),
    ]);
    let changes = compare(&before, &now);
    let expected =
        [("changed", 3, 2), ("fewer", 0, 2), ("gone", 0, 2), ("more", 2, 0), ("new", 2, 0), ("unseen", 0, 0)];
    assert_eq!(counts(&changes), expected);
    let power = FieldChange { path: "power".into(), before: Some("3".into()), now: Some("4".into()) };
    assert_eq!(changes[0].fields, [power]);
    assert!(changes[0].seen.front && !changes[0].seen.back && !changes[5].seen.any());
}

#[test]
fn a_renamed_card_and_two_that_swapped_names_are_kept() {
    let before = pieces([("a", piece(2, "1", "3")), ("b", piece(1, "2", "4")), ("old", piece(2, "3", "5"))]);
    let now = pieces([("a", piece(1, "2", "4")), ("b", piece(2, "1", "3")), ("renamed", piece(3, "3", "5"))]);
    let changes = compare(&before, &now);
    assert_eq!(counts(&changes), [("a", 0, 0), ("b", 0, 0), ("old", 0, 0), ("renamed", 1, 0)]);
    assert_eq!(changes[3].from, BTreeMap::from([("old".to_owned(), 2)]));
    assert_eq!(changes[2].to, BTreeMap::from([("renamed".to_owned(), 2)]));
}

#[test]
fn another_cut_is_another_piece() {
    let before = pieces([("a", piece(1, "1", "3"))]);
    let mut round = before.clone();
    round.values_mut().for_each(|piece| piece.look.shape = "circle".into());
    assert_eq!(counts(&compare(&before, &round)), [("a", 1, 1)]);
    assert!(compare(&before, &round)[0].seen.cut);
}

/// How many pieces of each look there are.
fn heap(pieces: &Pieces) -> BTreeMap<Look, i64> {
    let mut heap = BTreeMap::new();
    for piece in pieces.values() {
        *heap.entry(piece.look.clone()).or_default() += i64::from(piece.copies);
    }
    heap
}

fn any_pieces() -> impl Strategy<Value = Pieces> {
    let piece = (0_u32..4, 0_u8..4, 0_u8..2, 0_u8..3).prop_map(|(copies, front, back, power)| Piece {
        look: Look { back: (back == 1).then(|| "b".into()), ..piece(copies, &front.to_string(), "").look },
        ..super::tests::piece(copies, "", &power.to_string())
    });
    prop::collection::btree_map("[a-e]", piece, 0..6)
}

proptest! {
    #[test]
    fn a_state_does_not_differ_from_itself(state in any_pieces()) {
        prop_assert!(compare(&state, &state).is_empty());
    }

    /// Old pieces less those thrown away plus those printed are the new pieces, and no piece is printed that could be kept.
    #[test]
    fn what_is_kept_and_what_is_printed_is_the_new_kit(before in any_pieces(), now in any_pieces()) {
        let changes = compare(&before, &now);
        let mut heap_then = heap(&before);
        let (mut printed, mut discarded) = (BTreeMap::new(), BTreeMap::new());
        for change in &changes {
            if change.print > 0 {
                *printed.entry(now[&change.address].look.clone()).or_insert(0) += i64::from(change.print);
            }
            if change.discard > 0 {
                *discarded.entry(before[&change.address].look.clone()).or_insert(0) += i64::from(change.discard);
            }
        }
        for (look, copies) in &printed {
            prop_assert!(!discarded.contains_key(look), "{look:?} is printed and thrown away");
            *heap_then.entry(look.clone()).or_default() += copies;
        }
        for (look, copies) in &discarded {
            *heap_then.entry(look.clone()).or_default() -= copies;
        }
        let some = |heap: BTreeMap<Look, i64>| heap.into_iter().filter(|(_, copies)| *copies != 0).collect::<Vec<_>>();
        prop_assert_eq!(some(heap_then), some(heap(&now)));
    }

    /// Whatever is not listed was there before just as it is now.
    #[test]
    fn what_is_not_listed_is_the_same(before in any_pieces(), now in any_pieces()) {
        let changes = compare(&before, &now);
        let listed = |address: &String| changes.iter().any(|change| change.address == *address);
        for (address, piece) in &now {
            prop_assert!(listed(address) || before.get(address) == Some(piece), "{address}");
        }
        for address in before.keys() {
            prop_assert!(listed(address) || now.contains_key(address), "{address}");
        }
    }
}
