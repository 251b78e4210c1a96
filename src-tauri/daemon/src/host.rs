//! Opens a Signalbox: data directory, settings, change kinds, secrets, listener, engine. For the daemon and the desktop shell.

mod error;

pub use error::StartError;
