//! The file that describes a tournament.

use super::keys::TomlTable;
use super::ranges::{expand, without_ranges};
use super::{
    Contestant, Openings, PlannedSetup, Sprt, SprtSettings, Time, TournamentFormat, TournamentPlan,
};
use crate::catalogue::{self, GAMES, GameEntry};
use crate::engine::AnyEngine;
use crate::printable::is_name;
use crate::rules::Setup;
use crate::search::Level;
use crate::session::{Player, PositionSpec, ProgramSeat};
use crate::toml_file::{self, FileError, Source};
use crate::wording::cut;
use std::sync::Arc;
use std::time::Duration;
use toml::de::DeValue;

/// What is wrong in the file of a tournament, with the line and the key.
pub type TournamentFileError = FileError<String>;

/// The keys at the top of a file, of its tables, and of a player.
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

/// The most games of a tournament.
pub const MOST_GAMES: u64 = 10_000_000;
/// The most players.
const MOST_PLAYERS: usize = 1000;
/// The limit of plies if the file names none: a game as long as this would not end by itself.
const MAX_PLIES: i64 = 10_000;
/// The time for a move if the file names none.
const A_MOVE: Duration = Duration::from_secs(1);

/// Reads the file of a tournament. `complete` is called with each setup, and replaces `points=@FILE` by the points
/// in that file.
pub fn read(
    source: Source<'_>,
    complete: &dyn Fn(&'static GameEntry, &mut Setup) -> Result<(), String>,
) -> Result<TournamentPlan, TournamentFileError> {
    let top = TomlTable::top(source, &KEYS)?;
    let entry = game(&top)?;
    let setups = setups(&top, entry, complete)?;
    let time = top.parsed("time")?.unwrap_or(Time::Move(A_MOVE));
    let players = players(&top)?;
    let format = top.parsed("format")?.unwrap_or(TournamentFormat::RoundRobin);
    let order = top.parsed("order")?;
    let openings = top.table("openings", &OPENINGS)?.map(|table| {
        let plies = table.whole("plies", 1..=1000, None)? as usize;
        Ok(Openings { plies, seed: table.whole("seed", 0..=i64::MAX, Some(1))? as u64 })
    });
    let out = match top.find("out") {
        None => return Err(top.missing("out", "the name of a folder for the results")),
        Some(value) => match top.text("out", value)? {
            "" => return Err(top.error(value, "out", "must be the name of a folder".to_owned())),
            text => text.to_owned(),
        },
    };
    let plan = TournamentPlan {
        entry,
        setups,
        earlier: Vec::new(),
        order,
        format,
        rounds: top.whole("rounds", 1..=MOST_GAMES as i64, Some(1))? as u64,
        time,
        margin: margin(&top)?,
        comments: match top.find("comments") {
            None => true,
            Some(value) => top.value("comments", value, DeValue::as_bool, "true or false")?,
        },
        seed: top.whole("seed", 0..=i64::MAX, Some(1))? as u64,
        openings: openings.transpose()?,
        concurrency: top.whole("concurrency", 1..=1024, Some(1))? as usize,
        max_plies: top.whole("max_plies", 1..=1_000_000, Some(MAX_PLIES))? as usize,
        out,
        sprt: top.table("sprt", &SPRT)?.map(|table| sprt(&table)).transpose()?,
        players,
    };
    check(&plan, &top)?;
    Ok(plan)
}

fn game(top: &TomlTable<'_>) -> Result<&'static GameEntry, TournamentFileError> {
    let ids = || GAMES.map(|entry| entry.id).join(", ");
    let Some(value) = top.find("game") else {
        return Err(top.missing("game", &format!("one of {}", ids())));
    };
    let id = top.text("game", value)?;
    let unknown =
        || top.error(value, "game", format!("must be one of {}, not {:?}", ids(), cut(id)));
    catalogue::find(id).ok_or_else(unknown)
}

fn setups(
    top: &TomlTable<'_>,
    entry: &'static GameEntry,
    complete: &dyn Fn(&'static GameEntry, &mut Setup) -> Result<(), String>,
) -> Result<Vec<PlannedSetup>, TournamentFileError> {
    const KEY: &str = "setups";
    let Some(value) = top.find(KEY) else {
        return one_setup(entry, "", &kind_of("").into(), complete)
            .map(|it| vec![it])
            .map_err(|why| top.missing(KEY, &why));
    };
    let form = "must be a list of setups, each a text such as \"size=5\" or [[setups]] with \
                setup = \"size=5\" and its kind, or be left out";
    let list = value.get_ref().as_array().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| top.error(value, KEY, form.to_owned()))?;
    let mut setups = Vec::new();
    for item in list {
        let error = |why: String| top.error(item, KEY, why);
        let (text, kind) = match item.get_ref() {
            DeValue::String(text) => (text.to_string(), None),
            DeValue::Table(table) => {
                let at = item.span().start;
                let keys = TomlTable::inner(top.source, table, at, "setups.", &SETUP)?;
                let Some(text) = keys.find("setup") else {
                    return Err(keys.missing("setup", "a text such as \"size=5\""));
                };
                (keys.text("setup", text)?.to_owned(), kind(&keys)?)
            }
            _ => return Err(error(form.to_owned())),
        };
        let kind = kind.unwrap_or_else(|| kind_of(&text)).into();
        for words in expand(&text).map_err(error)? {
            setups.push(one_setup(entry, &words, &kind, complete).map_err(error)?);
        }
    }
    Ok(setups)
}

/// The kind that a table names.
fn kind(keys: &TomlTable<'_>) -> Result<Option<String>, TournamentFileError> {
    const KEY: &str = "kind";
    let Some(value) = keys.find(KEY) else { return Ok(None) };
    let kind = keys.text(KEY, value)?;
    let why = || format!("{:?} must be one line of visible characters", cut(kind));
    is_name(kind).then(|| Some(kind.to_owned())).ok_or_else(|| keys.error(value, KEY, why()))
}

/// The kind of the setups that a text stands for if none is named: the text without its ranges.
fn kind_of(text: &str) -> String {
    let without = without_ranges(text);
    if without.is_empty() { "default".to_owned() } else { without }
}

fn one_setup(
    entry: &'static GameEntry,
    words: &str,
    kind: &Arc<str>,
    complete: &dyn Fn(&'static GameEntry, &mut Setup) -> Result<(), String>,
) -> Result<PlannedSetup, String> {
    let mut setup: Setup =
        words.parse().map_err(|why: crate::rules::SetupError| why.to_string())?;
    complete(entry, &mut setup)?;
    let game = (entry.start)(&setup).map_err(|why| why.to_string())?;
    if game.to_move().is_none() {
        return Err(format!("{}: the game is over at its start", cut(words)));
    }
    Ok(PlannedSetup { setup, seats: game.seats(), kind: Arc::clone(kind) })
}

fn margin(top: &TomlTable<'_>) -> Result<Option<Duration>, TournamentFileError> {
    const KEY: &str = "margin";
    let Some(value) = top.find(KEY) else { return Ok(None) };
    let what = "a number of seconds from 0 to 60, such as 0.05";
    let seconds = top.value(KEY, value, toml_file::number, what)?;
    let wrong = || top.error(value, KEY, format!("must be {what}, not {seconds}"));
    let is_good = (0.0..=60.0).contains(&seconds);
    is_good.then(|| Some(Duration::from_secs_f64(seconds))).ok_or_else(wrong)
}

fn players(top: &TomlTable<'_>) -> Result<Vec<Contestant>, TournamentFileError> {
    const KEY: &str = "players";
    let form = "must be [[players]], one for each, with an engine or a command, and with a name if you like";
    let Some(value) = top.find(KEY) else { return Err(top.missing(KEY, "two or more players")) };
    let list = value.get_ref().as_array();
    let list = list.ok_or_else(|| top.error(value, KEY, form.to_owned()))?;
    let mut players: Vec<Contestant> = Vec::new();
    for item in list {
        let table = item.get_ref().as_table();
        let table = table.ok_or_else(|| top.error(item, KEY, form.to_owned()))?;
        let keys = TomlTable::inner(top.source, table, item.span().start, "", &PLAYER)?;
        let player = contestant(&keys)?;
        if players.iter().any(|other| other.name == player.name) {
            let why = format!("there are two players called {:?}", cut(&player.name));
            return Err(keys.error_at(keys.place("name"), "name", why));
        }
        players.push(player);
    }
    if !(2..=MOST_PLAYERS).contains(&players.len()) {
        let why = format!("there must be 2 to {MOST_PLAYERS} players, not {}", players.len());
        return Err(top.error(value, KEY, why));
    }
    Ok(players)
}

fn contestant(keys: &TomlTable<'_>) -> Result<Contestant, TournamentFileError> {
    let player = match (keys.find("engine"), keys.find("command")) {
        (Some(value), None) => {
            let text = keys.text("engine", value)?;
            let player = format!("engine:{text}").parse();
            let player: Player =
                player.map_err(|why| keys.error(value, "engine", format!("{why}")))?;
            if text.contains("time=") {
                let why = "its time is a key of its own; write time = \"move:0.5\" beside it";
                return Err(keys.error(value, "engine", why.to_owned()));
            }
            player
        }
        (None, Some(value)) => {
            let text = keys.text("command", value)?;
            let program = ProgramSeat::new(text);
            let why = "must be a program and its arguments, such as \"python3 bot.py\"";
            Player::Program(program.ok_or_else(|| keys.error(value, "command", why.to_owned()))?)
        }
        _ => {
            let why = "a player has either an engine or a command".to_owned();
            return Err(keys.error_at(keys.at, "players", why));
        }
    };
    let name = match keys.find("name") {
        None => player.name().to_owned(),
        Some(value) => keys.text("name", value)?.to_owned(),
    };
    if !is_name(&name) {
        let why =
            format!("{:?} is not a name: it must be one line of visible characters", cut(&name));
        return Err(keys.error_at(keys.place("name"), "name", why));
    }
    let restart = match keys.find("restart") {
        None => false,
        Some(value) => {
            let restart = keys.value("restart", value, DeValue::as_bool, "true or false")?;
            if player.program().is_none() {
                let why = "is for players with a command".to_owned();
                return Err(keys.error(value, "restart", why));
            }
            restart
        }
    };
    // The log of what the program writes to standard error has this name too.
    let mut player = match player {
        Player::Program(program) => Player::Program(program.with_name(&name)),
        player => player,
    };
    options(keys, &mut player)?;
    let mut limits = player.limits();
    if keys.find("nodes").is_some() {
        limits.nodes = Some(keys.whole("nodes", 1..=i64::MAX, None)? as u64);
    }
    if keys.find("depth").is_some() {
        limits.depth = Some(keys.whole("depth", 1..=100_000, None)? as u32);
    }
    player.set_limits(limits);
    if let Some(Err(why)) = player.engine().map(|engine| engine.check_limits()) {
        let key = if limits.nodes.is_some() { "nodes" } else { "depth" };
        return Err(keys.error_at(keys.place(key), key, why));
    }
    Ok(Contestant { name, player, time: keys.parsed("time")?, restart })
}

/// Sets the options of a player.
fn options(keys: &TomlTable<'_>, player: &mut Player) -> Result<(), TournamentFileError> {
    const KEY: &str = "options";
    let Some(value) = keys.find(KEY) else { return Ok(()) };
    let form = "must be { Hash = 64, … }, the name of each option with its value";
    let table = value.get_ref().as_table();
    let table = table.ok_or_else(|| keys.error(value, KEY, form.to_owned()))?;
    for (name, value) in table {
        let error = |why: String| keys.error(value, KEY, why);
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(is) => is.to_string(),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            _ => return Err(error(format!("{}: must be a text or a number", name.get_ref()))),
        };
        player.set_option(name.get_ref(), &text).map_err(error)?;
    }
    Ok(())
}

fn sprt(table: &TomlTable<'_>) -> Result<SprtSettings, TournamentFileError> {
    let number = |key: &str, default: Option<f64>| match (table.find(key), default) {
        (Some(value), _) => table.value(key, value, toml_file::number, "a number"),
        (None, Some(default)) => Ok(default),
        (None, None) => Err(table.missing(key, "a number of Elo")),
    };
    let settings = SprtSettings {
        elo0: number("elo0", None)?,
        elo1: number("elo1", None)?,
        alpha: number("alpha", Some(0.05))?,
        beta: number("beta", Some(0.05))?,
    };
    match Sprt::new(settings) {
        Ok(_) => Ok(settings),
        Err(why) => Err(table.source.error(table.at, Some("sprt"), why)),
    }
}

/// Checks what depends on several keys.
fn check(plan: &TournamentPlan, top: &TomlTable<'_>) -> Result<(), TournamentFileError> {
    let wrong = |key: &str, why: String| top.error_at(top.place(key), key, why);
    let most = plan.setups.iter().map(|it| it.seats).max().unwrap_or_default();
    if usize::from(most) > plan.players.len() {
        let have = plan.players.len();
        return Err(wrong(
            "players",
            format!("a game has {most} seats, and there are {have} players"),
        ));
    }
    if plan.sprt.is_some() && (plan.players.len() != 2 || most != 2) {
        return Err(wrong("sprt", "is for two players at two seats".to_owned()));
    }
    let engine = (plan.entry.engine)();
    for it in &plan.setups {
        check_levels(&*engine, plan, &it.setup).map_err(|why| wrong("players", why))?;
    }
    Ok(())
}

/// Checks that every player's level can be played on a setup: Perfect needs a game that can be solved.
fn check_levels(
    engine: &dyn AnyEngine,
    plan: &TournamentPlan,
    setup: &Setup,
) -> Result<(), String> {
    let spec = PositionSpec { setup: setup.clone(), moves: Vec::new() };
    for it in &plan.players {
        let time = match plan.time_of(it) {
            _ if it.player.engine().is_none_or(|engine| engine.level != Level::Perfect) => continue,
            // With a clock it plays like Strong, and so it does with another limit.
            None | Some(Time::Clock(_)) => continue,
            Some(Time::Move(time)) => time,
        };
        let horizon =
            engine.horizon(&spec, Level::patience(time)).map_err(|why| why.to_string())?;
        let what = format!("{}, {}", it.name, cut(&setup.to_string()));
        it.player.check_level(&horizon).map_err(|why| format!("{what}: {why}"))?;
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
    fn a_file_is_read_whole() {
        let plan = read(GOOD).unwrap();
        assert_eq!((plan.entry.id, plan.setups.len(), plan.rounds), ("join-the-dots", 5, 2));
        assert_eq!(plan.setups[4].setup.to_string(), "layout=random:10 seed=3");
        let kinds: Vec<&str> = plan.setups.iter().map(|it| &*it.kind).collect();
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
        let kinds = read(&tables).unwrap().setups.into_iter().map(|it| it.kind.to_string());
        assert_eq!(kinds.collect::<Vec<_>>(), ["size=3..4", "size=3..4", "large"]);
        let defaults = "game = \"quixo\"\nout = \"r\"\n[[players]]\nengine = \"casual\"\n[[players]]\nengine = \"beginner,seed=7\"";
        let plan = read(defaults).unwrap();
        assert_eq!(plan.names(), ["Casual", "Beginner"]);
        assert_eq!((plan.rounds, plan.concurrency, plan.max_plies), (1, 1, 10_000));
        assert_eq!((plan.time.to_string().as_str(), plan.setups.len()), ("move:1", 1));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_key() {
        let wrong = |from: &str, to: &str| {
            assert!(GOOD.contains(from), "{from}");
            read(&GOOD.replace(from, to)).unwrap_err()
        };
        for (from, to, why) in [
            ("join-the-dots", "chess", "line 1: game: must be one of dots-and-boxes, "),
            ("game =", "gane =", "line 1: gane: there is no such key here, only game, setups, "),
            ("circle:6..7", "circle:2", "line 2: setups: layout=circle:2: must be "),
            ("seed=1..3", "seed=3..1", "line 2: setups: seed=3..1: a range is "),
            (
                "\"layout=circle:6..7\"",
                "{ setup = \"layout=circle:6\", kind = \" \" }",
                "line 2: setups.kind: \" \" must be one line of visible characters",
            ),
            (
                "\"layout=circle:6..7\"",
                "{ kind = \"round\" }",
                "line 2: setups.setup: is missing: a text such as ",
            ),
            (
                "\"layout=circle:6..7\"",
                "6",
                "line 2: setups: must be a list of setups, each a text ",
            ),
            (
                "\"round-robin\"",
                "\"swiss\"",
                "line 3: format: must be round-robin, gauntlet or ladder, not \"swiss\"",
            ),
            (
                "rounds = 2",
                "rounds = 0",
                "line 4: rounds: must be a whole number from 1 to 10000000, not 0",
            ),
            (
                "rounds = 2",
                "rounds = 1.5",
                "line 4: rounds: must be a whole number from 1 to 10000000",
            ),
            (
                "move:0.1",
                "0.1s",
                "line 5: time: must be move:0.1, from 0.001 to 3600 seconds a move, or a clock",
            ),
            ("{ plies = 2, seed = 7 }", "2", "line 7: openings: must be { plies = …, seed = … }"),
            (
                "plies = 2, seed",
                "seed",
                "line 7: openings.plies: is missing: a whole number from 1 to 1000",
            ),
            ("out = \"results\"", "", "line 1: out: is missing: "),
            (
                "name = \"mine\"",
                "name = \"Casual\"",
                "line 17: name: there are two players called \"Casual\"",
            ),
            ("name = \"mine\"", "name = \"a\\u001b\"", "line 17: name: \"a\\u{1b}\" is not a name"),
            ("engine = \"casual\"", "engine = \"god\"", "line 14: engine: \"god\": a level is "),
            (
                "engine = \"casual\"",
                "engine = \"casual,time=2\"",
                "line 14: engine: its time is a key of its own",
            ),
            (
                "engine = \"casual\"",
                "engine = \"casual\"\nrestart = true",
                "line 15: restart: is for players with a command",
            ),
            (
                "engine = \"casual\"\n",
                "",
                "line 12: players: a player has either an engine or a command",
            ),
            ("python3 bot.py", "'", "line 18: command: must be a program and its arguments"),
            (
                "out =",
                "sprt = { elo0 = 5, elo1 = 0 }\nout =",
                "line 10: sprt: elo0 must be less than elo1",
            ),
            (
                "out =",
                "sprt = { elo0 = 0, elo1 = 5, beta = 0.5 }\nout =",
                "line 10: sprt: beta must be between 0 and 0.5",
            ),
            ("rounds = 2", "rounds = ", "line 4: "),
        ] {
            let said = wrong(from, to);
            assert!(said.starts_with(&format!("t.toml: {why}")), "{said}\n  not {why}");
        }
        let none = GOOD.split("[[players]]").next().unwrap();
        assert_eq!(
            read(none).unwrap_err(),
            "t.toml: line 1: players: is missing: two or more players"
        );
    }

    #[test]
    fn what_a_player_cannot_be_set_to_is_said() {
        for (from, to, why) in [
            (
                "engine = \"casual\"",
                "engine = \"casual\"\nnodes = 400",
                "line 15: nodes: nodes and depth are for strong and perfect; casual plays without",
            ),
            (
                "engine = \"casual\"",
                "engine = \"strong\"\noptions = { Hahs = 64 }",
                "line 15: options: an engine has the options Hash, Threads and Seed",
            ),
            (
                "restart = true",
                "options = { Setup = \"size=3\" }",
                "line 19: options: Setup follows from the match, so it cannot be set",
            ),
            ("move:0.1", "move:0.1\"\nmargin = \"61", "line 6: margin: must be a number"),
        ] {
            let said = read(&GOOD.replace(from, to)).unwrap_err();
            assert!(said.starts_with(&format!("t.toml: {why}")), "{said}\n  not {why}");
        }
    }

    #[test]
    fn what_goes_together_is_checked() {
        let text = GOOD.replace("join-the-dots", "intersections");
        let text =
            text.replace("\"layout=circle:6..7\", \"layout=random:10 seed=1..3\"", "\"players=3\"");
        assert!(
            read(&text)
                .unwrap_err()
                .contains("players: a game has 3 seats, and there are 2 players")
        );
        let sprt = "sprt = { elo0 = 0, elo1 = 5 }\nout =";
        assert!(read(&GOOD.replace("out =", sprt)).is_ok());
        let third = format!("{}\n[[players]]\nengine = \"strong\"\n", GOOD.replace("out =", sprt));
        assert!(read(&third).unwrap_err().contains("sprt: is for two players at two seats"));
        let perfect = GOOD.replace("engine = \"casual\"", "engine = \"perfect\"");
        assert!(
            read(&perfect.replace("random:10", "random:60"))
                .unwrap_err()
                .contains("perfect cannot solve this game")
        );
    }
}
