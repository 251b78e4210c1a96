//! Links out of the window: only web addresses, and only to hosts that the settings or the practice remotes name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tauri::Url;

use crate::host::Host;
use crate::open::{Call, Open};

/// Opens `address` in the person's browser, or says why not.
pub(crate) async fn open(host: &Host, address: &str) -> Result<(), String> {
    let url = Url::parse(address).map_err(|error| format!("{address} is not an address: {error}."))?;
    let target = origin(&url).ok_or_else(|| format!("{address} is not a web address, so it is not opened."))?;
    let engine = host.engine().ok_or("The engine is not running, so no link is known to be safe.")?;
    if !known_origins(&engine).await.contains(&target) {
        return Err(format!("{target} is not one of the remotes in the settings, so {address} is not opened."));
    }
    open::that_detached(url.as_str()).map_err(|error| format!("No browser could be started for {address}: {error}."))
}

/// The host, with the port only on this machine: there, different ports are different programs.
fn origin(url: &Url) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let host = url.host_str()?;
    let here = host == "localhost" || host == "[::1]" || host.starts_with("127.");
    Some(if here { format!("{host}:{}", url.port_or_known_default()?) } else { host.to_owned() })
}

async fn known_origins(engine: &Open) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for path in ["/api/v1/settings", "/api/v1/status"] {
        let call =
            Call { method: "GET".into(), path: path.into(), query: BTreeMap::new(), body: None, lang: "en".into() };
        if let Ok(body) = serde_json::from_str(&engine.call(call).await.body) {
            collect(&body, &mut known);
        }
    }
    known
}

/// Every web address anywhere in the answer; settings and status hold no text from outside.
fn collect(value: &Value, known: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => known.extend(Url::parse(text).ok().as_ref().and_then(origin)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, known)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, known)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(address: &str) -> Option<String> {
        origin(&Url::parse(address).unwrap())
    }

    #[test]
    fn only_plain_web_addresses_have_an_origin() {
        assert_eq!(of("https://gitlab.example.com/a/b/-/merge_requests/7"), Some("gitlab.example.com".into()));
        for refused in
            ["file:///etc/passwd", "javascript:alert(1)", "https://user:pw@gitlab.example.com/", "mailto:a@b.c"]
        {
            assert_eq!(of(refused), None, "{refused}");
        }
    }

    #[test]
    fn on_this_machine_the_port_counts_too() {
        assert_eq!(of("http://127.0.0.1:8929/x"), Some("127.0.0.1:8929".into()));
        assert_ne!(of("http://localhost:1/"), of("http://localhost:2/"));
        assert_eq!(of("http://gitlab.example.com:8080/"), of("https://gitlab.example.com/"));
    }

    #[test]
    fn the_settings_name_the_hosts() {
        let settings = json!({"gitlab": {"url": "https://gitlab.example.com"}, "platform": [{"url": "http://10.0.0.7:90"}], "operator": {"name": "ops"}});
        let mut known = BTreeSet::new();
        collect(&settings, &mut known);
        assert_eq!(known, BTreeSet::from(["10.0.0.7".into(), "gitlab.example.com".into()]));
    }
}
