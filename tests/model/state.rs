//! One request as the store, the remotes and everybody who works on it have it, at one moment.

use signalbox_engine::flow::{Event, Step};

/// The head of the request's branch. Only one rebase is modelled for each stay, so that two names for our commit are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Head {
    Ours,
    Rebased,
    Foreign,
}

/// A ticket as the desk has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ticket {
    None,
    Open,
    Granted,
    Denied,
    Withdrawn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mr {
    None,
    Open,
    Merged,
    Closed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pipe {
    None,
    Running,
    Passed,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deploy {
    None,
    Failed,
    Effective,
}

/// What is true outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Remote {
    pub ticket: Ticket,
    pub branch: Option<Head>,
    /// The target moved on, so that only a rebase makes it mergeable.
    pub behind: bool,
    /// The pipelines of our two heads.
    pub pipes: [Pipe; 2],
    /// The merge requests of the branch, the first of them first.
    pub mrs: [Mr; 2],
    /// One bit for each reviewer who approves the open merge request.
    pub approvals: u8,
    /// A person took an approval back.
    pub taken: bool,
    pub deploy: Deploy,
}

/// What the request's row knows of the remotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Facts {
    /// Number of the merge request; 0 for none.
    pub mr: u8,
    /// The first merge request was given up by a person's press.
    pub given_up: bool,
    pub ticket: Ticket,
    pub head: Option<Head>,
    pub checked: Option<Head>,
    /// As many rebases as are allowed since the last press.
    pub rebased: bool,
    /// How often an approval of this head was lost.
    pub lost: u8,
}

/// A write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Call {
    Ticket,
    Branch,
    OpenMr,
    Approve(u8, Head),
    Rebase(u8),
    Merge(u8, Head),
    CloseMr(u8),
    Cancel,
}

/// What a stage says, or wants to write first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    Write(Call),
    Move(Event),
    /// Nothing yet; true where it looks again by itself.
    Pause(bool),
}

/// What the next look is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wish {
    None,
    Read,
    Reconcile,
}

/// Events that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parked {
    pub approval: bool,
    pub effective: bool,
    pub failed: bool,
}

impl Parked {
    pub const NOTHING: Self = Self { approval: false, effective: false, failed: false };

    pub fn any(self) -> bool {
        self.approval || self.effective || self.failed
    }

    /// True where something is here that was not there.
    pub fn is_news_to(self, known: Self) -> bool {
        self.approval && !known.approval || self.effective && !known.effective || self.failed && !known.failed
    }
}

/// Where a worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The remotes were read, and this follows from it.
    Decided(Act),
    /// The intent stands in the journal; true once the call has arrived.
    Out(Call, bool),
}

/// One worker with the row as it read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Worker {
    pub phase: Phase,
    pub from: Step,
    pub facts: Facts,
    pub wish: Wish,
    pub knew: Parked,
    /// The version moved on since it read the row.
    pub stale: bool,
}

/// A person's button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Button {
    Resume,
    RetryApproval,
    Close,
    Reconcile,
}

/// Somebody who read the row to change it: a person with a button, or the sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reader {
    /// None is the sweep.
    pub button: Option<Button>,
    pub from: Step,
    pub facts: Facts,
    pub stale: bool,
}

/// A callback that was judged worth waiting for and is not stored yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callback {
    Approval,
    Effective,
    Failed,
}

/// Everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub step: Step,
    pub facts: Facts,
    pub due: bool,
    pub wish: Wish,
    /// Which worker holds the lease.
    pub lease: Option<u8>,
    pub parked: Parked,
    /// The watermark of the project is past this merge request.
    pub mark: bool,
    /// A rebase was asked for in this stay.
    pub asked: bool,
    /// A call that opens something got no answer.
    pub doubt: bool,
    /// How many merge requests, and whether a ticket, were answered as opened, noted in the row or not.
    pub opened: u8,
    pub sent: bool,
    /// Records of work that must follow: for what comes late, and for the merge request of a rejected request.
    pub follow: [bool; 2],
    pub workers: [Option<Worker>; 2],
    pub readers: [Option<Reader>; 2],
    pub callback: Option<Callback>,
    /// A call whose sender is gone; it may still arrive.
    pub adrift: Option<Call>,
    pub remote: Remote,
    /// How often a call, an answer, a lease or the process may still be lost.
    pub losses: u8,
    /// The rule that was broken on the way here.
    pub broken: Option<&'static str>,
}

impl State {
    pub fn beginning(step: Step, losses: u8) -> Self {
        Self {
            step,
            facts: Facts {
                mr: 0,
                given_up: false,
                ticket: Ticket::None,
                head: None,
                checked: None,
                rebased: false,
                lost: 0,
            },
            due: true,
            wish: Wish::None,
            lease: None,
            parked: Parked::NOTHING,
            mark: false,
            asked: false,
            doubt: false,
            opened: 0,
            sent: false,
            follow: [false; 2],
            workers: [None; 2],
            readers: [None; 2],
            callback: None,
            adrift: None,
            remote: Remote {
                ticket: Ticket::None,
                branch: None,
                behind: false,
                pipes: [Pipe::None; 2],
                mrs: [Mr::None; 2],
                approvals: 0,
                taken: false,
                deploy: Deploy::None,
            },
            losses,
            broken: None,
        }
    }

    pub fn breaks(&mut self, rule: &'static str) {
        self.broken = self.broken.or(Some(rule));
    }
}

impl Remote {
    pub fn mr(&self, number: u8) -> Mr {
        if number == 0 { Mr::None } else { self.mrs[usize::from(number) - 1] }
    }

    pub fn open(&self) -> Option<u8> {
        (1..=2).find(|n| self.mr(*n) == Mr::Open)
    }

    pub fn is_merged(&self) -> bool {
        self.mrs.contains(&Mr::Merged)
    }

    /// What the checks of a head say.
    pub fn pipe(&self, head: Head) -> Pipe {
        match head {
            Head::Ours => self.pipes[0],
            Head::Rebased => self.pipes[1],
            Head::Foreign => Pipe::None,
        }
    }
}
