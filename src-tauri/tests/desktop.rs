//! The true window: the built program, WebKit's own driver, a display without a screen. Run by `make test`, see `.ci/window`.

#[path = "desktop/app.rs"]
mod app;
#[path = "desktop/display.rs"]
mod display;
#[path = "desktop/hidden.rs"]
mod hidden;
#[path = "desktop/http.rs"]
mod http;
#[path = "desktop/page.rs"]
mod page;
#[path = "desktop/practice.rs"]
mod practice;
#[path = "desktop/restore.rs"]
mod restore;
#[path = "desktop/shell.rs"]
mod shell;
#[path = "desktop/stories.rs"]
mod stories;
#[path = "desktop/webdriver.rs"]
mod webdriver;
