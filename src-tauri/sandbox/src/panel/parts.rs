//! The parts of the panel.

use std::fmt::Write as _;

use super::control::unfinished;
use crate::accounts::place;
use crate::acts::{ACTS, fits};
use crate::clock::now;
use crate::forge::{facts, snapshot};
use crate::look::{escape, mark, when};
use crate::state::TicketState;
use crate::switches::{SWITCHES, Switch, Unit};
use crate::world::World;

/// So many lines of pipelines are shown.
const PIPELINES: usize = 12;

pub(super) fn introduction(world: &World) -> String {
    let waiting =
        world.read(|state| state.tickets.values().filter(|ticket| ticket.state == TicketState::Pending).count());
    let tickets = match waiting {
        0 => "No ticket waits for a decision.".to_owned(),
        1 => format!("<a href=\"{}/\">1 ticket waits for a decision.</a>", escape(&world.urls().desk)),
        _ => format!("<a href=\"{}/\">{waiting} tickets wait for a decision.</a>", escape(&world.urls().desk)),
    };
    let base = match crate::callbacks::base(world) {
        Some(base) => format!("Callbacks go to <code>{}</code>.", escape(&base)),
        None => "No ticket has told yet where callbacks go.".to_owned(),
    };
    format!(
        "<p>Real git repositories behind GitLab's API, an approval desk and a deploy pipeline, all on this machine. {tickets} {base}</p>"
    )
}

fn card(rows: &str, head: &str, empty: &str) -> String {
    if rows.is_empty() {
        return format!("<div class=\"card\"><p class=\"empty\">{empty}</p></div>");
    }
    format!("<div class=\"card scroll\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>")
}

pub(super) async fn merge_requests(world: &World) -> String {
    let mut rows = String::new();
    for (project, iid) in unfinished(world) {
        let Some(shot) = snapshot(world, project, iid) else { continue };
        let why = match facts(world, &shot).await {
            Ok(facts) => shot.blocker(&facts, true).unwrap_or("mergeable"),
            Err(_) => "unknown",
        };
        let status = match shot.mr.deployed {
            Some(_) => "deploy failed",
            None if why == "not_open" => shot.mr.state.word(),
            None => why,
        };
        let mut options = String::new();
        for (word, label, sentence) in ACTS.iter().filter(|(word, _, _)| fits(word, shot.mr.state)) {
            let _ = write!(
                options,
                "<form method=\"post\" action=\"/merge-requests/{project}/{iid}/{word}\"><button title=\"{}\">{label}</button></form> ",
                escape(sentence)
            );
        }
        let path = place(project).path;
        let _ = write!(
            rows,
            "<tr><td><a href=\"{}/{path}/-/merge_requests/{iid}\">{path}!{iid}</a><br><small>{}</small></td><td>{}<br>\
             <small>{}</small><div class=\"acts-line\">{options}</div></td><td>{}</td></tr>",
            escape(&world.urls().gitlab),
            when(shot.mr.updated),
            escape(&shot.mr.title),
            escape(&shot.mr.source),
            mark(status),
        );
    }
    let head = "<th>Merge request</th><th>Title and branch</th><th>Status</th>";
    format!("<h2>Merge requests under way</h2>{}", card(&rows, head, "None."))
}

pub(super) fn pipelines(world: &World) -> String {
    let now = now();
    let mut found: Vec<(u64, u64, String, &'static str, i64)> = world.read(|state| {
        let all =
            state.projects.iter().flat_map(|(id, project)| project.pipelines.values().map(move |found| (*id, found)));
        all.filter_map(|(project, pipeline)| {
            let name = format!("{}!{}", place(project).path, pipeline.mr_iid.unwrap_or_default());
            Some((pipeline.id, project, name, pipeline.status(now)?, pipeline.created))
        })
        .collect()
    });
    found.sort_unstable_by_key(|row| std::cmp::Reverse(row.0));
    let mut rows = String::new();
    for (id, _, name, status, created) in found.iter().take(PIPELINES) {
        let words: &[(&str, &str)] = if matches!(*status, "pending" | "running") {
            &[("pass", "Pass"), ("fail", "Fail")]
        } else {
            &[("retry", "Retry")]
        };
        let button = |(word, label): &(&str, &str)| {
            format!("<form method=\"post\" action=\"/pipelines/{id}/{word}\"><button>{label}</button></form> ")
        };
        let buttons: String = words.iter().map(button).collect();
        let _ = write!(
            rows,
            "<tr><td class=\"mono\">#{id}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"acts\">{buttons}</td></tr>",
            escape(name),
            mark(status),
            when(*created)
        );
    }
    let all = "<form method=\"post\" action=\"/pipelines/running/fail\"><button>Fail all that run</button></form> \
               <form method=\"post\" action=\"/pipelines/failed/retry\"><button>Retry all that failed</button></form>";
    let head = "<th>Pipeline</th><th>Of</th><th>Status</th><th>Since</th><th></th>";
    let table = card(&rows, head, "None has run yet.");
    format!("<div class=\"top\"><h2>Pipelines</h2><span>{all}</span></div>{table}")
}

pub(super) fn switches(world: &World) -> String {
    let mut groups: Vec<&str> = Vec::new();
    for switch in SWITCHES {
        if !groups.contains(&switch.group) {
            groups.push(switch.group);
        }
    }
    let mut body = String::new();
    for name in groups {
        let rows: String =
            SWITCHES.iter().filter(|switch| switch.group == name).map(|switch| row(world, switch)).collect();
        let _ = write!(body, "<section><h2>{name}</h2><div class=\"card\">{rows}</div></section>");
    }
    let reset = "<form method=\"post\" action=\"/reset\"><button class=\"bad\">Reset faults</button></form>";
    format!("<div class=\"top\"><h2>Switches</h2>{reset}</div><div class=\"groups\">{body}</div>")
}

fn row(world: &World, switch: &Switch) -> String {
    let (value, happened, changed) = world.read(|state| {
        let happened = state.happened.get(switch.key).copied().unwrap_or(0);
        (world.switches.value(state, switch.key), happened, state.switches.contains_key(switch.key))
    });
    let key = switch.key;
    let label = format!("aria-label=\"{}\"", escape(switch.title));
    let control = match switch.unit {
        Unit::OnOff => {
            let (now, next) = if value > 0 { ("on", "off") } else { ("off", "on") };
            format!("<input type=\"hidden\" name=\"value\" value=\"{next}\">{} <button>Turn {next}</button>", mark(now))
        }
        Unit::Choice(words) => {
            let options: String = (0_u64..)
                .zip(words)
                .map(|(place, word)| {
                    format!("<option{}>{word}</option>", if place == value { " selected" } else { "" })
                })
                .collect();
            format!("<select name=\"value\" {label}>{options}</select><button>Set</button>")
        }
        unit => {
            let words = match unit {
                Unit::Next => "times",
                Unit::Millis => "ms",
                _ => "",
            };
            format!(
                "<input type=\"number\" name=\"value\" min=\"0\" value=\"{value}\" {label}>{words}<button>Set</button>"
            )
        }
    };
    let times = if happened > 0 { format!("<small class=\"times\">{happened} so far</small>") } else { String::new() };
    format!(
        "<form class=\"row{}\" method=\"post\" action=\"/set\"><input type=\"hidden\" name=\"key\" value=\"{key}\">\
         <span><strong>{}</strong><br><small>{}</small></span><span class=\"set\">{control}</span>\
         {times}</form>",
        if changed && switch.fault { " on" } else { "" },
        escape(switch.title),
        escape(switch.sentence),
    )
}

pub(super) fn counters(world: &World) -> String {
    let counted: String = world.read(|state| {
        let acts = state.happened.iter().filter(|(name, _)| !name.contains('.'));
        acts.map(|(name, count)| format!("<span>{} <strong>{count}</strong></span>", escape(name))).collect()
    });
    let counted = if counted.is_empty() { "<span class=\"empty\">Nothing yet.</span>".to_owned() } else { counted };
    format!("<h2>What has happened</h2><div class=\"card counts\">{counted}</div>")
}

pub(super) fn log(world: &World) -> String {
    let mut rows = String::new();
    for line in world.journal.lines() {
        let status = if line.status == 0 { "none".to_owned() } else { line.status.to_string() };
        let time = line.at.get(11..23).unwrap_or(&line.at);
        let _ = write!(
            rows,
            "<tr><td class=\"mono\" title=\"{}\">{time}</td><td>{}</td><td class=\"mono\">{}</td><td>{}</td><td>{status}</td>\
             <td>{} ms</td><td><small>{}</small></td></tr>",
            escape(&line.at),
            line.remote,
            escape(&line.what),
            escape(&line.account),
            line.duration_ms,
            escape(&line.note),
        );
    }
    let head =
        "<th>Time (UTC)</th><th>Remote</th><th>Call</th><th>Account</th><th>Answer</th><th>Took</th><th>Note</th>";
    format!("<h2>The last 200 calls</h2>{}", card(&rows, head, "Nobody has called yet."))
}
