//! Who calls: a bearer token names a person.

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Tokens and the people they stand for. Only digests are kept.
#[derive(Clone, Default)]
pub struct Tokens(Vec<(String, [u8; 32])>);

impl Tokens {
    /// Lets `person` act with `token`. Err names the person who has the same token already.
    pub fn add(&mut self, person: &str, token: &str) -> Result<(), String> {
        let digest = digest(token.as_bytes());
        if let Some((other, _)) = self.0.iter().find(|(_, known)| *known == digest) {
            return Err(other.clone());
        }
        self.0.push((person.to_owned(), digest));
        Ok(())
    }

    /// The person whose token the request carries. Every known token is compared, each in constant time.
    #[must_use]
    pub fn person(&self, headers: &HeaderMap) -> Option<&str> {
        let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let given = digest(token.trim().as_bytes());
        let (mut found, mut at) = (Choice::from(0), 0_u64);
        for (index, (_, known)) in (0_u64..).zip(&self.0) {
            let same = known.ct_eq(&given);
            at.conditional_assign(&index, same);
            found |= same;
        }
        let at = usize::try_from(at).ok()?;
        bool::from(found).then(|| self.0[at].0.as_str())
    }
}

fn digest(token: &[u8]) -> [u8; 32] {
    Sha256::digest(token).into()
}
