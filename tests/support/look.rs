//! Reading: through the engine's own calls where people would, from the store where a check needs more.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;
use signalbox_engine::{
    api::{Reply, Request},
    words::Lang,
};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _,
    sqlite::{SqliteConnectOptions, SqliteRow},
};

use super::{wire::Entry, world::World};

/// How long a write behind the engine's back waits for the engine's own: longer than a busy machine takes for a commit.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer with its body read.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        let body = serde_json::from_str(&reply.body).unwrap_or(Value::String(reply.body));
        Self { status: reply.status, body }
    }
}

/// A call as somebody makes it.
pub fn request(method: &str, path: &str, person: &str, body: Option<Value>) -> Request {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let query: BTreeMap<_, _> =
        query.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (k.into(), v.into())).collect();
    Request { method: method.into(), path: path.into(), query, person: person.into(), lang: Lang::En, body }
}

impl World {
    /// Makes a call; None where the engine died meanwhile.
    pub fn try_call(&mut self, person: &str, method: &str, path: &str, body: Option<Value>) -> Option<Answer> {
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        let wire = self.wire.clone();
        let asked = Request { lang: self.lang, ..request(method, path, person, body) };
        let mut call = Box::pin(engine.call(asked));
        let answer = runtime.block_on(async {
            loop {
                tokio::select! {
                    reply = &mut call => return Some(Answer::from(reply)),
                    () = wire.dies() => return None,
                    () = wire.stirs() => wire.let_callers_wait(),
                }
            }
        });
        // A connection that is given back on the way asks for its runtime.
        let within = runtime.enter();
        drop(call);
        drop(within);
        if answer.is_none() {
            self.restart();
        }
        answer
    }

    pub fn call(&mut self, method: &str, path: &str, body: Option<Value>) -> Answer {
        // A look is made again where the engine died under it.
        loop {
            match self.try_call("ada", method, path, body.clone()) {
                Some(answer) => return answer,
                None => assert_eq!(method, "GET", "the engine died under {method} {path}"),
            }
        }
    }

    pub fn get(&mut self, path: &str) -> Value {
        let answer = self.call("GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// A request as the API shows it.
    pub fn operation(&mut self, id: &str) -> Value {
        self.get(&format!("/api/v1/operations/{id}"))
    }

    pub fn history(&mut self, id: &str) -> Vec<Value> {
        self.items(&format!("/api/v1/operations/{id}/history"))
    }

    pub fn events(&mut self, id: &str) -> Vec<Value> {
        self.items(&format!("/api/v1/operations/{id}/events"))
    }

    /// The items of a list.
    pub fn items(&mut self, path: &str) -> Vec<Value> {
        self.get(path)["items"].as_array().cloned().unwrap_or_default()
    }

    /// Verdicts on the events of a request, oldest first.
    pub fn verdicts(&mut self, id: &str) -> Vec<String> {
        self.events(id).iter().map(|event| event["verdict"].as_str().unwrap().to_owned()).collect()
    }

    pub fn step(&mut self, id: &str) -> i64 {
        self.rows("SELECT step FROM operation WHERE operation_id = ?", &[id]).first().map_or(0, |row| row.get(0))
    }

    pub fn status(&mut self, id: &str) -> String {
        self.rows("SELECT status FROM operation WHERE operation_id = ?", &[id])[0].get(0)
    }

    pub fn version(&mut self, id: &str) -> i64 {
        self.rows("SELECT version FROM operation WHERE operation_id = ?", &[id])[0].get(0)
    }

    /// When the next look comes, in milliseconds from now.
    pub fn next_look(&mut self, id: &str) -> Option<i64> {
        let due: Option<i64> = self.rows("SELECT due_at FROM operation WHERE operation_id = ?", &[id])[0].get(0);
        due.map(|due| due - self.clock.millis())
    }

    /// The steps a request went through, its acts that moved nothing left out.
    pub fn path(&mut self, id: &str) -> Vec<i64> {
        let sql = "SELECT to_step FROM history WHERE operation_id = ? AND from_step IS NOT to_step ORDER BY seq";
        self.rows(sql, &[id]).iter().map(|row| row.get(0)).collect()
    }

    /// The words of everything that happened to a request.
    pub fn words(&mut self, id: &str) -> Vec<String> {
        self.rows("SELECT event FROM history WHERE operation_id = ? ORDER BY seq", &[id])
            .iter()
            .map(|row| row.get(0))
            .collect()
    }

    /// The number of the merge request of a request.
    pub fn iid(&mut self, id: &str) -> u64 {
        self.operation(id)["mr"]["iid"].as_u64().unwrap_or_else(|| panic!("{id} has no merge request"))
    }

    /// The sentence of the last failure.
    pub fn error(&mut self, id: &str) -> String {
        self.operation(id)["last_error"]["message"].as_str().unwrap_or_default().to_owned()
    }

    /// Every call that any remote has seen.
    pub fn ledger(&self) -> Vec<Entry> {
        self.wire.ledger()
    }

    /// How many calls of this name changed something.
    pub fn applied(&self, name: &str) -> usize {
        self.ledger().iter().filter(|entry| entry.name == name && entry.applied).count()
    }

    /// How many calls of this name were made.
    pub fn sent(&self, name: &str) -> usize {
        self.ledger().iter().filter(|entry| entry.name == name).count()
    }

    /// How many requests ever became effective, as the metric says.
    pub fn validated_total(&mut self) -> i64 {
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        let page = runtime.block_on(engine.metrics()).body;
        let line = page.lines().find_map(|line| line.strip_prefix("signalbox_validated_total "));
        line.unwrap().parse().unwrap()
    }

    /// Reads the store behind the engine's back; the engine stands still meanwhile.
    pub fn rows(&mut self, sql: &str, binds: &[&str]) -> Vec<SqliteRow> {
        let mut query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        for bind in binds {
            query = query.bind((*bind).to_owned());
        }
        self.reading.block_on(query.fetch_all(&mut self.reader)).unwrap()
    }

    /// Writes to the store behind the engine's back, as a damaged disk would. The engine may be in the middle of a commit: it goes
    /// on meanwhile, or the lock would never be given up.
    pub fn write(&mut self, sql: &str) {
        let options = SqliteConnectOptions::new().filename(self.data_dir().join("signalbox.db")).busy_timeout(PATIENCE);
        let runtime = self.running.as_ref().map_or(&self.reading, |(runtime, _)| runtime);
        runtime.block_on(async {
            let mut connection = options.connect().await.unwrap();
            sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        });
    }

    pub fn count(&mut self, sql: &str) -> i64 {
        self.rows(sql, &[])[0].get(0)
    }

    /// All request ids, oldest first.
    pub fn ids(&mut self) -> Vec<String> {
        self.rows("SELECT operation_id FROM operation ORDER BY created_at, rowid", &[])
            .iter()
            .map(|row| row.get(0))
            .collect()
    }

    /// Everything that happened, for a failing test.
    pub fn story(&mut self) -> String {
        let mut text = String::new();
        for id in self.ids() {
            text.push_str(&format!("{id}\n"));
            let rows = self.rows(
                "SELECT at, event, from_step, to_step, actor_name, reason FROM history WHERE operation_id = ? ORDER BY seq",
                &[&id],
            );
            for row in rows {
                let (at, from): (i64, Option<i64>) = (row.get(0), row.get(2));
                let reason = row.get::<Option<String>, _>(5).unwrap_or_default();
                text.push_str(&format!(
                    "  {:>9} {} -> {} {} by {} {reason}\n",
                    at - super::clock::START,
                    from.unwrap_or(0),
                    row.get::<i64, _>(3),
                    row.get::<String, _>(1),
                    row.get::<String, _>(4),
                ));
            }
            let now = self.rows(
                "SELECT step, version, due_at, look, lease_owner, wish, error_message FROM operation WHERE operation_id = ?",
                &[&id],
            );
            for row in now {
                let due: Option<i64> = row.get(2);
                text.push_str(&format!(
                    "  stands at {} v{} due {:?} look {} lease {:?} wish {:?} error {:?}\n",
                    row.get::<i64, _>(0),
                    row.get::<i64, _>(1),
                    due.map(|due| due - super::clock::START),
                    row.get::<i64, _>(3),
                    row.get::<Option<String>, _>(4),
                    row.get::<Option<String>, _>(5),
                    row.get::<Option<String>, _>(6),
                ));
            }
        }
        text.push_str(&format!("now {}\n", self.clock.millis() - super::clock::START));
        for entry in self.ledger().iter().rev().take(60).rev() {
            text.push_str(&format!(
                "  {:>9} {} {} {} applied {} status {:?}\n",
                entry.at - super::clock::START,
                entry.account,
                entry.name,
                entry.about,
                entry.applied,
                entry.status
            ));
        }
        text
    }
}
