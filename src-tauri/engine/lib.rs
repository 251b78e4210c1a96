//! The workflow engine of Signalbox.
