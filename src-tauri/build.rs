//! Names the commands that the page may call, and builds again when the built UI changes.

fn main() {
    println!("cargo:rerun-if-changed=../ui/dist");
    const COMMANDS: [&str; 7] =
        ["call", "start_state", "start_practice", "pick_backup", "restore_backup", "save_evidence", "open_url"];
    let attributes = tauri_build::Attributes::new().app_manifest(tauri_build::AppManifest::new().commands(&COMMANDS));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error={error:#}");
    }
}
