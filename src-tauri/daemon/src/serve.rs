//! `signalboxd serve`: the engine until it is told to stop.

use std::io::Write;

use serde_json::json;

use crate::{
    args,
    host::{self, LAST_CALLS, Opening},
    signals::StopSignals,
};

/// Serves. Returns the exit code: 0 after a stop signal, else why nothing was started.
pub async fn serve(args: args::Serve) -> u8 {
    let mut stop = match StopSignals::listen() {
        Ok(stop) => stop,
        Err(error) => {
            eprintln!("The system does not let this process hear stop signals: {error}. Nothing was started.");
            return 2;
        }
    };
    let opening = host::open(Opening { data_dir: args.data_dir, config: args.config, listen: args.listen });
    let running = tokio::select! {
        running = opening => running,
        () = stop.first() => return 0,
    };
    let running = match running {
        Ok(running) => running,
        Err(error) => {
            eprintln!("{error}");
            return error.exit_code;
        }
    };
    let ready = json!({
        "ready": true,
        "url": running.url,
        "api_token": running.api_token,
        "version": env!("CARGO_PKG_VERSION"),
    });
    tell(&ready.to_string());
    stop.first().await;
    tracing::info!("Told to stop: taking no more work, and giving running calls {} seconds.", LAST_CALLS.as_secs());
    running.stop(LAST_CALLS).await;
    tracing::info!("Stopped.");
    0
}

/// Prints the one line that whoever started us waits for. Nobody may be listening, and that is no reason to stop.
pub(crate) fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        tracing::warn!("The ready line could not be written to stdout.");
    }
}
