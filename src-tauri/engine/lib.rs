//! The workflow engine of Signalbox.

pub mod documents;
