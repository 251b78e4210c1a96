//! Signalbox on the desktop: one window and a tray icon around the engine. What is decided is decided in the engine; here
//! are only the window, the tray, the start and the end.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

use tauri::Manager;

use crate::arguments::{Arguments, Instead};
use crate::host::Host;
use crate::place::Place;
use crate::window::FirstShow;

mod arguments;
mod closing;
mod commands;
mod display;
mod host;
mod links;
mod log;
mod open;
mod place;
mod pump;
mod restore;
mod save;
mod tray;
mod window;
mod words;

fn main() -> ExitCode {
    let arguments = match arguments::read(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(instead) => return print(&instead),
    };
    display::avoid_blank_window();
    if let Err(code) = display::require() {
        return code;
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("signalbox: the window could not be made: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(instead: &Instead) -> ExitCode {
    match instead {
        Instead::Help => print!("{}", arguments::USAGE),
        Instead::Version => println!("signalbox {}", env!("CARGO_PKG_VERSION")),
        Instead::Refuse(sentence) => {
            eprint!("signalbox: {sentence}\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { data_dir, config, minimised } = arguments;
    let own_place = data_dir.is_some();
    let place = Place::new(data_dir, config);
    log::start(&place.data_dir);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().worker_threads(4).build()?;
    tauri::async_runtime::set(runtime.handle().clone());

    let context = tauri::generate_context!();
    let mut instance = tauri_plugin_single_instance::Builder::new().callback(|app, _, _| window::show(app));
    if own_place {
        // Another data directory is another app: it must not be sent away by the one that is running.
        instance = instance.dbus_id(format!("{}.d{:016x}", context.config().identifier, fingerprint(&place)));
    }
    let remembered = tauri_plugin_window_state::Builder::new()
        .with_state_flags(window::remembered())
        .with_filename(place.data_dir.join("window.json").to_string_lossy())
        .skip_initial_state(window::LABEL)
        .build();

    let app = tauri::Builder::default()
        .plugin(instance.build())
        .plugin(remembered)
        .plugin(tauri_plugin_dialog::init())
        .manage(words::Language::of_session())
        .manage(tray::Tray::default())
        .manage(window::Shown::default())
        .manage(closing::Ending::default())
        .manage(Host::new(place.clone()))
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::start_state,
            commands::start_practice,
            commands::pick_backup,
            commands::restore_backup,
            commands::save_evidence,
            commands::open_url
        ])
        .build(context)?;
    let handle = app.handle();
    tray::create(handle);
    let first = match minimised {
        false => FirstShow::Shown,
        true if tray::is_seen(handle) => FirstShow::InTray,
        true => FirstShow::Minimised,
    };
    window::create(handle, &place, first)?;
    runtime.spawn(pump::run(handle.clone(), app.state::<Host>().stages()));
    runtime.spawn(closing::end_on_signal(handle.clone()));
    let starting = handle.clone();
    runtime.spawn(async move { starting.state::<Host>().start().await });
    app.run(closing::on_event);
    Ok(())
}

fn fingerprint(place: &Place) -> u64 {
    let mut hasher = DefaultHasher::new();
    place.data_dir.hash(&mut hasher);
    hasher.finish()
}
