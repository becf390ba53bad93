//! Access to an observation. `arena games show SLUG` explains the zones and facts of a game.

use crate::proto::{Fact, Observation, Zone};

impl Observation {
    /// Returns the zone of that name and owner, a seat or None; None if there is none now.
    pub fn zone(&self, name: &str, owner: impl Into<Option<u32>>) -> Option<&Zone> {
        let owner = owner.into();
        self.zones
            .iter()
            .find(|zone| zone.name == name && zone.owner == owner)
    }

    /// Returns the cards that the seat sees in the zone of that name and owner.
    pub fn cards(&self, name: &str, owner: impl Into<Option<u32>>) -> &[String] {
        self.zone(name, owner).map_or(&[], |zone| &zone.cards)
    }

    /// Returns a fact.
    ///
    /// # Panics
    ///
    /// If there is none of that name. If a fact may be absent, search `facts`.
    #[track_caller]
    pub fn fact(&self, name: &str) -> &Fact {
        match self.facts.iter().find(|fact| fact.name == name) {
            Some(fact) => fact,
            None => {
                let names: Vec<&str> = self.facts.iter().map(|fact| &fact.name[..]).collect();
                panic!("there is no fact {name:?} here, only: {}", names.join(", "))
            }
        }
    }
}

impl Fact {
    /// Returns the value of a fact that is one number. A list's values are in `numbers`.
    ///
    /// # Panics
    ///
    /// If it is not one number.
    #[track_caller]
    pub fn number(&self) -> i32 {
        match self.numbers[..] {
            [number] if !self.is_list => number,
            _ => panic!("the fact {:?} is not one number: {self:?}", self.name),
        }
    }

    /// Returns the value of a fact that is one word. A list's values are in `words`.
    ///
    /// # Panics
    ///
    /// If it is not one word.
    #[track_caller]
    pub fn word(&self) -> &str {
        match &self.words[..] {
            [word] if !self.is_list => word,
            _ => panic!("the fact {:?} is not one word: {self:?}", self.name),
        }
    }
}
