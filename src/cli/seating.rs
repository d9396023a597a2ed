//! Who sits where, as the command line says it.

use crate::printable::is_name;
use crate::session::{Player, ProgramSeat};

/// The name of a program in the settings.
const PROGRAM: &str = "program:";

/// The players by the names for all seats, and by those for single seats, `2=engine:strong`. There may be names
/// for only the seats that are not given singly. `program` finds a program of the settings by its name.
/// `None` where nobody is named.
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
            return Err(format!("--seat {text}: there are seats 1 to {seats}, as 2=engine:strong"));
        };
        if seated[index - 1].is_some() {
            return Err(format!("--seat {text}: seat {index} is given twice"));
        }
        let player = match who.trim().strip_prefix(PROGRAM) {
            Some(name) => Player::Program(program(name)?),
            None => player(who.trim()).map_err(|why| format!("--seat {seat}={why}"))?,
        };
        seated[index - 1] = Some(player);
    }
    if let Some(names) = names {
        let free = seated.iter().filter(|player| player.is_none()).count();
        if names.len() != seats && names.len() != free {
            return Err(format!("--names: {} given for {seats} seats", names.len()));
        }
        let is_for_all = names.len() == seats;
        let mut names = names.into_iter();
        for seat in &mut seated {
            if seat.is_some() && !is_for_all {
                continue;
            }
            let Some(name) = names.next() else { break };
            let player = match player(name.trim()) {
                Ok(Player::Person(name)) if name.is_empty() => Err(format!("{name:?} is no name")),
                player => player,
            };
            let player = player.map_err(|why| format!("--names: {why}"))?;
            seat.get_or_insert(player);
        }
    }
    let nobody = || Player::Person(String::new());
    Ok(Some(seated.into_iter().map(|player| player.unwrap_or_else(nobody)).collect()))
}

/// Whoever is meant by a name that is typed; it may be empty.
fn player(name: &str) -> Result<Player, String> {
    if !name.is_empty() && !is_name(name) {
        return Err(format!("{name:?} is no name"));
    }
    name.parse().map_err(|why| format!("{name}: {why}"))
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
    fn names_are_for_all_seats_or_for_those_that_are_left() {
        assert_eq!(seated("", &[], 2).unwrap(), [""; 0]);
        assert_eq!(seated("Ann,Bob", &[], 2).unwrap(), ["Ann", "Bob"]);
        assert_eq!(seated("Ann", &["2=engine:strong"], 2).unwrap(), ["Ann", "engine:strong"]);
        assert_eq!(seated("Ann", &["1=engine:strong"], 2).unwrap(), ["engine:strong", "Ann"]);
        assert_eq!(seated("Ann,Bob", &["1=Cy"], 2).unwrap(), ["Cy", "Bob"]);
        assert_eq!(seated("", &["3=cmd:a b"], 3).unwrap(), ["", "", "cmd:a b"]);
        assert_eq!(seated("", &["1=program:mine"], 2).unwrap(), ["cmd,name=mine:./bot", ""]);
    }

    #[test]
    fn what_cannot_be_seated_says_why() {
        let error = |names, single: &[&str], seats| seated(names, single, seats).unwrap_err();
        assert_eq!(error("Ann,Bob", &[], 3), "--names: 2 given for 3 seats");
        assert_eq!(error("Ann", &[], 2), "--names: 1 given for 2 seats");
        assert_eq!(error("Ann, ", &[], 2), "--names: \"\" is no name");
        assert_eq!(error("Ann,\u{200d}", &[], 2), "--names: \"\\u{200d}\" is no name");
        assert_eq!(error("Ann,B\u{1b}", &[], 2), "--names: \"B\\u{1b}\" is no name");
        assert_eq!(error("", &["1=program:x"], 2), "no program x");
        assert_eq!(error("", &["1=Ann", "1=Bob"], 2), "--seat 1=Bob: seat 1 is given twice");
        let seats = "there are seats 1 to 2, as 2=engine:strong";
        assert_eq!(error("", &["3=Ann"], 2), format!("--seat 3=Ann: {seats}"));
    }
}
