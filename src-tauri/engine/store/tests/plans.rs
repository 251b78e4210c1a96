//! What every look at the list asks for reads an index and no rows: a long archive must not be felt.

use sqlx::{AssertSqlSafe, Row as _};

use super::super::{Store, history::USUAL_STAYS, list};

#[tokio::test]
async fn a_look_at_the_list_counts_in_indexes_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    let questions = [
        (list::COUNTS, "operation USING COVERING INDEX operation_count"),
        (list::COUNT_OF, "operation USING COVERING INDEX operation_requester"),
        (USUAL_STAYS, "history USING COVERING INDEX history_lately"),
    ];
    for (sql, index) in questions {
        let plan =
            sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(&store.readers).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
        assert!(plan.iter().any(|line| line.contains(index)), "{index}: {plan:?}");
    }
}
