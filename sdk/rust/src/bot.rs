//! The trait of bots. An author writes a type with one method.

use std::sync::Arc;

use crate::{Decision, Match, MatchEnd, Random};

/// Plays one match at one seat. Every match gets its own object.
pub trait Bot {
    /// Returns one of `decision.legal`, or its index.
    fn choose(&mut self, decision: &Decision) -> Choice;

    /// Called before the match begins. Its clock does not run until this returns.
    #[allow(unused_variables)]
    fn on_start(&mut self, match_: &Arc<Match>, random: &mut Random) {}

    /// Called when the match is over.
    #[allow(unused_variables)]
    fn on_end(&mut self, match_: &Match, end: &MatchEnd) {}
}

/// A legal action, by its text or by its index. `into()` converts either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The action's exact text.
    Text(String),
    /// The action's place in `decision.legal`.
    Index(usize),
}

impl From<String> for Choice {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Choice {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&str> for Choice {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for Choice {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}
