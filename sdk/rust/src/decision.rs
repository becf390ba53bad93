//! A decision as a bot sees it.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::Match;
use crate::proto::{self, Event, Observation};

/// A source of randomness that repeats itself if the arena asks for a decision again.
pub type Random = ChaCha8Rng;

/// A decision that the bot owes.
#[derive(Debug)]
pub struct Decision {
    /// The match that it belongs to.
    pub match_: Arc<Match>,
    /// The seat's count of its decisions, from 1, including those the arena made for it.
    pub number: u32,
    /// The seat that decides.
    pub seat: u32,
    /// The texts of all legal actions. An action's index is its place here.
    pub legal: Vec<String>,
    /// All that the seat may see now.
    pub observation: Observation,
    /// Everything the seat has learnt since its previous decision, oldest first.
    pub events: Vec<Event>,
    /// The number of events, the oldest ones, left out of `events` to keep the message small.
    pub events_left_out: u32,
    time_is_up: Instant,
    random: RefCell<Random>,
    notes: RefCell<String>,
}

impl Decision {
    pub(crate) fn new(message: proto::Decision, match_: &Arc<Match>, arrived: Instant) -> Self {
        Self {
            match_: Arc::clone(match_),
            number: message.number,
            seat: message.seat,
            legal: message.legal_actions,
            observation: message.observation.unwrap_or_default(),
            events: message.events,
            events_left_out: message.events_left_out,
            time_is_up: arrived + Duration::from_millis(message.time_left_ms.into()),
            random: RefCell::new(random_of(match_, message.number)),
            notes: RefCell::default(),
        }
    }

    /// The time now left on the clock, in which the answer must reach the arena.
    pub fn time_left(&self) -> Duration {
        self.time_is_up.saturating_duration_since(Instant::now())
    }

    /// The cards of the seat's own zone "hand", which most games have.
    pub fn hand(&self) -> &[String] {
        self.observation.cards("hand", self.seat)
    }

    /// The randomness of this decision, for the traits of [`rand`]:
    /// `decision.legal.choose(&mut decision.random())`.
    pub fn random(&self) -> RefMut<'_, Random> {
        self.random.borrow_mut()
    }

    /// Adds a line to the note that goes with the answer.
    ///
    /// Only the bot's owner sees it, next to the decision. Anything beyond 1 KiB is cut off.
    pub fn note(&self, text: impl AsRef<str>) {
        let mut notes = self.notes.borrow_mut();
        if !notes.is_empty() {
            notes.push('\n');
        }
        notes.push_str(text.as_ref());
    }

    pub(crate) fn take_notes(&self) -> String {
        self.notes.take()
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "decision {} of {}", self.number, self.match_)
    }
}

/// Returns the randomness for a decision: ChaCha with the seat's seed as the key and the number as
/// the stream. Earlier draws do not matter: a process that takes over in the middle of a match must
/// give the same answers.
pub(crate) fn random_of(match_: &Match, number: u32) -> Random {
    let mut key = [0; 32];
    for (byte, of_seed) in key.iter_mut().zip(&match_.seed) {
        *byte = *of_seed;
    }
    let mut random = Random::from_seed(key);
    random.set_stream(number.into());
    random
}
