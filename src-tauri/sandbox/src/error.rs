//! What can keep the sandbox from starting, as sentences for the person who started it.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Why the sandbox does not start. Each variant reads as one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The port that was asked for belongs to another program.
    #[error(
        "{what} cannot listen on {address}: another program uses this port; choose another port, or 0 for any free one"
    )]
    PortTaken {
        /// Which of the three listeners it was.
        what: &'static str,
        /// The address that was tried.
        address: SocketAddr,
    },
    /// The address cannot be listened on for a reason other than a taken port.
    #[error("{what} cannot listen on {address}: {source}")]
    Listen {
        /// Which of the three listeners it was.
        what: &'static str,
        /// The address that was tried.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// No `git` program on the search path.
    #[error("the sandbox needs the program `git`, and none was found on the search path; install git 2.38 or newer")]
    GitMissing,
    /// `git` is there, but it cannot merge without a working tree.
    #[error("the sandbox needs git 2.38 or newer, and found {found}; install a newer git")]
    GitTooOld {
        /// What `git --version` printed.
        found: String,
    },
    /// The data directory cannot be written.
    #[error("the sandbox cannot write {path}: {source}; choose a directory that you may write to")]
    ReadOnly {
        /// The file or directory that was tried.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another sandbox works in the same data directory.
    #[error("another sandbox already works in {path}; stop it, or choose another data directory")]
    InUse {
        /// The data directory.
        path: PathBuf,
    },
    /// The stored state cannot be read.
    #[error("the stored state {path} cannot be read: {reason}; move the file away to begin anew")]
    State {
        /// The state file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A git command failed while the repositories were prepared.
    #[error("the practice repositories cannot be prepared: {0}")]
    Git(#[from] crate::git::GitError),
    /// The HTTP client for callbacks cannot be built.
    #[error("the client for callbacks cannot be built: {0}")]
    Client(reqwest::Error),
}
