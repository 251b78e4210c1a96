//! The evidence of one request in one file: what was asked for, what was done, what came in, and the definition it went by.
//! Every row carries a hash over itself and the row before it, so that a changed byte is found.

mod chain;
mod collect;
mod open;
mod secrets;

pub use collect::collect;
pub use open::{Bundle, open};

use chain::Chain;

use crate::store::StoreError;

/// Name and version of the format, in the first row.
const FORMAT: &str = "signalbox-evidence/1";

/// A finished file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The text of the file: one JSON object in each line.
    pub text: String,
    /// Rows, the seal among them.
    pub rows: usize,
    /// The hash of the seal. Whoever keeps it elsewhere can tell later that the whole file is still the same.
    pub digest: String,
    /// Texts that looked like a secret and were left out.
    pub removed: usize,
}

/// Why there is no evidence.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EvidenceError {
    /// Nothing is known of the request.
    #[error("there is no request {0} here")]
    NoOperation(String),
    /// The request moved at every try.
    #[error("request {0} moves too fast to be written down; try again")]
    Moving(String),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}
