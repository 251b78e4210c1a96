//! The approval system, and the secrets of those who call us.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use signalbox_engine::ports::{approval::ApprovalDesk, error::ErrorClass, journal::Scope};

use super::finding::Findings;

/// Fewest bytes that Standard Webhooks asks for in a secret.
const SHORTEST: usize = 24;

/// Asks the system in the way the engine does whether it is there and takes the credential.
pub(super) async fn look(desk: &dyn ApprovalDesk, url: &str, findings: &mut Findings) {
    match desk.probe(&Scope::unrecorded()).await {
        Ok(()) => findings.ok("approval", format!("The approval system answers at {url} and takes the token.")),
        Err(error) if error.class == ErrorClass::Auth => {
            findings.fault("approval.token", format!("The approval system at {url} does not take the token: {error}."));
        }
        Err(error) => findings.fault("approval.url", format!("The approval system at {url} cannot be used: {error}.")),
    }
}

/// The secret of signed callbacks: `whsec_` and base64. Gives its length in bytes, or what is wrong, without the secret.
pub(crate) fn signing_secret(secret: &str) -> Result<usize, &'static str> {
    let key = secret.trim().strip_prefix("whsec_");
    let key = key.ok_or("is no secret of Standard Webhooks: it must begin with `whsec_`")?;
    match STANDARD.decode(key) {
        Ok(bytes) if bytes.is_empty() => Err("is empty after `whsec_`"),
        Ok(bytes) => Ok(bytes.len()),
        Err(_) => Err("is no secret of Standard Webhooks: what follows `whsec_` is not base64"),
    }
}

/// Tells what is wrong with the secret of the setting `key`.
pub(super) fn look_at_signing_secret(key: &str, secret: &str, findings: &mut Findings) {
    match signing_secret(secret) {
        Ok(bytes) if bytes < SHORTEST => findings.warning(
            key,
            format!("The secret of callbacks has {bytes} bytes; Standard Webhooks asks for {SHORTEST} at least. Make a longer one on both sides."),
        ),
        Ok(_) => findings.ok(key, "The secret of callbacks has the form of Standard Webhooks."),
        Err(why) => findings.fault(key, format!("`{key}` {why}. Take the secret that the other side signs with.")),
    }
}

#[cfg(test)]
mod tests {
    use super::signing_secret;

    #[test]
    fn a_signing_secret_has_its_form() {
        assert_eq!(signing_secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"), Ok(24));
        assert_eq!(signing_secret("whsec_c2hvcnQ=\n"), Ok(5));
        for wrong in ["", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz", "whsec_", "whsec_***"] {
            assert!(signing_secret(wrong).is_err(), "{wrong}");
        }
    }
}
