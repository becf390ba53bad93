//! Every game: plays each action on from guesses of what is hidden, and knows no game.
//!
//! The rules are Python's, in a process of their own: it restores a match from the observation,
//! deals again what the seat cannot see, and plays on to the end of the deal.

mod rules;

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};
use sevens_sdk::{Bot, Choice, Decision, Options, run};

use rules::{Rules, json_of};

/// Of the time that is left, one part for a decision.
const SHARE_OF_TIME: u32 = 25;
const MOST_GUESSES: u32 = 20;
// The numbers by which the rules know the match as observed, a guess, and a guess played on.
const SEEN: u32 = 1;
const GUESS: u32 = 2;
const PLAYED: u32 = 3;

struct Searcher {
    rules: Rules,
}

impl Bot for Searcher {
    fn choose(&mut self, decision: &Decision) -> Choice {
        if let [only] = &decision.legal[..] {
            return only.into();
        }
        // The arena starts a program again that ends.
        let best = self.search(decision).expect("the rules answer");
        decision.legal[best].as_str().into()
    }
}

impl Searcher {
    /// Returns the index of the action with the best mean rank over all guesses.
    fn search(&mut self, decision: &Decision) -> io::Result<usize> {
        let deadline = Instant::now() + decision.time_left() / SHARE_OF_TIME;
        self.restore(decision)?;
        let mut ranks = vec![0; decision.legal.len()];
        let mut guesses = 0;
        while guesses < MOST_GUESSES && (guesses == 0 || Instant::now() < deadline) {
            for (sum, rank) in ranks.iter_mut().zip(self.ranks(decision)?) {
                *sum += rank;
            }
            guesses += 1;
        }
        let best = (0..ranks.len()).min_by_key(|&action| ranks[action]);
        decision.note(format!("{guesses} guesses"));
        Ok(best.unwrap_or_default())
    }

    fn restore(&mut self, decision: &Decision) -> io::Result<()> {
        let match_ = &decision.match_;
        self.rules.ask(&[json!({
            "do": "restore",
            "match": SEEN,
            "game": match_.game,
            "rules_version": match_.rules_version,
            "players": match_.players(),
            "options": match_.options,
            "seat": decision.seat,
            "observation": json_of(&decision.observation),
            "seed": format!("{:?}/{}", match_.seed, decision.number),
        })])?;
        Ok(())
    }

    /// Returns the seat's rank at the end of the deal after each action, from one guess.
    fn ranks(&mut self, decision: &Decision) -> io::Result<Vec<u64>> {
        let seat = decision.seat;
        let mut questions = vec![json!({"do": "redeal", "match": SEEN, "to": GUESS, "seat": seat})];
        for action in &decision.legal {
            questions.push(json!({"do": "copy", "match": GUESS, "to": PLAYED}));
            questions.push(json!({"do": "apply", "match": PLAYED, "seat": seat, "action": action}));
            questions.push(json!({"do": "playout", "match": PLAYED}));
        }
        let answers = self.rules.ask(&questions)?;
        let rank = |answer: &Value| answer["ranks"][seat as usize].as_u64().unwrap_or_default();
        Ok(answers.iter().skip(3).step_by(3).map(rank).collect())
    }
}

fn main() -> ExitCode {
    let new = || Searcher {
        rules: Rules::start().expect("python -m sevens_games.serve starts"),
    };
    run(new, Options::default())
}
