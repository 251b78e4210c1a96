//! The test world: a whole engine on virtual time, with a forge, an approval desk and people that do what a test says.
//!
//! ```ignore
//! let mut world = World::new();
//! let id = world.submit();
//! world.run_until(&id, 10402);
//! world.approve(&id);
//! world.settle();
//! world.once(&id);
//! ```
//! Every test file that uses it says `mod support;` at its top.
#![allow(dead_code, unused_imports, reason = "each test file uses another part of the world")]
#![allow(clippy::result_large_err, clippy::needless_pass_by_value, reason = "a test world is read more than it is run")]

pub mod acts;
pub mod clock;
pub mod coverage;
pub mod desk;
pub mod drive;
pub mod fault;
pub mod forge;
pub mod invariants;
pub mod kinds;
pub mod look;
pub mod repo;
pub mod restore;
pub mod stands;
pub mod wire;
pub mod world;

pub use self::{
    acts::{Callback, fields},
    fault::{Fault, Moment},
    forge::model::{Method, Plan, Source},
    kinds::{ORDERS, PROJECT},
    look::Answer,
    stands::{down, refused},
    wire::Entry,
    world::World,
};
