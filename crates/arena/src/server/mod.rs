//! The UGI server: `quadrille engine`.
//!
//! One thread reads lines and another searches. A single event loop receives from both, owns all state and is the only
//! writer, so commands that arrive during a search are answered immediately, and `bestmove` is sent only when a new
//! search may begin. The match of the last `position` command is cached, and only new moves are played. An invalid
//! command is rejected before any state changes.
//!
//! For an engine without iterative deepening, `go depth` limits the number of games or nodes instead
//! (`Control::without_depth`). `go multipv` and `go searchmoves` analyze all moves. `query values` returns the
//! [`Evaluation`] from the last report on the position, in the format of `quadrille solve`.

mod options;
mod position;
mod score;
mod search;

use options::EngineOptions;
use position::CurrentPosition;
use quadrille_match::session::MatchState;
use quadrille_rules::Seat;
use quadrille_search::{Report, TableCache};
use quadrille_table::engine::Evaluation;
use quadrille_table::engine::ugi::{Command, Go, Info, LineBuffer, Query, Reply, Start, TooLong};
use quadrille_text::printable::printable;
use quadrille_text::wording::cut;
use search::{RunningSearch, SearchResult, SharedEngine};
use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The maximum length of an input line, in bytes. A `position` command lists all moves so far, and some games have no
/// move limit.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The capacity of the event queue. When the queue is full, the input thread blocks and search reports are dropped.
const EVENTS: usize = 64;

/// Speaks UGI until `quit` or the end of the input. Returns an error if the output cannot be written, or
/// [`ErrorKind::WouldBlock`] if the input thread cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut impl Write,
    table_cache: Arc<dyn TableCache + Send>,
) -> io::Result<()> {
    let (events, received) = sync_channel(EVENTS);
    let lines = events.clone();
    // Never joined: the thread may be blocked reading until the process exits.
    thread::Builder::new().name("input".to_owned()).spawn(move || read(input, &lines))?;
    UgiServer::new(output, events, table_cache)?.run(&received)
}

enum ServerEvent {
    /// A line of input.
    Input(Result<String, TooLong>),
    EndOfInput,
    Progress(Report<String>),
    Done(SearchResult),
}

/// Sends input lines to the event loop until the input ends or the event loop exits.
fn read(mut input: impl Read, events: &SyncSender<ServerEvent>) {
    let mut lines = LineBuffer::new(MAX_LINE_BYTES);
    let mut bytes = vec![0; 1 << 16];
    loop {
        match input.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                for line in lines.feed(&bytes[..count]) {
                    if events.send(ServerEvent::Input(line)).is_err() {
                        return;
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // Fails only if the event loop has exited.
    let _ = lines.finish().is_none_or(|line| events.send(ServerEvent::Input(Ok(line))).is_ok())
        && events.send(ServerEvent::EndOfInput).is_ok();
}

struct UgiServer<'a, W> {
    output: &'a mut W,
    events: SyncSender<ServerEvent>,
    options: EngineOptions,
    position: CurrentPosition,
    engine: SharedEngine,
    search: Option<RunningSearch>,
    /// The last report on the position, and the search time at which it arrived.
    found: (Report<String>, Duration),
    /// Set after `quit` or the end of the input: the event loop exits once no search is running.
    is_closing: bool,
}

impl<'a, W: Write> UgiServer<'a, W> {
    fn new(
        output: &'a mut W,
        events: SyncSender<ServerEvent>,
        table_cache: Arc<dyn TableCache + Send>,
    ) -> io::Result<UgiServer<'a, W>> {
        let options = EngineOptions::default();
        let position = CurrentPosition::start(options.game, options.setup.clone());
        Ok(UgiServer {
            output,
            events,
            position: position.map_err(io::Error::other)?,
            options,
            engine: SharedEngine::new(table_cache),
            search: None,
            found: Default::default(),
            is_closing: false,
        })
    }

    fn run(mut self, events: &Receiver<ServerEvent>) -> io::Result<()> {
        while !self.is_closing || self.search.is_some() {
            // Cannot fail: `self.events` keeps the channel open.
            let Ok(event) = events.recv() else { break };
            match event {
                ServerEvent::Input(_) | ServerEvent::EndOfInput if self.is_closing => {}
                ServerEvent::Input(Ok(line)) if line.trim().is_empty() => {}
                ServerEvent::Input(Ok(line)) => match Command::read(&line) {
                    Ok((command, passed_over)) => {
                        if !passed_over.is_empty() {
                            let words = quoted(&passed_over);
                            let word = command.word();
                            self.send(&Reply::info(format_args!("{word}: ignored: {words}")))?;
                        }
                        self.run_command(command)?;
                    }
                    Err(wrong) => self.send(&Reply::info(wrong))?,
                },
                ServerEvent::Input(Err(too_long)) => self.send(&Reply::info(too_long))?,
                ServerEvent::EndOfInput => self.close()?,
                ServerEvent::Progress(report) => self.report(report)?,
                ServerEvent::Done(answer) => {
                    if let Some(search) = &mut self.search {
                        search.answer = Some(answer);
                    }
                    self.finish()?;
                }
            }
            self.output.flush()?;
        }
        Ok(())
    }

    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")
    }

    fn run_command(&mut self, command: Command) -> io::Result<()> {
        let refused = match command {
            Command::Ugi => return self.introduce(),
            Command::IsReady => return self.send(&Reply::ReadyOk),
            Command::Query(query) => {
                return self.send(&Reply::Response(self.respond(query)));
            }
            Command::Stop => return self.stop(),
            Command::Quit => return self.close(),
            // The built-in engines know the rules.
            Command::Legal(_) => return Ok(()),
            busy if self.search.is_some() => {
                Err(format!("{}: a search is running; stop it first", busy.word()))
            }
            Command::NewGame => {
                self.engine.forget();
                self.place(Start::Options, Vec::new())
            }
            Command::SetOption { name, value } => self.set(&name, value.as_deref()),
            Command::Position { start, moves } => self.place(start, moves),
            Command::Go(go) => return self.go(&go),
        };
        refused.or_else(|why| self.send(&Reply::info(why)))
    }

    /// Answers `ugi`.
    fn introduce(&mut self) -> io::Result<()> {
        self.send(&Reply::Name(format!("Quadrille {}", env!("CARGO_PKG_VERSION"))))?;
        self.send(&Reply::Author("the authors of Quadrille".to_owned()))?;
        for option in EngineOptions::declared() {
            self.send(&Reply::Option(option))?;
        }
        self.send(&Reply::UgiOk)
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let mut options = self.options.clone();
        let note = options.set(name, value)?;
        if note.is_none() && EngineOptions::sets_up(name) {
            self.position = CurrentPosition::start(options.game, options.setup.clone())?;
            self.found = Default::default();
        }
        self.options = options;
        note.map_or(Ok(()), Err)
    }

    fn place(&mut self, start: Start, moves: Vec<String>) -> Result<(), String> {
        let setup = match start {
            Start::Options => self.options.setup.clone(),
            Start::Setup(setup) => setup,
        };
        self.position
            .place(self.options.game, setup, moves)
            .map_err(|why| format!("position: {why}"))?;
        self.found = Default::default();
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let Some(seat) = self.position.current_match().to_move() else {
            return self.send(&Reply::BestMove(None));
        };
        let begun = RunningSearch::begin(
            go,
            seat,
            &self.position,
            &self.options,
            &self.engine,
            &self.events,
        );
        match begun {
            Ok(search) => self.search = Some(search),
            Err(why) => return self.send(&Reply::info(format_args!("go: {why}"))),
        }
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.stop();
        }
        self.finish()
    }

    fn close(&mut self) -> io::Result<()> {
        self.is_closing = true;
        self.stop()
    }

    /// Writes `info` lines unless they are the same as the previous ones.
    fn report(&mut self, report: Report<String>) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let moves = search.move_choice.reported(&report);
        let infos = score::infos(&report, &moves, self.position.value_format());
        let time = search.elapsed();
        self.found = (report, time);
        if search.last_infos == infos {
            return Ok(());
        }
        search.last_infos.clone_from(&infos);
        let mut lines =
            infos.into_iter().map(|info| Reply::Info(Box::new(Info { time: Some(time), ..info })));
        lines.try_for_each(|line| self.send(&line))
    }

    /// Writes `bestmove` if the search has ended and the move may be sent.
    fn finish(&mut self) -> io::Result<()> {
        let Some(choice) = self.search.as_mut().and_then(RunningSearch::take_answer) else {
            return Ok(());
        };
        let mv = match choice {
            Ok(choice) => {
                self.report(choice.report)?;
                Some(choice.mv)
            }
            Err(why) => {
                self.send(&Reply::info(format_args!("the engine crashed: {why}")))?;
                self.position.current_match().legal_moves().into_iter().next()
            }
        };
        self.search = None;
        self.send(&Reply::BestMove(mv))
    }

    fn respond(&self, query: Query) -> String {
        let game = self.position.current_match();
        let turn = game.to_move();
        match query {
            Query::GameOver => turn.is_none().to_string(),
            Query::P1Turn => (turn == Some(Seat::FIRST)).to_string(),
            Query::Turn => turn.map_or("none".to_owned(), |seat| seat.index().to_string()),
            Query::Legal => game.legal_moves().join(" "),
            Query::State => MatchState::of(game).to_string(),
            Query::Values => {
                let (mut report, time) = self.found.clone();
                report.complete(game.legal_moves());
                Evaluation::of(game, report, time).to_string()
            }
            Query::Result => {
                let Some(outcome) = game.outcome() else { return "none".to_owned() };
                let winners: Vec<Seat> = outcome.winners().collect();
                if winners.is_empty() || winners.len() == usize::from(game.seats()) {
                    return "draw".to_owned();
                }
                let words = winners.iter().map(|seat| format!("p{seat}win"));
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// Quotes words received from the peer, limiting their number and length.
fn quoted(words: &[String]) -> String {
    const MAX_WORDS: usize = 8;
    let mut shown: Vec<String> =
        words.iter().take(MAX_WORDS).map(|word| format!("{:?}", printable(&cut(word)))).collect();
    if words.len() > MAX_WORDS {
        shown.push(format!("and {} more", words.len() - MAX_WORDS));
    }
    shown.join(", ")
}
