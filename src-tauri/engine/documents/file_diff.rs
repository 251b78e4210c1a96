//! What a change does to files, and its text in unified format.

use std::fmt::Write;
use std::ops::Range;

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Above this product of differing lines a stretch is shown as removed and added, instead of being compared line by line.
const MOST_COMPARED: usize = 25_000_000;

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAction {
    /// It is new.
    Create,
    /// It has other bytes.
    Update,
    /// It goes.
    Delete,
}

/// One file before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path in the repository.
    pub path: String,
    /// What happens to it.
    pub action: FileAction,
    /// Its bytes on the target branch; `None` when it is absent.
    pub before: Option<Vec<u8>>,
    /// Its bytes after the change; `None` when it is deleted.
    pub after: Option<Vec<u8>>,
}

impl FileChange {
    /// The change of a file, `None` when it stays as it is.
    pub fn between(path: &str, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> Option<FileChange> {
        let action = match (&before, &after) {
            (None, None) => return None,
            (None, Some(_)) => FileAction::Create,
            (Some(_), None) => FileAction::Delete,
            (Some(a), Some(b)) if a == b => return None,
            (Some(_), Some(_)) => FileAction::Update,
        };
        Some(FileChange { path: path.to_owned(), action, before, after })
    }

    /// The difference in unified format, with `a/` and `b/` before the path; a binary file is told in words.
    pub fn unified(&self) -> String {
        let old_name = self.before.as_ref().map_or_else(|| "/dev/null".to_owned(), |_| format!("a/{}", self.path));
        let new_name = self.after.as_ref().map_or_else(|| "/dev/null".to_owned(), |_| format!("b/{}", self.path));
        let (old, new) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        let (Some(old), Some(new)) = (as_text(old), as_text(new)) else {
            return format!(
                "Binary files {old_name} ({} bytes) and {new_name} ({} bytes) differ\n",
                old.len(),
                new.len()
            );
        };
        let (old, new) = (lines(old), lines(new));
        let mut out = format!("--- {old_name}\n+++ {new_name}\n");
        for group in group_diff_ops(operations(&old, &new), CONTEXT) {
            write_hunk(&mut out, &group, &old, &new);
        }
        out
    }
}

fn as_text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The operations between two lists of lines; equal beginnings and ends are set aside first, so that one line in a long file
/// is found at once.
fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut all = Vec::new();
    if head > 0 {
        all.push(DiffOp::Equal { old_index: 0, new_index: 0, len: head });
    }
    if old_middle.len().saturating_mul(new_middle.len()) > MOST_COMPARED {
        let (old_len, new_len) = (old_middle.len(), new_middle.len());
        all.push(DiffOp::Replace { old_index: head, old_len, new_index: head, new_len });
    } else {
        all.extend(capture_diff_slices(Algorithm::Myers, old_middle, new_middle).into_iter().map(|op| moved(op, head)));
    }
    if tail > 0 {
        all.push(DiffOp::Equal { old_index: old.len() - tail, new_index: new.len() - tail, len: tail });
    }
    all
}

fn moved(op: DiffOp, by: usize) -> DiffOp {
    match op {
        DiffOp::Equal { old_index, new_index, len } => {
            DiffOp::Equal { old_index: old_index + by, new_index: new_index + by, len }
        }
        DiffOp::Delete { old_index, old_len, new_index } => {
            DiffOp::Delete { old_index: old_index + by, old_len, new_index: new_index + by }
        }
        DiffOp::Insert { old_index, new_index, new_len } => {
            DiffOp::Insert { old_index: old_index + by, new_index: new_index + by, new_len }
        }
        DiffOp::Replace { old_index, old_len, new_index, new_len } => {
            DiffOp::Replace { old_index: old_index + by, old_len, new_index: new_index + by, new_len }
        }
    }
}

fn write_hunk(out: &mut String, group: &[DiffOp], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    let old_range = first.old_range().start..last.old_range().end;
    let new_range = first.new_range().start..last.new_range().end;
    let _ = writeln!(out, "@@ -{} +{} @@", numbers(&old_range), numbers(&new_range));
    for op in group {
        if let DiffOp::Equal { .. } = op {
            write_lines(out, ' ', &old[op.old_range()]);
        } else {
            write_lines(out, '-', &old[op.old_range()]);
            write_lines(out, '+', &new[op.new_range()]);
        }
    }
}

/// First line and length as unified format has them: an empty range names the line before it, a length of 1 is left out.
fn numbers(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        length => format!("{},{length}", range.start + 1),
    }
}

fn write_lines(out: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        out.push(mark);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}
