//! Filters: how much work one is at the finest that a face is drawn, told before anything draws it.

use resvg::usvg::filter::{Filter, Kind};
use resvg::usvg::{Group, Node, Tree};

/// The finest that anything is drawn: dots per millimetre at 600 dpi.
const DOTS: f64 = 600.0 / 25.4;
/// The most steps of a filter: some seconds.
const MOST_STEPS: f64 = 4e9;
/// The most primitives of a filter.
const MOST_PRIMITIVES: usize = 100;
/// The largest radius of a filter, in dots: metres.
const MOST_RADIUS: f64 = 1e5;

/// What is wrong with the filters of `tree`, whose unit is a millimetre, if anything.
pub fn fault(tree: &Tree) -> Option<String> {
    if tree.filters().is_empty() {
        return None;
    }
    let canvas = f64::from(tree.size().width()) * f64::from(tree.size().height()) * DOTS * DOTS;
    in_group(tree.root(), canvas)
}

fn in_group(group: &Group, canvas: f64) -> Option<String> {
    let scale = f64::from(group.abs_transform().get_scale().0.max(group.abs_transform().get_scale().1));
    let own = group.filters().iter().find_map(|filter| judged(filter, scale, canvas));
    own.or_else(|| group.children().iter().find_map(|node| in_node(node, canvas)))
}

fn in_node(node: &Node, canvas: f64) -> Option<String> {
    let mut found = None;
    node.subroots(|group| found = found.take().or_else(|| in_group(group, canvas)));
    match node {
        Node::Group(group) => found.or_else(|| in_group(group, canvas)),
        _ => found,
    }
}

/// What is wrong with a filter whose units are `scale` millimetres, on a canvas of so many dots.
fn judged(filter: &Filter, scale: f64, canvas: f64) -> Option<String> {
    let count = filter.primitives().len();
    if count > MOST_PRIMITIVES {
        return Some(format!("a filter has {count} primitives; at most {MOST_PRIMITIVES}"));
    }
    let unit = scale * DOTS;
    let region = f64::from(filter.rect().width()) * f64::from(filter.rect().height()) * unit * unit;
    let dots = region.min(canvas * 1.5);
    let mut steps = 0.0;
    for primitive in filter.primitives() {
        let (radius, each) = work(primitive.kind(), unit);
        if radius > MOST_RADIUS {
            return Some("a filter reaches farther than any paper".to_owned());
        }
        steps += dots * each.min(dots.max(1.0) * 4.0);
    }
    (steps > MOST_STEPS).then(|| "a filter is too much work to draw: make its radius or its region smaller".to_owned())
}

/// How far a primitive reaches, in dots, and its steps for each dot.
fn work(kind: &Kind, unit: f64) -> (f64, f64) {
    match kind {
        Kind::GaussianBlur(blur) => (f64::from(blur.std_dev_x().get().max(blur.std_dev_y().get())) * unit, 10.0),
        Kind::DropShadow(shadow) => (f64::from(shadow.std_dev_x().get().max(shadow.std_dev_y().get())) * unit, 12.0),
        Kind::Morphology(morphology) => {
            let (x, y) = (f64::from(morphology.radius_x().get()) * unit, f64::from(morphology.radius_y().get()) * unit);
            (x.max(y), (2.0 * x + 1.0) * (2.0 * y + 1.0))
        }
        Kind::ConvolveMatrix(convolve) => {
            (0.0, f64::from(convolve.matrix().columns()) * f64::from(convolve.matrix().rows()))
        }
        Kind::Turbulence(turbulence) => (0.0, 20.0 * f64::from(turbulence.num_octaves())),
        _ => (0.0, 4.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::Options;

    fn judged(primitives: &str) -> Option<String> {
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='90'><filter id='f'>{primitives}</filter>\
             <rect width='60' height='90' filter='url(#f)'/></svg>"
        );
        fault(&Tree::from_str(&svg, &Options::default()).expect("a drawing"))
    }

    #[test]
    fn usual_filters_pass_and_absurd_ones_are_told() {
        assert_eq!(judged("<feGaussianBlur stdDeviation='2'/><feOffset dx='1'/><feMerge/>"), None);
        assert_eq!(judged("<feMorphology operator='dilate' radius='0.2'/>"), None);
        assert!(judged("<feMorphology operator='dilate' radius='1000'/>").is_some_and(|why| why.contains("too much")));
        assert!(judged("<feGaussianBlur stdDeviation='1e10'/>").is_some_and(|why| why.contains("farther")));
        assert!(judged(&"<feOffset dx='1'/>".repeat(200)).is_some_and(|why| why.contains("primitives")));
    }
}
