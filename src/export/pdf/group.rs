//! Groups: opacity, blending, clips and masks.

use lopdf::dictionary;
use resvg::usvg;

use super::canvas::{Bounds, Canvas};
use super::clip::Clip;
use super::notes::What;
use super::paths::affine;
use super::resource::Piece;
use crate::geometry::Affine;

impl Canvas<'_> {
    /// Paints a group that stands in something mapped by `place`.
    pub(super) fn group(&mut self, node: &usvg::Node, group: &usvg::Group, place: Affine) {
        if !group.filters().is_empty() {
            self.picture(
                node,
                Bounds::around(group.layer_bounding_box().to_rect(), inner(group, place)),
                place,
                "a filter",
            );
            return;
        }
        let place = inner(group, place);
        let part = self.parts.filter(|_| self.dim >= 1.0).and_then(|parts| parts.find(group));
        if let Some(part) = part {
            self.part_at(part, place);
        } else if !group.should_isolate() {
            self.nodes(group.children(), place);
        } else if group.opacity().get() > 0.0 {
            self.isolated(group, place);
        }
    }

    fn isolated(&mut self, group: &usvg::Group, place: Affine) {
        let clip = match group.clip_path() {
            None => Clip::default(),
            Some(clip) => match self.clip(clip, place) {
                Some(clip) => clip,
                None => return,
            },
        };
        let mask = match group.mask() {
            None => None,
            Some(mask) => match self.mask(mask, place) {
                Some(mask) => Some(mask),
                None => return,
            },
        };
        self.save();
        self.cut(&clip);
        let masks: Vec<Piece> = clip.masks.into_iter().chain(mask).collect();
        self.composed(group, place, masks);
        self.restore();
    }

    /// Paints the children: as they are where nothing else is asked for, else put together first.
    fn composed(&mut self, group: &usvg::Group, place: Affine, masks: Vec<Piece>) {
        let opacity = f64::from(group.opacity().get());
        let blend = self.blend_name(group.blend_mode());
        let plain = masks.is_empty() && blend.is_none();
        if plain && opacity >= 1.0 && !blends(group) {
            self.nodes(group.children(), place);
        } else if plain && paints_once(group) {
            let outer = self.dim;
            self.dim *= opacity;
            self.nodes(group.children(), place);
            self.dim = outer;
        } else {
            self.layer(group, place, masks, opacity, blend);
        }
    }

    fn layer(
        &mut self,
        group: &usvg::Group,
        place: Affine,
        masks: Vec<Piece>,
        opacity: f64,
        blend: Option<&'static str>,
    ) {
        let reach = Bounds::around(group.layer_bounding_box().to_rect(), place).outset(0.5);
        let Some(bounds) = reach.common(self.bounds) else { return };
        let mut canvas = self.part(bounds, self.ink);
        canvas.nodes(group.children(), place);
        let (form, notes) = canvas.into_form(true);
        self.notes.extend(notes);
        self.set_alpha(opacity * self.dim);
        if let Some(blend) = blend {
            self.apply(Piece { dict: dictionary! { "BM" => blend }, ..Piece::default() });
        }
        self.transparent = true;
        self.paint_masked(form, masks);
    }

    /// PDF's word for a way of blending; none for the normal one.
    pub(super) fn blend_name(&mut self, mode: usvg::BlendMode) -> Option<&'static str> {
        match mode {
            usvg::BlendMode::Normal => None,
            usvg::BlendMode::Multiply => Some("Multiply"),
            usvg::BlendMode::Screen => Some("Screen"),
            usvg::BlendMode::Overlay => Some("Overlay"),
            usvg::BlendMode::Darken => Some("Darken"),
            usvg::BlendMode::Lighten => Some("Lighten"),
            usvg::BlendMode::ColorDodge => Some("ColorDodge"),
            usvg::BlendMode::ColorBurn => Some("ColorBurn"),
            usvg::BlendMode::HardLight => Some("HardLight"),
            usvg::BlendMode::SoftLight => Some("SoftLight"),
            usvg::BlendMode::Difference => Some("Difference"),
            usvg::BlendMode::Exclusion => Some("Exclusion"),
            usvg::BlendMode::Hue => Some("Hue"),
            usvg::BlendMode::Saturation => Some("Saturation"),
            usvg::BlendMode::Color => Some("Color"),
            usvg::BlendMode::Luminosity => Some("Luminosity"),
            usvg::BlendMode::PlusLighter => {
                self.notes.add(What::Nearly("`plus-lighter` was drawn as `screen`"));
                Some("Screen")
            }
        }
    }
}

fn inner(group: &usvg::Group, place: Affine) -> Affine {
    place.then_inner(affine(group.transform()))
}

/// Whether anything in a group blends with what lies below it.
fn blends(group: &usvg::Group) -> bool {
    group.children().iter().any(|node| match node {
        usvg::Node::Group(group) => group.blend_mode() != usvg::BlendMode::Normal || blends(group),
        usvg::Node::Path(_) | usvg::Node::Image(_) | usvg::Node::Text(_) => false,
    })
}

/// Whether a group paints every place at most once, so that its opacity can be that of its paint.
fn paints_once(group: &usvg::Group) -> bool {
    match group.children() {
        [usvg::Node::Path(path)] => path.fill().is_some() != path.stroke().is_some(),
        [usvg::Node::Image(image)] => !matches!(image.kind(), usvg::ImageKind::SVG(_)),
        [usvg::Node::Group(only)] => !only.should_isolate() && paints_once(only),
        _ => false,
    }
}
