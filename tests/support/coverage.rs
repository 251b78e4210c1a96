//! Which moves of the table were walked by the worlds that ended on this thread.

use std::{cell::RefCell, collections::BTreeSet};

use sqlx::Row as _;

use super::world::World;

/// From, event, to.
pub type Walked = (Option<i64>, String, i64);

thread_local! {
    static WALKED: RefCell<BTreeSet<Walked>> = const { RefCell::new(BTreeSet::new()) };
}

/// Everything that was walked on this thread.
pub fn walked() -> BTreeSet<Walked> {
    WALKED.with_borrow(Clone::clone)
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let rows = self.rows("SELECT DISTINCT from_step, event, to_step FROM history", &[]);
        WALKED.with_borrow_mut(|walked| walked.extend(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2)))));
        self.kill();
    }
}
