//! The pages for people.

use reqwest::header::{HOST, ORIGIN};
use reqwest::redirect::Policy;

use crate::support::{CONFIG, Practice, Receiver};

async fn page(practice: &Practice, url: &str) -> String {
    let response = practice.client.get(url).send().await.unwrap();
    assert_eq!(response.status(), 200, "{url}");
    response.text().await.unwrap()
}

#[tokio::test]
async fn every_page_shows_what_there_is_without_outside_files() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let ticket = practice.ticket("req-1", "op-1", &receiver).await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    let (gitlab, desk, panel) = (&practice.sandbox.gitlab_url, &practice.sandbox.desk_url, &practice.sandbox.panel_url);
    let pages = [
        (format!("{desk}/"), "Quota billing".to_owned()),
        (format!("{desk}/tickets/{ticket}"), "cpu 10 to 12".to_owned()),
        (format!("{panel}/"), "Reset faults".to_owned()),
        (format!("{gitlab}/"), "platform/network".to_owned()),
        (format!("{gitlab}/platform/config"), "A change".to_owned()),
        (format!("{gitlab}/platform/config/-/merge_requests/{iid}"), "Reviewer A, Reviewer B".to_owned()),
        (format!("{gitlab}/platform/config/-/commit/{sha}"), "Signalbox Bot".to_owned()),
    ];
    for (url, words) in pages {
        let text = page(&practice, &url).await;
        assert!(text.contains(&words), "{url}: {text}");
        assert!(text.contains("prefers-color-scheme: dark"));
        assert!(!text.contains("src=\"http") && !text.contains("<link"), "{url}");
    }
}

#[tokio::test]
async fn a_person_decides_on_the_page() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let ticket = practice.ticket("req-1", "op-<b>1</b>", &receiver).await;
    let url = format!("{}/tickets/{ticket}", practice.sandbox.desk_url);
    assert!(!page(&practice, &url).await.contains("<b>1</b>"), "what others wrote is shown as text");
    let client = reqwest::Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    let press = |body: &'static str| {
        client
            .post(format!("{url}/decide"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
    };
    let refused = press("decision=reject&actor=mei&reason=").await.unwrap();
    assert!(
        refused.headers()["location"].to_str().unwrap().starts_with(&format!("/tickets/{ticket}?told=A%20rejection"))
    );
    assert!(receiver.taken().is_empty());
    press("decision=reject&actor=mei&reason=too+much").await.unwrap();
    let data = receiver.wait(1).await[0].body["data"].clone();
    assert_eq!(
        (data["decision"].as_str(), data["actor"].as_str(), data["reason"].as_str()),
        (Some("rejected"), Some("mei"), Some("too much"))
    );
}

#[tokio::test]
async fn switches_are_set_on_the_panel() {
    let practice = Practice::begin().await;
    let panel = &practice.sandbox.panel_url;
    let form = |path: &str, body: &'static str| {
        practice
            .client
            .post(format!("{panel}{path}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
    };
    let text = form("/set", "key=gitlab.burst_5xx&value=1").await.unwrap().text().await.unwrap();
    assert!(text.contains("gitlab.burst_5xx is set to 1."), "{text}");
    assert_eq!(practice.get("/user").await.status, 502);
    form("/set", "key=gitlab.slow&value=5000").await.unwrap();
    form("/reset", "").await.unwrap();
    practice.get("/user").await.expect(200);
}

#[tokio::test]
async fn other_web_pages_may_not_press_buttons() {
    let practice = Practice::begin().await;
    let url = format!("{}/reset", practice.sandbox.panel_url);
    let foreign = practice.client.post(&url).header(ORIGIN, "http://evil.example").send().await.unwrap();
    assert_eq!(foreign.status(), 403);
    let site = practice.client.post(&url).header("sec-fetch-site", "cross-site").send().await.unwrap();
    assert_eq!(site.status(), 403);
    let rebound = practice
        .client
        .get(format!("{}/control/state", practice.sandbox.panel_url))
        .header(HOST, "evil.example")
        .send()
        .await
        .unwrap();
    assert_eq!(rebound.status(), 403);
    assert_eq!(
        practice.client.post(&url).header(ORIGIN, &practice.sandbox.panel_url).send().await.unwrap().status(),
        200
    );
}
