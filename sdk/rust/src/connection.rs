//! Connects a session to an arena.
//!
//! The bot thinks in the thread that called `run`. Meanwhile, another thread transfers frames and
//! answers pings; the bot then handles together all that have arrived.

use std::error::Error;
use std::iter;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{
    UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel,
};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::Endpoint;

use crate::Bot;
use crate::failure::Failure;
use crate::leaving::Leaving;
use crate::patience::Patience;
use crate::proto::bot_service_client::BotServiceClient;
use crate::proto::{ArenaFrame, BotFrame, Ping, Pong};
use crate::session::Session;

/// The longest time that an answer waits for the others of its frame.
const PROMPT: Duration = Duration::from_millis(10);
/// The time to wait for the arena to end a stream that the bot has closed.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// The same after a crash, so that answers already given arrive.
const FLUSH: Duration = Duration::from_secs(1);

/// The time to wait for a goodbye: arenas older than `leave` do not answer it.
const GOODBYE: Duration = Duration::from_secs(5);

pub(crate) enum Heard {
    Frame(ArenaFrame, Instant),
    /// The stream is over; holds the reason.
    Over(String),
    /// The bot is to leave.
    Leave,
}

/// Plays until the arena says goodbye.
pub(crate) fn play<B: Bot, F: FnMut() -> B>(
    session: &mut Session<B, F>,
    endpoint: &Endpoint,
    mut patience: Patience,
    leaving: &Leaving,
) -> Result<(), Failure> {
    loop {
        let stream = Stream::open(session.open(), endpoint.clone(), leaving);
        let reason = stream.play(session, leaving)?;
        if session.goodbye || session.has_left() {
            return Ok(());
        }
        leaving.sleep(patience.after(session.welcomed_at, &reason, Instant::now())?);
        if leaving.asked() && session.matches() == 0 {
            return Ok(());
        }
    }
}

struct Stream {
    inbox: Receiver<Heard>,
    outbox: UnboundedSender<BotFrame>,
    /// The reason why the stream is over, once it is.
    over: Option<String>,
}

impl Stream {
    fn open(hello: BotFrame, endpoint: Endpoint, leaving: &Leaving) -> Self {
        let (heard, inbox) = channel();
        leaving.wake(heard.clone());
        let (outbox, requests) = unbounded_channel();
        let pongs = outbox.downgrade();
        let stream = Self {
            inbox,
            outbox,
            over: None,
        };
        stream.say([hello]);
        thread::spawn(move || {
            let reason = carry(endpoint, requests, pongs, &heard);
            // Nobody receives it if the process is about to end.
            let _ = heard.send(Heard::Over(reason));
        });
        stream
    }

    /// Plays until the stream is over or everything is sent. Returns the reason why it ended.
    fn play<B: Bot, F: FnMut() -> B>(
        mut self,
        session: &mut Session<B, F>,
        leaving: &Leaving,
    ) -> Result<String, Failure> {
        while self.over.is_none() && !session.finished() {
            let in_vain = !self.listen(session)?;
            leaving.know(session.matches(), session.goodbye);
            if session.has_left() && session.welcomed_at.is_none() {
                return Ok("the bot has left".to_owned());
            }
            if in_vain {
                break;
            }
            let thought = self.think(session);
            self.say(session.outgoing());
            if let Err(crash) = thought {
                // A crash is a fault only in the matches in which an answer is missing.
                self.close(FLUSH);
                return Err(crash);
            }
        }
        Ok(self.close(LAST_WORDS))
    }

    /// Waits until something arrives, and takes in all that has. Returns false if the bot has waited
    /// for a goodbye in vain.
    fn listen<B: Bot, F: FnMut() -> B>(
        &mut self,
        session: &mut Session<B, F>,
    ) -> Result<bool, Failure> {
        let ended = || Heard::Over("the stream's thread has ended".to_owned());
        let first = if session.has_left() {
            match self.inbox.recv_timeout(GOODBYE) {
                Err(RecvTimeoutError::Timeout) => return Ok(false),
                heard => heard.unwrap_or_else(|_| ended()),
            }
        } else {
            self.inbox.recv().unwrap_or_else(|_| ended())
        };
        for heard in iter::once(first).chain(self.inbox.try_iter()) {
            match heard {
                Heard::Frame(frame, arrived) => session.receive(frame, arrived)?,
                Heard::Over(reason) => self.over = Some(reason),
                Heard::Leave => session.leaving = true,
            }
        }
        Ok(true)
    }

    /// Handles what is due, even after the end of the stream: answers that are too late for it are
    /// sent on the next stream, if the arena asks for them there.
    fn think<B: Bot, F: FnMut() -> B>(&self, session: &mut Session<B, F>) -> Result<(), Failure> {
        let mut said_at = Instant::now();
        while session.think()? {
            if said_at.elapsed() > PROMPT {
                self.say(session.outgoing());
                said_at = Instant::now();
            }
        }
        Ok(())
    }

    fn say(&self, frames: impl IntoIterator<Item = BotFrame>) {
        for frame in frames {
            // If the stream is over, `listen` will find out.
            let _ = self.outbox.send(frame);
        }
    }

    /// Closes the bot's side, waits for the arena to end the stream, and returns the reason.
    fn close(self, patience: Duration) -> String {
        drop(self.outbox);
        let deadline = Instant::now() + patience;
        let mut over = self.over;
        while over.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.inbox.recv_timeout(left) {
                Ok(Heard::Over(reason)) => over = Some(reason),
                Ok(Heard::Frame(..) | Heard::Leave) => {}
                Err(_) => break,
            }
        }
        over.unwrap_or_else(|| "the arena did not end the stream".to_owned())
    }
}

// In the stream's own thread ----------------------------------------------------------------------

/// Transfers frames both ways until the stream is over. Returns the reason why it ended.
fn carry(
    endpoint: Endpoint,
    requests: UnboundedReceiver<BotFrame>,
    pongs: WeakUnboundedSender<BotFrame>,
    heard: &Sender<Heard>,
) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let carried = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(converse(endpoint, requests, pongs, heard)));
    match carried {
        Ok(()) => "the arena ended the stream without a goodbye".to_owned(),
        Err(error) => reason_of(&*error),
    }
}

async fn converse(
    endpoint: Endpoint,
    requests: UnboundedReceiver<BotFrame>,
    pongs: WeakUnboundedSender<BotFrame>,
    heard: &Sender<Heard>,
) -> Result<(), Box<dyn Error>> {
    // The arena decides how large a frame may be, and observes the limit itself.
    let mut client =
        BotServiceClient::new(endpoint.connect().await?).max_decoding_message_size(usize::MAX);
    let requests = UnboundedReceiverStream::new(requests);
    let mut frames = client.play(requests).await?.into_inner();
    while let Some(frame) = frames.message().await? {
        let arrived = Instant::now();
        if let (Some(ping), Some(pongs)) = (frame.ping, pongs.upgrade()) {
            let _ = pongs.send(pong_to(ping));
        }
        if heard.send(Heard::Frame(frame, arrived)).is_err() {
            break;
        }
    }
    Ok(())
}

fn pong_to(ping: Ping) -> BotFrame {
    BotFrame {
        pong: Some(Pong {
            number: ping.number,
        }),
        ..BotFrame::default()
    }
}

/// Returns the text of an error and of its causes, the root cause last.
fn reason_of(error: &(dyn Error + 'static)) -> String {
    if let Some(status) = error.downcast_ref::<tonic::Status>() {
        return format!("{} ({:?})", status.message(), status.code());
    }
    let mut reason = error.to_string();
    for cause in iter::successors(error.source(), |&error| error.source()) {
        // Some repeat their cause.
        let cause = cause.to_string();
        if !reason.ends_with(&cause) {
            reason = format!("{reason}: {cause}");
        }
    }
    reason
}
