//! Where settings and change kinds are.

use std::path::{Path, PathBuf};

use signalbox_engine::documents::kinds::Catalogue;

/// The settings file and what lies beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    /// The settings file.
    pub(crate) settings: PathBuf,
    /// The folder that relative paths of `file:` secrets begin in.
    pub(crate) folder: PathBuf,
    /// The folder of the change kinds.
    pub(crate) kinds: PathBuf,
}

impl Files {
    /// `config`, or `signalbox.toml` in the data directory.
    pub(crate) fn of(data_dir: &Path, config: Option<&Path>) -> Self {
        let settings = config.map_or_else(|| data_dir.join("signalbox.toml"), Path::to_path_buf);
        let folder = settings.parent().unwrap_or(data_dir).to_path_buf();
        let kinds = folder.join("kinds");
        Self { settings, folder, kinds }
    }

    /// The change kinds, or one sentence for each fault in them.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Vec<String>> {
        let folder = self.kinds.display();
        Catalogue::load(&self.kinds)
            .map_err(|faults| faults.iter().map(|fault| format!("In {folder}: {fault}")).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, Path};

    #[test]
    fn kinds_are_looked_for_beside_the_settings() {
        let default = Files::of(Path::new("/data"), None);
        assert_eq!(
            (default.settings.to_str(), default.kinds.to_str()),
            (Some("/data/signalbox.toml"), Some("/data/kinds"))
        );
        let named = Files::of(Path::new("/data"), Some(Path::new("/etc/box.toml")));
        assert_eq!((named.settings.to_str(), named.kinds.to_str()), (Some("/etc/box.toml"), Some("/etc/kinds")));
    }
}
