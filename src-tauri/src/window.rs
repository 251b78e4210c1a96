//! The one window: made hidden, shown when the page has loaded, titled with what needs attention.

use std::time::Duration;

use tauri::utils::config::Color;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{AppHandle, Manager, Theme, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use tauri_plugin_window_state::{StateFlags, WindowExt};

use crate::place::Place;

pub(crate) const LABEL: &str = "main";
const FIRST_SIZE: (f64, f64) = (1440.0, 900.0);
const LEAST_SIZE: (f64, f64) = (1024.0, 680.0);
/// A page that has not loaded by then is shown as it is: a blank window can at least be closed.
const SHOW_AT_LATEST: Duration = Duration::from_secs(3);
/// The ground of the page in light and dark, so that the window never flashes white before the first paint.
const LIGHT_GROUND: Color = Color(0xec, 0xee, 0xe9, 0xff);
const DARK_GROUND: Color = Color(0x0e, 0x13, 0x11, 0xff);

/// How the window comes up once the page has loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstShow {
    Shown,
    Minimised,
    InTray,
}

/// What of the window is remembered; visibility is ours to decide.
pub(crate) fn remembered() -> StateFlags {
    StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN
}

/// Makes the window, hidden, and lets it load the page.
pub(crate) fn create(app: &AppHandle, place: &Place, first: FirstShow) -> tauri::Result<()> {
    // Drafts, filters and the language live there. Where nothing can be kept, the window still opens to say so.
    let memory = match place.prepare() {
        Ok(()) => place.data_dir.join("webview"),
        Err(_) => std::env::temp_dir().join(format!("signalbox-{}", std::process::id())),
    };
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .title("Signalbox")
        .inner_size(FIRST_SIZE.0, FIRST_SIZE.1)
        .min_inner_size(LEAST_SIZE.0, LEAST_SIZE.1)
        .prevent_overflow()
        .visible(false)
        .data_directory(memory)
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_page_load(move |window, load| {
            if load.event() == PageLoadEvent::Finished {
                come_up(&window, first);
            }
        })
        .build()?;
    let ground = if matches!(window.theme(), Ok(Theme::Dark)) { DARK_GROUND } else { LIGHT_GROUND };
    window.set_background_color(Some(ground))?;
    window.restore_state(remembered())?;
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SHOW_AT_LATEST).await;
        come_up(&window, first);
    });
    Ok(())
}

/// Shows the window and gives it the keyboard.
pub(crate) fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// Hides the window; the engine goes on.
pub(crate) fn hide(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL)
        && let Err(error) = window.hide()
    {
        tracing::warn!(%error, "the window could not be hidden");
    }
}

/// Puts what needs attention before the name, where a narrow task bar still shows it.
pub(crate) fn set_title(app: &AppHandle, attention: Option<String>) {
    let title = attention.map_or_else(|| "Signalbox".to_owned(), |text| format!("{text} · Signalbox"));
    if let Some(window) = app.get_webview_window(LABEL)
        && let Err(error) = window.set_title(&title)
    {
        tracing::warn!(%error, "the title could not be set");
    }
}

/// The first show only: a page that is loaded again must not pull a hidden window back.
fn come_up(window: &WebviewWindow, first: FirstShow) {
    let seen = window.state::<Shown>();
    if seen.0.swap(true, std::sync::atomic::Ordering::Relaxed) {
        return;
    }
    let outcome = match first {
        FirstShow::Shown => window.show().and_then(|()| window.set_focus()),
        FirstShow::Minimised => window.show().and_then(|()| window.minimize()),
        FirstShow::InTray => Ok(()),
    };
    if let Err(error) = outcome {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// Whether the window has come up once.
#[derive(Default)]
pub(crate) struct Shown(std::sync::atomic::AtomicBool);

/// The page lives under the app's own scheme; nothing else may ever load in this window.
fn is_own_page(url: &Url) -> bool {
    matches!((url.scheme(), url.host_str()), ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")))
        || url.as_str() == "about:blank"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_never_leaves_its_own_page() {
        for (address, own) in [
            ("tauri://localhost/requests/op_1", true),
            ("http://tauri.localhost/", true),
            ("https://example.com/", false),
            ("http://tauri.localhost.example.com/", false),
            ("file:///etc/passwd", false),
        ] {
            assert_eq!(is_own_page(&Url::parse(address).unwrap()), own, "{address}");
        }
    }
}
