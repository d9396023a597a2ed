//! Players given by `--names` and `--seat`.

use quadrille_match::session::{ParsePlayerError, Player, ProgramSeat};
use quadrille_search::Level;
use quadrille_text::printable::is_name;

/// The prefix of a program from the settings: `program:NAME`.
const PROGRAM: &str = "program";

/// Returns the players of all seats. `names` comes from `--names`, and `single` from `--seat`, as in `2=engine:strong`.
/// `names` has a name for every seat, or for every seat that is not in `single`. If both give a player for a seat, the
/// players must be equal. `program` finds a program in the settings by name. `None` if no player is given.
pub(super) fn players(
    names: Option<Vec<String>>,
    single: &[String],
    seats: u8,
    program: impl Fn(&str) -> Result<ProgramSeat, String>,
) -> Result<Option<Vec<Player>>, String> {
    if names.is_none() && single.is_empty() {
        return Ok(None);
    }
    let seats = usize::from(seats);
    let mut seated: Vec<Option<Player>> = vec![None; seats];
    for text in single {
        let (seat, who) = text.split_once('=').unwrap_or((text, ""));
        let index = seat.parse().ok().filter(|seat| (1..=seats).contains(seat));
        let Some(index) = index else {
            return Err(format!(
                "--seat {text}: the seats are 1 to {seats}, as in 2=engine:strong"
            ));
        };
        if seated[index - 1].is_some() {
            return Err(format!("--seat {text}: seat {index} is given twice"));
        }
        if who.trim().is_empty() {
            return Err(format!("--seat {text}: missing player, as in {index}=engine:strong"));
        }
        let player = match named_program(who.trim()) {
            Some((words, name)) => match name.split_once(',') {
                Some((name, more)) => Err(format!("write {PROGRAM}{words},{more}:{name}")),
                None => with_words(&program(name)?, words),
            },
            None => single_player(who.trim()),
        };
        seated[index - 1] = Some(player.map_err(|why| format!("--seat {text}: {why}"))?);
    }
    if let Some(names) = names {
        let free = seated.iter().filter(|player| player.is_none()).count();
        if names.len() != seats && names.len() != free {
            return Err(format!("--names: {} given for {seats} seats", names.len()));
        }
        let is_for_all = names.len() == seats;
        let mut names = names.into_iter();
        for seat in seated.iter_mut().filter(|seat| is_for_all || seat.is_none()) {
            let Some(name) = names.next() else { break };
            let player = match player(name.trim()).map_err(|why| format!("--names: {why}"))? {
                Player::Program(_) => {
                    let name = name.trim();
                    return Err(format!(
                        "--names: {name} is a program; seat it with --seat, as in --seat '2={name}'"
                    ));
                }
                player => player,
            };
            match seat {
                Some(other) if *other != player => {
                    return Err(format!(
                        "--names: {player} conflicts with --seat, which gives the seat to {other}"
                    ));
                }
                _ => *seat = Some(player),
            }
        }
    }
    Ok(Some(seated.into_iter().map(|player| player.unwrap_or(Player::Person(None))).collect()))
}

/// Splits a text such as `program,time=5:NAME` into the options and the name.
fn named_program(who: &str) -> Option<(&str, &str)> {
    let (words, name) = who.strip_prefix(PROGRAM)?.split_once(':')?;
    (words.is_empty() || words.starts_with(',')).then_some((words, name))
}

/// Applies options, such as `time=5`, to a program from the settings.
fn with_words(program: &ProgramSeat, words: &str) -> Result<Player, String> {
    let player = format!("cmd{words}:{}", program.command()).parse();
    match player.map_err(|why: ParsePlayerError| why.to_string())? {
        Player::Program(seat) => Ok(Player::Program(seat.with_name(program.name()))),
        other => Ok(other),
    }
}

/// Parses the player given by `--seat`.
fn single_player(who: &str) -> Result<Player, String> {
    match player(who)? {
        // These are more likely to be typing errors than names.
        Player::Person(Some(name)) if name.starts_with("engine,") && name.contains(':') => {
            let (words, level) = name["engine,".len()..].split_once(':').unwrap_or_default();
            Err(format!("write engine:{level},{words}"))
        }
        Player::Person(Some(name)) if name.eq_ignore_ascii_case("guest") => {
            Err("write guest in lower case".to_owned())
        }
        Player::Person(Some(name)) if name.contains(':') => {
            let kinds = "guest, engine:LEVEL, cmd:COMMAND or program:NAME";
            Err(format!("a seat takes {kinds}, or a name without a colon"))
        }
        Player::Person(Some(name)) if name.to_lowercase().parse::<Level>().is_ok() => {
            Err(format!("{name} is an engine level; write engine:{}", name.to_lowercase()))
        }
        player => Ok(player),
    }
}

/// Parses a typed player.
fn player(name: &str) -> Result<Player, String> {
    if !is_name(name) {
        return Err(format!("{name:?} is not a name"));
    }
    name.parse().map_err(|why: ParsePlayerError| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seated(names: &str, single: &[&str], seats: u8) -> Result<Vec<String>, String> {
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let names = Some(names).filter(|names| names != &[""]);
        let single: Vec<String> = single.iter().map(|&text| text.to_owned()).collect();
        let program = |name: &str| match name {
            "mine" => Ok(ProgramSeat::new("./bot").unwrap().with_name(name)),
            _ => Err(format!("no program {name}")),
        };
        let players = players(names, &single, seats, program)?.unwrap_or_default();
        Ok(players.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn names_fill_all_or_remaining_seats() {
        assert_eq!(seated("", &[], 2).unwrap(), [""; 0]);
        assert_eq!(seated("Ann,Bob", &[], 2).unwrap(), ["Ann", "Bob"]);
        assert_eq!(seated("Ann", &["2=engine:strong"], 2).unwrap(), ["Ann", "engine:strong"]);
        assert_eq!(seated("Ann", &["1=engine:strong"], 2).unwrap(), ["engine:strong", "Ann"]);
        assert_eq!(seated("Ann,Bob", &["1=Ann"], 2).unwrap(), ["Ann", "Bob"]);
        assert_eq!(seated("", &["3=cmd:a b"], 3).unwrap(), ["", "", "cmd:a b"]);
        assert_eq!(seated("", &["1=program:mine"], 2).unwrap(), ["cmd,name=mine:./bot", ""]);
        let timed = seated("", &["1=program,time=5:mine"], 2).unwrap();
        assert_eq!(timed, ["cmd,name=mine,time=5:./bot", ""]);
        assert_eq!(seated("Ann", &["2=guest"], 2).unwrap(), ["Ann", "guest"]);
        assert_eq!(seated("", &["1=guest,hints:Bob"], 2).unwrap(), ["guest,hints:Bob", ""]);
        assert_eq!(seated("", &["1=programmer"], 2).unwrap(), ["programmer", ""]);
    }

    #[test]
    fn seating_error_states_its_reason() {
        let error = |names, single: &[&str], seats| seated(names, single, seats).unwrap_err();
        assert_eq!(error("Ann,Bob", &[], 3), "--names: 2 given for 3 seats");
        assert_eq!(error("Ann", &[], 2), "--names: 1 given for 2 seats");
        assert_eq!(
            error("Ann,Bob", &["2=engine:strong"], 2),
            "--names: Bob conflicts with --seat, which gives the seat to engine:strong"
        );
        assert_eq!(error("Ann, ", &[], 2), "--names: \"\" is not a name");
        assert_eq!(error("Ann,\u{200d}", &[], 2), "--names: \"\\u{200d}\" is not a name");
        assert_eq!(error("Ann,B\u{1b}", &[], 2), "--names: \"B\\u{1b}\" is not a name");
        assert_eq!(
            error("Ann,cmd:touch F", &[], 2),
            "--names: cmd:touch F is a program; seat it with --seat, as in --seat '2=cmd:touch F'"
        );
        assert!(error("cmd:b", &["1=cmd:b"], 2).contains("cmd:b is a program; seat it with"));
        assert_eq!(error("", &["1=program:x"], 2), "no program x");
        for slip in ["Program:mine", "command:x", "prog:mine"] {
            let said = error("", &[&format!("1={slip}")], 2);
            assert!(said.starts_with(&format!("--seat 1={slip}: a seat takes guest, ")), "{said}");
        }
        let guest = "write guest in lower case";
        assert_eq!(error("", &["2=Guest"], 2), format!("--seat 2=Guest: {guest}"));
        let words = "hint: the only option of a guest is hints, as in guest,hints";
        assert_eq!(error("", &["2=guest,hint"], 2), format!("--seat 2=guest,hint: {words}"));
        let quote = "unclosed quote; write a program as cmd:python3 bot.py";
        assert_eq!(error("", &["1=cmd:'x"], 2), format!("--seat 1=cmd:'x: {quote}"));
        assert_eq!(error("", &["1=Ann", "1=Bob"], 2), "--seat 1=Bob: seat 1 is given twice");
        assert_eq!(error("", &["2="], 2), "--seat 2=: missing player, as in 2=engine:strong");
        for (slip, right) in [
            ("program:mine,time=1", "program,time=1:mine"),
            ("program,time=1:mine,nodes=5", "program,time=1,nodes=5:mine"),
            ("engine,time=1:strong", "engine:strong,time=1"),
        ] {
            let said = error("", &[&format!("2={slip}")], 2);
            assert_eq!(said, format!("--seat 2={slip}: write {right}"));
        }
        let level = "Strong is an engine level; write engine:strong";
        assert_eq!(error("", &["2=Strong"], 2), format!("--seat 2=Strong: {level}"));
        let seats = "the seats are 1 to 2, as in 2=engine:strong";
        assert_eq!(error("", &["3=Ann"], 2), format!("--seat 3=Ann: {seats}"));
    }
}
