//! What may stand on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// Shown for `--help` and after a word that is not known.
pub(crate) const USAGE: &str = "\
usage: signalbox [--data-dir DIR] [--config FILE] [--minimised]

  --data-dir DIR   where requests, settings and logs are kept (default: the platform's data directory)
  --config FILE    the settings (default: DIR/signalbox.toml)
  --minimised      start in the tray, or as a minimised window where there is no tray
  --version        print the version
";

/// How the app was asked to start.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) minimised: bool,
}

/// Something to print instead of starting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Instead {
    Help,
    Version,
    /// A sentence about the word that could not be understood.
    Refuse(String),
}

/// Reads the words after the program's name; both `--name value` and `--name=value` are understood.
pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, Instead> {
    let mut arguments = Arguments::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, given) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(OsString::from(value))),
            _ => (text.into_owned(), None),
        };
        let mut path = || match given.clone().or_else(|| words.next()) {
            Some(value) if !value.is_empty() => Ok(Some(PathBuf::from(value))),
            _ => Err(Instead::Refuse(format!("{name} needs a path after it"))),
        };
        match name.as_str() {
            "--data-dir" => arguments.data_dir = path()?,
            "--config" => arguments.config = path()?,
            "--minimised" | "--minimized" => arguments.minimised = true,
            "--help" | "-h" => return Err(Instead::Help),
            "--version" | "-V" => return Err(Instead::Version),
            other => return Err(Instead::Refuse(format!("\"{other}\" is not known"))),
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Arguments, Instead> {
        read(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn both_ways_of_giving_a_path_are_understood() {
        let spaced = words("--data-dir /a --config /b.toml --minimised").unwrap();
        assert_eq!(spaced, words("--minimised --config=/b.toml --data-dir=/a").unwrap());
        assert_eq!(spaced.data_dir, Some(PathBuf::from("/a")));
    }

    #[test]
    fn a_missing_path_and_an_unknown_word_are_refused_in_words() {
        assert_eq!(words("--data-dir"), Err(Instead::Refuse("--data-dir needs a path after it".into())));
        assert_eq!(words("--fast"), Err(Instead::Refuse("\"--fast\" is not known".into())));
        assert_eq!(words("--help"), Err(Instead::Help));
    }
}
