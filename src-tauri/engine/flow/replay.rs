//! Reading a history again from its first row, by the table: where does it lead, and was every move legal?

use super::{
    status::{Status, Step},
    table,
};

/// A row of history, as far as the path goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// Its number.
    pub seq: i64,
    /// The version of the request after it; only what moves nothing may leave it as it was.
    pub version: i64,
    /// Word of the event.
    pub event: String,
    /// Step and status it left; None for the first row.
    pub from: Option<(i64, String)>,
    /// Step and status it entered.
    pub to: (i64, String),
}

/// Where a history ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Rows.
    pub seq: i64,
    /// Version.
    pub version: i64,
    /// Code of the step.
    pub step: i64,
    /// Outward status.
    pub status: String,
}

/// A definition to replay by: the program's own, or one that was written down with a history.
pub trait Definition {
    /// True where the definition lists this move.
    fn lists(&self, from: Option<i64>, event: &str, to: i64) -> bool;
    /// The outward status that a step brings: `Some(None)` keeps the one there was, None where there is no such step.
    fn status(&self, step: i64) -> Option<Option<String>>;
}

/// The table of this program.
#[derive(Debug, Clone, Copy, Default)]
pub struct OurTable;

impl Definition for OurTable {
    fn lists(&self, from: Option<i64>, event: &str, to: i64) -> bool {
        table::moves().any(|row| {
            row.from.map(|step| i64::from(step.code())) == from
                && row.event.word() == event
                && i64::from(row.to.code()) == to
        })
    }

    fn status(&self, step: i64) -> Option<Option<String>> {
        Step::from_code(step).map(|step| step.status().map(|status: Status| status.word().to_owned()))
    }
}

/// Replays a history. The first row that does not follow from those before it is named in the sentence.
pub fn replay(rows: &[Past], by: &impl Definition) -> Result<End, String> {
    let mut end: Option<End> = None;
    for row in rows {
        end = Some(follow(end.as_ref(), row, by)?);
    }
    end.ok_or_else(|| "there is no history".into())
}

fn follow(before: Option<&End>, row: &Past, by: &impl Definition) -> Result<End, String> {
    let seq = before.map_or(1, |end| end.seq + 1);
    if row.seq != seq {
        return Err(format!("row {} of the history comes where row {seq} belongs", row.seq));
    }
    let left = before.map(|end| (end.step, end.status.clone()));
    if row.from != left {
        return Err(format!("row {seq} leaves {}, where the row before it led to {}", place(&row.from), place(&left)));
    }
    let (step, status) = &row.to;
    let from = row.from.as_ref().map(|(step, _)| *step);
    // An act that moves nothing is a row of its own.
    let moves = from != Some(*step);
    if moves && !by.lists(from, &row.event, *step) {
        return Err(format!(
            "row {seq} goes from {} to {step} by `{}`, which the table does not list",
            place(&row.from),
            row.event
        ));
    }
    let version = before.map_or(0, |end| end.version);
    if row.version != version + 1 && (moves || row.version != version) {
        return Err(format!("row {seq} makes version {} of version {version}", row.version));
    }
    let Some(brought) = by.status(*step) else { return Err(format!("row {seq} leads to {step}, which is no step")) };
    let expected = if moves { brought } else { None }.or_else(|| left.map(|(_, status)| status));
    match expected {
        Some(expected) if expected != *status => {
            Err(format!("row {seq} brings the status {status}, where {step} means {expected}"))
        }
        _ => Ok(End { seq, version: row.version, step: *step, status: status.clone() }),
    }
}

fn place(place: &Option<(i64, String)>) -> String {
    place.as_ref().map_or_else(|| "the start".into(), |(step, status)| format!("{step} {status}"))
}
