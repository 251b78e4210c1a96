//! Where this app keeps its things, and which way it starts from what is there.

use std::path::{Path, PathBuf};

/// The folder of the practice remotes and of the engine that works on them, under the data directory.
const PRACTICE: &str = "practice";
const SETTINGS: &str = "signalbox.toml";

/// The directories of one app.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) data_dir: PathBuf,
    config: Option<PathBuf>,
}

/// The three ways to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Door {
    /// Settings are there, or were named.
    Settings(PathBuf),
    /// No settings, but practice was begun earlier.
    Practice(PathBuf),
    /// Nothing is there yet.
    FirstRun,
}

impl Place {
    /// `data_dir` falls back to the platform's data directory, and to the current one where there is none.
    pub(crate) fn new(data_dir: Option<PathBuf>, config: Option<PathBuf>) -> Self {
        let data_dir = data_dir
            .or_else(|| dirs::data_dir().map(|dir| dir.join("signalbox")))
            .unwrap_or_else(|| PathBuf::from("signalbox-data"));
        let data_dir = std::path::absolute(&data_dir).unwrap_or(data_dir);
        Self { data_dir, config }
    }

    /// Makes the data directory where it is missing, and says in a sentence why it cannot be used.
    pub(crate) fn prepare(&self) -> Result<(), String> {
        let trial = self.data_dir.join(".trial");
        std::fs::create_dir_all(&self.data_dir)
            .and_then(|()| std::fs::write(&trial, ""))
            .and_then(|()| std::fs::remove_file(&trial))
            .map_err(|error| {
                format!(
                    "The data directory {} cannot be written ({error}). Change its rights, or start with --data-dir and \
                     another directory.",
                    self.data_dir.display()
                )
            })
    }

    /// The settings file that is used, or would be.
    pub(crate) fn settings(&self) -> PathBuf {
        self.config.clone().unwrap_or_else(|| self.data_dir.join(SETTINGS))
    }

    /// The directory of the practice remotes.
    pub(crate) fn practice(&self) -> PathBuf {
        self.data_dir.join(PRACTICE)
    }

    /// The directory of the store that is opened through a door.
    pub(crate) fn store_dir(&self, door: &Door) -> PathBuf {
        match door {
            Door::Practice(dir) => dir.clone(),
            Door::Settings(_) | Door::FirstRun => self.data_dir.clone(),
        }
    }

    /// Chooses by what is on the disk now.
    pub(crate) fn door(&self) -> Door {
        let settings = self.settings();
        if self.config.is_some() || settings.exists() {
            Door::Settings(settings)
        } else if practice_settings(&self.practice()).exists() {
            Door::Practice(self.practice())
        } else {
            Door::FirstRun
        }
    }
}

/// The settings that the practice remotes write into their directory.
pub(crate) fn practice_settings(practice: &Path) -> PathBuf {
    practice.join(SETTINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_before_practice_and_practice_before_the_first_run() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::new(Some(dir.path().into()), None);
        assert_eq!(place.door(), Door::FirstRun);

        std::fs::create_dir(place.practice()).unwrap();
        assert_eq!(place.door(), Door::FirstRun, "an empty practice folder is not a practice");
        std::fs::write(practice_settings(&place.practice()), "").unwrap();
        assert_eq!(place.door(), Door::Practice(place.practice()));
        assert_eq!(place.store_dir(&place.door()), place.practice());

        std::fs::write(place.settings(), "").unwrap();
        assert_eq!(place.door(), Door::Settings(dir.path().join(SETTINGS)));
        assert_eq!(place.store_dir(&place.door()), dir.path());
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_told_with_its_name_and_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let sentence = Place::new(Some(file.clone()), None).prepare().unwrap_err();
        assert!(sentence.contains(file.to_str().unwrap()) && sentence.contains("--data-dir"), "{sentence}");
        assert_eq!(Place::new(Some(dir.path().join("new/one")), None).prepare(), Ok(()));
    }

    #[test]
    fn a_named_settings_file_is_used_even_when_it_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        let named = dir.path().join("other.toml");
        let place = Place::new(Some(dir.path().into()), Some(named.clone()));
        assert_eq!(place.door(), Door::Settings(named));
    }
}
