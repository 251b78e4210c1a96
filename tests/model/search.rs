//! Every state that can be reached, breadth first, with the way to each; and from where an end can be reached.
//!
//! A search of our own, because what is asked here is "from every state an end can be reached". `stateright`, the known checker for
//! Rust, has no such question: its `eventually` holds on paths without a circle only, and a request that waits, fails and is got
//! going again walks in circles. It also always brings a web server along.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    hash::{BuildHasherDefault, Hasher},
};

use signalbox_engine::flow::Event;

use crate::{
    rules::Model,
    state::{Act, Button, Call, Callback, State},
};

/// Who takes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The run loop and what follows a move.
    Engine,
    /// Calls and their answers, where nothing is lost.
    Wire,
    /// GitLab, the deploy pipeline.
    Gitlab,
    /// An operator at the console.
    Operator,
    /// People at the desk and in GitLab.
    People,
    /// Callbacks and the sweep.
    Sender,
    /// What goes wrong: errors, lost answers, leases that run out, a kill.
    Trouble,
}

impl Who {
    /// True for what happens when nobody intervenes and nothing goes wrong.
    pub fn is_calm(self) -> bool {
        matches!(self, Self::Engine | Self::Wire | Self::Gitlab)
    }
}

/// What a step is, in words that are put together only where somebody reads them: there are millions.
#[derive(Debug, Clone, Copy)]
pub struct What(pub &'static str, pub About);

/// What the words are about.
#[derive(Debug, Clone, Copy)]
pub enum About {
    Nothing,
    Call(Call),
    /// After what came a decision, and which.
    Decision(&'static str, Option<Call>, Act),
    Button(Button),
    Callback(Callback),
    Event(Event),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(words, about) = self;
        match about {
            About::Nothing => f.write_str(words),
            About::Call(call) => write!(f, "{words} {call:?}"),
            About::Decision(after, Some(call), act) => write!(f, "{words} {after} {call:?}, reads and decides {act:?}"),
            About::Decision(after, None, act) => write!(f, "{words} {after}, reads and decides {act:?}"),
            About::Button(button) => write!(f, "{words} {button:?}"),
            About::Callback(callback) => write!(f, "{words} {callback:?}"),
            About::Event(event) => write!(f, "{words} {}", event.word()),
        }
    }
}

/// One step from a state.
pub struct Edge {
    pub who: Who,
    pub what: What,
    /// The event of the table, where it is a move.
    pub event: Option<Event>,
    pub to: State,
}

/// A state that must not be, and how it comes about.
#[derive(Debug)]
pub struct Counterexample {
    pub rule: String,
    pub way: Vec<String>,
}

/// What a search that found nothing wrong has seen.
#[derive(Debug)]
pub struct Seen {
    pub states: usize,
    pub steps: usize,
    /// Moves of the table that were made on the way.
    pub moves: BTreeSet<(u16, &'static str)>,
}

/// The states of a few dozen bytes are many: a hash that multiplies is enough, and they come from no stranger.
#[derive(Default)]
pub struct Multiply(u64);

impl Hasher for Multiply {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// More than this is a model that has grown out of hand.
const MOST_STATES: usize = 2_000_000;

/// Walks everything. The first state that breaks a rule ends it.
pub fn search(model: &Model) -> Result<Seen, Counterexample> {
    let mut known: HashMap<State, u32, BuildHasherDefault<Multiply>> = HashMap::default();
    let (mut states, mut came_from, mut edges) = (Vec::new(), Vec::new(), Vec::<(u32, u32, bool)>::new());
    let mut moves = BTreeSet::new();
    for beginning in model.beginnings() {
        known.insert(beginning, u32::try_from(states.len()).unwrap());
        states.push(beginning);
        came_from.push((u32::MAX, Who::Operator, What("it is submitted", About::Nothing)));
    }
    let mut at = 0;
    while at < states.len() {
        let state: State = states[at];
        if let Some(rule) = model.broken(&state) {
            return Err(Counterexample { rule: rule.into(), way: way(&states, &came_from, at) });
        }
        let here = u32::try_from(at).unwrap();
        for Edge { who, what, event, to } in model.steps(&state) {
            moves.extend(event.map(|event| (state.step.code(), event.word())));
            let next = u32::try_from(states.len()).unwrap();
            let place = *known.entry(to).or_insert(next);
            if place == next {
                states.push(to);
                came_from.push((here, who, what));
            }
            edges.push((here, place, who.is_calm()));
        }
        assert!(states.len() < MOST_STATES, "more than {MOST_STATES} states");
        at += 1;
    }
    let steps = edges.len();
    let ends = |calm: bool, is_end: &dyn Fn(&State) -> bool| {
        let lost = unable(&states, &edges, calm, is_end)?;
        Some(way(&states, &came_from, lost))
    };
    if let Some(way) = ends(false, &|state| model.is_good_end(state)) {
        return Err(Counterexample { rule: "no end can be reached".into(), way });
    }
    if let Some(way) = ends(true, &|state| model.rests(state)) {
        return Err(Counterexample { rule: "left alone, it comes to no rest".into(), way });
    }
    Ok(Seen { states: states.len(), steps, moves })
}

/// The first state from which no end is reachable.
fn unable(states: &[State], edges: &[(u32, u32, bool)], calm: bool, is_end: &dyn Fn(&State) -> bool) -> Option<usize> {
    // The edges by where they lead, as one list with the beginning of each part.
    let mut begins = vec![0_u32; states.len() + 2];
    let counted = || edges.iter().filter(|(_, _, is_calm)| !calm || *is_calm);
    counted().for_each(|(_, to, _)| begins[*to as usize + 2] += 1);
    for n in 2..begins.len() {
        begins[n] += begins[n - 1];
    }
    let mut sources = vec![0_u32; counted().count()];
    for (from, to, _) in counted() {
        let place = &mut begins[*to as usize + 1];
        sources[*place as usize] = *from;
        *place += 1;
    }
    let mut able: Vec<bool> = states.iter().map(is_end).collect();
    let mut ahead: Vec<usize> = able.iter().enumerate().filter(|(_, able)| **able).map(|(n, _)| n).collect();
    while let Some(to) = ahead.pop() {
        for from in &sources[begins[to] as usize..begins[to + 1] as usize] {
            let from = *from as usize;
            if !able[from] {
                able[from] = true;
                ahead.push(from);
            }
        }
    }
    able.iter().position(|able| !able)
}

fn way(states: &[State], came_from: &[(u32, Who, What)], to: usize) -> Vec<String> {
    let mut way = vec![format!("{:?}", states[to])];
    let mut at = to;
    while at != u32::MAX as usize {
        let (before, who, what) = &came_from[at];
        way.push(format!("{} {who:?}: {what}", states[at].step.code()));
        at = *before as usize;
    }
    way.reverse();
    way
}
