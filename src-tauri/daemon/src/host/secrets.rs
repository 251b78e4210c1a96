//! Reads every secret once at the start, so that a missing one is told now and not in the middle of a request.

use std::collections::HashMap;

use secrecy::{ExposeSecret, SecretString};
use signalbox_engine::{ports::secrets::Secrets, settings::Settings};

use crate::{
    check::signing_secret,
    http::Tokens,
    secrets::{Place, places},
};

/// A token of the API with fewer characters can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// What the start needs of the secrets.
pub(super) struct Secured {
    /// Who may call besides the operator.
    pub(super) people: Tokens,
    read: HashMap<String, SecretString>,
}

impl Secured {
    /// The secret of a setting; empty where nothing uses one.
    pub(super) fn secret(&self, key: &str) -> SecretString {
        self.optional(key).unwrap_or_default()
    }

    /// The secret of a setting that may be left out.
    pub(super) fn optional(&self, key: &str) -> Option<SecretString> {
        self.read.get(key).cloned()
    }
}

/// Reads them all. Err holds one sentence for each secret that cannot be used; literals are warned about.
pub(super) async fn read_all(settings: &Settings, secrets: &dyn Secrets) -> Result<Secured, Vec<String>> {
    let (mut people, mut read, mut wrong) = (Tokens::default(), HashMap::new(), Vec::new());
    for place in places(settings) {
        match secrets.read(&place.key, place.place()).await {
            Ok(secret) => {
                if place.is_literal() {
                    tracing::warn!("{}", place.warning());
                }
                wrong.extend(unusable(&place, &secret));
                wrong.extend(admit(settings, &place, &secret, &mut people));
                read.insert(place.key, secret);
            }
            Err(error) => wrong.push(format!("{error} Nothing was started.")),
        }
    }
    if wrong.is_empty() { Ok(Secured { people, read }) } else { Err(wrong) }
}

fn unusable(place: &Place, secret: &SecretString) -> Option<String> {
    let key = &place.key;
    if secret.expose_secret().trim().is_empty() {
        return Some(format!("The secret of `{key}` is empty. Nothing was started."));
    }
    let why = place.signs_callbacks().then(|| signing_secret(secret.expose_secret()).err()).flatten()?;
    Some(format!("The secret of `{key}` {why}. Nothing was started."))
}

/// Lets a person in whose token this is. Says so when somebody else has the same one.
fn admit(settings: &Settings, place: &Place, secret: &SecretString, tokens: &mut Tokens) -> Option<String> {
    let index: usize = place.key.strip_prefix("http.api_tokens[")?.split_once(']')?.0.parse().ok()?;
    let person = &settings.http.api_tokens.get(index)?.person;
    let token = secret.expose_secret().trim();
    if token.len() < SHORTEST_TOKEN {
        tracing::warn!(
            "`{}` is shorter than {SHORTEST_TOKEN} characters and can be guessed. Make a longer one.",
            place.key
        );
    }
    let other = tokens.add(person, token).err()?;
    Some(format!(
        "`{}` is the token of {other} already, so nobody could tell {person} from {other}. Make one of its own. Nothing was started.",
        place.key
    ))
}
