//! The command line.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use clap::{Args, Parser, Subcommand};

/// Signalbox without a window: takes configuration changes from a request to a merged and deployed merge request.
#[derive(Debug, Parser)]
#[command(name = "signalboxd", version, propagate_version = true)]
pub struct Line {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `signalboxd` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the engine with its API, its callbacks and the console for a browser.
    ///
    /// Prints one line of JSON on stdout when it is ready (url, api_token, version) and logs on stderr; SIGNALBOX_LOG sets
    /// what is logged. SIGTERM or Ctrl-C stops it: running remote calls may end within 3 seconds. Exit 2 when it cannot be
    /// started as set, 3 when another process owns the data directory.
    Serve(Serve),
    /// Run practice remotes: a GitLab look-alike, an approval desk, a deploy pipeline.
    ///
    /// Writes DIR/signalbox.toml and DIR/kinds/ to be used by `signalboxd serve --config`, and prints one line of JSON on
    /// stdout when it is ready.
    Sandbox(Sandbox),
    /// Look whether everything that is set can work. Changes nothing.
    ///
    /// Reads settings, change kinds and secrets, asks every remote, and prints one line for each finding: `ok`, `warning` or
    /// `fault`. Exit 1 when there is a fault, 2 when the settings cannot be read.
    Check(Check),
    /// Copy the store into one file, also while `serve` runs.
    ///
    /// The file appears only when it is whole, checked and on the disk; one that is there already is left as it is. Exit 2
    /// when nothing was written.
    Backup(Backup),
    /// Look whether a store or a backup holds together. Changes nothing.
    ///
    /// Reads every page, and replays every history to the state that is stored. Exit 1 when something does not hold.
    Verify(Verify),
    /// Put a backup in the place of the store. What was there is kept beside it.
    ///
    /// Stop `serve` first. Exit 2 when nothing was changed, 3 when another process owns the data directory.
    Restore(Restore),
    /// Write everything about one request into one file whose rows are sealed, also while `serve` runs.
    Export(Export),
    /// Read a file that `export` wrote: is every byte as it was, and does its history lead to the state it tells?
    ///
    /// Changes nothing. Exit 1 when the file is not as it was written.
    Import(Import),
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Directory of the store, made when missing.
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,
    /// Settings file; change kinds are read from `kinds/` beside it [default: DIR/signalbox.toml].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes any free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
}

/// Arguments of `sandbox`.
#[derive(Debug, Args)]
pub struct Sandbox {
    /// Directory of the repositories and of the settings that are written, made when missing.
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,
    /// Address that the three listeners use.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen_ip: IpAddr,
    /// Port of the GitLab look-alike; 0 takes any free one [default: that of the last run].
    #[arg(long, value_name = "PORT")]
    pub gitlab_port: Option<u16>,
    /// Port of the approval desk; 0 takes any free one [default: that of the last run].
    #[arg(long, value_name = "PORT")]
    pub desk_port: Option<u16>,
    /// Port of the control panel; 0 takes any free one [default: that of the last run].
    #[arg(long, value_name = "PORT")]
    pub panel_port: Option<u16>,
    /// How long a pipeline takes.
    #[arg(long, value_name = "SECONDS", default_value_t = 6.0, value_parser = seconds)]
    pub pipeline_seconds: f64,
    /// How long after a merge the deploy calls back.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    pub deploy_seconds: f64,
    /// Let the desk approve by itself after this time [default: a person decides].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub auto_approve: Option<f64>,
    /// Where Signalbox answers, for deploy results before the first ticket [default: learned from the newest ticket].
    #[arg(long, value_name = "URL")]
    pub callback_base: Option<String>,
}

/// A time in seconds; fractions are allowed.
fn seconds(text: &str) -> Result<f64, String> {
    let day = 86_400.0;
    text.parse().ok().filter(|n| (0.0..=day).contains(n)).ok_or_else(|| format!("a number of seconds from 0 to {day}"))
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Directory of the store.
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,
    /// Settings file; change kinds are read from `kinds/` beside it [default: DIR/signalbox.toml].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Arguments of `backup`.
#[derive(Debug, Args)]
pub struct Backup {
    /// The file to write.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Directory of the store.
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The store or backup [default: the store of the data directory].
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Directory of the store.
    #[arg(long, value_name = "DIR", required_unless_present = "file")]
    pub data_dir: Option<PathBuf>,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub struct Restore {
    /// The backup [default: the newest in the data directory that is whole].
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Directory of the store.
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The request.
    #[arg(value_name = "OPERATION_ID")]
    pub operation_id: String,
    /// Directory of the store.
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,
    /// The file to write; one that is there already is left as it is [default: stdout].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct Import {
    /// The file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Directory of a store to compare the history with.
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}
