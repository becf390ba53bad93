//! The bot's side of the protocol, without input and output.
//!
//! Takes the arena's frames, calls the bot's code, and returns frames for the arena.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use crate::decision::random_of;
use crate::failure::Failure;
use crate::proto::{
    self, Answer, ArenaFrame, BotFrame, Hello, Leave, MatchAccept, MatchEnd, MatchStart, Welcome,
    answer::Action,
};
use crate::{Bot, Choice, Decision, Match};

const PROTOCOL: u32 = 1;
const NOTE_BYTES: usize = 1024;
const TEXT_BYTES: usize = 256;
/// The size of the longest answer: its note, its text, the match's ID and the field tags.
const ANSWER_BYTES: usize = 2048;
/// The limit for a frame, until the arena has sent its own.
const FRAME_BYTES: usize = 1 << 20;
/// The number of legal actions that a warning names.
const ACTIONS_NAMED: usize = 20;

/// The conversation of this process with the arena, on one stream after another.
pub(crate) struct Session<B, F> {
    make_bot: F,
    hello: Hello,
    seats: HashMap<String, Seat<B>>,
    /// The number of streams on which the arena has welcomed the bot.
    stream: u64,
    frame_bytes: usize,
    pub welcomed_at: Option<Instant>,
    pub goodbye: bool,
    /// True from the moment at which the bot wants no further match.
    pub leaving: bool,
    leave_said: bool,
    notices: HashSet<String>,
    /// The arena's messages that the bot has not handled yet, in order.
    due: VecDeque<Due>,
    accepts: Vec<MatchAccept>,
    answers: Vec<Answer>,
}

/// A seat of a match that this bot plays.
struct Seat<B> {
    match_: Arc<Match>,
    bot: B,
    /// The latest stream on which the arena named the match.
    stream: u64,
    /// The latest answer, to be sent again if the arena did not receive it.
    answer: Option<Answer>,
}

enum Due {
    Start(MatchStart),
    Decision(proto::Decision, Instant),
    End(MatchEnd),
}

impl<B: Bot, F: FnMut() -> B> Session<B, F> {
    pub fn new(make_bot: F, token: String, games: &[&str], matches_at_once: u32) -> Self {
        Self {
            make_bot,
            hello: Hello {
                token,
                protocol: PROTOCOL,
                sdk: format!("rust {}", env!("CARGO_PKG_VERSION")),
                games: games.iter().map(|&game| game.to_owned()).collect(),
                matches_at_once,
            },
            seats: HashMap::new(),
            stream: 0,
            frame_bytes: FRAME_BYTES,
            welcomed_at: None,
            goodbye: false,
            leaving: false,
            leave_said: false,
            notices: HashSet::new(),
            due: VecDeque::new(),
            accepts: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Returns the first frame for a new stream, and forgets what was due on the previous one.
    /// The matches stay: the arena will say which of them go on.
    pub fn open(&mut self) -> BotFrame {
        self.welcomed_at = None;
        self.goodbye = false;
        self.leave_said = false;
        self.due.clear();
        self.accepts.clear();
        self.answers.clear();
        BotFrame {
            hello: Some(self.hello.clone()),
            ..BotFrame::default()
        }
    }

    /// Takes in a frame. Ignores pings: they are answered while the bot thinks.
    pub fn receive(&mut self, frame: ArenaFrame, arrived: Instant) -> Result<(), Failure> {
        if let Some(refusal) = frame.refusal {
            return Err(Failure::Refused(refusal.sentence));
        }
        if let Some(welcome) = frame.welcome {
            if welcome.protocol > PROTOCOL {
                return Err(Failure::Refused(format!(
                    "The arena speaks protocol {}, and this SDK {PROTOCOL}: use a newer SDK.",
                    welcome.protocol
                )));
            }
            self.begin_stream(&welcome, arrived);
        }
        let decisions = frame.decisions.into_iter();
        self.due.extend(frame.starts.into_iter().map(Due::Start));
        self.due
            .extend(decisions.map(|message| Due::Decision(message, arrived)));
        for end in frame.ends {
            self.due.retain(|due| !due.is_decision_of(&end.match_id));
            self.due.push_back(Due::End(end));
        }
        self.goodbye |= frame.goodbye.is_some();
        Ok(())
    }

    /// Handles what is due next. Returns false if nothing was. A failure is a crash.
    pub fn think(&mut self) -> Result<bool, Failure> {
        match self.due.pop_front() {
            Some(Due::Start(message)) => self.start(message)?,
            Some(Due::Decision(message, arrived)) => self.decide(message, arrived)?,
            Some(Due::End(message)) => self.end(&message)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Takes what is due to be sent: one frame, several if one would be too large, or none.
    pub fn outgoing(&mut self) -> Vec<BotFrame> {
        let fit = (self.frame_bytes / ANSWER_BYTES).max(1);
        let mut answers = self.answers.drain(..).peekable();
        let mut accepts = std::mem::take(&mut self.accepts);
        let mut frames = Vec::new();
        let mut leaves = self.leaving && !self.leave_said;
        self.leave_said |= leaves;
        while !accepts.is_empty() || answers.peek().is_some() || leaves {
            frames.push(BotFrame {
                leave: std::mem::take(&mut leaves).then(Leave::default),
                accepts: std::mem::take(&mut accepts),
                answers: answers.by_ref().take(fit).collect(),
                ..BotFrame::default()
            });
        }
        frames
    }

    /// Returns the number of matches that the bot has.
    pub fn matches(&self) -> usize {
        self.seats.len()
            + self
                .due
                .iter()
                .filter(|due| matches!(due, Due::Start(_)))
                .count()
    }

    /// Returns true if the bot is leaving and has no match.
    pub fn has_left(&self) -> bool {
        self.leaving && self.seats.is_empty() && self.due.is_empty()
    }

    /// Returns true once the arena has said goodbye and the bot has handled all that came before.
    pub fn finished(&self) -> bool {
        self.goodbye && self.due.is_empty()
    }

    fn begin_stream(&mut self, welcome: &Welcome, arrived: Instant) {
        self.welcomed_at = Some(arrived);
        if !welcome.notice.is_empty() && self.notices.insert(welcome.notice.clone()) {
            eprintln!("{}", welcome.notice);
        }
        self.frame_bytes = match welcome.frame_limit_bytes {
            0 => FRAME_BYTES,
            limit => limit as usize,
        };
        // A match that the arena never named on the previous stream is over.
        let before = self.stream;
        self.seats.retain(|_, seat| seat.stream == before);
        self.stream += 1;
    }

    fn start(&mut self, message: MatchStart) -> Result<(), Failure> {
        let id = message.match_id.clone();
        match self.seats.get_mut(&id) {
            Some(seat) if message.resumed => seat.stream = self.stream,
            _ => {
                let seat = self.seated(Arc::new(message.into()))?;
                self.seats.insert(id.clone(), seat);
            }
        }
        self.accepts.push(MatchAccept {
            match_id: id,
            nonce: rand::random::<[u8; 32]>().into(),
        });
        Ok(())
    }

    fn seated(&mut self, match_: Arc<Match>) -> Result<Seat<B>, Failure> {
        let bot = calling("start", &match_, || {
            let mut bot = (self.make_bot)();
            bot.on_start(&match_, &mut random_of(&match_, 0));
            bot
        })?;
        Ok(Seat {
            match_,
            bot,
            stream: self.stream,
            answer: None,
        })
    }

    fn decide(&mut self, message: proto::Decision, arrived: Instant) -> Result<(), Failure> {
        let Some(seat) = self.seats.get_mut(&message.match_id) else {
            eprintln!(
                "The arena asked for a decision in {}, a match it never started.",
                message.match_id
            );
            return Ok(());
        };
        let answer = match &seat.answer {
            Some(answer) if answer.number == message.number => answer.clone(),
            _ => {
                let decision = Decision::new(message, &seat.match_, arrived);
                let choice = calling(
                    "choice",
                    &format_args!("{}, decision {}", seat.match_, decision.number),
                    || seat.bot.choose(&decision),
                )?;
                answer_to(&decision, choice)
            }
        };
        seat.answer = Some(answer.clone());
        self.answers.push(answer);
        Ok(())
    }

    fn end(&mut self, message: &MatchEnd) -> Result<(), Failure> {
        match self.seats.remove(&message.match_id) {
            Some(Seat {
                match_, mut bot, ..
            }) => calling("end", &match_, || bot.on_end(&match_, message)),
            None => Ok(()),
        }
    }
}

impl Due {
    fn is_decision_of(&self, match_id: &str) -> bool {
        matches!(self, Self::Decision(message, _) if message.match_id == match_id)
    }
}

/// Calls the bot's code. If it panics, the panic has already been printed with its stack trace; the
/// failure names the match.
fn calling<T>(
    task: &str,
    where_: &dyn fmt::Display,
    code: impl FnOnce() -> T,
) -> Result<T, Failure> {
    // After a crash, only the answers given before are used.
    catch_unwind(AssertUnwindSafe(code))
        .map_err(|_| Failure::Crash(format!("This was the bot's {task} in {where_}.")))
}

/// Returns the answer, even to an illegal choice: judging it is the arena's part.
fn answer_to(decision: &Decision, choice: Choice) -> Answer {
    let legal = &decision.legal;
    let action = match choice {
        Choice::Index(index) if index < legal.len() => Action::Index(index as u32),
        Choice::Text(text) if legal.contains(&text) => Action::Text(text),
        illegal => {
            eprintln!("{}", warning(decision, &illegal));
            Action::Text(match illegal {
                // It may be too large for the protocol's index.
                Choice::Index(index) => index.to_string(),
                Choice::Text(text) => cut(text, TEXT_BYTES),
            })
        }
    };
    Answer {
        match_id: decision.match_.id.clone(),
        number: decision.number,
        action: Some(action),
        note: cut(decision.take_notes(), NOTE_BYTES),
    }
}

/// Returns the warning about an illegal choice.
fn warning(decision: &Decision, choice: &Choice) -> String {
    let chosen = match choice {
        Choice::Index(index) => index.to_string(),
        Choice::Text(text) => format!("{text:?}"),
    };
    let legal = decision.legal.iter().take(ACTIONS_NAMED);
    let named: Vec<String> = legal.map(|action| format!("{action:?}")).collect();
    let more = match decision.legal.len() - named.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    format!(
        "The bot chose {chosen}, which is not legal, in {decision}. Legal: {}{more}.",
        named.join(", ")
    )
}

/// Returns as much of a text as fits into `bytes` bytes of UTF-8.
fn cut(mut text: String, bytes: usize) -> String {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}
