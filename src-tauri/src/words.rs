//! The few words that stand outside of the page: tray, title, two questions. English and Simplified Chinese.

use std::sync::atomic::{AtomicBool, Ordering};

/// Every text that the shell itself shows.
pub(crate) struct Words {
    pub(crate) show: &'static str,
    pub(crate) quit: &'static str,
    pub(crate) stay: &'static str,
    pub(crate) understood: &'static str,
    pub(crate) in_tray: &'static str,
    attention: fn(u64) -> String,
    in_flight: fn(u64) -> String,
}

impl Words {
    /// How many requests need somebody, or nothing when none does.
    pub(crate) fn attention(&self, count: u64) -> Option<String> {
        (count > 0).then(|| (self.attention)(count))
    }

    /// What quitting means while requests are on their way.
    pub(crate) fn in_flight(&self, count: u64) -> String {
        (self.in_flight)(count)
    }
}

static ENGLISH: Words = Words {
    show: "Show Signalbox",
    quit: "Quit",
    stay: "Stay",
    understood: "Understood",
    in_tray: "Signalbox keeps running in the tray, so that requests go on. To end it, choose Quit in the tray menu.",
    attention: |count| if count == 1 { "1 needs attention".into() } else { format!("{count} need attention") },
    in_flight: |count| {
        let subject = if count == 1 { "1 request is".into() } else { format!("{count} requests are") };
        format!(
            "{subject} in flight. Quitting is safe: each goes on from where it stands at the next start. \
             Until then nothing moves."
        )
    },
};

static CHINESE: Words = Words {
    show: "显示 Signalbox",
    quit: "退出",
    stay: "继续运行",
    understood: "知道了",
    in_tray: "Signalbox 会在托盘中继续运行，请求照常推进。要结束它，请在托盘菜单中选择“退出”。",
    attention: |count| format!("{count} 个请求需要处理"),
    in_flight: |count| {
        format!("有 {count} 个请求正在进行。现在退出是安全的：下次启动时各自从当前位置继续，在此之前不会推进。")
    },
};

/// The language of these words: that of the session at the start, later the one the page asks for.
pub(crate) struct Language(AtomicBool);

impl Language {
    /// From `LC_ALL`, `LC_MESSAGES` or `LANG`, in this order.
    pub(crate) fn of_session() -> Self {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
        Self(AtomicBool::new(named.is_some_and(|name| is_chinese(&name))))
    }

    /// Follows the page; true when that was a change.
    pub(crate) fn follow(&self, language: &str) -> bool {
        let chinese = is_chinese(language);
        self.0.swap(chinese, Ordering::Relaxed) != chinese
    }

    pub(crate) fn words(&self) -> &'static Words {
        if self.0.load(Ordering::Relaxed) { &CHINESE } else { &ENGLISH }
    }
}

fn is_chinese(language: &str) -> bool {
    language.to_ascii_lowercase().starts_with("zh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many_are_said_differently() {
        assert_eq!(ENGLISH.attention(0), None);
        assert_eq!(ENGLISH.attention(1).unwrap(), "1 needs attention");
        assert_eq!(ENGLISH.attention(8).unwrap(), "8 need attention");
        assert!(ENGLISH.in_flight(1).starts_with("1 request is in flight."));
    }

    #[test]
    fn the_page_decides_the_language() {
        let language = Language(AtomicBool::new(false));
        assert!(language.follow("zh-CN"));
        assert!(!language.follow("zh-CN"));
        assert_eq!(language.words().quit, "退出");
        assert!(language.follow("en"));
    }
}
