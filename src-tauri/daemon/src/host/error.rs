//! Why nothing was started.

use std::{fmt, io, net::SocketAddr};

/// Why nothing was started: every finding, one sentence each, and the exit code that stands for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartError {
    /// 2 when something that is set cannot be used, 3 when another process owns the data directory.
    pub exit_code: u8,
    /// What was found.
    pub findings: Vec<String>,
}

impl StartError {
    /// Something that is set cannot be used.
    #[must_use]
    pub fn unusable(findings: Vec<String>) -> Self {
        Self { exit_code: 2, findings }
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

impl From<crate::lock::LockError> for StartError {
    fn from(error: crate::lock::LockError) -> Self {
        let exit_code = match error {
            crate::lock::LockError::Held { .. } => 3,
            crate::lock::LockError::Unusable { .. } => 2,
        };
        Self { exit_code, findings: vec![error.to_string()] }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.findings.join("\n"))
    }
}

impl std::error::Error for StartError {}
