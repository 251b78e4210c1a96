//! The projects that change kinds write to.

use std::sync::Arc;

use serde_json::Value;
use signalbox_engine::documents::kinds::{Catalogue, Kind};

use super::{accounts::Account, finding::Findings, reader::Reader};

/// GitLab's number for a Developer: may push branches, open and approve merge requests.
const DEVELOPER: u64 = 30;
/// GitLab's number for a Maintainer: may merge into a protected branch unless told otherwise.
const MAINTAINER: u64 = 40;

/// Where the changes of one kind go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aim {
    /// The change kind.
    pub(super) kind: String,
    /// Path with namespace, or number.
    pub(super) project: String,
    /// The branch merged into.
    pub(super) target_branch: String,
}

impl Aim {
    /// Where each kind goes that makes merge requests.
    pub(super) fn all(catalogue: &Catalogue) -> Vec<Self> {
        let makes_requests = catalogue.iter().filter(|kind| !kind.project.is_empty());
        let aim = |kind: &Arc<Kind>| Self {
            kind: kind.kind.clone(),
            project: kind.project.clone(),
            target_branch: kind.target_branch.clone(),
        };
        makes_requests.map(aim).collect()
    }
}

/// Looks at the project, the target branch and the roles there, with the bot's token.
pub(super) async fn look(reader: &Reader, aim: &Aim, bot: &Account, reviewers: &[Account], findings: &mut Findings) {
    let (what, project) = (format!("kind {}", aim.kind), &aim.project);
    let base = format!("/api/v4/projects/{}", encoded(project));
    let seen = match reader.get(&base).await {
        Ok(seen) => seen,
        Err(trouble) if trouble.is(404) => {
            let bot = &bot.username;
            findings.fault(what, format!("The project {project} is not there, or {bot} may not see it. Correct `project`, or make {bot} a member."));
            return;
        }
        Err(trouble) => {
            findings.fault(what, format!("The project {project} cannot be read: {trouble}."));
            return;
        }
    };
    let faults = findings.0.len();
    if seen["archived"].as_bool() == Some(true) {
        findings.fault(&what, format!("The project {project} is archived and refuses every write."));
    }
    let role = match highest(&seen["permissions"]) {
        Some(role) => Some(role),
        None => member(reader, &base, bot).await,
    };
    may_write(&what, project, bot, role, findings);
    for reviewer in reviewers {
        let role = member(reader, &base, reviewer).await;
        if role.is_none_or(|role| role < DEVELOPER) {
            let (name, is) = (&reviewer.username, named(role));
            findings.fault(
                &what,
                format!("The reviewer {name} is {is} of {project} and cannot approve there. Make it a Developer."),
            );
        }
    }
    branch(reader, &base, aim, bot, role, findings).await;
    if findings.0.len() == faults {
        findings
            .ok(what, format!("{project} is there with {}, and the accounts may do their part.", aim.target_branch));
    }
}

fn may_write(what: &str, project: &str, bot: &Account, role: Option<u64>, findings: &mut Findings) {
    if role.is_none_or(|role| role < DEVELOPER) {
        let (name, is) = (&bot.username, named(role));
        findings.fault(
            what,
            format!("{name} is {is} of {project} and cannot push branches there. Make it a Developer or more."),
        );
    }
}

async fn branch(reader: &Reader, base: &str, aim: &Aim, bot: &Account, role: Option<u64>, findings: &mut Findings) {
    let (what, name, project) = (format!("kind {}", aim.kind), &aim.target_branch, &aim.project);
    match reader.get(&format!("{base}/repository/branches/{}", encoded(name))).await {
        Ok(branch) => {
            let closed = branch["protected"] == true && branch["developers_can_merge"] == false;
            if closed && role.is_some_and(|role| (DEVELOPER..MAINTAINER).contains(&role)) {
                let bot = &bot.username;
                findings.warning(what, format!("{name} of {project} is protected and Developers may not merge into it; {bot} is a Developer. Let it merge there, or make it a Maintainer."));
            }
        }
        Err(trouble) if trouble.is(404) => {
            findings.fault(
                what,
                format!("The branch {name} is not in {project}. Correct `target_branch`, or make the branch."),
            );
        }
        Err(trouble) => findings.fault(what, format!("The branch {name} of {project} cannot be read: {trouble}.")),
    }
}

/// The role of an account, inherited ones included.
async fn member(reader: &Reader, base: &str, account: &Account) -> Option<u64> {
    reader.get(&format!("{base}/members/all/{}", account.id)).await.ok()?["access_level"].as_u64()
}

/// The highest role of the token's own account, where the project tells it.
fn highest(permissions: &Value) -> Option<u64> {
    let level = |of: &str| permissions[of]["access_level"].as_u64();
    level("project_access").max(level("group_access")).filter(|level| *level > 0)
}

fn named(role: Option<u64>) -> &'static str {
    match role {
        None | Some(0) => "no member",
        Some(1..10) => "a member with minimal access",
        Some(10..15) => "a Guest",
        Some(15..20) => "a Planner",
        Some(20..30) => "a Reporter",
        Some(30..40) => "a Developer",
        Some(_) => "a Maintainer or more",
    }
}

/// A path as one part of a URL.
fn encoded(part: &str) -> String {
    percent_encoding::utf8_percent_encode(part, percent_encoding::NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{encoded, highest};

    #[test]
    fn the_higher_of_two_roles_counts() {
        let both = json!({ "project_access": { "access_level": 20 }, "group_access": { "access_level": 40 } });
        assert_eq!(highest(&both), Some(40));
        assert_eq!(highest(&json!({ "project_access": null, "group_access": null })), None);
        assert_eq!(highest(&json!({ "project_access": { "access_level": 0 } })), None);
    }

    #[test]
    fn a_path_is_one_part_of_a_url() {
        assert_eq!(encoded("platform/config"), "platform%2Fconfig");
    }
}
