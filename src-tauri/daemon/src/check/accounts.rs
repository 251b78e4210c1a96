//! The accounts behind the forge's tokens: who they are, what they may do, until when.

use chrono::{Days, NaiveDate};
use serde_json::Value;

use super::{finding::Findings, reader::Reader};

/// A token that ends within so many days is told.
const SOON: Days = Days::new(14);
/// The scope that writing needs.
const SCOPE: &str = "api";

/// An account of the forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) username: String,
}

/// Looks at the account of one token. None when the forge does not say whose it is.
pub(super) async fn look(reader: &Reader, key: &str, today: NaiveDate, findings: &mut Findings) -> Option<Account> {
    let user = match reader.get("/api/v4/user").await {
        Ok(user) => user,
        Err(trouble) if trouble.is(401) => {
            findings.fault(
                key,
                "GitLab does not accept this token (401): it is wrong, expired or revoked. Make a new one.",
            );
            return None;
        }
        Err(trouble) if trouble.is(403) => {
            findings.fault(key, "GitLab does not let this token read its own account (403): its scopes are too narrow, or the account is blocked. It needs the scope `api`.");
            return None;
        }
        Err(trouble) => {
            findings.fault(key, format!("The account of this token cannot be read: {trouble}."));
            return None;
        }
    };
    let (Some(id), Some(username)) = (user["id"].as_u64(), user["username"].as_str()) else {
        findings.fault(key, "GitLab's answer names no account: another program may answer at `gitlab.url`.");
        return None;
    };
    if let Some(state) = user["state"].as_str().filter(|state| *state != "active") {
        findings.fault(key, format!("The account {username} is {state}. Activate it, or use another."));
    }
    match reader.get("/api/v4/personal_access_tokens/self").await {
        Ok(token) => judge(&token, username, key, today, findings),
        Err(trouble) => findings.warning(
            key,
            format!("The account is {username}; scopes and last day of its token cannot be read: {trouble}."),
        ),
    }
    Some(Account { id, username: username.to_owned() })
}

fn judge(token: &Value, username: &str, key: &str, today: NaiveDate, findings: &mut Findings) {
    let scopes: Vec<&str> = token["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !scopes.contains(&SCOPE) {
        let has = scopes.join(", ");
        findings
            .fault(key, format!("The token of {username} has the scopes {has}; it needs `{SCOPE}`. Make a new one."));
    }
    let until = token["expires_at"].as_str().and_then(|day| day.parse::<NaiveDate>().ok());
    match until {
        Some(day) if day <= today => {
            findings.fault(key, format!("The token of {username} ended on {day}. Make a new one."));
        }
        Some(day) if Some(day) <= today.checked_add_days(SOON) => {
            findings.warning(key, format!("The token of {username} ends on {day}. Make a new one before that day."));
        }
        Some(day) => findings.ok(key, format!("The account is {username}, its token is good until {day}.")),
        None => findings.ok(key, format!("The account is {username}, its token has no last day.")),
    }
}

/// Tells reviewers that cannot count: the author's own account, and one account twice.
pub(super) fn compare(bot: Option<&Account>, reviewers: &[(String, Account)], findings: &mut Findings) {
    for (n, (key, reviewer)) in reviewers.iter().enumerate() {
        if Some(reviewer.id) == bot.map(|bot| bot.id) {
            findings.fault(
                key,
                format!("{} is also the bot that writes the merge requests, and an author's approval does not count. Use another account.", reviewer.username),
            );
        }
        if let Some((other, _)) = reviewers[..n].iter().find(|(_, earlier)| earlier.id == reviewer.id) {
            findings.fault(
                key,
                format!(
                    "{} is the account of `{other}` already, and one account approves only once. Use another.",
                    reviewer.username
                ),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::finding::Level, Account, Findings, compare, judge};

    #[test]
    fn a_token_is_judged_by_its_scopes_and_its_last_day() {
        let table = [
            (json!({ "scopes": ["api"], "expires_at": "2027-06-01" }), vec![Level::Ok]),
            (json!({ "scopes": ["api"], "expires_at": null }), vec![Level::Ok]),
            (json!({ "scopes": ["api"], "expires_at": "2026-12-10" }), vec![Level::Warning]),
            (json!({ "scopes": ["api"], "expires_at": "2026-12-01" }), vec![Level::Fault]),
            (json!({ "scopes": ["read_api"], "expires_at": "2027-06-01" }), vec![Level::Fault, Level::Ok]),
        ];
        for (token, levels) in table {
            let mut findings = Findings::default();
            judge(&token, "bot", "gitlab.bot_token", "2026-12-01".parse().expect("a day"), &mut findings);
            assert_eq!(findings.0.iter().map(|f| f.level).collect::<Vec<_>>(), levels, "{token}");
        }
    }

    #[test]
    fn a_reviewer_must_be_somebody_else() {
        let account = |id| Account { id, username: format!("u{id}") };
        let key = |n: usize| format!("gitlab.reviewer_tokens[{n}]");
        let mut findings = Findings::default();
        let reviewers = [(key(0), account(2)), (key(1), account(1)), (key(2), account(2))];
        compare(Some(&account(1)), &reviewers, &mut findings);
        let told: Vec<_> = findings.0.iter().map(|f| f.what.as_str()).collect();
        assert_eq!(told, ["gitlab.reviewer_tokens[1]", "gitlab.reviewer_tokens[2]"]);
    }
}
