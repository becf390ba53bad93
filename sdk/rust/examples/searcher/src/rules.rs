//! The process that knows the rules of all games; the docstring of `sevens_games.serve` lists what
//! it is asked.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use sevens_sdk::{Fact, Observation};

/// The process, next to this one in the sandbox.
pub struct Rules {
    process: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Rules {
    pub fn start() -> io::Result<Self> {
        let mut process = Command::new("python")
            .args(["-m", "sevens_games.serve"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = process.stdin.take();
        let answers = process.stdout.take().expect("it is a pipe");
        Ok(Self {
            process,
            questions,
            answers: BufReader::new(answers),
        })
    }

    /// Sends all questions at once, and returns their answers: waiting for each would cost more
    /// than the answers do.
    pub fn ask(&mut self, questions: &[Value]) -> io::Result<Vec<Value>> {
        let lines: String = questions.iter().map(|each| format!("{each}\n")).collect();
        let mut pipe = self.questions.as_ref().expect("it is a pipe");
        pipe.write_all(lines.as_bytes())?;
        questions.iter().map(|_| self.answer()).collect()
    }

    fn answer(&mut self) -> io::Result<Value> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line)?;
        match answer["error"].as_str() {
            Some(error) => Err(io::Error::other(error)),
            None => Ok(answer),
        }
    }
}

impl Drop for Rules {
    /// Ends the process: it has nothing left to answer once the questions end.
    fn drop(&mut self) {
        self.questions.take();
        if let Err(error) = self.process.wait() {
            eprintln!("the process of the rules: {error}");
        }
    }
}

/// Returns the JSON form of the message.
pub fn json_of(observation: &Observation) -> Value {
    let zones = observation.zones.iter().map(|zone| {
        json!({
            "name": zone.name, "owner": zone.owner, "cards": zone.cards, "hidden": zone.hidden,
        })
    });
    json!({
        "zones": zones.collect::<Vec<_>>(),
        "facts": observation.facts.iter().map(json_of_fact).collect::<Vec<_>>(),
    })
}

fn json_of_fact(fact: &Fact) -> Value {
    json!({
        "name": fact.name, "numbers": fact.numbers, "words": fact.words, "isList": fact.is_list,
    })
}
