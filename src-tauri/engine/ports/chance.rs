//! Ids and randomness as a parameter, so that a run can be repeated.

use std::sync::Mutex;

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use uuid::Uuid;

/// Makes ids and random numbers.
pub trait Chance: Send + Sync {
    /// A new operation id: sortable by time of birth, never repeated.
    fn operation_id(&self) -> String;
    /// A token that cannot be guessed, 43 characters of base64url.
    fn token(&self) -> String;
    /// A number in `0.0..1.0`, for jitter.
    fn fraction(&self) -> f64;
}

/// The chance of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn operation_id(&self) -> String {
        Uuid::now_v7().simple().to_string()
    }
    fn token(&self) -> String {
        encode(&rand::random::<[u8; 32]>())
    }
    fn fraction(&self) -> f64 {
        rand::random::<f64>()
    }
}

/// Chance drawn from a seed.
pub struct SeededChance(Mutex<StdRng>);

impl SeededChance {
    /// The same seed gives the same ids.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut StdRng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Chance for SeededChance {
    fn operation_id(&self) -> String {
        self.draw(|rng| format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64()))
    }
    fn token(&self) -> String {
        self.draw(|rng| encode(&rng.random::<[u8; 32]>()))
    }
    fn fraction(&self) -> f64 {
        self.draw(|rng| rng.random::<f64>())
    }
}

fn encode(bytes: &[u8]) -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD.encode(bytes)
}
