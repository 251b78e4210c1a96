//! The forge: is it there, which one is it, and can its accounts do their part.

use std::time::Duration;

use chrono::NaiveDate;

use super::{
    accounts,
    finding::Findings,
    projects::{self, Aim},
    reader::Reader,
};

/// The first version whose merge requests carry `detailed_merge_status`, major and minor.
const OLDEST: (u32, u32) = (15, 6);

/// The forge and the tokens for it, as far as they could be read.
pub(super) struct Forge<'a> {
    pub(super) url: &'a str,
    pub(super) limit: Duration,
    /// Setting and token.
    pub(super) bot: Option<(String, String)>,
    /// Setting and token of each reviewer.
    pub(super) reviewers: Vec<(String, String)>,
}

/// Looks at everything the forge has to do with.
pub(super) async fn look(forge: Forge<'_>, aims: &[Aim], today: NaiveDate, findings: &mut Findings) {
    let Some((bot_key, bot_token)) = &forge.bot else { return };
    let reader = match Reader::new(forge.url, bot_token, forge.limit) {
        Ok(reader) => reader,
        Err(why) => {
            return findings.fault("gitlab.url", format!("No connection can be prepared for {}: {why}.", forge.url));
        }
    };
    if !reachable(&reader, forge.url, findings).await {
        return;
    }
    let bot = accounts::look(&reader, bot_key, today, findings).await;
    let mut reviewers = Vec::new();
    for (key, token) in forge.reviewers {
        let Ok(reader) = Reader::new(forge.url, &token, forge.limit) else { continue };
        reviewers.extend(accounts::look(&reader, &key, today, findings).await.map(|account| (key, account)));
    }
    accounts::compare(bot.as_ref(), &reviewers, findings);
    let Some(bot) = bot else { return };
    let reviewers: Vec<_> = reviewers.into_iter().map(|(_, account)| account).collect();
    for aim in aims {
        projects::look(&reader, aim, &bot, &reviewers, findings).await;
    }
}

async fn reachable(reader: &Reader, url: &str, findings: &mut Findings) -> bool {
    match reader.get("/api/v4/version").await {
        Ok(answer) => {
            let version = answer["version"].as_str().unwrap_or("of an unknown version");
            match number(version) {
                Some(have) if have < OLDEST => findings.fault(
                    "gitlab.url",
                    format!(
                        "GitLab {version} at {url} is too old: {}.{} is the oldest that tells why a merge waits.",
                        OLDEST.0, OLDEST.1
                    ),
                ),
                _ => findings.ok("gitlab.url", format!("GitLab {version} answers at {url}.")),
            }
            true
        }
        // The token is told about with its account.
        Err(trouble) if trouble.is(401) || trouble.is(403) => {
            findings.ok("gitlab.url", format!("{url} answers; its version is not told to this token."));
            true
        }
        Err(trouble) => {
            findings.fault(
                "gitlab.url",
                format!("GitLab at {url} cannot be used: {trouble}. Look at the address and the network."),
            );
            false
        }
    }
}

fn number(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_version_is_compared_by_number() {
        assert_eq!(number("18.6.0-ee"), Some((18, 6)));
        assert!(number("9.5.1") < number("15.6.0"));
        assert_eq!(number("unknown"), None);
    }
}
