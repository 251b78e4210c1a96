//! Far more submissions at once than the program takes.

use std::time::Instant;

use crate::{
    console::{Console, count},
    place::Place,
};

/// Submits so many and counts: nothing is lost, and what was not taken is visible.
pub(crate) async fn submit(requests: usize) {
    let place = Place::new(None, 256).await;
    let program = place.serve();
    let console = Console::of(&program);
    let began = Instant::now();
    let answers = console.submit(requests).await;
    let took = began.elapsed().as_secs_f64();
    assert!(answers.iter().all(|status| *status == 202), "each is answered with its request, taken or not");
    let counts = console.counts().await;
    let stored: usize = counts["by_status"].as_object().expect("counts").values().map(count).sum();
    assert_eq!(stored, requests, "each has a row");
    let overloaded = console.with_status("CREATE_FAILED").await;
    let taken = requests - overloaded;
    println!(
        "a burst of {requests} submissions: answered in {took:.1} s ({:.0} each second), {taken} taken, {overloaded} refused \
         as overloaded and kept for Resume, none lost",
        requests as f64 / took
    );
}
