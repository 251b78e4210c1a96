//! The log file, and standard error beside it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::fmt::writer::MakeWriterExt;
use tracing_subscriber::{EnvFilter, fmt};

/// Bytes after which the file becomes `signalbox.log.1` and a new one is begun.
const TURN_OVER_AT: u64 = 8 * 1024 * 1024;

/// Where the log of this data directory is.
pub(crate) fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("signalbox.log")
}

/// Starts logging to the file and to standard error; only to the latter when the file cannot be written.
pub(crate) fn start(data_dir: &Path) {
    let filter = || EnvFilter::try_from_env("SIGNALBOX_LOG").unwrap_or_else(|_| EnvFilter::new("info,zbus=warn"));
    let file = std::fs::create_dir_all(data_dir).and_then(|()| LogFile::open(path(data_dir)));
    let started = match file {
        Ok(file) => {
            fmt().with_env_filter(filter()).with_ansi(false).with_writer(Mutex::new(file).and(io::stderr)).try_init()
        }
        Err(_) => fmt().with_env_filter(filter()).with_ansi(false).with_writer(io::stderr).try_init(),
    };
    if let Err(error) = started {
        eprintln!("signalbox: logging could not be started: {error}");
    }
}

/// A file that never grows beyond [`TURN_OVER_AT`] by more than one entry; one older file is kept.
struct LogFile {
    path: PathBuf,
    file: File,
    written: u64,
}

impl LogFile {
    fn open(path: PathBuf) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let written = file.metadata()?.len();
        Ok(Self { path, file, written })
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written >= TURN_OVER_AT {
            std::fs::rename(&self.path, self.path.with_extension("log.1"))?;
            *self = Self::open(self.path.clone())?;
        }
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_file_is_set_aside_and_a_new_one_begun() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = LogFile::open(path(dir.path())).unwrap();
        log.written = TURN_OVER_AT;
        log.write_all(b"first line of the new file\n").unwrap();
        assert!(dir.path().join("signalbox.log.1").exists());
        assert_eq!(std::fs::read_to_string(path(dir.path())).unwrap(), "first line of the new file\n");
    }
}
