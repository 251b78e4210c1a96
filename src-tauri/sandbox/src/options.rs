//! How a sandbox is started.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// What a start may choose. The default listens on loopback, on the ports of the last run or any free ones.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address that all three listeners use.
    pub listen: IpAddr,
    /// The port of the GitLab look-alike; `None` takes the port of the last run where it is free, 0 any free one.
    pub gitlab_port: Option<u16>,
    /// The port of the approval desk, chosen in the same way.
    pub desk_port: Option<u16>,
    /// The port of the control panel, chosen in the same way.
    pub panel_port: Option<u16>,
    /// How long a pipeline takes, in seconds; fractions are allowed.
    pub pipeline_seconds: f64,
    /// How long after a merge the deploy calls back, in seconds; fractions are allowed.
    pub deploy_seconds: f64,
    /// Whether and after what time the desk approves by itself.
    pub auto_approve: Option<Duration>,
    /// Where deploy results are called back to; `None` learns it from the newest ticket.
    pub callback_base: Option<String>,
    /// The small delays that a real GitLab has.
    pub pace: Pace,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
            gitlab_port: None,
            desk_port: None,
            panel_port: None,
            pipeline_seconds: 6.0,
            deploy_seconds: 5.0,
            auto_approve: None,
            callback_base: None,
            pace: Pace::default(),
        }
    }
}

/// The delays between an act and its visible effect.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// A new merge request shows `preparing` for so long.
    pub prepare: Duration,
    /// A test for conflicts shows `checking` for so long.
    pub check: Duration,
    /// A pipeline becomes visible so long after the push.
    pub pipeline_appears: Duration,
    /// A rebase runs for at least so long.
    pub rebase: Duration,
    /// Approvals are looked through so long after a push.
    pub approvals_sync: Duration,
    /// The first wait before a callback is sent again; each further wait doubles, up to 30 s.
    pub callback_retry: Duration,
    /// So long a callback is held back for a later one when callbacks are reordered.
    pub reorder_hold: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            prepare: Duration::from_millis(600),
            check: Duration::from_millis(300),
            pipeline_appears: Duration::from_millis(800),
            rebase: Duration::from_millis(1200),
            approvals_sync: Duration::from_millis(1500),
            callback_retry: Duration::from_millis(500),
            reorder_hold: Duration::from_secs(6),
        }
    }
}
