//! The facts of a match, as one seat receives them at its beginning.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::proto::MatchStart;

/// A bank of time for the whole match, and the time that each decision adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The bank at the start of the match.
    pub bank: Duration,
    /// The time that each decision adds.
    pub increment: Duration,
}

/// The facts of a match.
#[derive(Clone, Debug)]
pub struct Match {
    /// The match's ID.
    pub id: String,
    /// The game's slug: "xeri".
    pub game: String,
    /// The version of the game's rules.
    pub rules_version: u32,
    /// Every option of the game as text; [`Match::option`] converts one.
    pub options: HashMap<String, String>,
    /// The seat that the bot plays, from 0.
    pub seat: u32,
    /// The team of each seat, by seat.
    pub teams: Vec<u32>,
    /// The seat's time.
    pub clock: Clock,
    /// The seat's own 32 random bytes.
    pub seed: Vec<u8>,
    /// SHA-256 of the secret behind the deals; empty if they follow a known seed.
    pub commitment: Vec<u8>,
    /// True if the match had begun before, in a process or on a connection that was lost.
    pub resumed: bool,
}

impl Match {
    /// Returns the number of seats.
    pub fn players(&self) -> usize {
        self.teams.len()
    }

    /// Returns an option's value: an integer, a bool or a `String`. None if the game has no such
    /// option, or if it is not of that type.
    ///
    /// ```no_run
    /// # fn example(match_: &sevens_sdk::Match) {
    /// let target = match_.option::<u32>("target").unwrap_or(100);
    /// # }
    /// ```
    pub fn option<T: FromStr>(&self, name: &str) -> Option<T> {
        self.options.get(name)?.parse().ok()
    }
}

impl From<MatchStart> for Match {
    fn from(start: MatchStart) -> Self {
        let clock = start.clock.unwrap_or_default();
        Self {
            id: start.match_id,
            game: start.game,
            rules_version: start.rules_version,
            options: start.options,
            seat: start.seat,
            teams: start.teams,
            clock: Clock {
                bank: Duration::from_millis(clock.bank_ms.into()),
                increment: Duration::from_millis(clock.increment_ms.into()),
            },
            seed: start.seed,
            commitment: start.commitment,
            resumed: start.resumed,
        }
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "match {} ({}), seat {}", self.id, self.game, self.seat)
    }
}
