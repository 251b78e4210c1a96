//! The log: text on stderr.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// The variable that says what is logged, such as `debug` or `signalbox_engine=debug`.
const VARIABLE: &str = "SIGNALBOX_LOG";

/// Libraries that could write a header or a body at their most talkative: never below this.
const KEPT_QUIET: [&str; 5] = ["hyper=info", "hyper_util=info", "h2=info", "rustls=info", "reqwest=info"];

/// Starts the log. A filter that cannot be read is told, and `info` is used instead.
pub fn start() {
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    let read = if wanted.trim().is_empty() { Ok(EnvFilter::new("info")) } else { EnvFilter::try_new(&wanted) };
    let (filter, wrong) = match read {
        Ok(filter) => (filter, None),
        Err(error) => (EnvFilter::new("info"), Some(error)),
    };
    let filter = KEPT_QUIET.iter().filter_map(|d| d.parse().ok()).fold(filter, EnvFilter::add_directive);
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    if let Some(error) = wrong {
        tracing::warn!(
            "{VARIABLE} is no log filter ({error}). `info` is used; write a level such as `debug`, or `target=level`."
        );
    }
}
