//! What follows when a branch moves, and the acts on merge requests that several calls share.

use chrono::Utc;

use crate::accounts::{DEFAULT_BRANCH, HANNA, by_name, place};
use crate::clock::{Millis, now};
use crate::git::{Edit, EditError, GitError, Person};
use crate::state::{MergeRequest, MrState, Pipeline, State, Verdict, Work};
use crate::world::World;

/// Words that keep a pipeline from running.
const SKIP: &[&str] = &["[skip ci]", "[ci skip]", "[no ci]"];
/// A pipeline that never ends by itself ends in ten years.
const NEVER: Millis = 10 * 365 * 86_400_000;

/// The author of a commit that this account makes now.
pub(crate) fn person(username: &str) -> Person {
    let account = by_name(username);
    Person { name: account.name.to_owned(), email: account.email(), at: Utc::now().fixed_offset() }
}

/// A branch that is at another commit now.
pub(crate) struct Moved<'a> {
    pub(crate) project: u64,
    pub(crate) branch: &'a str,
    /// Where it was; `None` when it is new, or when that is not known.
    pub(crate) old: Option<&'a str>,
    pub(crate) new: &'a str,
    pub(crate) by: &'a str,
}

/// Lets the open merge requests know that a branch moved. The caller holds the repository.
pub(crate) async fn branch_moved(world: &World, moved: Moved<'_>) -> Result<(), GitError> {
    for (iid, target) in open(world, moved.project, |mr| mr.source == moved.branch && mr.head != moved.new) {
        new_head(world, moved.project, iid, &target, moved.new).await?;
    }
    merged_elsewhere(world, &moved).await
}

/// The open merge requests that fit, each with its target branch.
fn open(world: &World, project: u64, fits: impl Fn(&MergeRequest) -> bool) -> Vec<(u64, String)> {
    world.read(|state| {
        let found = state.projects.get(&project).into_iter().flat_map(|project| project.merge_requests.values());
        let open = found.filter(|mr| mr.state == MrState::Opened && fits(mr));
        open.map(|mr| (mr.iid, mr.target.clone())).collect()
    })
}

async fn new_head(world: &World, project: u64, iid: u64, target: &str, sha: &str) -> Result<(), GitError> {
    let repo = world.repo(project);
    let target = repo.head(target).unwrap_or_else(|| sha.to_owned());
    let base = repo.merge_base(sha, &target).await?;
    let patch = repo.patch_id(&base, sha).await?;
    let words = repo.commit(sha).await?.message;
    repo.keep(&format!("refs/merge-requests/{iid}/head"), sha).await?;
    let sync = world.after(world.options.pace.approvals_sync);
    world.write(|state| {
        let mode = world.switches.word(state, "gitlab.approvals_reset");
        let Some(mr) = merge_request(state, project, iid) else { return };
        super::mergeable::settle(mr, now(), mode);
        sha.clone_into(&mut mr.head);
        (mr.base, mr.patch, mr.updated) = (base, patch, now());
        (mr.check, mr.merge_error, mr.armed_by) = (None, None, None);
        mr.approvals_due = (!mr.approvals.is_empty() && mode != "none").then_some(sync);
        start_pipeline(world, state, project, iid, sha, &words);
    });
    Ok(())
}

/// A merge request whose head reached its target by another way, such as a push, counts as merged.
async fn merged_elsewhere(world: &World, moved: &Moved<'_>) -> Result<(), GitError> {
    let waiting = open(world, moved.project, |mr| mr.target == moved.branch && mr.head != mr.base);
    if waiting.is_empty() {
        return Ok(());
    }
    let arrived = world.repo(moved.project).arrived(moved.old, moved.new).await?;
    let deploy = now() + world.value("pace.deploy") as Millis;
    let any = world.write(|state| {
        let mut any = false;
        for (iid, _) in &waiting {
            let Some(mr) = merge_request(state, moved.project, *iid).filter(|mr| arrived.contains(&mr.head)) else {
                continue;
            };
            merged(mr, moved.by, moved.new);
            state.schedule(deploy, Work::Deploy { project: moved.project, iid: *iid });
            any = true;
        }
        any
    });
    if any {
        world.agenda.notify_one();
    }
    Ok(())
}

/// Marks a merge request as merged; the target branch is at `result` now.
pub(super) fn merged(mr: &mut MergeRequest, by: &str, result: &str) {
    let now = now();
    (mr.state, mr.updated, mr.merged_at, mr.merged_by) = (MrState::Merged, now, Some(now), Some(by.to_owned()));
    mr.result = Some(result.to_owned());
    (mr.merge_error, mr.armed_by, mr.rebase) = (None, None, None);
}

/// The stored merge request.
pub(crate) fn merge_request(state: &mut State, project: u64, iid: u64) -> Option<&mut MergeRequest> {
    state.projects.get_mut(&project)?.merge_requests.get_mut(&iid)
}

/// Creates the pipeline of a merge request's head; it can be seen a moment later.
pub(crate) fn start_pipeline(world: &World, state: &mut State, project: u64, iid: u64, sha: &str, words: &str) {
    let exists = |pipeline: &Pipeline| pipeline.sha == sha && pipeline.mr_iid == Some(iid);
    if state.projects.entry(project).or_default().pipelines.values().any(exists) {
        return;
    }
    if world.switches.take(state, "pipeline.none_next") {
        return;
    }
    let appears = world.after(world.options.pace.pipeline_appears);
    add_pipeline(world, state, project, iid, sha, words, appears);
}

/// Adds a pipeline that is created at a given moment, and returns its number.
pub(crate) fn add_pipeline(
    world: &World,
    state: &mut State,
    project: u64,
    iid: u64,
    sha: &str,
    words: &str,
    created: Millis,
) -> u64 {
    let words = words.to_lowercase();
    let total = world.switches.value(state, "pace.pipeline") as Millis;
    let mut running = created + (total / 4).min(1500);
    let mut finished = created + total;
    let mut verdict = Verdict::Success;
    if SKIP.iter().any(|mark| words.contains(mark)) {
        (verdict, running, finished) = (Verdict::Skipped, created, created);
    } else if world.switches.take(state, "pipeline.fail_next") {
        verdict = Verdict::Failed;
    } else if world.switches.take(state, "pipeline.stuck_next") {
        finished = created + NEVER;
    }
    let id = state.next_id();
    state.count("pipelines started");
    let found = state.projects.entry(project).or_default();
    let number = found.pipelines.len() as u64 + 1;
    found.pipelines.insert(
        id,
        Pipeline {
            id,
            iid: number,
            sha: sha.to_owned(),
            reference: format!("refs/merge-requests/{iid}/head"),
            source: "merge_request_event".to_owned(),
            mr_iid: Some(iid),
            created,
            running,
            finished,
            verdict,
        },
    );
    id
}

/// Commits edits on top of a branch as an account. The caller holds the repository.
pub(crate) async fn commit_edits(
    world: &World,
    project: u64,
    branch: &str,
    edits: &[Edit],
    message: &str,
    by: &str,
) -> Result<Option<String>, EditError> {
    let repo = world.repo(project);
    let Some(head) = repo.head(branch) else { return Ok(None) };
    let tree = repo.edit_tree(&head, edits).await?;
    let author = person(by);
    let sha = repo.write_commit(&tree, &[&head], message, &author, &author).await?;
    repo.move_branch(branch, &sha, Some(&head)).await?;
    world.count("commits made");
    branch_moved(world, Moved { project, branch, old: Some(&head), new: &sha, by }).await?;
    Ok(Some(sha))
}

/// Closes a merge request that is open; a merge that was armed is called off.
pub(crate) fn close(world: &World, project: u64, iid: u64, by: &str) -> bool {
    world.write(|state| {
        let Some(mr) = merge_request(state, project, iid).filter(|mr| mr.state == MrState::Opened) else {
            return false;
        };
        let now = now();
        (mr.state, mr.updated, mr.closed_at, mr.closed_by) = (MrState::Closed, now, Some(now), Some(by.to_owned()));
        mr.armed_by = None;
        state.count("merge requests closed");
        true
    })
}

/// Opens a closed merge request again; its head is what the branch is at now.
pub(crate) async fn reopen(world: &World, project: u64, iid: u64, by: &str) -> Result<bool, GitError> {
    let source = world.write(|state| {
        let mr = merge_request(state, project, iid).filter(|mr| mr.state == MrState::Closed)?;
        (mr.state, mr.updated, mr.closed_at, mr.closed_by, mr.check) = (MrState::Opened, now(), None, None, None);
        let source = mr.source.clone();
        state.count("merge requests reopened");
        Some(source)
    });
    let Some(source) = source else { return Ok(false) };
    if let Some(head) = world.repo(project).head(&source) {
        branch_moved(world, Moved { project, branch: &source, old: Some(&head), new: &head, by }).await?;
    }
    Ok(true)
}

/// Looks for branches that were pushed to, or removed, with plain git.
pub(crate) async fn notice_moves(world: &World, project: u64) -> Result<(), GitError> {
    let repo = world.repo(project);
    let _held = repo.writing.lock().await;
    for change in repo.read_branches().await? {
        match &change.now {
            Some(sha) => {
                let moved =
                    Moved { project, branch: &change.branch, old: change.before.as_deref(), new: sha, by: HANNA };
                branch_moved(world, moved).await?;
            }
            None => branch_gone(world, project, &change.branch, HANNA),
        }
    }
    Ok(())
}

/// Brings the merge requests up to what git says: it may have moved while nobody listened, or just before a crash.
pub(crate) async fn catch_up(world: &World, project: u64) -> Result<(), GitError> {
    let repo = world.repo(project);
    let _held = repo.writing.lock().await;
    let branches = repo.branches();
    let all = world.read(|state| {
        let found = state.projects.get(&project).into_iter().flat_map(|project| project.merge_requests.values());
        let open = found.filter(|mr| mr.state == MrState::Opened);
        open.map(|mr| (mr.iid, mr.source.clone(), mr.target.clone(), mr.head.clone())).collect::<Vec<_>>()
    });
    for (iid, source, target, head) in all {
        match branches.get(&source) {
            Some(now) if *now != head => new_head(world, project, iid, &target, now).await?,
            Some(_) => {}
            None => branch_gone(world, project, &source, HANNA),
        }
    }
    for (branch, new) in
        branches.iter().filter(|(branch, _)| !open(world, project, |mr| mr.target == **branch).is_empty())
    {
        merged_elsewhere(world, &Moved { project, branch, old: None, new, by: HANNA }).await?;
    }
    Ok(())
}

/// Closes the open merge requests of a branch that is no more.
pub(crate) fn branch_gone(world: &World, project: u64, branch: &str, by: &str) {
    for (iid, _) in open(world, project, |mr| mr.source == branch) {
        close(world, project, iid, by);
    }
}

/// Whether an account may push to a branch.
pub(crate) fn may_push(level: u64, branch: &str) -> bool {
    level >= if branch == DEFAULT_BRANCH { 40 } else { 30 }
}

/// The message of a merge commit, in GitLab's words.
pub(crate) fn merge_message(project: u64, mr: &MergeRequest) -> String {
    let path = place(project).path;
    format!("Merge branch '{}' into '{}'\n\n{}\n\nSee merge request {path}!{}", mr.source, mr.target, mr.title, mr.iid)
}
