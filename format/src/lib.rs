//! The wire level of rmlir's binary formats: cursors, variable-length integers, sections, checksums.
