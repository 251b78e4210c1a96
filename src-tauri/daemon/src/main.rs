//! `signalboxd`: the engine without a window.
fn main() {}
