//! A thousand requests in flight at once, on the real program over the practice remotes: how long until each of them is in
//! effect, and how long with a kill -9 in the middle. Then a burst of ten thousand submissions. Run by `make bench`.
//!
//! `SIGNALBOX_FLIGHT` and `SIGNALBOX_BURST` change the two numbers. A request that is lost or an effect that is there twice
//! fails the run.

use std::time::{Duration, Instant};

#[path = "flight/burst.rs"]
mod burst;
#[path = "flight/console.rs"]
mod console;
#[path = "flight/place.rs"]
mod place;
#[path = "flight/remotes.rs"]
mod remotes;

use console::Console;
use place::Place;

/// The longest that a run may stand still before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(120);

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let (flight, burst) = (number("SIGNALBOX_FLIGHT", 1_000), number("SIGNALBOX_BURST", 10_000));
        let whole = fly(flight, false).await;
        println!("{flight} requests in flight at once, all in effect after {:.1} s", whole.as_secs_f64());
        let killed = fly(flight, true).await;
        println!(
            "the same with a kill -9 when all were in flight: {:.1} s; none lost, none twice",
            killed.as_secs_f64()
        );
        burst::submit(burst).await;
    });
}

/// From the first submission until the last request is in effect.
async fn fly(requests: usize, kill: bool) -> Duration {
    let place = Place::new(Some(Duration::from_millis(500)), 2 * requests).await;
    let mut program = place.serve();
    let began = Instant::now();
    let answers = Console::of(&program).submit(requests).await;
    assert!(answers.iter().all(|status| *status == 202), "every submission was accepted");
    if kill {
        let flying = Console::of(&program).in_flight().await;
        program.kill();
        println!("killed with {flying} in flight after {:.1} s", began.elapsed().as_secs_f64());
        program = place.serve();
    }
    let console = Console::of(&program);
    let (mut done, mut moved) = (0, Instant::now());
    while done < requests {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = console.with_status("VALIDATED").await;
        if now > done {
            (done, moved) = (now, Instant::now());
        }
        assert!(
            moved.elapsed() < PATIENCE,
            "{done} of {requests} are in effect, and nothing moves: {}",
            console.counts().await
        );
    }
    let took = began.elapsed();
    remotes::each_once(&place, requests).await;
    took
}
