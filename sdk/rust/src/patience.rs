//! The backoff after a stream breaks: the bot tries again, ever more slowly, for some time.

use std::time::{Duration, Instant};

use crate::failure::Failure;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// After a stream that held this long, the time is counted from zero again.
const GOOD_STREAM: Duration = Duration::from_secs(5);
const LIMIT: Duration = Duration::from_secs(30);
/// If a socket on this machine does not answer, its arena has almost certainly ended.
const LIMIT_HERE: Duration = Duration::from_secs(2);

pub(crate) struct Patience {
    address: String,
    limit: Duration,
    broken_at: Option<Instant>,
    pause: Duration,
}

impl Patience {
    pub fn new(address: &str) -> Self {
        let here = address.starts_with("unix:");
        Self {
            address: address.to_owned(),
            limit: if here { LIMIT_HERE } else { LIMIT },
            broken_at: None,
            pause: FIRST_PAUSE,
        }
    }

    /// Returns the time to wait before the next attempt, or a failure to give up.
    pub fn after(
        &mut self,
        welcomed_at: Option<Instant>,
        reason: &str,
        now: Instant,
    ) -> Result<Duration, Failure> {
        let held = welcomed_at.is_some_and(|then| now - then > GOOD_STREAM);
        let broken_at = match self.broken_at {
            Some(broken_at) if !held => broken_at,
            _ => {
                self.pause = FIRST_PAUSE;
                if self.limit == LIMIT {
                    eprintln!(
                        "The arena at {} cannot be reached ({reason}). Trying for {} s.",
                        self.address,
                        self.limit.as_secs()
                    );
                }
                now
            }
        };
        self.broken_at = Some(broken_at);
        let pause = self.pause.mul_f64(rand::random_range(0.7..1.0));
        if now + pause > broken_at + self.limit {
            return Err(Failure::Unreachable(format!(
                "The arena at {} has been out of reach for {:.0} s (limit: {} s): {reason}.",
                self.address,
                (now - broken_at).as_secs_f64(),
                self.limit.as_secs(),
            )));
        }
        self.pause = LONGEST_PAUSE.min(2 * self.pause);
        Ok(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the attempts and the time after which an arena that never answers is given up.
    fn given_up(address: &str) -> (usize, Duration, Failure) {
        let mut patience = Patience::new(address);
        let broken_at = Instant::now();
        let mut now = broken_at;
        for attempts in 1.. {
            match patience.after(None, "connection refused", now) {
                Ok(pause) => now += pause,
                Err(failure) => return (attempts, now - broken_at, failure),
            }
        }
        unreachable!()
    }

    #[test]
    fn a_socket_here_is_given_up_soon_and_a_far_arena_later() {
        let (attempts, waited, failure) = given_up("unix:/run/arena.sock");
        assert!((5..=6).contains(&attempts), "{attempts}");
        assert!(waited < LIMIT_HERE);
        assert!(
            failure
                .to_string()
                .starts_with("The arena at unix:/run/arena.sock has been out of reach for 1 s")
                || failure.to_string().contains("for 2 s"),
            "{failure}"
        );
        let (attempts, waited, failure) = given_up("arena.example:7007");
        assert!((13..=19).contains(&attempts), "{attempts}");
        assert!(waited > Duration::from_secs(26) && waited < LIMIT);
        assert!(
            failure
                .to_string()
                .ends_with("(limit: 30 s): connection refused.")
        );
    }

    #[test]
    fn after_a_good_stream_patience_is_as_at_first() {
        let mut patience = Patience::new("unix:/run/arena.sock");
        let start = Instant::now();
        patience.after(None, "", start).unwrap();
        patience
            .after(None, "", start + Duration::from_secs(1))
            .unwrap();
        let later = start + Duration::from_secs(60);
        let pause = patience.after(Some(start + Duration::from_secs(2)), "", later);
        assert!(pause.unwrap() <= FIRST_PAUSE);
        // The next stream was welcomed, but did not hold.
        assert!(patience.after(Some(later), "", later + LIMIT_HERE).is_err());
    }
}
