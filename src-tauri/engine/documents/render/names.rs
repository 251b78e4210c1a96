//! Which paths and branch names may be sent to a repository.

/// Longest path in bytes.
const LONGEST_PATH: usize = 1024;

/// Longest branch name in bytes: with `refs/heads/` it stays within the 255 bytes that GitLab allows a ref.
const LONGEST_BRANCH: usize = 244;

/// Says why a path may not be written; the sentence names the path.
pub(crate) fn check_path(path: &str) -> Result<(), String> {
    let shown = shown(path);
    if path.is_empty() {
        return Err("The path of a file is empty.".to_owned());
    }
    if path.len() > LONGEST_PATH {
        return Err(format!("The path {shown} has {} bytes; at most {LONGEST_PATH} are allowed.", path.len()));
    }
    if path.chars().any(|c| c.is_control() || is_direction_mark(c)) {
        return Err(format!("The path {shown} holds a control character."));
    }
    if path.contains('\\') {
        return Err(format!("The path {shown} holds a backslash; parts are separated by /."));
    }
    if path.starts_with('/') || has_drive(path) {
        return Err(format!("The path {shown} is absolute; it must be relative to the root of the repository."));
    }
    for part in path.split('/') {
        if part.is_empty() {
            return Err(format!("The path {shown} has an empty part."));
        }
        if part == "." || part == ".." {
            return Err(format!("The path {shown} has the part `{part}`; a path may not leave the repository."));
        }
        if is_git_directory(part) {
            return Err(format!("The path {shown} goes into .git, which belongs to git itself."));
        }
    }
    Ok(())
}

/// Says why git would refuse a branch name (the rules of git-check-ref-format); the sentence names the branch.
pub(crate) fn check_branch(branch: &str) -> Result<(), String> {
    let fault = |why: &str| Err(format!("The branch name {} {why}.", shown(branch)));
    if branch.is_empty() {
        return Err("The branch name is empty.".to_owned());
    }
    if branch.len() > LONGEST_BRANCH {
        return fault(&format!("has {} bytes; at most {LONGEST_BRANCH} are allowed", branch.len()));
    }
    if let Some(bad) = branch.chars().find(|c| c.is_control() || is_direction_mark(*c)) {
        return fault(&format!("holds the control character U+{:04X}", u32::from(bad)));
    }
    if let Some(bad) = branch.chars().find(|c| " ~^:?*[\\".contains(*c)) {
        return fault(&format!("holds `{bad}`, which git does not allow"));
    }
    if branch.starts_with('-') || branch == "@" || branch == "HEAD" {
        return fault("is one that git keeps for itself");
    }
    if branch.contains("..") || branch.contains("@{") || branch.ends_with('.') {
        return fault("holds `..` or `@{`, or ends in a dot, which git does not allow");
    }
    for part in branch.split('/') {
        if part.is_empty() {
            return fault("has an empty part");
        }
        if part.starts_with('.') || part.ends_with(".lock") {
            return fault(&format!("has the part `{part}`; no part may begin with a dot or end in .lock"));
        }
    }
    Ok(())
}

fn shown(name: &str) -> String {
    let short: String = name.chars().take(200).collect();
    format!("{short:?}")
}

/// Marks that turn the direction of text: a path could look like another one.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

/// `.git` as any file system may read it: in any case, with dots, blanks or a stream name behind it, with characters that
/// are ignored in names, or by its short name on Windows.
fn is_git_directory(part: &str) -> bool {
    let visible: String = part.chars().filter(|c| !is_ignorable(*c)).collect();
    let name = visible.to_lowercase();
    let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    name == ".git" || name == "git~1"
}

/// Characters that HFS+ leaves out when it compares names (the list that git itself checks).
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}
