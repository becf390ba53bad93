//! Frames and choices in a session, without a connection.

use std::cell::RefCell;
use std::rc::Rc;

use rand::Rng;

use super::*;
use crate::proto::{Fact, Goodbye, Observation, Refusal, Zone};

/// A bot that is a closure, which may count its calls.
struct Choosing<C>(C, u32);

impl<C: FnMut(&Decision) -> Choice> Bot for Choosing<C> {
    fn choose(&mut self, decision: &Decision) -> Choice {
        self.1 += 1;
        decision.note(format!("call {}", self.1));
        (self.0)(decision)
    }
}

/// Returns a session that was welcomed and has started some matches.
fn session_with<C: FnMut(&Decision) -> Choice + Clone>(
    choose: C,
    matches: &[&str],
) -> Session<Choosing<C>, impl FnMut() -> Choosing<C> + use<C>> {
    let make_bot = move || Choosing(choose.clone(), 0);
    let mut session = Session::new(make_bot, "secret".to_owned(), &["xeri"], 2);
    let hello = session.open().hello.unwrap();
    assert_eq!(
        (&hello.token[..], hello.protocol, hello.matches_at_once),
        ("secret", 1, 2)
    );
    hear(&mut session, welcome());
    let named = matches.iter().map(|id| start(id, false)).collect();
    let frames = hear(&mut session, starts(named));
    assert!(frames.iter().flat_map(accepted).eq(matches.iter().copied()));
    session
}

fn hear<B: Bot, F: FnMut() -> B>(session: &mut Session<B, F>, frame: ArenaFrame) -> Vec<BotFrame> {
    try_hear(session, frame).unwrap()
}

fn try_hear<B: Bot, F: FnMut() -> B>(
    session: &mut Session<B, F>,
    frame: ArenaFrame,
) -> Result<Vec<BotFrame>, Failure> {
    session.receive(frame, Instant::now())?;
    while session.think()? {}
    Ok(session.outgoing())
}

fn accepted(frame: &BotFrame) -> Vec<&str> {
    frame
        .accepts
        .iter()
        .map(|accept| &accept.match_id[..])
        .collect()
}

fn welcome() -> ArenaFrame {
    let welcome = Welcome {
        protocol: 1,
        frame_limit_bytes: 8192,
        ..Welcome::default()
    };
    ArenaFrame {
        welcome: Some(welcome),
        ..ArenaFrame::default()
    }
}

fn start(id: &str, resumed: bool) -> MatchStart {
    MatchStart {
        match_id: id.to_owned(),
        game: "xeri".to_owned(),
        seat: 1,
        teams: vec![0, 1, 0, 1],
        options: [("target".to_owned(), "100".to_owned())].into(),
        seed: (0..32).collect(),
        resumed,
        ..MatchStart::default()
    }
}

fn starts(starts: Vec<MatchStart>) -> ArenaFrame {
    ArenaFrame {
        starts,
        ..ArenaFrame::default()
    }
}

fn decision(id: &str, number: u32) -> proto::Decision {
    proto::Decision {
        match_id: id.to_owned(),
        number,
        seat: 1,
        time_left_ms: 60_200,
        legal_actions: ["play 7S", "play 8S", "pass"].map(str::to_owned).into(),
        observation: Some(Observation {
            zones: vec![
                zone("hand", Some(0), &[], 2),
                zone("hand", Some(1), &["7S", "8S"], 0),
                zone("stock", None, &["2C"], 40),
            ],
            facts: vec![
                Fact {
                    name: "round".to_owned(),
                    numbers: vec![0],
                    ..Fact::default()
                },
                Fact {
                    name: "trump".to_owned(),
                    words: vec!["S".to_owned()],
                    ..Fact::default()
                },
            ],
        }),
        ..proto::Decision::default()
    }
}

fn zone(name: &str, owner: Option<u32>, cards: &[&str], hidden: u32) -> Zone {
    let cards = cards.iter().map(|&card| card.to_owned()).collect();
    Zone {
        name: name.to_owned(),
        owner,
        cards,
        hidden,
    }
}

fn asked(decisions: Vec<proto::Decision>) -> ArenaFrame {
    ArenaFrame {
        decisions,
        ..ArenaFrame::default()
    }
}

fn end(id: &str) -> MatchEnd {
    MatchEnd {
        match_id: id.to_owned(),
        ..MatchEnd::default()
    }
}

/// Returns the answer to a decision for which a bot makes a choice.
fn answer_of(choice: impl Into<Choice>) -> Answer {
    let choice = choice.into();
    let mut session = session_with(move |_: &Decision| choice.clone(), &["m1"]);
    let frames = hear(&mut session, asked(vec![decision("m1", 3)]));
    assert_eq!(frames.len(), 1);
    assert_eq!(
        (
            &frames[0].answers[0].match_id[..],
            frames[0].answers[0].number
        ),
        ("m1", 3)
    );
    frames[0].answers[0].clone()
}

fn sent(choice: impl Into<Choice>) -> Action {
    answer_of(choice).action.unwrap()
}

#[test]
fn a_choice_is_sent_as_it_was_made() {
    assert_eq!(sent("pass"), Action::Text("pass".to_owned()));
    assert_eq!(sent(2), Action::Index(2));
}

#[test]
fn an_illegal_choice_is_sent_too() {
    assert_eq!(sent("play 9S"), Action::Text("play 9S".to_owned()));
    assert_eq!(sent(3), Action::Text("3".to_owned()));
    assert_eq!(sent("x".repeat(300)), Action::Text("x".repeat(TEXT_BYTES)));
}

#[test]
fn a_warning_names_an_illegal_choice_and_so_many_legal_ones() {
    let match_ = Arc::new(start("m1", false).into());
    let few = Decision::new(decision("m1", 3), &match_, Instant::now());
    assert_eq!(
        warning(&few, &"play 9S".into()),
        "The bot chose \"play 9S\", which is not legal, in decision 3 of match m1 (xeri), seat 1. \
         Legal: \"play 7S\", \"play 8S\", \"pass\"."
    );
    let legal_actions = (0..1000).map(|n| format!("move {n}")).collect();
    let many = proto::Decision {
        legal_actions,
        ..decision("m1", 3)
    };
    let many = Decision::new(many, &match_, Instant::now());
    let warning = warning(&many, &1000.into());
    assert!(warning.starts_with("The bot chose 1000, which"));
    assert!(warning.ends_with("\"move 18\", \"move 19\" and 980 more."));
}

#[test]
fn a_note_is_cut_where_a_character_ends() {
    let noting = |decision: &Decision| {
        decision.note("ä".repeat(2000));
        0.into()
    };
    let mut session = session_with(noting, &["m1"]);
    let frames = hear(&mut session, asked(vec![decision("m1", 1)]));
    assert_eq!(
        frames[0].answers[0].note,
        format!("call 1\n{}", "ä".repeat(508))
    );
}

#[test]
fn answers_that_are_due_together_travel_in_frames_below_the_limit() {
    let matches: Vec<String> = (0..9).map(|n| format!("m{n}")).collect();
    let matches: Vec<&str> = matches.iter().map(|id| &id[..]).collect();
    let mut session = session_with(|_: &Decision| 0.into(), &matches);
    let decisions = matches.iter().map(|id| decision(id, 1)).collect();
    let frames = hear(&mut session, asked(decisions));
    let sizes: Vec<usize> = frames.iter().map(|frame| frame.answers.len()).collect();
    assert_eq!(sizes, [4, 4, 1]);
    let answers = frames.iter().flat_map(|frame| &frame.answers);
    assert!(
        answers
            .map(|answer| &answer.match_id[..])
            .eq(matches.iter().copied())
    );
}

#[test]
fn a_decision_that_was_answered_is_not_asked_again() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1"]);
    let given = hear(&mut session, asked(vec![decision("m1", 4)]));
    let twice = hear(
        &mut session,
        asked(vec![decision("m1", 4), decision("m1", 4)]),
    );
    assert_eq!(
        twice[0].answers,
        [&given[0].answers[..], &given[0].answers[..]].concat()
    );
    session.open();
    hear(&mut session, welcome());
    let accepts = hear(&mut session, starts(vec![start("m1", true)]));
    assert_eq!(accepted(&accepts[0]), ["m1"]);
    assert_eq!(hear(&mut session, asked(vec![decision("m1", 4)])), given);
    let next = hear(&mut session, asked(vec![decision("m1", 5)]));
    assert_eq!(next[0].answers[0].note, "call 2");
}

#[test]
fn a_match_that_starts_anew_gets_a_new_bot() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1"]);
    for _ in 0..2 {
        let frames = hear(&mut session, asked(vec![decision("m1", 1)]));
        assert_eq!(frames[0].answers[0].note, "call 1");
        session.open();
        hear(&mut session, welcome());
        hear(&mut session, starts(vec![start("m1", false)]));
    }
}

#[test]
fn a_match_that_a_whole_stream_did_not_name_is_forgotten() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1", "m2"]);
    for _ in 0..2 {
        session.open();
        hear(&mut session, welcome());
        hear(&mut session, starts(vec![start("m1", true)]));
    }
    assert!(session.seats.keys().eq(["m1"]));
}

#[test]
fn what_was_due_on_a_lost_stream_is_not_said_on_the_next() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1"]);
    let frame = asked(vec![decision("m1", 1)]);
    session.receive(frame, Instant::now()).unwrap();
    while session.think().unwrap() {}
    session.open();
    assert_eq!(session.outgoing(), []);
}

#[test]
fn a_match_that_is_over_is_owed_nothing() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1", "m2"]);
    let frame = ArenaFrame {
        decisions: vec![decision("m1", 1), decision("m2", 1)],
        ends: vec![end("m1"), end("m0")],
        ..ArenaFrame::default()
    };
    let frames = hear(&mut session, frame);
    assert_eq!(frames.len(), 1);
    let answered: Vec<&str> = frames[0].answers.iter().map(|a| &a.match_id[..]).collect();
    assert_eq!(answered, ["m2"]);
    assert!(session.seats.keys().eq(["m2"]));
}

#[test]
fn a_decision_of_an_unknown_match_is_left_alone() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1"]);
    assert_eq!(hear(&mut session, asked(vec![decision("m0", 1)])), []);
}

#[test]
fn goodbye_lets_the_bot_finish_what_it_owes() {
    let mut session = session_with(|_: &Decision| 0.into(), &["m1"]);
    let frame = ArenaFrame {
        decisions: vec![decision("m1", 1)],
        goodbye: Some(Goodbye::default()),
        ..ArenaFrame::default()
    };
    session.receive(frame, Instant::now()).unwrap();
    assert!(session.goodbye && !session.finished());
    assert!(session.think().unwrap());
    assert!(session.finished());
    assert_eq!(session.outgoing()[0].answers.len(), 1);
}

#[test]
fn a_refusal_is_a_failure() {
    let mut session = session_with(|_: &Decision| 0.into(), &[]);
    let sentence = "This token was revoked.".to_owned();
    let refusal = Some(Refusal {
        sentence: sentence.clone(),
        ..Refusal::default()
    });
    let heard = try_hear(
        &mut session,
        ArenaFrame {
            refusal,
            ..ArenaFrame::default()
        },
    );
    assert_eq!(heard, Err(Failure::Refused(sentence)));
}

#[test]
fn a_crash_names_the_match_and_what_was_answered_is_said() {
    let crashing = |decision: &Decision| {
        assert_eq!(decision.match_.id, "m1");
        0.into()
    };
    let mut session = session_with(crashing, &["m1", "m2"]);
    let crash = try_hear(
        &mut session,
        asked(vec![decision("m1", 1), decision("m2", 7)]),
    );
    let sentence = "This was the bot's choice in match m2 (xeri), seat 1, decision 7.";
    assert_eq!(crash, Err(Failure::Crash(sentence.to_owned())));
    assert_eq!(session.outgoing()[0].answers[0].match_id, "m1");
}

#[test]
fn randomness_follows_from_seed_and_number_alone() {
    let drawn = Rc::new(RefCell::new(Vec::new()));
    let draws = Rc::clone(&drawn);
    let drawing = move |decision: &Decision| {
        draws.borrow_mut().push(decision.random().next_u64());
        0.into()
    };
    let mut session = session_with(drawing, &["m1", "m2"]);
    hear(
        &mut session,
        asked(vec![
            decision("m1", 1),
            decision("m2", 1),
            decision("m1", 2),
        ]),
    );
    let other = MatchStart {
        seed: vec![1; 32],
        ..start("m3", false)
    };
    hear(&mut session, starts(vec![other]));
    hear(&mut session, asked(vec![decision("m3", 1)]));
    let drawn = drawn.borrow();
    assert_eq!(drawn[0], drawn[1]);
    assert!(drawn[0] != drawn[2] && drawn[0] != drawn[3]);
    // For the same decision in another process, today or years from now.
    assert_eq!(drawn[0], 13_623_057_893_742_724_943);
}

#[test]
fn a_decision_answers_questions() {
    let match_ = Arc::new(start("m1", false).into());
    let decision = Decision::new(decision("m1", 3), &match_, Instant::now());
    assert_eq!(decision.hand(), ["7S", "8S"]);
    assert_eq!(decision.observation.cards("stock", None), ["2C"]);
    assert_eq!(decision.observation.zone("hand", 0).unwrap().hidden, 2);
    assert!(decision.observation.cards("stock", 0).is_empty());
    assert_eq!(decision.observation.fact("round").number(), 0);
    assert_eq!(decision.observation.fact("trump").word(), "S");
    assert_eq!(decision.match_.option("target"), Some(100));
    assert_eq!(decision.match_.option::<bool>("target"), None);
    assert!((60_000..=60_200).contains(&decision.time_left().as_millis()));
}

#[test]
#[should_panic(expected = "there is no fact \"trumps\" here, only: round, trump")]
fn a_fact_that_is_not_there_is_named() {
    decision("m1", 1).observation.unwrap().fact("trumps");
}

#[test]
fn a_bot_that_leaves_says_so_once_on_each_stream() {
    let mut session = session_with(|_| "pass".into(), &["m1"]);
    session.leaving = true;
    let said = |frames: Vec<BotFrame>| frames.iter().filter(|frame| frame.leave.is_some()).count();
    assert_eq!(said(session.outgoing()), 1);
    assert_eq!(said(session.outgoing()), 0);
    assert!(!session.has_left());
    session.open();
    assert_eq!(said(hear(&mut session, welcome())), 1);
    let end = MatchEnd {
        match_id: "m1".to_owned(),
        ..MatchEnd::default()
    };
    hear(&mut session, starts(vec![start("m1", true)]));
    hear(
        &mut session,
        ArenaFrame {
            ends: vec![end],
            ..ArenaFrame::default()
        },
    );
    assert!(session.has_left());
}
