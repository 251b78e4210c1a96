//! Tokens and signing secrets: made once for each data directory, kept in files that only their owner may read.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rand::RngExt as _;

use crate::accounts::{ACCOUNTS, Account};
use crate::error::SandboxError;

/// The secret that signs approval callbacks.
pub(crate) const APPROVAL_SECRET: &str = "approval-secret";
/// The secret that signs deploy callbacks.
pub(crate) const DEPLOY_SECRET: &str = "deploy-secret";
/// The token of the approval desk.
pub(crate) const DESK_TOKEN: &str = "approval-token";
/// The secret of GitLab's own hooks.
pub(crate) const HOOK_SECRET: &str = "gitlab-hook";
/// People who may use Signalbox's API besides the operator.
pub(crate) const PEOPLE: &[&str] = &["alice", "bob"];

/// All secrets by the name of their file.
pub(crate) struct Secrets {
    dir: PathBuf,
    values: BTreeMap<String, String>,
}

impl Secrets {
    /// Reads the secrets of a data directory and makes those that are missing.
    pub(crate) fn open(dir: &Path) -> Result<Self, SandboxError> {
        let dir = dir.join("secrets");
        let failed = |path: &Path, source| SandboxError::ReadOnly { path: path.to_owned(), source };
        std::fs::create_dir_all(&dir).map_err(|source| failed(&dir, source))?;
        restrict(&dir, 0o700).map_err(|source| failed(&dir, source))?;
        let mut values = BTreeMap::new();
        let mut want = |name: String, fresh: fn() -> String| {
            let path = dir.join(&name);
            let value = keep(&path, fresh).map_err(|source| failed(&path, source))?;
            values.insert(name, value);
            Ok::<(), SandboxError>(())
        };
        for name in ACCOUNTS.iter().filter_map(|account| account.secret) {
            want(name.to_owned(), || format!("glpat-{}", word()))?;
        }
        want(DESK_TOKEN.to_owned(), || format!("desk-{}", word()))?;
        want(HOOK_SECRET.to_owned(), word)?;
        for name in [APPROVAL_SECRET, DEPLOY_SECRET] {
            want(name.to_owned(), || format!("whsec_{}", STANDARD.encode(rand::rng().random::<[u8; 24]>())))?;
        }
        for name in PEOPLE {
            want(format!("person-{name}"), || format!("person-{}", word()))?;
        }
        Ok(Self { dir, values })
    }

    pub(crate) fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The account that a GitLab token belongs to.
    pub(crate) fn account(&self, token: &str) -> Option<&'static Account> {
        ACCOUNTS.iter().find(|account| account.secret.is_some_and(|name| self.value(name) == token))
    }
}

/// Letters and digits that nobody guesses.
pub(crate) fn word() -> String {
    rand::rng().sample_iter(rand::distr::Alphanumeric).take(24).map(char::from).collect()
}

/// Hexadecimal digits that nobody guesses.
pub(crate) fn hex(bytes: usize) -> String {
    (0..bytes).map(|_| format!("{:02x}", rand::rng().random::<u8>())).collect()
}

fn keep(path: &Path, fresh: fn() -> String) -> std::io::Result<String> {
    match std::fs::read_to_string(path) {
        Ok(value) if !value.trim().is_empty() => return Ok(value.trim().to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let value = fresh();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(format!("{value}\n").as_bytes())?;
    restrict(path, 0o600)?;
    Ok(value)
}

#[cfg(unix)]
fn restrict(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn restrict(_path: &Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}
