//! The workflow engine of Signalbox, in reading order.

pub mod adapters;
pub mod flow;
pub mod ports;
pub mod settings;
pub mod store;
pub mod words;
