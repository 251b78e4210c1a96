//! The public bug cases of this kind of flow, each as a story of its own: the number of the case stands in the name of its test.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

#[path = "cases/given.rs"]
mod given;
#[path = "cases/index.rs"]
mod index;
#[path = "cases/k01.rs"]
mod k01;
#[path = "cases/k02.rs"]
mod k02;
#[path = "cases/k03.rs"]
mod k03;
#[path = "cases/k04.rs"]
mod k04;
#[path = "cases/k05.rs"]
mod k05;
#[path = "cases/k06.rs"]
mod k06;
#[path = "cases/k07.rs"]
mod k07;
#[path = "cases/k08.rs"]
mod k08;
#[path = "cases/k09.rs"]
mod k09;
#[path = "cases/k10.rs"]
mod k10;
#[path = "cases/k11.rs"]
mod k11;
#[path = "cases/k12.rs"]
mod k12;
#[path = "cases/k13.rs"]
mod k13;
#[path = "cases/k14.rs"]
mod k14;
#[path = "cases/k15.rs"]
mod k15;
#[path = "cases/k16.rs"]
mod k16;
#[path = "cases/k17.rs"]
mod k17;
