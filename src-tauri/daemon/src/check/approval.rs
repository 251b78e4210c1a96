//! The approval system, and the secrets of those who call us.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{finding::Findings, reader::{Reader, bearer}};

/// Fewest bytes that Standard Webhooks asks for in a secret.
const SHORTEST: usize = 24;

/// Asks for a request that never was: 404 says that the system is there and takes the token.
pub(super) async fn look(url: &str, token: &str, limit: Duration, findings: &mut Findings) {
    let reader = match Reader::new(url, bearer(token), limit) {
        Ok(reader) => reader,
        Err(why) => return findings.fault("approval.url", format!("No connection can be prepared for {url}: {why}.")),
    };
    match reader.get("/approvals/by-request/signalbox-check").await {
        Ok(_) => findings.ok("approval", format!("The approval system answers at {url} and takes the token.")),
        Err(trouble) if trouble.is(404) => {
            findings.ok("approval", format!("The approval system answers at {url} and takes the token."));
        }
        Err(trouble) if trouble.is(401) || trouble.is(403) => {
            findings
                .fault("approval.token", format!("The approval system at {url} does not accept the token: {trouble}."));
        }
        Err(trouble) => {
            findings.fault("approval.url", format!("The approval system at {url} cannot be used: {trouble}."))
        }
    }
}

/// The secret of signed callbacks: `whsec_` and base64. Err says what is wrong, without the secret.
pub(crate) fn signing_secret(secret: &str) -> Result<(), String> {
    let Some(key) = secret.trim().strip_prefix("whsec_") else {
        return Err("is no secret of Standard Webhooks: it must begin with `whsec_`".into());
    };
    match STANDARD.decode(key) {
        Ok(bytes) if bytes.len() < SHORTEST => {
            Err(format!("is too short: {} bytes after `whsec_`, where {SHORTEST} are the least", bytes.len()))
        }
        Ok(_) => Ok(()),
        Err(_) => Err("is no secret of Standard Webhooks: what follows `whsec_` is not base64".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::signing_secret;

    #[test]
    fn a_signing_secret_has_its_form() {
        assert_eq!(signing_secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"), Ok(()));
        for wrong in ["", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz", "whsec_", "whsec_c2hvcnQ=", "whsec_***"] {
            assert!(signing_secret(wrong).is_err(), "{wrong}");
        }
    }
}
