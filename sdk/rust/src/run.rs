//! Runs a bot in the process started by an arena or by the bot's author.

use std::backtrace::Backtrace;
use std::env;
use std::panic;
use std::process::ExitCode;

use crate::Bot;
use crate::connection;
use crate::failure::Failure;
use crate::leaving::Leaving;
use crate::patience::Patience;
use crate::session::Session;
use crate::settings::Settings;

/// The games that a bot plays, and the number of matches at a time.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The slugs of the games that the bot plays; every game if empty.
    pub games: &'a [&'a str],
    /// The number of matches it takes at a time; ARENA_MATCHES_AT_ONCE in the environment takes
    /// precedence.
    pub matches_at_once: u32,
    /// True if the program handles SIGINT and SIGTERM itself.
    pub own_signals: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            games: &[],
            matches_at_once: 1,
            own_signals: false,
        }
    }
}

/// Plays until the arena says goodbye. At the first Ctrl-C or SIGTERM the bot asks for that, and
/// plays its matches to their end; the second one ends the process at once. `make_bot` is called
/// for each match. Returns the exit code for the process.
///
/// A panic in the bot's code ends the process, with a stack trace and exit code 1.
pub fn run<B: Bot>(make_bot: impl FnMut() -> B, options: Options) -> ExitCode {
    show_tracebacks();
    match play(make_bot, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit_code()
        }
    }
}

fn play<B: Bot>(make_bot: impl FnMut() -> B, options: Options) -> Result<(), Failure> {
    let settings = Settings::read(|name| env::var(name).ok(), options.matches_at_once)?;
    let mut session = Session::new(
        make_bot,
        settings.token,
        options.games,
        settings.matches_at_once,
    );
    let patience = Patience::new(&settings.address);
    let leaving = Leaving::default();
    if !options.own_signals {
        leaving.listen().unwrap_or_else(|error| {
            eprintln!("Ctrl-C ends this bot at once, because signals cannot be handled: {error}.");
        });
    }
    connection::play(&mut session, &settings.endpoint, patience, &leaving)
}

/// The arena stores what a bot prints, which is all that its author will see of a crash.
fn show_tracebacks() {
    panic::set_hook(Box::new(|crash| {
        eprint!("{crash}\n{}", Backtrace::force_capture());
    }));
}
