//! Text layout as a whole.

use super::testing::*;
use super::*;
use proptest::prelude::*;

#[test]
fn mixed_text_breaks_by_the_rules() {
    assert_eq!(lines("我们的社团，今天招募新同学！", 6.0), ["我们的社团，", "今天招募新", "同学！"]);
    assert_eq!(lines("他说：“你好。”然后——走了……", 5.0), ["他说：“你", "好。”然", "后——走", "了……"]);
    assert_eq!(
        lines("获得+1/+1标记，然后抽2张牌（每回合一次）。", 7.0),
        ["获得+1/+1标", "记，然后抽", "2张牌（每回合", "一次）。"]
    );
    assert_eq!(lines("这是63 mm宽的card game卡牌", 6.0), ["这是63 mm", "宽的card", "game卡牌"]);
    assert_eq!(lines("第一行\n\n第二行\n", 6.0), ["第一行", "", "第二行"]);
}

/// Every public number of `laid` is a number.
fn assert_sound(laid: &Laid) {
    assert!(laid.bounds.iter().all(|bound| bound.is_finite()), "{:?}", laid.bounds);
    assert!(laid.scale > 0.0 && laid.scale <= 1.0);
    for run in &laid.runs {
        assert!(run.size.is_finite() && run.transform.e.is_finite() && run.transform.f.is_finite());
        assert!(run.glyphs.iter().all(|glyph| glyph.x.is_finite() && glyph.y.is_finite()));
    }
    for icon in &laid.icons {
        assert!([icon.x, icon.y, icon.w, icon.h].iter().all(|number| number.is_finite()));
    }
    if let Some(overflow) = &laid.overflow {
        assert!(overflow.width.is_finite() && overflow.height.is_finite());
    }
}

#[test]
fn hostile_input_has_an_answer() {
    let long = "长文本，long text。".repeat(700);
    let word = "x".repeat(10_000);
    let quotes = "“".repeat(10_000);
    let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e-300, 1.0, 1e300];
    for source in ["", " ", "\n\n", "\u{0}\u{7}", "\u{301}", "\u{200D}\u{FE0F}", "一"] {
        for number in strange {
            for min_size in [None, Some(number)] {
                let sized = [Inline::Text {
                    text: source.to_owned(),
                    style: Style { letter_spacing: number, ..style(number) },
                }];
                let frame =
                    TextBox { x: number, y: number, w: number, h: number, line_height: number, min_size, ..wide(1.0) };
                assert_sound(&block(&FONTS, &sized, &frame));
                assert_sound(&line(&FONTS, &sized, number, number, Anchor::Middle, Language::Ja));
                for align in [Align::Centre, Align::Justify] {
                    let frame = TextBox { align, vertical: Vertical::Bottom, ..frame.clone() };
                    assert_sound(&block(&FONTS, &sized, &frame));
                    assert_sound(&columns(&FONTS, &sized, &frame, Western::Upright));
                }
                assert_sound(&column(&FONTS, &sized, number, number, Anchor::End, Column::default()));
            }
        }
    }
    for source in [&long, &word, &quotes] {
        let frame = TextBox { h: 1.0, min_size: Some(0.1), align: Align::Justify, ..wide(1.0) };
        let laid = block(&FONTS, &[text(source)], &frame);
        assert_sound(&laid);
        assert!(laid.overflow.is_some());
    }
    let icons = vec![icon("a"); 5_000];
    assert_eq!(block(&FONTS, &icons, &wide(1.0)).icons.len(), 5_000);
}

#[test]
fn the_same_text_is_set_the_same_way() {
    let content = with_icons("获得+1/+1标记，然后抽2张牌（每回合一次）。{a}★🦀");
    let first = format!("{:?}", block(&FONTS, &content, &wide(7.0)));
    assert_eq!(format!("{:?}", block(&FONTS, &content, &wide(7.0))), first);
}

/// The ink of every glyph stays inside the box, but for the small overhang that letters have.
#[test]
fn ink_stays_inside() {
    let source = "「我们」的（社团），今天：“招募”新同学！获得+1/+1标记，card game《卡牌》……";
    for w in [4.0, 5.3, 7.0, 11.0] {
        for align in [Align::Start, Align::Centre, Align::End, Align::Justify] {
            let laid = block(&FONTS, &[text(source)], &TextBox { align, ..wide(w) });
            for (run, glyph) in laid.runs.iter().flat_map(|run| run.glyphs.iter().map(move |glyph| (run, glyph))) {
                let face = FONTS.face(run.font);
                let parsed = ttf_parser::Face::parse(face.bytes(), face.index).unwrap();
                let Some(ink) = parsed.glyph_bounding_box(ttf_parser::GlyphId(glyph.id)) else { continue };
                let x = run.transform.e + f64::from(glyph.x);
                let unit = f64::from(run.size) / face.units_per_em;
                assert!(x + f64::from(ink.x_min) * unit > -0.03, "{run:?}");
                assert!(x + f64::from(ink.x_max) * unit < w + 0.03, "{run:?}");
            }
        }
    }
}

fn source() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[一二三四五六七八九十我们的社团]{1,6}",
        2 => "[，。、；：！？」』）》”…·]",
        1 => "[「『（《“]",
        2 => "[a-zA-Z]{1,9}",
        1 => "[+−-]?[0-9]{1,4}",
        1 => " {1,2}",
        1 => "——|……|\n|é|ﬁ|★|→|%|'",
        1 => Just("{i}".to_owned()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Text with no more than three marks in a row, so that there always is a place to break.
fn sentences() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[我们的社团一二三]{1,6}[，。、；：！？]?",
        "「[我们的社团一二三]{1,5}。?」",
        "“[我们的社团一二三]{1,5}”，?",
        "[我们的社团一二三]{1,3}(——|……)",
        "[我们的社团][+−]?[0-9]{1,2}[点张的]",
        "的[a-z]{1,4}《社》",
        Just("得{i}分".to_owned()),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn align() -> impl Strategy<Value = Align> {
    prop_oneof![Just(Align::Start), Just(Align::Centre), Just(Align::End), Just(Align::Justify)]
}

fn solid(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

proptest! {
    #[test]
    fn every_character_is_kept_in_order(source in source(), w in 0.0..12.0, align in align()) {
        let laid = block(&FONTS, &with_icons(&source), &TextBox { align, ..wide(w) });
        prop_assert_eq!(solid(&laid.lines.concat()), solid(&source));
        let drawn: String = laid.runs.iter().map(|run| run.text.as_str()).collect();
        prop_assert_eq!(solid(&drawn), solid(&source.replace("{i}", "")));
        prop_assert_eq!(laid.icons.len(), source.matches("{i}").count());
    }

    #[test]
    fn nothing_leaves_the_box_unless_it_is_told(source in source(), w in 0.5..12.0, h in 0.5..9.0, align in align(), min in 0.3..1.2) {
        let frame = TextBox { h, align, min_size: Some(min), ..wide(w) };
        let laid = block(&FONTS, &with_icons(&source), &frame);
        assert_sound(&laid);
        prop_assert!(laid.scale >= min.min(1.0) - 1e-9);
        if laid.overflow.is_none() {
            prop_assert!(laid.bounds[0] >= -1e-5 && laid.bounds[2] <= w + 1e-5, "{:?}", laid.bounds);
            let leading = 0.25 * laid.scale;
            prop_assert!(laid.bounds[1] >= -leading - 1e-5 && laid.bounds[3] <= h + leading + 1e-5, "{:?}", laid.bounds);
            for run in &laid.runs {
                for glyph in &run.glyphs {
                    let x = run.transform.e + f64::from(glyph.x);
                    prop_assert!(x >= -0.5 - 1e-5 && x <= w + 1e-5, "{run:?}");
                }
            }
        }
    }

    #[test]
    fn no_line_starts_or_ends_with_the_wrong_mark(source in sentences(), w in 4.0..12.0, align in align()) {
        let laid = block(&FONTS, &with_icons(&source), &TextBox { align, ..wide(w) });
        for pair in laid.lines.windows(2) {
            prop_assert!(!pair[1].starts_with(|mark| "，。、；：！？」』）》”…·—".contains(mark)), "{:?}", laid.lines);
            prop_assert!(!pair[0].ends_with(|mark| "「『（《“".contains(mark)), "{:?}", laid.lines);
        }
    }

    #[test]
    fn columns_keep_every_character_in_order(source in source(), h in 0.0..12.0, align in align()) {
        let frame = TextBox { h, align, ..wide(20.0) };
        let laid = columns(&FONTS, &with_icons(&source), &frame, Western::Turned);
        assert_sound(&laid);
        prop_assert_eq!(solid(&laid.lines.concat()), solid(&source));
        let drawn: String = laid.runs.iter().map(|run| run.text.as_str()).collect();
        prop_assert_eq!(solid(&drawn), solid(&source.replace("{i}", "")));
        if laid.overflow.is_none() {
            prop_assert!(laid.bounds[1] >= -1e-5 && laid.bounds[3] <= h + 1e-5, "{:?}", laid.bounds);
        }
    }

    #[test]
    fn what_is_measured_is_what_is_drawn(source in source()) {
        let laid = line(&FONTS, &with_icons(&source), 0.0, 0.0, Anchor::Start, Language::ZhHans);
        let boxed = block(&FONTS, &with_icons(&source.replace('\n', "\r")), &wide(f64::INFINITY));
        prop_assert_eq!(laid.bounds[2], boxed.bounds[2]);
        let last = laid.runs.iter().flat_map(|run| run.glyphs.iter().map(|glyph| run.transform.e + f64::from(glyph.x)));
        let icons = laid.icons.iter().map(|icon| icon.x + icon.w);
        prop_assert!(last.chain(icons).all(|x| x <= laid.bounds[2] + 1e-5));
    }
}
