//! Is a callback authentic? Standard Webhooks signatures over the raw bytes, and GitLab's own token.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// How far a delivery's own time may lie from ours, in seconds, in both directions (contract.md, section 6).
pub const TOLERANCE: i64 = 300;

/// The id of a delivery: the same in every repetition of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryId(pub String);

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a callback is not believed. Each reads as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A header that must be there is not.
    #[error("The callback has no `{0}` header, so nobody vouches for it.")]
    Missing(&'static str),
    /// The time is not a number of seconds.
    #[error("The callback's time is not a number of seconds.")]
    NoTime,
    /// Sent too long ago.
    #[error("The callback was signed {seconds} s ago; more than {TOLERANCE} s are not accepted.")]
    TooOld {
        /// How long ago.
        seconds: i64,
    },
    /// From the future.
    #[error("The callback was signed {seconds} s in the future; compare the clocks of both machines.")]
    TooNew {
        /// How far ahead.
        seconds: i64,
    },
    /// No signature fits.
    #[error("The callback's signature does not fit its body and the secret we share.")]
    WrongSignature,
    /// The token is another one.
    #[error("The callback's token is not the secret we share.")]
    WrongToken,
    /// Our own secret cannot be used.
    #[error("Our own callback secret is not `whsec_` and base64; correct it in the settings.")]
    OurSecret,
}

/// Verifies a delivery by Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature` (`v1,` and base64 of
/// HMAC-SHA256 over `id.timestamp.body`, several separated by spaces).
pub fn verify(
    secret: &SecretString,
    headers: &[(String, String)],
    raw: &[u8],
    now: DateTime<Utc>,
) -> Result<DeliveryId, Refusal> {
    let key = key_of(secret.expose_secret()).ok_or(Refusal::OurSecret)?;
    let id = header(headers, "webhook-id").ok_or(Refusal::Missing("webhook-id"))?;
    let timestamp = header(headers, "webhook-timestamp").ok_or(Refusal::Missing("webhook-timestamp"))?;
    let signatures = header(headers, "webhook-signature").ok_or(Refusal::Missing("webhook-signature"))?;
    let sent: i64 = timestamp.parse().map_err(|_| Refusal::NoTime)?;
    let mac = keyed(&key).chain_update(format!("{id}.{timestamp}.")).chain_update(raw);
    let fits = |signature: &str| {
        let given = signature.strip_prefix("v1,").and_then(|text| STANDARD.decode(text).ok());
        given.is_some_and(|given| mac.clone().verify_slice(&given).is_ok())
    };
    if !signatures.split_ascii_whitespace().any(fits) {
        return Err(Refusal::WrongSignature);
    }
    // After the signature: a wrong time is told only to who knows the secret.
    let age = now.timestamp().saturating_sub(sent);
    match age {
        TOLERANCE_AND_ONE.. => Err(Refusal::TooOld { seconds: age }),
        ..=BEFORE_TOLERANCE => Err(Refusal::TooNew { seconds: age.saturating_neg() }),
        _ => Ok(DeliveryId(id.to_owned())),
    }
}

const TOLERANCE_AND_ONE: i64 = TOLERANCE + 1;
const BEFORE_TOLERANCE: i64 = -TOLERANCE - 1;

/// Verifies a hook of GitLab: signed where a signing token (`whsec_…`) is set on both sides, else by `X-Gitlab-Token`.
pub fn verify_gitlab(
    secret: &SecretString,
    headers: &[(String, String)],
    raw: &[u8],
    now: DateTime<Utc>,
) -> Result<DeliveryId, Refusal> {
    if secret.expose_secret().starts_with("whsec_") && header(headers, "webhook-signature").is_some() {
        return verify(secret, headers, raw, now);
    }
    let token = header(headers, "x-gitlab-token").ok_or(Refusal::Missing("X-Gitlab-Token"))?;
    // Two MACs under one key are compared in constant time, and so are the texts behind them, whatever their lengths.
    let ours = keyed(raw).chain_update(secret.expose_secret()).finalize().into_bytes();
    keyed(raw).chain_update(token).verify_slice(&ours).map_err(|_| Refusal::WrongToken)?;
    let told = ["idempotency-key", "webhook-id"].iter().find_map(|name| header(headers, name));
    // Older servers send no id that is a delivery's own; the bytes tell repetitions apart from news.
    Ok(DeliveryId(told.map_or_else(|| digest(raw), str::to_owned)))
}

fn key_of(secret: &str) -> Option<Vec<u8>> {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret).trim()).ok()?;
    (!key.is_empty()).then_some(key)
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of any length")
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

fn digest(raw: &[u8]) -> String {
    let mut text = "sha256-".to_owned();
    for byte in Sha256::digest(raw) {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
