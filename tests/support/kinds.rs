//! Change kinds and files of the stories: timeouts and memory limits of services.

use super::forge::model::Project;

/// The project that most stories change.
pub const PROJECT: &str = "platform/limits";
/// The file of the service `orders`.
pub const ORDERS: &str = "limits/orders.yaml";

const ORDERS_TEXT: &str = "\
# Limits of orders, agreed with the platform team.
service: orders # the name in the mesh

zones:
  north:
    memory: 512 # MiB
    timeout: 30
  south:
    # a smaller machine
    memory: 256
    timeout: 45

owner: team-orders
";

const SCHEMA: &str = "\
schema:
  type: object
  additionalProperties: false
  required: [service, zone, limit, value]
  properties:
    service: { type: string, pattern: \"^[a-z][a-z0-9-]*$\" }
    zone: { type: string }
    limit: { type: string }
    value: { type: integer, minimum: 0 }
subject: \"{{ fields.service }}\"
target: \"{{ fields.zone }}/{{ fields.limit }}\"
project: platform/limits
target_branch: main
branch: \"signalbox/{{ operation_id }}\"
title_template: \"{{ fields.limit }} of {{ fields.service }} in {{ fields.zone }}\"
files:
  - path: \"limits/{{ fields.service }}.yaml\"
    set:
      - { at: [\"zones\", \"{{ fields.zone }}\", \"{{ fields.limit }}\"], value: \"{{ fields.value }}\", type: integer }
";

/// `limit` (once), `limit-again` (repeatable), `limit-unchecked` (no pipeline needed), `memo` (a file of its own, repeatable) and
/// `note` (a title and a path of one's own).
pub fn kinds() -> Vec<(String, String)> {
    let limit = |name: &str, repeatable: bool, checks: &str| {
        let head = format!("kind: {name}\ntitle: {{ en: Service limit, zh-CN: 服务上限 }}\nworkflow: merge-request\n");
        (format!("{name}.yaml"), format!("{head}{SCHEMA}repeatable: {repeatable}\nchecks: {checks}\n"))
    };
    let memo = "kind: memo
title: { en: Memo }
workflow: merge-request
schema:
  type: object
  additionalProperties: false
  required: [name, text]
  properties:
    name: { type: string }
    text: { type: string }
subject: \"{{ fields.name }}\"
target: memos
repeatable: true
project: platform/limits
target_branch: main
branch: \"signalbox/{{ operation_id }}\"
title_template: \"Memo {{ fields.name }}\"
files:
  - path: \"memos/{{ fields.name }}.txt\"
    template: \"{{ fields.text }}\\n\"
checks: required
";
    let note = "kind: note
title: { en: Note }
workflow: merge-request
schema:
  type: object
  additionalProperties: false
  required: [name, title]
  properties:
    name: { type: string }
    title: { type: string }
subject: \"{{ fields.name }}\"
target: \"notes for 50% #1+2\"
repeatable: true
project: platform/limits
target_branch: main
branch: \"signalbox/{{ operation_id }}\"
title_template: \"{{ fields.title }}\"
files:
  - path: \"{{ fields.name }}\"
    template: \"{{ fields.title }}\\n\"
checks: required
";
    vec![
        ("note.yaml".into(), note.into()),
        limit("limit", false, "required"),
        limit("limit-again", true, "required"),
        limit("limit-unchecked", false, "optional"),
        ("memo.yaml".into(), memo.into()),
    ]
}

/// The forge as every story finds it.
pub fn projects() -> Vec<Project> {
    let search = ORDERS_TEXT.replace("orders", "search");
    let files = [(ORDERS.into(), Some(ORDERS_TEXT.into())), ("limits/search.yaml".into(), Some(search.into_bytes()))];
    vec![Project::new(7, PROJECT, &files), Project::new(8, "platform/other", &[])]
}

/// Settings of every story; a story lays its own keys over them.
pub const SETTINGS: &str = "
[engine]
lease = \"30s\"
backup = \"0s\"
[gitlab]
url = \"http://gitlab.test\"
bot_token = \"bot\"
reviewer_tokens = [\"a\", \"b\"]
[gitlab.wait]
short = \"2s\"
short_count = 5
long = \"10s\"
max_looks = 20
[approval]
url = \"http://desk.test\"
token = \"desk\"
callback_secret = \"whsec_YXBwcm92YWxz\"
poll = \"60s\"
[deploy]
callback_secret = \"whsec_ZGVwbG95cw==\"
sweep = \"5m\"
min_age = \"10m\"
";
