//! Opening a file of evidence: is it as it was written, and does its history lead to the state that it tells?

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{FORMAT, chain};
use crate::flow::{
    chart,
    replay::{Definition, End, Past, replay},
};

/// A file of evidence that is as it was written, and whose history leads to the state it tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// Which request.
    pub operation_id: String,
    /// Its change kind.
    pub kind: String,
    /// Its relation: subject and target.
    pub relation: (String, String),
    /// When it was exported.
    pub exported_at: String,
    /// By which version of the program.
    pub program: String,
    /// Rows, the seal among them.
    pub rows: usize,
    /// Hash of the seal.
    pub digest: String,
    /// Texts that were left out because they looked like a secret.
    pub removed: u64,
    /// Where the history leads.
    pub end: End,
    /// The history as it was told, one value for each row.
    pub history: Vec<Value>,
    /// Does the file carry the table that this program has?
    pub our_definition: bool,
}

/// Reads a file of evidence. The sentence says what is not as it was written.
pub fn open(bytes: &[u8]) -> Result<Bundle, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("byte {} is not as it was written: it is no text", error.valid_up_to() + 1))?;
    let (rows, digest) = chain::read(text)?;
    let one = |is: &str| {
        rows.iter().find(|row| row.is == is).map(|row| &row.data).ok_or_else(|| format!("there is no row `{is}`"))
    };
    let (head, request) = (one("head")?, one("request")?);
    if head["format"] != FORMAT {
        return Err(format!("its format is {}, and this program reads {FORMAT}", head["format"]));
    }
    let told = one("definition")?;
    let definition = Told::read(told)?;
    let history: Vec<Value> = rows.iter().filter(|row| row.is == "history").map(|row| row.data.clone()).collect();
    let past = history.iter().map(past).collect::<Option<Vec<_>>>().ok_or("a row of the history is incomplete")?;
    let end = replay(&past, &definition)?;
    let is = (&request["version"], &request["step"], &request["status"]);
    if is != (&json!(end.version), &json!(end.step), &json!(end.status)) {
        return Err(format!(
            "its history leads to {} {} version {}, and it tells {} {} version {}",
            end.step, end.status, end.version, is.1, is.2, is.0
        ));
    }
    Ok(Bundle {
        operation_id: word(&head["operation_id"]),
        kind: word(&request["kind"]),
        relation: (word(&request["subject_id"]), word(&request["target_key"])),
        exported_at: word(&head["exported_at"]),
        program: word(&head["program"]),
        rows: rows.len(),
        digest,
        removed: rows.last().and_then(|seal| seal.data["removed"].as_u64()).unwrap_or(0),
        end,
        history,
        our_definition: *told == json!(chart::chart()),
    })
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn past(row: &Value) -> Option<Past> {
    let place = |value: &Value| Some((value["step"].as_i64()?, value["status"].as_str()?.to_owned()));
    Some(Past {
        seq: row["seq"].as_i64()?,
        version: row["version"].as_i64()?,
        event: row["event"].as_str()?.to_owned(),
        from: match &row["from"] {
            Value::Null => None,
            from => Some(place(from)?),
        },
        to: place(&row["to"])?,
    })
}

/// The definition that the file carries.
struct Told {
    statuses: BTreeMap<i64, Option<String>>,
    moves: Vec<(Option<i64>, String, i64)>,
}

impl Told {
    fn read(chart: &Value) -> Result<Self, String> {
        let list = |name: &str| chart[name].as_array().ok_or_else(|| format!("its definition has no {name}"));
        let statuses = list("steps")?
            .iter()
            .filter_map(|step| Some((step["code"].as_i64()?, step["status"].as_str().map(str::to_owned))))
            .collect();
        let moves = list("transitions")?
            .iter()
            .filter_map(|row| Some((row["from"].as_i64(), row["event"].as_str()?.to_owned(), row["to"].as_i64()?)))
            .collect();
        Ok(Self { statuses, moves })
    }
}

impl Definition for Told {
    fn lists(&self, from: Option<i64>, event: &str, to: i64) -> bool {
        self.moves.iter().any(|row| (row.0, row.1.as_str(), row.2) == (from, event, to))
    }

    fn status(&self, step: i64) -> Option<Option<String>> {
        self.statuses.get(&step).cloned()
    }
}
