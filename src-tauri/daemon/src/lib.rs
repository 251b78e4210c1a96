//! Signalbox behind an HTTP listener: what the daemon and the desktop shell share.

/// The directory of one Signalbox, and the lock on it.
pub mod lock;

/// What the listener asks of the engine.
pub mod port;

/// The listener: API, callbacks, stream, UI.
pub mod http;

/// Which settings name a secret.
pub mod secrets;

/// Why nothing was started, and what opens it all.
pub mod host;

/// Looks whether everything that is set can work.
pub mod check;
