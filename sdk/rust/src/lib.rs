//! Write a bot for the card games of a Sevens Arena. The README of the SDK tells how.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use sevens_sdk::rand::seq::IndexedRandom;
//! use sevens_sdk::{Bot, Choice, Decision, Options, run};
//!
//! struct MyBot;
//!
//! impl Bot for MyBot {
//!     fn choose(&mut self, decision: &Decision) -> Choice {
//!         decision.legal.choose(&mut decision.random()).unwrap().into()
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     run(|| MyBot, Options::default())
//! }
//! ```

mod bot;
mod connection;
mod decision;
mod failure;
mod matches;
mod observation;
mod patience;
mod run;
mod session;
mod settings;

/// The protocol's own types, as `build.rs` has generated them.
#[allow(dead_code, missing_docs)]
mod proto {
    tonic::include_proto!("sevens.bot.v1");
}

pub use bot::{Bot, Choice};
pub use decision::{Decision, Random};
pub use matches::{Clock, Match};
pub use proto::{Event, Fact, Fault, FaultKind, MatchEnd, Observation, Zone};
/// The crate that [`Random`] comes from; its traits choose, shuffle and draw numbers.
pub use rand;
pub use run::{Options, run};
