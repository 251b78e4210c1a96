//! `signalboxd sandbox`: the practice remotes until they are told to stop.

use std::time::Duration;

use signalbox_sandbox::Options;

use crate::{args, serve::tell, signals::StopSignals};

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
            tell(&sandbox.ready_json().to_string());
            stop.first().await;
            sandbox.stop().await;
            0
        }
        Err(error) => {
            eprintln!("{error}");
            2
        }
    }
}
