//! The run loop on one request: lease, read, intent, call, answer, commit; each a step that others may come between.

use signalbox_engine::flow::{Event, Outlook, Status, Step};

use crate::{
    remote::{ALL, is_clean},
    rules::{Cast, Guard, HEARS, Model, is_there},
    search::{About, Edge, What, Who},
    stage::Look,
    state::{Act, Call, Facts, Mr, Parked, Phase, State, Ticket, Wish, Worker},
};

/// After what a worker reads: who made it so, in words, and about which call.
type After = (Who, &'static str, Option<Call>);

impl Model {
    /// Everything that workers, their calls and what follows a move can do next.
    pub fn work(&self, state: &State) -> Vec<Edge> {
        let mut edges = Vec::new();
        self.take(state, &mut edges);
        for place in 0..2 {
            let Some(worker) = state.workers[usize::from(place)] else { continue };
            match worker.phase {
                Phase::Decided(act) => edges.push(self.act(state, place, worker, act)),
                Phase::Out(call, has_arrived) => self.travel(state, place, worker, call, has_arrived, &mut edges),
            }
            let may_end = self.cast == Cast::Workers && self.has(Guard::LeaseEnds);
            if state.lease == Some(place) && state.losses > 0 && may_end {
                let to = State { lease: None, losses: state.losses - 1, ..*state };
                edges.push(edge(Who::Trouble, What("the lease runs out", About::Nothing), to));
            }
        }
        self.follow(state, &mut edges);
        edges
    }

    fn take(&self, state: &State, edges: &mut Vec<Edge>) {
        let free = state.workers.iter().position(Option::is_none);
        let Some(place) = free.filter(|_| state.due && state.lease.is_none()) else { return };
        let worker = Worker {
            phase: Phase::Decided(Act::Pause(true)),
            from: state.step,
            facts: state.facts,
            wish: state.wish,
            knew: state.parked,
            stale: false,
        };
        let place = u8::try_from(place).unwrap();
        self.read(&State { lease: Some(place), ..*state }, place, worker, (Who::Engine, "is given it", None), edges);
    }

    /// The stage reads the remotes; whatever it may say is a step of its own. A pause that looks again by itself is left at once.
    fn read(&self, state: &State, place: u8, worker: Worker, (by, after, call): After, edges: &mut Vec<Edge>) {
        let look = Look {
            model: self,
            from: worker.from,
            facts: worker.facts,
            knew: worker.knew,
            remote: &state.remote,
            asked: state.asked,
            mark: state.mark,
        };
        for (who, act, facts) in look.choices(worker.wish) {
            let mut to = *state;
            if let Act::Write(call) = act
                && is_there(state, facts, call)
            {
                to.breaks("a write of what is there already");
            }
            if matches!(act, Act::Write(Call::Merge(..))) && state.remote.approvals != ALL {
                to.breaks("a merge was wanted without both approvals");
            }
            let worker = Worker { phase: Phase::Decided(act), facts, ..worker };
            to.workers[usize::from(place)] = Some(worker);
            if act == Act::Pause(true) {
                to = self.act(&to, place, worker, act).to;
            }
            let who = if by == Who::Trouble { by } else { who };
            edges.push(edge(who, What("a worker", About::Decision(after, call, act)), to));
        }
    }

    fn act(&self, state: &State, place: u8, worker: Worker, act: Act) -> Edge {
        let mut to = *state;
        let holds = state.lease == Some(place);
        match act {
            Act::Write(call) => {
                let may = !worker.stale && holds;
                if may || !self.has(Guard::IntentFence) {
                    self.intend(&mut to, call);
                    to.asked |= matches!(call, Call::Rebase(_));
                    to.workers[usize::from(place)] = Some(Worker { phase: Phase::Out(call, false), ..worker });
                    return edge(Who::Engine, What("a worker notes and sends", About::Call(call)), to);
                }
                leave(&mut to, place);
                edge(Who::Engine, What("a worker is refused the intent", About::Nothing), to)
            }
            Act::Pause(again) => {
                leave(&mut to, place);
                let is_note = worker.wish == Wish::Reconcile;
                if !worker.stale && (holds || is_note) {
                    to.facts = worker.facts;
                    let stays = !is_note && state.wish != worker.wish;
                    to.due = again || (is_note && self.note_is_due(&to)) || stays || self.has_news(state, worker);
                    to.wish = if stays { state.wish } else { Wish::None };
                    if is_note {
                        to.lease = None;
                    }
                }
                edge(Who::Engine, What("a worker leaves it", About::Nothing), to)
            }
            Act::Move(event) => {
                leave(&mut to, place);
                if worker.stale && self.has(Guard::MoveVersion) {
                    return edge(Who::Engine, What("a worker is too late with", About::Event(event)), to);
                }
                to.lease = None;
                self.commit(&mut to, worker.from, worker.facts, event);
                Edge { event: Some(event), ..edge(Who::Engine, What("a worker commits", About::Event(event)), to) }
            }
        }
    }

    fn has_news(&self, state: &State, worker: Worker) -> bool {
        self.has(Guard::ParkedWakes) && state.parked.is_news_to(worker.knew)
    }

    /// After a look on demand: what waits goes on as it was, and a parked event is looked at where the step hears of it.
    fn note_is_due(&self, state: &State) -> bool {
        self.is_due(state) || (HEARS.contains(&state.step) && state.parked.any())
    }

    /// Writes a move: the table decides where it leads, and the version moves on.
    pub fn commit(&self, state: &mut State, from: Step, facts: Facts, event: Event) {
        let Some(step) = self.next(from, event, facts.mr > 0) else {
            state.breaks("a stage asked for a move that the table does not list");
            return;
        };
        if state.step.is_terminal() {
            state.breaks("an end was left");
        }
        let rejected = matches!(event, Event::ApprovalDenied | Event::ApprovalWithdrawn) && facts.mr > 0;
        let opening = |worker: &Worker| matches!(worker.phase, Phase::Out(Call::Ticket | Call::OpenMr, _));
        let unknown = state.opened > u8::from(facts.mr > 0) + u8::from(facts.given_up)
            || (state.sent && facts.ticket == Ticket::None);
        let open_calls = state.doubt || unknown || state.workers.iter().flatten().any(opening);
        if !from.is_merged() && (step.is_merged() || step.is_terminal()) && open_calls && self.has(Guard::LateSweep) {
            state.follow[0] = true;
        }
        state.follow[1] |= rejected;
        state.asked &= event == Event::WaitExhausted;
        (state.step, state.facts, state.wish) = (step, facts, Wish::None);
        self.move_on(state);
    }

    /// What every new version brings: the first look, verdicts on what waits, and everybody who read the old one is late.
    pub fn move_on(&self, state: &mut State) {
        if state.step.outlook() == Outlook::Done {
            state.parked = Parked::NOTHING;
        }
        if !state.step.status().is_none_or(|status| Status::AWAITING_APPROVAL.contains(&status)) {
            state.parked.approval = false;
        }
        let wakes = HEARS.contains(&state.step) && state.parked.any() && self.has(Guard::ParkedWakes);
        state.due = self.is_due(state) || wakes;
        for place in 0..2 {
            if let Some(worker) = &mut state.workers[usize::from(place)] {
                worker.stale = true;
                let is_fenced = self.is_fenced();
                // Nothing that this worker wants to write will be taken: it may as well stop now.
                if is_fenced && !matches!(worker.phase, Phase::Out(..)) {
                    leave(state, place);
                }
            }
            if let Some(reader) = &mut state.readers[usize::from(place)] {
                reader.stale = true;
            }
        }
    }

    /// A call on its way: it arrives, its answer comes or is lost.
    fn travel(&self, state: &State, place: u8, worker: Worker, call: Call, has_arrived: bool, edges: &mut Vec<Edge>) {
        let mut back = |to: State, who, after| {
            if worker.stale && self.is_fenced() {
                let mut to = to;
                leave(&mut to, place);
                edges.push(edge(who, What(after, About::Call(call)), to));
            } else {
                self.read(&to, place, worker, (who, after, Some(call)), edges);
            }
        };
        if has_arrived {
            let mut to = *state;
            match call {
                Call::OpenMr => to.opened = (to.opened + 1).min(2),
                Call::Ticket => to.sent = true,
                _ => {}
            }
            back(to, Who::Wire, "hears the answer to");
        }
        if state.losses > 0 {
            let doubt = state.doubt || matches!(call, Call::Ticket | Call::OpenMr);
            let to = State { doubt, losses: state.losses - 1, ..*state };
            back(to, Who::Trouble, "gets no answer to");
            if !has_arrived && state.adrift.is_none() {
                let to = State { adrift: Some(call), ..to };
                back(to, Who::Trouble, "gives up, though it is still under way,");
            }
        }
        if !has_arrived {
            let mut to = *state;
            to.workers[usize::from(place)] = Some(Worker { phase: Phase::Out(call, true), ..worker });
            self.arrive(&mut to, call);
            edges.push(edge(Who::Wire, What("at the remote arrives", About::Call(call)), to));
        }
    }

    /// Calls whose sender is gone, and the work that follows an end.
    fn follow(&self, state: &State, edges: &mut Vec<Edge>) {
        if let Some(call) = state.adrift {
            let mut to = State { adrift: None, ..*state };
            edges.push(edge(Who::Trouble, What("nobody ever sees", About::Call(call)), to));
            self.arrive(&mut to, call);
            edges.push(edge(Who::Trouble, What("late arrives", About::Call(call)), to));
        }
        let ended = state.step.is_terminal() || state.step.is_merged();
        if state.follow[0] && ended && !is_clean(state) {
            let mut to = *state;
            let others = state.remote.open().filter(|number| *number != state.facts.mr);
            others.into_iter().for_each(|number| self.arrive(&mut to, Call::CloseMr(number)));
            if state.step == Step::CloseSucceeded {
                self.arrive(&mut to, Call::Cancel);
            }
            edges.push(edge(Who::Engine, What("what came late is ended", About::Nothing), to));
        }
        if state.follow[1] && state.remote.mr(state.facts.mr) == Mr::Open {
            let mut to = *state;
            self.arrive(&mut to, Call::CloseMr(state.facts.mr));
            edges.push(edge(
                Who::Engine,
                What("the merge request of the rejected request is closed", About::Nothing),
                to,
            ));
        }
    }
}

/// A worker goes, and gives back what it holds.
fn leave(state: &mut State, place: u8) {
    state.workers[usize::from(place)] = None;
    if state.lease == Some(place) {
        state.lease = None;
    }
}

pub fn edge(who: Who, what: What, to: State) -> Edge {
    Edge { who, what, event: None, to }
}
