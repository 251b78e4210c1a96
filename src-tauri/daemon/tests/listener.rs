//! The listener's own rules: who may call, how much, by which name, and in which words it refuses.

mod world;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use world::{ALICE, Echo, TOKEN, no_pages, start, start_with};

#[tokio::test]
async fn a_token_names_the_person_who_acts() {
    let w = start().await;
    let call = w.get("/api/v1/operations?q=a%20b&outlook=failed&outlook=unknown").await;
    assert_eq!(call.status, 200);
    assert_eq!(
        call.json(),
        json!({ "method": "GET", "path": "/api/v1/operations", "query": { "q": "a b", "outlook": "failed,unknown" },
                "person": "ops-1", "lang": "en", "body": null })
    );
    let alice = w
        .call(
            "POST",
            "/api/v1/changes",
            &[("Authorization", &format!("bearer {ALICE}")), ("Accept-Language", "zh-CN,en;q=0.5")],
            br#"{"kind":"note"}"#,
        )
        .await;
    let seen = alice.json();
    assert_eq!(
        (&seen["person"], &seen["lang"], &seen["body"]),
        (&json!("alice"), &json!("zh"), &json!({ "kind": "note" }))
    );
}

#[tokio::test]
async fn without_a_good_token_nothing_under_api_is_told() {
    let w = start().await;
    for path in ["/api", "/api/v1/operations", "/api/v1/stream", "/api/v1/no-such-call", "/api/v2/x"] {
        for token in ["", "Bearer", "Bearer ", "Bearer wrong", "Basic token-of-the-start", &TOKEN[..5]] {
            let a = w.call("GET", path, &[("Authorization", token)], b"").await;
            assert_eq!(a.status, 401, "{path} with {token:?}");
            assert_eq!(a.header("www-authenticate"), "Bearer realm=\"signalbox\"");
            assert_eq!(a.header("content-type"), "application/problem+json");
            assert_eq!(a.json()["type"], "https://signalbox.dev/problems/unauthorized");
            assert_eq!(a.json()["instance"], path);
        }
    }
}

#[tokio::test]
async fn health_and_metrics_need_no_token() {
    let w = start().await;
    for (path, word) in [("/healthz", "\"ok\""), ("/readyz", "true"), ("/metrics", "signalbox_up 1")] {
        let a = w.call("GET", path, &[], b"").await;
        assert_eq!(a.status, 200, "{path}");
        assert!(a.body.contains(word), "{path}: {}", a.body);
        assert_eq!(a.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn an_unknown_path_and_a_wrong_method_are_problems() {
    let w = start().await;
    let a = w.get("/api/v2/operations").await;
    assert_eq!((a.status, &a.json()["type"]), (404, &json!("https://signalbox.dev/problems/not-found")));
    let auth = format!("Bearer {TOKEN}");
    for (method, path, allow) in [
        ("POST", "/metrics", "GET,HEAD"),
        ("GET", "/callbacks/approval", "POST"),
        ("DELETE", "/api/v1/stream", "GET,HEAD"),
        ("POST", "/somewhere", "GET,HEAD"),
    ] {
        let a = w.call(method, path, &[("Authorization", &auth)], b"").await;
        assert_eq!(a.status, 405, "{method} {path}");
        assert_eq!(a.header("allow"), allow, "{method} {path}");
        assert_eq!(a.header("content-type"), "application/problem+json");
    }
    for path in ["/callbacks/other", "/callbacks/approval/more"] {
        assert_eq!(w.call("POST", path, &[], b"{}").await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_json_is_refused_with_its_place() {
    let w = start().await;
    let auth = format!("Bearer {TOKEN}");
    let a = w.call("POST", "/api/v1/changes", &[("Authorization", &auth)], b"{\n  \"kind\": nope\n}").await;
    let seen = a.json();
    assert_eq!((a.status, &seen["line"], &seen["column"]), (400, &json!(2), &json!(12)));
    assert_eq!(seen["detail"], "Line 2, column 12: expected ident.");
    let zh = [("Authorization", auth.as_str()), ("Accept-Language", "zh")];
    let a = w.call("POST", "/api/v1/changes", &zh, b"[").await;
    assert!(a.json()["detail"].as_str().is_some_and(|d| d.starts_with("第 1 行")), "{}", a.body);
}

#[tokio::test]
async fn bodies_over_the_limit_are_refused_whether_or_not_their_length_is_announced() {
    let w = start().await;
    let auth = format!("Bearer {TOKEN}");
    let a = w.call("POST", "/api/v1/changes", &[("Authorization", &auth)], &vec![b' '; 1024 * 1024 + 1]).await;
    assert_eq!((a.status, &a.json()["type"]), (413, &json!("https://signalbox.dev/problems/too-large")));
    let most = vec![b'x'; 256 * 1024];
    assert_eq!(w.call("POST", "/callbacks/deploy", &[], &most).await.status, 200);
    assert_eq!(w.call("POST", "/callbacks/deploy", &[], &[most.as_slice(), b"x"].concat()).await.status, 413);

    let mut wire =
        w.open("POST", "/callbacks/deploy", &[("Host", "localhost"), ("Transfer-Encoding", "chunked")]).await;
    let chunk = [b"10000\r\n".as_slice(), &[b'x'; 0x10000], b"\r\n"].concat();
    for _ in 0..5 {
        wire.write_all(&chunk).await.expect("the chunk is taken");
    }
    wire.write_all(b"0\r\n\r\n").await.expect("the end is taken");
    let mut text = String::new();
    wire.read_to_string(&mut text).await.expect("an answer");
    assert!(text.starts_with("HTTP/1.1 413 "), "{text}");
}

#[tokio::test]
async fn a_callback_reaches_the_engine_byte_for_byte() {
    let w = start().await;
    let raw = b"{ \"a\" :\t1 }\n\n";
    let a = w.call("POST", "/callbacks/approval", &[("Webhook-Id", "msg_1")], raw).await;
    assert_eq!(a.json(), json!({ "source": "approval", "id": "msg_1", "raw": String::from_utf8_lossy(raw) }));
}

#[tokio::test]
async fn a_name_that_is_not_ours_is_turned_away_except_for_callbacks() {
    let w = start().await;
    for path in ["/", "/metrics", "/api/v1/operations"] {
        let a = w
            .call("GET", path, &[("Host", "evil.example.com"), ("Authorization", &format!("Bearer {TOKEN}"))], b"")
            .await;
        assert_eq!((a.status, &a.json()["type"]), (421, &json!("https://signalbox.dev/problems/wrong-host")), "{path}");
    }
    assert_eq!(w.call("POST", "/callbacks/approval", &[("Host", "hooks.example.com")], b"{}").await.status, 200);
    assert_eq!(w.call("GET", "/healthz", &[("Host", &w.at.to_string())], b"").await.status, 200);
}

#[tokio::test]
async fn the_ui_answers_every_page_of_its_own_and_nothing_else() {
    let w = start().await;
    for path in ["/", "/operations/0199", "/index.html"] {
        let a = w.call("GET", path, &[], b"").await;
        assert_eq!((a.status, a.header("cache-control")), (200, "no-cache"), "{path}");
        assert_eq!(a.header("content-type"), "text/html; charset=utf-8");
        assert!(a.header("content-security-policy").contains("default-src 'self'"));
        assert_eq!(a.header("x-content-type-options"), "nosniff");
        assert!(a.body.contains("Signalbox"));
    }
    let script = w.call("GET", "/assets/main-4f2a.js", &[], b"").await;
    assert_eq!((script.status, script.header("cache-control")), (200, "public, max-age=31536000, immutable"));
    assert!(script.header("content-type").starts_with("text/javascript"));
    for path in ["/assets/gone-1.js", "/favicon.png", "/../Cargo.toml"] {
        assert_eq!(w.call("GET", path, &[], b"").await.status, 404, "{path}");
    }
    assert_eq!(w.call("GET", "/", &[], b"").await.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn a_build_without_the_ui_says_how_to_build_it() {
    let w = start_with(Echo::new(4), no_pages).await;
    let a = w.call("GET", "/", &[], b"").await;
    assert_eq!(a.status, 404);
    assert!(a.body.contains("npm run build"), "{}", a.body);
}
