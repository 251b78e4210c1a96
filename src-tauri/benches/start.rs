//! How fast the true window is there, and what it costs when nothing happens. Run by `make bench` on a release build; the
//! cold start holds the driver's own start of the program, so that the numbers are upper bounds.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::app::App;
use crate::page::Page;
use crate::practice::{Remotes, stands_at, submit_quota};

#[path = "../tests/desktop/app.rs"]
#[allow(dead_code, reason = "the bench needs fewer of the tools than the tests")]
mod app;
#[path = "start/archive.rs"]
mod archive;
#[path = "../tests/desktop/display.rs"]
#[allow(dead_code, reason = "as above")]
mod display;
#[path = "../tests/desktop/http.rs"]
mod http;
#[path = "../tests/desktop/page.rs"]
#[allow(dead_code, reason = "as above")]
mod page;
#[path = "../tests/desktop/practice.rs"]
#[allow(dead_code, reason = "as above")]
mod practice;
#[path = "../tests/desktop/webdriver.rs"]
#[allow(dead_code, reason = "as above")]
mod webdriver;

const STARTS: u32 = 7;
const IDLE: Duration = Duration::from_secs(60);
/// Requests in the archive.
const ARCHIVE: u32 = 100_000;
/// A usable list: its first row stands.
const USABLE: &str = "return !!document.querySelector(\"[role=grid] [aria-rowindex='2']\")";

fn main() {
    let app = App::new();
    let page = app.open();
    page.press("Start practising");
    page.reads("No requests yet");
    let remotes = Remotes::behind(&page);
    remotes.approve_everything();
    let whole = submit_quota(&page, "billing", 640);
    stands_at(&page, &whole, 10301);
    drop(page);
    archive::fill(&app.data_dir().join("practice"), ARCHIVE - 1);

    let mut times: Vec<Duration> = (0..STARTS).map(|_| start(&app).0).collect();
    times.sort();
    println!(
        "{ARCHIVE} requests stored; cold start to a usable list: median {:?}, slowest {:?} of {STARTS}",
        times[times.len() / 2],
        times[times.len() - 1]
    );

    let (_, page) = start(&app);
    std::thread::sleep(Duration::from_secs(5));
    let before = processor_time();
    std::thread::sleep(IDLE);
    let spent = processor_time() - before;
    println!(
        "idle with the list open: {:.2} % of a core over {IDLE:?}",
        100.0 * spent.as_secs_f64() / IDLE.as_secs_f64()
    );
    drop(page);
}

fn start(app: &App) -> (Duration, Page) {
    let began = Instant::now();
    let page = app.open();
    page.until("see the list", Duration::from_secs(30), || (page.run(USABLE) == json!(true)).then_some(()));
    (began.elapsed(), page)
}

/// Processor time so far of the program and of WebKit's processes for it, counted in ticks of 10 ms as Linux does.
fn processor_time() -> Duration {
    let stats: Vec<(i64, i64, String, i64)> = std::fs::read_dir("/proc")
        .expect("this is Linux")
        .flatten()
        .filter_map(|process| {
            let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
            let (id, rest) = stat.split_once(" (")?;
            let (name, rest) = rest.rsplit_once(')')?;
            let fields: Vec<i64> = rest.split_whitespace().filter_map(|field| field.parse().ok()).collect();
            // Without the state letter, the parent is the first number, utime and stime are the 11th and 12th.
            Some((id.parse().ok()?, fields[0], name.to_owned(), fields[10] + fields[11]))
        })
        .collect();
    let parent = |id| stats.iter().find(|(other, ..)| *other == id).map(|(_, parent, ..)| *parent);
    let ours = |id| std::iter::successors(Some(id), |id| parent(*id)).any(|id| id == i64::from(std::process::id()));
    let counts = |name: &str| name == "signalbox" || (name.starts_with("WebKit") && !name.starts_with("WebKitWebDr"));
    let ticks: i64 = stats.iter().filter(|(id, _, name, _)| counts(name) && ours(*id)).map(|(.., ticks)| ticks).sum();
    Duration::from_millis(ticks.unsigned_abs() * 10)
}
