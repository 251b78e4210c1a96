//! Adding a key to a map in braces, as JSON has them and YAML may.

use super::locate::Gap;
use super::splice::{Splice, indentation, line_end, line_start, newline};

/// What the two formats do differently.
pub(super) struct Manner<'m> {
    /// Steps over white space and comments.
    pub(super) skip_blank: fn(&str, usize) -> usize,
    /// `key: value`. Given the indentation when entries stand on lines of their own, and whether no space follows colons here.
    pub(super) entry: &'m dyn Fn(Option<&str>, bool) -> String,
    /// The indentation by one more level, when an empty map is to be opened over several lines.
    pub(super) unit: Option<&'m str>,
}

/// The splices that add one entry at the end of the map.
pub(super) fn insert(text: &str, gap: &Gap, manner: &Manner<'_>) -> Vec<Splice> {
    if gap.entries == 0 {
        return vec![fill(text, gap, manner)];
    }
    let tight = &text[gap.last_key_end..gap.last_value] == ":";
    let key_line = line_start(text, gap.last_key);
    let own_line = key_line > gap.start && text[key_line..gap.last_key].trim().is_empty();
    let closes_below = text[gap.last_end..gap.close].contains(['\n', '\r']);
    if !own_line || !closes_below {
        let comma = if tight { "," } else { ", " };
        return vec![Splice::insert(gap.last_end, format!("{comma}{}", (manner.entry)(None, tight)))];
    }
    let indent = indentation(text, gap.last_key);
    let entry = (manner.entry)(Some(indent), tight);
    let after = (manner.skip_blank)(text, gap.last_end);
    if text[after..].starts_with(',') {
        let at = line_end(text, after + 1);
        return vec![Splice::insert(at, format!("{}{indent}{entry},", newline(text, at)))];
    }
    let at = line_end(text, gap.last_end);
    vec![Splice::insert(gap.last_end, ","), Splice::insert(at, format!("{}{indent}{entry}", newline(text, at)))]
}

fn fill(text: &str, gap: &Gap, manner: &Manner<'_>) -> Splice {
    let inside = gap.start + 1..gap.close;
    let blank = &text[inside.clone()];
    if let Some(unit) = manner.unit {
        let outer = indentation(text, gap.start);
        let indent = format!("{outer}{unit}");
        let line = newline(text, line_end(text, gap.start));
        let entry = (manner.entry)(Some(&indent), false);
        return if blank.trim().is_empty() {
            Splice::replace(inside, format!("{line}{indent}{entry}{line}{outer}"))
        } else {
            Splice::insert(inside.start, format!("{line}{indent}{entry}"))
        };
    }
    let entry = (manner.entry)(None, false);
    if !blank.trim().is_empty() {
        return Splice::insert(inside.start, entry);
    }
    let space = if blank.is_empty() { "" } else { " " };
    Splice::replace(inside, format!("{space}{entry}{space}"))
}
