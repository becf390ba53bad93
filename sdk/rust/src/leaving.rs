//! Ctrl-C and SIGTERM: at the first the bot asks to be let go, at the second the process ends.

use std::io;
use std::process;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use tokio::signal::unix;
#[cfg(windows)]
use tokio::signal::windows;

use crate::connection::Heard;

const INT: i32 = 2;
#[cfg(unix)]
const TERM: i32 = 15;

/// Shared by the bot's thread and the one that waits for signals.
#[derive(Clone, Default)]
pub(crate) struct Leaving(Arc<(Mutex<State>, Condvar)>);

#[derive(Default)]
struct State {
    asked: bool,
    /// True once the arena has said goodbye.
    goodbye: bool,
    matches: usize,
    /// Wakes the bot's thread if it waits for a frame.
    inbox: Option<Sender<Heard>>,
}

impl Leaving {
    /// Handles the signals of this process from now on; one that comes before the thread runs waits
    /// for it.
    pub fn listen(&self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let signals = {
            let _here = runtime.enter();
            Signals::caught()?
        };
        let leaving = self.clone();
        thread::spawn(move || runtime.block_on(leaving.handle(signals)));
        Ok(())
    }

    pub fn asked(&self) -> bool {
        self.state().asked
    }

    /// Tells where the bot's thread listens now.
    pub fn wake(&self, inbox: Sender<Heard>) {
        let mut state = self.state();
        if state.asked {
            let _ = inbox.send(Heard::Leave);
        }
        state.inbox = Some(inbox);
    }

    /// Tells how many matches the bot has, and whether the arena has said goodbye.
    pub fn know(&self, matches: usize, goodbye: bool) {
        let mut state = self.state();
        state.matches = matches;
        state.goodbye = goodbye;
    }

    /// Waits for some time; a bot that is asked to leave meanwhile waits no longer.
    pub fn sleep(&self, pause: Duration) {
        if self.asked() {
            thread::sleep(pause);
            return;
        }
        let _ = self
            .0
            .1
            .wait_timeout_while(self.state(), pause, |state| !state.asked);
    }

    pub(crate) fn ask(&self) {
        let mut state = self.state();
        state.asked = true;
        match state.matches {
            0 => {}
            1 => eprintln!("Leaving after 1 match; press Ctrl-C again to stop at once."),
            n => eprintln!("Leaving after {n} matches; press Ctrl-C again to stop at once."),
        }
        if let Some(inbox) = &state.inbox {
            // If nobody listens, the stream is over, and the bot will notice.
            let _ = inbox.send(Heard::Leave);
        }
        self.0.1.notify_all();
    }

    async fn handle(&self, mut signals: Signals) {
        loop {
            let number = signals.next().await;
            self.signalled(number);
        }
    }

    fn signalled(&self, number: i32) {
        let state = self.state();
        if state.asked || state.goodbye {
            process::exit(128 + number);
        }
        drop(state);
        self.ask();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
struct Signals {
    interrupts: unix::Signal,
    terminations: unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Catches them from now on, and keeps what comes for `next`.
    fn caught() -> io::Result<Self> {
        Ok(Self {
            interrupts: unix::signal(unix::SignalKind::interrupt())?,
            terminations: unix::signal(unix::SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.interrupts.recv() => INT,
            _ = self.terminations.recv() => TERM,
        }
    }
}

#[cfg(windows)]
struct Signals(windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn caught() -> io::Result<Self> {
        windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> i32 {
        self.0.recv().await;
        INT
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn signals_are_caught_as_soon_as_the_bot_listens() {
        Leaving::default().listen().unwrap();
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        for number in [INT, TERM] {
            assert_ne!(caught & 1 << (number - 1), 0, "signal {number}");
        }
    }
}
