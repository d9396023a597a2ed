//! Extends a tournament that has already started with more rounds, setups or players.
//!
//! Existing games keep their numbers, and therefore their seeds and records. The new schedule consists of the old
//! schedule followed by the games that are new; [`TournamentPlan::earlier`] records the extent before each extension.
//! If the new schedule begins with the old one anyway, as when only rounds are added, nothing is recorded, and the
//! tournament is the same as if it had been planned that way from the start.

use super::{Contestant, Schedule, Shard, TournamentFormat, TournamentPlan, terms};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// The extent of a tournament: the number of rounds, setups and players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    pub rounds: u64,
    pub setups: usize,
    pub players: usize,
}

impl Extent {
    /// Returns whether this extent is contained in the other one.
    pub const fn is_within(self, other: Extent) -> bool {
        self.rounds <= other.rounds && self.setups <= other.setups && self.players <= other.players
    }
}

/// Returns the schedule of a plan that extends an old schedule. Returns an error if the plan does anything other than
/// extend it.
pub(super) fn grow(
    old: TournamentPlan,
    plan: &TournamentPlan,
    shard: Shard,
) -> Result<Schedule, String> {
    let mut plan = TournamentPlan { earlier: old.earlier.clone(), ..plan.clone() };
    plan.setups = old_first(&plan.setups, &old.setups, |setup| setup.setup.to_string());
    // In a gauntlet, the first player meets all others; in a ladder, neighbors meet.
    let fixed = match plan.format {
        TournamentFormat::RoundRobin => 0,
        TournamentFormat::Gauntlet => 1,
        TournamentFormat::Ladder => old.players.len(),
    };
    let first = |players: &[Contestant]| -> Vec<_> {
        players.iter().take(fixed).map(Contestant::terms).collect()
    };
    if first(&plan.players) == first(&old.players) {
        plan.players = old_first(&plan.players, &old.players, |player| player.terms().to_string());
    }

    let mut common = plan.clone();
    common.rounds = common.rounds.min(old.rounds);
    common.setups.truncate(old.setups.len());
    common.players.truncate(old.players.len());
    if let Some(what) = terms::difference(&old.terms(), &common.terms()) {
        return Err(terms::differs(&what));
    }

    let before = old.extent();
    let schedule = Schedule::new(Arc::new(plan.clone()))?;
    if before == plan.extent() || schedule.begins_with(&Schedule::new(Arc::new(old))?) {
        return Ok(schedule);
    }
    // Other shards may meanwhile have assigned these numbers to different games.
    if shard != Shard::WHOLE {
        return Err("there are more setups or players now, but a part can only take more rounds; undo that change, \
            or merge the parts and continue in the merged folder"
            .to_owned());
    }
    plan.earlier.push(before);
    Schedule::new(Arc::new(plan))
}

/// Returns the items with the old ones first, in their old order. A missing old item is replaced by a new one.
fn old_first<T: Clone>(items: &[T], old: &[T], key: impl Fn(&T) -> String) -> Vec<T> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate().rev() {
        places.entry(key(item)).or_default().push(at);
    }
    let mut left: Vec<Option<&T>> = items.iter().map(Some).collect();
    let mut found = |item: &T| left[places.get_mut(&key(item))?.pop()?].take();
    let found: Vec<Option<&T>> = old.iter().map(&mut found).collect();
    let mut left = left.into_iter().flatten();
    let ordered = found.into_iter().filter_map(|item| item.or_else(|| left.next())).cloned();
    let mut ordered: Vec<T> = ordered.collect();
    ordered.extend(left.cloned());
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_items_come_first_in_their_old_order() {
        let order = |items: &str, old: &str| {
            let [items, old] = [items, old].map(|text| text.chars().collect::<Vec<_>>());
            String::from_iter(old_first(&items, &old, char::to_string))
        };
        assert_eq!(order("xaybz", "ab"), "abxyz");
        assert_eq!(order("aabc", "cab"), "caba");
        assert_eq!(order("xbcy", "abc"), "xbcy");
        assert_eq!(order("c", "abc"), "c");
    }
}
