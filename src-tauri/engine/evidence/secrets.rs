//! The store keeps no secret. What came in from outside may hold one all the same, so that everything is looked through
//! before it leaves.

use serde_json::Value;

/// What stands in place of what was left out.
const LEFT_OUT: &str = "[left out]";
/// How tokens begin that their makers have marked: GitLab, Standard Webhooks, GitHub, Slack, AWS, JSON Web Tokens.
const MARKED: &[&str] = &[
    "glpat-",
    "gldt-",
    "glrt-",
    "glcbt-",
    "glptt-",
    "glft-",
    "glimt-",
    "glagent-",
    "whsec_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "eyJ",
];
/// A marked word that is shorter is no token.
const SHORTEST: usize = 12;
/// Words after which the next one is a credential.
const SCHEMES: &[&str] = &["bearer", "basic"];
/// Names whose value is a credential.
const NAMES: &[&str] =
    &["token", "secret", "password", "passwd", "authorization", "private-token", "x-gitlab-token", "api_key", "apikey"];

/// Takes everything out that looks like a secret. Says how much it was.
pub(super) fn remove(value: &mut Value) -> usize {
    match value {
        Value::String(text) => remove_from_text(text),
        Value::Array(items) => items.iter_mut().map(remove).sum(),
        Value::Object(members) => members
            .iter_mut()
            .map(|(name, value)| match value {
                Value::String(text) if is_name(name) && !text.is_empty() => {
                    *text = LEFT_OUT.into();
                    1
                }
                other => remove(other),
            })
            .sum(),
        _ => 0,
    }
}

/// True for `token`, `access_token`, `PRIVATE-TOKEN` and their like.
fn is_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|known| name == *known || name.ends_with(&format!("_{known}")))
}

fn remove_from_text(text: &mut String) -> usize {
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY") {
        *text = LEFT_OUT.into();
        return 1;
    }
    let (mut clean, mut removed, mut before) = (String::with_capacity(text.len()), 0, String::new());
    for part in text.split_inclusive(ends_word) {
        let word = part.trim_end_matches(ends_word);
        let end = &part[word.len()..];
        if is_secret(word, &before) {
            clean.push_str(LEFT_OUT);
            removed += 1;
        } else {
            clean.push_str(&without_password(word, &mut removed));
        }
        clean.push_str(end);
        if !word.is_empty() {
            before = format!("{word}{}", end.chars().next().unwrap_or(' '));
        }
    }
    if removed > 0 {
        *text = clean;
    }
    removed
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "\"'`,;&=?<>()[]{}|".contains(c)
}

/// A word is a secret by how it begins, or by the word before it: `Bearer …`, `private_token=…`.
fn is_secret(word: &str, before: &str) -> bool {
    let marked = word.len() >= SHORTEST && MARKED.iter().any(|start| word.starts_with(start));
    let after_scheme = word.len() >= SHORTEST && SCHEMES.contains(&before.trim_end().to_ascii_lowercase().as_str());
    let after_name = !word.is_empty() && before.strip_suffix('=').is_some_and(is_name);
    marked || after_scheme || after_name
}

/// An address without the password in it.
fn without_password(word: &str, removed: &mut usize) -> String {
    let found = word.split_once("://").and_then(|(scheme, rest)| {
        let host = rest.find('/').unwrap_or(rest.len());
        let (user, address) = rest[..host].rsplit_once('@')?;
        let (name, _) = user.split_once(':')?;
        Some(format!("{scheme}://{name}:{LEFT_OUT}@{address}{}", &rest[host..]))
    });
    match found {
        Some(clean) => {
            *removed += 1;
            clean
        }
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::remove;
    use serde_json::json;

    #[test]
    fn what_looks_like_a_secret_is_left_out() {
        for (text, clean) in [
            ("glpat-abcdefgh1234", "[left out]"),
            ("the token glpat-abcdefgh1234, which", "the token [left out], which"),
            ("Authorization: Bearer abcdefghijkl", "Authorization: Bearer [left out]"),
            ("/api/v4/projects?private_token=abc&page=2", "/api/v4/projects?private_token=[left out]&page=2"),
            ("https://bot:s3cr3t@gitlab.example/x", "https://bot:[left out]@gitlab.example/x"),
            ("whsec_MDEyMzQ1Njc4OTAx", "[left out]"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJ9.sig", "[left out]"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "[left out]"),
        ] {
            let mut value = json!({"text": text});
            assert_eq!((remove(&mut value), value), (1, json!({"text": clean})), "{text}");
        }
        let mut named = json!({"ext": {"access_token": "x", "X-Gitlab-Token": "y"}, "list": ["glpat-abcdefgh1234"]});
        assert_eq!(remove(&mut named), 3);
    }

    #[test]
    fn what_is_none_stays_as_it_is() {
        for text in [
            "Pipeline #12 passed on 3f2a9c1.",
            "tokens: 4",
            "basic quota for payments",
            "https://gitlab.example/platform/config/-/merge_requests/7?tab=diffs",
            "a secret garden",
            "3f2a9c10b7d64d1fae3c5b7f9e2d4c6a8b0d1e2f",
            "",
        ] {
            let mut value = json!({"text": text, "limit": 4, "token": ""});
            let before = value.clone();
            assert_eq!(remove(&mut value), 0, "{text}");
            assert_eq!(value, before);
        }
    }
}
