//! The transition table against the specification (workflow.md, sections 2 to 4), and what is derived from it.

#[path = "table/charts.rs"]
mod charts;
#[path = "table/codes.rs"]
mod codes;
#[path = "table/moves.rs"]
mod moves;
#[path = "table/shape.rs"]
mod shape;
#[path = "table/specification.rs"]
mod specification;
