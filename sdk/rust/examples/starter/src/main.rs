//! Plays as many cards as it can, first those that match the table. Knows no game, plays every one.

use std::process::ExitCode;

use sevens_sdk::rand::seq::SliceRandom;
use sevens_sdk::{Bot, Choice, Decision, Options, run};

/// One value plays one match at one seat.
struct MyBot;

impl Bot for MyBot {
    fn choose(&mut self, decision: &Decision) -> Choice {
        let seen = &decision.observation; // all that your seat may see: zones with cards, and facts
        let hand = decision.hand(); // your cards, such as "7S"; the first letter is the rank
        let open = seen.zones.iter().filter(|zone| zone.owner.is_none());
        let tops = open.filter_map(|zone| zone.cards.last());
        let table: Vec<&str> = tops.map(|card| &card[..1]).collect();
        let phase = seen.facts.iter().find(|fact| fact.name == "phase");
        let phase = phase.map_or("", |fact| fact.word());
        // A pass says the least.
        let more = if ["auction", "bidding"].contains(&phase) {
            -1
        } else {
            1
        };

        let worth = |action: &String| {
            // A verb and what it is done with: "play 7S".
            let words = action.split(' ').map(|word| {
                let mine = hand.iter().any(|card| card == word);
                let matching = mine && table.contains(&&word[..1]);
                more + 100 * i32::from(mine) + 10 * i32::from(matching)
            });
            words.sum::<i32>()
        };

        let mut legal = decision.legal.clone();
        legal.shuffle(&mut decision.random()); // equals in any order
        let best = legal.iter().max_by_key(|action| worth(action));
        let best = best.expect("there is always a legal action");
        decision.note(format!("{phase}: {best} is worth {}", worth(best))); // for `arena log`
        best.into()
    }
}

fn main() -> ExitCode {
    run(|| MyBot, Options::default())
}
