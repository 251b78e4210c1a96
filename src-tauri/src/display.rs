//! What has to be true of the display before a window toolkit is touched.

use std::process::{Command, ExitCode};

/// Said, with exit code 2, when there is nothing to show a window on.
const NO_DISPLAY: &str = "signalbox: no display answers here, so no window can be shown; \
     use `make serve` and open the address it prints in a browser";

/// Starts this program again with WebKit's DMABUF renderer off when the machine has no GPU to render on: some WebKitGTK
/// builds show a blank window there. Returns when nothing had to be changed, or when it could not be.
#[cfg(target_os = "linux")]
pub(crate) fn avoid_blank_window() {
    use std::os::unix::process::CommandExt;

    const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if std::env::var_os(SWITCH).is_some() || has_render_node() {
        return;
    }
    // The environment of a running process cannot be changed safely, so the same process becomes a fresh one.
    if let Ok(program) = std::env::current_exe() {
        let error = Command::new(program).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
        eprintln!("signalbox: could not start again with {SWITCH}=1 ({error}); going on without it");
    }
}

#[cfg(target_os = "linux")]
fn has_render_node() -> bool {
    let Ok(nodes) = std::fs::read_dir("/dev/dri") else { return false };
    nodes.flatten().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

/// Exit code 2 and a sentence when no display answers.
#[cfg(target_os = "linux")]
pub(crate) fn require() -> Result<(), ExitCode> {
    gtk::init().map_err(|_| {
        eprintln!("{NO_DISPLAY}");
        ExitCode::from(2)
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn avoid_blank_window() {}

#[cfg(not(target_os = "linux"))]
pub(crate) fn require() -> Result<(), ExitCode> {
    Ok(())
}
