//! Signalbox behind an HTTP listener: what the daemon and the desktop shell share. In reading order.

/// The command line.
pub mod args;

/// The log.
pub mod logging;

/// `signalboxd serve`.
pub mod serve;

/// `signalboxd sandbox`.
pub mod practice;

/// `signalboxd check`.
pub mod check;

/// `signalboxd backup`, `verify` and `restore`.
pub mod keep;

/// `signalboxd export` and `import`.
pub mod evidence;

/// Being told to stop.
pub mod signals;

/// What opens it all, and why nothing was started.
pub mod host;

/// The directory of one Signalbox, and the lock on it.
pub mod lock;

/// Where that directory really lies.
pub mod folder;

/// Which settings name a secret.
pub mod secrets;

/// The listener: API, callbacks, stream, UI.
pub mod http;

/// What the listener asks of the engine.
pub mod port;
