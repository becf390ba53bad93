//! The backoff after a stream breaks: the bot tries again, ever more slowly. An arena that is not on
//! this machine may be away for minutes, and is never given up.

use std::time::{Duration, Instant};

use crate::failure::Failure;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// At first, when a match may be waiting for the bot, and after `QUICK_FOR`.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
const QUICK_FOR: Duration = Duration::from_secs(30);
const LONGEST_LATER: Duration = Duration::from_secs(30);
/// After a stream that held this long, the time is counted from zero again.
const GOOD_STREAM: Duration = Duration::from_secs(5);
/// If a socket on this machine does not answer, its arena has almost certainly ended.
const LIMIT_HERE: Duration = Duration::from_secs(2);

pub(crate) struct Patience {
    address: String,
    limit: Option<Duration>,
    broken_at: Option<Instant>,
    pause: Duration,
}

impl Patience {
    pub fn new(address: &str) -> Self {
        let here = address.starts_with("unix:");
        Self {
            address: address.to_owned(),
            limit: here.then_some(LIMIT_HERE),
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
                if self.limit.is_none() {
                    eprintln!(
                        "The arena at {} cannot be reached ({reason}). Trying until it answers.",
                        self.address
                    );
                }
                now
            }
        };
        self.broken_at = Some(broken_at);
        let pause = self.pause.mul_f64(rand::random_range(0.7..1.0));
        if let Some(limit) = self.limit.filter(|limit| now + pause > broken_at + *limit) {
            return Err(Failure::Unreachable(format!(
                "The arena at {} has been out of reach for {:.0} s (limit: {} s): {reason}.",
                self.address,
                (now - broken_at).as_secs_f64(),
                limit.as_secs(),
            )));
        }
        let quick = now - broken_at < QUICK_FOR;
        self.pause = if quick { LONGEST_PAUSE } else { LONGEST_LATER }.min(2 * self.pause);
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
    fn a_socket_here_is_given_up_soon() {
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
    }

    #[test]
    fn a_far_arena_is_tried_ever_more_slowly_and_never_given_up() {
        let mut patience = Patience::new("arena.example:7007");
        let broken_at = Instant::now();
        let mut now = broken_at;
        let mut pauses = Vec::new();
        while now - broken_at < Duration::from_secs(600) {
            let pause = patience.after(None, "connection refused", now).unwrap();
            if now - broken_at < QUICK_FOR {
                assert!(pause <= LONGEST_PAUSE);
            }
            now += pause;
            pauses.push(pause);
        }
        assert!(pauses[0] <= FIRST_PAUSE);
        let last = pauses[pauses.len() - 1];
        assert!(last > LONGEST_LATER.mul_f64(0.69) && last <= LONGEST_LATER);
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
