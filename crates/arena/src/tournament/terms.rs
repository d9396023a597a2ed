//! `schedule.json`: the terms of a tournament, which determine its games. They are compared with the plan before a
//! tournament is resumed, and parsed again to merge shards.

use super::plan::{EARLIER, KINDS, LEVELS, SEATING};
use super::{Extent, SeatOrder, Shard, TournamentPlan, file};
use quadrille_text::toml_file::{Fault, FileError, Source};
use quadrille_text::wording::cut;
use serde_json::{Map, Value};
use std::iter;

const FILE: &str = "schedule.json";

/// Returns the first difference between the terms in the folder and the current terms, as text; `None` if they are
/// identical.
pub fn difference(there: &Map<String, Value>, now: &Map<String, Value>) -> Option<String> {
    let keys = now.keys().chain(there.keys().filter(|key| !now.contains_key(*key)));
    // The names of the kinds do not affect the games.
    keys.filter(|key| *key != KINDS).find_map(|key| {
        let [before, after] = [there, now].map(|terms| terms.get(key).unwrap_or(&Value::Null));
        if key == LEVELS {
            let [before, after] = [there, now].map(levels);
            return Some(format!("the levels were version {before} and are version {after}"))
                .filter(|_| before != after);
        }
        leaf(key, before, after)
    })
}

/// Returns the version of the levels in these terms.
pub fn levels(terms: &Map<String, Value>) -> u32 {
    let version = terms.get(LEVELS).and_then(Value::as_u64);
    version.and_then(|version| version.try_into().ok()).unwrap_or(1)
}

/// Returns the error for an unfinished folder with another version of the levels.
pub fn has_other_levels(there: u32, now: u32) -> String {
    format!(
        "this tournament began with version {there} of the levels and cannot continue with version {now}; choose \
         another folder"
    )
}

/// Returns the error for a folder with different terms.
pub fn differs(what: &str) -> String {
    format!(
        "this folder belongs to another tournament: {what}; undo that change, or choose another folder"
    )
}

/// Returns the first difference at or below this path.
fn leaf(place: &str, before: &Value, after: &Value) -> Option<String> {
    match (before, after) {
        _ if before == after => None,
        (Value::Array(before), Value::Array(after)) => {
            let at = before.iter().zip(after).take_while(|(one, other)| one == other).count();
            let [before, after] = [before, after].map(|list| list.get(at).unwrap_or(&Value::Null));
            leaf(&format!("{place}, entry {},", at + 1), before, after)
        }
        (Value::Object(before), Value::Object(after)) => {
            difference(before, after).map(|what| format!("{place} {what}"))
        }
        _ => {
            let [before, after] = [before, after].map(shown);
            let same = before == after;
            Some(if same {
                format!("{place} has changed, although both values are shown as {after}")
            } else {
                format!("{place} was {before} and is {after}")
            })
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "missing".to_owned(),
        value => cut(&value.to_string()),
    }
}

/// Parses the terms into a plan and its shard. `concurrency` and `out` are not part of the terms and have no meaning in
/// this plan.
pub fn read(terms: &Map<String, Value>) -> Result<(TournamentPlan, Shard), FileError> {
    // Converted to TOML so that the parser of tournament files validates the plan.
    let is_plan = |key: &String| !["shard", KINDS, SEATING, EARLIER, LEVELS].contains(&&**key);
    let lines = terms.iter().filter(|(key, value)| is_plan(key) && !value.is_null());
    let mut lines: Map<_, _> = lines.map(|(key, value)| (key.clone(), value.clone())).collect();
    lines.insert("out".to_owned(), ".".into());
    let text = toml::to_string(&lines).unwrap_or_default();
    let source = Source { file: FILE, text: &text };
    let mut plan = file::read(source, &|_, _| Ok(()))?;
    plan.levels = levels(terms);
    // Earlier builds did not write the kinds.
    let kinds = terms.get(KINDS).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let kinds = kinds.iter().map(|kind| kind.as_str().unwrap_or_default());
    for (setup, kind) in plan.setups.iter_mut().zip(kinds.chain(iter::repeat(""))) {
        setup.kind = kind.into();
    }
    let wrong = |key, why: String| source.error(Fault::new(0, key, why));
    plan.seating = match terms.get(SEATING) {
        Some(seating) => serde_json::from_value(seating.clone())
            .map_err(|why| wrong(SEATING, why.to_string()))?,
        // Earlier builds did not write this key.
        None if plan.has_cyclic_orders() => SeatOrder::Listed,
        None => SeatOrder::Drawn,
    };
    if let Some(earlier) = terms.get(EARLIER) {
        let wrong = |why| wrong(EARLIER, why);
        let mut earlier: Vec<Extent> =
            serde_json::from_value(earlier.clone()).map_err(|why| wrong(why.to_string()))?;
        earlier.push(plan.extent());
        if !earlier.is_sorted_by(|extent, next| extent.is_within(*next)) {
            return Err(wrong("must be less than what there is".to_owned()));
        }
        earlier.pop();
        plan.earlier = earlier;
    }
    let shard = match terms.get("shard") {
        None | Some(Value::Null) => Shard::WHOLE,
        Some(shard) => {
            let shard = shard.as_str().unwrap_or_default().parse();
            shard.map_err(|why| wrong("shard", format!("{why}")))?
        }
    };
    Ok((plan, shard))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn terms_tell_the_version_of_the_levels() {
        let now = plan(TEXT);
        let old = TournamentPlan { levels: 1, ..now.clone() };
        assert_eq!(read(&old.terms()).unwrap().0.levels, 1, "earlier builds wrote no version");
        assert_eq!(
            difference(&old.terms(), &now.terms()).unwrap(),
            "the levels were version 1 and are version 2"
        );
        let programs = TEXT.replace("engine = \"strong,seed=7\"\nnodes = 400", "command = \"b\"");
        let [now, old] = [2, 1].map(|levels| TournamentPlan { levels, ..plan(&programs) }.terms());
        assert_eq!(difference(&old, &now), None);
    }

    const TEXT: &str = r#"game = "tic-tac-toe"
setups = ["", { setup = "grid=X--------", kind = "begun" }]
format = "ladder"
order = "given"
rounds = 3
time = "10+0.1"
out = "results"
concurrency = 2
openings = { plies = 2 }
sprt = { elo0 = 0, elo1 = 50.5 }
[[players]]
engine = "strong,seed=7"
nodes = 400
options = { Hash = 64 }
[[players]]
name = "a \"b\" \\ c"
command = "python3 'my bot.py'"
time = "move:0.2"
options = { Hash = 64, "Use Book" = false }
"#;

    fn plan(text: &str) -> TournamentPlan {
        file::read(Source { file: "t.toml", text }, &|_, _| Ok(())).unwrap()
    }

    #[test]
    fn stored_terms_round_trip() {
        let terms = plan(TEXT).terms();
        let (read, shard) = read(&terms).unwrap();
        assert_eq!((read.terms(), shard), (terms.clone(), Shard::WHOLE));
        let mut part = terms;
        part.insert("shard".to_owned(), json!("2/3"));
        assert_eq!(super::read(&part).unwrap().1, "2/3".parse().unwrap());
        part.insert("shard".to_owned(), json!("4/3"));
        assert!(super::read(&part).is_err());
    }

    #[test]
    fn terms_difference_ignores_settings_without_effect_on_games() {
        let differs = |from: &str, to: &str| {
            assert!(TEXT.contains(from));
            difference(&plan(TEXT).terms(), &plan(&TEXT.replace(from, to)).terms())
        };
        assert_eq!(differs("concurrency = 2", "concurrency = 4"), None);
        assert_eq!(differs("out = \"results\"", "out = \"elsewhere\""), None);
        let kind = "{ setup = \"\", kind = \"empty\" }, ";
        assert_eq!(differs("\"\", ", kind), None);
        assert_eq!(differs("rounds = 3", "rounds = 4").unwrap(), "rounds was 3 and is 4");
        assert_eq!(differs("10+0.1", "10+0").unwrap(), "time was \"10+0.1\" and is \"10+0\"");
        assert_eq!(
            differs("{ setup = \"grid=X--------\", kind = \"begun\" }", "").unwrap(),
            "setups, entry 2, was \"grid=X--------\" and is missing"
        );
        assert_eq!(
            differs("seed=7", "seed=8").unwrap(),
            "players, entry 1, engine was \"strong,seed=7\" and is \"strong,seed=8\""
        );
        assert_eq!(
            differs("nodes = 400", "nodes = 500").unwrap(),
            "players, entry 1, nodes was 400 and is 500"
        );
        assert_eq!(differs("50.5", "60").unwrap(), "sprt elo1 was 50.5 and is 60.0");
        assert!(differs("openings = { plies = 2 }", "").unwrap().ends_with("and is missing"));
        let long = |end: &str| format!("\"points={}{end}\"", "0.1,0.2;0.3,0.9;".repeat(20));
        let [before, after] = ["0.5,0.6", "0.5,0.7"].map(|end| json!({ "setups": [long(end)] }));
        let what = difference(before.as_object().unwrap(), after.as_object().unwrap()).unwrap();
        assert!(what.starts_with("setups, entry 1, has changed, "), "{what}");
    }
}
