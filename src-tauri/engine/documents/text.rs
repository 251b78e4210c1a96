//! Words that GitLab would act on, made harmless in texts that only inform.

/// Longest title that GitLab takes, in characters (its `title` column and validation).
pub const LONGEST_TITLE: usize = 255;

/// Words in brackets that keep a pipeline from running, with blanks, dashes or underscores between them.
const SKIP_WORDS: [&str; 5] = ["skip ci", "ci skip", "no ci", "skip actions", "actions skip"];

/// Beginnings of a title that make a merge request a draft.
const DRAFT_WORDS: [&str; 8] = ["draft:", "[draft]", "(draft)", "draft ", "wip:", "[wip]", "(wip)", "wip "];

/// A description or commit message in which no line is a quick action and no word skips the pipeline.
///
/// `/close` at the beginning of a line becomes `\/close` (shown as `/close`), `[skip ci]` becomes `(skip ci)`.
pub fn neutralise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at_line_start = true;
    for (index, c) in text.char_indices() {
        if at_line_start && c == '/' && text[index + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            out.push('\\');
        }
        at_line_start = is_line_break(c) || (at_line_start && c.is_whitespace());
        out.push(c);
    }
    open_brackets(&out)
}

/// A title: one line of at most [`LONGEST_TITLE`] characters that neither marks a draft nor skips the pipeline.
///
/// A title that is cut ends in `…`.
pub fn neutralise_title(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_control() || is_line_break(c) { ' ' } else { c }).collect::<String>();
    let line = line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut title = neutralise(&line);
    let lower = title.to_lowercase();
    if DRAFT_WORDS.iter().any(|word| lower.starts_with(word)) || matches!(lower.as_str(), "draft" | "wip") {
        title = format!("Change: {title}");
    }
    cut(title, LONGEST_TITLE)
}

fn cut(text: String, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text;
    }
    let mut short: String = text.chars().take(longest - 1).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Puts round brackets around the words that skip a pipeline.
fn open_brackets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let inside = &from[1..];
        match inside.find(']').map(|close| &inside[..close]).filter(|words| skips(words)) {
            Some(words) => {
                out.push('(');
                out.push_str(words);
                out.push(')');
                rest = &inside[words.len() + 1..];
            }
            None => {
                out.push('[');
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

fn skips(words: &str) -> bool {
    let plain = words
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    SKIP_WORDS.iter().any(|word| plain.eq_ignore_ascii_case(word))
}
