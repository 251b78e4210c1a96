//! Zones and summer time: nothing that is stored or answered knows of either.

mod process;

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use process::{Place, Running, command};
use serde_json::{Value, json};

/// Serves as if the machine stood in this zone.
fn serve_in(place: &Place, zone: &str) -> Running {
    let log = std::fs::File::create(place.path("stderr.log")).expect("a log");
    let mut child = command(&["serve", "--data-dir", &place.data_dir()])
        .env("TZ", zone)
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .expect("a process");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    out.read_line(&mut line).expect("the ready line");
    Running::of(child, serde_json::from_str(&line).expect("JSON"), out)
}

/// Every time that a request and its history show, by name of the field.
fn times(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| match value.as_str() {
            Some(text) if name == "at" || name.ends_with("_at") => found.push(format!("{name} {text}")),
            _ => times(value, found),
        }),
        Value::Array(items) => items.iter().for_each(|item| times(item, found)),
        _ => {}
    }
}

#[test]
fn c107_zone_change_and_summer_time_night() {
    // The remotes do not answer, and are tried for hours: the request keeps its next look over every start.
    let place =
        Place::with(|text| text.replace("poll = \"0s\"", "poll = \"0s\"\nmax_retries = 1000\nbackoff = \"2h\""));
    let mut id = String::new();
    let mut first = Vec::new();
    // The second and third stand on both sides of a night in which clocks are changed, the last names its change itself.
    for zone in ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "CET-1CEST,M3.5.0/2,M10.5.0/3"] {
        let running = serve_in(&place, zone);
        if id.is_empty() {
            let body = json!({"kind": "note", "fields": {"name": "zone", "text": "wherever"}});
            let (status, answer) = running.post("/api/v1/changes", &body);
            assert_eq!(status, 202, "{answer}");
            answer["operation_id"].as_str().expect("an id").clone_into(&mut id);
        }
        let mut shown = Vec::new();
        let waits = || running.get_json(&format!("/api/v1/operations/{id}"));
        let began = std::time::Instant::now();
        while waits()["waiting"]["next_look_at"].is_null() {
            assert!(began.elapsed().as_secs() < 20, "nothing is planned: {}", waits());
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        times(&waits(), &mut shown);
        times(&running.get_json(&format!("/api/v1/operations/{id}/history")), &mut shown);
        let is_utc = |text: &String| text.ends_with('Z') && text.matches('+').count() == 0;
        assert!(shown.len() >= 3 && shown.iter().all(is_utc), "{zone}: {shown:?}");
        if first.is_empty() {
            first = shown;
        } else {
            assert_eq!(shown, first, "{zone}");
        }
        assert_eq!(running.terminate().0, Some(0));
    }
}
