//! Pages behind the links that the API gives: projects, a merge request, a pipeline.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::mergeable::{facts, snapshot};
use crate::accounts::{DEFAULT_BRANCH, PLACES, Place, by_name};
use crate::acts::{self, ACTS, fits};
use crate::clock::now;
use crate::guard;
use crate::look::{escape, mark, notice, page, when};
use crate::world::World;

pub(super) fn routes(world: &Arc<World>) -> Router<Arc<World>> {
    Router::new()
        .route("/", get(projects))
        .route("/{group}/{name}", get(project))
        .route("/{group}/{name}/-/merge_requests/{iid}", get(merge_request))
        .route("/{group}/{name}/-/merge_requests/{iid}/{act}", post(act))
        .route("/{group}/{name}/-/pipelines/{id}", get(pipeline))
        .route("/{group}/{name}/-/commit/{sha}", get(commit))
        .layer(from_fn_with_state(Arc::clone(world), guard::same_site))
}

#[derive(Debug, Default, Deserialize)]
struct Told {
    #[serde(default)]
    told: String,
}

fn missing(world: &World, what: &str) -> Response {
    let body = format!("<p>There is no {}.</p>", escape(what));
    (StatusCode::NOT_FOUND, page(&world.urls(), "GitLab", "Not found", &body)).into_response()
}

fn find(group: &str, name: &str) -> Option<&'static Place> {
    PLACES.iter().find(|place| place.path == format!("{group}/{name}"))
}

async fn projects(State(world): State<Arc<World>>) -> Response {
    let mut rows = String::new();
    for place in PLACES {
        let _ = write!(
            rows,
            "<tr><td><a href=\"/{path}\">{path}</a></td><td>{}</td><td class=\"mono\">{}</td></tr>",
            escape(place.description),
            escape(&world.repo(place.id).dir.display().to_string()),
            path = place.path
        );
    }
    let body = format!(
        "<p>The API is under <code>/api/v4</code>. The repositories are real: clone or push with git, and the merge requests follow.</p>\
         <div class=\"card scroll\"><table><thead><tr><th>Project</th><th>What</th><th>Bare repository</th></tr></thead>\
         <tbody>{rows}</tbody></table></div>"
    );
    page(&world.urls(), "GitLab", "Projects", &body).into_response()
}

async fn project(State(world): State<Arc<World>>, Path((group, name)): Path<(String, String)>) -> Response {
    let Some(place) = find(&group, &name) else { return missing(&world, "such project") };
    let mut requests = String::new();
    let listed = world.read(|state| {
        let all = state.projects.get(&place.id).into_iter().flat_map(|found| found.merge_requests.values().rev());
        all.take(100)
            .map(|mr| (mr.iid, mr.title.clone(), mr.state.word(), mr.author.clone(), mr.updated))
            .collect::<Vec<_>>()
    });
    for (iid, title, state, author, updated) in listed {
        let _ = write!(
            requests,
            "<tr><td><a href=\"/{}/-/merge_requests/{iid}\">!{iid}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            place.path,
            escape(&title),
            escape(by_name(&author).name),
            when(updated),
            mark(state)
        );
    }
    if requests.is_empty() {
        requests.push_str("<tr><td class=\"empty\">None yet.</td></tr>");
    }
    let mut commits = String::new();
    for commit in world.repo(place.id).log(DEFAULT_BRANCH, None).await.unwrap_or_default().iter().take(30) {
        let title = commit.message.lines().next().unwrap_or_default();
        let _ = write!(
            commits,
            "<tr><td class=\"mono\"><a href=\"/{}/-/commit/{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            place.path,
            commit.sha,
            &commit.sha[..8],
            escape(title),
            escape(&commit.author.name),
            when(commit.committer.at.timestamp_millis())
        );
    }
    let body = format!(
        "<p>{}</p><h2>Merge requests</h2><div class=\"card scroll\"><table>{requests}</table></div>\
         <h2>Commits on {DEFAULT_BRANCH}</h2><div class=\"card scroll\"><table>{commits}</table></div>",
        escape(place.description)
    );
    page(&world.urls(), "GitLab", place.path, &body).into_response()
}

async fn merge_request(
    State(world): State<Arc<World>>,
    Path((group, name, iid)): Path<(String, String, u64)>,
    Query(told): Query<Told>,
) -> Response {
    let place = find(&group, &name);
    let Some((place, shot)) = place.and_then(|place| Some((place, snapshot(&world, place.id, iid)?))) else {
        return missing(&world, "such merge request");
    };
    let mr = &shot.mr;
    let status = match facts(&world, &shot).await {
        Ok(facts) => shot.blocker(&facts, true).unwrap_or("mergeable"),
        Err(_) => "unknown",
    };
    let mut list = String::new();
    let mut fact = |name: &str, value: &str| {
        let _ = write!(list, "<dt>{name}</dt><dd>{value}</dd>");
    };
    fact("State", &mark(mr.state.word()));
    if status != "not_open" {
        fact("Can be merged", &mark(status));
    }
    fact("By", &format!("{}, {}", escape(by_name(&mr.author).name), when(mr.created)));
    fact("Branches", &format!("<code>{}</code> into <code>{}</code>", escape(&mr.source), escape(&mr.target)));
    fact("Head", &format!("<code><a href=\"/{}/-/commit/{1}\">{1}</a></code>", place.path, mr.head));
    let approvals: Vec<&str> = mr.approvals.iter().map(|approval| by_name(&approval.user).name).collect();
    let names = if approvals.is_empty() { "nobody yet".to_owned() } else { escape(&approvals.join(", ")) };
    fact("Approved by", &format!("{names} <small>{} needed</small>", shot.required()));
    for pipeline in &shot.pipelines {
        let status = pipeline.status(shot.now).unwrap_or_default();
        fact("Pipeline", &format!("#{} {} <code>{}</code>", pipeline.id, mark(status), &pipeline.sha[..8]));
    }
    if let Some(error) = &mr.merge_error {
        fact("Merge error", &escape(error));
    }
    if let (Some(by), Some(at)) = (&mr.merged_by, mr.merged_at) {
        fact("Merged", &format!("{} by {}", when(at), escape(by_name(by).name)));
    }
    if let Some(ended) = mr.deployed {
        fact("Deploy", &mark(ended.word()));
    }
    let mut buttons = String::new();
    for (word, label, sentence) in ACTS.iter().filter(|(word, _, _)| fits(word, mr.state)) {
        let _ = write!(
            buttons,
            "<form method=\"post\" action=\"/{}/-/merge_requests/{iid}/{word}\"><button title=\"{}\">{label}</button></form>",
            place.path,
            escape(sentence)
        );
    }
    let files = world.repo(place.id).diff(Some(&mr.base), &mr.head, 3).await.unwrap_or_default();
    let diffs: String = files
        .iter()
        .map(|file| format!("<h2 class=\"mono\">{}</h2>{}", escape(&file.path), diff(&file.hunks)))
        .collect();
    let body = format!(
        "{}<div class=\"card\"><dl>{list}</dl></div><div class=\"acts-line\">{buttons}</div><pre>{}</pre>{diffs}",
        notice(Some(&told.told)),
        escape(&mr.description)
    );
    page(&world.urls(), "GitLab", &format!("{}!{iid}: {}", place.path, mr.title), &body).into_response()
}

fn diff(hunks: &str) -> String {
    let mut lines = String::from("<pre>");
    for line in hunks.lines() {
        let class = match line.as_bytes().first() {
            Some(b'+') => "add",
            Some(b'-') => "del",
            _ => "",
        };
        let _ = writeln!(lines, "<span class=\"{class}\">{}</span>", escape(line));
    }
    lines.push_str("</pre>");
    lines
}

async fn act(
    State(world): State<Arc<World>>,
    Path((group, name, iid, act)): Path<(String, String, u64, String)>,
) -> Response {
    let Some(place) = find(&group, &name) else { return missing(&world, "such project") };
    let told = acts::on_merge_request(&world, place.id, iid, &act).await.unwrap_or_else(|sentence| sentence);
    let told = utf8_percent_encode(&told, NON_ALPHANUMERIC);
    Redirect::to(&format!("/{}/-/merge_requests/{iid}?told={told}", place.path)).into_response()
}

async fn pipeline(State(world): State<Arc<World>>, Path((group, name, id)): Path<(String, String, u64)>) -> Response {
    let found = find(&group, &name).and_then(|place| {
        let pipeline = world.read(|state| state.projects.get(&place.id)?.pipelines.get(&id).cloned())?;
        Some((place, pipeline))
    });
    let Some((place, pipeline)) = found else { return missing(&world, "such pipeline") };
    let request = pipeline.mr_iid.map_or_else(String::new, |iid| {
        format!("<dt>Merge request</dt><dd><a href=\"/{}/-/merge_requests/{iid}\">!{iid}</a></dd>", place.path)
    });
    let body = format!(
        "<div class=\"card\"><dl><dt>Status</dt><dd>{}</dd><dt>Commit</dt><dd><code>{}</code></dd><dt>Since</dt><dd>{}</dd>{request}\
         </dl></div>",
        mark(pipeline.status(now()).unwrap_or("created")),
        pipeline.sha,
        when(pipeline.created),
    );
    page(&world.urls(), "GitLab", &format!("Pipeline #{id}"), &body).into_response()
}

async fn commit(State(world): State<Arc<World>>, Path((group, name, sha)): Path<(String, String, String)>) -> Response {
    let Some(place) = find(&group, &name) else { return missing(&world, "such project") };
    let repo = world.repo(place.id);
    let Some(sha) = repo.resolve(&sha).await else { return missing(&world, "such commit") };
    let Ok(commit) = repo.commit(&sha).await else { return missing(&world, "such commit") };
    let files = repo.diff(commit.parents.first().map(String::as_str), &sha, 3).await.unwrap_or_default();
    let diffs: String = files
        .iter()
        .map(|file| format!("<h2 class=\"mono\">{}</h2>{}", escape(&file.path), diff(&file.hunks)))
        .collect();
    let who = format!("{}, {}", escape(&commit.author.name), when(commit.author.at.timestamp_millis()));
    let body = format!("<p>{who}</p><pre>{}</pre>{diffs}", escape(&commit.message));
    page(&world.urls(), "GitLab", &format!("Commit {}", &sha[..8]), &body).into_response()
}
