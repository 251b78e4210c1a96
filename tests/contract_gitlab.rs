//! The contract on a real GitLab, where one is set. Without one nothing is run, and nothing is counted as run.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

#[path = "contract/behaviours.rs"]
mod behaviours;
#[path = "contract/place.rs"]
mod place;

use std::{process::ExitCode, sync::Arc, time::Duration};

use behaviours::each_behaviour;
use futures::future::BoxFuture;
use place::{Address, Place};

const HOW: &str = "Contract on a real GitLab: not run. Set SIGNALBOX_TEST_GITLAB_URL, SIGNALBOX_TEST_GITLAB_PROJECT, \
SIGNALBOX_TEST_BOT_TOKEN, SIGNALBOX_TEST_REVIEWER_1_TOKEN and SIGNALBOX_TEST_REVIEWER_2_TOKEN, \
then `cargo test --test contract_gitlab`.";

type Behaviour = fn(Arc<Place>) -> BoxFuture<'static, ()>;

macro_rules! table {
    ($($part:ident :: $name:ident),* $(,)?) => {
        const BEHAVIOURS: &[(&str, Behaviour)] = &[
            $((stringify!($name), |at| Box::pin(async move { behaviours::$part::$name(&at).await }))),*
        ];
    };
}

each_behaviour!(table);

fn address() -> Option<Address> {
    let set = |name: &str| std::env::var(format!("SIGNALBOX_TEST_{name}")).ok().filter(|value| !value.is_empty());
    Some(Address {
        url: set("GITLAB_URL")?,
        project: set("GITLAB_PROJECT")?,
        bot: set("BOT_TOKEN")?,
        reviewers: [set("REVIEWER_1_TOKEN")?, set("REVIEWER_2_TOKEN")?],
        timeout: "30s",
    })
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let Some(address) = address() else {
        println!("{HOW}");
        return ExitCode::SUCCESS;
    };
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let (mut passed, mut failed) = (0, 0);
    for (name, behaviour) in BEHAVIOURS {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let prefix = format!("signalbox-contract-{:08x}", rand::random::<u32>());
        let place = Arc::new(Place::at(&address, &prefix, Duration::from_secs(180)));
        // A panic ends its own behaviour only, and what it had made is removed all the same.
        let passes = tokio::spawn(behaviour(place.clone())).await.is_ok();
        place.clean_up().await;
        println!("{name} ... {}", if passes { "ok" } else { "FAILED" });
        if passes { passed += 1 } else { failed += 1 }
    }
    println!("{} on {}: {passed} passed, {failed} failed", address.project, address.url);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
