//! K03: not every well-formed event is about us.

use std::time::Duration;

use serde_json::json;
use signalbox_engine::settings::Settings;

use crate::{
    given::{OPENED, TICKET},
    support::{World, kinds::SETTINGS},
};

#[test]
fn c018_missing_signature_header() {
    let (mut world, id) = World::a1();
    world.desk.decide(&id, "approved", "mira", None);
    let raw = world.approval_callback(&id, "approved").body.to_string();
    let whole = world.signed("approval", "d-forged", raw.as_bytes());
    let without = |name: &str| whole.iter().filter(|(known, _)| known != name).cloned().collect::<Vec<_>>();
    let emptied = |name: &str| {
        let value = |known: &str, value: &str| if known == name { String::new() } else { value.to_owned() };
        whole.iter().map(|(known, old)| (known.clone(), value(known, old))).collect::<Vec<_>>()
    };
    for headers in [without("webhook-signature"), emptied("webhook-signature"), Vec::new()] {
        let answer = world.deliver_raw("approval", &headers, raw.as_bytes());
        assert_eq!(answer.status, 401, "{headers:?}");
    }
    world.turn();
    assert_eq!((world.step(&id), world.status(&id).as_str()), (10402, "APPROVAL_SENT"));
    assert_eq!(world.writes(), TICKET);
    assert_eq!(world.count("SELECT count(*) FROM inbox"), 0, "nothing of the body is stored");
    let refused = world.rows("SELECT reason, count FROM refused_delivery", &[]);
    assert!(!refused.is_empty());
    world.rules_hold();
}

#[test]
fn c018_no_secret_configured() {
    // That a start with an empty secret is refused with the name of the setting is tested on the daemon.
    let parse = |text: &str| Settings::parse("signalbox.toml".as_ref(), text);
    for secret in ["YXBwcm92YWxz", "ZGVwbG95cw=="] {
        let left_out = SETTINGS.replace(&format!("callback_secret = \"whsec_{secret}\"\n"), "");
        assert_ne!(left_out, SETTINGS);
        let error = parse(&left_out).expect_err("no listener opens").to_string();
        assert!(error.contains("callback_secret"), "{error}");
    }
    let mut world = World::with("approval.callback_secret = \"\"\ngitlab.webhook_secret = \"\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.desk.decide(&id, "pending", "mira", None);
    let callback = world.approval_callback(&id, "approved");
    assert_eq!(world.deliver(&callback).status, 401, "an empty secret vouches for nobody");
    world.turn();
    assert_eq!((world.step(&id), world.writes()), (10402, TICKET));
}

#[test]
fn c019_replay_of_a_captured_callback() {
    let (mut world, first) = World::a1();
    let callback = world.approval_callback(&first, "approved");
    let raw = callback.body.to_string();
    let captured = world.signed("approval", &callback.id, raw.as_bytes());
    world.decide(&first, "rejected");
    world.run_until(&first, 10404);
    let answer = world.call("POST", &format!("/api/v1/operations/{first}/reapply"), Some(json!({})));
    assert_eq!(answer.status, 202, "{}", answer.body);
    let id = answer.body["operation_id"].as_str().unwrap().to_owned();
    world.run_until(&id, 10402);
    world.advance(Duration::from_secs(600));
    assert_eq!(world.deliver_raw("approval", &captured, raw.as_bytes()).status, 401);
    assert_eq!(world.count("SELECT count(*) FROM refused_delivery WHERE source = 'approval'"), 1);
    // Were its age not looked at, it would still be about a ticket that is no longer the current one.
    assert_eq!(world.deliver(&callback).body["verdict"], "ignored_stale");
    world.advance(Duration::from_secs(120));
    assert_eq!((world.step(&id), world.status(&id).as_str()), (10402, "APPROVAL_SENT"));
    assert_eq!((world.step(&first), world.writes_to("gitlab")), (10404, 0));
    world.tells(&id, &["Waiting for the decision on ticket T-2"]);
    world.rules_hold();
}

#[test]
fn c020_signature_is_over_the_raw_bytes() {
    let (mut world, id) = World::a1();
    world.desk.decide(&id, "approved", "mira", None);
    let raw = format!(
        "{{\n  \"timestamp\" : 1772442000000,\n  \"data\":\n  {{ \"ext\": {{\"n\": 8123456789012345678}}, \"reason\": \"\\u53ef\\u4ee5\",\n    \
         \"decision\": \"approved\", \"operation_id\": \"{id}\", \"actor\": \"\\u5f20\\u4e09\",\n    \"request_id\": \"{id}\" , \
         \"approval_id\": \"T-1\" }},\n  \"type\": \"approval.changed\"\n}}\n"
    );
    let headers = world.signed("approval", "d-raw", raw.as_bytes());
    let mut flipped = raw.clone().into_bytes();
    let at = raw.find("approved").unwrap();
    flipped[at] ^= 1;
    assert_eq!(world.deliver_raw("approval", &headers, &flipped).status, 401);
    world.turn();
    assert_eq!(world.step(&id), 10402, "one flipped byte changes nothing");
    assert_eq!(world.deliver_raw("approval", &headers, raw.as_bytes()).status, 200);
    world.run_until(&id, 10005);
    assert_eq!(world.writes(), OPENED);
    assert_eq!(world.events(&id)[0]["body"]["data"]["actor"], "张三");
    assert!(world.events(&id)[0]["body"].to_string().contains("8123456789012345678"), "every digit is kept");
    world.rules_hold();
}
