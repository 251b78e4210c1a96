//! Case C116: a window that nobody saw while everything happened.

use std::time::Duration;

use crate::app::{App, eventually};
use crate::display::Display;
use crate::page::Page;
use crate::practice::{Remotes, stands_at, submit_quota};

/// The whole way of a request, at the pace of the practice remotes.
const WHOLE_WAY: Duration = Duration::from_secs(60);
/// How soon a window that is shown again shows what is.
const SOON: Duration = Duration::from_secs(2);

/// A request goes all the way while the window is hidden; then the window is shown again, as a second start does it.
fn shown_again(app: &App) -> (Page, String) {
    let display = Display::connect();
    let page = app.open();
    page.press("Start practising");
    page.reads_within("No requests yet", WHOLE_WAY);
    let remotes = Remotes::behind(&page);
    let operation = submit_quota(&page, "billing", 640);
    stands_at(&page, &operation, 10402);
    page.press("Requests");
    page.shows_within(&format!("#row-{operation}"), WHOLE_WAY);
    let window = display.windows_titled("Signalbox").pop().expect("the window");
    display.hide(window);
    eventually("the window is hidden", || display.windows_titled("Signalbox").is_empty());
    remotes.approve(&page, &operation);
    stands_at(&page, &operation, 10301);
    assert!(app.command().status().expect("a second start").success());
    eventually("the window is back", || !display.windows_titled("Signalbox").is_empty());
    (page, operation)
}

#[test]
fn c116_window_was_hidden_and_missed_every_event() {
    let app = App::new();
    let (page, operation) = shown_again(&app);
    page.shows_within(&format!("#row-{operation} .o-done"), SOON);
}

#[test]
fn c116_a_page_that_is_loaded_anew_knows_everything_too() {
    let app = App::new();
    let (page, operation) = shown_again(&app);
    page.run("location.reload()");
    page.shows_within(&format!("#row-{operation} .o-done"), WHOLE_WAY);
}
