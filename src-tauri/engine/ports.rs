//! The borders of the engine: traits where there really are two sides, and the facts that cross them.

pub mod approval;
pub mod chance;
pub mod clock;
pub mod error;
pub mod forge;
pub mod journal;
pub mod secrets;
