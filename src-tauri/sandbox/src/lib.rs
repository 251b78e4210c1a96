//! The practice remotes.
