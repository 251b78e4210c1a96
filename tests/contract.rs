//! One contract for every forge and every approval system, kept on the practice remotes: real git, real HTTP, real SQLite.
//! `tests/contract_gitlab.rs` runs the same behaviours on a real GitLab.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

#[path = "contract/behaviours.rs"]
mod behaviours;
#[path = "contract/engine_world.rs"]
mod engine_world;
#[path = "contract/faulty.rs"]
mod faulty;
#[path = "contract/place.rs"]
mod place;
#[path = "contract/practice.rs"]
mod practice;
#[path = "contract/proxy.rs"]
mod proxy;

#[path = "contract/on_practice.rs"]
mod on_practice;

#[path = "contract/adapter_faults.rs"]
mod adapter_faults;
#[path = "contract/desk.rs"]
mod desk;
#[path = "contract/engine_faults.rs"]
mod engine_faults;
#[path = "contract/engine_late.rs"]
mod engine_late;
