//! What the database means, in words that say what to do.

/// The refusal of the database as part of a sentence, with its own words after it.
pub(super) fn words(error: &sqlx::Error) -> String {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    let words = match code.map(|code| code & 0xff) {
        Some(5 | 6) => "another program holds the lock of the store; end that program",
        Some(8) => "the store is read-only; give this user the right to write it",
        Some(10) => "the disk reported a fault; look at its health",
        Some(11 | 26) => "the file is damaged; restore the last backup",
        Some(13) => "the disk is full; free some space",
        _ => return error.to_string(),
    };
    format!("{words} ({error})")
}
