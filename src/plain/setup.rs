//! A match is set up in lines.

use super::menu::{numbered, quoted, word};
use crate::catalogue::GameEntry;
use crate::printable::is_name;
use crate::puzzles::strength::Strength;
use crate::rules::Setup;
use crate::search::Level;
use crate::session::{ParseTimeControlError, Player, Players, SeatSet, TimeControl};
use crate::wording::{cut, either, list};

/// A match that somebody wants to play.
#[derive(Clone, Debug)]
pub struct NewMatch {
    /// The game.
    pub entry: &'static GameEntry,
    /// The options that were given.
    pub setup: Setup,
    /// Who sits where.
    pub players: Players,
    /// The clock, if there is one.
    pub clock: Option<TimeControl>,
}

/// Somebody sets a match up.
pub(super) struct SetupTalk {
    wanted: NewMatch,
    /// How strong the user is in this game, if that is known.
    strength: Option<Strength>,
    said: Vec<String>,
}

/// What follows a line.
pub(super) enum AfterLine {
    /// More is set up.
    GoOn,
    /// The match begins.
    Start,
    /// Back to the menu.
    Back,
    /// The end of the program.
    Quit,
}

/// What can be done, each with its explanation, in the order of their numbers.
const WORDS: [(&str, &str); 5] = [
    ("start", "begin the match; an empty line does the same"),
    ("options", "list what can be set"),
    ("back", "go back to the menu"),
    ("help", "list these words"),
    ("quit", "leave the program"),
];

impl SetupTalk {
    /// Begins with these options and seats, such as `size=4 2=strong`.
    pub fn new(entry: &'static GameEntry, words: &[&str], strength: Option<Strength>) -> SetupTalk {
        let players = Players::seated(2, Vec::new());
        let wanted = NewMatch { entry, setup: Setup::new(), players, clock: None };
        let mut talk = SetupTalk { wanted, strength, said: Vec::new() };
        if !words.is_empty() && !talk.change(&words.join(" ")) {
            talk.say("It is set up as usual.");
        }
        talk.tell_setup();
        talk
    }

    /// The match as it is set up so far.
    pub const fn wanted(&self) -> &NewMatch {
        &self.wanted
    }

    /// The lines said since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    /// Answers a line.
    pub fn hear(&mut self, text: &str) -> AfterLine {
        if text.contains('=') {
            if self.change(text) {
                self.tell_setup();
            }
            return AfterLine::GoOn;
        }
        match word(text, &WORDS) {
            _ if text.is_empty() => return AfterLine::Start,
            Ok("start") => return AfterLine::Start,
            Ok("back") => return AfterLine::Back,
            Ok("quit") => return AfterLine::Quit,
            Ok("options") => self.tell_options(),
            Ok(_) => {
                self.said.extend(numbered(&WORDS));
                self.say("To change something, type for example size=4, 2=strong for an engine at seat 2, 2=guest for somebody at another terminal, 1=Ann for a name, or clock=300+5.");
            }
            Err(_) => {
                self.say(format!(
                    "{} is no word of the setup; start begins the match, and help lists the words.",
                    quoted(text)
                ));
            }
        }
        AfterLine::GoOn
    }

    /// The level that fits the user on this board.
    fn fitting_level(&self) -> Option<Level> {
        self.strength.as_ref()?.level(self.wanted.entry.id, &self.wanted.setup)
    }

    /// Says how the match is set up so far.
    fn tell_setup(&mut self) {
        let wanted = &mut self.wanted;
        let Ok(game) = (wanted.entry.start)(&wanted.setup) else { return };
        wanted.players = Players::seated(game.seats(), wanted.players.as_slice().to_vec());
        let players = wanted.players.with_distinct_names();
        let guests: SeatSet = wanted.players.guests().collect();
        let name =
            |(seat, player)| if guests.contains(seat) { "a guest" } else { Player::name(player) };
        let names = players.iter().map(name);
        let clock =
            wanted.clock.map_or(String::new(), |clock| format!("; each has {}", clock.in_words()));
        let line = format!("{}: {}{clock}.", wanted.entry.in_words(&game).title(), list(names));
        let is_local = |player: &Player| player.is_person() && !player.is_guest();
        let has_people_only = wanted.players.as_slice().iter().all(is_local);
        self.say(line);
        self.say(match self.fitting_level() {
            _ if !has_people_only => "Type start to begin; help says what can be changed.".to_owned(),
            Some(level) => format!(
                "Type start to begin, or 2={level} to play against the computer ({level} fits you); help says what else can be changed."
            ),
            None => {
                "Type start to begin, or 2=casual to play against the computer; help says what else can be changed."
                    .to_owned()
            }
        });
    }

    fn tell_options(&mut self) {
        let wanted = &self.wanted;
        for option in (wanted.entry.options)(&wanted.setup) {
            let value = wanted.setup.get(option.name()).map(str::to_owned);
            let value = value.unwrap_or_else(|| option.default());
            let now = if value.is_empty() { String::new() } else { format!("; now {value}") };
            let line = format!("{}: {}, {}{now}.", option.name(), option.help(), option.values());
            self.said.push(line);
        }
        let seats = wanted.players.as_slice().len();
        let fits = self.fitting_level();
        let fits = fits.map_or(String::new(), |level| format!("; {level} fits you"));
        self.say(format!(
            "1 to {seats}: who sits there, a name, guest or a level: {}{fits}.",
            either(&Level::WORDS)
        ));
        self.say("clock: seconds for the whole match, and more for each move, such as 300+5; none is no clock.");
    }

    /// Changes what a text says, or nothing. Returns whether anything has changed.
    fn change(&mut self, text: &str) -> bool {
        match changed(text, &self.wanted) {
            Ok(changed) => self.wanted = changed,
            Err(why) => {
                self.say(format!("{why}."));
                return false;
            }
        }
        true
    }
}

/// The match with what a text changes: options as `key=value`, and seats as `2=strong`.
fn changed(text: &str, wanted: &NewMatch) -> Result<NewMatch, String> {
    let mut wanted = wanted.clone();
    let mut seated = Vec::new();
    for (key, value) in pairs(text)? {
        match (&*key, &*value) {
            ("clock", "none") => wanted.clock = None,
            ("clock", clock) => wanted.clock = Some(read_clock(clock)?),
            (key, value) => match key.parse::<usize>() {
                Ok(seat) => seated.push((seat, player(value)?)),
                Err(_) => wanted.setup.set(key, value),
            },
        }
    }
    let game = (wanted.entry.start)(&wanted.setup).map_err(|why| format!("{why:#}"))?;
    let seats = game.seats();
    let mut players =
        Players::seated(seats, wanted.players.as_slice().to_vec()).as_slice().to_vec();
    for (seat, player) in seated {
        let place = seat.checked_sub(1).and_then(|at| players.get_mut(at));
        *place.ok_or_else(|| format!("The seats are 1 to {seats}"))? = player;
    }
    wanted.players = Players::seated(seats, players);
    Ok(wanted)
}

/// The keys and values of a text. The name for a seat may have several words.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let text = text.split('=').map(str::trim).collect::<Vec<_>>().join("=");
    let mut pairs: Vec<(String, String)> = Vec::new();
    for word in text.split_whitespace() {
        match (word.split_once('='), pairs.last_mut()) {
            (Some((key, value)), _) => pairs.push((key.to_owned(), value.to_owned())),
            (None, Some((key, name))) if key.parse::<usize>().is_ok() => {
                name.push(' ');
                name.push_str(word);
            }
            (None, _) => return Err(format!("{} is not of the form size=4", quoted(word))),
        }
    }
    Ok(pairs)
}

fn read_clock(text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|why: ParseTimeControlError| format!("clock={}: {why}", cut(text)))
}

/// Who is to sit at a seat.
fn player(who: &str) -> Result<Player, String> {
    let level = who.to_lowercase();
    let who =
        if level.parse::<Level>().is_ok() { format!("engine:{level}") } else { who.to_owned() };
    if !who.is_empty() && !is_name(&who) {
        return Err(format!("{} is not a name", quoted(&who)));
    }
    match who.parse::<Player>() {
        Ok(Player::Program(_)) => {
            Err("A program gets its seat on the command line: quadrille play GAME --plain --seat"
                .to_owned())
        }
        Ok(player) => Ok(player),
        Err(why) => Err(format!("{}: {why}", quoted(&who))),
    }
}
