//! The tournament file, a TOML description of a tournament.

use super::ranges::{expand, without_ranges};
use super::{
    Contestant, Openings, PlannedSetup, SeatOrder, Sprt, SprtSettings, Time, TournamentFormat,
    TournamentPlan,
};
use quadrille_match::session::{Player, ProgramSeat};
use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_text::printable::is_name;
use quadrille_text::toml_file::{Fault, FileError, Source, TomlTable, number};
use quadrille_text::wording::cut;
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::sync::Arc;
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// The keys at the top level of the file, of its tables, and of a player.
const KEYS: [&str; 15] = [
    "game",
    "setups",
    "order",
    "format",
    "rounds",
    "time",
    "margin",
    "comments",
    "seed",
    "openings",
    "concurrency",
    "max_plies",
    "out",
    "sprt",
    "players",
];
const SETUP: [&str; 2] = ["setup", "kind"];
const OPENINGS: [&str; 2] = ["plies", "seed"];
const SPRT: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
const PLAYER: [&str; 8] =
    ["name", "engine", "command", "options", "time", "nodes", "depth", "restart"];

/// Replaces `points=@FILE` in a setup with the points from that file.
type Complete<'a> = &'a dyn Fn(&'static GameEntry, &mut Setup) -> Result<(), String>;

pub const MAX_GAMES: u64 = 10_000_000;
const MAX_PLAYERS: usize = 1000;
/// The default limit of plies: a game this long would not end naturally.
const MAX_PLIES: i64 = 10_000;
/// The default move time.
const A_MOVE: Duration = Duration::from_secs(1);

/// Reads a tournament file. `complete` is called with each setup.
pub fn read(source: Source<'_>, complete: Complete<'_>) -> Result<TournamentPlan, FileError> {
    plan(&source.parse()?, complete).map_err(|fault| source.error(fault))
}

fn plan(table: &DeTable<'_>, complete: Complete<'_>) -> Result<TournamentPlan, Fault> {
    let top = TomlTable::new(table, 0, "", &KEYS)?;
    let entry = game(&top)?;
    let plan = TournamentPlan {
        entry,
        setups: setups(&top, entry, complete)?,
        time: top.parsed("time")?.unwrap_or(Time::Move(A_MOVE)),
        players: players(&top)?,
        levels: Level::VERSION,
        format: word(&top, "format", "round-robin, gauntlet or ladder")?
            .unwrap_or(TournamentFormat::RoundRobin),
        order: word(&top, "order", "shuffled or given")?,
        seating: SeatOrder::default(),
        out: match top.text("out")? {
            None => return Err(top.missing("out", "the name of a folder for the results")),
            Some("") => return Err(top.wrong("out", "must be the name of a folder")),
            Some(text) => text.to_owned(),
        },
        earlier: Vec::new(),
        rounds: top.whole("rounds", 1..=MAX_GAMES as i64)?.unwrap_or(1) as u64,
        margin: margin(&top)?,
        comments: top.flag("comments")?.unwrap_or(true),
        seed: top.whole("seed", 0..=i64::MAX)?.unwrap_or(1) as u64,
        openings: top.table("openings", &OPENINGS)?.map(|table| openings(&table)).transpose()?,
        concurrency: top.whole("concurrency", 1..=1024)?.unwrap_or(1) as usize,
        max_plies: top.whole("max_plies", 1..=1_000_000)?.unwrap_or(MAX_PLIES) as usize,
        sprt: top.table("sprt", &SPRT)?.map(|table| sprt(&table)).transpose()?,
    };
    check(&plan, &top)?;
    Ok(plan)
}

fn game(top: &TomlTable<'_>) -> Result<&'static GameEntry, Fault> {
    let ids = GAMES.map(|entry| entry.id).join(", ");
    let name = top.text("game")?.ok_or_else(|| top.missing("game", &format!("one of {ids}")))?;
    catalogue::named_in_file(name).map_err(|why| top.wrong("game", why))
}

/// Parses the value of a key that accepts one of these words.
fn word<T: DeserializeOwned>(
    top: &TomlTable<'_>,
    key: &str,
    words: &str,
) -> Result<Option<T>, Fault> {
    let Some(text) = top.text(key)? else { return Ok(None) };
    let read: Result<T, serde::de::value::Error> = T::deserialize(text.into_deserializer());
    let wrong = |_| top.wrong(key, format!("must be {words}, not {:?}", cut(text)));
    read.map(Some).map_err(wrong)
}

fn openings(table: &TomlTable<'_>) -> Result<Openings, Fault> {
    let plies = table.whole("plies", 1..=1000)?;
    let plies = plies.ok_or_else(|| table.missing("plies", "a whole number from 1 to 1000"))?;
    let seed = table.whole("seed", 0..=i64::MAX)?.unwrap_or(1);
    Ok(Openings { plies: plies as usize, seed: seed as u64 })
}

fn setups(
    top: &TomlTable<'_>,
    entry: &'static GameEntry,
    complete: Complete<'_>,
) -> Result<Vec<PlannedSetup>, Fault> {
    const KEY: &str = "setups";
    let form = "must be a list of setups, each a string such as \"size=5\" or [[setups]] with \
                setup = \"size=5\" and its kind, or be left out";
    let Some(list) = top.read_or(KEY, form, DeValue::as_array)? else {
        return one_setup(entry, "", &kind_of("").into(), complete)
            .map(|setup| vec![setup])
            .map_err(|why| top.missing(KEY, &why));
    };
    if list.is_empty() {
        return Err(top.wrong(KEY, form));
    }
    let mut setups = Vec::new();
    for item in list {
        let at = item.span().start;
        let wrong = |why: String| Fault::new(at, KEY, why);
        let (text, kind) = match item.get_ref() {
            DeValue::String(text) => (&**text, None),
            DeValue::Table(table) => {
                let keys = TomlTable::new(table, at, "setups.", &SETUP)?;
                let missing = || keys.missing("setup", "a text such as \"size=5\"");
                let text = keys.text("setup")?.ok_or_else(missing)?;
                let kind = keys.text("kind")?;
                if let Some(kind) = kind.filter(|kind| !is_name(kind)) {
                    let why = format!("{:?} must be one line of visible characters", cut(kind));
                    return Err(keys.wrong("kind", why));
                }
                (text, kind)
            }
            _ => return Err(wrong(form.to_owned())),
        };
        let kind = kind.map_or_else(|| kind_of(text), str::to_owned).into();
        for words in expand(text).map_err(wrong)? {
            setups.push(one_setup(entry, &words, &kind, complete).map_err(wrong)?);
        }
    }
    Ok(setups)
}

/// Returns the default kind of the setups generated from a text: the text without its ranges.
fn kind_of(text: &str) -> String {
    let without = without_ranges(text);
    if without.is_empty() { "default".to_owned() } else { without }
}

fn one_setup(
    entry: &'static GameEntry,
    words: &str,
    kind: &Arc<str>,
    complete: Complete<'_>,
) -> Result<PlannedSetup, String> {
    let mut setup: Setup =
        words.parse().map_err(|why: quadrille_rules::SetupError| why.to_string())?;
    complete(entry, &mut setup)?;
    let game = (entry.start)(&setup).map_err(|why| why.to_string())?;
    if game.to_move().is_none() {
        return Err(format!("{}: the game is already over at the start", cut(words)));
    }
    Ok(PlannedSetup { setup, seats: game.seats(), kind: Arc::clone(kind) })
}

fn margin(top: &TomlTable<'_>) -> Result<Option<Duration>, Fault> {
    let what = "a number of seconds from 0 to 60, such as 0.05";
    let seconds = |value: &DeValue| number(value).filter(|number| (0.0..=60.0).contains(number));
    Ok(top.read("margin", what, seconds)?.map(Duration::from_secs_f64))
}

fn players(top: &TomlTable<'_>) -> Result<Vec<Contestant>, Fault> {
    const KEY: &str = "players";
    let form = "must be [[players]], one per player, each with an engine or a command and an optional name";
    let list = top
        .read_or(KEY, form, DeValue::as_array)?
        .ok_or_else(|| top.missing(KEY, "two or more players"))?;
    let mut players: Vec<Contestant> = Vec::new();
    for item in list {
        let at = item.span().start;
        let table = item.get_ref().as_table().ok_or_else(|| Fault::new(at, KEY, form))?;
        let keys = TomlTable::new(table, at, "", &PLAYER)?;
        let player = contestant(&keys)?;
        if players.iter().any(|other| other.name == player.name) {
            let why = format!("two players are called {:?}", cut(&player.name));
            return Err(keys.wrong("name", why));
        }
        players.push(player);
    }
    if !(2..=MAX_PLAYERS).contains(&players.len()) {
        let why = format!("there must be 2 to {MAX_PLAYERS} players, not {}", players.len());
        return Err(top.wrong(KEY, why));
    }
    Ok(players)
}

fn contestant(keys: &TomlTable<'_>) -> Result<Contestant, Fault> {
    let player = match (keys.text("engine")?, keys.text("command")?) {
        (Some(text), None) => {
            let player = format!("engine:{text}").parse::<Player>();
            let player = player.map_err(|why| keys.wrong("engine", why.to_string()))?;
            if text.contains("time=") {
                let why = "time is a separate key; write time = \"move:0.5\"";
                return Err(keys.wrong("engine", why));
            }
            player
        }
        (None, Some(text)) => {
            let why = "must be a program and its arguments, such as \"python3 bot.py\"";
            let program = ProgramSeat::new(text).ok_or_else(|| keys.wrong("command", why))?;
            Player::Program(program)
        }
        _ => {
            let why = "a player needs either an engine or a command";
            return Err(Fault::new(keys.at, "players", why));
        }
    };
    let name = keys.text("name")?.or(player.name()).unwrap_or_default().to_owned();
    if !is_name(&name) {
        let why =
            format!("{:?} is not a name: it must be one line of visible characters", cut(&name));
        return Err(keys.wrong("name", why));
    }
    let restart = keys.flag("restart")?;
    if restart.is_some() && player.program().is_none() {
        return Err(keys.wrong("restart", "is only for players with a command"));
    }
    // The log of the program's standard error also has this name.
    let mut player = match player {
        Player::Program(program) => Player::Program(program.with_name(&name)),
        player => player,
    };
    options(keys, &mut player)?;
    let mut limits = player.limits();
    if let Some(nodes) = keys.whole("nodes", 1..=i64::MAX)? {
        limits.nodes = Some(nodes as u64);
    }
    if let Some(depth) = keys.whole("depth", 1..=100_000)? {
        limits.depth = Some(depth as u32);
    }
    player.set_limits(limits);
    if let Some(Err(why)) = player.engine().map(|engine| engine.check_limits()) {
        return Err(keys.wrong(if limits.nodes.is_some() { "nodes" } else { "depth" }, why));
    }
    Ok(Contestant { name, player, time: keys.parsed("time")?, restart: restart == Some(true) })
}

fn options(keys: &TomlTable<'_>, player: &mut Player) -> Result<(), Fault> {
    const KEY: &str = "options";
    let form = "must be { Hash = 64, … }, the name of each option with its value";
    for (name, value) in keys.read_or(KEY, form, DeValue::as_table)?.into_iter().flatten() {
        let wrong = |why: String| Fault::new(value.span().start, KEY, why);
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(is) => is.to_string(),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            _ => return Err(wrong(format!("{}: must be a text or a number", name.get_ref()))),
        };
        player.set_option(name.get_ref(), &text).map_err(wrong)?;
    }
    Ok(())
}

fn sprt(table: &TomlTable<'_>) -> Result<SprtSettings, Fault> {
    let number = |key: &str| table.read(key, "a number", number);
    let elo = |key: &str| number(key)?.ok_or_else(|| table.missing(key, "an Elo difference"));
    let settings = SprtSettings {
        elo0: elo("elo0")?,
        elo1: elo("elo1")?,
        alpha: number("alpha")?.unwrap_or(0.05),
        beta: number("beta")?.unwrap_or(0.05),
    };
    Sprt::new(settings).map(|_| settings).map_err(|why| Fault::new(table.at, "sprt", why))
}

/// Validates combinations of keys.
fn check(plan: &TournamentPlan, top: &TomlTable<'_>) -> Result<(), Fault> {
    let most = plan.setups.iter().map(|setup| setup.seats).max().unwrap_or_default();
    if usize::from(most) > plan.players.len() {
        let have = plan.players.len();
        let why = format!("a game has {most} seats, but there are {have} players");
        return Err(top.wrong("players", why));
    }
    if plan.sprt.is_some() && (plan.players.len() != 2 || most != 2) {
        return Err(top.wrong("sprt", "is only for two players at two seats"));
    }
    // The level Perfect needs a game that can be solved. With a clock or a limit other than move time, it plays like
    // Strong, so only move times are checked.
    let engine = (plan.entry.engine)();
    for contestant in &plan.players {
        let Contestant { name, player, .. } = contestant;
        let is_perfect = player.engine().is_some_and(|engine| engine.level == Level::Perfect);
        let Some(Time::Move(time)) = plan.time_of(contestant).filter(|_| is_perfect) else {
            continue;
        };
        for PlannedSetup { setup, .. } in &plan.setups {
            let wrong = |why: String| {
                top.wrong("players", format!("{name}, {}: {why}", cut(&setup.to_string())))
            };
            let game = (plan.entry.start)(setup).map_err(|why| wrong(why.to_string()))?;
            let horizon = engine.horizon(game.now(), Level::patience(time));
            let horizon = horizon.map_err(|why| wrong(why.to_string()))?;
            player.check_level(horizon).map_err(wrong)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"game = "join-the-dots"
setups = ["layout=circle:6..7", "layout=random:10 seed=1..3"]
format = "round-robin"
rounds = 2
time = "move:0.1"
seed = 1
openings = { plies = 2, seed = 7 }
concurrency = 2
max_plies = 400
out = "results"

[[players]]
name = "Casual"
engine = "casual"

[[players]]
name = "mine"
command = "python3 bot.py"
restart = true
"#;

    fn read(text: &str) -> Result<TournamentPlan, String> {
        let source = Source { file: "t.toml", text };
        super::read(source, &|_, _| Ok(())).map_err(|problem| problem.to_string())
    }

    #[test]
    fn tournament_file_is_read_completely() {
        let plan = read(GOOD).unwrap();
        assert_eq!((plan.entry.id, plan.setups.len(), plan.rounds), ("join-the-dots", 5, 2));
        assert_eq!(plan.setups[4].setup.to_string(), "layout=random:10 seed=3");
        let kinds: Vec<&str> = plan.setups.iter().map(|setup| &*setup.kind).collect();
        assert_eq!(kinds[1..3], ["layout=circle", "layout=random:10"]);
        assert_eq!(plan.names(), ["Casual", "mine"]);
        assert_eq!(plan.openings, Some(Openings { plies: 2, seed: 7 }));
        assert!(plan.players[1].restart && plan.players[1].player.program().is_some());
        let named = GOOD.replace(
            "\"layout=circle:6..7\"",
            "{ setup = \"layout=circle:6..7\", kind = \"round\" }",
        );
        assert_eq!(&*read(&named).unwrap().setups[1].kind, "round");
        let tables =
            "[[setups]]\nsetup = \"size=3..4\"\n[[setups]]\nsetup = \"size=5\"\nkind = \"large\"\n";
        let tables = format!(
            "game = \"quixo\"\nout = \"r\"\n{tables}[[players]]\nengine = \"casual\"\n\
             [[players]]\nengine = \"beginner\""
        );
        let kinds = read(&tables).unwrap().setups.into_iter().map(|setup| setup.kind.to_string());
        assert_eq!(kinds.collect::<Vec<_>>(), ["size=3..4", "size=3..4", "large"]);
        let defaults = "game = \"quixo\"\nout = \"r\"\n[[players]]\nengine = \"casual\"\n[[players]]\nengine = \"beginner,seed=7\"";
        let plan = read(defaults).unwrap();
        assert_eq!(plan.names(), ["Casual", "Beginner"]);
        assert_eq!((plan.rounds, plan.concurrency, plan.max_plies), (1, 1, 10_000));
        assert_eq!((plan.time.to_string().as_str(), plan.setups.len()), ("move:1", 1));
        let short = read(&defaults.replace("quixo", "ttt")).unwrap();
        assert_eq!(short.entry.id, "tic-tac-toe");
    }

    /// Each row is a part of `GOOD`, its replacement, and the start of the error: the line, and the key if the error is
    /// about one. `\n` ends a line.
    const WRONG: &str = r#"
join-the-dots -> chess | 1: game: must be one of dots-and-boxes,
game = -> gane = | 1: gane: unknown key; the keys here are game, setups,
circle:6..7 -> circle:2 | 2: setups: layout=circle:2: must be
seed=1..3 -> seed=3..1 | 2: setups: seed=3..1: a range is
"layout=circle:6..7" -> { setup = "layout=circle:6", kind = " " } | 2: setups.kind: " " must be one line
"layout=circle:6..7" -> { kind = "round" } | 2: setups.setup: is missing: a text such as
"layout=circle:6..7" -> 6 | 2: setups: must be a list of setups, each a string
"round-robin" -> "swiss" | 3: format: must be round-robin, gauntlet or ladder, not "swiss"
rounds = 2 -> rounds = 0 | 4: rounds: must be a whole number from 1 to 10000000, not 0
rounds = 2 -> rounds = 1.5 | 4: rounds: must be a whole number from 1 to 10000000
move:0.1 -> 0.1s | 5: time: must be move:0.1, from 0.001 to 3600 seconds a move, or a clock
move:0.1 -> 0.1 | 5: time: must be move:0.1 for each move, or 0.1+0 for the game, not "0.1"
{ plies = 2, seed = 7 } -> 2 | 7: openings: must be { plies = …, seed = … }
plies = 2, seed -> seed | 7: openings.plies: is missing: a whole number from 1 to 1000
out = "results" ->  | 1: out: is missing:
name = "mine" -> name = "Casual" | 17: name: two players are called "Casual"
name = "mine" -> name = "a\u001b" | 17: name: "a\u{1b}" is not a name
engine = "casual" -> engine = "god" | 14: engine: "god": the levels are
engine = "casual" -> engine = "casual,time=2" | 14: engine: time is a separate key
engine = "casual" -> engine = "casual"\nrestart = true | 15: restart: is only for players with a command
engine = "casual"\n ->  | 12: players: a player needs either an engine or a command
python3 bot.py -> ' | 18: command: must be a program and its arguments
out = -> sprt = { elo0 = 5, elo1 = 0 }\nout = | 10: sprt: elo0 must be less than elo1
out = -> sprt = { elo0 = 0, elo1 = 5, beta = 0.5 }\nout = | 10: sprt: beta must be from 0.0001 to 0.4999, such as 0.05
rounds = 2 -> rounds =  | 4:
"results" -> "" | 10: out: must be the name of a folder
rounds = 2 -> order = "" | 4: order: must be shuffled or given, not ""
rounds = 2 -> comments = 1 | 4: comments: must be true or false, not 1
rounds = 2 -> margin = 61 | 4: margin: must be a number of seconds from 0 to 60, such as 0.05, not 61
seed = 7 } -> start = 7 } | 7: openings.start: unknown key; the keys here are plies, seed
out = -> sprt = { elo0 = 5 }\nout = | 10: sprt.elo1: is missing: an Elo difference
engine = "casual" -> engine = "casual"\nnodes = 400 | 15: nodes: only strong and perfect take nodes and depth
engine = "casual" -> engine = "strong"\noptions = { Hahs = 64 } | 15: options: an engine has the options Hash
restart = true -> options = 64 | 19: options: must be { Hash = 64, … }, the name of each option with its value
restart = true -> options = { Book = [] } | 19: options: Book: must be a text or a number
restart = true -> options = { Setup = "size=3" } | 19: options: Setup is set by the match
move:0.1 -> move:0.1"\nmargin = "61 | 6: margin: must be a number
"#;

    #[test]
    fn file_error_names_line_and_key() {
        for row in WRONG.trim().lines() {
            let (change, why) = row.split_once(" | ").unwrap();
            let (from, to) = change.split_once(" -> ").unwrap();
            let [from, to] = [from, to].map(|text| text.replace("\\n", "\n"));
            assert!(GOOD.contains(&from), "{from}");
            let said = read(&GOOD.replace(&from, &to)).unwrap_err();
            assert!(said.starts_with(&format!("t.toml: line {why}")), "{said}\n  not {why}");
        }
        let none = GOOD.split("[[players]]").next().unwrap();
        assert_eq!(
            read(none).unwrap_err(),
            "t.toml: line 1: players: is missing: two or more players"
        );
    }

    #[test]
    fn reader_rejects_inconsistent_keys() {
        let text = GOOD.replace("join-the-dots", "intersections");
        let text =
            text.replace("\"layout=circle:6..7\", \"layout=random:10 seed=1..3\"", "\"players=3\"");
        assert!(
            read(&text)
                .unwrap_err()
                .contains("players: a game has 3 seats, but there are 2 players")
        );
        let sprt = "sprt = { elo0 = 0, elo1 = 5 }\nout =";
        assert!(read(&GOOD.replace("out =", sprt)).is_ok());
        let third = format!("{}\n[[players]]\nengine = \"strong\"\n", GOOD.replace("out =", sprt));
        assert!(read(&third).unwrap_err().contains("sprt: is only for two players at two seats"));
        let perfect = GOOD.replace("engine = \"casual\"", "engine = \"perfect\"");
        assert!(
            read(&perfect.replace("random:10", "random:60"))
                .unwrap_err()
                .contains("perfect cannot solve this game")
        );
    }
}
