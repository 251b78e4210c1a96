//! The tray icon: what needs attention, Show, Quit. Never needed: without a tray, closing the window ends the app.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use tauri::menu::{Menu, MenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager, Wry, include_image};

use crate::words::{Language, Words};
use crate::{closing, window};

const ID: &str = "main";

/// The parts of the tray that change, and the count they show.
#[derive(Default)]
pub(crate) struct Tray {
    menu: std::sync::OnceLock<(MenuItem<Wry>, MenuItem<Wry>)>,
    attention: AtomicU64,
}

/// Makes the tray icon. A desktop without one is no fault: it is logged, and closing will end the app.
pub(crate) fn create(app: &AppHandle) {
    // The library behind the icon is loaded on first use, and its binding panics when there is none.
    match catch_unwind(AssertUnwindSafe(|| build(app))) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "no tray icon; closing the window will end the app"),
        Err(_) => tracing::warn!("no tray library on this system; closing the window will end the app"),
    }
}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let words = app.state::<Language>().words();
    let show = MenuItem::with_id(app, "show", words.show, true, None::<&str>)?;
    let quit = MenuItem::with_id(app, "quit", words.quit, true, None::<&str>)?;
    TrayIconBuilder::with_id(ID)
        .icon(include_image!("icons/tray.png"))
        .tooltip("Signalbox")
        .menu(&Menu::with_items(app, &[&show, &quit])?)
        .on_menu_event(|app, event| match event.id().as_ref() {
            "show" => window::show(app),
            "quit" => closing::ask_to_quit(app),
            _ => {}
        })
        .build(app)?;
    // A second tray is never made, so the cell is empty here.
    let _ = app.state::<Tray>().menu.set((show, quit));
    Ok(())
}

/// Shows how many requests need attention: in the icon, its menu and the window's title.
pub(crate) fn set_attention(app: &AppHandle, count: u64) {
    if app.state::<Tray>().attention.swap(count, Ordering::Relaxed) != count {
        relabel(app);
    }
}

/// Writes every text again, after the count or the language changed.
pub(crate) fn relabel(app: &AppHandle) {
    let words = app.state::<Language>().words();
    let attention = words.attention(app.state::<Tray>().attention.load(Ordering::Relaxed));
    window::set_title(app, attention.clone());
    if let Err(error) = relabel_icon(app, words, attention) {
        tracing::warn!(%error, "the tray could not be updated");
    }
}

fn relabel_icon(app: &AppHandle, words: &Words, attention: Option<String>) -> tauri::Result<()> {
    let (Some(icon), tray) = (app.tray_by_id(ID), app.state::<Tray>()) else { return Ok(()) };
    let image =
        if attention.is_some() { include_image!("icons/tray-attention.png") } else { include_image!("icons/tray.png") };
    icon.set_icon(Some(image))?;
    icon.set_tooltip(Some(attention.as_deref().unwrap_or("Signalbox")))?;
    if let Some((show, quit)) = tray.menu.get() {
        show.set_text(attention.map_or_else(|| words.show.to_owned(), |text| format!("{} ({text})", words.show)))?;
        quit.set_text(words.quit)?;
    }
    Ok(())
}

/// Whether the person can see the icon now: it was made, and the desktop shows such icons.
pub(crate) fn is_seen(app: &AppHandle) -> bool {
    app.tray_by_id(ID).is_some() && desktop_shows_trays()
}

#[cfg(target_os = "linux")]
fn desktop_shows_trays() -> bool {
    let asked = || -> zbus::Result<bool> {
        let bus = zbus::blocking::Connection::session()?;
        let bus = zbus::blocking::fdo::DBusProxy::new(&bus)?;
        let watcher = zbus::names::BusName::try_from("org.kde.StatusNotifierWatcher")?;
        Ok(bus.name_has_owner(watcher)?)
    };
    asked().unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
fn desktop_shows_trays() -> bool {
    true
}
