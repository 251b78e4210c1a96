//! `signalboxd backup`, `verify` and `restore`: whole copies of the store, looking at one, and putting one back.

use std::path::{Path, PathBuf};

use signalbox_engine::{
    ports::clock::{Clock as _, SystemClock},
    store::{backup, verify},
};

use crate::{args, host::StartError, lock::DataDir};

/// Copies the store, also while `serve` runs. Returns the exit code: 2 when nothing was written.
pub async fn back_up(args: args::Backup) -> u8 {
    match backup::copy(&backup::store_of(&args.data_dir), &args.file).await {
        Ok(bytes) => {
            println!("{} holds the whole store: {bytes} bytes, checked and on the disk.", args.file.display());
            0
        }
        Err(error) => refused(&format!("{error}.")),
    }
}

/// Looks at a store or a backup and changes nothing. Returns the exit code: 1 when something does not hold.
pub async fn verify(args: args::Verify) -> u8 {
    let file = match (args.file, args.data_dir) {
        (Some(file), _) => file,
        (None, Some(dir)) => backup::store_of(&dir),
        (None, None) => return refused("Name a FILE, or a directory with --data-dir. Nothing was looked at."),
    };
    let report = match verify::verify(&file).await {
        Ok(report) => report,
        Err(error) => return refused(&format!("{error}. Nothing was found out.")),
    };
    for fault in report.faults.iter().chain(&report.rules) {
        println!("fault: {fault}");
    }
    if report.faults.is_empty() && report.rules.is_empty() {
        println!(
            "{} holds together: {} requests, whose {} moves lead to what is stored (schema {}).",
            file.display(),
            report.operations,
            report.moves,
            report.schema
        );
        return 0;
    }
    println!("{} does not hold together; it was left as it is.", file.display());
    1
}

/// Puts a backup in the place of the store. Returns the exit code: 2 when nothing was changed, 3 when a process has it open.
pub async fn restore(args: args::Restore) -> u8 {
    let dir = match DataDir::own(&args.data_dir).await {
        Ok(dir) => dir,
        Err(error) => {
            let error = StartError::from(error);
            eprintln!("{error}");
            return error.exit_code;
        }
    };
    let Some(file) = wanted(dir.path(), args.file).await else {
        return refused(&format!(
            "There is no good backup in {}. Name one as FILE. Nothing was changed.",
            dir.path().display()
        ));
    };
    match backup::restore(dir.path(), &file, SystemClock.now().timestamp_millis()).await {
        Ok(restored) => {
            println!("{} is in place, with {} requests.", file.display(), restored.operations);
            if let Some(aside) = restored.aside {
                println!("What was there is kept as {}.", aside.display());
            }
            println!("The next start reads the remotes before it goes on with anything.");
            0
        }
        Err(error) => refused(&format!("{error}.")),
    }
}

/// The file that was named, or the newest backup that is whole.
async fn wanted(data_dir: &Path, file: Option<PathBuf>) -> Option<PathBuf> {
    match file {
        Some(file) => Some(file),
        None => backup::last_good(data_dir).await.map(|good| good.file),
    }
}

fn refused(sentence: &str) -> u8 {
    eprintln!("{sentence}");
    2
}
