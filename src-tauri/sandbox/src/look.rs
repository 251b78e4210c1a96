//! The common look of the pages for people: one style sheet, no external files, light and dark.

use std::fmt::Write as _;

use axum::response::Html;

use crate::clock::{Millis, iso, now};
use crate::world::Urls;

const STYLE: &str = include_str!("look/style.css");
/// Refreshes what is shown every two seconds, unless somebody is typing or pointing at a control.
const REFRESH: &str = include_str!("look/refresh.js");

/// A whole page. `here` marks one of the three places in the navigation.
pub(crate) fn page(urls: &Urls, here: &str, title: &str, body: &str) -> Html<String> {
    let mut links = String::new();
    for (name, url) in [("Panel", &urls.panel), ("Approval desk", &urls.desk), ("GitLab", &urls.gitlab)] {
        let current = if name == here { " aria-current=\"page\"" } else { "" };
        let _ = write!(links, "<a href=\"{}/\"{current}>{name}</a>", escape(url));
    }
    Html(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · practice remotes</title><style>{STYLE}</style></head>\
         <body><header><strong>Practice remotes</strong><nav>{links}</nav></header>\
         <main id=\"main\"><h1>{title}</h1>{body}</main><script>{REFRESH}</script></body></html>\n",
        title = escape(title),
    ))
}

/// Text that stands in HTML or in an attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A moment as its age, with the full time behind it.
pub(crate) fn when(at: Millis) -> String {
    let seconds = (now() - at) / 1000;
    let age = match seconds {
        ..0 => format!("in {} s", -seconds),
        0..120 => format!("{seconds} s ago"),
        120..7200 => format!("{} min ago", seconds / 60),
        7200..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    };
    format!("<time datetime=\"{0}\" title=\"{0}\">{age}</time>", iso(at))
}

/// A state as a small label; its class gives the colour, its word the meaning.
pub(crate) fn mark(word: &str) -> String {
    let class = match word {
        "approved" | "merged" | "success" | "mergeable" | "effective" => "good",
        "rejected" | "failed" | "deploy failed" | "conflict" | "canceled" => "bad",
        "pending" | "running" | "opened" => "busy",
        _ => "quiet",
    };
    format!("<span class=\"mark {class}\">{}</span>", escape(word))
}

/// A sentence about what was just done, shown once at the top of a page.
pub(crate) fn notice(told: Option<&str>) -> String {
    let told = told.filter(|told| !told.is_empty());
    told.map(|told| format!("<p class=\"notice\" role=\"status\">{}</p>", escape(told))).unwrap_or_default()
}
