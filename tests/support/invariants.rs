//! What must hold after every step of every story.

use std::collections::{BTreeMap, BTreeSet};

use signalbox_engine::flow::{Outlook, Step, table};
use sqlx::Row as _;

use super::world::World;

impl World {
    /// Everything that must hold at any moment. Panics with the whole story where something does not.
    #[track_caller]
    pub fn invariants(&mut self) {
        let mut wrong = Vec::new();
        wrong.extend(self.effects_outside());
        wrong.extend(self.intents());
        wrong.extend(self.schedule_of_all());
        wrong.extend(self.replayed());
        wrong.extend(self.ends());
        wrong.extend(self.counts());
        assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), self.story());
    }

    /// Exactly one ticket, branch, commit, merge request and merge of a request that went all the way.
    #[track_caller]
    pub fn once(&mut self, id: &str) {
        self.invariants();
        let branch = format!("signalbox/{id}");
        let ledger = self.ledger();
        let applied = |name: &str, about: &str| {
            ledger.iter().filter(|entry| entry.name == name && entry.applied && entry.about == about).count()
        };
        let iid = format!("!{}", self.iid(id));
        let counts = [
            ("ticket", applied("create", id)),
            ("commit", applied("commit_files", &branch)),
            ("merge request", applied("open_merge_request", &branch)),
            ("merge", applied("merge", &iid)),
        ];
        for (what, count) in counts {
            assert_eq!(count, 1, "{what} of {id}\n{}", self.story());
        }
    }

    /// At most one of each effect: ticket, branch, commit, open merge request, approval for reviewer and head, merge.
    fn effects_outside(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
        for entry in self.ledger().iter().filter(|entry| entry.applied) {
            if matches!(entry.name, "create" | "commit_files" | "merge") {
                *seen.entry((entry.name.into(), entry.about.clone())).or_default() += 1;
            }
        }
        for ((name, about), count) in seen {
            // A branch that somebody deleted is made again.
            let deleted =
                |p: &super::forge::model::Project| p.deleted.iter().filter(|branch| **branch == about).count();
            let again = if name == "commit_files" { self.forge.projects().iter().map(deleted).sum() } else { 0 };
            if count > 1 + again {
                wrong.push(format!("{name} of {about} had its effect {count} times"));
            }
        }
        for project in self.forge.projects().iter() {
            let open = project
                .mrs
                .iter()
                .filter(|mr| mr.author == super::forge::BOT)
                .filter(|mr| matches!(mr.state.word(), "opened" | "locked"));
            let mut of_branch: BTreeMap<&str, usize> = BTreeMap::new();
            for mr in open {
                *of_branch.entry(&mr.source).or_default() += 1;
            }
            wrong.extend(of_branch.iter().filter(|(_, n)| **n > 1).map(|(b, n)| format!("{n} open MRs of {b}")));
            for mr in &project.mrs {
                for approval in &mr.approvals_given {
                    let count = |list: &[(String, String)]| list.iter().filter(|a| *a == approval).count();
                    if count(&mr.approvals_given) > 1 + count(&mr.approvals_taken) {
                        wrong
                            .push(format!("!{} was approved again although nobody took it away: {approval:?}", mr.iid));
                    }
                }
            }
        }
        wrong
    }

    /// Every write that had an effect stands in the journal, from before it was sent.
    fn intents(&mut self) -> Vec<String> {
        let stored: BTreeMap<i64, (String, i64)> = self
            .rows("SELECT id, path, at FROM remote_call WHERE effect = 'write'", &[])
            .iter()
            .map(|row| (row.get(0), (row.get(1), row.get(2))))
            .collect();
        let writes = self.ledger().into_iter().filter(|entry| entry.write && entry.applied);
        writes
            .filter(|entry| {
                let intent = entry.intent.and_then(|id| stored.get(&id));
                intent.is_none_or(|(path, _)| *path != entry.path)
            })
            .map(|entry| format!("{} of {} was sent without an intent on record", entry.name, entry.about))
            .collect()
    }

    /// Nobody runs, or stands on a ladder, without somebody who will come.
    fn schedule_of_all(&mut self) -> Vec<String> {
        let rows = self.rows(
            "SELECT operation_id, step, due_at, lease_owner, lease_until, outlook, status, \
               (SELECT count(*) FROM inbox i WHERE i.operation_id = o.operation_id AND i.verdict = 'parked' AND i.source = 'approval') \
             FROM operation o",
            &[],
        );
        let mut wrong = Vec::new();
        for row in rows {
            let (id, code): (String, i64) = (row.get(0), row.get(1));
            let due: Option<i64> = row.get(2);
            let step = Step::from_code(code).unwrap();
            if step.is_active() && due.is_none() {
                wrong.push(format!("{id} stands at {step} and nobody will ever look at it"));
            }
            if row.get::<Option<String>, _>(3).is_some() != row.get::<Option<i64>, _>(4).is_some() {
                wrong.push(format!("{id} has half a lease"));
            }
            if row.get::<String, _>(5) != step.outlook().word() {
                wrong.push(format!("{id} stands at {step} with the outlook {}", row.get::<String, _>(5)));
            }
            if step.status().is_some_and(|status| status.word() != row.get::<String, _>(6)) {
                wrong.push(format!("{id} stands at {step} with the status {}", row.get::<String, _>(6)));
            }
            if step == Step::ApprovalWaiting && row.get::<i64, _>(7) > 0 && due.is_none() {
                wrong.push(format!("{id} has an event that waits, and nobody will look at it"));
            }
        }
        wrong
    }

    /// The history leads by listed moves to what is stored, and binding and diffs say the same.
    fn replayed(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        let legal: BTreeSet<(Option<i64>, String, i64)> = table::moves()
            .map(|row| (row.from.map(|step| step.code().into()), row.event.word().to_owned(), row.to.code().into()))
            .collect();
        let mut stands: BTreeMap<String, (i64, String, i64)> = BTreeMap::new();
        let rows = self.rows(
            "SELECT operation_id, seq, event, from_step, from_status, to_step, to_status, version FROM history ORDER BY operation_id, seq",
            &[],
        );
        for row in rows {
            let (id, seq, event): (String, i64, String) = (row.get(0), row.get(1), row.get(2));
            let from: Option<i64> = row.get(3);
            let to: i64 = row.get(5);
            let held = stands.get(&id);
            if held.map(|(step, ..)| *step) != from {
                wrong.push(format!("{id} #{seq} {event} leaves {from:?}, but the request stood at {held:?}"));
            }
            // A move makes a new version; an act that found nothing keeps the one there was.
            let version: i64 = row.get(7);
            let before = held.map_or(0, |(_, _, version)| *version);
            let moves = from != Some(to) || event == "edit";
            if version != before + i64::from(moves) {
                wrong.push(format!("{id} #{seq} {event} has version {version} and follows {held:?}"));
            }
            if held.is_some_and(|(_, status, _)| Some(status) != row.get::<Option<String>, _>(4).as_ref()) {
                wrong.push(format!("{id} #{seq} leaves another status than {held:?}"));
            }
            if from != Some(to) && !legal.contains(&(from, event.clone(), to)) {
                wrong.push(format!("{id} #{seq}: {from:?} {event} {to} is no listed move"));
            }
            stands.insert(id, (to, row.get(6), version));
        }
        for row in self.rows("SELECT operation_id, step, status, version FROM operation", &[]) {
            let stored: (i64, String, i64) = (row.get(1), row.get(2), row.get(3));
            let id: String = row.get(0);
            if stands.get(&id) != Some(&stored) {
                wrong.push(format!("{id} is stored as {stored:?}; its history leads to {:?}", stands.get(&id)));
            }
        }
        let stray = "SELECT count(*) FROM binding b JOIN operation o USING (operation_id) WHERE b.status <> o.status";
        if self.count(stray) > 0 {
            wrong.push("a binding has another status than its owner".into());
        }
        wrong
    }

    /// An end is an end: neither step nor version of an ended request ever changes.
    fn ends(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        for row in self.rows("SELECT operation_id, step, version FROM operation WHERE outlook = 'done'", &[]) {
            let (id, now): (String, (i64, i64)) = (row.get(0), (row.get(1), row.get(2)));
            let before = *self.ended.entry(id.clone()).or_insert(now);
            // Fields of a rejected request may still be edited; its step stays.
            if before.0 != now.0 || (before.1 != now.1 && before.0 != 10404) {
                wrong.push(format!("{id} had ended as {before:?} and is {now:?} now"));
            }
        }
        for id in self.ended.keys().cloned().collect::<Vec<_>>() {
            let step = self.step(&id);
            if Step::from_code(step).is_none_or(|step| step.outlook() != Outlook::Done) {
                wrong.push(format!("{id} had ended and stands at {step} now"));
            }
        }
        wrong
    }

    /// The metric counts each request once, and each delivery has one verdict.
    fn counts(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        let ended = self.count("SELECT count(*) FROM operation WHERE step = 10301");
        if self.running.is_some() {
            let metric = self.validated_total();
            if metric != ended {
                wrong.push(format!("signalbox_validated_total says {metric}, and {ended} requests are effective"));
            }
        }
        let waiting = "SELECT count(*) FROM inbox i JOIN operation o USING (operation_id) \
                       WHERE i.verdict = 'parked' AND o.outlook = 'done'";
        if self.count(waiting) > 0 {
            wrong.push("an event waits for a request that has ended".into());
        }
        let doubled = "SELECT count(*) FROM (SELECT 1 FROM inbox WHERE verdict <> 'duplicate' GROUP BY source, delivery_id HAVING count(*) > 1)";
        if self.count(doubled) > 0 {
            wrong.push("a delivery has two verdicts".into());
        }
        wrong
    }
}
