//! What a bot author writes: a type with one method.

use std::sync::Arc;

use crate::{Decision, Match, MatchEnd, Random};

/// Plays one match at one seat: every match gets an object of its own.
pub trait Bot {
    /// Returns one of `decision.legal`, or its index.
    fn choose(&mut self, decision: &Decision) -> Choice;

    /// The match is about to begin: its clock does not run before this returns.
    #[allow(unused_variables)]
    fn on_start(&mut self, match_: &Arc<Match>, random: &mut Random) {}

    /// The match is over.
    #[allow(unused_variables)]
    fn on_end(&mut self, match_: &Match, end: &MatchEnd) {}
}

/// A legal action, by its text or by its index. Made with `into()` from either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The action's text, to the letter.
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
