//! The PDF taken apart by lopdf.
