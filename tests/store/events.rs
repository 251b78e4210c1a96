//! An event is judged when it comes and stored a moment later: what became of its request meanwhile counts.

use serde_json::json;
use signalbox_engine::{
    flow::Event,
    store::inbox::{Delivery, Verdict},
    words::{Lang, Sentence},
};

use crate::world::{NOON, World};

/// Judged while its request waited for it.
fn judged(source: &'static str, says: &str) -> Delivery {
    Delivery {
        source,
        delivery_id: format!("delivery-{source}-{says}"),
        operation_id: Some("a".into()),
        says: says.into(),
        body: json!({"says": says}),
        verdict: Verdict::Parked,
        reason: Sentence::quoted("to be confirmed"),
        at: NOON,
        mark: None,
    }
}

#[tokio::test]
async fn an_event_whose_request_ended_meanwhile_does_not_wait_for_ever() {
    let world = World::new().await;
    world.request("a").await;
    world.walk("a", &[Event::ApprovalSent, Event::ApprovalDenied]).await;
    for (source, says) in [("approval", "rejected"), ("deploy", "effective")] {
        let (verdict, reason) = world.store.receive(judged(source, says)).await.expect("stored");
        assert_eq!(verdict, Verdict::IgnoredStale, "{source}");
        assert!(reason.render(Lang::En).contains("REJECTED"), "{}", reason.render(Lang::En));
    }
    assert!(world.store.parked("a").await.expect("readable").is_empty());
    assert_eq!(world.store.events("a").await.expect("readable").len(), 2, "both stay visible");
}

#[tokio::test]
async fn a_decision_that_is_awaited_no_longer_does_not_wait_either() {
    let world = World::new().await;
    world.request("a").await;
    world.walk("a", &[Event::ApprovalSent, Event::ApprovalGranted]).await;
    let (verdict, reason) = world.store.receive(judged("approval", "approved")).await.expect("stored");
    assert_eq!(verdict, Verdict::IgnoredStale);
    assert!(reason.render(Lang::En).contains("MR_CREATING"), "{}", reason.render(Lang::En));
    let (verdict, _) = world.store.receive(judged("deploy", "effective")).await.expect("stored");
    assert_eq!(verdict, Verdict::Parked, "a deploy may be told before its merge is noticed");
}
