//! What needs a person, gathered by what stopped it: one blocked pipeline with forty victims is one row.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    engine::Engine,
    flow::{Outlook, Status, Step},
    recovery::{Action, possible},
    sentence,
    store::{
        operation::Operation,
        recovery::{Cause, Member, Share},
    },
    words::Lang,
};

use super::{Answer, Call, Reply, time, types::StepView};

/// Causes of an answer, ids of each, and requests of each that come with their names.
const MOST_CAUSES: usize = 200;
const MOST_IDS: u32 = 200;
const MOST_NAMED: usize = 50;

/// A button, and how many requests of a cause it is legal for.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct CauseAction {
    /// Its word.
    pub action: &'static str,
    /// For how many of all the requests.
    #[ts(type = "number")]
    pub eligible: i64,
}

/// A request that a cause has stopped, in short.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct CauseMember {
    /// Which request.
    pub operation_id: String,
    /// What is changed.
    pub subject_id: String,
    /// Where.
    pub target_key: String,
    /// Since when it stands there.
    pub entered_at: String,
}

/// What stopped requests, and which.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct CauseView {
    /// Names the cause as long as it lasts.
    pub key: String,
    /// The step they stand at.
    pub step: StepView,
    /// `failed` or `unknown`.
    pub outlook: Outlook,
    /// The outward status.
    pub status: Option<&'static str>,
    /// Class of the error; null where the result is not known.
    pub error_class: Option<String>,
    /// How many requests.
    #[ts(type = "number")]
    pub count: i64,
    /// Since when the oldest of them stands there.
    pub since: String,
    /// The sentence of the oldest, as an example of all.
    pub sentence: String,
    /// What to do, for whoever asked for it.
    pub hint: String,
    /// The buttons that are legal for one of them at least.
    pub actions: Vec<CauseAction>,
    /// The oldest requests, 50 at most.
    pub members: Vec<CauseMember>,
    /// Ids of the oldest requests, 200 at most.
    pub ids: Vec<String>,
}

/// Everything that stands still and needs a person.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct RecoveryView {
    /// The causes with the most requests first, 200 at most.
    pub causes: Vec<CauseView>,
    /// How many more causes there are.
    pub more_causes: usize,
    /// How many requests need a person.
    #[ts(type = "number")]
    pub requests: i64,
}

struct Group<'a> {
    cause: &'a Cause,
    count: i64,
    since: i64,
    shares: Vec<&'a Share>,
}

fn grouped(shares: &[Share]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<&Cause, Group<'_>> = BTreeMap::new();
    for share in shares {
        let fresh = || Group { cause: &share.cause, count: 0, since: share.since, shares: Vec::new() };
        let group = groups.entry(&share.cause).or_insert_with(fresh);
        group.count += share.count;
        group.since = group.since.min(share.since);
        group.shares.push(share);
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.count), group.since));
    groups
}

fn actions(step: Step, shares: &[&Share]) -> Vec<CauseAction> {
    let eligible = |action| {
        let legal = |share: &&&Share| possible(step, share.order, share.has_mr, share.owner, action);
        shares.iter().filter(legal).map(|share| share.count).sum()
    };
    let all = Action::ALL.map(|action| CauseAction { action: action.word(), eligible: eligible(action) });
    all.into_iter().filter(|action| action.eligible > 0).collect()
}

fn view(group: &Group<'_>, members: &[Member], example: Option<&Operation>, lang: Lang) -> CauseView {
    let step = Step::from_code(group.cause.step);
    let part = |part: &Option<String>| part.as_deref().unwrap_or("-").to_owned();
    let named = |member: &Member| CauseMember {
        operation_id: member.operation_id.clone(),
        subject_id: member.subject_id.clone(),
        target_key: member.target_key.clone(),
        entered_at: time(member.entered_at),
    };
    CauseView {
        key: format!("{}:{}:{}", group.cause.step, part(&group.cause.class), part(&group.cause.sentence)),
        step: StepView::of(group.cause.step),
        outlook: step.map_or(Outlook::Unknown, Step::outlook),
        status: step.and_then(Step::status).map(Status::word),
        error_class: group.cause.class.clone(),
        count: group.count,
        since: time(group.since),
        sentence: example.map(|operation| sentence::of(operation).render(lang)).unwrap_or_default(),
        hint: example.map(|operation| sentence::hint(operation).render(lang)).unwrap_or_default(),
        actions: step.map(|step| actions(step, &group.shares)).unwrap_or_default(),
        members: members.iter().take(MOST_NAMED).map(named).collect(),
        ids: members.iter().map(|member| member.operation_id.clone()).collect(),
    }
}

pub(super) async fn recovery(engine: Engine, call: Call) -> Answer {
    let store = &engine.core.store;
    let shares = store.stuck_shares().await?;
    let members = store.stuck_members(MOST_IDS).await?;
    let mut groups = grouped(&shares);
    let more_causes = groups.len().saturating_sub(MOST_CAUSES);
    let requests = groups.iter().map(|group| group.count).sum();
    groups.truncate(MOST_CAUSES);
    let mut of: BTreeMap<&Cause, &[Member]> = BTreeMap::new();
    for same in members.chunk_by(|one, next| one.cause == next.cause) {
        of.extend(same.first().map(|oldest| (&oldest.cause, same)));
    }
    let members_of = |group: &Group<'_>| of.get(group.cause).copied().unwrap_or_default();
    let oldest: Vec<&str> =
        groups.iter().filter_map(|group| members_of(group).first()).map(|m| m.operation_id.as_str()).collect();
    let examples = store.operations(&oldest).await?;
    let example_of = |members: &[Member]| {
        let oldest = members.first()?;
        examples.iter().find(|operation| operation.operation_id == oldest.operation_id)
    };
    let cause = |group: &Group<'_>| {
        let members = members_of(group);
        view(group, members, example_of(members), call.request.lang)
    };
    Ok(Reply::json(200, &RecoveryView { causes: groups.iter().map(cause).collect(), more_causes, requests }))
}
