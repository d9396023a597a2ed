//! The menus of a match: pause, result, draw offers, resignation, restart, and permission to start programs.

use super::MatchScreen;
use crate::app::command::Command;
use crate::app::destination::{Destination, MatchStart, SetupChoices};
use crate::app::menu::Menu;
use crate::app::screen::Effect;
use crate::app::tasks::{DiskTask, TerminalTask};
use crate::app::{Context, OpenMatch, text};
use quadrille_match::session::{Actor, Forfeit, Record, Refusal, Step};
use quadrille_rules::Seat;
use quadrille_table::old_records::Filed;
use quadrille_table::play::{ClientRequest, Peers, Request};
use std::path::Path;

/// The maximum length of a record to copy, in bytes. Many terminals refuse more.
const MAX_COPY: usize = 64 << 10;

pub(super) const NOT_OVERDUE: &str = "no opponent is overdue";

#[derive(Clone, Debug)]
pub(super) enum MatchCommand {
    OfferDraw,
    /// Accepts the draw offer on behalf of this seat.
    AcceptDraw(Seat),
    RefuseDraw(Seat),
    Resign(Seat),
    Rematch {
        swap: bool,
    },
    Review,
    SetUpAnother,
    AskWhoResigns,
    AskToClaim,
    /// Claims the win from the overdue player to move, or gives more time.
    Decide(Step),
    AskToRestart,
    AskWhichSeat,
    AskWhomToRemove,
    ShowInvitation,
    ShowResult,
    StartPrograms,
    ShowChat,
    CopyRecord,
    SaveGif,
    /// Accepts or refuses the request with this number.
    Answer(u64, bool),
    /// Agrees to the request with this number for the seat of an absent player.
    GiveSeat(u64),
    /// Withdraws the request made at this terminal.
    Withdraw,
    Request(ClientRequest),
}

impl MatchScreen {
    pub(super) fn run_command(&mut self, command: &MatchCommand, context: &Context) -> Vec<Effect> {
        match command {
            MatchCommand::OfferDraw => self.offer_draw(),
            MatchCommand::AcceptDraw(seat) => self.accept_draw(*seat),
            MatchCommand::RefuseDraw(seat) => {
                let name = self.open_match.players().name(*seat);
                self.input.announce_note(format!("{name} declines the draw"));
                self.draw_refused = self.draw_offer();
                Vec::new()
            }
            MatchCommand::Resign(seat) => self.resign(*seat),
            MatchCommand::Rematch { swap } => self.rematch(*swap),
            MatchCommand::Review => {
                // When the review is closed, the result menu reappears.
                let mut copy = self.open_match.viewing_copy();
                if self.is_remote() {
                    // The process of the table files the match, or this process on leaving.
                    copy = copy.filed_as(Filed::from(&self.record(context)));
                }
                vec![self.result(), Effect::open(Destination::Review(Box::new(copy)))]
            }
            MatchCommand::SetUpAnother => vec![self.set_up_another()],
            MatchCommand::AskWhoResigns => vec![self.ask_who_resigns()],
            MatchCommand::AskToClaim => vec![self.ask_to_claim()],
            MatchCommand::Decide(step) => self.decide(step),
            MatchCommand::AskToRestart => vec![self.ask_to_restart()],
            MatchCommand::AskWhichSeat => vec![self.ask_which_seat()],
            MatchCommand::AskWhomToRemove => {
                self.peers().map(Self::ask_whom_to_remove).into_iter().collect()
            }
            MatchCommand::ShowInvitation => vec![self.invitation()],
            MatchCommand::ShowResult => vec![self.result()],
            MatchCommand::StartPrograms => {
                self.open_match.owner_mut().may_start_programs = true;
                self.assistance.at_table.go_on();
                self.open_table_if_needed()
            }
            MatchCommand::ShowChat => vec![self.chat_screen(context)],
            MatchCommand::CopyRecord => vec![self.copy_record(context)],
            MatchCommand::SaveGif => {
                let record = self.record(context).to_string();
                let gif = DiskTask::Gif(self.open_match.entry.id, record, context.theme);
                vec![Effect::Open(Destination::Gif), Effect::run(gif)]
            }
            MatchCommand::Answer(number, yes) => self.answer_elsewhere(*number, *yes),
            MatchCommand::GiveSeat(number) => self.send_answer(*number, true),
            MatchCommand::Withdraw => self.withdraw(),
            MatchCommand::Request(send_request) => self.send_request(send_request.clone()),
        }
    }

    pub(super) fn result(&self) -> Effect {
        Effect::open(self.result_menu())
    }

    /// Builds the result menu: how the match ended, and the options to continue.
    fn result_menu(&self) -> Menu {
        let shown = self.open_match.match_view();
        let scores = shown.game.scores();
        // In a game without scores, the title is sufficient.
        let lines = shown.seats().filter_map(|seat| {
            let mark = shown.game.now().mark(seat);
            let score = scores.as_ref()?.get(seat.index())?;
            let name = text::shorten(shown.name(seat), 16);
            let pad = 16 - text::width(&name);
            Some(format!("{mark} {name}{:pad$} {score:>4}", ""))
        });
        let about = if self.can_undo() {
            "The match is over. Choose View the board to undo moves."
        } else {
            "The match is over."
        };
        Menu::new(shown.result())
            .with_lines(lines.collect())
            .without_title_beside()
            .commands(self.all_commands())
            .with_about(about)
    }

    fn record(&self, context: &Context) -> Record {
        let session = self.open_match.session();
        let names = session.players().without_unknown().names();
        session.record(&names, &context.today().to_string())
    }

    /// Copies the record of the match to the clipboard. Instead of a text that terminals would refuse, offers a file.
    fn copy_record(&mut self, context: &Context) -> Effect {
        let text = self.record(context).to_string();
        if text.len() <= MAX_COPY {
            self.input.show_note("record sent to the clipboard");
            return Effect::run(TerminalTask::Copy(text));
        }
        let size = format!("The record has {} KB.", text.len() >> 10);
        let menu = Menu::new("Too long to copy").with_lines(vec![size]);
        let save = DiskTask::SaveRecord(self.open_match.entry.id, text);
        let menu = menu.entry_if(!self.is_kiosk(), "Save as a file", [Effect::run(save)]);
        Effect::open(menu.entry("Cancel", []).with_about("Clipboards refuse long texts."))
    }

    /// Returns whether the local players can start or propose a rematch.
    pub(super) fn can_play_rematch(&self) -> bool {
        let is_up = self.peers().is_some_and(Peers::is_up);
        let has_days = self.open_match.session().days().is_some();
        !has_days && (!self.is_remote() || is_up && !self.open_match.local().is_empty())
    }

    fn set_up_another(&self) -> Effect {
        let choices = SetupChoices {
            entry: self.open_match.entry,
            setup: self.open_match.given_setup().clone(),
            players: self.open_match.players().as_slice().to_vec(),
            clock: self.open_match.session().conditions().clock,
        };
        Effect::Replace(Destination::SetupOf(Box::new(choices)))
    }

    /// Opens the menu of a match that goes on. At a shared table, the match is not paused.
    pub(super) fn pause_menu(&self) -> Effect {
        let (title, about) = if self.is_remote() {
            ("At the table", "The match continues behind this menu.")
        } else {
            ("Pause", "The match is paused.")
        };
        let menu = Menu::new(title).with_lines(self.question_lines()).entry("Resume", []);
        Effect::open(menu.commands(self.all_commands()).with_about(about))
    }

    /// Opens a menu that says which program forfeited the match, why, and where to find its stderr. Closing the menu
    /// shows the result.
    pub(super) fn forfeit_message(name: &str, reason: &Forfeit, messages: Option<&Path>) -> Effect {
        let mut lines = vec![format!("The reason: {reason}.")];
        if let Some(path) = messages {
            lines.push(format!("Its stderr is in {}", path.display()));
        }
        let title = text::shorten(&format!("{name} forfeits"), 26);
        let show_result = [Effect::command(MatchCommand::ShowResult)];
        let menu = Menu::new(title)
            .with_lines(lines)
            .entry("Continue", show_result.clone())
            .closed_by(show_result)
            .with_about("A program that crashes loses the match.");
        Effect::open(menu)
    }

    pub(super) fn offer_draw(&mut self) -> Vec<Effect> {
        let offered = self.open_match.change().offer_draw(self.played);
        self.ask_about_draw(offered)
    }

    pub(super) fn accept_draw(&mut self, seat: Seat) -> Vec<Effect> {
        let offered = self.open_match.change().agree(seat, &Step::AcceptDraw, self.played);
        self.ask_about_draw(offered)
    }

    /// Handles the outcome of a draw offer or its acceptance: the status line asks the next person, if anyone must
    /// still agree.
    fn ask_about_draw(&mut self, offered: Result<Option<Seat>, Refusal>) -> Vec<Effect> {
        match offered {
            Ok(Some(_)) => {}
            Ok(None) if self.is_remote() => return Vec::new(),
            Ok(None) => return self.changed(),
            Err(refusal) => {
                self.input.refuse(&refusal);
                return Vec::new();
            }
        }
        vec![Effect::run(DiskTask::Save)]
    }

    /// Asks for confirmation of a resignation; with at least two local people, asks which one resigns.
    pub(super) fn ask_who_resigns(&self) -> Effect {
        let players = self.open_match.players();
        let people: Vec<Seat> = self.open_match.local().iter().collect();
        let turn = self.open_match.current_match().to_move();
        let resigns = |seat: &Seat| {
            let resign = [Effect::command(MatchCommand::Resign(*seat))];
            let is_usual = people.len() == 1 || turn == Some(*seat);
            let label = match people.len() {
                1 => "Resign".to_owned(),
                _ => format!("{} resigns", players.name(*seat)),
            };
            let entry = Command::entry(label, resign).final_if(true);
            if is_usual { entry.typed_as("yes y") } else { entry }
        };
        let title = match people.len() {
            1 => "Resign this match?",
            _ => "Who resigns?",
        };
        let menu = Menu::new(title)
            .with_lines(vec![self.who_wins().to_owned()])
            .no("Cancel")
            .commands(people.iter().map(resigns))
            .with_about("Resigning loses the match.");
        Effect::open(menu)
    }

    pub(super) fn resign(&mut self, seat: Seat) -> Vec<Effect> {
        let done = self.open_match.change().propose(Actor::Seat(seat), &Step::Resign, self.played);
        self.report_proposal(done)
    }

    /// Says who wins when one player loses otherwise than by the rules.
    fn who_wins(&self) -> &'static str {
        match self.open_match.current_match().seats() {
            2 => "The other player wins.",
            _ => "The match ends, and the best-placed other player wins.",
        }
    }

    /// Opens the menu about the overdue player to move. Waiting only closes it.
    pub(super) fn overdue_menu(&self) -> Effect {
        let name = text::shorten(self.open_match.name_to_move(), 16);
        let rest = self.rest_of_overdue_time().map(|rest| format!("{name} loses in {rest}."));
        let menu = Menu::new(format!("{name} is overdue"))
            .with_lines(rest.into_iter().collect())
            .no("Wait")
            .commands(self.overdue_decisions())
            .with_about("An overdue player can still move, until an opponent claims the win.");
        Effect::open(menu)
    }

    fn ask_to_claim(&self) -> Effect {
        let claim = [Effect::command(MatchCommand::Decide(Step::Claim))];
        let loses = format!("{} loses on time.", self.open_match.name_to_move());
        let menu = Menu::new("Claim the win?")
            .with_lines(vec![loses, self.who_wins().to_owned()])
            .no("Cancel")
            .commands([Command::entry("Claim the win", claim).typed_as("yes y").final_if(true)])
            .with_about("This ends the match.");
        Effect::open(menu)
    }

    fn decide(&mut self, step: &Step) -> Vec<Effect> {
        let Some(seat) = self.open_match.claimant(self.played) else {
            self.input.announce_note(NOT_OVERDUE);
            return Vec::new();
        };
        let done = self.open_match.change().propose(Actor::Seat(seat), step, self.played);
        self.report_proposal(done)
    }

    pub(super) fn ask_to_restart(&self) -> Effect {
        let is_kept = self.open_match.is_worth_keeping();
        let kept = is_kept.then_some("This match stays saved on the home screen.");
        let lines = kept.into_iter().map(str::to_owned).collect();
        let menu = Menu::new("Start over?")
            .with_lines(lines)
            .no("Cancel")
            .yes("Start over", [Effect::command(MatchCommand::Rematch { swap: false })])
            .with_about("The same players restart this game.");
        Effect::open(menu)
    }

    /// Starts a new match with the same players. `swap` moves each player to the next seat.
    pub(super) fn rematch(&mut self, swap: bool) -> Vec<Effect> {
        if self.is_remote() {
            return self.send_request(ClientRequest::Ask(Request::Rematch { swap }));
        }
        match self.open_match.rematch(swap) {
            Ok(table) => {
                let has_record = self.open_match.saved.record.is_some();
                let note =
                    has_record.then(|| "the record contains only the first match".to_owned());
                let mut start = MatchStart::of(&table);
                start.note = note;
                vec![Effect::replace(start)]
            }
            Err(error) => {
                self.input.refuse(&error);
                Vec::new()
            }
        }
    }
}

/// Asks for permission to start the programs of a resumed match; `None` if the match has no programs, or permission was
/// given.
pub(in crate::app) fn ask_to_start_programs(open_match: &OpenMatch) -> Option<Menu> {
    let players = open_match.players();
    let commands: Vec<String> =
        players.programs().map(|program| program.command().to_owned()).collect();
    if open_match.may_start_programs || commands.is_empty() {
        return None;
    }
    let (title, about) = match commands.len() {
        1 => ("Start this program?", "It plays in this match."),
        _ => ("Start these programs?", "They play in this match."),
    };
    let menu = Menu::new(title)
        .with_lines(commands)
        .yes("Start", [Effect::command(MatchCommand::StartPrograms)])
        .no("Not now")
        .entry("Leave", [Effect::Pop]);
    Some(menu.with_about(about))
}
