//! Moving time: from due to due, with the engine at rest in between.
//!
//! The engine is at rest when its loops sleep, every request that is leased waits inside a fake remote, and nothing that
//! could be taken is due. Only then does the clock move, so that no amount of virtual time passes while something is worked on.

use std::{collections::BTreeSet, time::Duration};

use signalbox_engine::engine::Engine;
use sqlx::Row as _;

use super::{clock::Sleeper, forge::model::millis, world::World};

/// Moves of the clock after which a story is thought to run in circles.
const MOST_STEPS: usize = 3_000;
/// How long a story may last.
const LONGEST: Duration = Duration::from_secs(14 * 24 * 3600);
/// Real time without a sign of life after which a due request counts as overlooked, and looks made in it: a machine that
/// is too busy to run us proves nothing.
const PATIENCE: Duration = Duration::from_secs(25);
const LOOKS: u32 = 300;

/// The schedule as stored.
struct Schedule {
    leased: usize,
    /// The earliest request that nobody works on.
    next: Option<i64>,
    /// The earliest timer or compensation.
    timer: Option<i64>,
}

/// How the engine stands.
enum Stand {
    Rests,
    Works,
    /// Something is due and nobody comes.
    Overlooks,
}

impl World {
    /// Lets the engine work until it rests at this very moment. A call that meets its death ends the engine here; it is started again.
    pub fn turn(&mut self) {
        self.happen();
        loop {
            let died = self.rest_or_die();
            if !died {
                return;
            }
            self.restart();
        }
    }

    /// True where the engine has to die.
    fn rest_or_die(&mut self) -> bool {
        let Some((runtime, engine)) = self.running.take() else { return false };
        let died = runtime.block_on(async {
            let mut still_since = std::time::Instant::now();
            let mut signs = self.signs();
            let mut looks = 0;
            loop {
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
                if self.wire.is_dying() || self.is_at_its_last_change(&engine).await {
                    return true;
                }
                match self.stand(&engine).await {
                    Stand::Rests if self.wire.is_dying() => return true,
                    Stand::Rests => return false,
                    Stand::Overlooks if still_since.elapsed() > PATIENCE && looks > LOOKS => {
                        let overlooked = self.as_it_stands().await;
                        self.overslept.push(overlooked);
                        return false;
                    }
                    _ => {}
                }
                let now = self.signs();
                if now != signs {
                    (signs, still_since, looks) = (now, std::time::Instant::now(), 0);
                }
                looks += 1;
                assert!(still_since.elapsed() < Duration::from_secs(60), "the engine neither works nor rests");
                tokio::select! {
                    () = self.clock.stirs() => {}
                    () = self.wire.stirs() => {}
                    () = tokio::time::sleep(Duration::from_millis(2)) => {}
                }
            }
        });
        self.running = Some((runtime, engine));
        died
    }

    async fn is_at_its_last_change(&mut self, engine: &Engine) -> bool {
        let Some(seq) = self.kill_at_change else { return false };
        let there = !engine.changes_since(seq - 1, 1).await.unwrap().is_empty();
        if there {
            self.kill_at_change = None;
        }
        there
    }

    fn signs(&self) -> (u64, usize) {
        (self.clock.slept(), self.wire.calls())
    }

    async fn stand(&mut self, engine: &Engine) -> Stand {
        let loops = self.loops;
        let slept = self.clock.slept();
        let sleepers = self.clock.sleepers();
        let asleep: BTreeSet<u64> = sleepers.iter().map(|sleeper| sleeper.task).collect();
        let blocked: BTreeSet<u64> = self.wire.blocked().into_iter().map(|blocked| blocked.task).collect();
        if !loops.iter().all(|task| asleep.contains(task) || blocked.contains(task)) {
            return Stand::Works;
        }
        let held = blocked.iter().filter(|task| asleep.contains(task) && !loops.contains(task)).count();
        let schedule = self.schedule().await;
        let leased = schedule.leased == held || schedule.leased == held + self.broken;
        // A loop that was woken while the schedule was read is in the middle of its turn, and sleeps again only later.
        let woken =
            |task: &u64| asleep.contains(task) && !self.clock.sleepers().iter().any(|sleeper| sleeper.task == *task);
        if !leased || self.clock.slept() != slept || loops.iter().any(woken) {
            return Stand::Works;
        }
        let now = self.clock.millis();
        let workers = usize::try_from(engine.settings().engine.workers.max(1)).unwrap();
        let set_since = |task: u64| sleepers.iter().any(|sleeper| sleeper.task == task && sleeper.wall_was_set);
        let due = |at: Option<i64>| at.is_some_and(|at| at <= now);
        let request = due(schedule.next) && held < workers && !set_since(loops[0]);
        let timer = due(schedule.timer) && !blocked.contains(&loops[1]) && !set_since(loops[1]);
        if request || timer { Stand::Overlooks } else { Stand::Rests }
    }

    /// Who sleeps until when and what is due, for the sentence of a test that fails.
    async fn as_it_stands(&mut self) -> String {
        let schedule = self.schedule().await;
        let now = self.clock.millis();
        let after = |at: Option<i64>| at.map(|at| at - now);
        let sleepers: Vec<_> =
            self.clock.sleepers().iter().map(|sleeper| (sleeper.task, sleeper.until - now)).collect();
        let (request, timer) = (after(schedule.next), after(schedule.timer));
        format!("request due in {request:?} ms, timer in {timer:?} ms; loops {:?}, sleepers {sleepers:?}", self.loops)
    }

    async fn schedule(&mut self) -> Schedule {
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM operation WHERE lease_owner IS NOT NULL), \
               (SELECT min(due_at) FROM operation WHERE lease_owner IS NULL), \
               (SELECT min(due_at) FROM (SELECT due_at FROM timer UNION ALL SELECT due_at FROM compensation))",
        )
        .fetch_one(&mut self.reader)
        .await
        .unwrap();
        Schedule { leased: usize::try_from(row.get::<i64, _>(0)).unwrap(), next: row.get(1), timer: row.get(2) }
    }

    /// The next moment at which anything happens.
    fn next_moment(&mut self) -> Option<i64> {
        let schedule = self.stored_schedule();
        let now = self.clock.millis();
        let loops = self.loops;
        let is_loop = |task: u64| loops.contains(&task);
        let sleepers = self.clock.sleepers();
        let rows = schedule.next.into_iter().chain(schedule.timer);
        let overdue = rows.clone().any(|at| at <= now);
        let agenda = self.agenda.iter().map(|(at, _)| *at);
        let outside = self.wire.next_due().into_iter().chain(self.forge.next_due());
        // Leases of workers that are held are extended by their own sleeps. The loops' own sleeps only matter after a lost
        // wake-up, or once the wall was set.
        let matters = |sleeper: &&Sleeper| overdue || sleeper.wall_was_set || !is_loop(sleeper.task);
        let sleeps = sleepers.iter().filter(matters).map(|sleeper| sleeper.until);
        rows.chain(agenda).chain(outside).chain(sleeps).filter(|at| *at > now).min()
    }

    fn stored_schedule(&mut self) -> Schedule {
        let runtime =
            std::mem::replace(&mut self.reading, tokio::runtime::Builder::new_current_thread().build().unwrap());
        let schedule = runtime.block_on(self.schedule());
        self.reading = runtime;
        schedule
    }

    /// What the agenda holds for now.
    fn happen(&mut self) {
        self.wire.catch_up();
        loop {
            let now = self.clock.millis();
            let Some(place) = self.agenda.iter().position(|(at, _)| *at <= now) else { return };
            let (_, act) = self.agenda.remove(place);
            act(self);
        }
    }

    /// Something happens outside after so long.
    pub fn after(&mut self, time: Duration, act: impl FnOnce(&mut Self) + 'static) {
        self.agenda.push((self.clock.millis() + millis(time), Box::new(act)));
    }

    /// Goes on to the next moment at which anything happens, if there is one before `end`.
    pub fn step_before(&mut self, end: i64) -> bool {
        self.turn();
        match self.next_moment() {
            Some(next) if next <= end => {
                self.clock.advance_to(next);
                self.turn();
                true
            }
            _ => false,
        }
    }

    /// Time passes, and whatever is due in it happens at its time.
    pub fn advance(&mut self, time: Duration) {
        let end = self.clock.millis() + millis(time);
        while self.step_before(end) {}
        self.clock.advance_to(end);
        self.turn();
    }

    /// The machine sleeps: the wall clock is ahead when it wakes, and nothing was done meanwhile.
    pub fn sleep_machine(&mut self, time: Duration) {
        self.turn();
        self.clock.step_wall(millis(time));
        self.turn();
    }

    /// Goes on until every request has ended, failed, or waits for people or for the deploy.
    pub fn settle(&mut self) {
        self.until("everything rests", Self::all_at_rest);
    }

    /// Goes on until the request stands at this step.
    #[track_caller]
    pub fn run_until(&mut self, id: &str, step: i64) {
        let name = id.to_owned();
        self.until(&format!("{id} stands at {step}"), move |world| world.step(&name) == step);
    }

    /// Goes on until something holds.
    #[track_caller]
    pub fn until(&mut self, what: &str, holds: impl Fn(&mut Self) -> bool) {
        let end = self.clock.millis() + millis(LONGEST);
        for _ in 0..MOST_STEPS {
            self.turn();
            if holds(self) {
                return;
            }
            assert!(self.step_before(end), "nothing will ever happen again, and not yet: {what}\n{}", self.story());
        }
        panic!("{MOST_STEPS} moments passed, and not yet: {what}\n{}", self.story());
    }

    fn all_at_rest(&mut self) -> bool {
        let moving = self.count(
            "SELECT count(*) FROM operation WHERE outlook = 'running' OR step IN (10005, 10107, 10108) \
               OR (wish IS NOT NULL AND due_at IS NOT NULL)",
        );
        let following = self.count("SELECT count(*) FROM compensation WHERE due_at IS NOT NULL");
        let outside = self.wire.next_due().is_some() || self.forge.next_due().is_some();
        moving == 0 && following == 0 && !outside && self.agenda.is_empty()
    }
}
