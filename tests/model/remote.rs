//! The remotes: what a call does when it arrives, and what happens there without us.
//!
//! Only what the desk and GitLab promise is taken for granted: one ticket for each request id, one branch of a name, one open
//! merge request of a branch, no second approval by one reviewer, and that a pinned head is the head.

use signalbox_engine::{flow::Step, settings::FlowOrder};

use crate::{
    rules::{Cast, Guard, Model},
    state::{Call, Deploy, Head, Mr, Pipe, Remote, State, Ticket},
};

/// Both reviewers.
pub const ALL: u8 = 3;

impl Model {
    /// A call arrives.
    pub fn arrive(&self, state: &mut State, call: Call) {
        let remote = &mut state.remote;
        let pinned = |head: Head| !self.has(Guard::PinnedHead) || remote.branch == Some(head);
        match call {
            Call::Ticket if remote.ticket == Ticket::None => remote.ticket = Ticket::Open,
            Call::Ticket if !self.has(Guard::OwnKeys) => state.breaks("a second ticket"),
            Call::Branch if remote.branch.is_none() => remote.branch = Some(Head::Ours),
            Call::Branch if !self.has(Guard::OwnKeys) => state.breaks("a second branch"),
            Call::OpenMr if remote.open().is_none() => {
                // Two are enough to see what a merge request too many leads to.
                let Some(place) = remote.mrs.iter().position(|mr| *mr == Mr::None) else { return };
                remote.mrs[place] = Mr::Open;
                remote.approvals = 0;
                if let Some(head) = remote.branch {
                    remote.begin_pipe(head);
                }
            }
            Call::Approve(who, head) if remote.open().is_some() && pinned(head) => {
                if remote.approvals & who != 0 {
                    if !self.has(Guard::RepeatsRefused) {
                        state.breaks("an approval given twice");
                    }
                    return;
                }
                if remote.branch.is_none_or(|head| remote.pipe(head) != Pipe::Passed) {
                    state.breaks("an approval of what was not checked");
                    return;
                }
                remote.approvals |= who;
            }
            Call::Rebase(number) if remote.mr(number) == Mr::Open && remote.behind => {
                remote.behind = false;
                remote.approvals = 0;
                if remote.branch == Some(Head::Ours) {
                    remote.branch = Some(Head::Rebased);
                    remote.begin_pipe(Head::Rebased);
                }
            }
            Call::Merge(number, head) if remote.mr(number) == Mr::Open && !remote.behind && pinned(head) => {
                let checked = remote.branch.is_some_and(|head| remote.pipe(head) == Pipe::Passed);
                let approved = remote.approvals == ALL || remote.taken;
                let wrong = [
                    (remote.is_merged(), "a second merge"),
                    (!checked, "a merge of what was not checked"),
                    (!approved, "a merge of what was not approved"),
                ];
                remote.mrs[usize::from(number) - 1] = Mr::Merged;
                wrong.iter().filter(|(is_wrong, _)| *is_wrong).for_each(|(_, rule)| state.breaks(rule));
            }
            Call::CloseMr(number) if remote.mr(number) == Mr::Open => {
                remote.mrs[usize::from(number) - 1] = Mr::Closed;
            }
            Call::Cancel if remote.ticket == Ticket::Open => remote.ticket = Ticket::Withdrawn,
            _ => {}
        }
    }

    /// What an intent must not be about, by what is true at this moment.
    pub fn intend(&self, state: &mut State, call: Call) {
        if state.step.is_terminal() {
            state.breaks("a write was begun after the end");
        }
        let granted = state.remote.ticket == Ticket::Granted;
        let needs_people = match call {
            Call::Branch | Call::OpenMr => self.order == FlowOrder::ApprovalFirst,
            Call::Approve(..) | Call::Merge(..) => true,
            _ => false,
        };
        if needs_people && !granted {
            state.breaks("a write that nobody had agreed to");
        }
    }
}

impl Remote {
    fn begin_pipe(&mut self, head: Head) {
        let place = match head {
            Head::Ours => 0,
            Head::Rebased => 1,
            Head::Foreign => return,
        };
        if self.pipes[place] == Pipe::None {
            self.pipes[place] = Pipe::Running;
        }
    }

    /// What GitLab and the deploy pipeline do by themselves.
    pub fn by_itself(&self, cast: Cast) -> Vec<(&'static str, Self)> {
        let mut next = Vec::new();
        for place in 0..2 {
            let mut ends = |pipe, text| {
                let mut pipes = self.pipes;
                pipes[place] = pipe;
                next.push((text, Self { pipes, ..*self }));
            };
            match self.pipes[place] {
                Pipe::Running => {
                    ends(Pipe::Passed, "the pipeline passes");
                    ends(Pipe::Failed, "the pipeline fails");
                }
                Pipe::Failed if cast == Cast::People => ends(Pipe::Running, "the pipeline is run again"),
                Pipe::None | Pipe::Passed | Pipe::Failed => {}
            }
        }
        if cast == Cast::Workers {
            return next;
        }
        if self.is_merged() && self.deploy != Deploy::Effective {
            next.push(("it is deployed", Self { deploy: Deploy::Effective, ..*self }));
        }
        if self.is_merged() && self.deploy == Deploy::None {
            next.push(("the deploy fails", Self { deploy: Deploy::Failed, ..*self }));
        }
        next
    }

    /// What people do there.
    pub fn by_people(&self, cast: Cast) -> Vec<(&'static str, Self)> {
        let mut next = Vec::new();
        if self.ticket == Ticket::Open {
            for (text, ticket) in [
                ("the people agree", Ticket::Granted),
                ("the people refuse", Ticket::Denied),
                ("the ticket is withdrawn", Ticket::Withdrawn),
            ] {
                next.push((text, Self { ticket, ..*self }));
            }
        }
        let Some(open) = self.open() else { return next };
        let with = |mr| {
            let mut mrs = self.mrs;
            mrs[usize::from(open) - 1] = mr;
            mrs
        };
        next.push(("somebody merges it", Self { mrs: with(Mr::Merged), ..*self }));
        next.push(("somebody closes it", Self { mrs: with(Mr::Closed), ..*self }));
        if cast == Cast::People {
            if self.approvals & 1 != 0 {
                next.push(("an approval is taken back", Self { approvals: self.approvals & 2, taken: true, ..*self }));
            }
            return next;
        }
        if self.branch != Some(Head::Foreign) {
            next.push(("somebody pushes", Self { branch: Some(Head::Foreign), approvals: 0, ..*self }));
        }
        if self.branch == Some(Head::Ours) && !self.behind {
            next.push(("the target moves", Self { behind: true, ..*self }));
        }
        next
    }
}

/// True where nothing of ours is left open outside.
pub fn is_clean(state: &State) -> bool {
    let ticket_open = state.step == Step::CloseSucceeded && state.remote.ticket == Ticket::Open;
    state.remote.open().is_none() && !ticket_open && state.adrift.is_none()
}
