//! `signalboxd check`: looks whether everything that is set can work, and changes nothing.

mod accounts;
mod approval;
mod finding;
mod gitlab;
mod projects;
mod reader;

pub use finding::{Finding, Findings, Level};
pub use projects::Aim;
