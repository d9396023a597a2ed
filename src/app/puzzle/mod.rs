//! The puzzle screen: the puzzle on its board, its task, and the reply to each attempt.

mod menus;
mod view;

use super::Context;
use super::board_input::{BoardInput, EntryResult, TypedText, press};
use super::command::{Command, Commands};
use super::open_match::MatchView;
use super::screen::{About, Effect, Input, PointerInput, Screen, Timer, WaitFor};
use super::tasks::{DiskTask, TerminalTask};
use crate::action::Action;
use crate::board::{AnyBoard, MoveLabel, MoveQuality, Pointer, WithBoard};
use crate::view::{Announcement, View};
use crossterm::event::KeyEvent;
use menus::PuzzleCommand;
use quadrille_match::session::{ClockFace, Players};
use quadrille_puzzles::{PuzzleRun, PuzzleSet, Rush, SolverDay};
use std::time::Duration;
use view::{NOT_THIS, SENT};

/// How long each move of a refutation, or of the rest of the match, is shown.
const STEP_DELAY: Duration = Duration::from_millis(900);

pub(super) struct PuzzleScreen {
    run: WithBoard<PuzzleRun>,
    players: Players,
    input: BoardInput,
    is_ascii: bool,
    /// Whether the line to share was sent to the clipboard.
    is_copied: bool,
}

impl PuzzleScreen {
    /// Opens the next puzzle of this course; `None` if the course has none.
    pub fn new(course: PuzzleSet, context: &Context) -> Option<PuzzleScreen> {
        let run = PuzzleRun::begin(course, context.solver_day())?;
        let mut screen = PuzzleScreen {
            run: WithBoard::new(run),
            players: Players::named(2, &[]),
            input: BoardInput::default(),
            is_ascii: context.is_ascii,
            is_copied: false,
        };
        screen.begin();
        // A solved daily puzzle has its line to share.
        screen.step(context, |_, _| ());
        Some(screen)
    }

    /// Prepares the screen for a new board.
    fn begin(&mut self) {
        let (seats, solver) = (self.run.current_match().seats(), self.run.attempt().seat());
        let name = |seat| if seat == solver.index() { "" } else { "Opponent" }.to_owned();
        let names: Vec<String> = (0..seats.into()).map(name).collect();
        self.players = Players::named(seats, &names);
        self.input.clear();
        self.is_copied = false;
    }

    /// Changes the state of the run, and records new results.
    fn step(
        &mut self,
        context: &Context,
        change: impl FnOnce(&mut PuzzleRun, SolverDay<'_>),
    ) -> Vec<Effect> {
        let (before, was_wrong) = (self.run.beginnings(), self.run.shows_wrong());
        change(&mut self.run.change(), context.solver_day());
        if self.run.beginnings() != before {
            self.run.renew_board();
            self.begin();
        }
        if self.run.shows_wrong() && !was_wrong {
            self.input.announce(Announcement::Event(NOT_THIS.to_owned()));
        }
        self.input.details.input = self.run.result().is_none();
        self.mark_moves();
        if let Some(line) = self.share_line() {
            *context.line_to_share.borrow_mut() = Some(line);
        }
        let events = self.run.owner_mut().take_events();
        let write_down = (!events.is_empty()).then(|| Effect::run(DiskTask::Append(events)));
        write_down.into_iter().collect()
    }

    fn share_line(&self) -> Option<String> {
        Some(self.run.texts().share.as_ref()?.text(self.is_ascii))
    }

    /// Marks the move of a hint on the board, as in a match, and keeps it or the last move of a shown line visible.
    fn mark_moves(&mut self) {
        if self.run.shows_line() {
            self.run.board.go_to_last_move();
        } else if let Some(mv) = self.run.hinted().map(str::to_owned) {
            self.run.board.focus_move(&mv);
        }
        let hinted = self.run.hinted().map(|mv| MoveLabel {
            mv: mv.to_owned(),
            text: String::new(),
            is_proven: true,
            draws_move: true,
            rank: MoveQuality::Best,
        });
        self.run.board.label(hinted.into_iter().collect());
    }

    /// Returns the rush, unless it has ended.
    fn running_rush(&self) -> Option<&Rush> {
        self.run.rush().filter(|_| !self.run.has_ended())
    }

    /// Returns whether easier puzzles are offered beside this puzzle.
    fn offers_easier(&self, context: &Context) -> bool {
        self.run.is_daily() && PuzzleSet::offers_easier(&context.progress)
    }

    fn easier_command(&self, context: &Context) -> Command {
        Command::from(Action::EasierPuzzle.hint()).only_if(self.offers_easier(context))
    }

    fn play(&mut self, mv: &str, context: &Context) -> Vec<Effect> {
        let mut done = Ok(());
        let effects = self.step(context, |run, day| done = run.answer(mv, day));
        if let Err(refusal) = done {
            self.input.refuse(&refusal);
        }
        effects
    }

    /// Gives the next hint. The last one is announced again.
    fn give_hint(&mut self, context: &Context) -> Vec<Effect> {
        let before = self.run.texts().hint.clone();
        let effects = self.step(context, PuzzleRun::give_hint);
        if let Some(hint) = before.filter(|before| self.run.texts().hint.as_ref() == Some(before)) {
            self.input.announce(Announcement::Event(hint));
        }
        effects
    }

    /// Ends a rush. Keys typed ahead do not dismiss the result.
    fn end_rush(&mut self, context: &Context) -> Vec<Effect> {
        self.input.clear();
        self.step(context, PuzzleRun::end_rush)
    }

    /// Goes to the next puzzle; in the middle of a puzzle, asks for confirmation.
    fn next_or_ask(&mut self, context: &Context) -> Vec<Effect> {
        match self.run.rush() {
            Some(rush) if self.run.has_ended() => {
                return vec![Effect::replace(PuzzleSet::Rush(Rush::new(rush.game)))];
            }
            _ if self.run.would_give_up() => return vec![menus::give_up()],
            _ => {}
        }
        let mut has_next = false;
        let effects = self.step(context, |run, day| has_next = run.next(day));
        if !has_next {
            self.input.announce_note("no other puzzle here");
        }
        effects
    }

    /// Takes back a wrong move; `false` if no wrong move is shown.
    fn take_back(&mut self, context: &Context) -> bool {
        let was_wrong = self.run.shows_wrong();
        self.step(context, |run, _| run.take_back());
        was_wrong
    }

    /// Handles the result of board input; `None` if it changes nothing.
    fn follow(&mut self, entered: EntryResult, context: &Context) -> Option<Vec<Effect>> {
        match entered {
            EntryResult::Move(mv) => Some(self.play(&mv, context)),
            EntryResult::Changed | EntryResult::Chat(_) => Some(Vec::new()),
            EntryResult::Nothing => None,
        }
    }

    fn match_view(&self) -> MatchView<'_> {
        let setup = &self.run.attempt().puzzle().setup;
        MatchView::new(self.run.entry(), &self.run, &self.players)
            .set_up_as(setup)
            .addressing(Some(self.run.attempt().seat()))
    }
}

impl PuzzleScreen {
    fn perform(&mut self, action: Action, context: &mut Context) -> Vec<Effect> {
        self.input.dismiss();
        if self.run.rush_result().is_some() {
            return Vec::new();
        }
        match action {
            Action::CopyResult => return self.copy(),
            Action::EasierPuzzle => return vec![Effect::replace(PuzzleSet::Easier)],
            Action::OwnMistakes => return self.open_missed(),
            _ => {}
        }
        // After a wrong move, the first key only takes this move back, but the one for typing also opens the field.
        if action != Action::Picture && self.take_back(context) && action != Action::Type {
            return Vec::new();
        }
        // In a rest that is played out, the board may show the end of a round until a key.
        let is_over = self.run.is_over() && !self.run.board.shows_interlude();
        if is_over && press(action).is_some() {
            let opens = matches!(action, Action::Choose | Action::Back);
            return opens.then(|| self.menu(context)).into_iter().collect();
        }
        let entered = self.input.perform(action, &mut self.run);
        if let Some(effects) = self.follow(entered, context) {
            return effects;
        }
        match action {
            Action::Back => return vec![self.menu(context)],
            Action::Picture => {
                return vec![Effect::Run(self.match_view().take_picture(context.theme))];
            }
            Action::Type => self.input.begin_to_type(TypedText::Move),
            Action::Hint => return self.give_hint(context),
            Action::NextPuzzle => return self.next_or_ask(context),
            _ => {}
        }
        Vec::new()
    }

    fn other_key(&mut self, key: &KeyEvent, context: &Context) -> Option<Vec<Effect>> {
        let was_wrong = self.take_back(context);
        (self.input.other_key(key) || was_wrong).then(Vec::new)
    }

    fn point(&mut self, pointer: Pointer, context: &mut Context) -> Option<Vec<Effect>> {
        let is_answered = self.run.shows_wrong() || self.run.rush_result().is_some();
        let may_play = !self.run.is_over() && !is_answered;
        if pointer.gesture.clicks() && !may_play {
            // A click has the effect of Enter.
            return Some(self.perform(Action::Choose, context));
        }
        let entered = self.input.point(pointer, may_play, &mut self.run);
        self.follow(entered, context)
    }

    fn show_time(&mut self, context: &Context) -> Vec<Effect> {
        match self.run.rush() {
            Some(rush) if rush.is_over() && !self.run.has_ended() => self.end_rush(context),
            _ => Vec::new(),
        }
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        if self.run.rush_result().is_some() {
            return self.step(context, PuzzleRun::go_on_in_rush);
        }
        self.run.change().show_more();
        self.mark_moves();
        Vec::new()
    }

    fn open_missed(&self) -> Vec<Effect> {
        let missed = self.run.rush().map_or(&[][..], Rush::missed);
        vec![Effect::open(PuzzleSet::Own(missed.iter().cloned().collect()))]
    }

    fn copy(&mut self) -> Vec<Effect> {
        let Some(line) = self.share_line() else { return Vec::new() };
        // Terminals do not confirm it. The status line keeps the line to share.
        self.input.announce(Announcement::Event(SENT.to_owned()));
        self.is_copied = true;
        vec![Effect::run(TerminalTask::Copy(line))]
    }

    fn run_command(&mut self, command: PuzzleCommand, context: &Context) -> Vec<Effect> {
        match command {
            PuzzleCommand::GiveUp => self.step(context, PuzzleRun::give_up),
            PuzzleCommand::TryAgain => self.step(context, |run, _| run.try_again()),
            PuzzleCommand::EndRush => self.end_rush(context),
        }
    }
}

impl Screen for PuzzleScreen {
    fn commands(&self, context: &Context) -> Commands {
        if let Some(commands) = self.input.text_commands() {
            return commands;
        }
        let (is_over, is_rush) = (self.run.is_over(), self.run.rush().is_some());
        let next = match (is_over, is_rush) {
            (true, _) if self.run.has_ended() => "another rush",
            (true, _) => "next puzzle",
            (false, true) => "skip",
            (false, false) if self.run.would_give_up() => "give up",
            (false, false) => "next",
        };
        let skips = is_rush && !is_over;
        let about = match next {
            "another rush" => "begin another rush",
            "skip" => "skip this puzzle, which counts as a mistake",
            "give up" => "give up this puzzle, after confirmation",
            _ => "go to the next puzzle",
        };
        let next = Command::from(Action::NextPuzzle.to(next)).final_if(skips).about(about);
        let commands = if is_over {
            // A narrow footer has room for the news that the line was sent.
            let [sent, copy] = [self.is_copied, !self.is_copied]
                .map(|is_shown| is_shown.then(|| self.copy_command()));
            Commands::default()
                .add(sent)
                .show(next)
                .show(Action::Choose.to("menu"))
                .add(copy)
                .add([self.missed_command()])
        } else {
            Commands::default()
                .show_all(self.run.board.key_hints())
                .add([self.easier_command(context)])
                .add([Command::from(Action::Hint.hint()).shown_if(!is_rush).only_if(!is_rush)])
                .show(next)
                .show(Action::Type.hint())
        };
        let pauses = self.running_rush().is_some();
        let commands = commands.with_menu(if pauses { "pause" } else { "menu" }, !is_over);
        let commands = commands.add(self.entries(context));
        let leave =
            Command::from(Action::Leave.to("end rush")).about("end the rush, after confirmation");
        let commands = commands.add(pauses.then_some(leave));
        let commands = if self.run.shows_wrong() {
            commands.with_footer([Action::Choose.to("take back").into()])
        } else if self.run.rush_result().is_some() {
            commands.with_footer([])
        } else {
            commands
        };
        self.input.commands(&*self.run.board, commands)
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::Action(action) => Some(self.perform(action, context)),
            Input::Continue if self.take_back(context) => Some(Vec::new()),
            Input::Continue if !self.input.asks_to_confirm() => {
                self.run.is_over().then(|| vec![self.menu(context)])
            }
            Input::Key(key) => self.other_key(key, context),
            Input::Pointer(PointerInput::Board(pointer)) => self.point(pointer, context),
            // Under a menu, which hides the board, the clock stands still.
            Input::Time { passed, is_below } => {
                if !is_below {
                    self.run.owner_mut().pass(passed);
                }
                None
            }
            Input::Clock => Some(self.show_time(context)),
            Input::Tick => Some(self.tick(context)),
            Input::Settings => {
                self.input.apply_settings(&context.settings);
                self.is_ascii = context.is_ascii;
                None
            }
            // Leaving a running rush needs confirmation.
            Input::Leave { can_ask } if self.running_rush().is_some() => {
                let ends = || vec![Effect::command(PuzzleCommand::EndRush), Effect::Pop];
                let ask = self.running_rush().filter(|_| can_ask).map(menus::end_rush);
                Some(ask.map_or_else(ends, |ask| vec![ask]))
            }
            Input::Command(command) => Some(self.run_command(*command.downcast_ref()?, context)),
            input => self.input.input(&input),
        }
    }

    fn view(&self, is_live: bool, _: &Context) -> View<'_> {
        View::Board(self.board_view(is_live))
    }

    fn about(&self) -> Option<About> {
        let entry = self.run.entry();
        let (how_to_move, rules) = (entry.how_to_move, entry.rules);
        let (name, goal) = (self.run.title(), format!("{}.", self.run.attempt().goal()));
        if self.run.rush().is_some() {
            let details =
                format!("{}\n\nHOW TO MOVE. {how_to_move}\n\nTHE RULES. {rules}", Rush::RULES);
            return Some(About::new(name, goal).with_details(details));
        }
        let details = format!(
            "Each puzzle is a position from a match between two engines. Its solution is proven, and any equally \
             good move counts as correct. After a wrong move you see its refutation, and the move is taken \
             back.\n\nGIVING UP. You can skip a puzzle before your first attempt at no cost. Later, giving up shows \
             the solution, and the puzzle counts as unsolved.\n\nHINTS. The first hint names the idea, the second \
             the move. A puzzle solved with a hint does not affect your rating.\n\n\
             HOW TO MOVE. {how_to_move}\n\nTHE RULES. {rules}"
        );
        Some(About::new(name, goal).with_details(details))
    }

    fn unchanged_for(&self) -> Option<Duration> {
        let rush = self.running_rush()?;
        rush.runs().then(|| ClockFace::Seconds.shown_for(rush.left()))
    }

    fn timer(&self) -> Option<Timer> {
        if let Some(result) = self.run.rush_result() {
            return Some(Timer { wait: WaitFor::PuzzleResult, length: result.length });
        }
        let shown = self.run.line_shown()?;
        let is_refutation = self.run.shows_wrong();
        let wait = if is_refutation { WaitFor::Refutation(shown) } else { WaitFor::Step(shown) };
        Some(Timer { wait, length: STEP_DELAY })
    }

    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.run.board)
    }
}
