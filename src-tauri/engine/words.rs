//! Sentences for people, kept as a code and its parameters and rendered late, so that the history reads in either language.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A language of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Lang {
    /// The language that an `Accept-Language` header asks for first among those we have.
    #[must_use]
    pub fn from_header(header: &str) -> Self {
        header
            .split(',')
            .map(|part| part.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
            .find_map(|tag| match tag.split('-').next() {
                Some("zh") => Some(Self::ZhCn),
                Some("en") => Some(Self::En),
                _ => None,
            })
            .unwrap_or_default()
    }

    /// The language tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::ZhCn => "zh-CN",
        }
    }
}

type Catalogue = BTreeMap<String, String>;

static EN: LazyLock<Catalogue> = LazyLock::new(|| read(include_str!("words/en.json")));
static ZH_CN: LazyLock<Catalogue> = LazyLock::new(|| read(include_str!("words/zh-CN.json")));

/// The catalogues are part of the program; a test reads both.
fn read(text: &str) -> Catalogue {
    serde_json::from_str(text).unwrap_or_default()
}

/// A sentence: a code of the catalogue and what is put into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Key of the catalogue.
    pub code: String,
    /// Values for the places in braces.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, Value>,
}

impl Sentence {
    /// A sentence without parameters.
    #[must_use]
    pub fn new(code: &str) -> Self {
        Self { code: code.into(), with: BTreeMap::new() }
    }

    /// Puts a value in.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with.insert(name.into(), value.into());
        self
    }

    /// Words that a person or a remote said, shown as they are.
    #[must_use]
    pub fn quoted(text: &str) -> Self {
        Self::new("quoted").with("text", text)
    }

    /// The sentence in a language.
    #[must_use]
    pub fn render(&self, lang: Lang) -> String {
        let catalogue = match lang {
            Lang::En => &*EN,
            Lang::ZhCn => &*ZH_CN,
        };
        let Some(template) = catalogue.get(&self.code).or_else(|| EN.get(&self.code)) else {
            return self.code.clone();
        };
        let mut text = String::with_capacity(template.len() + 32);
        let mut rest = template.as_str();
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}') else { break };
            text.push_str(&rest[..open]);
            match self.with.get(&rest[open + 1..open + close]) {
                Some(Value::String(value)) => text.push_str(value),
                Some(Value::Object(nested)) => text.push_str(&within(nested, lang)),
                Some(Value::Array(values)) => text.push_str(&listed(values, lang)),
                Some(value) => text.push_str(&value.to_string()),
                None => text.push('?'),
            }
            rest = unstopped(&text, &rest[open + close + 1..]);
        }
        text.push_str(rest);
        text
    }
}

/// What follows a value, without its full stop where the value has brought one.
fn unstopped<'a>(text: &str, rest: &'a str) -> &'a str {
    let ended = text.ends_with(['.', '!', '?', '\u{3002}']);
    rest.strip_prefix(['.', '\u{3002}']).filter(|_| ended).unwrap_or(rest)
}

/// A sentence inside a sentence.
fn within(nested: &serde_json::Map<String, Value>, lang: Lang) -> String {
    Sentence::deserialize(nested)
        .map_or_else(|_| Value::from(nested.clone()).to_string(), |sentence| sentence.render(lang))
}

impl From<&str> for Sentence {
    /// Words for programs and their makers, the same in every language.
    fn from(text: &str) -> Self {
        Self::quoted(text)
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self::quoted(&text)
    }
}

impl From<Sentence> for Value {
    fn from(sentence: Sentence) -> Self {
        serde_json::json!(sentence)
    }
}

fn listed(values: &[Value], lang: Lang) -> String {
    if values.is_empty() {
        return Sentence::new("nobody").render(lang);
    }
    let words: Vec<_> = values.iter().map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect();
    words.join(match lang {
        Lang::En => ", ",
        Lang::ZhCn => "、",
    })
}

/// Makes a sentence: `say!("checks.look", pipeline = 812, sha = "3f2a91c")`.
#[macro_export]
macro_rules! say {
    ($code:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::Sentence::new($code)$(.with(stringify!($name), $value))*
    };
}

/// The first seven characters of a sha, as people read it.
#[must_use]
pub fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}

/// A moment as people read it, in UTC to the minute.
#[must_use]
pub fn minute(at: i64) -> String {
    let time = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default();
    time.format("%Y-%m-%d %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::{Catalogue, EN, Lang, ZH_CN};

    fn places(text: &str) -> Vec<&str> {
        let mut names: Vec<_> = text.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn both_languages_say_the_same_things() {
        let keys = |c: &Catalogue| c.keys().cloned().collect::<Vec<_>>();
        assert!(EN.len() > 20);
        assert_eq!(keys(&EN), keys(&ZH_CN));
        for (key, text) in EN.iter() {
            assert_eq!(places(text), places(&ZH_CN[key]), "{key}");
        }
    }

    #[test]
    fn a_sentence_inside_a_sentence_brings_its_own_full_stop() {
        let why = say!("quoted", text = "The health check failed.");
        assert_eq!(
            say!("deploy.failed", iid = 7, why = why).render(Lang::En),
            "The deploy of !7 failed: The health check failed. The change is merged; a later successful deploy makes it effective."
        );
        assert!(say!("deploy.failed", iid = 7, why = "no reason").render(Lang::En).contains("no reason. The change"));
    }

    #[test]
    fn an_empty_list_of_people_is_nobody() {
        assert_eq!(
            say!("approve.all", who = Vec::<String>::new(), sha = "3f2a91c").render(Lang::En),
            "nobody approved 3f2a91c."
        );
    }

    #[test]
    fn the_first_language_we_have_wins() {
        assert_eq!(Lang::from_header("fr, zh-TW;q=0.9, en;q=0.8"), Lang::ZhCn);
        assert_eq!(Lang::from_header(""), Lang::En);
        assert_eq!(say!("quoted", text = "ok").render(Lang::ZhCn), "ok");
    }
}
