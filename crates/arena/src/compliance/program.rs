//! The program under test: sends commands and waits for replies. Every error is a sentence for the program's author.

use quadrille_match::session::{Forfeit, Match};
use quadrille_rules::Setup;
use quadrille_table::catalogue::{GAMES, GameEntry};
use quadrille_table::engine::ugi::{Command, Go, OptionKind, Reply, Start, UgiOption};
use quadrille_table::play::program::{
    Launcher, LogName, MatchSetup, Process, ProcessEvent, messages_in,
};
use quadrille_text::printable::printable;
use quadrille_text::wording::cut;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The timeout for replies that need no search.
pub(super) const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of lines shown from standard error.
const ERRORS: usize = 5;

/// The result of a check: `Ok` with a remark, which may be empty, or `Err` with the fault and what to change.
pub(super) type CheckResult = Result<String, String>;

pub(super) struct TestedProgram {
    launcher: Launcher,
    command: Vec<String>,
    process: Option<Process>,
    /// The options declared by the program.
    pub options: Vec<UgiOption>,
    /// The `option` lines that cannot be parsed, each with the reason.
    pub bad_options: Vec<String>,
}

impl TestedProgram {
    pub fn new(launcher: Launcher, command: Vec<String>) -> TestedProgram {
        let (options, bad_options) = (Vec::new(), Vec::new());
        TestedProgram { launcher, command, process: None, options, bad_options }
    }

    /// Returns how far a move may exceed its time, as in a match.
    pub fn margin(&self) -> Duration {
        self.launcher.patience.margin
    }

    /// Restarts the program and sends `ugi`. Returns the program's name.
    pub fn introduce(&mut self) -> CheckResult {
        self.process = None;
        let log = LogName { name: "program".to_owned(), is_new: false };
        let process = Process::start(&self.launcher, &self.command, &log, Arc::default());
        self.process = Some(process.map_err(|error| error.to_string())?);
        self.send(&[Command::Ugi])?;
        let (mut name, mut options, mut bad) = (String::new(), Vec::new(), Vec::new());
        let deadline = Instant::now() + REPLY_TIMEOUT;
        self.wait_for(deadline, "ugiok", |line| {
            match line.parse() {
                Ok(Reply::Name(called)) => name = called,
                Ok(Reply::Option(option)) if options.len() < 1000 => options.push(option),
                Ok(Reply::UgiOk) => return Some(()),
                Err(why) if line.trim_start().starts_with("option") && bad.len() < 1000 => {
                    bad.push(format!("{}: {why}", shown(line)));
                }
                _ => {}
            }
            None
        })?;
        (self.options, self.bad_options) = (options, bad);
        Ok(printable(&cut(&name)).into_owned())
    }

    /// Returns the games listed in the program's `Game` option, or all games if it has no such option.
    pub fn games(&self) -> Vec<&'static GameEntry> {
        let named = self.option("Game");
        let plays = |entry: &&GameEntry| match named.map(|option| (&option.kind, option)) {
            Some((OptionKind::Combo { .. }, option)) => option.accept(Some(entry.id)).is_ok(),
            _ => true,
        };
        GAMES.iter().filter(plays).collect()
    }

    /// Returns the option with this name, if the program declared it.
    fn option(&self, name: &str) -> Option<&UgiOption> {
        self.options.iter().find(|option| option.is_called(name))
    }

    /// Starts the program if it is not running, sets the game and the setup, and waits for `readyok`.
    pub fn set_up(&mut self, entry: &GameEntry, setup: &Setup) -> Result<(), String> {
        if self.process.is_none() {
            self.introduce()?;
        }
        let setup = MatchSetup { session: 0, game: entry.id, setup: setup.clone(), seed: 0 };
        let mut commands = setup.commands(&self.options)?;
        commands.push(Command::NewGame);
        self.send(&commands)?;
        self.ready()
    }

    /// Sets up the program for a game with the default setup. Returns the match at its start.
    pub fn start(&mut self, entry: &GameEntry) -> Result<Match, String> {
        let game = (entry.start)(&Setup::new()).map_err(|error| error.to_string())?;
        self.set_up(entry, &game.setup())?;
        Ok(game)
    }

    /// Waits until the program is ready.
    pub fn ready(&mut self) -> Result<(), String> {
        self.send(&[Command::IsReady])?;
        let deadline = Instant::now() + REPLY_TIMEOUT;
        self.wait_for(deadline, "readyok", |line| (line.trim() == "readyok").then_some(()))
    }

    /// Sends a position, waits until the program is ready, and sends `go`.
    pub fn go(&mut self, game: &Match, go: Go) -> Result<(), String> {
        let mut commands = Vec::new();
        if self.option("Legal").is_some() {
            commands.push(Command::Legal(game.legal_moves()));
        }
        commands.push(position(game));
        self.send(&commands)?;
        self.ready()?;
        self.send(&[Command::Go(Box::new(go))])
    }

    /// Waits for `bestmove`. Returns the move, or `None` for `bestmove none`, and the time taken.
    pub fn best_move(&mut self, within: Duration) -> Result<(Option<String>, Duration), String> {
        let begun = Instant::now();
        let mv = self.wait_for(begun + within, "bestmove", |line| match line.parse() {
            Ok(Reply::BestMove(mv)) => Some(Ok(mv)),
            Err(why) if line.trim() == "bestmove" => Some(Err(why.to_string())),
            _ => None,
        })?;
        Ok((mv?, begun.elapsed()))
    }

    /// Waits for the program's move, which must be legal, and plays the move. Returns the time taken.
    pub fn moves(&mut self, game: &mut Match, within: Duration) -> Result<Duration, String> {
        let (mv, took) = self.best_move(within)?;
        let at = position(game);
        let played = match &mv {
            None => Err(format!("bestmove none, and the game is not over, in {at}")),
            Some(mv) => {
                game.play(mv).map_err(|why| format!("bestmove {} in {at}: {why}", shown(mv)))
            }
        };
        let hint = if self.option("Game").is_none() {
            " (if it does not play this game, list the games it plays in its option Game)"
        } else {
            ""
        };
        played.map(|()| took).map_err(|why| why + hint)
    }

    /// Waits for a period in which the program should write nothing. Returns the unexpected line, if any.
    pub fn listen(&mut self, time: Duration) -> Result<Option<String>, String> {
        let deadline = Instant::now() + time;
        match self.process()?.next_event(Some(deadline), None) {
            ProcessEvent::Line(line) => Ok(Some(shown(&line))),
            ProcessEvent::Ended(why) => Err(why.to_string()),
            ProcessEvent::TimeUp | ProcessEvent::Wakeup => Ok(None),
        }
    }

    /// Waits until the program exits. Returns the exit status, or `None` if the program is still running.
    pub fn ends(&mut self, within: Duration) -> Result<Option<Forfeit>, String> {
        let deadline = Instant::now() + within;
        let process = self.process()?;
        loop {
            match process.next_event(Some(deadline), None) {
                ProcessEvent::Ended(why) => return Ok(Some(why)),
                ProcessEvent::TimeUp => return Ok(None),
                ProcessEvent::Line(_) | ProcessEvent::Wakeup => {}
            }
        }
    }

    pub fn send(&mut self, commands: &[Command]) -> Result<(), String> {
        self.process()?.send_commands(commands);
        Ok(())
    }

    /// Writes a line, which need not be valid UGI. `None` closes the program's standard input.
    pub fn write(&mut self, line: Option<&str>) -> Result<(), String> {
        match line {
            Some(line) => self.process()?.write(&format!("{line}\n")),
            None => self.process()?.close_input(),
        }
        Ok(())
    }

    /// Waits for a line that `is_it` accepts. The error describes the expected reply as `what` and quotes what was
    /// received instead.
    fn wait_for<T>(
        &mut self,
        deadline: Instant,
        what: &str,
        mut is_it: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, String> {
        let begun = Instant::now();
        loop {
            match self.process()?.next_event(Some(deadline), None) {
                ProcessEvent::Line(line) => {
                    if let Some(answer) = is_it(&line) {
                        return Ok(answer);
                    }
                }
                ProcessEvent::Ended(why @ Forfeit::NotStarted(_)) => return Err(why.to_string()),
                ProcessEvent::Ended(why) => return Err(format!("{why} instead of {what}")),
                ProcessEvent::TimeUp => {
                    let hint = if what == "ugiok" {
                        "; it must answer ugi with ugiok and flush its output after each line"
                    } else {
                        ""
                    };
                    return Err(format!("no {what} in {}{hint}", time(begun.elapsed())));
                }
                ProcessEvent::Wakeup => {}
            }
        }
    }

    fn process(&mut self) -> Result<&mut Process, String> {
        self.process.as_mut().ok_or_else(|| "it is not running".to_owned())
    }

    /// Ends the program. The next check restarts it.
    pub fn end(&mut self) {
        self.process = None;
    }

    /// Returns the last lines that the program wrote to standard error.
    pub fn errors(&self) -> Vec<String> {
        let path = self.process.as_ref().and_then(Process::messages);
        let lines = path.map_or(Vec::new(), |path| messages_in(path, 200));
        lines[lines.len().saturating_sub(ERRORS)..].to_vec()
    }
}

/// Returns the command that sends the current position of a match.
pub(super) fn position(game: &Match) -> Command {
    let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
    Command::Position { start: Start::Setup(game.setup()), moves }
}

/// Returns text received from the program, quoted and made printable.
fn shown(text: &str) -> String {
    format!("\"{}\"", printable(&cut(text)))
}

/// Formats a duration as `150 ms` or `12 s`.
pub(super) fn time(time: Duration) -> String {
    match time.as_millis() {
        millis if millis < 1000 || millis < 10_000 && millis % 1000 != 0 => format!("{millis} ms"),
        millis => format!("{} s", millis / 1000),
    }
}
