//! An engine in a runtime of its own, with remotes and time in a test's hands. It can be killed at any point and started again.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use arc_swap::ArcSwap;
use secrecy::SecretString;
use signalbox_engine::{
    documents::kinds::Catalogue,
    engine::{Engine, Parts},
    ports::chance::SeededChance,
    settings::Settings,
    words::Lang,
};
use sqlx::{ConnectOptions as _, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::{
    clock::{ManualClock, number},
    desk::FakeDesk,
    forge::FakeForge,
    kinds::{self, SETTINGS},
    wire::Wire,
};

/// Something that happens outside at a moment: a late callback, a person's act.
pub(super) type Happening = Box<dyn FnOnce(&mut World)>;

/// A whole Signalbox in a test.
pub struct World {
    pub clock: ManualClock,
    pub wire: Wire,
    pub forge: FakeForge,
    pub desk: FakeDesk,
    /// How often the engine was killed.
    pub deaths: u32,
    /// Each time that something due was not taken although the scheduler slept: a wake-up was lost.
    pub overslept: Vec<String>,
    /// Requests that a test made unreadable: they are leased, and nobody works on them.
    pub broken: usize,
    /// The language of whoever calls.
    pub lang: Lang,
    /// The engine dies as soon as the commit of this change is there.
    pub kill_at_change: Option<i64>,
    pub(super) dir: TempDir,
    pub(super) running: Option<(Runtime, Engine)>,
    pub(super) reader: SqliteConnection,
    pub(super) reading: Runtime,
    pub(super) agenda: Vec<(i64, Happening)>,
    pub(super) deliveries: u64,
    pub(super) loops: [u64; 3],
    /// What was seen of ended requests, for the check that they never change.
    pub(super) ended: BTreeMap<String, (i64, i64)>,
    /// How far the record was when the invariants were checked last.
    pub(super) checked: Vec<Option<i64>>,
    settings: Settings,
    chance: Arc<SeededChance>,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// The usual world: approval first, a poll each minute, a sweep every five.
    pub fn new() -> Self {
        Self::with("")
    }

    /// The usual world with settings laid over it, such as `flow.order = "mr-first"`.
    pub fn with(settings: &str) -> Self {
        Self::seeded(settings, 1)
    }

    /// The same with ids drawn from a seed.
    pub fn seeded(settings: &str, seed: u64) -> Self {
        let wire = Wire::new(ManualClock::default());
        let forge = FakeForge::new(wire.clone(), kinds::projects());
        let desk = FakeDesk::new(wire.clone());
        Self::begun(forge, desk, wire, memory_dir(), laid_over(settings), seed)
    }

    /// A second machine on a copy of the data directory, with the same remotes and the same clock.
    pub fn on_a_copy(&self, dir: TempDir) -> Self {
        Self::begun(self.forge.clone(), self.desk.clone(), self.wire.clone(), dir, self.settings.clone(), 2)
    }

    fn begun(forge: FakeForge, desk: FakeDesk, wire: Wire, dir: TempDir, settings: Settings, seed: u64) -> Self {
        let mut world = Self {
            forge,
            desk,
            clock: wire.clock.clone(),
            wire,
            deaths: 0,
            overslept: Vec::new(),
            broken: 0,
            lang: Lang::En,
            kill_at_change: None,
            running: None,
            reader: reader_before_the_file(),
            reading: Builder::new_current_thread().build().unwrap(),
            dir,
            agenda: Vec::new(),
            deliveries: 0,
            loops: [0; 3],
            ended: BTreeMap::new(),
            checked: Vec::new(),
            settings,
            chance: Arc::new(SeededChance::new(seed)),
        };
        world.start();
        let file = world.dir.path().join("signalbox.db");
        let options = SqliteConnectOptions::new().filename(file).pragma("query_only", "ON");
        world.reader = world.reading.block_on(options.connect()).unwrap();
        world
    }

    /// The settings in force.
    pub fn settings(&self) -> Arc<Settings> {
        self.running.as_ref().map_or_else(|| Arc::new(self.settings.clone()), |(_, engine)| engine.settings())
    }

    /// Other settings, from the next start on.
    pub fn set(&mut self, settings: &str) {
        self.settings = laid_over(settings);
    }

    /// The engine that runs.
    pub fn engine(&self) -> Engine {
        self.running.as_ref().expect("the engine runs").1.clone()
    }

    /// Where its store is.
    pub fn data_dir(&self) -> &Path {
        self.dir.path()
    }

    /// Starts the engine on the files that are there.
    pub fn start(&mut self) {
        assert!(self.running.is_none(), "it runs already");
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let secret = |text: &str| SecretString::from(text.to_owned());
        let parts = Parts {
            settings: Arc::new(ArcSwap::from_pointee(self.settings.clone())),
            catalogue: Catalogue::from_texts(&kinds::kinds()).unwrap(),
            forge: Arc::new(self.forge.clone()),
            desk: Arc::new(self.desk.clone()),
            clock: Arc::new(self.clock.clone()),
            chance: self.chance.clone(),
            callback_base: "http://signalbox.test".into(),
            approval_secret: secret(&self.settings.approval.callback_secret),
            deploy_secret: secret(&self.settings.deploy.callback_secret),
            gitlab_secret: Some(secret("hook-token")),
            sandbox: None,
        };
        let engine = runtime.block_on(Engine::open(self.dir.path(), parts)).unwrap();
        self.loops = engine.loop_tasks().map(number);
        self.running = Some((runtime, engine));
    }

    /// `kill -9`: every task ends where it stands; nothing is flushed, nothing is given back.
    pub fn kill(&mut self) {
        if let Some((runtime, engine)) = self.running.take() {
            // What is dropped with the runtime, such as a connection of the pool, still asks for one.
            let handle = runtime.handle().clone();
            let within = handle.enter();
            runtime.shutdown_background();
            drop(engine);
            drop(within);
            self.deaths += 1;
        }
        self.clock.forget_sleepers();
        self.wire.bury();
    }

    /// Killed and started again.
    pub fn restart(&mut self) {
        self.kill();
        self.start();
    }

    /// Stopped in order.
    pub fn stop(&mut self) {
        if let Some((runtime, engine)) = self.running.take() {
            runtime.block_on(engine.stop(std::time::Duration::from_secs(5)));
            runtime.shutdown_background();
        }
        self.clock.forget_sleepers();
    }

    /// Stopped in order and started again.
    pub fn stop_and_start(&mut self) {
        self.stop();
        self.start();
    }
}

/// A folder in memory where the system has one: thousands of commits wait for no disk.
pub fn memory_dir() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
}

/// Stands in until the engine has made its file.
fn reader_before_the_file() -> SqliteConnection {
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(SqliteConnectOptions::new().in_memory(true).connect()).unwrap()
}

fn laid_over(text: &str) -> Settings {
    let mut base: toml::Table = SETTINGS.parse().unwrap();
    lay(&mut base, text.parse().unwrap());
    Settings::parse("signalbox.toml".as_ref(), &toml::to_string(&base).unwrap()).unwrap()
}

fn lay(base: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) => lay(under, over),
            (_, value) => drop(base.insert(key, value)),
        }
    }
}
