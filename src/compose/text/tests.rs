//! Text layout as a whole.

use super::testing::*;

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
