//! Signed callbacks to Signalbox: Standard Webhooks, sent again until they are taken, with every fault that a network has.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::clock::{iso, now};
use crate::journal::Line;
use crate::secrets::{APPROVAL_SECRET, DEPLOY_SECRET, word};
use crate::state::{Delivery, Source, Work};
use crate::world::World;

/// How often a callback is tried before it is given up.
const ATTEMPTS: u32 = 100;
/// The longest wait between two tries.
const LONGEST: Duration = Duration::from_secs(30);
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The signature header of Standard Webhooks over `id.timestamp.body`.
pub(crate) fn sign(secret: &str, id: &str, timestamp: i64, body: &str) -> String {
    let key = STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap_or_default();
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return String::new() };
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// Puts a callback on its way, unless a switch says that it is lost.
pub(crate) fn queue(world: &World, source: Source, about: &str, url: Option<String>, kind: &str, data: &Value) {
    let key = |fault: &str| format!("{}.{fault}", source.word());
    if world.take(&key("lose")) {
        note(world, source, about, 0, 0, "lost on purpose");
        return;
    }
    let delivery = Delivery {
        id: format!("msg_{}", word()),
        source,
        about: about.to_owned(),
        url,
        body: json!({ "type": kind, "timestamp": iso(now()), "data": data }).to_string(),
        attempt: 0,
        held: false,
    };
    let delay = world.value(&key("delay")) as i64;
    if delay > 0 {
        world.count(&key("delay"));
    }
    if world.take(&key("duplicate")) {
        world.schedule(now() + delay + 100, Work::Send { delivery: delivery.clone() });
    }
    if world.take(&key("reorder")) {
        note(world, source, about, 0, 0, "held back until a later one has overtaken it");
        let due = world.after(world.options.pace.reorder_hold) + delay;
        world.schedule(due, Work::Send { delivery: Delivery { held: true, ..delivery } });
    } else {
        world.schedule(now() + delay, Work::Send { delivery });
    }
}

/// Tries once. `Some` is the delivery to try again and how long to wait before.
pub(crate) async fn send(world: &World, mut delivery: Delivery) -> Option<(Delivery, Duration)> {
    let source = delivery.source;
    let begun = Instant::now();
    let result = match address(world, &delivery) {
        Some(url) => post(world, &delivery, &url).await,
        None => Err("no ticket has told yet where to call back".to_owned()),
    };
    let spent = begun.elapsed().as_millis() as u64;
    let (status, words) = match result {
        Ok((status, answer)) => (status, answer),
        Err(error) => (0, error),
    };
    note(world, source, &format!("{} {}", delivery.about, delivery.id), status, spent, &words);
    if (200..300).contains(&status) {
        world.count(&format!("{} callbacks taken", source.word()));
        if !delivery.held {
            release(world, source);
        }
        return None;
    }
    delivery.attempt += 1;
    if delivery.attempt >= ATTEMPTS {
        world.count(&format!("{} callbacks given up", source.word()));
        return None;
    }
    let first = world.options.pace.callback_retry;
    let wait = first.saturating_mul(1 << delivery.attempt.saturating_sub(1).min(10)).min(LONGEST);
    Some((delivery, wait))
}

/// A callback that was held back goes out once a later one has arrived.
fn release(world: &World, source: Source) {
    let released = world.write(|state| {
        let mut any = false;
        for job in state.jobs.values_mut() {
            if let Work::Send { delivery } = &mut job.work
                && delivery.held
                && delivery.source == source
            {
                (delivery.held, job.due, any) = (false, now() + 50, true);
            }
        }
        any
    });
    if released {
        world.agenda.notify_one();
    }
}

/// The base under which Signalbox takes callbacks, as far as it is known.
pub(crate) fn base(world: &World) -> Option<String> {
    let given = world.options.callback_base.as_deref().map(|base| base.trim_end_matches('/').to_owned());
    given.or_else(|| world.read(|state| state.callback_origin.clone()))
}

/// Where to send. A ticket's own address is used first; after a failure also the newest one, since Signalbox may have been
/// started again on another port.
fn address(world: &World, delivery: &Delivery) -> Option<String> {
    let newest = || base(world).map(|base| format!("{base}/callbacks/{}", delivery.source.word()));
    match &delivery.url {
        Some(url) if delivery.attempt.is_multiple_of(2) => Some(url.clone()),
        Some(url) => newest().or_else(|| Some(url.clone())),
        None => newest(),
    }
}

async fn post(world: &World, delivery: &Delivery, url: &str) -> Result<(u16, String), String> {
    let secret = match delivery.source {
        Source::Approval => world.secrets.value(APPROVAL_SECRET),
        Source::Deploy => world.secrets.value(DEPLOY_SECRET),
    };
    let timestamp = now() / 1000;
    let request = world
        .client
        .post(url)
        .timeout(TIMEOUT)
        .header("content-type", "application/json")
        .header("webhook-id", &delivery.id)
        .header("webhook-timestamp", timestamp.to_string())
        .header("webhook-signature", sign(secret, &delivery.id, timestamp, &delivery.body))
        .body(delivery.body.clone());
    let response = request.send().await.map_err(|error| describe(&error))?;
    let status = response.status().as_u16();
    let text = response.text().await.unwrap_or_default();
    Ok((status, text.chars().take(200).collect()))
}

fn describe(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        "no answer in time".to_owned()
    } else if error.is_connect() {
        "nobody listens there".to_owned()
    } else {
        "the connection broke".to_owned()
    }
}

fn note(world: &World, source: Source, about: &str, status: u16, duration_ms: u64, words: &str) {
    let remote = match source {
        Source::Approval => "approval callback",
        Source::Deploy => "deploy callback",
    };
    world.journal.add(Line {
        remote,
        what: about.to_owned(),
        account: String::new(),
        status,
        duration_ms,
        note: words.to_owned(),
        ..Line::default()
    });
}

#[cfg(test)]
mod tests {
    use super::sign;

    /// The example that the Standard Webhooks specification prints.
    #[test]
    fn the_signature_is_that_of_the_standard() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let made = sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(made, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
