//! What each stage makes of what it reads, as `src-tauri/engine/stages` does it: the remote first, then the write that is missing.

use signalbox_engine::flow::{Event, Step, table};

use crate::{
    remote::ALL,
    rules::{Guard, Model},
    search::Who,
    state::{Act, Call, Facts, Head, Mr, Parked, Pipe, Remote, Ticket, Wish},
};

/// What follows from a read: who makes it so, what, and what is known then.
pub type Choice = (Who, Act, Facts);

/// A read that is under way: what a stage knows of the row, and what it sees.
pub struct Look<'a> {
    pub model: &'a Model,
    pub from: Step,
    pub facts: Facts,
    pub knew: Parked,
    pub remote: &'a Remote,
    /// A rebase stands in the journal of this stay.
    pub asked: bool,
    pub mark: bool,
}

impl Look<'_> {
    /// Everything that the stage of this step may say now.
    pub fn choices(&self, wish: Wish) -> Vec<Choice> {
        match (wish, self.from) {
            (Wish::Reconcile, step) => self.reconcile(step),
            (_, Step::ApprovalSending) => self.send(),
            (_, Step::ApprovalWaiting) => self.decision(),
            (_, Step::CreateStarted) => self.create(),
            (_, Step::CreatePipelineRunning | Step::HandlePipelineRunning) => self.checks(),
            (_, Step::CreateSucceeded) => {
                let order = self.model.order;
                let handed = table::next(Some(self.from), Event::Handle, order, true);
                vec![self.moves(if handed.is_ok() { Event::Handle } else { Event::SendApproval }, self.facts)]
            }
            (_, Step::HandleStarted) => self.approve(),
            (_, Step::HandleApproved) => self.merge(),
            (_, Step::HandleRebasing) => self.rebase(true),
            (_, Step::HandleMerged | Step::DeployFailed) => self.deployed(),
            (_, Step::CloseStarted) => self.close(),
            _ => vec![self.pause(false)],
        }
    }

    fn moves(&self, event: Event, facts: Facts) -> Choice {
        (Who::Engine, Act::Move(event), facts)
    }

    fn fails(&self, event: Event) -> Choice {
        (Who::Trouble, Act::Move(event), self.facts)
    }

    fn writes(&self, call: Call) -> Choice {
        (Who::Engine, Act::Write(call), self.facts)
    }

    fn pause(&self, again: bool) -> Choice {
        (Who::Engine, Act::Pause(again), self.facts)
    }

    fn reads_first(&self) -> bool {
        self.model.has(Guard::ReadFirst)
    }

    fn send(&self) -> Vec<Choice> {
        let facts = Facts { ticket: self.remote.ticket, ..self.facts };
        let next = if self.remote.ticket != Ticket::None && self.reads_first() {
            self.moves(Event::ApprovalSent, facts)
        } else {
            self.writes(Call::Ticket)
        };
        vec![next, self.fails(Event::ApprovalSendFailed), self.pause(true)]
    }

    fn decision(&self) -> Vec<Choice> {
        if let Some(people) = self.people() {
            return vec![people];
        }
        let facts = Facts { ticket: self.remote.ticket, ..self.facts };
        // Without this guard a callback is believed as it came.
        let told = self.knew.approval && !self.model.has(Guard::CallbackIsHint);
        match self.remote.ticket {
            Ticket::Granted => vec![self.moves(Event::ApprovalGranted, facts)],
            _ if told => vec![self.moves(Event::ApprovalGranted, facts)],
            Ticket::Denied => vec![self.moves(Event::ApprovalDenied, facts)],
            Ticket::Withdrawn => vec![self.moves(Event::ApprovalWithdrawn, facts)],
            Ticket::Open | Ticket::None => vec![(Who::Engine, Act::Pause(true), facts)],
        }
    }

    /// What people did to our merge request comes before anything else.
    fn people(&self) -> Option<Choice> {
        let lists = |event| table::lists(self.from, event);
        match self.remote.mr(self.facts.mr) {
            Mr::Merged => Some(self.moves(Event::RemoteMerged, self.facts)),
            Mr::Closed if lists(Event::RemoteClosed) => Some(self.moves(Event::RemoteClosed, self.facts)),
            Mr::Open if self.head_moved() && lists(Event::HeadMoved) => Some(self.moves(Event::HeadMoved, self.facts)),
            Mr::Open if self.head_moved() => Some(self.pause(true)),
            Mr::None | Mr::Closed if self.facts.mr > 0 => Some(self.pause(true)),
            _ => None,
        }
    }

    fn head_moved(&self) -> bool {
        self.facts.head.is_some() && self.facts.head != self.remote.branch
    }

    fn create(&self) -> Vec<Choice> {
        let trouble = [self.fails(Event::CreateFailed), self.pause(true)];
        let foreign = self.remote.branch == Some(Head::Foreign);
        let counts = |number: &u8| match self.remote.mr(*number) {
            Mr::None => false,
            Mr::Closed => *number != 1 || !self.facts.given_up,
            Mr::Open | Mr::Merged => true,
        };
        // What people ended comes before one that is open.
        let rank = |number: &u8| match self.remote.mr(*number) {
            Mr::Merged => 0,
            Mr::Closed => 1,
            Mr::Open | Mr::None => 2,
        };
        let found = [2, 1].into_iter().filter(counts).min_by_key(rank);
        if let Some(number) = found.filter(|_| self.reads_first()) {
            let facts = Facts { mr: number, head: self.remote.branch, ..self.facts };
            let next = match self.remote.mr(number) {
                Mr::Merged => self.moves(Event::RemoteMerged, facts),
                Mr::Closed => self.moves(Event::RemoteClosed, facts),
                _ if foreign => self.moves(Event::CreateConflict, self.facts),
                // One that is open again is given up no longer.
                _ => self.moves(Event::MrOpened, Facts { given_up: facts.given_up && number != 1, ..facts }),
            };
            return [next].into_iter().chain(trouble).collect();
        }
        let next = match self.remote.branch {
            Some(Head::Foreign) => vec![self.moves(Event::CreateConflict, self.facts)],
            Some(_) => vec![self.writes(Call::OpenMr)],
            None => vec![self.writes(Call::Branch), self.fails(Event::CreateConflict)],
        };
        next.into_iter().chain(trouble).collect()
    }

    fn checks(&self) -> Vec<Choice> {
        if let Some(people) = self.people() {
            return vec![people];
        }
        let Some(head) = self.remote.branch else { return vec![self.pause(true)] };
        match self.remote.pipe(head) {
            Pipe::Passed => {
                vec![self.moves(Event::PipelinePassed, Facts { checked: Some(head), ..self.facts })]
            }
            Pipe::Failed => vec![self.moves(Event::PipelineFailed, self.facts)],
            _ => vec![self.pause(true), self.fails(Event::WaitExhausted)],
        }
    }

    fn approve(&self) -> Vec<Choice> {
        if let Some(people) = self.people() {
            return vec![people];
        }
        let Some(head) = self.remote.branch else { return vec![self.fails(Event::ApproveFailed)] };
        let mut facts = self.facts;
        if facts.checked != Some(head) {
            match self.remote.pipe(head) {
                Pipe::Passed => facts.checked = Some(head),
                Pipe::Failed => return vec![self.moves(Event::ApproveFailed, facts)],
                _ => return vec![self.pause(true), self.fails(Event::ApproveFailed)],
            }
        }
        let seen = if self.reads_first() { self.remote.approvals } else { 0 };
        let Some(who) = [1, 2].into_iter().find(|who| seen & who == 0) else {
            return vec![self.moves(Event::Approved, facts)];
        };
        if facts.lost > 1 {
            return vec![self.moves(Event::ApproveFailed, facts)];
        }
        let write = (Who::Engine, Act::Write(Call::Approve(who, head)), facts);
        vec![write, self.fails(Event::ApproveFailed), (Who::Engine, Act::Pause(true), facts)]
    }

    fn merge(&self) -> Vec<Choice> {
        if let Some(people) = self.people() {
            return self.merged_by_whom(people);
        }
        let Some(head) = self.remote.branch else { return vec![self.fails(Event::MergeFailed)] };
        let trouble = [self.fails(Event::MergeFailed), self.fails(Event::WaitExhausted), self.pause(true)];
        let next = if self.remote.behind {
            let facts = Facts { rebased: true, ..self.facts };
            let next = if self.facts.rebased { Event::MergeFailed } else { Event::NeedsRebase };
            vec![self.moves(next, facts), self.fails(Event::RebaseConflict)]
        } else if self.remote.approvals != ALL && self.model.has(Guard::ApprovalsRead) {
            let facts = Facts { lost: (self.facts.lost + 1).min(2), ..self.facts };
            vec![self.moves(Event::ApprovalLost, facts)]
        } else {
            vec![self.writes(Call::Merge(self.facts.mr, head))]
        };
        next.into_iter().chain(trouble).collect()
    }

    /// The journal tells a merge of ours from one of somebody's; both lead to the same step.
    fn merged_by_whom(&self, people: Choice) -> Vec<Choice> {
        let ours = self.moves(Event::Merged, self.facts);
        if people.1 == Act::Move(Event::RemoteMerged) { vec![people, ours] } else { vec![people] }
    }

    fn rebase(&self, may_write: bool) -> Vec<Choice> {
        let trouble = [self.fails(Event::WaitExhausted), self.fails(Event::RebaseConflict), self.pause(true)];
        let next = match self.remote.mr(self.facts.mr) {
            Mr::Merged => self.moves(Event::RemoteMerged, self.facts),
            Mr::Closed => self.moves(Event::RemoteClosed, self.facts),
            Mr::None => self.pause(true),
            Mr::Open if self.remote.branch == Some(Head::Foreign) => self.moves(Event::HeadMoved, self.facts),
            Mr::Open if self.head_moved() || (self.asked && !self.remote.behind) => {
                self.moves(Event::Rebased, Facts { head: self.remote.branch, ..self.facts })
            }
            Mr::Open if may_write => self.writes(Call::Rebase(self.facts.mr)),
            Mr::Open => self.pause(true),
        };
        // Asked before, it waits for a few looks before it asks again.
        [next].into_iter().chain(trouble).collect()
    }

    fn deployed(&self) -> Vec<Choice> {
        let mut next = Vec::new();
        if self.knew.effective {
            next.push(self.moves(Event::Deployed, self.facts));
        }
        if self.knew.failed && self.from == Step::HandleMerged {
            next.push(self.moves(Event::DeployFailed, self.facts));
        }
        if next.is_empty() {
            next.push(self.pause(false));
        }
        next
    }

    fn close(&self) -> Vec<Choice> {
        let trouble = [self.fails(Event::CloseFailed), self.pause(true)];
        let ours = |number: &u8| match self.remote.mr(*number) {
            Mr::None => false,
            Mr::Closed => *number != 1 || !self.facts.given_up,
            Mr::Open | Mr::Merged => true,
        };
        let number = if self.facts.mr > 0 { Some(self.facts.mr) } else { [2, 1].into_iter().find(ours) };
        let facts = Facts { mr: number.unwrap_or(0), ..self.facts };
        let next = match number.map_or(Mr::None, |number| self.remote.mr(number)) {
            Mr::Merged => self.moves(Event::RemoteMerged, facts),
            Mr::Open => (Who::Engine, Act::Write(Call::CloseMr(facts.mr)), facts),
            _ if self.remote.ticket == Ticket::Open => (Who::Engine, Act::Write(Call::Cancel), facts),
            _ => self.moves(Event::Closed, facts),
        };
        [next].into_iter().chain(trouble).collect()
    }

    /// A look on demand: it writes nothing, and says only what the table lists.
    fn reconcile(&self, step: Step) -> Vec<Choice> {
        let found = match step {
            Step::ApprovalSending | Step::ApprovalWaiting => self.decision(),
            Step::HandleRebasing | Step::HandleRebasePending => self.rebase(false),
            Step::HandleMerged | Step::DeployFailed if self.mark => vec![self.moves(Event::Reconciled, self.facts)],
            Step::HandleMerged | Step::DeployFailed => self.deployed(),
            Step::CreatePipelineRunning
            | Step::CreatePipelinePending
            | Step::HandlePipelineRunning
            | Step::HandlePipelinePending => self.checks(),
            Step::HandleMergePending => match self.people() {
                Some(people) => self.merged_by_whom(people),
                None => vec![self.pause(false), self.fails(Event::MergeFailed)],
            },
            _ => vec![self.people().unwrap_or_else(|| self.pause(false))],
        };
        let listed = |(who, act, facts): Choice| match act {
            Act::Move(event) if event == Event::WaitExhausted || !table::lists(step, event) => {
                (who, Act::Pause(false), facts)
            }
            _ => (who, act, facts),
        };
        found.into_iter().map(listed).collect()
    }
}
