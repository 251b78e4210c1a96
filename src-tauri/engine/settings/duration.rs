//! Durations as people write them: "250ms", "5s", "2m", "1h", "7d".

use std::{fmt, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A duration of the settings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(Duration);

impl Span {
    /// So many seconds.
    #[must_use]
    pub const fn seconds(n: u64) -> Self {
        Self(Duration::from_secs(n))
    }
    /// So many milliseconds.
    #[must_use]
    pub const fn millis(n: u64) -> Self {
        Self(Duration::from_millis(n))
    }
    /// The duration.
    #[must_use]
    pub const fn get(self) -> Duration {
        self.0
    }
    /// True for "0s": the thing it times is turned off.
    #[must_use]
    pub const fn is_off(self) -> bool {
        self.0.is_zero()
    }

    fn parse(text: &str) -> Option<Self> {
        let digits = text.find(|c: char| !c.is_ascii_digit())?;
        let n: u64 = text[..digits].parse().ok()?;
        let unit = match &text[digits..] {
            "ms" => return Some(Self::millis(n)),
            "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return None,
        };
        n.checked_mul(unit).map(Self::seconds)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        let (n, unit) = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")]
            .into_iter()
            .find(|(size, _)| ms > 0 && ms.is_multiple_of(*size))
            .map_or((ms, if ms == 0 { "s" } else { "ms" }), |(size, unit)| (ms / size, unit));
        write!(f, "{n}{unit}")
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| {
            D::Error::custom(format!("`{text}` is no duration; write a number and ms, s, m, h or d, such as \"5s\""))
        })
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn a_duration_reads_as_it_is_written() {
        for text in ["250ms", "5s", "2m", "3h", "7d", "0s", "1500ms"] {
            assert_eq!(Span::parse(text).map(|s| s.to_string()).as_deref(), Some(text));
        }
        for text in ["", "5", "s", "5 s", "-1s", "5w", "99999999999999999999s"] {
            assert_eq!(Span::parse(text), None, "{text}");
        }
    }
}
