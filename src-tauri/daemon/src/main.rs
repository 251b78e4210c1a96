//! `signalboxd`: Signalbox without a window.

use std::process::ExitCode;

use clap::Parser;
use signalboxd::{
    args::{Command, Line},
    check, evidence, keep, logging, practice, serve,
};

#[tokio::main]
async fn main() -> ExitCode {
    let line = Line::parse();
    logging::start();
    ExitCode::from(match line.command {
        Command::Serve(args) => serve::serve(args).await,
        Command::Sandbox(args) => practice::practise(args).await,
        Command::Check(args) => check::check(args).await,
        Command::Backup(args) => keep::back_up(args).await,
        Command::Verify(args) => keep::verify(args).await,
        Command::Restore(args) => keep::restore(args).await,
        Command::Export(args) => evidence::export(args).await,
        Command::Import(args) => evidence::import(args).await,
    })
}
