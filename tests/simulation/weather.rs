//! Faults of the remotes, each drawn from the seed and from what the call is, not from when it comes.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    time::Duration,
};

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use signalbox_engine::ports::error::ErrorClass;

use crate::support::{Entry, Fault, Moment};

/// Faults of one run; after them the weather is fine.
const MOST_FAULTS: usize = 40;

/// A chance of its own for something that is named.
pub fn chance(seed: u64, name: &str, n: u64) -> StdRng {
    let mut hasher = DefaultHasher::new();
    (seed, name, n).hash(&mut hasher);
    StdRng::seed_from_u64(hasher.finish())
}

/// Decides about every call; `worst` is how many of a hundred calls meet a fault.
pub fn weather(seed: u64, worst: u32) -> impl FnMut(usize, &Entry) -> Option<Fault> + Send + 'static {
    let mut made: BTreeMap<String, u64> = BTreeMap::new();
    let mut faults = 0;
    move |_, call| {
        let name = format!("{} {} {}", call.name, call.path, call.account);
        let n = made.entry(name.clone()).or_default();
        *n += 1;
        let mut rng = chance(seed, &name, *n);
        if faults >= MOST_FAULTS || rng.random_range(0..100) >= worst {
            return None;
        }
        faults += 1;
        Some(draw(&mut rng))
    }
}

fn draw(rng: &mut StdRng) -> Fault {
    let refuse = |class, status, message: &str, pause: Option<u64>| Fault::Refuse {
        class,
        status: Some(status),
        message: message.into(),
        retry_after: pause.map(Duration::from_secs),
    };
    match rng.random_range(0..100) {
        0..20 => Fault::LoseAnswer,
        20..35 => Fault::LoseCall,
        35..50 => Fault::Late(Duration::from_secs(rng.random_range(5..40))),
        50..65 => refuse(ErrorClass::Ambiguous, 502, "Bad Gateway", None),
        65..80 => refuse(ErrorClass::Throttled, 429, "Retry later", Some(rng.random_range(1..90))),
        80..83 => refuse(ErrorClass::Terminal, 403, "403 Forbidden", None),
        83..85 => refuse(ErrorClass::Auth, 401, "the token has expired", None),
        85..86 => Fault::Panic,
        _ => Fault::Die(Moment::ALL[rng.random_range(0..4)]),
    }
}
