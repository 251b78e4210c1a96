//! What a stage says: a move, or nothing yet and when to look again.

use std::time::Duration;

use crate::{
    flow::{Actor, Event},
    ports::error::{ErrorClass, RemoteError},
    settings::Ladder,
    store::{
        compensations::NewCompensation,
        inbox::Verdict,
        operation::{Facts, Operation},
    },
    words::Sentence,
};

/// What came of running a stage.
#[derive(Debug)]
pub enum Outcome {
    /// The request moves.
    Move(Box<Advance>),
    /// Nothing yet.
    Pause(Box<Pause>),
    /// The request moved on while we worked: drop everything.
    Drop,
}

/// A move that a stage asks for.
#[derive(Debug)]
pub struct Advance {
    /// What happened.
    pub event: Event,
    /// Who caused it.
    pub actor: Actor,
    /// What is known now.
    pub facts: Facts,
    /// Why.
    pub reason: Option<Sentence>,
    /// `exact` or `watermark`.
    pub evidence: Option<&'static str>,
    /// What went wrong, for failed steps.
    pub error: Option<(ErrorClass, Sentence)>,
    /// Verdicts on the events that it settles.
    pub verdicts: Vec<(i64, &'static str, Sentence)>,
    /// Work that must follow.
    pub compensation: Option<NewCompensation>,
}

impl Advance {
    /// A move with the facts as they are.
    #[must_use]
    pub fn new(event: Event, actor: Actor, operation: &Operation) -> Self {
        Self::with(event, actor, operation.facts.clone())
    }

    /// A move with new facts.
    #[must_use]
    pub fn with(event: Event, actor: Actor, facts: Facts) -> Self {
        Self {
            event,
            actor,
            facts,
            reason: None,
            evidence: None,
            error: None,
            verdicts: Vec::new(),
            compensation: None,
        }
    }

    /// The end of a ladder: what was seen last is told as that, never as what holds now.
    #[must_use]
    pub fn exhausted(facts: Facts, nothing_seen: Sentence) -> Self {
        let reason = match &facts.seen {
            Some(seen) => crate::say!("wait.exhausted", seen = seen.clone()),
            None => nothing_seen,
        };
        Self::with(Event::WaitExhausted, Actor::system(), facts).because(reason)
    }

    /// Says why.
    #[must_use]
    pub fn because(mut self, reason: Sentence) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Says what went wrong; it is the reason too.
    #[must_use]
    pub fn failing(mut self, class: ErrorClass, message: Sentence) -> Self {
        self.reason = Some(message.clone());
        self.error = Some((class, message));
        self
    }
}

impl From<Advance> for Outcome {
    fn from(advance: Advance) -> Self {
        Self::Move(Box::new(advance))
    }
}

/// Nothing yet.
#[derive(Debug)]
pub struct Pause {
    /// What is known now.
    pub facts: Facts,
    /// When to look again; None waits for an event.
    pub after: Option<Duration>,
    /// What went wrong, where something did.
    pub error: Option<(ErrorClass, Sentence)>,
    /// False where the remote was never looked at: it asked us to wait, or could not be reached.
    pub spends_look: bool,
    /// Verdicts on events that this look settled without a move.
    pub verdicts: Vec<(i64, Verdict, Sentence)>,
}

impl From<Pause> for Outcome {
    fn from(pause: Pause) -> Self {
        Self::Pause(Box::new(pause))
    }
}

impl Outcome {
    /// Nothing to do here until somebody acts.
    #[must_use]
    pub fn rest(operation: &Operation) -> Self {
        Pause { facts: operation.facts.clone(), after: None, error: None, spends_look: false, verdicts: Vec::new() }
            .into()
    }

    /// Looks again on the ladder, or goes the way out where the ladder has ended. This look is number `operation.look + 1`.
    pub fn look_again(
        operation: &Operation,
        ladder: &Ladder,
        facts: Facts,
        exhausted: impl FnOnce(Facts) -> Advance,
    ) -> Self {
        let look = operation.look + 1;
        if look >= ladder.max_looks {
            return exhausted(facts).into();
        }
        Pause { facts, after: Some(ladder.pause_after(look)), error: None, spends_look: true, verdicts: Vec::new() }
            .into()
    }

    /// A remote stumbled: time may cure it, so look again on the ladder; errors that time cannot cure go the way out at once.
    pub fn stumble(
        operation: &Operation,
        ladder: &Ladder,
        mut facts: Facts,
        error: &RemoteError,
        way_out: impl FnOnce(Facts) -> Advance,
    ) -> Self {
        if error.class == ErrorClass::Superseded {
            return Self::Drop;
        }
        let look = operation.look + 1;
        let spends_look = !matches!(error.class, ErrorClass::Throttled | ErrorClass::NotSent);
        if !error.class.passes() || (spends_look && look >= ladder.max_looks) {
            return way_out(facts).into();
        }
        let message = told(error);
        facts.seen = Some(message.clone());
        let after = ladder.pause_after(look).max(error.retry_after.unwrap_or_default());
        Pause { facts, after: Some(after), error: Some((error.class, message)), spends_look, verdicts: Vec::new() }
            .into()
    }
}

impl Ladder {
    /// The pause after look number `look`, from 1.
    #[must_use]
    pub fn pause_after(&self, look: u32) -> Duration {
        if look < self.short_count { self.short.get() } else { self.long.get() }
    }
}

/// A remote's error as a sentence.
#[must_use]
pub fn told(error: &RemoteError) -> Sentence {
    let sentence = match (error.class, error.status) {
        (ErrorClass::Auth, _) => crate::say!("remote.auth"),
        (ErrorClass::Throttled, _) => crate::say!("remote.throttled"),
        (ErrorClass::Ambiguous, Some(_)) => crate::say!("remote.unclear"),
        (ErrorClass::Ambiguous, None) => crate::say!("remote.ambiguous"),
        (_, Some(_)) => crate::say!("remote.answered"),
        (_, None) => crate::say!("remote.silent"),
    };
    sentence
        .with("remote", label(error.remote))
        .with("account", error.account.clone())
        .with("status", error.status.unwrap_or_default())
        .with("text", error.message.clone())
}

/// The name of a remote, the same in every language.
#[must_use]
pub fn label(remote: &str) -> &str {
    match remote {
        "gitlab" => "GitLab",
        other => other,
    }
}

/// The pause before try number `tries + 1`: the first one doubled for each try that was made.
#[must_use]
pub fn backoff(first: Duration, tries: u32) -> Duration {
    first.saturating_mul(1 << tries.saturating_sub(1).min(10))
}
