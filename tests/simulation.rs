//! Deterministic simulation: several requests at once, with faults, people, operators, kills and clocks drawn from a seed.
//!
//! `SIGNALBOX_SEED=n` replays one seed, `SIGNALBOX_SEEDS=n` runs so many, `make soak` runs fresh ones for a while. A seed fixes
//! every act and every fault; the order in which the threads of the store answer is the machine's.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

#[path = "simulation/acts.rs"]
mod acts;
#[path = "simulation/calm.rs"]
mod calm;
#[path = "simulation/weather.rs"]
mod weather;

use std::{
    env,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use acts::Simulation;

/// Seeds of a plain `cargo test`.
const SEEDS: u64 = 300;
/// Tests that share the seeds, so that they run side by side.
const SHARDS: u64 = 4;

/// Says which seed it was when a run fails.
struct Announce(u64);

impl Drop for Announce {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the seed is {0}; SIGNALBOX_SEED={0} cargo test --test simulation replays it", self.0);
        }
    }
}

fn run(seed: u64) {
    let _announce = Announce(seed);
    let mut simulation = Simulation::new(seed);
    simulation.storm();
    simulation.calm();
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")))
}

fn shard(shard: u64) {
    if let Some(seed) = number("SIGNALBOX_SEED") {
        if shard == 0 {
            run(seed);
        }
        return;
    }
    let seeds = number("SIGNALBOX_SEEDS").unwrap_or(SEEDS);
    (0..seeds).filter(|seed| seed % SHARDS == shard).for_each(run);
}

#[test]
fn seeds_of_the_first_shard_run_clean() {
    shard(0);
}

#[test]
fn seeds_of_the_second_shard_run_clean() {
    shard(1);
}

#[test]
fn seeds_of_the_third_shard_run_clean() {
    shard(2);
}

#[test]
fn seeds_of_the_fourth_shard_run_clean() {
    shard(3);
}

/// `make soak`: fresh seeds for as long as `SIGNALBOX_SOAK_SECONDS` says.
#[test]
fn soak() {
    let Some(seconds) = number("SIGNALBOX_SOAK_SECONDS") else { return };
    let end = Instant::now() + Duration::from_secs(seconds);
    let first = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() << 20;
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get() as u64);
    let runs: Vec<_> = (0..threads)
        .map(|thread| {
            std::thread::spawn(move || {
                let seeds = (first + thread..).step_by(threads as usize).take_while(|_| Instant::now() < end);
                seeds.map(run).count()
            })
        })
        .collect();
    let clean: usize = runs.into_iter().map(|thread| thread.join().unwrap()).sum();
    println!("{clean} seeds ran clean in {seconds} s, from {first} on");
}
