#!/usr/bin/env python3
"""Makes the decks with a fixed seed, as every peer wants to read them, and 24 icons:
data/D1.json and .js (90 cards), D2 (900), D3 (9,000); the same with one card changed (suffix x);
data/paiban/D1/ and so on are the same decks as projects of paiban. Only the standard library is used.
usage: gen.py [DATA_DIR]"""
import json, math, os, random, shutil, sys

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "data")
DECKS = {"D1": 90, "D2": 900, "D3": 9000}
SEED = 20240607
# 12 palettes: (top, bottom, ink).  "flat" cards use only the first colour.
PAL = [("#fbe3c8", "#e08a5b", "#5b2a14"), ("#d9ecd0", "#6fa85a", "#1f3d17"), ("#d6e6f5", "#5b8fc7", "#16304f"),
       ("#efe0f4", "#9a69b5", "#371c47"), ("#fdf1b8", "#d9a81f", "#4f3a05"), ("#f7d4d4", "#c25555", "#4a1111"),
       ("#d3f0ec", "#49a39a", "#0f3b37"), ("#e6e6e6", "#8c8c8c", "#262626"), ("#fde0ec", "#d86f9b", "#541330"),
       ("#e9e4c9", "#a3935a", "#38300f"), ("#dfe3fb", "#6f7bd0", "#1c2459"), ("#f3dfcf", "#a8704a", "#3f210d")]


def gb2312_level1():
    out = []
    for hi in range(0xB0, 0xD8):
        for lo in range(0xA1, 0xFF):
            try:
                out.append(bytes((hi, lo)).decode("gb2312"))
            except UnicodeDecodeError:
                pass
    return out                                           # 3755 common characters


def icon(r, k):
    """A game-icon-like drawing: blob + star with a hole + a few dots (absolute M L C Z only)."""
    def pt(a, d):
        return 256 + d * math.cos(a), 256 + d * math.sin(a)
    n = r.randint(7, 12)
    ds = [r.uniform(170, 240) for _ in range(n)]
    blob = "M%.1f %.1f" % pt(0, ds[0])
    for i in range(n):
        a0, a1 = 2 * math.pi * i / n, 2 * math.pi * (i + 1) / n
        t = (a1 - a0) / 3
        c1, c2, p = pt(a0 + t, ds[i] * r.uniform(.95, 1.1)), pt(a1 - t, ds[(i + 1) % n] * r.uniform(.9, 1.05)), pt(a1, ds[(i + 1) % n])
        blob += "C%.1f %.1f %.1f %.1f %.1f %.1f" % (*c1, *c2, *p)
    m = r.randint(5, 13)
    star = "".join(("M" if i == 0 else "L") + "%.1f %.1f" % pt(math.pi * i / m - math.pi / 2, 150 if i % 2 == 0 else r.uniform(70, 100)) for i in range(2 * m)) + "Z"
    q = 40 * .5523
    hole = f"M296 256C296 {256+q:.1f} {256+q:.1f} 296 256 296C{256-q:.1f} 296 216 {256+q:.1f} 216 256C216 {256-q:.1f} {256-q:.1f} 216 256 216C{256+q:.1f} 216 296 {256-q:.1f} 296 256Z"
    dots = "".join('<circle cx="%.1f" cy="%.1f" r="%d" fill="#fff7e0"/>' % (*pt(2 * math.pi * i / m, 125), r.randint(7, 12)) for i in range(m))
    ink = PAL[k % len(PAL)][2]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">'
            f'<path fill="{ink}" d="{blob}Z"/><path fill="#fff7e0" fill-rule="evenodd" d="{star}{hole}"/>{dots}</svg>\n')


def deck(n):
    r = random.Random(SEED + n)
    pool = gb2312_level1()
    random.Random(SEED).shuffle(pool)                    # the same frequency order in every deck
    w = [(i + 20) ** -1.25 for i in range(len(pool))]    # Zipf-like: top 100 = 49 %, 500 = 76 %, 1000 = 86 % of a text

    def chars(k):
        return "".join(r.choices(pool, w, k=k))
    cards = []
    for i in range(1, n + 1):
        c1, c2, ink = r.choice(PAL)
        body = "".join(chars(r.randint(5, 9)) + "，" for _ in range(4)) + chars(r.randint(5, 9)) + "。"
        cards.append(dict(id=i, title=chars(r.choice((3, 4, 4, 4, 5))), body=body, num=r.randint(1, 20),
                          icon="i%02d" % r.randrange(24), bg=r.choice(("flat", "grad")), c1=c1, c2=c2, ink=ink))
    return cards


def write(name, cards):
    with open(f"{OUT}/{name}.json", "w", encoding="utf-8") as f:
        json.dump(cards, f, ensure_ascii=False, separators=(",", ":"))
    with open(f"{OUT}/{name}.js", "w", encoding="utf-8") as f:
        f.write("window.DECK=" + json.dumps(cards, ensure_ascii=False, separators=(",", ":")) + ";\n")
    project(name, cards)


def toml(value):
    """As a basic string; JSON's escapes are TOML's."""
    return json.dumps(value, ensure_ascii=False)


def project(name, cards):
    """The deck as a project: a table for each card, one template, the icons."""
    root = f"{OUT}/paiban/{name}"
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(f"{root}/data/deck")
    shutil.copytree(f"{HERE}/paiban/templates", f"{root}/templates")
    shutil.copytree(f"{OUT}/icons", f"{root}/templates/icons/bench")
    shutil.copy(f"{HERE}/paiban/game.toml", f"{root}/data/deck/game.toml")
    with open(f"{root}/data/deck/cards.toml", "w", encoding="utf-8") as f:
        for card in cards:
            f.write("[[card]]\n" + f"id = \"c{card['id']}\"\n")
            f.writelines(f"{key} = {value if key == 'num' else toml(value)}\n" for key, value in card.items() if key != "id")
            f.write("\n")


def main():
    os.makedirs(OUT + "/icons", exist_ok=True)
    r = random.Random(SEED)
    for k in range(24):
        with open(f"{OUT}/icons/i{k:02d}.svg", "w") as f:
            f.write(icon(r, k))
    for name, n in DECKS.items():
        cards = deck(n)
        write(name, cards)
        cards[n // 2]["title"] = "改动卡牌"
        cards[n // 2]["body"] = "这张卡牌的文字已经改动，用来测量重建时间，其余卡牌不变。"
        write(name + "x", cards)
    for name in DECKS:
        cs = json.load(open(f"{OUT}/{name}.json", encoding="utf-8"))
        print(name, len(cs), "cards", sum(len(c["body"]) for c in cs) / len(cs), "chars/body",
              len({x for c in cs for x in c["title"] + c["body"]}), "distinct characters")


main()
