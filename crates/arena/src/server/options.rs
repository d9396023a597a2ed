//! The UGI options of `quadrille engine`.

use super::position::start;
use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_table::engine::ugi::{OptionKind, UgiOption};
use quadrille_text::wording::cut;

const GAME: &str = "Game";
const SETUP: &str = "Setup";
const LEVEL: &str = "Level";
const THREADS: &str = "Threads";
const HASH: &str = "Hash";
const SEED: &str = "Seed";

#[derive(Clone, Debug)]
pub struct EngineOptions {
    pub game: &'static GameEntry,
    /// The setup of `position startpos`.
    pub setup: Setup,
    /// The last setup received. The setup may belong to a game that is set later, because options arrive in any order.
    wanted: Setup,
    pub level: Level,
    pub threads: usize,
    /// The memory for transposition tables, in MiB.
    pub hash: usize,
    pub seed: u64,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            game: &GAMES[0],
            setup: Setup::new(),
            wanted: Setup::new(),
            level: Level::Strong,
            threads: 1,
            hash: 256,
            seed: 0,
        }
    }
}

impl EngineOptions {
    /// Returns all options with their defaults.
    pub fn declared() -> [UgiOption; 6] {
        let options = EngineOptions::default();
        let option = |name: &str, kind| UgiOption { name: name.to_owned(), kind };
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let games = OptionKind::Combo {
            default: options.game.id.to_owned(),
            vars: words(&GAMES.map(|entry| entry.id)),
        };
        let levels = OptionKind::Combo {
            default: options.level.to_string(),
            vars: Level::ALL.iter().map(Level::to_string).collect(),
        };
        [
            option(GAME, games),
            option(SETUP, OptionKind::Text { default: options.setup.to_string() }),
            option(LEVEL, levels),
            option(THREADS, spin(options.threads as i64, 1, 1024)),
            option(HASH, spin(options.hash as i64, 1, 1 << 20)),
            option(SEED, spin(options.seed as i64, 0, u32::MAX.into())),
        ]
    }

    /// Returns whether setting this option resets the position.
    pub fn sets_up(name: &str) -> bool {
        [GAME, SETUP].iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Sets an option. Returns a note if the setup is accepted although it does not fit the current game.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, String> {
        let declared = EngineOptions::declared();
        let Some(option) = declared.iter().find(|option| option.is_called(name)) else {
            let names = declared.map(|option| option.name).join(", ");
            return Err(format!("unknown option {:?}; the options are {names}", cut(name)));
        };
        let value = option.accept(value).map_err(|wrong| wrong.to_string())?;
        match &*option.name {
            GAME => {
                self.game = catalogue::find(&value).unwrap_or(self.game);
                let is_fit = start(self.game, &self.wanted).is_ok();
                self.setup = if is_fit { self.wanted.clone() } else { Setup::new() };
            }
            SETUP => return self.set_up(&value),
            LEVEL => self.level = value.parse().unwrap_or(self.level),
            THREADS => self.threads = value.parse().unwrap_or(self.threads),
            HASH => self.hash = value.parse().unwrap_or(self.hash),
            _ => self.seed = value.parse().unwrap_or(self.seed),
        }
        Ok(None)
    }

    fn set_up(&mut self, words: &str) -> Result<Option<String>, String> {
        let setup: Setup = words.parse().map_err(|error| format!("{SETUP}: {error}"))?;
        let Err(wrong) = start(self.game, &setup) else {
            (self.setup, self.wanted) = (setup.clone(), setup);
            return Ok(None);
        };
        let wrong = format!("{SETUP}: {wrong}");
        if GAMES.iter().all(|game| start(game, &setup).is_err()) {
            return Err(wrong);
        }
        self.wanted = setup;
        Ok(Some(format!("{wrong}; kept for a game that takes it")))
    }
}
