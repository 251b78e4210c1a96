//! Everybody but the run loop: operators, people, callbacks, the sweep, a kill.

use signalbox_engine::flow::{Event, Outlook, Status, Step};

use crate::{
    rules::{Cast, Guard, HEARS, Model},
    search::{About, Edge, What, Who},
    state::{Act, Button, Callback, Deploy, Mr, Parked, Phase, Reader, State, Ticket, Wish},
    worker::edge,
};

impl Model {
    /// Every step from here.
    pub fn steps(&self, state: &State) -> Vec<Edge> {
        let mut edges = self.work(state);
        self.kill(state, &mut edges);
        for (what, remote) in state.remote.by_itself(self.cast) {
            edges.push(edge(Who::Gitlab, What(what, About::Nothing), State { remote, ..*state }));
        }
        for (what, remote) in state.remote.by_people(self.cast) {
            edges.push(edge(Who::People, What(what, About::Nothing), State { remote, ..*state }));
        }
        if self.cast == Cast::People {
            self.callbacks(state, &mut edges);
            reopen(state, &mut edges);
        }
        self.readers(state, &mut edges);
        edges.iter_mut().for_each(|edge| self.tidy(&mut edge.to));
        edges
    }

    /// States that differ in nothing that can ever matter are one: who is too late is sent away at once, two workers and two people
    /// have no order, and a worker keeps nothing that it will not ask for again.
    fn tidy(&self, state: &mut State) {
        let is_fenced = self.is_fenced();
        let nothing = State::beginning(Step::CreateStarted, 0).facts;
        for worker in state.workers.iter_mut().flatten() {
            if !matches!(worker.phase, Phase::Decided(Act::Pause(_))) {
                (worker.wish, worker.knew) = (Wish::None, Parked::NOTHING);
            }
            if worker.stale && is_fenced {
                (worker.from, worker.facts) = (Step::CreateStarted, nothing);
            }
        }
        let holder_is_second = state.lease == Some(1);
        if holder_is_second || (state.lease.is_none() && state.workers[0].is_none()) {
            state.workers.swap(0, 1);
            state.lease = state.lease.map(|place| 1 - place);
        }
        for reader in &mut state.readers {
            let is_checked = match reader.and_then(|reader| reader.button) {
                Some(_) => self.has(Guard::PressVersion),
                None => self.has(Guard::MoveVersion),
            };
            *reader = reader.filter(|reader| !(reader.stale && is_checked));
        }
        state.readers.sort();
    }

    /// Nothing of the process is left but what is stored; a call that is out may still arrive.
    fn kill(&self, state: &State, edges: &mut Vec<Edge>) {
        let nobody = state.workers.iter().all(Option::is_none) && state.callback.is_none();
        if state.losses == 0 || (nobody && state.readers.iter().all(Option::is_none)) {
            return;
        }
        let mut to =
            State { losses: state.losses - 1, workers: [None; 2], readers: [None; 2], callback: None, ..*state };
        if self.has(Guard::LeaseEnds) {
            to.lease = None;
        }
        let out = state.workers.iter().flatten().filter_map(|worker| match worker.phase {
            Phase::Out(call, has_arrived) => Some((call, has_arrived)),
            _ => None,
        });
        for (call, has_arrived) in out {
            use crate::state::Call::{OpenMr, Ticket};
            to.doubt |= matches!(call, Ticket | OpenMr);
            if !has_arrived {
                to.adrift = to.adrift.or(Some(call));
            }
        }
        edges.push(edge(Who::Trouble, What("the process is killed", About::Nothing), to));
    }

    fn callbacks(&self, state: &State, edges: &mut Vec<Edge>) {
        if let Some(callback) = state.callback {
            let mut to = State { callback: None, ..*state };
            if !self.has(Guard::JudgedWhenStored) || is_awaited(state, callback) {
                match callback {
                    Callback::Approval => to.parked.approval = true,
                    Callback::Effective => to.parked.effective = true,
                    Callback::Failed => to.parked.failed = true,
                }
                let hears = HEARS.contains(&state.step) || state.step == Step::ApprovalSending;
                to.due |= hears && self.has(Guard::ParkedWakes);
            }
            to.mark |= callback == Callback::Effective;
            edges.push(edge(Who::Sender, What("a callback is stored:", About::Callback(callback)), to));
            return;
        }
        let deploy = state.remote.deploy;
        let sent = [
            (Callback::Approval, state.remote.ticket != Ticket::None),
            (Callback::Effective, deploy == Deploy::Effective),
            (Callback::Failed, deploy != Deploy::None),
        ];
        for (callback, _) in sent.into_iter().filter(|(callback, told)| *told && is_awaited(state, *callback)) {
            let to = State { callback: Some(callback), ..*state };
            edges.push(edge(Who::Sender, What("a callback comes:", About::Callback(callback)), to));
        }
        if deploy == Deploy::Effective && !state.mark {
            let to = State { mark: true, ..*state };
            edges.push(edge(Who::Sender, What("a later merge request is called back", About::Nothing), to));
        }
    }

    /// Those who read the row to change it, and what becomes of that.
    fn readers(&self, state: &State, edges: &mut Vec<Edge>) {
        for place in 0..2 {
            match state.readers[place] {
                Some(reader) => edges.push(self.commit_of(state, place, reader)),
                // Places are sorted, so that one person is always in the second.
                None if place == 1 || state.readers[1].is_some() => self.comes(state, place, edges),
                None => {}
            }
        }
    }

    fn comes(&self, state: &State, place: usize, edges: &mut Vec<Edge>) {
        let reader = |button| Reader { button, from: state.step, facts: state.facts, stale: false };
        let mut comes = |reader: Reader, who, what| {
            let mut to = *state;
            to.readers[place] = Some(reader);
            let next =
                if self.cast == Cast::Workers { self.commit_of(&to, place, reader) } else { edge(who, what, to) };
            edges.push(next);
        };
        for button in [Button::Resume, Button::RetryApproval, Button::Close, Button::Reconcile] {
            // A second merge request may be given up too; two are enough to see what that leads to.
            let enough = state.step == Step::HandleMrClosed && button == Button::Resume && state.facts.given_up;
            let is_legal = match event_of(button) {
                Some(event) => {
                    let next = self.next(state.step, event, state.facts.mr > 0);
                    next.is_some_and(|step| step != state.step || self.cast == Cast::People)
                }
                // Among workers only where nobody but a look on demand would notice anything.
                None if self.cast == Cast::Workers => {
                    let outlook = state.step.outlook();
                    matches!(outlook, Outlook::Failed | Outlook::Unknown) || state.step == Step::CreateSucceeded
                }
                None => !state.step.is_terminal(),
            };
            if is_legal && !enough {
                comes(reader(Some(button)), Who::Operator, What("somebody reaches for", About::Button(button)));
            }
        }
        if state.mark && matches!(state.step, Step::HandleMerged | Step::DeployFailed) {
            comes(reader(None), Who::Sender, What("the sweep reads the row", About::Nothing));
        }
    }

    fn commit_of(&self, state: &State, place: usize, reader: Reader) -> Edge {
        let mut to = *state;
        to.readers[place] = None;
        let Some(button) = reader.button else {
            self.commit(&mut to, reader.from, reader.facts, Event::Reconciled);
            return Edge {
                event: Some(Event::Reconciled),
                ..edge(Who::Sender, What("the sweep finds it effective", About::Nothing), to)
            };
        };
        let event = event_of(button);
        let next = event.and_then(|event| self.next(reader.from, event, reader.facts.mr > 0));
        let what = What("somebody presses", About::Button(button));
        match (event, next) {
            (Some(event), Some(step)) if step != reader.from => {
                self.set_going(&mut to, reader, step);
                Edge { event: Some(event), ..edge(Who::Operator, what, to) }
            }
            _ => {
                to.facts = reader.facts;
                to.due = true;
                to.wish = if button == Button::Reconcile { Wish::Reconcile } else { Wish::Read };
                Edge { event, ..edge(Who::Operator, what, to) }
            }
        }
    }

    /// The transition of a press, as `recovery::set_going` makes it.
    fn set_going(&self, state: &mut State, reader: Reader, step: Step) {
        if state.step.is_terminal() {
            state.breaks("an end was left");
        }
        let mut facts = reader.facts;
        (facts.lost, facts.rebased) = (0, false);
        if reader.from == Step::HandleMrClosed && reader.button == Some(Button::Resume) {
            (facts.given_up, facts.mr, facts.head) = (true, 0, None);
        }
        (state.step, state.facts, state.wish, state.asked) = (step, facts, Wish::None, false);
        self.move_on(state);
    }
}

fn event_of(button: Button) -> Option<Event> {
    match button {
        Button::Resume => Some(Event::Resume),
        Button::RetryApproval => Some(Event::RetryApproval),
        Button::Close => Some(Event::Close),
        Button::Reconcile => None,
    }
}

/// Somebody opens again what was closed, while we know that it is. GitLab refuses that beside another open one of the branch. What
/// a person opens after we have closed or given it up is that person's.
fn reopen(state: &State, edges: &mut Vec<Edge>) {
    let number = state.facts.mr;
    let is_closed = state.step == Step::HandleMrClosed && state.remote.mr(number) == Mr::Closed;
    if is_closed && state.remote.open().is_none() {
        let mut to = *state;
        to.remote.mrs[usize::from(number) - 1] = Mr::Open;
        edges.push(edge(Who::People, What("somebody opens it again", About::Nothing), to));
    }
}

/// The second guard of section 5: is this event waited for now?
fn is_awaited(state: &State, callback: Callback) -> bool {
    let known = match callback {
        Callback::Approval => state.parked.approval,
        Callback::Effective => state.parked.effective,
        Callback::Failed => state.parked.failed,
    };
    // Another one of what waits already changes nothing.
    !known
        && match callback {
            Callback::Approval => state.step.status().is_some_and(|status| Status::AWAITING_APPROVAL.contains(&status)),
            Callback::Effective | Callback::Failed => !state.step.is_terminal(),
        }
}
