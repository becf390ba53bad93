//! Xeri: captures whatever is worth it, and otherwise lays the card that is safest to leave.
//!
//! The idea: a card on top of the pile is safe if few cards of its rank are unseen, as only those
//! (and jacks) can capture it. On an empty pile that matters most: the opponent's capture would be
//! a xeri.

use std::process::ExitCode;

use sevens_sdk::{Bot, Choice, Decision, Options, run};

// In tenths of a point, so that sums are exact and ties are ties.
const XERI: f64 = 100.0;
/// A jack is worth keeping for a pile that is worth more than this.
const JACK_KEPT_FOR: f64 = 30.0;

struct XeriFisher;

impl Bot for XeriFisher {
    fn choose(&mut self, decision: &Decision) -> Choice {
        let pile = decision.observation.cards("pile", None);
        let worth = |action: &&String| {
            let card = card_of(action);
            value(card, pile, unseen(rank(card), decision))
        };
        // Of the best actions, the first.
        let actions = decision.legal.iter().rev();
        let best = actions.max_by(|one, other| worth(one).total_cmp(&worth(other)));
        best.expect("there is always a legal action").into()
    }
}

/// Returns the gain of playing the card now, less its expected cost. `unseen`: the number of cards
/// of its rank that the bot has not seen.
fn value(card: &str, pile: &[String], unseen: u8) -> f64 {
    let jack = if rank(card) == 'J' {
        JACK_KEPT_FOR
    } else {
        0.0
    };
    let cards: f64 = pile.iter().map(|card| card_worth(card)).sum::<f64>() + card_worth(card);
    match pile {
        [only] if rank(only) == rank(card) => cards + XERI - jack,
        [.., top] if rank(top) == rank(card) || rank(card) == 'J' => cards - jack,
        [] => -f64::from(unseen) * (cards + XERI) / 4.0 - jack,
        _ => -f64::from(unseen) * cards / 4.0 - jack,
    }
}

/// Returns the tenths of a point for a won card; 3 points for most cards add about one to each.
fn card_worth(card: &str) -> f64 {
    let counts = f64::from("AKQJT".contains(rank(card)));
    let special = f64::from(matches!(card, "TD" | "2C"));
    10.0 * (counts + special) + 1.0
}

/// Returns the number of cards of a rank that the bot has not seen in this deal.
fn unseen(of: char, decision: &Decision) -> u8 {
    let zones = decision.observation.zones.iter();
    let on_table = zones
        .filter(|zone| matches!(&zone.name[..], "pile" | "won"))
        .flat_map(|zone| &zone.cards);
    let seen = on_table
        .chain(decision.hand())
        .filter(|card| rank(card) == of);
    seen.fold(4, |left: u8, _| left.saturating_sub(1))
}

/// Returns the card that an action plays: "TD" for "play TD".
fn card_of(action: &str) -> &str {
    action.split(' ').nth(1).unwrap_or_default()
}

fn rank(card: &str) -> char {
    card.chars().next().unwrap_or_default()
}

fn main() -> ExitCode {
    let options = Options {
        games: &["xeri"],
        ..Options::default()
    };
    run(|| XeriFisher, options)
}
