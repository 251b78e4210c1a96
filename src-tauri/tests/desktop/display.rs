//! The display as a window manager sees it.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, MapState};
use x11rb::rust_connection::RustConnection;

const ANSWERS: &str = "the display answers";

/// A window of the display.
pub(crate) type Window = u32;

/// A connection to the display that `.ci/window` made.
pub(crate) struct Display {
    connection: RustConnection,
    root: Window,
}

impl Display {
    pub(crate) fn connect() -> Self {
        let (connection, screen) = x11rb::connect(None).expect("a display answers, see .ci/window");
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    /// The windows of a process that can be seen now.
    pub(crate) fn windows_of(&self, process: u32) -> Vec<Window> {
        let mut windows = self.windows();
        windows.retain(|window| self.process(*window) == Some(process));
        windows
    }

    /// The windows whose title holds these words and that can be seen now.
    pub(crate) fn windows_titled(&self, words: &str) -> Vec<Window> {
        let mut windows = self.windows();
        windows.retain(|window| self.title(*window).contains(words));
        windows
    }

    fn windows(&self) -> Vec<Window> {
        let tree = self.connection.query_tree(self.root).ok().and_then(|cookie| cookie.reply().ok());
        let mut windows = tree.map(|tree| tree.children).unwrap_or_default();
        windows.retain(|window| self.is_seen(*window));
        windows
    }

    /// Takes a window off the display, as hiding it does.
    pub(crate) fn hide(&self, window: Window) {
        self.connection.unmap_window(window).and_then(|_| self.connection.flush()).expect(ANSWERS);
    }

    /// Asks a window to close, as its close button does.
    pub(crate) fn close(&self, window: Window) {
        let (protocols, close) = (self.atom("WM_PROTOCOLS"), self.atom("WM_DELETE_WINDOW"));
        let message = ClientMessageEvent::new(32, window, protocols, [close, x11rb::CURRENT_TIME, 0, 0, 0]);
        let sent = self.connection.send_event(false, window, EventMask::NO_EVENT, message);
        sent.and_then(|_| self.connection.flush()).expect(ANSWERS);
    }

    /// Whether a window with this title can be seen, as in a task bar.
    pub(crate) fn shows_title(&self, title: &str) -> bool {
        self.windows().into_iter().any(|window| self.title(window) == title)
    }

    fn title(&self, window: Window) -> String {
        let (name, text) = (self.atom("_NET_WM_NAME"), self.atom("UTF8_STRING"));
        let asked = self.connection.get_property(false, window, name, text, 0, 256);
        let reply = asked.ok().and_then(|cookie| cookie.reply().ok());
        reply.map(|reply| String::from_utf8_lossy(&reply.value).into_owned()).unwrap_or_default()
    }

    // A window can vanish between two questions about it, which is no fault of the test: it is not seen then.
    fn is_seen(&self, window: Window) -> bool {
        let reply = self.connection.get_window_attributes(window).ok().and_then(|cookie| cookie.reply().ok());
        reply.is_some_and(|attributes| attributes.map_state == MapState::VIEWABLE)
    }

    fn process(&self, window: Window) -> Option<u32> {
        let name = self.atom("_NET_WM_PID");
        let asked = self.connection.get_property(false, window, name, AtomEnum::CARDINAL, 0, 1);
        asked.ok()?.reply().ok()?.value32()?.next()
    }

    fn atom(&self, name: &str) -> u32 {
        let asked = self.connection.intern_atom(false, name.as_bytes()).expect(ANSWERS);
        asked.reply().expect(ANSWERS).atom
    }
}
