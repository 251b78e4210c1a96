//! Builds the adapters that the settings name. Nothing is sent.

use std::{path::Path, sync::Arc};

use arc_swap::ArcSwap;
use serde_json::Value;
use signalbox_engine::{
    adapters::{approval_http::HttpApprovalDesk, gitlab::GitLabForge},
    ports::{approval::ApprovalDesk, forge::Forge, secrets::Secrets},
    settings::{ApprovalAdapter, Settings},
};

/// The forge. Err is a sentence.
pub(crate) fn forge(settings: &Arc<ArcSwap<Settings>>, secrets: &Arc<dyn Secrets>) -> Result<Arc<dyn Forge>, String> {
    let switches = Arc::clone(settings);
    let approve_api = Arc::new(move || switches.load().flow.approve_api);
    let forge = GitLabForge::new(&settings.load().gitlab, Arc::clone(secrets), approve_api);
    forge.map(|forge| Arc::new(forge) as Arc<dyn Forge>).map_err(|error| error.to_string())
}

/// The approval system. Err is a sentence.
pub(crate) fn approval(settings: &Settings, secrets: &Arc<dyn Secrets>) -> Result<Arc<dyn ApprovalDesk>, String> {
    let word = match settings.approval.adapter {
        ApprovalAdapter::Http => {
            let desk = HttpApprovalDesk::new(&settings.approval, Arc::clone(secrets));
            return desk.map(|desk| Arc::new(desk) as Arc<dyn ApprovalDesk>).map_err(|error| error.to_string());
        }
        ApprovalAdapter::Desk => "desk",
        ApprovalAdapter::Lark => "lark",
    };
    Err(format!("The setting `approval.adapter` is \"{word}\", which this build does not have. Set it to \"http\"."))
}

/// Where the practice remotes of this folder are, when the settings lead to them: `{gitlab_url, desk_url, panel_url}`.
pub(crate) fn practice(settings: &Settings, folder: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(folder.join("sandbox").join("urls.json")).ok()?;
    let urls: Value = serde_json::from_str(&text).ok()?;
    (urls["gitlab_url"] == settings.gitlab.url.trim_end_matches('/')).then_some(urls)
}
