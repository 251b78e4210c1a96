//! How fast the true window is there, and what it costs when nothing happens. Run by `make bench` on a release build; the
//! cold start holds the driver's own start of the program, so that the numbers are upper bounds.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::app::App;
use crate::page::Page;

#[path = "../tests/desktop/app.rs"]
#[allow(dead_code, reason = "the bench needs fewer of the tools than the tests")]
mod app;
#[path = "../tests/desktop/display.rs"]
#[allow(dead_code, reason = "as above")]
mod display;
#[path = "../tests/desktop/http.rs"]
mod http;
#[path = "../tests/desktop/page.rs"]
#[allow(dead_code, reason = "as above")]
mod page;
#[path = "../tests/desktop/webdriver.rs"]
#[allow(dead_code, reason = "as above")]
mod webdriver;

const STARTS: u32 = 7;
const IDLE: Duration = Duration::from_secs(30);
/// A usable list: its grid stands, with its first row or the words that there is none.
const USABLE: &str = "return !!document.querySelector('[role=grid] [aria-rowindex], [role=grid] ~ *')";

fn main() {
    let app = App::new();
    let page = app.open();
    page.invoke("start_practice", &json!({})).expect("practice starts");
    drop(page);

    let mut times: Vec<Duration> = (0..STARTS).map(|_| start(&app).0).collect();
    times.sort();
    println!(
        "cold start to a usable list: median {:?}, slowest {:?} of {STARTS}",
        times[times.len() / 2],
        times[times.len() - 1]
    );

    let (_, page) = start(&app);
    std::thread::sleep(Duration::from_secs(5));
    let before = processor_time();
    std::thread::sleep(IDLE);
    let spent = processor_time() - before;
    println!("idle: {:.2} % of a core over {IDLE:?}", 100.0 * spent.as_secs_f64() / IDLE.as_secs_f64());
    drop(page);
}

fn start(app: &App) -> (Duration, Page) {
    let began = Instant::now();
    let page = app.open();
    page.until("see the list", Duration::from_secs(30), || (page.run(USABLE) == json!(true)).then_some(()));
    (began.elapsed(), page)
}

/// Processor time of the program and of WebKit's processes for it so far, in clock ticks of 10 ms as Linux counts them.
fn processor_time() -> Duration {
    let stats = std::fs::read_dir("/proc").expect("this is Linux").flatten().filter_map(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
        let fields: Vec<i64> = rest.split_whitespace().filter_map(|field| field.parse().ok()).collect();
        // Without the state letter, utime and stime are the 11th and 12th number.
        let ours = name == "signalbox" || (name.starts_with("WebKit") && name != "WebKitWebDriver");
        ours.then(|| fields[10] + fields[11])
    });
    Duration::from_millis(stats.sum::<i64>().unsigned_abs() * 10)
}
