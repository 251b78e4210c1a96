//! The switchboard: one table of everything that can be made to go wrong or set, read by the API, the panel and the remotes.

mod table;

pub(crate) use table::{SWITCHES, Switch, Unit};

use serde_json::{Value, json};

use crate::options::Options;
use crate::state::State;

/// Why a switch was not set.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SwitchError {
    #[error("there is no switch `{0}`")]
    Unknown(String),
    #[error("`{key}` takes {allowed}")]
    Value { key: &'static str, allowed: String },
}

/// The switches with the defaults of this start.
pub(crate) struct Switches {
    defaults: Vec<(&'static str, u64)>,
}

impl Switches {
    pub(crate) fn new(options: &Options) -> Self {
        let millis = |seconds: f64| (seconds.max(0.0) * 1000.0).round() as u64;
        let auto = options.auto_approve;
        let defaults = vec![
            ("pace.pipeline", millis(options.pipeline_seconds)),
            ("pace.deploy", millis(options.deploy_seconds)),
            ("desk.auto", u64::from(auto.is_some())),
            ("desk.auto_after", auto.map_or(5000, |wait| wait.as_millis() as u64)),
        ];
        Self { defaults }
    }

    /// The value in force.
    pub(crate) fn value(&self, state: &State, key: &str) -> u64 {
        state.switches.get(key).copied().unwrap_or_else(|| self.default(key))
    }

    fn default(&self, key: &str) -> u64 {
        let given = self.defaults.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        given.or_else(|| find(key).map(|switch| switch.default)).unwrap_or_default()
    }

    pub(crate) fn on(&self, state: &State, key: &str) -> bool {
        self.value(state, key) > 0
    }

    /// Uses up one of the next n; true when there was one.
    pub(crate) fn take(&self, state: &mut State, key: &str) -> bool {
        let left = self.value(state, key);
        if left == 0 {
            return false;
        }
        self.store(state, key, left - 1);
        state.count(key);
        true
    }

    /// The chosen word of a switch with fixed words.
    pub(crate) fn word(&self, state: &State, key: &str) -> &'static str {
        match find(key).map(|switch| switch.unit) {
            Some(Unit::Choice(words)) => words.get(self.value(state, key) as usize).or(words.first()).unwrap_or(&""),
            _ => "",
        }
    }

    fn store(&self, state: &mut State, key: &str, value: u64) {
        if value == self.default(key) {
            state.switches.remove(key);
        } else {
            state.switches.insert(key.to_owned(), value);
        }
    }

    /// Sets one switch from a number, a boolean or a word.
    pub(crate) fn set(&self, state: &mut State, key: &str, value: &Value) -> Result<(), SwitchError> {
        let switch = find(key).ok_or_else(|| SwitchError::Unknown(key.to_owned()))?;
        let number = read(switch.unit, value)
            .ok_or_else(|| SwitchError::Value { key: switch.key, allowed: switch.unit.allowed() })?;
        self.store(state, key, number);
        Ok(())
    }

    /// Puts every fault back to its default. Settings stay.
    pub(crate) fn reset_faults(&self, state: &mut State) {
        for switch in SWITCHES.iter().filter(|switch| switch.fault) {
            state.switches.remove(switch.key);
        }
    }

    /// All switches as the control API shows them.
    pub(crate) fn view(&self, state: &State) -> Vec<Value> {
        let show = |switch: &Switch| {
            let value = self.value(state, switch.key);
            let shown = match switch.unit {
                Unit::OnOff => json!(value > 0),
                Unit::Choice(_) => json!(self.word(state, switch.key)),
                _ => json!(value),
            };
            json!({
                "key": switch.key, "group": switch.group, "title": switch.title, "sentence": switch.sentence,
                "unit": switch.unit.word(), "allowed": switch.unit.allowed(), "fault": switch.fault, "value": shown,
                "set": state.switches.contains_key(switch.key),
                "happened": state.happened.get(switch.key).copied().unwrap_or(0),
            })
        };
        SWITCHES.iter().map(show).collect()
    }
}

fn find(key: &str) -> Option<&'static Switch> {
    SWITCHES.iter().find(|switch| switch.key == key)
}

fn read(unit: Unit, value: &Value) -> Option<u64> {
    match (unit, value) {
        (Unit::OnOff, Value::Bool(on)) => Some(u64::from(*on)),
        (Unit::OnOff, Value::String(word)) => match word.as_str() {
            "on" | "true" | "1" => Some(1),
            "off" | "false" | "0" | "" => Some(0),
            _ => None,
        },
        (Unit::OnOff, _) => None,
        (Unit::Choice(words), Value::String(word)) => words.iter().position(|w| w == word).map(|place| place as u64),
        (Unit::Choice(_), _) => None,
        (_, Value::Number(number)) => number.as_u64().filter(|number| *number <= 86_400_000),
        (_, Value::String(text)) => text.trim().parse().ok().filter(|number| *number <= 86_400_000),
        _ => None,
    }
}
