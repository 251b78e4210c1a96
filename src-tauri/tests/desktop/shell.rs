//! The shell around the page: starts, ends, and what the page may not do.

use std::process::Command;

use serde_json::json;

use crate::app::{App, eventually, program};
use crate::display::Display;
use crate::practice::submit_quota;

#[test]
fn a_first_start_opens_the_window_at_once_and_knows_that_it_is_the_first() {
    let app = App::new();
    let page = app.open();
    let state = page.invoke("start_state", &json!({})).unwrap();
    assert_eq!(state["mode"], "first-run");
    assert!(state["log_path"].as_str().unwrap().ends_with("signalbox.log"));
    assert_eq!(page.run("return document.visibilityState"), "visible");
}

#[test]
fn settings_that_cannot_be_used_are_shown_in_the_window_and_can_be_corrected_without_a_new_start() {
    let app = App::new();
    let settings = app.data_dir().join("signalbox.toml");
    std::fs::write(&settings, "[operator\nname = 1").unwrap();
    let page = app.open();
    let state = page.invoke("start_state", &json!({})).unwrap();
    assert_eq!(state["mode"], "failed");
    assert!(state["message"].as_str().unwrap().contains("signalbox.toml"), "{state}");

    std::fs::remove_file(&settings).unwrap();
    assert_eq!(page.invoke("start_state", &json!({})).unwrap()["mode"], "first-run");
}

#[test]
fn a_data_directory_that_cannot_be_written_is_told_in_the_window() {
    let app = App::new();
    std::fs::remove_dir(app.data_dir()).unwrap();
    std::fs::write(app.data_dir(), "").unwrap();
    let page = app.open();
    let state = page.invoke("start_state", &json!({})).unwrap();
    assert_eq!(state["mode"], "failed");
    assert!(state["message"].as_str().unwrap().contains("cannot be written"), "{state}");
    drop(page);
    std::fs::remove_file(app.data_dir()).unwrap();
}

#[test]
fn the_page_cannot_reach_the_system_nor_leave_itself() {
    let app = App::new();
    let page = app.open();
    for command in [
        "plugin:window|close",
        "plugin:opener|open_url",
        "plugin:dialog|message",
        "plugin:dialog|open",
        "plugin:event|emit",
        "quit",
    ] {
        assert!(page.invoke(command, &json!({})).is_err(), "{command} must be refused");
    }
    for address in ["file:///etc/passwd", "https://example.com/", "javascript:alert(1)"] {
        assert!(page.invoke("open_url", &json!({"url": address})).is_err(), "{address} must not be opened");
    }
    let here = page.run("return location.href");
    page.run("location.href = 'https://example.com/'");
    assert_eq!(page.run("return location.href"), here);
    let evaluated = page.run("try { return Function('return 1')() } catch (error) { return error.name }");
    assert_eq!(evaluated, "EvalError", "the content policy forbids code from text");
}

#[test]
fn without_a_display_it_says_so_and_points_to_the_browser() {
    let output = Command::new(program()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("make serve"));
}

#[test]
fn a_second_start_shows_the_window_of_the_first_and_ends() {
    let (app, display) = (App::new(), Display::connect());
    let mut first = app.start();
    display.hide(first.window(&display));
    eventually("the window is hidden", || first.windows(&display).is_empty());

    assert!(app.command().status().unwrap().success());
    first.window(&display);
    assert!(first.is_running());
}

#[test]
fn being_told_to_end_it_stops_the_engine_and_exits_0() {
    let display = Display::connect();
    for signal in ["TERM", "INT"] {
        let app = App::new();
        let mut started = app.start();
        started.window(&display);
        started.signal(signal);
        assert_eq!(started.ends().code(), Some(0), "SIG{signal}");
        app.logs("stopped");
    }
}

#[test]
fn without_a_tray_closing_the_window_ends_the_app() {
    let (app, display) = (App::new(), Display::connect());
    let mut started = app.start();
    display.close(started.window(&display));
    assert_eq!(started.ends().code(), Some(0));
}

#[test]
fn with_a_tray_closing_tells_once_and_goes_on() {
    let _tray = zbus::blocking::connection::Builder::session()
        .and_then(|bus| bus.name("org.kde.StatusNotifierWatcher"))
        .and_then(|bus| bus.build())
        .unwrap();
    let (app, display) = (App::new(), Display::connect());
    let mut started = app.start();
    let window = started.window(&display);
    display.close(window);
    let mut notice = None;
    eventually("the notice about the tray is seen", || {
        notice = started.windows(&display).into_iter().find(|other| *other != window);
        notice.is_some()
    });
    display.close(notice.unwrap());
    eventually("the window is hidden", || started.windows(&display).is_empty());
    assert!(started.is_running());

    assert!(app.command().status().unwrap().success());
    display.close(started.window(&display));
    eventually("the window is hidden at once", || started.windows(&display).is_empty());
    assert!(started.is_running());
}

#[test]
fn the_record_of_a_request_is_saved_in_the_folder_of_downloads_and_over_nothing() {
    let app = App::new();
    let page = app.open();
    page.press("Start practising");
    page.reads("No requests yet");
    let id = submit_quota(&page, "billing", 640);
    let saved: Vec<_> = (0..2)
        .map(|_| page.invoke("save_evidence", &json!({"operationId": id})).unwrap().as_str().unwrap().to_owned())
        .collect();
    assert_ne!(saved[0], saved[1]);
    for file in &saved {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains(&id), "{file}");
        std::fs::remove_file(file).unwrap();
    }
    for foreign in ["../../etc/passwd", "no-such-request"] {
        let refused = page.invoke("save_evidence", &json!({"operationId": foreign})).unwrap_err();
        assert!(refused.ends_with("Nothing was saved."), "{refused}");
    }
}
