//! Faces as SVG.
