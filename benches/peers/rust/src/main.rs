//! The lower bound: the same sheets with PDF bytes written by hand, the `subsetter` crate, zlib-rs and two
//! threads (RAYON_NUM_THREADS=1 for one).  TIMES=1 prints the phases.
use cardbench::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

struct Face {
    map: Map,
    gid: HashMap<char, (u16, f32)>, // new glyph id, advance in em
    sub: subsetter::GlyphRemapper,
}

fn face(m: Map, chars: impl Iterator<Item = char>) -> Face {
    let f = ttf_parser::Face::parse(m.as_ref(), 2).unwrap();
    let mut gid = HashMap::new();
    let mut sub = subsetter::GlyphRemapper::new();
    for c in chars {
        gid.entry(c).or_insert_with(|| {
            let g = f.glyph_index(c).unwrap_or_default();
            (sub.remap(g.0), f.glyph_hor_advance(g).unwrap_or(1000) as f32 / 1000.0)
        });
    }
    drop(f);
    Face { map: m, gid, sub }
}

fn z(data: &[u8]) -> Vec<u8> {
    let mut e = flate2::write::ZlibEncoder::new(Vec::with_capacity(data.len() / 2), flate2::Compression::new(6));
    e.write_all(data).unwrap();
    e.finish().unwrap()
}
fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    let d = z(data);
    let mut o = format!("<</Filter/FlateDecode/Length {}{dict}>>stream\n", d.len()).into_bytes();
    o.extend(d);
    o.extend(b"\nendstream");
    o
}

/// The five objects of an embedded CID font: Type0, CIDFont, descriptor, file, ToUnicode.
fn font_objects(f: &Face, name: &str, id: usize) -> Vec<Vec<u8>> {
    let t0 = Instant::now();
    let lap = |what: &str| if std::env::var("TIMES").is_ok() { eprintln!("{:14.2} ms {what} {name}", t0.elapsed().as_secs_f64() * 1e3) };
    let data = subsetter::subset(f.map.as_ref(), 2, &f.sub).unwrap();
    lap("subset");
    let cff = ttf_parser::RawFace::parse(&data, 0).unwrap().table(ttf_parser::Tag::from_bytes(b"CFF ")).unwrap();
    let by: BTreeMap<u16, (char, f32)> = f.gid.iter().map(|(c, (g, a))| (*g, (*c, *a))).collect();
    let mut cm = String::from("/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def/CMapName/U def/CMapType 2 def\n1 begincodespacerange<0000><FFFF>endcodespacerange\n");
    let mut w = String::new();
    for part in by.iter().collect::<Vec<_>>().chunks(100) {
        let _ = writeln!(cm, "{} beginbfchar", part.len());
        for (g, (c, a)) in part {
            let _ = writeln!(cm, "<{g:04X}><{:04X}>", *c as u32);
            if *a != 1.0 {
                let _ = write!(w, "{g}[{}]", (a * 1000.0) as u32);
            }
        }
        cm.push_str("endbfchar\n");
    }
    cm.push_str("endcmap CMapName currentdict/CMap defineresource pop end end");
    let file = stream("/Subtype/CIDFontType0C", cff);
    lap(&format!("deflated {} to {} bytes", cff.len(), file.len()));
    vec![
        format!("<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts[{} 0 R]/ToUnicode {} 0 R>>", id + 1, id + 4).into_bytes(),
        format!("<</Type/Font/Subtype/CIDFontType0/BaseFont/{name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor {} 0 R/DW 1000/W[{w}]>>", id + 2).into_bytes(),
        format!("<</Type/FontDescriptor/FontName/{name}/Flags 4/FontBBox[-1000 -1000 3000 2000]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 733/StemV 80/FontFile3 {} 0 R>>", id + 3).into_bytes(),
        file,
        stream("", cm.as_bytes()),
    ]
}

fn icon(root: &str, name: &str) -> Vec<u8> {
    let svg = std::fs::read_to_string(format!("{root}/data/icons/{name}.svg")).unwrap();
    let mut o = String::new();
    let attr = |e: &str, k: &str| e.split_once(&format!(" {k}=\"")).map(|(_, r)| r[..r.find('"').unwrap()].to_string());
    for e in svg.split('<') {
        if e.starts_with("path") {
            let d = attr(e, "d").unwrap();
            col(&mut o, &attr(e, "fill").unwrap(), "rg");
            let mut a = 0;
            while a < d.len() {
                let b = d[a + 1..].find(['M', 'L', 'C', 'Z']).map_or(d.len(), |i| a + 1 + i);
                let op = match &d[a..a + 1] { "M" => "m", "L" => "l", "C" => "c", _ => "h" };
                let _ = write!(o, "{} {op}\n", &d[a + 1..b]);
                a = b;
            }
            o.push_str(if e.contains("evenodd") { "f*\n" } else { "f\n" });
        } else if e.starts_with("circle") {
            let n = |k: &str| attr(e, k).unwrap().parse::<f32>().unwrap();
            round(&mut o, n("cx") - n("r"), n("cy") - n("r"), 2.0 * n("r"), 2.0 * n("r"), n("r"));
            o.push_str("f\n");
        }
    }
    stream("/Type/XObject/Subtype/Form/BBox[0 0 512 512]", o.as_bytes())
}

fn col(o: &mut String, h: &str, op: &str) {
    let [r, g, b] = rgb(h).map(|v| (v as f32 / 2.55).round() / 100.0);
    let _ = write!(o, "{r} {g} {b} {op}\n");
}
fn round(o: &mut String, x: f32, y: f32, w: f32, h: f32, r: f32) {
    let k = r * 0.4477;
    let _ = write!(o, "{:.2} {y} m {:.2} {y} l {:.2} {y} {:.2} {:.2} {:.2} {:.2} c {:.2} {:.2} l {:.2} {:.2} {:.2} {:.2} {:.2} {:.2} c {:.2} {:.2} l {:.2} {:.2} {x} {:.2} {x} {:.2} c {x} {:.2} l {x} {:.2} {:.2} {y} {:.2} {y} c h ",
        x + r, x + w - r, x + w - k, x + w, y + k, x + w, y + r, x + w, y + h - r, x + w, y + h - k, x + w - k, y + h, x + w - r, y + h,
        x + r, y + h, x + k, y + h, y + h - k, y + h - r, y + r, y + k, x + k, x + r);
}
fn text(o: &mut String, f: &Face, name: &str, size: f32, x: f32, y: f32, anchor: f32, t: &str) {
    let w: f32 = t.chars().map(|c| f.gid[&c].1).sum();
    let _ = write!(o, "BT/{name} {:.3} Tf 1 0 0 -1 {:.2} {y} Tm<", size / MM, x - w * size / MM * anchor);
    for c in t.chars() {
        let _ = write!(o, "{:04X}", f.gid[&c].0);
    }
    o.push_str(">Tj ET\n");
}

fn sheet(cards: &[Card], reg: &Face, bold: &Face, sh: &HashMap<(String, String), usize>) -> Vec<u8> {
    let mut o = String::with_capacity(16 << 10);
    let _ = write!(o, "{MM} 0 0 -{MM} 0 841.89 cm\n");
    for (i, c) in cards.iter().enumerate() {
        let _ = write!(o, "q 1 0 0 1 {} {} cm ", 10.5 + 63.0 * (i % 3) as f32, 16.5 + 88.0 * (i / 3) as f32);
        if c.bg == "grad" {
            let _ = write!(o, "q 0 0 63 88 re W n/S{} sh Q\n", sh[&(c.c1.clone(), c.c2.clone())]);
        } else {
            col(&mut o, &c.c1, "rg");
            o.push_str("0 0 63 88 re f\n");
        }
        col(&mut o, &c.ink, "RG");
        o.push_str(".6 w ");
        round(&mut o, 2.5, 2.5, 58., 83., 3.);
        o.push_str("S\n");
        col(&mut o, &c.ink, "rg");
        o.push_str("1 G .5 w ");
        round(&mut o, 6., 6., 10., 10., 5.);
        o.push_str("B 1 g\n");
        text(&mut o, bold, "B", 13., 11., 12.7, 0.5, &c.num.to_string());
        col(&mut o, &c.ink, "rg");
        text(&mut o, bold, "B", 17., 36.5, 13.6, 0.5, &c.title);
        let _ = write!(o, "q .05078125 0 0 .05078125 18.5 21.5 cm/{} Do Q\n", c.icon);
        col(&mut o, &c.ink, "RG");
        o.push_str("1 .99 .96 rg .3 w ");
        round(&mut o, 6., 52., 51., 30., 2.);
        o.push_str("B .13 g\n");
        for (n, line) in wrap(&c.body, 14).into_iter().enumerate() {
            text(&mut o, reg, "R", 9., 8.5, 58.4 + 5.0 * n as f32, 0., line);
        }
        o.push_str("Q\n");
    }
    o.push_str("0 G .1 w ");
    for i in 0..4 {
        let (x, y) = (10.5 + 63.0 * i as f32, 16.5 + 88.0 * i as f32);
        let _ = write!(o, "{x} 9.5 m {x} 14.5 l {x} 282.5 m {x} 287.5 l 3.5 {y} m 8.5 {y} l 201.5 {y} m 206.5 {y} l ");
    }
    o.push('S');
    stream("", o.as_bytes())
}

fn main() {
    let t0 = Instant::now();
    let lap = |what: &str| if std::env::var("TIMES").is_ok() { eprintln!("{:8.2} ms {what}", t0.elapsed().as_secs_f64() * 1e3) };
    let (root, out, cards) = load();
    lap("deck read");
    let (reg, bold) = rayon::join(|| face(font("Regular"), cards.iter().flat_map(|c| c.body.chars())),
        || face(font("Bold"), cards.iter().flat_map(|c| c.title.chars()).chain('0'..='9')));
    lap("glyphs chosen");
    let mut icons: Vec<&str> = cards.iter().map(|c| &*c.icon).collect();
    icons.sort();
    icons.dedup();
    let mut sh = HashMap::new();
    let mut shades = vec![];
    for c in cards.iter().filter(|c| c.bg == "grad") {
        sh.entry((c.c1.clone(), c.c2.clone())).or_insert_with(|| {
            let f = |h: &str| rgb(h).map(|v| format!("{:.2}", v as f32 / 255.0)).join(" ");
            shades.push(format!("<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 0 88]/Function<</FunctionType 2/Domain[0 1]/N 1/C0[{}]/C1[{}]>>>>", f(&c.c1), f(&c.c2)));
            shades.len() - 1
        });
    }
    // objects: 1 catalog, 2 pages, 3 resources, 4-8 regular, 9-13 bold, shadings, icons, then page + contents pairs
    let (s0, i0) = (14, 14 + shades.len());
    let p0 = i0 + icons.len();
    let ((fr, fb), (ic, pages)) = rayon::join(
        || rayon::join(|| font_objects(&reg, "CARDAA+NotoSansCJKsc-Regular", 4), || font_objects(&bold, "CARDAB+NotoSansCJKsc-Bold", 9)),
        || (icons.iter().map(|n| icon(&root, n)).collect::<Vec<_>>(), cards.par_chunks(9).map(|c| sheet(c, &reg, &bold, &sh)).collect::<Vec<_>>()));
    lap("fonts and pages made");
    let mut res = String::from("<</Font<</R 4 0 R/B 9 0 R>>/Shading<<");
    (0..shades.len()).for_each(|i| { let _ = write!(res, "/S{i} {} 0 R", s0 + i); });
    res.push_str(">>/XObject<<");
    icons.iter().enumerate().for_each(|(i, n)| { let _ = write!(res, "/{n} {} 0 R", i0 + i); });
    res.push_str(">>>>");
    let kids: String = (0..pages.len()).map(|i| format!("{} 0 R ", p0 + 2 * i)).collect();
    let mut objs: Vec<Vec<u8>> = vec![b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), format!("<</Type/Pages/Count {}/Kids[{kids}]>>", pages.len()).into_bytes(), res.into_bytes()];
    objs.extend(fr.into_iter().chain(fb).chain(shades.into_iter().map(String::into_bytes)).chain(ic));
    for (i, p) in pages.into_iter().enumerate() {
        objs.push(format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595.276 841.89]/Resources 3 0 R/Contents {} 0 R>>", p0 + 2 * i + 1).into_bytes());
        objs.push(p);
    }
    let mut pdf = Vec::with_capacity(objs.iter().map(|o| o.len() + 50).sum());
    pdf.extend(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n");
    let mut xref = format!("xref\n0 {}\n0000000000 65535 f \n", objs.len() + 1);
    for (i, o) in objs.iter().enumerate() {
        let _ = write!(xref, "{:010} 00000 n \n", pdf.len());
        let _ = write!(pdf, "{} 0 obj\n", i + 1);
        pdf.extend(o);
        pdf.extend(b"\nendobj\n");
    }
    let at = pdf.len();
    let _ = write!(pdf, "{xref}trailer<</Size {}/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n", objs.len() + 1);
    lap("file assembled");
    std::fs::write(out, pdf).unwrap();
    lap("file written");
}
