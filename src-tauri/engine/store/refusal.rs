//! What the database means, in words that say what to do.

/// The refusal of the database as part of a sentence, with its own words after it.
pub(super) fn words(error: &sqlx::Error) -> String {
    let words = match primary_code(error) {
        Some(5 | 6) => "another program holds the lock of the store; end that program",
        Some(8) => "the store is read-only; give this user the right to write it",
        Some(10) => "the disk reported a fault; look at its health",
        Some(11 | 26) => "the file is damaged; restore the last backup",
        Some(13) => "the disk is full; free some space",
        _ => return error.to_string(),
    };
    format!("{words} ({error})")
}

/// True where the database says that the file is not what it wrote.
pub(super) fn is_damage(error: &sqlx::Error) -> bool {
    matches!(primary_code(error), Some(11 | 26))
}

/// SQLite's result code without its refinement.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok()).map(|code| code & 0xff)
}
