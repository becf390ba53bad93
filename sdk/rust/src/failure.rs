//! The reasons why a bot's process ends before the arena has said goodbye.

use std::fmt;
use std::process::ExitCode;

/// Each holds the text to print to stderr.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The bot's code panicked.
    Crash(String),
    /// The environment does not say where the arena is.
    WrongSettings(String),
    /// The arena has refused this bot.
    Refused(String),
    /// The arena can no longer be reached.
    Unreachable(String),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Crash(_) => 1,
            Self::WrongSettings(_) => 2,
            Self::Refused(_) | Self::Unreachable(_) => 3,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Self::Crash(sentence)
        | Self::WrongSettings(sentence)
        | Self::Refused(sentence)
        | Self::Unreachable(sentence)) = self;
        f.write_str(sentence)
    }
}
