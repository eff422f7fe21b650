//! Pictures of faces.
