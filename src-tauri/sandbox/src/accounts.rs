//! The people and robots of the practice remotes.

/// One account. Those with a token file can sign in; the others only stand in the history.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) id: u64,
    pub(crate) username: &'static str,
    pub(crate) name: &'static str,
    pub(crate) bot: bool,
    /// GitLab's access level in both projects: 30 developer, 40 maintainer.
    pub(crate) level: u64,
    /// The name of the token file under `secrets/`.
    pub(crate) secret: Option<&'static str>,
}

impl Account {
    pub(crate) fn email(&self) -> String {
        format!("{}@platform.example", self.username)
    }
}

/// The robot that opens and merges.
pub(crate) const BOT: &str = "signalbox-bot";
/// The person who acts by hand in the practice remotes.
pub(crate) const HANNA: &str = "hanna";

pub(crate) const ACCOUNTS: &[Account] = &[
    account(101, BOT, "Signalbox Bot", true, 40, Some("gitlab-bot")),
    account(102, "reviewer-a", "Reviewer A", true, 30, Some("gitlab-reviewer-a")),
    account(103, "reviewer-b", "Reviewer B", true, 30, Some("gitlab-reviewer-b")),
    account(104, HANNA, "Hanna Berg", false, 40, Some("gitlab-hanna")),
    account(105, "mei", "Mei Lin", false, 40, None),
    account(106, "otto", "Otto Nyberg", false, 30, None),
    account(107, "priya", "Priya Raman", false, 30, None),
    account(108, "tomas", "Tomáš Dvořák", false, 30, None),
];

const fn account(
    id: u64,
    username: &'static str,
    name: &'static str,
    bot: bool,
    level: u64,
    secret: Option<&'static str>,
) -> Account {
    Account { id, username, name, bot, level, secret }
}

/// The account with this user name; an unknown name is shown as Hanna, which cannot come from our own state.
pub(crate) fn by_name(username: &str) -> &'static Account {
    ACCOUNTS.iter().find(|account| account.username == username).unwrap_or(&ACCOUNTS[3])
}

/// A project of the practice remotes.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) id: u64,
    /// The first part of its switches.
    pub(crate) key: &'static str,
    pub(crate) path: &'static str,
    pub(crate) description: &'static str,
}

pub(crate) const PLACES: &[Place] = &[
    Place { id: 31, key: "config", path: "platform/config", description: "Quotas and feature flags of the platform" },
    Place { id: 32, key: "network", path: "platform/network", description: "Firewall rules, rolled out from main" },
];

/// The project with this number; the first where the number is not one of ours, which cannot come from our own state.
pub(crate) fn place(id: u64) -> &'static Place {
    PLACES.iter().find(|place| place.id == id).unwrap_or(&PLACES[0])
}

pub(crate) const DEFAULT_BRANCH: &str = "main";
