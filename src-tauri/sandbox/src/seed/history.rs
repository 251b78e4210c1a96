//! What happened in the practice repositories before today, step by step.

/// One commit of the past.
pub(super) struct Step {
    pub(super) days_ago: i64,
    pub(super) by: &'static str,
    pub(super) message: &'static str,
    pub(super) changes: &'static [Change],
}

pub(super) enum Change {
    /// A new file.
    Add(&'static str, &'static str),
    /// The first occurrence of a text in a file is replaced.
    Edit(&'static str, &'static str, &'static str),
}

use Change::{Add, Edit};

const fn step(days_ago: i64, by: &'static str, message: &'static str, changes: &'static [Change]) -> Step {
    Step { days_ago, by, message, changes }
}

const BILLING: &str = "quotas/billing.yaml";
const SEARCH: &str = "quotas/search.yaml";
const CHECKOUT: &str = "quotas/checkout.yaml";
const MEDIA: &str = "quotas/media.yaml";
const WEB: &str = "flags/web.json";
const MOBILE: &str = "flags/mobile.json";
const LOG: &str = "docs/review-log.md";

pub(super) const CONFIG: &[Step] = &[
    step(
        212,
        "hanna",
        "Begin the configuration repository\n\nQuotas move here from the wiki.\n",
        &[Add("README.md", include_str!("config/README.md")), Add(BILLING, include_str!("config/billing.yaml"))],
    ),
    step(211, "mei", "Add the quotas of search\n", &[Add(SEARCH, include_str!("config/search.yaml"))]),
    step(205, "mei", "Check every merge request\n", &[Add(".gitlab-ci.yml", include_str!("config/ci.yml"))]),
    step(198, "otto", "Add the quotas of checkout\n", &[Add(CHECKOUT, include_str!("config/checkout.yaml"))]),
    step(
        190,
        "priya",
        "Keep feature flags here too\n\nThe flag proxy reads this folder since this morning.\n",
        &[Add(WEB, include_str!("config/web.json"))],
    ),
    step(176, "hanna", "Say who looks at what\n", &[Add("CODEOWNERS", include_str!("config/CODEOWNERS"))]),
    step(161, "otto", "More memory for the nightly close\n", &[Edit(BILLING, "memory: 32\n", "memory: 40\n")]),
    step(149, "tomas", "Add the quotas of media\n", &[Add(MEDIA, include_str!("config/media.yaml"))]),
    step(133, "priya", "Flags for the mobile client\n", &[Add(MOBILE, include_str!("config/mobile.json"))]),
    step(120, "mei", "Start a review log\n", &[Add(LOG, include_str!("config/review-log.md"))]),
    step(
        97,
        "priya",
        "Suggestions for a quarter of the people\n",
        &[Edit(WEB, "\"rollout\": 10\n", "\"rollout\": 25\n")],
    ),
    step(74, "otto", "Room for the autumn sale\n", &[Edit(CHECKOUT, "cpu: 20\n", "cpu: 28\n")]),
    step(
        58,
        "mei",
        "Billing grows with its customers\n",
        &[Edit(BILLING, "cpu: 8          # cores", "cpu: 10         # cores")],
    ),
    step(36, "tomas", "Originals for another month\n", &[Edit(MEDIA, "storage: 12000", "storage: 16000")]),
    step(21, "otto", "The sale is over\n", &[Edit(CHECKOUT, "cpu: 28\n", "cpu: 20\n")]),
    step(9, "priya", "Offline basket for everybody\n", &[Edit(MOBILE, "\"rollout\": 50\n", "\"rollout\": 100\n")]),
    step(
        3,
        "hanna",
        "Note the look through of this week\n",
        &[Edit(LOG, "capacity plan\n", "capacity plan\n- Hanna Berg: owners of all flags asked\n")],
    ),
];

const EDGE: &str = "rules/edge.toml";
const CORE: &str = "rules/core.toml";
const OFFICE: &str = "rules/office.toml";

pub(super) const NETWORK: &[Step] = &[
    step(
        188,
        "tomas",
        "Begin with the rules of the edge\n",
        &[Add("README.md", include_str!("network/README.md")), Add(EDGE, include_str!("network/edge.toml"))],
    ),
    step(
        187,
        "tomas",
        "Check the rules before they are rolled out\n",
        &[Add(".gitlab-ci.yml", include_str!("network/ci.yml"))],
    ),
    step(180, "otto", "Rules between our own services\n", &[Add(CORE, include_str!("network/core.toml"))]),
    step(171, "hanna", "Owners of the rules\n", &[Add("CODEOWNERS", include_str!("network/CODEOWNERS"))]),
    step(150, "otto", "Let the printers print\n", &[Add(OFFICE, include_str!("network/office.toml"))]),
    step(128, "tomas", "Search copies over TLS\n", &[Edit(CORE, "port = 9300", "port = 9443")]),
    step(
        111,
        "mei",
        "A place for the notes of changes\n",
        &[Add("changes/README.md", include_str!("network/changes.md"))],
    ),
    step(88, "tomas", "Start a review log\n", &[Add(LOG, include_str!("network/review-log.md"))]),
    step(63, "otto", "The ledger moved to another port\n", &[Edit(CORE, "port = 5432", "port = 6432")]),
    step(
        40,
        "otto",
        "The ledger moved back\n\nThe proxy could not keep up.\n",
        &[Edit(CORE, "port = 6432", "port = 5432")],
    ),
    step(
        12,
        "hanna",
        "Say why search talks to itself\n",
        &[Edit(CORE, "# both ways, see the note of March", "# both ways: replicas ask each other")],
    ),
];
