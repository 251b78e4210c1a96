//! The model: which order, which guards, and what must hold in every state.

use std::collections::BTreeMap;

use signalbox_engine::{
    flow::{Event, Outlook, Step, table},
    run::commit::first_look,
    settings::{FlowOrder, Settings},
    store::operation::{Facts as StoredFacts, MrFacts, TicketFacts},
};

use crate::{
    remote::is_clean,
    state::{Call, Deploy, Facts, Mr, State, Ticket},
};

/// What keeps the rules, each of which can be taken away to see that the model notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// An intent is refused where version or lease are not the worker's any more.
    IntentFence,
    /// A move is refused where the version is not the one that was read.
    MoveVersion,
    /// A press names the version that was seen.
    PressVersion,
    /// Stages look for an effect before they write.
    ReadFirst,
    /// Both approvals are read before the merge.
    ApprovalsRead,
    /// Approve and merge carry the sha.
    PinnedHead,
    /// Ticket and branch carry the operation id.
    OwnKeys,
    /// GitLab refuses a second approval by one reviewer.
    RepeatsRefused,
    /// The desk decides, a callback only tells that it did.
    CallbackIsHint,
    /// A stored event brings the next look forward.
    ParkedWakes,
    /// An event is judged again when it is stored.
    JudgedWhenStored,
    /// A kill or a sleep gives the lease free.
    LeaseEnds,
    /// What comes after the end is looked for.
    LateSweep,
}

/// Whose work is taken apart into reading and writing. All at once would be too many states, and two at a time meet in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    /// Two workers, one of which has lost its lease, a kill, calls adrift, and people who push and move the target. A press is one step.
    Workers,
    /// One worker, two people or a person and the sweep, a callback that is judged and not stored yet, and the deploys.
    People,
}

/// Steps in which a parked event brings the next look forward, as in `store/moves.rs`.
pub const HEARS: [Step; 3] = [Step::ApprovalWaiting, Step::HandleMerged, Step::DeployFailed];

/// What has no default.
const SETTINGS: &str = "
[gitlab]
url = \"http://gitlab.test\"
bot_token = \"bot\"
reviewer_tokens = [\"a\", \"b\"]
[approval]
url = \"http://desk.test\"
token = \"desk\"
callback_secret = \"whsec_YXBwcm92YWxz\"
[deploy]
callback_secret = \"whsec_ZGVwbG95cw==\"
";

/// One flow order with all guards, or all but one.
pub struct Model {
    pub order: FlowOrder,
    pub cast: Cast,
    off: Option<Guard>,
    /// The engine's table, asked once for every step, event and whether there is a merge request.
    table: BTreeMap<(u16, &'static str, bool), Option<Step>>,
    /// The engine's first look, asked once for every step, whether its ticket is undecided, and whether there is a merge request.
    looks: BTreeMap<(u16, bool, bool), bool>,
}

impl Model {
    pub fn new(order: FlowOrder, cast: Cast, off: Option<Guard>) -> Self {
        let mut table = BTreeMap::new();
        let mut looks = BTreeMap::new();
        let settings = Settings::parse("signalbox.toml".as_ref(), SETTINGS).expect("settings");
        for step in Step::ALL {
            for has_mr in [false, true] {
                for event in Event::ALL {
                    let to = table::next(Some(*step), *event, order, has_mr).ok();
                    table.insert((step.code(), event.word(), has_mr), to);
                }
                for undecided in [false, true] {
                    let state = if undecided { "pending" } else { "approved" };
                    let ticket = TicketFacts { id: "T-1".into(), url: None, state: Some(state.into()) };
                    let mr = has_mr.then(|| MrFacts { iid: 1, web_url: String::new() });
                    let facts = StoredFacts { ticket: Some(ticket), mr, ..StoredFacts::default() };
                    let due = first_look(*step, &facts, &settings, 0).is_some();
                    looks.insert((step.code(), undecided, has_mr), due);
                }
            }
        }
        Self { order, cast, off, table, looks }
    }

    pub fn has(&self, guard: Guard) -> bool {
        self.off != Some(guard)
    }

    /// Is all that a worker wants refused once its version is old?
    pub fn is_fenced(&self) -> bool {
        self.has(Guard::IntentFence) && self.has(Guard::MoveVersion)
    }

    /// Where the engine's table leads.
    pub fn next(&self, from: Step, event: Event, has_mr: bool) -> Option<Step> {
        self.table[&(from.code(), event.word(), has_mr)]
    }

    /// Does the engine come by itself after a move to this step?
    pub fn is_due(&self, state: &State) -> bool {
        self.looks[&(state.step.code(), state.facts.ticket == Ticket::Open, state.facts.mr > 0)]
    }

    /// A request as it is stored, and one that found no place.
    pub fn beginnings(&self) -> Vec<State> {
        let begin = |event| table::next(None, event, self.order, false).expect("a submission");
        // One life sees so many losses of a call, an answer, a lease or the process.
        let losses = u8::from(self.cast == Cast::Workers);
        let mut late = State::beginning(begin(Event::SubmitOverloaded), losses);
        late.due = false;
        vec![State::beginning(begin(Event::Submit), losses), late]
    }

    /// The rule that this state breaks.
    pub fn broken(&self, state: &State) -> Option<&'static str> {
        let waits = state.lease.is_some() || state.due;
        let parked = state.parked;
        let heard = match state.step {
            Step::ApprovalWaiting => parked.approval,
            Step::HandleMerged => parked.effective || parked.failed,
            Step::DeployFailed => parked.effective,
            _ => false,
        };
        if let Some(rule) = state.broken.or_else(|| claims(state)) {
            return Some(rule);
        }
        if state.step.is_active() && !state.due {
            return Some("nobody will ever look at it");
        }
        if heard && !waits {
            return Some("an event waits, and nobody will look at it");
        }
        if state.step.is_terminal() && parked.any() {
            return Some("an event waits for a request that has ended");
        }
        None
    }

    /// It has ended, and nothing of ours is left open outside.
    pub fn is_good_end(&self, state: &State) -> bool {
        // Workers, whose cast ends with the merge, meet no deploy.
        let ended = state.step.is_terminal() || (self.cast == Cast::Workers && state.step == Step::HandleMerged);
        ended && is_clean(state)
    }

    /// Nothing is to be done until a person acts or news come.
    pub fn rests(&self, state: &State) -> bool {
        let idle = state.workers.iter().all(Option::is_none) && state.lease.is_none();
        let told = match state.step {
            Step::ApprovalWaiting => state.remote.ticket != Ticket::Open,
            Step::HandleMerged => state.parked.effective || state.parked.failed,
            Step::DeployFailed => state.parked.effective,
            _ => false,
        };
        let with_others = matches!(state.step, Step::ApprovalWaiting | Step::HandleMerged);
        let outlook = state.step.outlook();
        let waits = with_others || matches!(outlook, Outlook::Failed | Outlook::Unknown | Outlook::Done);
        // Whether a call adrift arrives at all is not in our hands.
        let is_clean = outlook != Outlook::Done || is_clean(&State { adrift: None, ..*state });
        idle && waits && !told && is_clean
    }
}

/// Is the effect of this call to be seen already? Then it must not be wanted.
pub fn is_there(state: &State, facts: Facts, call: Call) -> bool {
    let remote = &state.remote;
    match call {
        Call::Ticket => remote.ticket != Ticket::None,
        Call::Branch => remote.branch.is_some(),
        Call::OpenMr => {
            (1..=2).any(|n| remote.mr(n) != Mr::None && !(n == 1 && facts.given_up && remote.mr(1) == Mr::Closed))
        }
        Call::Approve(who, _) => remote.approvals & who != 0,
        Call::Merge(..) => remote.is_merged(),
        Call::Rebase(_) => false,
        Call::CloseMr(number) => remote.mr(number) != Mr::Open,
        Call::Cancel => remote.ticket != Ticket::Open,
    }
}

/// What a request may say of the remotes only when it is true.
fn claims(state: &State) -> Option<&'static str> {
    let remote = &state.remote;
    match state.step {
        step if step.is_merged() && !remote.is_merged() => Some("it says merged, and nothing is"),
        Step::CalledBack if remote.deploy != Deploy::Effective => Some("it says effective, and it is not"),
        Step::ApprovalRejected if remote.ticket != Ticket::Denied => Some("it says rejected, and nobody did"),
        Step::ApprovalWithdrawn if remote.ticket != Ticket::Withdrawn => Some("it says withdrawn, and it was not"),
        _ => None,
    }
}
