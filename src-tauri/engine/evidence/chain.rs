//! Rows that hold on to each other.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Evidence, secrets};

/// What stands in place of the hash before the first row.
const BEFORE_THE_FIRST: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// What stands between a row and its hash.
const HASH: &str = r#","hash":""#;
/// Length of a hash in the file.
const HEX: usize = 64;

/// A file that grows row by row.
pub(super) struct Chain {
    text: String,
    rows: usize,
    last: String,
    removed: usize,
}

impl Chain {
    pub(super) fn new() -> Self {
        Self { text: String::new(), rows: 0, last: BEFORE_THE_FIRST.into(), removed: 0 }
    }

    /// Adds a row, without what looks like a secret.
    pub(super) fn push(&mut self, is: &str, mut data: Value) {
        self.removed += secrets::remove(&mut data);
        let body = json!({"row": self.rows, "is": is, "data": data}).to_string();
        self.last = hash(&self.last, &body);
        // The hash is the last member of the same object.
        self.text.push_str(body.strip_suffix('}').unwrap_or(&body));
        self.text.push_str(HASH);
        self.text.push_str(&self.last);
        self.text.push_str("\"}\n");
        self.rows += 1;
    }

    /// Adds the last row, which says how many there are.
    pub(super) fn seal(mut self) -> Evidence {
        let data = json!({"rows": self.rows + 1, "removed": self.removed});
        self.push("seal", data);
        Evidence { text: self.text, rows: self.rows, digest: self.last, removed: self.removed }
    }
}

/// The hash of a row: SHA-256 over the hash of the row before it, a line feed, and the bytes of the row without its own hash.
fn hash(before: &str, body: &str) -> String {
    let digest = Sha256::new().chain_update(before).chain_update("\n").chain_update(body).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A row that holds on to the one before it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) is: String,
    pub(super) data: Value,
}

/// All rows of a file and the hash of its seal, or the first thing that is not as it was written.
pub(super) fn read(text: &str) -> Result<(Vec<Row>, String), String> {
    let Some(lines) = text.strip_suffix('\n') else {
        return Err("the file was cut off: its last line does not end".into());
    };
    let (mut rows, mut last) = (Vec::new(), BEFORE_THE_FIRST.to_owned());
    for (n, line) in lines.split('\n').enumerate() {
        let at = n + 1;
        let (body, told) = apart(line).ok_or_else(|| format!("line {at} is no row with a hash"))?;
        last = hash(&last, &body);
        if last != told {
            return Err(format!("line {at}, or one before it, is not as it was written: its hash does not fit"));
        }
        let row: Value = serde_json::from_str(&body).map_err(|error| format!("line {at} cannot be read: {error}"))?;
        if row["row"] != n {
            return Err(format!("line {at} is row {} of the file it was written for", row["row"]));
        }
        if rows.last().is_some_and(|row: &Row| row.is == "seal") {
            return Err(format!("line {at} stands after the seal"));
        }
        rows.push(Row { is: row["is"].as_str().unwrap_or_default().to_owned(), data: row["data"].clone() });
    }
    match rows.last() {
        Some(seal) if seal.is == "seal" && seal.data["rows"] == rows.len() => Ok((rows, last)),
        Some(seal) if seal.is == "seal" => Err("the seal counts other rows than there are".into()),
        _ => Err("the file was cut off: there is no seal at its end".into()),
    }
}

/// A line apart: the row without its hash, and the hash.
fn apart(line: &str) -> Option<(String, &str)> {
    let line = line.strip_suffix("\"}")?;
    let at = line.len().checked_sub(HEX + HASH.len())?;
    let (body, rest) = line.is_char_boundary(at).then(|| line.split_at(at))?;
    Some((format!("{body}}}"), rest.strip_prefix(HASH)?))
}

#[cfg(test)]
mod tests {
    use super::{Chain, json, read};

    fn file() -> String {
        let mut chain = Chain::new();
        chain.push("head", json!({"format": "x", "ratio": 0.1, "text": "zwölf\n\u{2028}"}));
        chain.push("history", json!({"seq": 1, "big": 12_345_678_901_234_567_u64}));
        chain.push("history", json!({"seq": 2, "float": 1.000_000_000_000_000_2e-300}));
        chain.seal().text
    }

    #[test]
    fn what_was_written_is_read_back() {
        let (rows, digest) = read(&file()).unwrap();
        assert_eq!(rows.iter().map(|row| row.is.as_str()).collect::<Vec<_>>(), ["head", "history", "history", "seal"]);
        assert_eq!(rows[0].data["text"], "zwölf\n\u{2028}");
        assert_eq!(digest.len(), 64);
    }

    #[test]
    fn every_changed_byte_is_found() {
        let file = file().into_bytes();
        for at in 0..file.len() {
            for change in [1, 32, 128] {
                let mut changed = file.clone();
                changed[at] ^= change;
                let Ok(text) = String::from_utf8(changed) else { continue };
                assert!(read(&text).is_err(), "byte {at} may be changed by {change}");
            }
        }
    }

    #[test]
    fn rows_that_are_gone_doubled_or_moved_are_found() {
        let file = file();
        let lines: Vec<&str> = file.split_inclusive('\n').collect();
        let without =
            |n: usize| lines.iter().enumerate().filter(|(at, _)| *at != n).map(|(_, line)| *line).collect::<String>();
        for n in 0..lines.len() {
            assert!(read(&without(n)).is_err(), "row {n} may be missing");
            let doubled = format!("{}{}{}", lines[..=n].concat(), lines[n], lines[n + 1..].concat());
            assert!(read(&doubled).is_err(), "row {n} may be doubled");
        }
        let swapped = [lines[0], lines[2], lines[1], lines[3]].concat();
        assert!(read(&swapped).is_err());
        for end in 0..file.len() {
            if file.is_char_boundary(end) {
                assert!(read(&file[..end]).is_err(), "it may be cut off at {end}");
            }
        }
        assert!(read(&format!("{file}\n")).is_err() && read(&file.replace('\n', "\r\n")).is_err());
    }
}
