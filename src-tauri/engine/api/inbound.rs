//! Callbacks, answered after they are stored (contract.md, sections 6 and 7).

use serde_json::json;

use crate::{
    engine::Engine,
    inbox::{self, Source},
    run::caught,
    words::Lang,
};

use super::{Problem, Reply};

impl Engine {
    /// Takes a callback in. `source` is the last part of its path; `raw` are the bytes as they came.
    pub async fn callback(&self, source: &str, headers: &[(String, String)], raw: &[u8]) -> Reply {
        let Some(source) = Source::from_word(source) else {
            return Problem::new(404, "not-found", "No such callback").detail("There is no such callback.").into();
        };
        let received = caught(inbox::receive(&self.core, source, headers, raw)).await;
        let Some(answer) = received else { return Problem::bug().into() };
        match answer {
            inbox::Answer::Stored(verdict, reason) => {
                Reply::json(200, &json!({"verdict": verdict.word(), "reason": reason.render(Lang::En)}))
            }
            inbox::Answer::Forged(why) => Problem::new(401, "not-authentic", "Not authentic").detail(why).into(),
            inbox::Answer::Unreadable(why) => {
                Problem::new(400, "unreadable", "The body cannot be read").detail(why).into()
            }
            inbox::Answer::NotStored(why) => Problem::store(&why).into(),
        }
    }
}
