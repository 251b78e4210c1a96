//! What a person does by hand in the practice remotes: on the pages, in the panel, or through the control API.

use std::time::Duration;

use crate::accounts::{HANNA, place};
use crate::forge::{self, Told, snapshot};
use crate::git::GitError;
use crate::meddle;
use crate::state::{MrState, Work};
use crate::world::World;

/// The acts on a merge request: the word, the label of its button, and what it does.
pub(crate) const ACTS: &[(&str, &str, &str)] = &[
    ("merge", "Merge", "Hanna merges it now, whatever approvals and pipelines say."),
    ("close", "Close", "Hanna closes it."),
    ("reopen", "Reopen", "Hanna opens it again."),
    ("push", "Push to its branch", "Hanna commits to the source branch: the head is not what was approved."),
    ("move-target", "Move the target", "Hanna commits elsewhere on the target branch."),
    ("conflict", "Make a conflict", "Hanna commits to the same lines on the target branch."),
    ("deploy", "Deploy again", "The deploy runs once more and calls back."),
    ("unapprove", "Drop approvals", "All approvals are taken back while the head stays the same."),
];

/// Whether an act makes sense for a merge request in this state.
pub(crate) fn fits(act: &str, state: MrState) -> bool {
    match act {
        "reopen" => state == MrState::Closed,
        "deploy" => state == MrState::Merged,
        _ => state == MrState::Opened,
    }
}

/// Does one act and says what happened. The error is a sentence, too.
pub(crate) async fn on_merge_request(world: &World, project: u64, iid: u64, act: &str) -> Result<String, String> {
    let name = format!("{}!{iid}", place(project).path);
    let _held = world.repo(project).writing.lock().await;
    let shot = snapshot(world, project, iid).ok_or_else(|| format!("There is no merge request {name}."))?;
    if !ACTS.iter().any(|(word, _, _)| *word == act) {
        let words: Vec<&str> = ACTS.iter().map(|(word, _, _)| *word).collect();
        return Err(format!("`{act}` is not an act; the acts are {}.", words.join(", ")));
    }
    if !fits(act, shot.mr.state) {
        return Err(format!("{name} is {}, so `{act}` does not apply.", shot.mr.state.word()));
    }
    let git = |error: GitError| format!("{name}: {error}.");
    match act {
        "merge" => match forge::merge_by_hand(world, project, iid, HANNA).await.map_err(git)? {
            true => Ok(format!("Hanna merged {name}.")),
            false => Err(format!("{name} cannot be merged: it conflicts with {}.", shot.mr.target)),
        },
        "close" => {
            forge::close(world, project, iid, HANNA);
            Ok(format!("Hanna closed {name}."))
        }
        "reopen" => {
            forge::reopen(world, project, iid, HANNA).await.map_err(git)?;
            Ok(format!("Hanna opened {name} again."))
        }
        "deploy" => {
            let wait = Duration::from_millis(world.value("pace.deploy"));
            world.schedule(world.after(wait), Work::Deploy { project, iid });
            Ok(format!("{name} is deployed again."))
        }
        "push" => {
            meddle::push_to_source(world, &shot).await.map_err(git)?;
            Ok(format!("Hanna committed to {}.", shot.mr.source))
        }
        "move-target" => {
            meddle::move_target(world, &shot).await.map_err(git)?;
            Ok(format!("Hanna committed elsewhere on {}.", shot.mr.target))
        }
        "conflict" => {
            meddle::conflict(world, &shot).await.map_err(git)?;
            Ok(format!("Hanna committed to the lines of {name} on {}.", shot.mr.target))
        }
        _ => {
            forge::withdraw(world, project, iid, None);
            Ok(format!("The approvals of {name} are taken back."))
        }
    }
}

/// Tells pipelines how to go on: one by its number, or `running` for every one that has not ended, or `failed` for every failed one.
pub(crate) fn on_pipelines(world: &World, which: &str, word: &str) -> Result<String, String> {
    let told = match word {
        "fail" => Told::Fail,
        "pass" => Told::Pass,
        "retry" => Told::Retry,
        "cancel" => Told::Cancel,
        _ => return Err(format!("`{word}` is not one of fail, pass, retry, cancel.")),
    };
    let now = crate::clock::now();
    let meant = world.read(|state| {
        let all =
            state.projects.iter().flat_map(|(id, project)| project.pipelines.values().map(move |found| (*id, found)));
        all.filter(|(_, pipeline)| match which {
            "running" => now < pipeline.finished,
            "failed" => pipeline.status(now) == Some("failed"),
            number => number == pipeline.id.to_string(),
        })
        .map(|(project, pipeline)| (project, pipeline.id))
        .collect::<Vec<_>>()
    });
    if meant.is_empty() {
        return Err(format!("There is no pipeline `{which}`."));
    }
    world.write(|state| {
        for (project, id) in &meant {
            forge::tell(world, state, *project, *id, told);
        }
    });
    let count = meant.len();
    Ok(format!("{count} pipeline{} told to {word}.", if count == 1 { " is" } else { "s are" }))
}
