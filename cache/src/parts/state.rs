//! The recorded behaviour of a stage with a tool and options: whether its results can be put
//! together.

use super::placeholders::Features;
use crate::store::Store;
use crate::{Digest, MacKeys};

/// How locations count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Placeholders take the place of positions.
    Rebind,
    /// Locations are part of the key.
    Key,
    /// Results cannot be put together of parts: only whole inputs have results.
    Whole,
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Mode::Rebind => "rebind",
            Mode::Key => "key",
            Mode::Whole => "whole",
        }
    }
}

/// The state of a domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) mode: Mode,
    /// For which kinds of inputs both ways were compared.
    pub(crate) verified: Features,
    /// The form of the output, as a word; empty if unknown.
    pub(crate) form: String,
}

impl State {
    pub(crate) fn new(mode: Mode) -> Self {
        State {
            mode,
            verified: Features::default(),
            form: String::new(),
        }
    }

    /// Returns the content of a file. The check sum is of the domain, too: the state of another
    /// one would return wrong results.
    pub(crate) fn to_text(&self, domain: &Digest, keys: &MacKeys) -> String {
        let Features(verified) = self.verified;
        let line = format!("{} {verified} {}", self.mode.word(), self.form);
        let check = keys.check_sum(format!("{domain}\n{line}\n").as_bytes());
        format!("{line}\n{check}\n")
    }

    pub(crate) fn parse(bytes: &[u8], domain: &Digest, keys: &MacKeys) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (line, check) = text.strip_suffix('\n')?.split_once('\n')?;
        let check = Digest::parse(check)?;
        keys.is_check_sum(format!("{domain}\n{line}\n").as_bytes(), &check)
            .then_some(())?;
        let mut words = line.split(' ');
        let mode = match words.next()? {
            "rebind" => Mode::Rebind,
            "key" => Mode::Key,
            "whole" => Mode::Whole,
            _ => return None,
        };
        Some(State {
            mode,
            verified: Features(words.next()?.parse().ok()?),
            form: words.next()?.to_owned(),
        })
    }
}

impl Store {
    /// Returns the state of a domain; `None` if nothing is known, or it is damaged.
    pub(crate) fn state(&self, domain: &Digest) -> Option<State> {
        let path = self.root().join("state").join(domain.to_string());
        let state = State::parse(&self.read(&path).ok()?, domain, &self.mac)?;
        self.used(&path);
        Some(state)
    }

    /// Replaces the state of a domain. If that fails, both ways are compared again.
    pub(crate) fn set_state(&self, domain: &Digest, state: &State) {
        let path = self.root().join("state").join(domain.to_string());
        let _ = self.publish(&path, &[state.to_text(domain, &self.mac).as_bytes()]);
    }
}
