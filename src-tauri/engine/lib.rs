//! The workflow engine of Signalbox, in reading order.

pub mod adapters; // the other sides of the borders
pub mod api;
pub mod compensation; // work that must follow and may be retried
pub mod documents; // kinds, templates, edits, diffs
pub mod engine; // all of it together
pub mod evidence; // everything about one request in one file, and reading it back
pub mod flow; // what a request can be, and the one table of legal moves
pub mod health; // how the remotes are
pub mod inbox; // what comes in from outside
pub mod ports; // the borders
pub mod reconcile; // agreeing with the remotes: one request, or a sweep
pub mod recovery; // the buttons, each with its consequence
pub mod run; // the loop that takes due requests, runs their stage and commits what came of it
pub mod sentence; // the one sentence of a request
pub mod settings; // signalbox.toml
pub mod stages; // what each stage does at the remotes
pub mod store; // all SQL
pub mod submit; // how a request begins
pub mod words; // sentences in two languages // the table of calls
