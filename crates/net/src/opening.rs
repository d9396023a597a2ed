//! The data that the opener of a table passes to its process.

use super::Seating;
use super::protocol::MAX_LINE_BYTES;
use quadrille_match::session::{Conditions, LoggedStep, Player, Session};
use quadrille_rules::Setup;
use quadrille_table::catalogue;
use quadrille_table::play::Table;
use std::fmt::Write;
use std::time::Duration;

const PERSON: &str = "person";
/// The key of any other player.
const PLAYER: &str = "player";

/// The parameters of a new table. They are serialized with the match as lines of text, and never come from another
/// machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub seating: Seating,
    /// How long an empty table stays open.
    pub idle: Duration,
    /// The minimum time per engine move.
    pub pace: Duration,
    /// The journal that already holds the match.
    pub journal: Option<String>,
    pub host_name: String,
}

impl Opening {
    /// Serializes the parameters and the match with all its steps.
    pub fn write(&self, table: &Table) -> String {
        let mut text = self.seating.write();
        let mut line = |key: &str, value: &str| {
            // Writing to a string never fails.
            let _ = writeln!(text, "{key} {value}");
        };
        line("idle", &self.idle.as_secs().to_string());
        line("pace", &self.pace.as_millis().to_string());
        self.journal.iter().for_each(|journal| line("journal", journal));
        line("host", &self.host_name);
        let session = table.session();
        line("game", table.entry.id);
        line("setup", &session.current_match().setup().to_string());
        line("words", &session.given_setup().to_string());
        session.conditions().clock.iter().for_each(|clock| line("clock", &clock.to_string()));
        // The key tells a person from a program, because a program that was not started is a person with its text.
        for ((_, player), text) in session.players().iter().zip(session.players().names()) {
            let is_person = matches!(player, Player::Person(_));
            line(if is_person { PERSON } else { PLAYER }, &text);
        }
        session.log().iter().for_each(|step| line("log", &step.to_string()));
        text
    }

    /// Parses the parameters and the match. The error is a sentence; it indicates a bug rather than a user error.
    pub fn read(text: &str) -> Result<(Opening, Table), String> {
        let find = |key: &'static str| read_key(text, key);
        let one = |key: &'static str| one(text, key);
        let (idle, pace) = read_times(text)?;
        let opening = Opening {
            seating: Seating::read(text)
                .map_err(|key| one(key).err().unwrap_or_else(|| format!("invalid {key}")))?,
            idle,
            pace,
            journal: find("journal").map(str::to_owned),
            host_name: one("host")?.to_owned(),
        };
        let entry = catalogue::find(one("game")?).ok_or("no such game")?;
        let setup = |key| one(key)?.parse::<Setup>().map_err(|why| format!("{key}: {why}"));
        let start = (entry.start)(&setup("setup")?).map_err(|why| why.to_string())?;
        let players = text.lines().filter_map(|line| match line.split_once(' ')? {
            (PERSON, name) => Some(Ok(Player::person(name))),
            (PLAYER, player) => Some(player.parse().map_err(|why| format!("player: {why}"))),
            _ => None,
        });
        let players: Vec<Player> = players.collect::<Result<_, _>>()?;
        let clock = find("clock").map(str::parse).transpose();
        let clock = clock.map_err(|why| format!("clock: {why}"))?;
        let conditions = Conditions::from(players).with_clock(clock);
        let mut session = Session::new(start, setup("words")?, conditions);
        for line in all(text, "log") {
            let step = LoggedStep::parse(line).ok_or_else(|| format!("no step: {line}"))?;
            let taken = session.apply(step.by, step.step, step.at);
            taken.map_err(|why| format!("step {}: {why}", step.number))?;
        }
        if text.lines().any(|line| line.len() > MAX_LINE_BYTES) {
            return Err("the setup is too long for a shared table".to_owned());
        }
        let mut table = Table::at(entry, session);
        table.saved.journal.clone_from(&opening.journal);
        Ok((opening, table))
    }
}

/// Returns the values of all lines with this key.
fn all<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter(move |(name, _)| *name == key).map(|(_, value)| value)
}

/// Returns the value of the first line with this key.
pub(super) fn read_key<'t>(text: &'t str, key: &'t str) -> Option<&'t str> {
    all(text, key).next()
}

fn one<'t>(text: &'t str, key: &'t str) -> Result<&'t str, String> {
    read_key(text, key).ok_or_else(|| format!("the table's opening message has no {key}"))
}

/// Parses how long an empty table stays open, and the minimum time per engine move.
pub(super) fn read_times(text: &str) -> Result<(Duration, Duration), String> {
    let number = |key: &str| -> Result<u32, String> {
        one(text, key)?.parse().map_err(|why| format!("{key}: {why}"))
    };
    let (idle, pace) = (number("idle")?, number("pace")?);
    Ok((Duration::from_secs(idle.into()), Duration::from_millis(pace.into())))
}
