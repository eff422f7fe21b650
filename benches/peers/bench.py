#!/usr/bin/env python3
"""Runs every peer on every deck, checks the PDFs and prints one table (and JSON).

A peer is a folder with an executable `run.sh DECK OUT.pdf` that makes OUT.pdf from data/DECK.{json,js} and
data/icons/*.svg; optional `rebuild.sh DECK OUT.pdf` prints `rebuild_ms=N`: how long the peer needs for a new PDF
when, after a first build of DECK, one card has changed (data/DECKx.*) and everything it may keep warm is warm.

usage: bench.py [--peers a,b] [--decks D1,D2,D3] [--runs 5,3,1] [--limit 300] [--quiet 10] [--out FILE.json]

wall   from start to exit of run.sh (median; min in brackets in the JSON)
cpu    user + system of all processes of the run, daemons included (the harness is a child subreaper)
peak   memory: the largest ru_maxrss of any process or, if more, the peak of the summed PSS of the process tree,
       sampled in an untimed run (JSON: rss, pss)
Runs go round robin (every peer once, then again), so that a slow spell of the machine hits all peers alike.
A peer whose predicted time for a deck is over --limit seconds is skipped there and shown as an extrapolation (~).
"""
import argparse, ctypes, glob, json, os, re, signal, statistics, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
CARDS = {"D1": 90, "D2": 900, "D3": 9000}
libc = ctypes.CDLL(None)
QUIET = 0


def tree(root):
    """Pids of all live descendants of root."""
    kids = {}
    for p in os.listdir("/proc"):
        if p.isdigit():
            try:
                with open(f"/proc/{p}/stat") as f:
                    kids.setdefault(int(f.read().rpartition(")")[2].split()[1]), []).append(int(p))
            except (OSError, IndexError):
                pass
    out, todo = [], [root]
    while todo:
        c = kids.get(todo.pop(), [])
        out += c
        todo += c
    return out


def sample(stop, peak):
    me = os.getpid()
    while not stop.is_set():
        total, t = 0, time.monotonic()
        for p in tree(me):
            try:
                with open(f"/proc/{p}/smaps_rollup") as f:
                    total += int(re.search(r"^Pss:\s+(\d+)", f.read(), re.M)[1])
            except (OSError, TypeError):
                pass
        peak[0] = max(peak[0], total)
        stop.wait(max(.01, min(.1, 4 * (time.monotonic() - t))))


def quiet(patience, want=1.6):
    """Waits (at most `patience` s) until `want` of the processors were idle for a quarter of a second."""
    def idle():
        v = open("/proc/stat").readline().split()
        return int(v[4]) + int(v[5])
    end = time.monotonic() + patience
    while time.monotonic() < end:
        a, t = idle(), time.monotonic()
        time.sleep(.25)
        if (idle() - a) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - t) >= want:
            return


def run(peer, deck, out, memory=False, limit=900):
    """One run in a fresh small process (a child's ru_maxrss cannot read below its parent's size at the start)."""
    if not memory and QUIET:
        quiet(QUIET)
    r = subprocess.run([sys.executable, "-I", "-S", __file__, "--one", peer, deck, out, str(int(memory)), str(limit)], stdout=subprocess.PIPE)
    return json.loads(r.stdout)


def one(peer, deck, out, memory, limit):
    """One run: dict(wall, cpu, rss, pss) in seconds and MB, or None if it failed."""
    libc.prctl(36, 1, 0, 0, 0)                           # PR_SET_CHILD_SUBREAPER: orphans come to us, with their CPU time
    if os.path.exists(out):
        os.remove(out)
    stop, peak = threading.Event(), [0]
    if memory:
        t = threading.Thread(target=sample, args=(stop, peak))
        t.start()
    log = open(out + ".log", "wb")
    t0 = time.monotonic()
    child = subprocess.Popen([f"{HERE}/{peer}/run.sh", deck, out], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    wall, cpu, rss, status, killed = None, 0.0, 0, None, False
    while True:
        try:
            pid, st, ru = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        now = time.monotonic()
        if pid == 0:
            if not killed and now - t0 > limit:
                os.killpg(child.pid, signal.SIGKILL)     # our own run only
                killed = True
            time.sleep(.0005)
            continue
        cpu += ru.ru_utime + ru.ru_stime
        rss = max(rss, ru.ru_maxrss)
        if pid == child.pid:
            wall, status, child.returncode = now - t0, st, st
    stop.set()
    if memory:
        t.join()
    log.close()
    if status != 0 or not os.path.exists(out):
        print(f"  {peer} {deck} failed (status {status}); see {out}.log", file=sys.stderr)
        return None
    return dict(wall=wall, cpu=cpu, rss=rss / 1024, pss=peak[0] / 1024)


def sh(*a):
    return subprocess.run(a, capture_output=True, text=True, errors="replace").stdout


def page(pdf):
    """Page 1 at 50 dpi as a flat list of bytes (PPM body)."""
    b = subprocess.run(["pdftoppm", "-r", "50", "-f", "1", "-l", "1", pdf], capture_output=True).stdout
    return b.split(b"\n", 3)[3]


def check(pdf, deck, ref):
    cards = json.load(open(f"{HERE}/data/{deck}.json", encoding="utf-8"))
    info = sh("pdfinfo", pdf)
    text = re.sub(r"\s", "", sh("pdftotext", "-raw", pdf, "-"))
    last = 1 + min(9, len(cards) // 9)
    images = [x for x in sh("pdfimages", "-list", "-l", str(last), pdf).splitlines()[2:]]
    fonts = {re.sub(r".*?(CID Type 0C|CID TrueType|TrueType|Type 3|Type 1C?).*", r"\1", x) for x in sh("pdffonts", "-l", str(last), pdf).splitlines()[2:]}
    hit = sum(c["title"] in text for c in cards) / len(cards)
    body = sum(c["body"][:5] in text for c in cards) / len(cards)
    d = dict(pages=int(re.search(r"Pages:\s+(\d+)", info)[1]), size=os.path.getsize(pdf), title_found=hit, body_found=body,
             raster_images=len(images), fonts=sorted(fonts), vector=not images, selectable=hit > .9)
    if ref:
        a, b = page(pdf), page(ref)
        d["diff"] = sum(abs(x - y) for x, y in zip(a, b)) / min(len(a), len(b)) / 2.55
    return d


def med(rs, k):
    return statistics.median(r[k] for r in rs)


def main():
    global QUIET
    if sys.argv[1:2] == ["--one"]:
        p, d, o, m, lim = sys.argv[2:7]
        return print(json.dumps(one(p, d, o, m == "1", float(lim))))
    ap = argparse.ArgumentParser()
    peers = sorted(os.path.basename(os.path.dirname(p)) for p in glob.glob(HERE + "/*/run.sh"))
    ap.add_argument("--peers", default=",".join(peers))
    ap.add_argument("--decks", default="D1,D2,D3")
    ap.add_argument("--runs", default="5,3,1", help="timed runs for each deck")
    ap.add_argument("--limit", type=float, default=300)
    ap.add_argument("--mem", type=float, default=12, help="GB: a deck that would need more is not run")
    ap.add_argument("--once", type=float, default=30, help="a peer whose first run of a deck takes longer (s) is not run again")
    ap.add_argument("--ref", default="rust-raw", help="peer whose page 1 the others are compared with")
    ap.add_argument("--quiet", type=float, default=0, help="before each timed run wait up to so many seconds for an idle machine")
    ap.add_argument("--no-rebuild", action="store_true")
    ap.add_argument("--keep", help="keep the PDFs in this folder")
    ap.add_argument("--out", default="results.json")
    a = ap.parse_args()
    QUIET = a.quiet
    peers, decks = a.peers.split(","), a.decks.split(",")
    runs = dict(zip(decks, (list(map(int, a.runs.split(","))) + [1] * 9)))
    tmp = a.keep or tempfile.mkdtemp(prefix="cardbench")
    os.makedirs(tmp, exist_ok=True)
    res = {p: {} for p in peers}
    for deck in decks:
        skip, once = set(), {}
        for p in peers:                                  # warm-up: checks and memory, not timed
            old = [res[p][d] for d in decks if d in res[p] and res[p][d].get("wall")]
            if old:
                d0 = [d for d in decks if d in res[p]][-1]
                guess = old[-1]["wall"] * CARDS[deck] / CARDS[d0]
                if len(old) > 1:
                    slope = (old[-1]["wall"] - old[-2]["wall"]) / (CARDS[d0] - CARDS[decks[decks.index(d0) - 1]])
                    guess = old[-1]["wall"] + slope * (CARDS[deck] - CARDS[d0])
                mem = old[-1]["pss"] * CARDS[deck] / CARDS[d0] / 1024
                if guess > a.limit or mem > a.mem:
                    res[p][deck] = dict(extrapolated_wall=guess, why="too slow" if guess > a.limit else "about %.0f GB of memory" % mem)
                    skip.add(p)
                    continue
            out = f"{tmp}/{p}.{deck}.pdf"
            w = run(p, deck, out, memory=True, limit=a.limit * 2)
            if w is None:
                skip.add(p)
                continue
            ref = f"{tmp}/{a.ref}.{deck}.pdf"
            if not os.path.exists(ref) and a.ref in peers and p != a.ref:
                run(a.ref, deck, ref)
            res[p][deck] = dict(pss=w["pss"], first_wall=w["wall"], **check(out, deck, ref if os.path.exists(ref) else None))
            if w["wall"] > a.once:
                once[p] = w
        timed = {p: [once[p]] if p in once else [] for p in peers if p not in skip}
        for _ in range(runs[deck]):
            for p in [p for p in timed if p not in once]:
                r = run(p, deck, f"{tmp}/{p}.{deck}.pdf")
                if r:
                    timed[p].append(r)
        for p, rs in timed.items():
            if rs:
                res[p][deck].update(wall=med(rs, "wall"), wall_min=min(r["wall"] for r in rs), wall_max=max(r["wall"] for r in rs), n=len(rs),
                                    cpu=med(rs, "cpu"), cpu_min=min(r["cpu"] for r in rs), rss=med(rs, "rss"))
        print(f"{deck} done, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    if not a.no_rebuild:
        for deck in decks[:2]:
            for p in peers:
                if os.access(f"{HERE}/{p}/rebuild.sh", os.X_OK):
                    ms = []
                    for _ in range(3):
                        m = re.search(r"rebuild_ms=([\d.]+)", sh(f"{HERE}/{p}/rebuild.sh", deck, f"{tmp}/{p}.{deck}x.pdf"))
                        if m:
                            ms.append(float(m[1]))
                    if ms:
                        res[p].setdefault(deck, {})["rebuild"] = statistics.median(ms) / 1000
    for p in peers:                                      # growth: fixed cost and cost of one card
        got = [(CARDS[d], res[p][d]) for d in decks if res[p].get(d, {}).get("wall")]
        g = []
        for (n1, r1), (n2, r2) in zip(got, got[1:]):
            s, c = (r2["wall"] - r1["wall"]) / (n2 - n1), (r2["cpu"] - r1["cpu"]) / (n2 - n1)
            g.append(dict(cards=[n1, n2], ms_per_card=s * 1e3, cpu_ms_per_card=c * 1e3, kb_per_card=(r2["size"] - r1["size"]) / 1e3 / (n2 - n1),
                          mb_per_1000=(r2["rss"] - r1["rss"]) * 1e3 / (n2 - n1), fixed_cpu=max(0, r1["cpu"] - c * n1)))
        if g:
            res[p]["growth"] = g
    json.dump(dict(time=time.strftime("%F %T"), cpus=os.cpu_count(), load=os.getloadavg(), decks=CARDS, results=res), open(a.out, "w"), indent=1)
    table(res, decks)


def table(res, decks):
    def cell(r, k, f):
        return f % r[k] if r.get(k) is not None else "-"
    print("| peer | deck | wall s (min) | cpu s | peak MB | PDF kB | pages | text | vector | fonts | diff % | rebuild s |")
    print("|---|---|--:|--:|--:|--:|--:|---|---|---|--:|--:|")
    for d in decks:
        key = lambda p: res[p].get(d, {}).get("wall") or res[p].get(d, {}).get("extrapolated_wall") or 1e9
        for p in sorted(res, key=key):
            r = res[p].get(d, {})
            if not r:
                continue
            if "extrapolated_wall" in r:
                print(f"| {p} | {d} | ~{r['extrapolated_wall']:.0f} (not run: {r['why']}) | | | | | | | | | |")
                continue
            print(f"| {p} | {d} | {cell(r,'wall','%.3f')} ({cell(r,'wall_min','%.3f')}) | {cell(r,'cpu','%.3f')} | {max(r.get('rss',0),r.get('pss',0)):.0f} | {r.get('size',0)/1e3:.0f} | "
                  f"{cell(r,'pages','%d')} | {'yes' if r.get('selectable') else 'no'} {100*r.get('title_found',0):.0f}/{100*r.get('body_found',0):.0f} | {'yes' if r.get('vector') else 'no'} | "
                  f"{','.join(r.get('fonts', [])) or '-'} | {cell(r,'diff','%.2f')} | {cell(r,'rebuild','%.3f')} |")
    print("\n| peer | fixed cpu s | first span: cpu ms, wall ms per card | last span: cpu ms, wall ms per card | kB per card | MB per 1000 cards |\n|---|--:|--:|--:|--:|--:|")
    for p in sorted((p for p in res if res[p].get("growth")), key=lambda p: res[p]["growth"][-1]["cpu_ms_per_card"]):
        g = res[p]["growth"]
        span = lambda x: "%d-%d: %.3f, %.3f" % (*x["cards"], x["cpu_ms_per_card"], x["ms_per_card"])
        print(f"| {p} | {g[0]['fixed_cpu']:.3f} | {span(g[0])} | {span(g[-1])} | {g[-1]['kb_per_card']:.2f} | {g[-1]['mb_per_1000']:.0f} |")


main()
