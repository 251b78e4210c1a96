//! The UI's types of the contract are made from the engine's: `ui/src/api/types.gen.ts` is what this test renders.
//! `BLESS=1 cargo test --test bindings` writes it.

use std::{fmt::Write as _, fs, path::Path};

use signalbox_engine::{
    api::{act, follow, keep, list, look, recovery as causes, types},
    flow::{
        Outlook,
        actor::ActorKind,
        chart::{Chart, ChartMove, ChartStep},
    },
    health::RemoteHealth,
    reconcile::{AdvancedBySweep, Swept, WaitingForDeploy},
    recovery::{plan::PlannedCall, remotes},
    settings::{ApproveApi, Flow, FlowOrder},
};
use ts_rs::{Config, TS};

const FILE: &str = "ui/src/api/types.gen.ts";

/// The declarations in reading order.
fn render() -> String {
    let config = Config::new().with_large_int("number");
    let mut text = String::from("// Made from the engine's types by tests/bindings.rs. Do not edit.\n");
    macro_rules! declare {
        ($($shape:ty),+ $(,)?) => {
            $(let _ = write!(text, "\n{}export {}\n", <$shape>::docs().unwrap_or_default(), <$shape>::decl(&config));)+
        };
    }
    declare!(
        serde_json::Value,
        Outlook,
        FlowOrder,
        ApproveApi,
        Flow,
        types::StepView,
        types::WaitingView,
        types::MrView,
        types::TicketView,
        types::ErrorView,
        types::OperationView,
        list::CountsView,
        list::ListView,
        ActorKind,
        look::ActorView,
        look::SideView,
        look::HistoryView,
        look::CallView,
        look::EventView,
        PlannedCall,
        act::ActionView,
        remotes::PipelineReading,
        remotes::TicketReading,
        remotes::RemoteReading,
        act::BelievedView,
        act::ActionsView,
        ChartStep,
        ChartMove,
        Chart,
        RemoteHealth,
        AdvancedBySweep,
        WaitingForDeploy,
        Swept,
        causes::CauseAction,
        causes::CauseMember,
        causes::CauseView,
        causes::RecoveryView,
        follow::FollowAction,
        follow::CompensationView,
        follow::CompensationsView,
        keep::BackupView,
        keep::BackupsView,
        keep::BackupMeaning,
    );
    tidied(&text)
}

/// Without spaces at the ends of lines, and a comment of one sentence on one line.
fn tidied(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let mut out = String::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let ["/**", about, " */"] = lines[at..(at + 3).min(lines.len())] {
            let _ = writeln!(out, "/** {} */", about.trim_start_matches(" * "));
            at += 3;
        } else {
            let _ = writeln!(out, "{line}");
            at += 1;
        }
    }
    out
}

#[test]
fn the_page_reads_answers_by_the_types_of_the_engine() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let made = render();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &made).expect("the file of types can be written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == made,
        "{FILE} is not what the engine's types say. `BLESS=1 cargo test --test bindings` writes it."
    );
}
