//! `signalboxd`.
fn main() {}
