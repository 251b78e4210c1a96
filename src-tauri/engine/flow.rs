//! What a request can be and what may happen to it: the one table, and what is derived from it.

pub mod actor;
pub mod chart;
pub mod event;
pub mod replay;
pub mod status;
pub mod table;

pub use actor::{Actor, ActorKind};
pub use event::Event;
pub use status::{Outlook, Stage, Status, Step};
pub use table::{Cause, Guard, Move};
