//! K13: the local store is locked, damaged, or outgrows its disk. C101 stands beside the migrations, in `src-tauri/engine/store/tests`.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use futures::future::join_all;
use serde_json::json;
use signalbox_engine::{
    store::{
        Store,
        backup::store_of,
        inbox::{Delivery, Verdict},
        list::Filter,
    },
    words::Sentence,
};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _, sqlite::SqliteConnectOptions};

use crate::{
    given::HAPPY,
    support::{Plan, World},
};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Another program holds the write lock for so long.
fn hold_the_lock(file: &Path, time: Duration) -> std::thread::JoinHandle<()> {
    let options = SqliteConnectOptions::new().filename(file);
    let (tell, told) = std::sync::mpsc::channel();
    let holder = std::thread::spawn(move || {
        runtime().block_on(async {
            let mut other = options.connect().await.unwrap();
            sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
            tell.send(()).unwrap();
            tokio::time::sleep(time).await;
            sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
        });
    });
    told.recv().unwrap();
    holder
}

#[test]
fn c099_database_locked_for_3_s_while_an_event_is_stored() {
    let (mut world, id) = World::c1();
    world.pipeline_says("success");
    for at_once in [1, 10] {
        let file = store_of(world.data_dir());
        let holder = hold_the_lock(&file, Duration::from_secs(3));
        let began = Instant::now();
        let events: Vec<_> = (0..at_once).map(|_| world.deploy_callback(&id, "effective")).collect();
        let answers = world.deliver_together(&events);
        assert!(began.elapsed() >= Duration::from_secs(2), "nobody is answered before the commit");
        for answer in answers {
            assert_eq!((answer.status, answer.body["verdict"].as_str()), (200, Some("parked")), "{}", answer.body);
        }
        holder.join().unwrap();
    }
    let parked = world.verdicts(&id).iter().filter(|verdict| *verdict == "parked").count();
    assert_eq!(parked, 11, "none is lost");
    assert_eq!(world.hook(1).status, 200);
    world.run_until(&id, 10301);
    assert_eq!(world.writes(), HAPPY);
    world.rules_hold();
}

/// Where a table or an index begins in the file.
fn root_of(file: &Path, kind: &str) -> u64 {
    runtime().block_on(async {
        let mut look = SqliteConnectOptions::new().filename(file).read_only(true).connect().await.unwrap();
        let sql = format!(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema \
             WHERE type = '{kind}' AND tbl_name = 'operation' ORDER BY rootpage LIMIT 1"
        );
        let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut look).await.unwrap();
        look.close().await.unwrap();
        (u64::try_from(row.get::<i64, _>(0)).unwrap() - 1) * u64::try_from(row.get::<i64, _>(1)).unwrap()
    })
}

#[test]
fn c100_damaged_database_at_start() {
    for page in ["table", "index"] {
        let (mut world, done) = World::new().a2();
        world.until_effective(&done);
        let id = world.submit_memo("another");
        world.run_until(&id, 10402);
        world.approve(&id);
        world.rules(|rules| rules.usual = vec![Plan::endless()]);
        world.run_until(&id, 10005);
        let made = world.call("POST", "/api/v1/backups", None);
        let good = made.body["file"].as_str().unwrap_or_else(|| panic!("{}", made.body)).to_owned();
        world.stop();
        let file = store_of(world.data_dir());
        let place = usize::try_from(root_of(&file, page)).unwrap();
        let mut bytes = fs::read(&file).unwrap();
        bytes[place..place + 12].iter_mut().for_each(|byte| *byte ^= 0x5a);
        fs::write(&file, &bytes).unwrap();
        let calls = world.ledger().len();
        let refused = runtime().block_on(Store::open(world.data_dir())).err().unwrap().to_string();
        let file_name = file.display().to_string();
        for words in ["is damaged", "it was left as it is", &file_name, &good, "2026-03-02T", "signalboxd restore"] {
            assert!(refused.contains(words), "{page}: no {words:?} in {refused}");
        }
        assert_eq!(fs::read(&file).unwrap(), bytes, "the damaged file is kept as it is");
        world.restore(good.as_ref());
        let aside = fs::read_dir(world.data_dir()).unwrap().map(|entry| entry.unwrap().path());
        let kept = aside.filter(|path| path.is_file() && fs::read(path).unwrap() == bytes).count();
        assert_eq!(kept, 1, "and beside the restored one too");
        assert_eq!((world.step(&done), world.step(&id)), (10301, 10005));
        assert_eq!(world.ledger().len(), calls, "nothing was asked of a remote meanwhile");
    }
}

fn event(n: usize) -> Delivery {
    Delivery {
        source: "deploy",
        delivery_id: format!("delivery-{n}"),
        operation_id: None,
        says: "effective".into(),
        body: json!({"type": "deploy.finished", "data": {"project": "platform/limits", "mr_iid": n, "status": "effective"}}),
        verdict: Verdict::IgnoredForeign,
        reason: Sentence::quoted("of nobody here"),
        at: 1_772_442_000_000,
        mark: Some(("platform/limits".into(), n as u64, None)),
    }
}

/// 20,000 events, each a commit of the store, while four people look at lists and histories all the time.
#[test]
fn c102_wal_stays_bounded() {
    const EVENTS: usize = 20_000;
    let dir = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let log = dir.path().join("signalbox.db-wal");
    let size = || fs::metadata(&log).map_or(0, |log| log.len());
    let largest = runtime.block_on(async {
        let store = Store::open(dir.path()).await.unwrap();
        let stop = tokio_util::sync::CancellationToken::new();
        let readers: Vec<_> = (0..4)
            .map(|_| {
                let (store, stop) = (store.clone(), stop.clone());
                tokio::spawn(async move {
                    let mut reads = 0_u32;
                    while !stop.is_cancelled() {
                        store.list(&Filter { limit: 50, ..Filter::default() }).await.unwrap();
                        store.watermarks().await.unwrap();
                        reads += 2;
                    }
                    reads
                })
            })
            .collect();
        let mut largest = 0;
        for batch in 0..EVENTS / 20 {
            let stored = join_all((0..20).map(|n| store.receive(event(batch * 20 + n)))).await;
            assert!(stored.iter().all(Result::is_ok));
            largest = largest.max(size());
        }
        stop.cancel();
        let reads: u32 = join_all(readers).await.into_iter().map(Result::unwrap).sum();
        assert!(reads > 1000, "{reads} reads");
        assert_eq!(store.watermarks().await.unwrap(), [("platform/limits".to_owned(), EVENTS as u64 - 1)]);
        store.receive(event(EVENTS)).await.unwrap();
        largest
    });
    let idle = size();
    println!("the log was {largest} bytes at most, and is {idle} now");
    assert!(largest < 64 << 20, "{largest} bytes while it was written");
    assert!(idle < 4 << 20, "{idle} bytes when nobody writes");
    // As a kill leaves it.
    runtime.shutdown_background();
    let began = Instant::now();
    self::runtime().block_on(async { Store::open(dir.path()).await.unwrap().close().await });
    println!("{:?} to start", began.elapsed());
}
