//! What reads show: projects, accounts, files, histories, and things that are not there.

use signalbox_engine::ports::forge::Who;

use crate::place::{Place, create, update};

const NOWHERE: &str = "00000000deadbeef00000000deadbeef00000000";

pub async fn a_project_is_the_same_by_path_and_by_number(at: &Place) {
    let by_path = at.forge.project(&at.scope, &at.project).await.unwrap().unwrap();
    let by_number = at.forge.project(&at.scope, &by_path.id.to_string()).await.unwrap().unwrap();
    assert_eq!(by_path, by_number);
    assert_eq!(by_path.path, at.project);
    assert!(!by_path.archived, "the suite writes, and an archived project refuses that");
}

pub async fn each_credential_names_its_own_account(at: &Place) {
    let mut names = Vec::new();
    for who in [Who::Bot, Who::Reviewer(0), Who::Reviewer(1)] {
        let account = at.forge.account(&at.scope, who).await.unwrap();
        if let Some(scopes) = &account.scopes {
            assert!(scopes.iter().any(|scope| scope == "api"), "{}: {scopes:?}", account.username);
        }
        names.push(account.username);
    }
    assert_eq!(at.forge.reviewers(&at.scope).await.unwrap(), names[1..]);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "bot and reviewers are three accounts: {names:?}");
    assert!(at.forge.account(&at.scope, Who::Reviewer(2)).await.is_err(), "there is no third reviewer");
}

pub async fn things_that_are_not_there_are_none(at: &Place) {
    let (forge, scope, project) = (&at.forge, &at.scope, at.project.as_str());
    let start = at.start().await;
    assert_eq!(forge.project(scope, "signalbox-nowhere/nothing").await, Ok(None));
    assert_eq!(forge.branch(scope, project, &at.branch("nowhere")).await, Ok(None));
    assert_eq!(forge.commit(scope, project, NOWHERE).await, Ok(None));
    assert_eq!(forge.file(scope, project, "no/such file.txt", &start).await, Ok(None));
    assert_eq!(forge.file(scope, project, "README.md", &at.branch("nowhere")).await, Ok(None));
    assert_eq!(forge.merge_request(scope, project, 999_999_999).await, Ok(None));
    assert_eq!(forge.merge_requests_of(scope, project, &at.branch("nowhere")).await, Ok(Vec::new()));
    assert_eq!(forge.contains(scope, project, &start, NOWHERE).await, Ok(None));
    assert_eq!(forge.contains(scope, project, NOWHERE, &start).await, Ok(None));
}

pub async fn a_file_names_the_commits_behind_it(at: &Place) {
    let (branch, made) = at.target("file").await;
    let other = format!("contract/{}/other.txt", at.prefix);
    let head = at.commit_onto(&branch, vec![create(&other, "something else\n")]).await;
    for at_ref in [branch.as_str(), head.as_str()] {
        let file = at.forge.file(&at.scope, &at.project, &at.quota(), at_ref).await.unwrap().unwrap();
        assert_eq!(file.bytes, b"cpu 10\nmemory 20\n");
        assert_eq!((file.commit_id.as_str(), file.last_commit_id.as_str()), (head.as_str(), made.as_str()));
    }
}

pub async fn histories_are_told_oldest_first(at: &Place) {
    let start = at.start().await;
    let (branch, first) = at.target("history").await;
    let second = at.commit_onto(&branch, vec![update(&at.quota(), "cpu 11\n")]).await;
    let (forge, scope, project) = (&at.forge, &at.scope, at.project.as_str());

    let found = forge.commits_between(scope, project, &start, &branch).await.unwrap();
    let shas: Vec<&str> = found.iter().map(|commit| commit.sha.as_str()).collect();
    assert_eq!(shas, [first.as_str(), second.as_str()]);
    assert_eq!(found[1].parents, std::slice::from_ref(&first));
    assert_eq!(forge.commits_between(scope, project, &second, &start).await, Ok(Vec::new()));
    assert_eq!(forge.commit(scope, project, &second).await.unwrap().as_ref(), Some(&found[1]));

    let contains = async |sha: &str, ancestor: &str| forge.contains(scope, project, sha, ancestor).await.unwrap();
    assert_eq!(contains(&second, &start).await, Some(true));
    assert_eq!(contains(&second, &second).await, Some(true), "a commit contains itself");
    assert_eq!(contains(&start, &second).await, Some(false));
}
