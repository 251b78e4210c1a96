//! A backup is made while the engine stands in a call, and put in place later.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use signalbox_engine::store::backup;
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use tokio::runtime::Builder;

use super::world::{World, memory_dir};

impl World {
    /// From now on: a backup as soon as this many calls have reached a remote. Says where it will be.
    pub fn back_up_in_call(&mut self, call: usize) -> PathBuf {
        let (from, to) = (backup::store_of(self.data_dir()), self.data_dir().join("yesterday.db"));
        let file = to.clone();
        self.wire.weather(move |number, _| {
            if number == call {
                let (from, to) = (from.clone(), to.clone());
                // A runtime of its own, because the engine's stands still in this call.
                let copying = std::thread::spawn(move || {
                    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(backup::copy(&from, &to)).unwrap();
                });
                copying.join().unwrap();
            }
            None
        });
        file
    }

    /// The engine is stopped, the backup put in place, and the engine started again.
    pub fn restore(&mut self, file: &Path) {
        if let Some((runtime, engine)) = self.running.take() {
            runtime.block_on(engine.stop(std::time::Duration::from_secs(5)));
            runtime.shutdown_background();
        }
        self.clock.forget_sleepers();
        self.ended.clear();
        let nothing = self.reading.block_on(SqliteConnectOptions::new().in_memory(true).connect()).unwrap();
        let reader = std::mem::replace(&mut self.reader, nothing);
        self.reading.block_on(reader.close()).unwrap();
        let restored = self.reading.block_on(backup::restore(self.dir.path(), file, self.clock.millis())).unwrap();
        assert!(restored.aside.is_some(), "what was there is kept");
        self.start();
        let options =
            SqliteConnectOptions::new().filename(backup::store_of(self.dir.path())).pragma("query_only", "ON");
        self.reader = self.reading.block_on(options.connect()).unwrap();
    }

    /// From now on: a copy of the data directory, as `cp -r` makes it, as soon as this many calls have reached a remote.
    pub fn copy_in_call(&mut self, call: usize) -> Arc<Mutex<Option<TempDir>>> {
        let (from, copy) = (self.data_dir().to_owned(), Arc::new(Mutex::new(None)));
        let made = copy.clone();
        self.wire.weather(move |number, _| {
            if number == call {
                let to = memory_dir();
                for name in ["signalbox.db", "signalbox.db-wal"] {
                    std::fs::copy(from.join(name), to.path().join(name)).unwrap();
                }
                *made.lock().unwrap() = Some(to);
            }
            None
        });
        copy
    }
}
