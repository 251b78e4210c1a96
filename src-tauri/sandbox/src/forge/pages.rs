//! Lists come in pages, with GitLab's headers.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::answer::{Answer, Refuse, ok, set_header};
use super::call::Call;

/// The part of a list that was asked for.
pub(crate) struct Page {
    pub(crate) page: usize,
    pub(crate) per: usize,
}

impl Page {
    pub(crate) fn of(call: &Call) -> Result<Self, Refuse> {
        let number = |name: &'static str, default: usize| match call.asked(name) {
            None | Some("") => Ok(default),
            Some(text) => text.parse::<usize>().map_err(|_| Refuse::error(400, format!("{name} is invalid"))),
        };
        Ok(Self { page: number("page", 1)?.max(1), per: number("per_page", 20)?.clamp(1, 100) })
    }

    pub(crate) fn slice<'a, T>(&self, items: &'a [T]) -> &'a [T] {
        let from = (self.page - 1).saturating_mul(self.per).min(items.len());
        &items[from..(from + self.per).min(items.len())]
    }

    /// The answer for the shown part of `total` items.
    pub(crate) fn answer(&self, call: &Call, shown: Vec<Value>, total: usize) -> Answer {
        let pages = total.div_ceil(self.per).max(1);
        let page = self.page;
        let near = |there: bool, number: usize| if there { number.to_string() } else { String::new() };
        let mut links = Vec::new();
        if page > 1 {
            links.push(self.link(call, page - 1, "prev"));
        }
        if page < pages {
            links.push(self.link(call, page + 1, "next"));
        }
        links.push(self.link(call, 1, "first"));
        links.push(self.link(call, pages, "last"));
        let mut response = ok(200, Value::Array(shown))?;
        let mut set = |name, value: String| set_header(&mut response, name, &value);
        set("x-page", page.to_string());
        set("x-per-page", self.per.to_string());
        set("x-prev-page", near(page > 1, page.saturating_sub(1)));
        set("x-next-page", near(page < pages, page + 1));
        set("x-total", total.to_string());
        set("x-total-pages", pages.to_string());
        set("link", links.join(", "));
        Ok(response)
    }

    fn link(&self, call: &Call, page: usize, relation: &str) -> String {
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let kept =
            call.query.iter().filter(|(name, _)| !matches!(name.as_str(), "page" | "per_page" | "private_token"));
        let mut query: Vec<String> = kept.map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        query.push(format!("page={page}"));
        query.push(format!("per_page={}", self.per));
        format!("<{}{}?{}>; rel=\"{relation}\"", call.world.urls().gitlab, call.path, query.join("&"))
    }
}

/// A page of a list that is at hand as a whole.
pub(crate) fn paged(call: &Call, items: &[Value]) -> Answer {
    let page = Page::of(call)?;
    page.answer(call, page.slice(items).to_vec(), items.len())
}
