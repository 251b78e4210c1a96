//! After the storm: the remotes are well, people do their part, and every request can be brought to an end.

use std::{collections::BTreeMap, time::Duration};

use super::acts::Simulation;
use crate::support::{Plan, forge::model::Rules};

/// Rounds after which a request that has not ended counts as stuck.
const ROUNDS: usize = 60;
/// Presses of resume before an operator gives a request up.
const PATIENCE: u32 = 3;

impl Simulation {
    /// Brings every request to an end, by the buttons that the engine itself offers.
    pub fn calm(&mut self) {
        self.note("calm");
        self.world.wire.clear_faults();
        self.world.rules(|rules| {
            let method = rules.method;
            *rules = Rules { method, usual: vec![Plan::green()], ..Rules::default() };
        });
        let mut resumed: BTreeMap<String, u32> = BTreeMap::new();
        for _ in 0..ROUNDS {
            self.world.advance(Duration::from_secs(30));
            self.check();
            let mut open = 0;
            for id in self.ids.clone() {
                open += usize::from(self.help(&id, &mut resumed));
            }
            if open == 0 {
                self.world.settle();
                self.check();
                return;
            }
        }
        panic!("a request cannot be brought to an end\n{}\n{}", self.log(), self.world.story());
    }

    /// Does what people would do for a request; true while it has not ended.
    fn help(&mut self, id: &str, resumed: &mut BTreeMap<String, u32>) -> bool {
        let operation = self.world.operation(id);
        let step = operation["step"]["code"].as_i64().unwrap();
        match (operation["outlook"].as_str().unwrap(), step) {
            ("done", _) => return false,
            (_, 10402) => {
                let pending = self.world.desk.of(id).is_some_and(|ticket| ticket.state.word() == "pending");
                if pending {
                    self.world.desk.decide(id, "approved", "mira", None);
                }
                let callback = self.world.approval_callback(id, "approved");
                self.world.deliver(&callback);
            }
            (_, 10109 | 10302) => {
                let callback = self.world.deploy_callback(id, "effective");
                self.world.deliver(&callback);
            }
            ("failed" | "unknown", _) => {
                let times = resumed.entry(id.to_owned()).or_default();
                *times += 1;
                let action = if *times > PATIENCE { "close" } else { "resume" };
                self.note(&format!("{action} {id} at {step}"));
                let version = self.world.version(id);
                let answer = self.world.press(id, action, "ada", version);
                assert_eq!(answer.status, 202, "{action} at {step}: {}\n{}", answer.body, self.log());
            }
            _ => {}
        }
        true
    }
}
