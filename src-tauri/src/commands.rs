//! The seven commands that the page may call. Everything else it asks for is refused by the capability file.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tauri::{AppHandle, Manager, State};
use tauri_plugin_dialog::DialogExt as _;
use tokio::sync::oneshot;

use crate::host::{Host, StartState};
use crate::links;
use crate::open::{Answer, Call};
use crate::restore::{Looked, Restored};
use crate::save;
use crate::tray;
use crate::window;
use crate::words::Language;

/// One call of the table under `/api/v1`, made as this window's operator. A refusal is an answer, not an error.
#[tauri::command]
pub(crate) async fn call(
    app: AppHandle,
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    body: Option<Value>,
    lang: String,
) -> Result<Answer, String> {
    if app.state::<Language>().follow(&lang) {
        tray::relabel(&app);
    }
    match app.state::<Host>().engine() {
        Some(engine) => Ok(engine.call(Call { method, path, query, body, lang }).await),
        None => Ok(not_running()),
    }
}

/// How the start ended: `first-run`, `ready` or `failed` with the reason and what to do.
#[tauri::command]
pub(crate) async fn start_state(host: State<'_, Host>) -> Result<StartState, String> {
    Ok(host.state().await)
}

/// Starts the practice remotes inside of the app; answers when the engine on them is ready.
#[tauri::command]
pub(crate) async fn start_practice(host: State<'_, Host>) -> Result<(), String> {
    host.practise().await
}

/// Lets the person choose a backup and looks into it; none when the person chose none.
#[tauri::command]
pub(crate) async fn pick_backup(app: AppHandle) -> Result<Option<Looked>, String> {
    let (answer, chosen) = oneshot::channel();
    let mut dialog = app.dialog().file().add_filter("Signalbox", &["db"]);
    if let Some(window) = app.get_webview_window(window::LABEL) {
        dialog = dialog.set_parent(&window);
    }
    dialog.pick_file(move |file| drop(answer.send(file)));
    let Some(file) = chosen.await.ok().flatten() else { return Ok(None) };
    let file = file.into_path().map_err(|error| format!("The file cannot be reached: {error}."))?;
    app.state::<Host>().choose(&file).await.map(Some)
}

/// Stops the engine, puts a backup in the place of its store, and starts it again. Takes one of the data directory's own
/// backups, or the one that the person chose last.
#[tauri::command]
pub(crate) async fn restore_backup(host: State<'_, Host>, file: String) -> Result<Restored, String> {
    host.restore(Path::new(&file)).await
}

/// Saves the evidence of a request in the folder of downloads; answers with the path of the file.
#[tauri::command]
pub(crate) async fn save_evidence(app: AppHandle, operation_id: String) -> Result<String, String> {
    save::evidence(&app, &operation_id).await
}

/// Opens an address in the person's browser, when it leads to a remote that the settings name.
#[tauri::command]
pub(crate) async fn open_url(host: State<'_, Host>, url: String) -> Result<(), String> {
    links::open(&host, &url).await
}

fn not_running() -> Answer {
    let problem = json!({
        "type": "about:blank",
        "title": "The engine is not running",
        "status": 503,
        "detail": "The engine of this window is not running yet, or was stopped.",
    });
    Answer { status: 503, content_type: "application/problem+json".into(), body: problem.to_string() }
}
