//! `signalboxd export` and `import`: the evidence of one request as a file, and reading such a file.

use std::{fs::OpenOptions, io::Write as _, path::Path};

use serde_json::Value;
use signalbox_engine::{
    evidence::{self, Bundle},
    ports::clock::{Clock as _, SystemClock},
    store::Store,
};

use crate::args;

/// Writes the evidence of a request, also while `serve` runs. Returns the exit code: 2 when nothing was written.
pub async fn export(args: args::Export) -> u8 {
    let store = match Store::look(&args.data_dir) {
        Ok(store) => store,
        Err(error) => return refused(&format!("{error}. Nothing was written.")),
    };
    let now = SystemClock.now().timestamp_millis();
    let evidence = match evidence::collect(&store, &args.operation_id, now).await {
        Ok(evidence) => evidence,
        Err(error) => return refused(&format!("{error}. Nothing was written.")),
    };
    let Some(file) = args.out else {
        // Whoever reads the pipe may have gone; there is nobody left to tell.
        drop(std::io::stdout().lock().write_all(evidence.text.as_bytes()));
        return 0;
    };
    if let Err(error) = write_new(&file, &evidence.text) {
        return refused(&format!("{} was not written: {error}. Name another file with --out.", file.display()));
    }
    println!("{} holds {} rows. Keep this digest elsewhere: {}", file.display(), evidence.rows, evidence.digest);
    if evidence.removed > 0 {
        println!("{} texts that looked like a secret were left out.", evidence.removed);
    }
    0
}

/// Evidence is never overwritten.
fn write_new(file: &Path, text: &str) -> std::io::Result<()> {
    let mut new = OpenOptions::new().write(true).create_new(true).open(file)?;
    new.write_all(text.as_bytes())?;
    new.sync_all()
}

/// Reads a file of evidence and replays its history. Returns the exit code: 1 when it is not as it was written.
pub async fn import(args: args::Import) -> u8 {
    let bytes = match std::fs::read(&args.file) {
        Ok(bytes) => bytes,
        Err(error) => return refused(&format!("{} cannot be read: {error}.", args.file.display())),
    };
    let bundle = match evidence::open(&bytes) {
        Ok(bundle) => bundle,
        Err(fault) => {
            println!("{} is not as it was written: {fault}.", args.file.display());
            return 1;
        }
    };
    tell(&args.file, &bundle);
    match &args.data_dir {
        Some(dir) => compare(dir, &bundle).await,
        None => 0,
    }
}

fn tell(file: &Path, bundle: &Bundle) {
    let (subject, target) = &bundle.relation;
    for row in &bundle.history {
        println!("{}", line(row));
    }
    println!(
        "{} holds request {} ({}: {subject}, {target}) as version {} of the program exported it at {}.",
        file.display(),
        bundle.operation_id,
        bundle.kind,
        bundle.program,
        bundle.exported_at
    );
    println!("All {} rows are as they were written; the digest is {}", bundle.rows, bundle.digest);
    println!(
        "Its history, replayed by the definition in the file, leads to {} {} version {}, as it tells.",
        bundle.end.step, bundle.end.status, bundle.end.version
    );
    if !bundle.our_definition {
        println!("That definition is not the one of this version of the program.");
    }
    if bundle.removed > 0 {
        println!("{} texts that looked like a secret were left out when it was written.", bundle.removed);
    }
}

/// One row of history in one line.
fn line(row: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let from = row["from"]["step"].as_i64().map_or_else(|| "start".into(), |step| step.to_string());
    format!(
        "{:>4}  {}  {} -> {}  {}  {} {}  {}",
        row["seq"],
        word(&row["at"]),
        from,
        row["to"]["step"],
        word(&row["event"]),
        word(&row["actor"]["kind"]),
        word(&row["actor"]["name"]),
        word(&row["reason"]["text"])
    )
    .trim_end()
    .to_owned()
}

/// Is it the history that the store holds as well?
async fn compare(dir: &Path, bundle: &Bundle) -> u8 {
    let held = match Store::look(dir) {
        Ok(store) => match store.history(&bundle.operation_id).await {
            Ok(held) => held,
            Err(error) => return refused(&format!("{error}. The store was not compared.")),
        },
        Err(error) => return refused(&format!("{error}. The store was not compared.")),
    };
    let dir = dir.display();
    if held.is_empty() {
        println!("The store in {dir} holds no such request.");
        return 0;
    }
    let same = bundle.history.iter().zip(&held).take_while(|(told, held)| {
        told["event"] == held.event && told["to"]["step"] == held.to.0 && told["to"]["status"] == held.to.1
    });
    match same.count() {
        n if n == bundle.history.len() => {
            println!("The store in {dir} holds the same {n} rows of history, and {} after them.", held.len() - n);
            0
        }
        n => {
            println!("The store in {dir} holds another history from row {} on.", n + 1);
            1
        }
    }
}

fn refused(sentence: &str) -> u8 {
    eprintln!("{sentence}");
    2
}
