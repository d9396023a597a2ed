//! The protocol side of a program at a seat: builds commands and interprets replies.

use super::player::{Interrupted, Waiting};
use super::process::{Patience, Process, ProcessEvent};
use crate::engine::ugi::{Command, Go, Info, OptionKind, Reply, SEATS, Start, UgiOption, UgiScore};
use crate::play::{EngineEvent, MoveTime, Question};
use quadrille_match::session::{Forfeit, Match, PositionSpec, SearchLimits};
use quadrille_rules::Setup;
use quadrille_search::{Report, Value};
use quadrille_text::wording::cut;
use std::time::{Duration, Instant};

/// How far a move on a clock may exceed its time plus the margin. The match clock runs out earlier.
const BEYOND_THE_CLOCK: Duration = Duration::from_secs(1);
/// The maximum time of a move without a time limit, for a program that keeps reporting.
const MAX_MOVE_TIME: Duration = Duration::from_secs(3600);
/// The minimum time between two reports while a program thinks.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// The maximum number of declared options. No real program has this many.
const MAX_OPTIONS: usize = 1000;
/// The maximum length of a move, in bytes. Legal moves are always shorter.
const MAX_MOVE_BYTES: usize = 1000;

/// Why a request produced no move.
pub(super) enum NoMove {
    /// The request was canceled.
    Interrupted(Interrupted),
    /// The program forfeits, for this reason.
    Lost(Forfeit),
    /// The request could not be sent, through no fault of the program.
    Failed(String),
}

/// A running program and the state of its protocol.
pub(super) struct Conversation {
    pub process: Process,
    /// The options set by the user.
    wanted: Vec<(String, String)>,
    /// The declared options; `None` before `ugiok`.
    options: Option<Vec<UgiOption>>,
    /// The match that the program is set up for.
    set_up: Option<MatchSetup>,
}

/// The facts about a match that a program receives before it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSetup {
    /// The match's session. A new match of the same game is a new session.
    pub session: u64,
    pub game: &'static str,
    pub setup: Setup,
    /// The random seed, for a program that has an option for it.
    pub seed: u32,
}

impl MatchSetup {
    /// Returns the commands that set the match-dependent options. The error says why the program cannot play the match.
    pub fn commands<'o>(
        &self,
        options: impl IntoIterator<Item = &'o UgiOption>,
    ) -> Result<Vec<Command>, String> {
        let mut commands = Vec::new();
        for option in options {
            if let Some(value) = self.value(option)? {
                commands.push(Command::SetOption { name: option.name.clone(), value: Some(value) });
            }
        }
        Ok(commands)
    }

    /// Returns the value of an option if it depends on the match.
    fn value(&self, option: &UgiOption) -> Result<Option<String>, String> {
        if option.is_called("Game") {
            return match (&option.kind, option.accept(Some(self.game))) {
                (_, Ok(game)) => Ok(Some(game)),
                (OptionKind::Combo { .. }, Err(_)) => Err(format!("does not play {}", self.game)),
                (_, Err(_)) => Ok(None),
            };
        }
        if option.is_called("Setup") {
            return Ok(Some(self.setup.to_string()));
        }
        Ok(match option.kind {
            OptionKind::Spin { min, max, .. } if option.is_called("Seed") => {
                // Reduce the seed to the range of the option, which may be smaller.
                let values = i128::from(max) - i128::from(min) + 1;
                Some((i128::from(min) + i128::from(self.seed) % values).to_string())
            }
            _ => None,
        })
    }
}

impl Conversation {
    /// Wraps a program that has just started.
    pub fn new(process: Process, wanted: Vec<(String, String)>) -> Conversation {
        Conversation { process, wanted, options: None, set_up: None }
    }

    /// Returns whether the program is set up for this match.
    pub fn is_set_up(&self, setup: &MatchSetup) -> bool {
        self.set_up.as_ref() == Some(setup)
    }

    /// Returns the lines to send after `ugiok` and before the match.
    fn set_up(
        &mut self,
        setup: &MatchSetup,
        waiting: &Waiting<'_>,
    ) -> Result<Vec<Command>, NoMove> {
        self.set_up = None;
        if self.options.is_none() {
            self.process.resume();
            self.options = Some(self.introduction(waiting)?);
        }
        let is_free =
            |option: &&UgiOption| !self.wanted.iter().any(|(name, _)| option.is_called(name));
        let free = self.options.iter().flatten().filter(is_free);
        let commands = setup.commands(free).map_err(Forfeit::Other);
        let mut commands = commands.map_err(NoMove::Lost)?;
        for (name, value) in &self.wanted {
            commands.push(self.wanted_option(name, value).map_err(NoMove::Failed)?);
        }
        commands.push(Command::NewGame);
        Ok(commands)
    }

    /// Returns the command for an option set by the user. Fails if the program does not have the option or does not
    /// accept the value.
    fn wanted_option(&self, name: &str, value: &str) -> Result<Command, String> {
        let options = self.options.as_deref().unwrap_or_default();
        let Some(option) = options.iter().find(|option| option.is_called(name)) else {
            let names: Vec<_> = options.iter().map(|option| &*option.name).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!(
                "it has no option {:?}; its options are {}",
                cut(name),
                cut(&names)
            ));
        };
        let value = option.accept(Some(value)).map_err(|why| format!("option {why}"))?;
        let has_value = option.kind != OptionKind::Button;
        Ok(Command::SetOption { name: option.name.clone(), value: has_value.then_some(value) })
    }

    /// Sends `ugi` and reads the declared options.
    fn introduction(&mut self, waiting: &Waiting<'_>) -> Result<Vec<UgiOption>, NoMove> {
        self.process.send_commands(&[Command::Ugi]);
        let mut options = Vec::new();
        let deadline = self.process.now() + self.process.patience.to_start;
        loop {
            match waiting.next_event(&mut self.process, deadline) {
                ProcessEvent::Line(line) => match line.parse() {
                    Ok(Reply::Option(option)) if options.len() < MAX_OPTIONS => {
                        options.push(option);
                    }
                    Ok(Reply::UgiOk) => return Ok(options),
                    _ => {}
                },
                ProcessEvent::Ended(why) => return Err(NoMove::Lost(why)),
                ProcessEvent::TimeUp => return Err(NoMove::Lost(Forfeit::NoAnswer)),
                ProcessEvent::Wakeup => {
                    if let Some(why) = (waiting.look)() {
                        return Err(NoMove::Interrupted(why));
                    }
                }
            }
        }
    }

    /// Requests a move in this match and forwards the program's reports. A program that is not set up for this match is
    /// set up first, with extra time.
    pub fn choose(
        &mut self,
        setup: &MatchSetup,
        question: &Question,
        (time, search): (&MoveTime, SearchLimits),
        waiting: &Waiting<'_>,
        say: &dyn Fn(EngineEvent),
    ) -> Result<EngineEvent, NoMove> {
        let game = &*question.game;
        let is_new = !self.is_set_up(setup);
        let mut commands = if is_new { self.set_up(setup, waiting)? } else { Vec::new() };
        if self.options.iter().flatten().any(|option| option.is_called("Legal")) {
            commands.push(Command::Legal(game.legal_moves()));
        }
        let PositionSpec { setup: start, moves } = PositionSpec::to(game);
        let (go, allowed) = limits(time, search, self.process.patience);
        // Send everything in one write: waking the program for each line costs more than reading it.
        commands.extend([
            Command::Position { start: Start::Setup(start), moves },
            // Any unsolicited output arrives before `readyok`.
            Command::IsReady,
            Command::Go(Box::new(go)),
        ]);
        // Resume before writing: otherwise the write could wake a program that has stopped itself since.
        self.process.resume();
        self.process.send_commands(&commands);
        let patience = self.process.patience;
        let is_unlimited = matches!(time, MoveTime::Unlimited);
        let mut begun = self.process.now();
        let mut deadline = begun + if is_new { patience.to_start } else { allowed };
        let mut news = ProgramNews::new(begun);
        let (mut is_ready, mut is_stopping) = (false, false);
        loop {
            let until = news.due().map_or(deadline, |due| due.min(deadline));
            let heard = waiting.next_event(&mut self.process, until);
            let is_starting = is_new && !is_ready;
            if is_unlimited
                && !is_starting
                && !is_stopping
                && matches!(heard, ProcessEvent::Line(_))
            {
                deadline = (self.process.now() + allowed).min(begun + MAX_MOVE_TIME);
            }
            match heard {
                ProcessEvent::Line(line) => match line.parse() {
                    // Replies before this `readyok` belong to an earlier request, even if the program was ready by
                    // then.
                    Ok(Reply::ReadyOk) if !is_ready => {
                        is_ready = true;
                        if is_new {
                            self.set_up = Some(setup.clone());
                            say(EngineEvent::Ready);
                        }
                        if is_new && !is_stopping {
                            begun = self.process.now();
                            deadline = begun + allowed;
                        }
                    }
                    _ if !is_ready => {}
                    Ok(Reply::BestMove(mv)) => return chosen(mv, news.report),
                    Ok(Reply::Info(info)) => news.take(*info, game),
                    // `bestmove` without a move.
                    Err(_) if line.trim() == "bestmove" => return Err(illegal("")),
                    Ok(_) | Err(_) => {}
                },
                ProcessEvent::Ended(why) => return Err(NoMove::Lost(why)),
                ProcessEvent::TimeUp if self.process.now() < deadline => {}
                ProcessEvent::TimeUp if is_stopping => {
                    return Err(NoMove::Interrupted(Interrupted::Withdrawn));
                }
                ProcessEvent::TimeUp
                    if is_unlimited && !is_starting && deadline < begun + MAX_MOVE_TIME =>
                {
                    return Err(NoMove::Lost(Forfeit::Silence(patience.silence)));
                }
                ProcessEvent::TimeUp if is_starting => {
                    return Err(NoMove::Lost(Forfeit::NoAnswer));
                }
                ProcessEvent::TimeUp => {
                    return Err(NoMove::Lost(too_late(time, self.process.now() - begun)));
                }
                ProcessEvent::Wakeup => match (waiting.look)() {
                    Some(Interrupted::Gone) => return Err(NoMove::Interrupted(Interrupted::Gone)),
                    Some(Interrupted::Withdrawn) if !is_stopping => {
                        is_stopping = true;
                        deadline = self.process.now() + patience.to_stop;
                        self.process.send_commands(&[Command::Stop]);
                    }
                    _ => {}
                },
            }
            if let Some(report) = news.report_due(self.process.now()) {
                say(EngineEvent::News(report));
            }
        }
    }
}

/// Returns the answer to a canceled request.
pub fn stopped() -> EngineEvent {
    EngineEvent::Failed("it was stopped".to_owned())
}

/// Returns the arguments of `go` and the time limit for the answer, or for the next line if the move has no limit.
fn limits(time: &MoveTime, search: SearchLimits, patience: Patience) -> (Go, Duration) {
    let Patience { silence, margin, .. } = patience;
    let SearchLimits { nodes, depth } = search;
    let go = Go { depth, nodes, ..Go::default() };
    match time {
        MoveTime::Unlimited => (go, silence + margin),
        MoveTime::Each(time) => (Go { move_time: Some(*time), ..go }, *time + margin),
        MoveTime::Clock { clocks: known, .. } => {
            let mut clocks = [None; SEATS];
            for (clock, known) in clocks.iter_mut().zip(known) {
                *clock = *known;
            }
            let own = time.clock().unwrap_or_default().left;
            (Go { clocks, ..go }, own + margin + BEYOND_THE_CLOCK)
        }
    }
}

/// Returns the forfeit of a program that has not moved after this time.
fn too_late(time: &MoveTime, took: Duration) -> Forfeit {
    let allowed = match time {
        MoveTime::Unlimited => MAX_MOVE_TIME,
        MoveTime::Each(time) => *time,
        MoveTime::Clock { .. } => time.clock().unwrap_or_default().left,
    };
    Forfeit::Late(took, allowed)
}

fn chosen(mv: Option<String>, report: Report<String>) -> Result<EngineEvent, NoMove> {
    match mv {
        Some(mv) if mv.len() <= MAX_MOVE_BYTES => Ok(EngineEvent::Chosen { mv, why: None, report }),
        // The game is not over, or the program would not have been asked.
        mv => Err(illegal(mv.as_deref().unwrap_or("none"))),
    }
}

fn illegal(mv: &str) -> NoMove {
    NoMove::Lost(Forfeit::illegal_move(mv))
}

/// The reports of a program during its search.
struct ProgramNews {
    report: Report<String>,
    is_new: bool,
    not_before: Instant,
}

impl ProgramNews {
    fn new(now: Instant) -> ProgramNews {
        ProgramNews { report: Report::default(), is_new: false, not_before: now }
    }

    /// Stores the content of an `info` line. Values claimed by a program are always estimates, never proven.
    fn take(&mut self, info: Info, game: &Match) {
        // Skip lines other than the best one.
        if info.multipv.is_some_and(|number| number > 1) {
            return;
        }
        let Info { depth, nodes, score, pv, .. } = info;
        let has_scores = game.scores().is_some();
        let estimate = score.and_then(|score| match score {
            UgiScore::Cp(cp) | UgiScore::CpLower(cp) | UgiScore::CpUpper(cp) if has_scores => {
                Some(cp as f32 / 100.0)
            }
            UgiScore::Cp(cp) | UgiScore::CpLower(cp) | UgiScore::CpUpper(cp) => {
                Some((cp as f32 / 100.0).clamp(-1.0, 1.0))
            }
            UgiScore::Mate(moves) if !has_scores => Some(if moves > 0 { 1.0 } else { -1.0 }),
            UgiScore::Mate(_) => None,
        });
        self.is_new |= depth.is_some() || nodes.is_some() || estimate.is_some() || !pv.is_empty();
        self.report.depth = depth.unwrap_or(self.report.depth);
        self.report.nodes = nodes.unwrap_or(self.report.nodes);
        if let Some(estimate) = estimate {
            self.report.value = Value::estimate(estimate);
        }
        if !pv.is_empty() {
            self.report.pv = pv;
        }
    }

    /// Returns when the next report is due, if there is one.
    fn due(&self) -> Option<Instant> {
        self.is_new.then_some(self.not_before)
    }

    /// Returns the report if it is due.
    fn report_due(&mut self, now: Instant) -> Option<Report<String>> {
        if self.due().is_none_or(|due| now < due) {
            return None;
        }
        self.is_new = false;
        self.not_before = now + REPORT_INTERVAL;
        Some(self.report.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ugi::Clock;
    use quadrille_rules::Seat;

    #[test]
    fn program_may_exceed_its_time_by_the_margin() {
        let millis = Duration::from_millis;
        let patience = Patience::default();
        let search = SearchLimits { nodes: Some(5), depth: Some(6) };
        let (go, allowed) = limits(&MoveTime::Each(millis(300)), search, patience);
        assert_eq!((go.move_time, go.nodes, go.depth), (Some(millis(300)), Some(5), Some(6)));
        assert_eq!(allowed, millis(350));
        let (go, allowed) = limits(&MoveTime::Unlimited, search, patience);
        assert_eq!((go.move_time, allowed), (None, millis(60_050)));
        let clock = |left| Some(Clock { left: millis(left), increment: millis(10) });
        let clocks = vec![clock(2_000), None, clock(5_000)];
        let time = MoveTime::Clock { seat: Seat::new(2), clocks: clocks.clone() };
        let (go, allowed) = limits(&time, search, patience);
        assert_eq!((&go.clocks[..3], &go.clocks[3..]), (&clocks[..], &[None; SEATS - 3][..]));
        assert_eq!(allowed, millis(5_050) + BEYOND_THE_CLOCK);
    }
}
