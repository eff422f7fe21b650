//! What repeats and includes, the size of a face, links, and what groups do as a whole.

use super::{Attribute, On};

const LINKING: On = On::These(&["use", "image"]);

/// What repeats, names, keeps and includes.
pub(super) const CONTROL: [Attribute; 4] = [
    Attribute {
        name: "pb:for",
        look: None,
        on: On::Inner,
        takes: "`name in list`",
        without: "once",
        about: "Repeats the element for each item of a list; inside, `loop.index`, `loop.index0`, `loop.first`, `loop.last` and `loop.length` are known.",
        example: r##"<circle pb:for="i in range(3)" cx="{{ 8 + i * 7 }}" cy="8" r="3" fill="#c99a45"/>"##,
    },
    Attribute {
        name: "pb:let",
        look: None,
        on: On::Inner,
        takes: "`name = expression; ...`",
        without: "",
        about: "Names values for the element and all inside it.",
        example: r##"<g pb:let="x = trim.w / 2; r = 6"><circle cx="{{ x }}" cy="20" r="{{ r }}" fill="#2f6690"/></g>"##,
    },
    Attribute {
        name: "pb:if",
        look: None,
        on: On::Inner,
        takes: "an expression",
        without: "kept",
        about: "Keeps the element if the expression is true, or drops it. On one element `pb:for` goes first, then `pb:let`, then `pb:if`.",
        example: r##"<rect pb:if="trim.w > 50" x="4" y="30" width="20" height="8" fill="#7a3f5d"/>"##,
    },
    Attribute {
        name: "pb:include",
        look: None,
        on: On::Every,
        takes: "a path below `templates/`",
        without: "",
        about: "Puts what is inside the root of another template in place of what is inside the element; it sees all names in scope.",
        example: r##"<g pb:include="shared/frame.svg" pb:let="ink = theme.ink"/>"##,
    },
];

/// The size of a face.
pub(super) const FACE: [Attribute; 3] = [
    Attribute {
        name: "viewBox",
        look: None,
        on: On::Root,
        takes: "`0 0` and the trim in mm",
        without: "an error",
        about: "One unit is one millimetre, and the box is the piece as it is cut.",
        example: r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{ trim.w }} {{ trim.h }}"/>"##,
    },
    Attribute {
        name: "width",
        look: None,
        on: On::Root,
        takes: "a length",
        without: "what `viewBox` says",
        about: "Must mean the same as `viewBox`; drawing programs write it.",
        example: r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" width="63mm"/>"##,
    },
    Attribute {
        name: "height",
        look: None,
        on: On::Root,
        takes: "a length",
        without: "what `viewBox` says",
        about: "The same for the height.",
        example: r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" height="88mm"/>"##,
    },
];

/// Links, names and what switches an element off.
pub(super) const PARTS: [Attribute; 5] = [
    Attribute {
        name: "href",
        look: None,
        on: LINKING,
        takes: "of a `<use>` `icon:name` or `#id`; of an `<image>` a file of the project",
        without: "",
        about: "An icon by its name in `[icons]`, its emoji or its file name; a part of the same template; a PNG, JPEG, GIF or WebP.",
        example: r##"<use href="icon:sun" x="5" y="5" width="8" height="8"/>"##,
    },
    Attribute {
        name: "xlink:href",
        look: None,
        on: LINKING,
        takes: "the same",
        without: "",
        about: "The older name of `href`.",
        example: r##"<image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="pictures/leaf.png" width="10" height="10"/>"##,
    },
    Attribute {
        name: "id",
        look: None,
        on: On::Every,
        takes: "a name",
        without: "",
        about: "What `href`, `url(#id)` and `[[preflight.allow]]` call the element.",
        example: r##"<g><circle id="seal" cx="10" cy="10" r="4" fill="#b3261e"/><use href="#seal" x="12"/></g>"##,
    },
    Attribute {
        name: "style",
        look: None,
        on: On::Every,
        takes: "`property: value; ...`",
        without: "",
        about: "Properties, which go before attributes of the same name. `<style>` with simple selectors is understood too.",
        example: r##"<text x="6" y="20" style="font-size:9pt;fill:#33402f">Green Tea</text>"##,
    },
    Attribute {
        name: "display",
        look: None,
        on: On::Every,
        takes: "`none`",
        without: "shown",
        about: "An element with `none` is not printed, like a layer that is hidden in a drawing program.",
        example: r##"<g display="none"><text x="6" y="20">A note for myself</text></g>"##,
    },
];

/// What makes a group act as a whole.
pub(super) const WHOLE: [Attribute; 6] = [
    Attribute {
        name: "opacity",
        look: None,
        on: On::Every,
        takes: "0 to 1",
        without: "`1`",
        about: "All of the group is mixed with what is below it.",
        example: r##"<g opacity="0.5"><text x="6" y="20">Pale</text></g>"##,
    },
    Attribute {
        name: "clip-path",
        look: None,
        on: On::Every,
        takes: "`none`, `url(#id)`",
        without: "`none`",
        about: "Only what is inside of the path shows.",
        example: r##"<g><clipPath id="window"><circle cx="20" cy="20" r="9"/></clipPath><g clip-path="url(#window)"><text x="12" y="21">Seen through a hole</text></g></g>"##,
    },
    Attribute {
        name: "mask",
        look: None,
        on: On::Every,
        takes: "`none`, `url(#id)`",
        without: "`none`",
        about: "The brightness of another drawing says how much shows.",
        example: r##"<g><mask id="fade"><rect width="40" height="40" fill="#999999"/></mask><g mask="url(#fade)"><text x="6" y="20">Faint</text></g></g>"##,
    },
    Attribute {
        name: "filter",
        look: None,
        on: On::Every,
        takes: "`none`, a filter",
        without: "`none`",
        about: "Blurs and shadows; they are printed as a picture of 600 dpi.",
        example: r##"<g><filter id="soft"><feGaussianBlur stdDeviation="0.2"/></filter><g filter="url(#soft)"><text x="6" y="20">Soft</text></g></g>"##,
    },
    Attribute {
        name: "mix-blend-mode",
        look: None,
        on: On::Every,
        takes: "`normal`, SVG's modes",
        without: "`normal`",
        about: "How colours are mixed with those below.",
        example: r##"<g style="mix-blend-mode:multiply"><text x="6" y="20">Ink</text></g>"##,
    },
    Attribute {
        name: "isolation",
        look: None,
        on: On::Every,
        takes: "`auto`, `isolate`",
        without: "`auto`",
        about: "With `isolate`, what is inside of the group is mixed with nothing below it.",
        example: r##"<g style="isolation:isolate"><rect x="6" y="16" width="9" height="4" fill="#c99a45"/><g style="mix-blend-mode:multiply"><text x="6" y="20">Ink</text></g></g>"##,
    },
];

/// Elements that paint something of their own.
pub const PAINTED: [&str; 8] = ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image"];

/// Elements that draw nothing by themselves; they serve every drawing of the face.
pub const DEFINITIONS: [&str; 10] =
    ["defs", "linearGradient", "radialGradient", "clipPath", "mask", "pattern", "filter", "symbol", "marker", "style"];

/// Elements that hold information about the drawing, not drawing.
pub const SILENT: [&str; 5] = ["title", "desc", "metadata", "script", "namedview"];

/// Elements of other programs for text, which are errors.
pub const REFUSED: [&str; 2] = ["flowRoot", "foreignObject"];

/// Elements that may stand in a text.
pub const SPANS: [&str; 2] = ["tspan", "a"];
