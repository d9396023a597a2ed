//! The random seeds of layouts and engines.

use crate::catalogue::GameEntry;
use quadrille_rules::{OptionSpec, Setup};

/// The setup option that seeds random layouts.
pub const SEED: &str = "seed";

/// Adds a seed to a setup that has a random layout but no seed. Returns whether a seed was added.
pub fn draw_seed(entry: &GameEntry, setup: &mut Setup, chance: u64) -> bool {
    let seed = (entry.options)(setup).into_iter().find_map(|option| match option {
        OptionSpec::Number(option) if option.name == SEED => Some(option),
        _ => None,
    });
    let Some(seed) = seed.filter(|_| setup.get(SEED).is_none()) else { return false };
    let values = u64::from(seed.max - seed.min) + 1;
    setup.set(SEED, u64::from(seed.min) + chance % values);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{self, GAMES};

    #[test]
    fn draw_seed_sets_seeds_only_for_random_setups() {
        for entry in &GAMES {
            let has_seed =
                (entry.options)(&Setup::new()).iter().any(|option| option.name() == SEED);
            let mut setup = Setup::new();
            assert_eq!(draw_seed(entry, &mut setup, 7), has_seed, "{}", entry.id);
            assert_eq!(setup.get(SEED), has_seed.then_some("7"));
            assert!(!draw_seed(entry, &mut setup, 8), "a seed that is given stays");
        }
        if let Some(entry) = catalogue::find("join-the-dots") {
            for layout in
                ["circle:5", "double-circle:5", "spiral:5", "onion:5", "zigzag:5", "eight"]
            {
                let mut figure = Setup::new().with("layout", layout);
                assert!(!draw_seed(entry, &mut figure, 7) && figure.get(SEED).is_none());
                let start = |setup: &Setup| (entry.start)(setup).unwrap().setup();
                assert_eq!(start(&figure), start(&figure.clone().with(SEED, 7)), "{layout}");
            }
            for layout in ["spread:5", "random:5", "clustered:5", "grid:5"] {
                let mut setup = Setup::new().with("layout", layout);
                let start = |seed| (entry.start)(&setup.clone().with(SEED, seed)).unwrap().setup();
                assert_ne!(start(1), start(2), "{layout}");
                assert!(
                    draw_seed(entry, &mut setup, 7) && setup.get(SEED) == Some("7"),
                    "{layout}"
                );
            }
        }
    }
}
