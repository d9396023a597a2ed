//! The settings file, which is read at startup and updated whenever a setting changes.

use super::{Settings, themes};
use quadrille_scene::Theme;
use quadrille_system::disk;
use quadrille_system::folders;
use quadrille_system::read::{self, NamedFileError};
use quadrille_text::toml_file::{FileError, Source};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct ConfigFile {
    /// The path, even if the file does not exist; `None` without a home folder.
    pub path: Option<PathBuf>,
    /// The settings in the file, with defaults for missing ones.
    pub settings: Settings,
    /// The problems found in the file, one sentence each.
    pub problems: Vec<String>,
    /// Whether the file may be changed: it has no problems, or only harmless ones.
    may_be_saved_to: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigFileError {
    #[error(transparent)]
    File(#[from] NamedFileError),
    /// Someone has put a fault into the file since startup.
    #[error(transparent)]
    Fault(#[from] FileError),
    #[error(transparent)]
    Syntax(#[from] toml_edit::TomlError),
}

type ConfigContents = (String, Settings, Vec<FileError>);

impl ConfigFile {
    /// Reads this file, or the one in the config folder, which need not exist. Problems are not errors: the defaults
    /// apply instead.
    pub fn read(named: Option<&Path>) -> ConfigFile {
        let own = || folders::config().map(|folder| folder.join("config.toml"));
        let path = named.map(Path::to_owned).or_else(own);
        match path.as_deref().map_or(Ok(ConfigContents::default()), contents) {
            Ok((_, settings, mut problems)) => {
                // Harmless problems go last.
                problems.sort_by_key(|problem| problem.fault.is_harmless);
                let may_be_saved_to = problems.iter().all(|problem| problem.fault.is_harmless);
                let problems = problems.iter().map(ToString::to_string).collect();
                ConfigFile { path, settings, problems, may_be_saved_to }
            }
            Err(error) => {
                let unread = format!("cannot read the settings: {error}");
                let (settings, problems) = (Settings::default(), vec![unread]);
                ConfigFile { path, settings, problems, may_be_saved_to: false }
            }
        }
    }

    /// Reads the theme of the settings. If its file cannot be read, adds that problem, and returns the built-in theme
    /// of this name.
    pub fn theme(&mut self) -> Theme {
        let name = &self.settings.theme;
        let found = themes::find(name).unwrap_or_else(|error| {
            let problem = format!("cannot read the theme: {error}. Using the built-in {name}");
            self.problems.push(problem);
            quadrille_scene::built_in(name).cloned()
        });
        found.unwrap_or_else(|| Theme::night().clone())
    }

    /// Returns a line for the settings screen: the file in which settings are saved, or why they are not saved.
    pub fn save_location(&self) -> String {
        match &self.path {
            None => "No home directory: changes last until you quit.".to_owned(),
            Some(path) if self.may_be_saved_to => format!("Saved in {}", disk::brief(path)),
            Some(_) => "The settings file has errors: changes last until you quit.".to_owned(),
        }
    }

    /// Returns the startup warning if the file has errors. The warning quotes the first error.
    pub fn warning(&self) -> Option<String> {
        let first = self.first_problem().filter(|_| !self.may_be_saved_to)?;
        Some(format!("{first}. Changes last until you quit; fix the file and restart."))
    }

    /// Returns the startup notice if all problems are harmless, such as an unknown key or an unreadable theme.
    pub fn remark(&self) -> Option<String> {
        self.first_problem().filter(|_| self.may_be_saved_to)
    }

    /// Returns the first problem, and the number of the others.
    fn first_problem(&self) -> Option<String> {
        let first = self.problems.first()?;
        // Omit the folder, because a small screen has little room.
        let folder = self.path.as_deref().map(|path| format!("{}/", disk::folder(path).display()));
        let first = folder.map_or(first.clone(), |folder| first.replacen(&folder, "", 1));
        let more = match self.problems.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more: quadrille config)"),
        };
        Some(format!("{first}{more}"))
    }

    /// Writes the settings that differ between `before` and `after`, and leaves the rest of the file unchanged. A file
    /// with errors is not touched.
    pub fn save(&self, before: &Settings, after: &Settings) -> Result<(), ConfigFileError> {
        let Some(path) = self.path.as_deref().filter(|_| self.may_be_saved_to) else {
            return Ok(());
        };
        let (text, _, problems) = contents(path)?;
        // Another program may have changed the file since startup.
        if let Some(problem) = problems.into_iter().find(|problem| !problem.fault.is_harmless) {
            return Err(problem.into());
        }
        let changed = super::change(&text, before, after)?;
        if changed == text {
            return Ok(());
        }
        let named = |cause| NamedFileError::new(path, cause);
        // Keep a symbolic link, and replace its target.
        let place = match path.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
            place => place.map_err(named)?,
        };
        let folder = disk::folder(&place);
        fs::create_dir_all(folder).map_err(named)?;
        // A process killed while saving settings leaves a temporary file.
        let _ = disk::remove_drafts(folder);
        let permissions = fs::metadata(&place).ok().map(|there| there.permissions());
        if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
            let cause = io::Error::new(ErrorKind::PermissionDenied, "is read-only");
            return Err(named(cause).into());
        }
        Ok(disk::replace(&place, changed.as_bytes(), permissions).map_err(named)?)
    }
}

fn contents(path: &Path) -> Result<ConfigContents, ConfigFileError> {
    let Some((shown, text)) = read::settings(path)? else {
        disk::leads_somewhere(path).map_err(|cause| NamedFileError::new(path, cause))?;
        return Ok(ConfigContents::default());
    };
    let check_theme = |name: &str| match themes::find(name) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(themes::unknown(name)),
        // The built-in theme takes its place.
        Err(_) if quadrille_scene::built_in(name).is_some() => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    let (settings, problems) = super::read(Source { file: &shown, text: &text }, check_theme);
    Ok((text, settings, problems))
}
