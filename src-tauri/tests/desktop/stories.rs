//! What an operator does in the true window, from the first start to a request in effect, with every fault on the way.

use std::time::Duration;

use serde_json::json;

use crate::app::{App, eventually};
use crate::display::Display;
use crate::page::Page;
use crate::practice::{Remotes, practise, stands_at, submit_quota};

/// The whole way of a request, at the pace of the practice remotes.
const WHOLE_WAY: Duration = Duration::from_secs(60);

#[test]
fn a_newcomer_practises_and_follows_a_change_from_the_form_to_effective() {
    let app = App::new();
    let page = app.open();
    page.reads("Welcome to Signalbox");
    page.picture("first-run");
    page.press("Start practising");
    page.reads_within("No requests yet", WHOLE_WAY);
    let remotes = Remotes::behind(&page);

    page.press("New change");
    page.press("Service quota");
    page.fill("Service", "billing");
    page.press("eu-west");
    page.press("cpu");
    page.fill("New limit", "640");
    page.reads("quotas/billing.yaml");
    page.shows(".diff");
    page.picture("form");
    page.press("Submit change");

    page.reads_within("10402", WHOLE_WAY);
    let operation = shown_operation(&page);
    page.picture("waiting-for-approval");
    remotes.approve(&page, &operation);
    page.shows_within("header.head .o-done", WHOLE_WAY);
    page.shows("[data-step='10301']");
    page.shows("[data-edge='10102-10109']");
    page.picture("validated");

    page.press("Files");
    page.shows(".panes .diff");
    page.picture("validated-files");
    page.press("Fields");
    page.reads("640");

    page.press("Requests");
    page.shows("[role=grid] [aria-rowindex='2']");
    page.reads("eu-west/cpu");
    for (width, height) in [(1024, 680), (1600, 1000)] {
        page.resize(width, height);
        page.picture(&format!("list-{width}"));
    }
}

#[test]
fn a_failed_pipeline_is_got_going_again_by_resume() {
    let app = App::new();
    let (page, remotes) = practise(&app);
    remotes.approve_everything();
    remotes.set(&json!({"pipeline.fail_next": 1}));
    let operation = submit_quota(&page, "checkout", 333);
    visit(&page, &operation);
    page.shows_within("header.head .o-failed", WHOLE_WAY);
    let display = Display::connect();
    eventually("the title says it", || display.shows_title("1 needs attention · Signalbox"));
    page.picture("failed");
    remotes.retry_pipelines();

    page.press("Resume");
    page.reads("What the remotes say now");
    page.reads("What will be called, in this order");
    page.shows("[role=dialog] .pri:not([disabled])");
    page.picture("resume-dialog");
    page.fill("Comment", "the runner was out of disk");
    page.press("Resume");
    page.reads("accepted");
    page.picture("resume-accepted");
    page.press("Done");
    page.shows_within("header.head .o-done", WHOLE_WAY);
    page.reads("the runner was out of disk");
    page.picture("resumed");
}

#[test]
fn a_request_whose_deploy_callback_was_lost_is_found_by_reconcile() {
    let app = App::new();
    let (page, remotes) = practise(&app);
    remotes.approve_everything();
    drop(page);
    // Nothing may be faster than the person: the sweep of its own stays away.
    app.set(&[("sweep = \"30s\"", "sweep = \"1h\""), ("min_age = \"20s\"", "min_age = \"1s\"")]);

    let page = app.open();
    page.reads("No requests yet");
    let remotes = Remotes::behind(&page);
    remotes.set(&json!({"deploy.lose": 1}));
    let lost = submit_quota(&page, "media", 210);
    stands_at(&page, &lost, 10109);
    let heard = submit_quota(&page, "search", 320);
    stands_at(&page, &heard, 10301);

    page.press("Reconcile");
    page.reads("1 request would move to VALIDATED");
    page.picture("reconcile");
    page.press("Run now");
    page.reads("1 request moved to VALIDATED");
    visit(&page, &lost);
    page.shows("header.head .o-done");
    page.picture("reconciled");
}

#[test]
fn a_start_that_fails_says_why_in_the_window() {
    let app = App::new();
    std::fs::write(app.data_dir().join("signalbox.toml"), "[operator]\nname = \"ops-1\"\nnickname = \"o\"\n").unwrap();
    let page = app.open();
    page.reads("The engine did not start");
    page.reads("nickname");
    page.picture("settings-wrong");
}

/// Goes to a request as from its row.
fn visit(page: &Page, operation: &str) {
    page.press("Requests");
    page.shows("[role=grid] [aria-rowindex='2']");
    page.press_at(&format!("#row-{operation}"));
    page.key("\u{E007}");
    page.shows("header.head");
    assert_eq!(shown_operation(page), operation);
}

/// The id of the request whose page this is.
fn shown_operation(page: &Page) -> String {
    let path = page.run("return location.pathname");
    let id = path.as_str().and_then(|path| path.strip_prefix("/requests/"));
    id.unwrap_or_else(|| panic!("not the page of a request: {path}")).to_owned()
}
