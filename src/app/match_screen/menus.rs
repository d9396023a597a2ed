//! The menus of a match: pause, result, draw offers, resignation, restart, and permission to start programs.

use super::MatchScreen;
use crate::action::Action;
use crate::app::destination::{Destination, MatchStart, SetupChoices};
use crate::app::menu::Menu;
use crate::app::screen::Act;
use crate::app::tasks::DiskTask;
use crate::app::{OpenMatch, text};
use quadrille_match::session::{Actor, Forfeit, Refusal, Step};
use quadrille_rules::Seat;
use quadrille_table::play::{ClientRequest, Peers, Request};
use std::path::Path;

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
    ShowResult,
    StartPrograms,
    ShowChat,
    /// Accepts or refuses the request with this number.
    Answer(u64, bool),
    /// Withdraws the request made at this terminal.
    Withdraw,
    Request(ClientRequest),
}

impl MatchScreen {
    pub(super) fn obey(&mut self, command: &MatchCommand) -> Vec<Act> {
        match command {
            MatchCommand::OfferDraw => self.offer_draw(),
            MatchCommand::AcceptDraw(seat) => self.accept_draw(*seat),
            MatchCommand::RefuseDraw(seat) => {
                let name = self.open_match.players().name(*seat);
                self.input.note(format!("{name} declines the draw"));
                self.draw_refused = self.draw_offer();
                Vec::new()
            }
            MatchCommand::Resign(seat) => self.resign(*seat),
            MatchCommand::Rematch { swap } => self.rematch(*swap),
            MatchCommand::Review => {
                // When the review is closed, the result menu reappears.
                let review = Destination::Review(Box::new(self.open_match.to_look_at()));
                vec![self.result(), Act::open(review)]
            }
            MatchCommand::ShowResult => vec![self.result()],
            MatchCommand::StartPrograms => {
                self.open_match.owner_mut().may_start_programs = true;
                self.assistance.at_table.go_on();
                self.open_table_if_needed()
            }
            MatchCommand::ShowChat => vec![self.what_was_said()],
            MatchCommand::Answer(number, yes) => self.answer_elsewhere(*number, *yes),
            MatchCommand::Withdraw => self.withdraw(),
            MatchCommand::Request(send_request) => self.send_request(send_request.clone()),
        }
    }

    pub(super) fn result(&self) -> Act {
        Act::open(self.result_menu())
    }

    /// Builds the result menu: how the match ended, and the options to continue.
    fn result_menu(&self) -> Menu {
        let shown = self.open_match.shown();
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
            "The match is over. You can still undo moves on the board."
        } else {
            "The match is over."
        };
        let peers = self.peers();
        let is_here = peers.is_none();
        let plays = self.can_play_rematch();
        let has_home = !self.is_kiosk();
        let can_review = shown.game.ply() > 0 && has_home;
        Menu::new(shown.result())
            .with_lines(lines.collect())
            .without_title_beside()
            .entry_if(plays, "Rematch, swap sides", [Act::Perform(Action::Rematch)])
            .entry("View the board", [])
            .entry_if(plays, "Rematch", [Act::command(MatchCommand::Rematch { swap: false })])
            .entry_if(can_review, "Review the match", [Act::command(MatchCommand::Review)])
            .entry_if(is_here, "New match", [self.set_up_another()])
            .entry_if(has_home, "Save a picture", [Act::Perform(Action::Picture)])
            .entry(if is_here { "Home" } else { "Leave the table" }, [Act::Pop])
            .at("View the board")
            .with_about(about)
    }

    /// Returns whether the local players can start or propose a rematch.
    pub(super) fn can_play_rematch(&self) -> bool {
        let is_up = self.peers().is_some_and(Peers::is_up);
        !self.is_far() || is_up && !self.open_match.local().is_empty()
    }

    fn set_up_another(&self) -> Act {
        let choices = SetupChoices {
            entry: self.open_match.entry,
            setup: self.open_match.given_setup().clone(),
            players: self.open_match.players().as_slice().to_vec(),
            clock: self.open_match.session().conditions().clock,
        };
        Act::Replace(Destination::SetupOf(Box::new(choices)))
    }

    fn rules(&self) -> Act {
        Act::Open(Destination::Rules(self.open_match.entry))
    }

    pub(super) fn pause_menu(&self) -> Act {
        if self.is_far() {
            return self.table_menu();
        }
        let game = self.open_match.current_match();
        let can_undo = self.can_undo();
        let has_moves = can_undo || game.undone() > 0;
        let is_kept = self.open_match.is_worth_keeping();
        let leave = if is_kept { "Save and leave" } else { "Leave" };
        let has_people = self.open_match.players().people().next().is_some();
        let over = game.outcome().is_some();
        let offers_draw = !self.open_match.engines_refuse_a_draw();
        let has_no_values_key = self.settings.two_key_sets && self.open_match.shares_keyboard();
        let values = if self.assistance.analyses { "Hide values" } else { "Show values" };
        let (lines, answers) = self.question_entries();
        let menu = Menu::new("Pause")
            .with_lines(lines)
            .entry("Resume", [])
            .entries(answers)
            .entry_if(can_undo, "Undo", [Act::Perform(Action::Undo)])
            .entry_if(has_no_values_key, values, [Act::Perform(Action::Values)])
            .entry("Rules", [self.rules()])
            .entry_if(offers_draw, "Offer a draw", [Act::command(MatchCommand::OfferDraw)])
            .entry_if(has_people, "Resign", [self.ask_who_resigns()])
            .entry_if(has_moves, "Start over", [self.ask_to_restart()])
            .entry_if(has_people && !over, "Invite a guest", [self.ask_which_seat()])
            .entry("New match", [self.set_up_another()])
            .entry("Settings", [Act::Open(Destination::Settings)])
            .entry(leave, [Act::Pop]);
        Act::open(menu.with_about("The match is paused."))
    }

    /// Opens the menu of a shared table. The match is not paused.
    fn table_menu(&self) -> Act {
        let Some(peers) = self.peers() else { return Act::Pop };
        let over = self.open_match.current_match().outcome().is_some();
        let plays = !self.open_match.local().is_empty();
        let can_ask = plays && peers.is_ready() && !peers.has_asked();
        let may_offer = can_ask && !over && !self.open_match.engines_refuse_a_draw();
        let has_others = peers.people.iter().any(|other| other.name != peers.me);
        let leave = if peers.is_host { "Leave (table stays open)" } else { "Leave the table" };
        let can_take_back = can_ask && self.can_undo();
        let command = |command| [Act::command(command)];
        let remove = Self::ask_whom_to_remove(peers);
        let close = command(MatchCommand::Request(ClientRequest::Close));
        let (lines, answers) = self.question_entries();
        let menu = Menu::new("At the table")
            .with_lines(lines)
            .entry("Resume", [])
            .entries(answers)
            .entry_if(can_take_back, "Request take-back", [Act::Perform(Action::Undo)])
            .entry("Rules", [self.rules()])
            .entry_if(may_offer, "Offer a draw", command(MatchCommand::OfferDraw))
            .entry_if(plays && !over, "Resign", [self.ask_who_resigns()])
            .entry_if(self.may_say(), "Send message", [Act::Perform(Action::Say)])
            .entry("Chat", command(MatchCommand::ShowChat))
            .entry_if(peers.is_host, "Invite", [self.how_to_come()])
            .entry_if(peers.is_host && has_others, "Remove player", [remove])
            .entry_if(peers.is_host, "Save and close table", close)
            .entry_if(!peers.is_kiosk, "Settings", [Act::Open(Destination::Settings)])
            .entry(leave, [Act::Pop]);
        Act::open(menu.with_about("The match continues behind this menu."))
    }

    /// Opens a menu that says which program forfeited the match, why, and where to find its stderr. Closing the menu
    /// shows the result.
    pub(super) fn tell_of_forfeit(name: &str, reason: &Forfeit, messages: Option<&Path>) -> Act {
        let mut lines = vec![format!("The reason: {reason}.")];
        if let Some(path) = messages {
            lines.push(format!("Its stderr is in {}", path.display()));
        }
        let title = text::shorten(&format!("{name} forfeits"), 26);
        let show_result = [Act::command(MatchCommand::ShowResult)];
        let menu = Menu::new(title)
            .with_lines(lines)
            .entry("Continue", show_result.clone())
            .closed_by(show_result)
            .with_about("A program that crashes loses the match.");
        Act::open(menu)
    }

    pub(super) fn offer_draw(&mut self) -> Vec<Act> {
        let asked = self.open_match.change().offer_draw(self.played);
        self.ask_about_draw(asked)
    }

    pub(super) fn accept_draw(&mut self, seat: Seat) -> Vec<Act> {
        let asked = self.open_match.change().agree(seat, &Step::AcceptDraw, self.played);
        self.ask_about_draw(asked)
    }

    /// Handles the outcome of a draw offer or its acceptance: the status line asks the next person, if anyone must
    /// still agree.
    fn ask_about_draw(&mut self, asked: Result<Option<Seat>, Refusal>) -> Vec<Act> {
        match asked {
            Ok(Some(_)) => {}
            Ok(None) if self.is_far() => return Vec::new(),
            Ok(None) => return self.changed(),
            Err(refusal) => {
                self.input.refuse(&refusal);
                return Vec::new();
            }
        }
        vec![Act::run(DiskTask::Save)]
    }

    /// Asks for confirmation of a resignation; with at least two local people, asks which one resigns.
    pub(super) fn ask_who_resigns(&self) -> Act {
        let players = self.open_match.players();
        let people: Vec<Seat> = self.open_match.local().iter().collect();
        let resigns = |seat: &Seat| {
            let label = match people.len() {
                1 => "Resign".to_owned(),
                _ => format!("{} resigns", players.name(*seat)),
            };
            (label, vec![Act::command(MatchCommand::Resign(*seat))])
        };
        let (title, nobody) = match people.len() {
            1 => ("Resign this match?", "Cancel"),
            _ => ("Who resigns?", "Cancel"),
        };
        let wins = match self.open_match.current_match().seats() {
            2 => "The other player wins.",
            _ => "The match ends, and the best-placed other player wins.",
        };
        let menu = Menu::new(title)
            .with_lines(vec![wins.to_owned()])
            .entry(nobody, [])
            .entries(people.iter().map(resigns))
            .with_about("Resigning loses the match.");
        Act::open(menu)
    }

    pub(super) fn resign(&mut self, seat: Seat) -> Vec<Act> {
        let done = self.open_match.change().propose(Actor::Seat(seat), &Step::Resign, self.played);
        self.proposed(done)
    }

    pub(super) fn ask_to_restart(&self) -> Act {
        let is_kept = self.open_match.is_worth_keeping();
        let kept = is_kept.then_some("This match stays saved on the home screen.");
        let lines = kept.into_iter().map(str::to_owned).collect();
        let menu = Menu::new("Start over?")
            .with_lines(lines)
            .entry("Cancel", [])
            .entry("Start over", [Act::command(MatchCommand::Rematch { swap: false })])
            .with_about("The same players restart this game.");
        Act::open(menu)
    }

    /// Starts a new match with the same players. `swap` moves each player to the next seat.
    pub(super) fn rematch(&mut self, swap: bool) -> Vec<Act> {
        if self.is_far() {
            return self.send_request(ClientRequest::Ask(Request::Rematch { swap }));
        }
        match self.open_match.rematch(swap) {
            Ok(table) => {
                let has_record = self.open_match.saved.record.is_some();
                let note =
                    has_record.then(|| "the record contains only the first match".to_owned());
                let mut start = MatchStart::of(&table);
                start.note = note;
                vec![Act::replace(start)]
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
        .entry("Start", [Act::command(MatchCommand::StartPrograms)])
        .entry("Not now", [])
        .entry("Leave", [Act::Pop]);
    Some(menu.with_about(about))
}
