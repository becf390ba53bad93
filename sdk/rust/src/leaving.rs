//! Ctrl-C and SIGTERM: at the first the bot asks to be let go, at the second the process ends.

use std::io;
use std::process;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::connection::Heard;

const INT: i32 = 2;
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
    /// Handles the signals of this process from now on.
    pub fn listen(&self) {
        let leaving = self.clone();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                let _ = runtime.block_on(leaving.handle_signals());
            }
        });
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

    #[cfg(unix)]
    async fn handle_signals(&self) -> io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupts = signal(SignalKind::interrupt())?;
        let mut terminations = signal(SignalKind::terminate())?;
        loop {
            tokio::select! {
                _ = interrupts.recv() => self.signalled(INT),
                _ = terminations.recv() => self.signalled(TERM),
            }
        }
    }

    #[cfg(not(unix))]
    async fn handle_signals(&self) -> io::Result<()> {
        loop {
            tokio::signal::ctrl_c().await?;
            self.signalled(INT);
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
