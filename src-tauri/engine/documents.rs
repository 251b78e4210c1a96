//! Change kinds, the files that a change writes, and what differs between two versions of anything.
//!
//! Pure: nothing here knows a network, a clock or a database. The one file access is reading the directory of kinds.

pub mod edit;
pub mod field_diff;
pub mod file_diff;
pub mod kinds;
pub mod render;
pub mod text;
