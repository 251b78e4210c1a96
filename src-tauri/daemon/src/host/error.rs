//! Why nothing was started.

use std::{fmt, io, net::SocketAddr, path::PathBuf};

use signalbox_engine::store::StoreError;

/// Why nothing was started: every finding, one sentence each, and the exit code that stands for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartError {
    /// 2 when something that is set cannot be used, 3 when another process owns the data directory.
    pub exit_code: u8,
    /// What was found.
    pub findings: Vec<String>,
    /// The store, where it cannot be read any more.
    pub damaged: Option<DamagedStore>,
}

/// A store that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedStore {
    /// The file; it was left as it is.
    pub file: PathBuf,
    /// What the database found.
    pub what: String,
}

impl StartError {
    /// Something that is set cannot be used.
    #[must_use]
    pub fn unusable(findings: Vec<String>) -> Self {
        Self { exit_code: 2, findings, damaged: None }
    }

    /// One thing that is set cannot be used.
    #[must_use]
    pub fn one(finding: String) -> Self {
        Self::unusable(vec![finding])
    }

    /// The address cannot be listened on.
    #[must_use]
    pub fn listen(at: SocketAddr, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "is taken by another program. Stop that one, or name another port with --listen".into()
            }
            io::ErrorKind::AddrNotAvailable => {
                "is no address of this machine. Name one that it has with --listen, such as 127.0.0.1:0".into()
            }
            io::ErrorKind::PermissionDenied => {
                "may not be used by this user. Name a port above 1023 with --listen".into()
            }
            _ => format!("cannot be listened on: {error}"),
        };
        Self::unusable(vec![format!("The address {at} {why}. Nothing was started.")])
    }
}

impl From<StoreError> for StartError {
    fn from(error: StoreError) -> Self {
        let mut start = Self::one(format!("{error}. Nothing was started."));
        if let StoreError::Damaged { file, what, .. } = error {
            start.damaged = Some(DamagedStore { file: file.into(), what });
        }
        start
    }
}

impl From<crate::lock::LockError> for StartError {
    fn from(error: crate::lock::LockError) -> Self {
        let exit_code = match error {
            crate::lock::LockError::Held { .. } => 3,
            crate::lock::LockError::Unusable { .. } => 2,
        };
        Self { exit_code, findings: vec![error.to_string()], damaged: None }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.findings.join("\n"))
    }
}

impl std::error::Error for StartError {}
