//! The workflow engine of Signalbox, in reading order.

pub mod adapters;
pub mod ports;
pub mod settings;
