//! The engine behind an HTTP listener.
