//! Lists, page by page to the end. The number of the next page is followed, never the `Link` header: its host may not be ours.

use serde::de::DeserializeOwned;

use super::GitLabForge;
use crate::{
    adapters::{ask::Ask, classify::Fault, http::Answer, path},
    ports::{
        error::{ErrorClass, RemoteResult},
        journal::Scope,
    },
};

/// The largest page that GitLab gives.
const PAGE: &str = "100";
/// No list we need is longer than this many pages.
const PAGES: u64 = 100;

impl GitLabForge {
    /// All items of a list below a project; `tail` begins with a slash, `query` without paging.
    pub(super) async fn list<W: DeserializeOwned + Send>(
        &self,
        scope: &Scope,
        project: &str,
        tail: &str,
        query: &[(&str, &str)],
    ) -> RemoteResult<Vec<W>> {
        let mut all = Vec::new();
        let mut page = 1;
        loop {
            let number = page.to_string();
            let paging = [query, &[("per_page", PAGE), ("page", &number)]].concat();
            let ask = |id: u64| Ask::get(&self.bot, path::with_query(&format!("/api/v4/projects/{id}{tail}"), &paging));
            let read = |answer: &Answer| {
                let items: Vec<W> = answer.json()?;
                let next = next_page(answer, page, items.len())?;
                Ok((items, next))
            };
            let (items, next) = self.act(scope, project, ask, read).await?;
            all.extend(items);
            match next {
                None => return Ok(all),
                Some(next) if next <= PAGES => page = next,
                Some(_) => {
                    let text = format!("the list {tail} has more than {PAGES} pages and was not read to its end");
                    return Err(self.remote.fail(&self.bot, None, Fault::new(ErrorClass::Terminal, text)));
                }
            }
        }
    }
}

fn next_page(answer: &Answer, page: u64, items: usize) -> Result<Option<u64>, String> {
    match answer.header("x-next-page") {
        Some("") => Ok(None),
        Some(text) => match text.parse() {
            Ok(next) if next > page => Ok(Some(next)),
            _ => Err(format!("answered with page {page} and named `{text}` as the page after it")),
        },
        // A proxy may drop the header; only a page that is not full is then surely the last.
        None => Ok((items.to_string() == PAGE).then_some(page + 1)),
    }
}
