//! Callbacks are believed only on their raw bytes.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Duration, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::SecretString;
use sha2::Sha256;
use signalbox_engine::adapters::webhook::{Refusal, verify, verify_gitlab};

const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_614_265_330, 0).unwrap()
}

fn sign(secret: &str, id: &str, at: i64, body: &[u8]) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap().chain_update(format!("{id}.{at}.")).chain_update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn headers(id: &str, at: &str, signature: &str) -> Vec<(String, String)> {
    [("Webhook-Id", id), ("webhook-timestamp", at), ("WEBHOOK-SIGNATURE", signature)]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec()
}

fn check(secret: &str, headers: &[(String, String)], body: &[u8]) -> Result<String, Refusal> {
    verify(&SecretString::from(secret), headers, body, now()).map(|id| id.0)
}

#[test]
fn the_example_of_the_specification_is_accepted() {
    let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    let seen = check(KEY, &headers(id, "1614265330", signature), br#"{"test": 2432232314}"#);
    assert_eq!(seen.unwrap(), id);
}

#[test]
fn one_fitting_signature_of_several_is_enough() {
    let body = "{\"reason\":\"容量\"}".as_bytes();
    let good = sign(KEY, "msg_1", 1_614_265_330, body);
    let other = sign("whsec_b3RoZXJvdGhlcm90aGVy", "msg_1", 1_614_265_330, body);
    let all = format!("v1a,AAAA v1,not-base64! {other} {good}");
    assert_eq!(check(KEY, &headers("msg_1", "1614265330", &all), body).unwrap(), "msg_1");
    let none = format!("v1a,AAAA v2,{} {other}", &good[3..]);
    assert_eq!(check(KEY, &headers("msg_1", "1614265330", &none), body), Err(Refusal::WrongSignature));
}

#[test]
fn anything_changed_is_refused() {
    let body = br#"{"type":"approval.changed"}"#;
    let at = 1_614_265_330;
    let good = sign(KEY, "msg_1", at, body);
    assert!(check(KEY, &headers("msg_1", &at.to_string(), &good), body).is_ok());
    let refused = [
        check(KEY, &headers("msg_2", &at.to_string(), &good), body),
        check(KEY, &headers("msg_1", &(at + 1).to_string(), &good), body),
        check(KEY, &headers("msg_1", &at.to_string(), &good), br#"{"type": "approval.changed"}"#),
        check("whsec_b3RoZXJvdGhlcm90aGVy", &headers("msg_1", &at.to_string(), &good), body),
        check(KEY, &headers("msg_1", &at.to_string(), "v1,"), body),
        check(KEY, &headers("msg_1", &at.to_string(), &good[3..]), body),
    ];
    assert!(refused.iter().all(|r| *r == Err(Refusal::WrongSignature)), "{refused:?}");
}

#[test]
fn a_delivery_is_good_for_five_minutes_in_both_directions() {
    let body = b"{}";
    for (shift, wanted) in [
        (0, Ok(())),
        (-300, Ok(())),
        (300, Ok(())),
        (-301, Err(Refusal::TooOld { seconds: 301 })),
        (301, Err(Refusal::TooNew { seconds: 301 })),
        (-86_400, Err(Refusal::TooOld { seconds: 86_400 })),
    ] {
        let at = (now() + Duration::seconds(shift)).timestamp();
        let seen = check(KEY, &headers("m", &at.to_string(), &sign(KEY, "m", at, body)), body);
        assert_eq!(seen.map(|_| ()), wanted, "{shift}");
    }
    for at in [i64::MIN, i64::MAX] {
        assert!(check(KEY, &headers("m", &at.to_string(), &sign(KEY, "m", at, body)), body).is_err());
    }
    assert_eq!(check(KEY, &headers("m", "soon", "v1,AAAA"), body), Err(Refusal::NoTime));
}

#[test]
fn what_is_missing_is_named() {
    let all = headers("m", "1614265330", "v1,AAAA");
    for (n, name) in ["webhook-id", "webhook-timestamp", "webhook-signature"].into_iter().enumerate() {
        let mut some = all.clone();
        some.remove(n);
        assert_eq!(check(KEY, &some, b""), Err(Refusal::Missing(name)));
        some = all.clone();
        some[n].1 = " ".into();
        assert_eq!(check(KEY, &some, b""), Err(Refusal::Missing(name)));
    }
    assert_eq!(check("whsec_%%%", &all, b""), Err(Refusal::OurSecret));
    assert_eq!(check("whsec_", &all, b""), Err(Refusal::OurSecret));
}

#[test]
fn a_refusal_is_a_sentence_without_secrets() {
    let refusals = [
        Refusal::Missing("webhook-id"),
        Refusal::NoTime,
        Refusal::TooOld { seconds: 400 },
        Refusal::TooNew { seconds: 400 },
        Refusal::WrongSignature,
        Refusal::WrongToken,
        Refusal::OurSecret,
    ];
    for refusal in refusals {
        let text = refusal.to_string();
        assert!(text.ends_with('.') && text.starts_with(char::is_uppercase), "{text}");
    }
}

#[test]
fn gitlabs_token_is_compared_and_its_signature_preferred() {
    let body = br#"{"object_kind":"merge_request"}"#;
    let secret = SecretString::from("a-shared-word");
    let with = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    let good = with(&[("X-Gitlab-Token", "a-shared-word"), ("Idempotency-Key", "a5461c4d")]);
    assert_eq!(verify_gitlab(&secret, &good, body, now()).unwrap().0, "a5461c4d");
    let old = with(&[("x-gitlab-token", "a-shared-word"), ("X-Gitlab-Event-UUID", "shared")]);
    let first = verify_gitlab(&secret, &old, body, now()).unwrap();
    assert_eq!(first, verify_gitlab(&secret, &old, body, now()).unwrap());
    assert_ne!(first, verify_gitlab(&secret, &old, b"{}", now()).unwrap());
    for token in ["a-shared-wor", "a-shared-word2", "A-shared-word", "x"] {
        let bad = with(&[("X-Gitlab-Token", token)]);
        assert_eq!(verify_gitlab(&secret, &bad, body, now()), Err(Refusal::WrongToken));
    }
    assert_eq!(verify_gitlab(&secret, &[], body, now()), Err(Refusal::Missing("X-Gitlab-Token")));

    let signing = SecretString::from(KEY);
    let signed = headers("evt-1", "1614265330", &sign(KEY, "evt-1", 1_614_265_330, body));
    assert_eq!(verify_gitlab(&signing, &signed, body, now()).unwrap().0, "evt-1");
    assert_eq!(verify_gitlab(&signing, &signed, b"{}", now()), Err(Refusal::WrongSignature));
    let plain = with(&[("X-Gitlab-Token", KEY)]);
    assert!(verify_gitlab(&signing, &plain, body, now()).is_ok());
}
