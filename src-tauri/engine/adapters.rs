//! The other sides of the ports. Adapters report facts and decide nothing.

pub mod approval_http;
mod ask;
mod classify;
pub mod gitlab;
mod http;
mod limiter;
mod path;
mod remote;
pub mod secrets;
mod texts;
pub mod webhook;

pub use http::UnusableRemote;
