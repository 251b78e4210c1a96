//! Closing the window, quitting, and being told to end: whichever way, the engine is stopped before the process ends.

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::{AppHandle, Manager, RunEvent, WindowEvent};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons};

use crate::host::Host;
use crate::pump;
use crate::words::Language;
use crate::{tray, window};

/// Its presence says that the person was told about the tray.
const TOLD_FILE: &str = ".told-about-tray";

/// Whether a question about it is on the screen, whether the engine is being stopped, and whether it has been.
#[derive(Default)]
pub(crate) struct Ending {
    asking: AtomicBool,
    begun: AtomicBool,
    done: AtomicBool,
}

/// Every event that has to do with an end.
pub(crate) fn on_event(app: &AppHandle, event: RunEvent) {
    match event {
        RunEvent::WindowEvent { event: WindowEvent::CloseRequested { api, .. }, .. } => {
            api.prevent_close();
            let app = app.clone();
            tauri::async_runtime::spawn_blocking(move || close(&app));
        }
        RunEvent::ExitRequested { api, .. } if !app.state::<Ending>().done.load(Ordering::SeqCst) => {
            api.prevent_exit();
            end(app);
        }
        RunEvent::Exit if !app.state::<Ending>().done.load(Ordering::SeqCst) => {
            tauri::async_runtime::block_on(app.state::<Host>().stop());
        }
        _ => {}
    }
}

/// Asks first when requests are in flight; ends the app otherwise.
pub(crate) fn ask_to_quit(app: &AppHandle) {
    if app.state::<Ending>().asking.swap(true, Ordering::SeqCst) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let in_flight = match app.state::<Host>().engine() {
            Some(engine) => pump::counts(&engine).await.in_flight,
            None => 0,
        };
        let words = app.state::<Language>().words();
        if in_flight == 0 {
            end(&app);
            return;
        }
        let asked = app.clone();
        app.dialog()
            .message(words.in_flight(in_flight))
            .title("Signalbox")
            .buttons(MessageDialogButtons::OkCancelCustom(words.quit.into(), words.stay.into()))
            .show(move |quit| {
                asked.state::<Ending>().asking.store(false, Ordering::SeqCst);
                if quit {
                    end(&asked);
                }
            });
    });
}

/// Ends the app when the process is told to: SIGTERM and SIGINT, without a question.
pub(crate) async fn end_on_signal(app: AppHandle) {
    if let Err(error) = signalled().await {
        tracing::warn!(%error, "signals cannot be heard; the app ends by its menu only");
        return;
    }
    tracing::info!("told to end");
    end(&app);
}

#[cfg(unix)]
async fn signalled() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn signalled() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// Stays in the tray where there is one, and says so the first time; quits where there is none.
fn close(app: &AppHandle) {
    if !tray::is_seen(app) {
        ask_to_quit(app);
        return;
    }
    let told = app.state::<Host>().place().data_dir.join(TOLD_FILE);
    if told.exists() {
        window::hide(app);
        return;
    }
    if app.state::<Ending>().asking.swap(true, Ordering::SeqCst) {
        return;
    }
    let words = app.state::<Language>().words();
    let asked = app.clone();
    app.dialog()
        .message(words.in_tray)
        .title("Signalbox")
        .buttons(MessageDialogButtons::OkCustom(words.understood.into()))
        .show(move |_| {
            asked.state::<Ending>().asking.store(false, Ordering::SeqCst);
            if let Err(error) = std::fs::write(&told, "") {
                tracing::warn!(%error, "will tell about the tray again");
            }
            window::hide(&asked);
        });
}

/// Hides the window, stops the engine, and lets the process end with code 0. Once begun, it is not begun again.
fn end(app: &AppHandle) {
    if app.state::<Ending>().begun.swap(true, Ordering::SeqCst) {
        return;
    }
    window::hide(app);
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        app.state::<Host>().stop().await;
        app.state::<Ending>().done.store(true, Ordering::SeqCst);
        tracing::info!("stopped");
        app.exit(0);
    });
}
