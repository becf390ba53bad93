//! Chooses any legal action, in every game.

use std::process::ExitCode;

use sevens_sdk::rand::seq::IndexedRandom;
use sevens_sdk::{Bot, Choice, Decision, Options, run};

struct RandomBot;

impl Bot for RandomBot {
    fn choose(&mut self, decision: &Decision) -> Choice {
        let action = decision.legal.choose(&mut decision.random());
        action.expect("there is always a legal action").into()
    }
}

fn main() -> ExitCode {
    run(|| RandomBot, Options::default())
}
