//! `signalboxd sandbox`: the practice remotes until they are told to stop.

use std::{fs, path::Path, time::Duration};

use serde_json::Value;
use signalbox_sandbox::Options;

use crate::{args, serve::tell, signals::StopSignals};

/// The file that says where the practice remotes are, for a console that runs beside them.
const NOTE: &str = "sandbox.json";

/// Where the practice remotes are that run on this folder, when they do.
#[must_use]
pub fn beside(folder: &Path) -> Option<Value> {
    serde_json::from_str(&fs::read_to_string(folder.join(NOTE)).ok()?).ok()
}

/// Runs the practice remotes. Returns the exit code.
pub async fn practise(args: args::Sandbox) -> u8 {
    let mut stop = match StopSignals::listen() {
        Ok(stop) => stop,
        Err(error) => {
            eprintln!("The system does not let this process hear stop signals: {error}. Nothing was started.");
            return 2;
        }
    };
    let options = Options {
        listen: args.listen_ip,
        gitlab_port: args.gitlab_port,
        desk_port: args.desk_port,
        panel_port: args.panel_port,
        pipeline_seconds: args.pipeline_seconds,
        deploy_seconds: args.deploy_seconds,
        auto_approve: args.auto_approve.map(Duration::from_secs_f64),
        callback_base: args.callback_base,
        ..Options::default()
    };
    match signalbox_sandbox::start(&args.data_dir, options).await {
        Ok(sandbox) => {
            let note = args.data_dir.join(NOTE);
            if let Err(error) = fs::write(&note, sandbox.addresses().to_string()) {
                tracing::warn!(
                    "{} cannot be written: {error}. The console will not show where the practice remotes are.",
                    note.display()
                );
            }
            tell(&sandbox.ready_json().to_string());
            stop.first().await;
            sandbox.stop().await;
            // It may never have been written, and a stale one only leads to a page that is not there.
            let _ = fs::remove_file(&note);
            0
        }
        Err(error) => {
            eprintln!("{error}");
            2
        }
    }
}
