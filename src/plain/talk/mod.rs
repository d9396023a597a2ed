//! The conversation of plain mode: what is answered to a typed line.

mod company;
mod engines;
mod offers;
mod undo;

use super::commands::{FoundCommand, PlainCommand};
use crate::play::{Ask, EngineTurn, Proposal, Table};
use crate::printable::printable;
use crate::search::Scope;
use crate::session::{Players, ProgramSeat, Refusal, clock, read_typed, who_won};
use crate::wording::{counted, cut, either, list, sentence};
use crate::words::{InWords, turn};
use std::time::Duration;

/// A conversation about a match: lines in, lines out. `at` is always how long the match has been played, without
/// pauses.
///
/// ```
/// use quadrille::play::Table;
/// use quadrille::plain::Talk;
/// use quadrille::rules::Setup;
/// use quadrille::session::Conditions;
/// use std::time::Duration;
///
/// let entry = quadrille::catalogue::find("tic-tac-toe").ok_or("no such game")?;
/// let conditions = Conditions::named(&["Ann".to_owned(), "Bob".to_owned()]);
/// let mut talk = Talk::new(Table::new(entry, &Setup::new(), conditions)?, 1, true);
/// // The greeting.
/// talk.take_said();
/// talk.hear("b2", Duration::from_secs(1));
/// assert_eq!(talk.take_said(), ["Ann puts X on b2. Bob to move."]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Talk {
    table: Table,
    /// The random seed for engines that have none of their own.
    seed: u32,
    /// Whether engines may help, if the table does not forbid it.
    has_hints: bool,
    /// The lines that are still to be written.
    said: Vec<String>,
    /// The hint or values that somebody waits for.
    asked: Option<Ask>,
    engine_turn: EngineTurn,
    has_changed: bool,
    next: AfterLine,
    /// The time of play, when a table elsewhere has told it.
    clock: Option<Duration>,
    /// Whether it was said that the line to the table is down.
    is_line_down: bool,
    /// Whether a question has ended since the last line, so that an answer on its way may be meant for it.
    has_lapsed: bool,
}

/// What comes after the line that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterLine {
    Next,
    Rematch,
    /// A table has to be opened for the guests.
    OpenTable,
    /// ssh has to ask for a password.
    LogIn,
    End,
}

/// Said to somebody who has asked for what the others have to agree to.
const ASKED_THE_OTHERS: &str = "The others are asked; no withdraws the question.";

/// Says how to let a waiting engine go on.
const TO_GO_ON: &str = "press Enter to let it go on";

impl Talk {
    /// Begins a conversation: says what the match is and who is to move. `has_hints` is whether engines may
    /// be asked for help.
    pub fn new(table: Table, seed: u32, has_hints: bool) -> Talk {
        let mut talk = Talk {
            table,
            seed,
            has_hints,
            said: Vec::new(),
            asked: None,
            engine_turn: EngineTurn::default(),
            has_changed: false,
            next: AfterLine::Next,
            clock: None,
            is_line_down: false,
            has_lapsed: false,
        };
        talk.begin();
        talk
    }

    /// The match.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The match, to save it.
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// The lines said since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Says something.
    pub fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    /// Whether the match has changed since the last call and must be saved.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    /// Whether somebody wants to leave.
    pub fn has_quit(&self) -> bool {
        self.next == AfterLine::End
    }

    /// Whether a table is to be opened for the guests, since the last call.
    pub fn wants_table(&mut self) -> bool {
        self.take_wish(AfterLine::OpenTable)
    }

    /// Whether ssh is to ask for a password, since the last call.
    pub fn wants_login(&mut self) -> bool {
        self.take_wish(AfterLine::LogIn)
    }

    fn take_wish(&mut self, wish: AfterLine) -> bool {
        let is_wanted = self.next == wish;
        if is_wanted {
            self.next = AfterLine::Next;
        }
        is_wanted
    }

    /// Goes on at a table that was opened for the match.
    pub fn move_to_table(&mut self, table: Table) {
        self.table = table;
        self.begin();
    }

    /// Begins the rematch, if one is wanted, and returns the match before it.
    pub fn begin_rematch(&mut self) -> Option<Table> {
        if self.next != AfterLine::Rematch {
            return None;
        }
        self.next = AfterLine::Next;
        match self.table.rematch(false) {
            Ok(next) => {
                let last = std::mem::replace(&mut self.table, next);
                if last.saved.record.is_some() {
                    self.say("The record holds the first match only.");
                }
                self.begin();
                Some(last)
            }
            Err(error) => {
                self.say(sentence(&error.to_string()));
                None
            }
        }
    }

    /// What to ask an engine now. Until it has answered, do not give the next line to [`Talk::hear`].
    pub fn wants(&self, at: Duration) -> Option<Ask> {
        match self.table.engine_to_move() {
            _ if self.table.needs_table() => None,
            Some(_) => self.engine_turn.ask(&self.table, self.seed, at),
            None => self.asked.clone(),
        }
    }

    /// Whether this line leaves the match.
    pub fn is_quit(line: &str) -> bool {
        matches!(PlainCommand::find(line.trim()), FoundCommand::One(PlainCommand::Quit))
    }

    /// The line to say while an engine thinks for long.
    pub fn thinking_line(&self) -> String {
        match self.table.current_match().to_move() {
            Some(seat) if self.table.engine_to_move().is_some() => {
                format!("{} thinks.", self.players().name(seat))
            }
            _ if self.asked == Some(Ask::Hint) => "An engine looks for a hint.".to_owned(),
            _ => "An engine checks every move.".to_owned(),
        }
    }

    fn players(&self) -> Players {
        self.table.players().with_distinct_names()
    }

    fn in_words(&self) -> InWords<'_> {
        self.table.entry.in_words(self.table.current_match())
    }

    fn begin(&mut self) {
        let players = self.players();
        let names: Vec<&str> = players.iter().map(|(_, player)| player.name()).collect();
        let names = match names.as_slice() {
            [one, two] => format!("{one} against {two}"),
            _ => names.join(", "),
        };
        let seed = self.table.given_setup().get("seed");
        let seed = seed.map_or(String::new(), |seed| format!(", seed {seed}"));
        self.say(format!("{}{seed}. {names}.", self.in_words().title()));
        let game = self.table.current_match();
        if game.ply() > 0 {
            // The title was said above, and the standing follows.
            let board = self.in_words().board(&players);
            self.said.extend(board.into_iter().skip(2));
            let last = self.in_words().last_move(&players);
            let moves = counted(game.ply(), "move", "moves");
            self.say(format!("{moves} played. {}", last.unwrap_or_default()).trim().to_owned());
            self.say(self.in_words().standing(&players));
        } else {
            self.say(turn(game, &players));
        }
        let session = self.table.session();
        if let Some(time_control) = session.conditions().clock {
            self.say(format!("Each player has {}.", time_control.in_words()));
            if self.table.current_match().ply() > 0 {
                self.said.extend(self.times(self.table.session().time()));
            }
        }
        if let Some(company) = self.table.peers().filter(|company| company.is_host) {
            self.said.push("The match is at a table. A guest types one of these.".to_owned());
            self.said.extend(company.invitation.iter().cloned());
        }
        let has_people = !self.table.only_engines_play();
        if !self.table.may_start_programs {
            for program in self.table.players().programs() {
                let (name, command) = (program.name(), program.command());
                self.said.push(format!("{name} is a program: {command}"));
            }
        }
        self.ask_to_start();
        if let Some(example) = self.table.current_match().legal().first().filter(|_| has_people) {
            let help = PlainCommand::Help.name();
            self.say(format!("Type a move, such as {example}, or a command; {help} lists them."));
        }
    }

    /// Whether time of play passes: not while an engine waits, nor while a program is being started.
    pub fn time_runs(&self) -> bool {
        if let Some(company) = self.table.peers() {
            return company.time_runs;
        }
        self.engine_turn.time_runs(&self.table)
    }

    /// Ends the match if the seat to move has no time left; returns whether it did.
    pub fn flag(&mut self, at: Duration) -> bool {
        let Some(seat) = self.table.current_match().to_move().filter(|_| self.table.flag(at))
        else {
            return false;
        };
        self.note_change();
        let players = self.players();
        let won = who_won(self.table.current_match(), &players);
        self.say(format!("{} has run out of time. {won}.", players.name(seat)));
        true
    }

    /// The time on each clock: `Ann has 4:59 left; Bob has 5:00 left.` `None` without clocks.
    fn times(&self, at: Duration) -> Option<String> {
        let left = self.table.session().time_left(at)?;
        let players = self.players();
        let times = players.iter().zip(left);
        let times = times.map(|((_, player), left)| {
            let unit = if left <= clock::URGENT { " s" } else { "" };
            format!("{} has {}{unit} left", player.name(), clock::shown(left))
        });
        Some(format!("{}.", times.collect::<Vec<_>>().join("; ")))
    }

    /// Answers a line that somebody has typed.
    pub fn hear(&mut self, line: &str, at: Duration) {
        self.hear_line(line, at);
        self.has_lapsed = false;
    }

    fn hear_line(&mut self, line: &str, at: Duration) {
        let text = line.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let command = PlainCommand::find(first);
        if self.hear_at_table(first, rest.trim()) {
            return;
        }
        match command {
            _ if text.is_empty() => self.go_on(),
            FoundCommand::One(PlainCommand::Resign) => self.resign(rest.trim(), at),
            FoundCommand::One(command) if rest.trim().is_empty() => self.answer(command, at),
            FoundCommand::Several(commands) if rest.trim().is_empty() => {
                let names: Vec<&str> = commands.iter().map(|command| command.name()).collect();
                self.say(format!(
                    "{} can be {}: type more of the word.",
                    quoted(text),
                    either(&names)
                ));
            }
            _ => self.play(text, at),
        }
    }

    /// Answers a line that the end of the input has cut: it is not taken.
    pub fn hear_cut(&mut self, line: &str) {
        self.say(cut_line(line));
    }

    /// Answers an empty line: a waiting engine goes on; else it says whose turn it is.
    fn go_on(&mut self) {
        if self.table.needs_table() {
            self.table.may_start_programs = true;
            self.next = AfterLine::OpenTable;
            return;
        }
        if self.table.program_to_permit().is_some() {
            self.table.may_start_programs = true;
            return;
        }
        if self.engine_turn.go_on() {
            return;
        }
        let asked = self.table.asked_about_draw();
        let line = match asked {
            Some(seat) => self.draw_question(seat),
            None => turn(self.table.current_match(), self.table.players()),
        };
        self.say(line);
    }

    fn answer(&mut self, command: PlainCommand, at: Duration) {
        match command {
            PlainCommand::Board => {
                let lines = self.in_words().board(self.table.players());
                self.said.extend(lines);
            }
            PlainCommand::Score => {
                self.say(self.in_words().standing(self.table.players()));
                self.said.extend(self.times(at));
            }
            PlainCommand::Clock => {
                let times = self.times(at);
                self.say(times.unwrap_or_else(|| "There is no clock in this match.".to_owned()));
            }
            PlainCommand::Moves => self.name_moves(),
            PlainCommand::Hint => self.ask(Ask::Hint),
            PlainCommand::Values => self.ask(Ask::Analysis(Scope::Moves)),
            PlainCommand::Chains => self.tell_notes(),
            PlainCommand::Undo => self.undo(at),
            PlainCommand::Redo => self.redo(at),
            PlainCommand::NextVariation => self.select_next_variation(at),
            PlainCommand::Draw => self.offer_draw(at),
            PlainCommand::Agree => self.agree(at),
            PlainCommand::Resign => self.resign("", at),
            PlainCommand::Rematch if self.table.current_match().to_move().is_none() => {
                if self.table.peers().is_some() {
                    return self.ask_for_rematch();
                }
                self.next = AfterLine::Rematch;
            }
            PlainCommand::Rematch => {
                let people = self.table.players().people().count();
                let all_are = people == usize::from(self.table.current_match().seats());
                let how = if all_are { "resign or draw" } else { "resign" };
                self.say(format!("The match is not over yet; {how} ends it."));
            }
            PlainCommand::Rules => {
                let rules = self.table.entry.rules.trim_end().lines();
                self.said.extend(rules.map(str::to_owned));
            }
            PlainCommand::Help => {
                let example = self.table.current_match().legal().into_iter().next();
                let example = example.map_or(String::new(), |mv| format!(" such as {mv}"));
                self.say(format!("Type a move{example}, or one of these commands:"));
                let has_notes = self.table.entry.words.about_notes.is_some();
                self.said.extend(PlainCommand::help(has_notes));
                self.help_at_table();
                self.say("An empty line says whose turn it is.");
            }
            PlainCommand::Quit => self.next = AfterLine::End,
        }
    }

    fn play(&mut self, text: &str, at: Duration) {
        if self.table.needs_table() {
            return self.ask_to_start();
        }
        if self.table.engine_to_move().is_some() {
            return self.say(format!("It is an engine's turn; {TO_GO_ON}."));
        }
        if self.table.asked_about_draw().is_some()
            && read_typed(self.table.current_match(), text).is_ok()
        {
            self.say("The offer of a draw is refused.");
        }
        match self.table.play(text, at) {
            Ok(Proposal::Taken) => self.changed(),
            Ok(Proposal::Asked | Proposal::Withdrawn) => {}
            Err(refusal) => {
                let line = self.explain(text, &refusal);
                self.say(line);
            }
        }
    }

    /// Why a line was refused.
    fn explain(&self, text: &str, refusal: &Refusal) -> String {
        if !refusal.is_no_move() {
            let why = sentence(&format!("{refusal:#}"));
            let game = self.table.current_match();
            let turn = turn(game, self.table.players());
            return match game.to_move() {
                Some(_) => why,
                None if why.starts_with(OVER) => turn,
                None => format!("{why} {turn}"),
            };
        }
        if self.table.current_match().outcome().is_some() {
            let [rematch, help, quit] =
                [PlainCommand::Rematch, PlainCommand::Help, PlainCommand::Quit]
                    .map(PlainCommand::name);
            return format!(
                "{} is no command. The match is over: {rematch} plays again, {quit} leaves, {help} lists all commands.",
                quoted(text)
            );
        }
        let legal = self.table.current_match().legal();
        let example = legal.first().map_or(String::new(), |mv| format!(", such as {mv}"));
        let help = PlainCommand::Help.name();
        format!(
            "{} is neither a command nor a move: {refusal:#}{example}. Type {help} for the commands.",
            quoted(text)
        )
    }

    /// Notes that the match has changed, and forgets what was asked about it.
    fn note_change(&mut self) {
        (self.has_changed, self.asked, self.engine_turn) = (true, None, EngineTurn::default());
    }

    /// Notes that a move was played, and says it.
    fn changed(&mut self) {
        self.note_change();
        self.say(self.in_words().last_and_turn(self.table.players()));
        self.ask_to_start();
    }

    /// If the program to move waits to be started, or a table to be opened, says so.
    fn ask_to_start(&mut self) {
        if self.table.needs_table() {
            let programs = self.table.players().programs();
            let names = list(programs.map(ProgramSeat::name));
            let start =
                if names.is_empty() { String::new() } else { format!("start {names} and ") };
            self.say(format!("No table is open for the guests. Press Enter to {start}open one."));
        } else if let Some(program) = self.table.program_to_permit() {
            let line = format!("{} waits; press Enter to start it.", program.name());
            self.say(line);
        }
    }

    /// Notes a change that is not a move, and says `what` and whose turn it is.
    fn changed_by(&mut self, what: &str) {
        self.note_change();
        let turn = turn(self.table.current_match(), self.table.players());
        self.say(format!("{what} {turn}").trim_start());
    }

    fn name_moves(&mut self) {
        let legal = self.table.current_match().legal();
        let line = match legal.len() {
            0 => turn(self.table.current_match(), self.table.players()),
            1 => format!("1 move: {}.", legal[0]),
            many => format!("{many} moves: {}.", legal.join(", ")),
        };
        // A long line is hard to step through with a screen reader.
        self.said.extend(wrapped(&line));
    }
}

/// How a refusal begins that only says that the match has ended.
const OVER: &str = "The game is over";

/// Says that a line is not taken, as the end of the input has cut it.
pub(super) fn cut_line(line: &str) -> String {
    format!("The input ended in the middle of a line, so this is not taken: {}.", quoted(line))
}

/// A typed text, cut and made printable, in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&cut(text)))
}

/// Wraps a long list into lines of whole entries.
fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 72;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + 1 + word.len() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
