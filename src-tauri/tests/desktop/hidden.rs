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

/// Takes from the page the one that hears changes, as a webview does that was never shown.
const DEAFEN: &str = "let heard = 0; for (const name of Object.getOwnPropertyNames(window)) {\
    const held = name.startsWith('_') ? window[name] : undefined;\
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, 'change')) continue;\
    for (const id of Object.getOwnPropertyNames(held.change)) {\
        window.__TAURI_INTERNALS__.unregisterCallback(held.change[id].handlerId); heard += 1 } }\
    return heard > 0";

/// A request goes all the way while the window is in the tray; then the window is shown again, as a second start does it.
fn shown_again(app: &App, script: Option<&str>) -> (Page, String) {
    let _tray = zbus::blocking::connection::Builder::session()
        .and_then(|bus| bus.name("org.kde.StatusNotifierWatcher"))
        .and_then(|bus| bus.build())
        .expect("a tray");
    let display = Display::connect();
    let page = app.open();
    page.press("Start practising");
    page.reads_within("No requests yet", WHOLE_WAY);
    let remotes = Remotes::behind(&page);
    let operation = submit_quota(&page, "billing", 640);
    stands_at(&page, &operation, 10402);
    page.press("Requests");
    page.shows_within(&format!("#row-{operation}"), WHOLE_WAY);
    if let Some(script) = script {
        assert_eq!(page.run(script), true, "the page listened");
    }
    let window = display.windows_titled("Signalbox").pop().expect("the window");
    display.close(window);
    // The first time a notice says that it goes on in the tray.
    eventually("the window is hidden", || {
        let seen = display.windows_titled("");
        seen.iter().filter(|other| **other != window).for_each(|notice| display.close(*notice));
        !seen.contains(&window)
    });
    remotes.approve(&page, &operation);
    stands_at(&page, &operation, 10301);
    if script.is_some() {
        let seen = format!("return document.querySelector('#row-{operation} .o-done') !== null");
        std::thread::sleep(SOON);
        assert_eq!(page.run(&seen), false, "it hears nothing");
    }
    assert!(app.command().status().expect("a second start").success());
    eventually("the window is back", || display.windows_titled("").contains(&window));
    (page, operation)
}

#[test]
fn c116_window_was_hidden_and_missed_every_event() {
    let app = App::new();
    let (page, operation) = shown_again(&app, None);
    page.shows_within(&format!("#row-{operation} .o-done"), SOON);
}

#[test]
fn c116_a_page_that_hears_nothing_reads_when_it_is_shown() {
    let app = App::new();
    let (page, operation) = shown_again(&app, Some(DEAFEN));
    page.shows_within(&format!("#row-{operation} .o-done"), SOON);
}

#[test]
fn c116_a_page_that_is_loaded_anew_knows_everything_too() {
    let app = App::new();
    let (page, operation) = shown_again(&app, None);
    page.run("location.reload()");
    page.shows_within(&format!("#row-{operation} .o-done"), WHOLE_WAY);
}
