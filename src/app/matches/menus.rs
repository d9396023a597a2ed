//! The menus over a match: the pause, the result, draw offers, resigning, starting over, and starting
//! programs.

use super::MatchScreen;
use crate::app::OpenMatch;
use crate::app::destination::MatchStart;
use crate::app::menu::{Menu, MenuChoice};
use crate::app::screen::Act;
use crate::app::tasks::DiskTask;
use crate::app::text;
use crate::board::Skin;
use crate::play::{Company, Request, Wish};
use crate::rules::Seat;
use crate::session::{Actor, LoggedStep, Refusal, Step};
use std::path::Path;

impl MatchScreen {
    /// The menu of the result, where it opens by itself. Unless a key of a player here has ended the match, keys that were
    /// meant for the board may follow.
    pub(super) fn result_by_itself(&self) -> Act {
        let menu = self.result_menu();
        let session = self.open_match.session();
        let is_of_a_person = |last: &LoggedStep| match last.by {
            Actor::Seat(seat) => self.open_match.players().people().any(|person| person == seat),
            Actor::Table | Actor::Arbiter => false,
        };
        let is_by_key = !self.is_far() && session.log().last().is_some_and(is_of_a_person);
        Act::open(if is_by_key { menu } else { menu.guarded() })
    }

    pub(super) fn result(&self) -> Act {
        Act::open(self.result_menu())
    }

    /// The menu of the result: how the match ended, and what can come next.
    fn result_menu(&self) -> Menu {
        let shown = self.open_match.shown();
        let scores = shown.game.scores();
        let lines = shown.seats().map(|seat| {
            let mark = shown.game.now().mark(seat);
            let score = scores.as_ref().and_then(|scores| scores.get(seat.index()));
            let score = score.map_or(String::new(), u32::to_string);
            let name = text::fit(shown.name(seat), 16, Skin::default());
            let pad = 16 - text::width(&name);
            format!("{mark} {name}{:pad$} {score:>4}", "")
        });
        let about = if self.can_undo() {
            "The match is over. On the board, undo still takes moves back."
        } else {
            "The match is over."
        };
        // An Enter meant for the board may come after it has opened by itself: the first entry does no harm.
        let company = self.company();
        let is_here = company.is_none();
        let plays =
            is_here || company.is_some_and(Company::is_up) && !self.open_match.local().is_empty();
        let has_home = !self.is_kiosk();
        let entries = [
            (true, "Look at the board", MenuChoice::Close),
            (plays, "Play again", MenuChoice::Rematch),
            (plays, "Play again, change places", MenuChoice::SwapSeats),
            (shown.game.ply() > 0 && has_home, "Review the match", MenuChoice::Review),
            (is_here, "Set up another match", MenuChoice::NewGame),
            (has_home, "Save a picture", MenuChoice::Picture),
            (true, if is_here { "Home" } else { "Leave the table" }, MenuChoice::Leave),
        ];
        Menu::new(shown.result(), possible(&entries))
            .with_lines(lines.collect())
            .without_title_beside()
            .with_about(about)
    }

    /// The pause menu, with what can be done now.
    pub(super) fn pause_menu(&self) -> Act {
        if self.is_far() {
            return self.table_menu();
        }
        let game = self.open_match.current_match();
        let can_undo = self.can_undo();
        let has_moves = can_undo || game.undone() > 0;
        let is_kept = self.open_match.is_worth_keeping();
        let leave = if is_kept { "Leave, keep the match" } else { "Leave" };
        let has_people = self.open_match.players().people().next().is_some();
        let over = game.outcome().is_some();
        let entries = [
            (true, "Go on", MenuChoice::Close),
            (can_undo, "Undo", MenuChoice::Undo),
            (true, "Rules", MenuChoice::Rules(None)),
            (!self.open_match.engines_refuse_a_draw(), "Offer a draw", MenuChoice::OfferDraw),
            (has_people, "Resign", MenuChoice::AskWhoResigns),
            (has_moves, "Start over", MenuChoice::AskToRestart),
            (has_people && !over, "Invite a guest", MenuChoice::AskWhichSeat),
            (true, "Set up another match", MenuChoice::NewGame),
            (true, "Settings", MenuChoice::Settings),
            (true, leave, MenuChoice::Leave),
        ];
        let (lines, answers) = self.question_entries();
        let mut entries = possible(&entries);
        entries.splice(1..1, answers);
        let menu = Menu::new("Pause", entries).with_lines(lines);
        Act::open(menu.with_about("The match is paused."))
    }

    /// The same at a table that other terminals share, where nothing pauses.
    fn table_menu(&self) -> Act {
        let Some(company) = self.company() else { return Act::Pop };
        let over = self.open_match.current_match().outcome().is_some();
        let plays = !self.open_match.local().is_empty();
        let can_ask = plays && company.is_ready().is_ok() && !company.has_asked();
        let may_offer = can_ask && !over && !self.open_match.engines_refuse_a_draw();
        let has_others = company.people.iter().any(|other| other.name != company.me);
        let leave = if company.is_host { "Leave; the table waits" } else { "Leave the table" };
        let entries = [
            (true, "Go on", MenuChoice::Close),
            (can_ask && self.can_undo(), "Ask to take back", MenuChoice::Undo),
            (true, "Rules", MenuChoice::Rules(None)),
            (may_offer, "Offer a draw", MenuChoice::OfferDraw),
            (plays && !over, "Resign", MenuChoice::AskWhoResigns),
            (plays, "Say something", MenuChoice::Say),
            (true, "What was said", MenuChoice::WhatWasSaid),
            (company.is_host, "How a guest comes", MenuChoice::HowToCome),
            (company.is_host && has_others, "Remove player", MenuChoice::AskWhomToRemove),
            (company.is_host, "Close, keep the match", MenuChoice::CloseTable),
            (!company.is_kiosk, "Settings", MenuChoice::Settings),
            (true, leave, MenuChoice::Leave),
        ];
        let (lines, answers) = self.question_entries();
        let mut entries = possible(&entries);
        entries.splice(1..1, answers);
        let menu = Menu::new("At the table", entries).with_lines(lines);
        Act::open(menu.with_about("The match goes on meanwhile."))
    }

    /// Says that a program has forfeited the match, why, and where its standard error is. Closing the menu
    /// shows the result.
    pub(super) fn tell_of_forfeit(name: &str, reason: &str, messages: Option<&Path>) -> Act {
        let wrap = |text: &str| text::wrap(text, 26, 6, Skin::default());
        let mut lines = wrap(&format!("The reason: {reason}."));
        if let Some(path) = messages {
            lines.extend(wrap("What it wrote to its standard error is in"));
            lines.extend(wrap(&path.display().to_string()));
        }
        let title = text::fit(&format!("{name} forfeits"), 26, Skin::default());
        let menu = Menu::new(title, vec![("Go on".to_owned(), MenuChoice::ShowResult)]);
        let menu = menu.with_lines(lines).with_about("A program that fails loses the match.");
        Act::open(menu.closed_by(MenuChoice::ShowResult))
    }

    pub(super) fn offer_draw(&mut self) -> Vec<Act> {
        let asked = self.open_match.change().offer_draw(self.played);
        self.ask_about_draw(asked)
    }

    pub(super) fn accept_draw(&mut self, seat: Seat) -> Vec<Act> {
        let asked = self.open_match.change().agree(seat, &Step::AcceptDraw, self.played);
        self.ask_about_draw(asked)
    }

    /// After an offer or an agreement: the status line asks the next person, if there is one.
    fn ask_about_draw(&mut self, asked: Result<Option<Seat>, Refusal>) -> Vec<Act> {
        match asked {
            Ok(Some(_)) => {}
            Ok(None) if self.is_far() => return Vec::new(),
            Ok(None) => return self.changed(),
            Err(refusal) => {
                self.input.refuse(refusal);
                return Vec::new();
            }
        }
        vec![Act::run(DiskTask::Save)]
    }

    /// Asks whether to resign, and if there are several people, who does.
    pub(super) fn ask_who_resigns(&self) -> Act {
        let players = self.open_match.players();
        let people: Vec<Seat> = self.open_match.local().iter().collect();
        let resigns = |seat: &Seat| {
            let label = match people.len() {
                1 => "Resign".to_owned(),
                _ => format!("{} resigns", players.name(*seat)),
            };
            (label, MenuChoice::Resign(*seat))
        };
        let (title, nobody) = match people.len() {
            1 => ("Resign this match?", "No, go on"),
            _ => ("Who resigns?", "Nobody, go on"),
        };
        let mut entries = vec![(nobody.to_owned(), MenuChoice::Close)];
        entries.extend(people.iter().map(resigns));
        let wins = match self.open_match.current_match().seats() {
            2 => "The other player wins.",
            _ => "The match ends, and the best of the other players wins.",
        };
        let menu = Menu::new(title, entries).with_lines(text::wrap(wins, 26, 3, Skin::default()));
        Act::open(menu.with_about("Whoever resigns loses the match at once."))
    }

    pub(super) fn resign(&mut self, seat: Seat) -> Vec<Act> {
        let done = self.open_match.change().propose(Actor::Seat(seat), &Step::Resign, self.played);
        self.proposed(done)
    }

    /// Asks whether to start the match over.
    pub(super) fn ask_to_restart(&self) -> Act {
        let entries =
            [(true, "No, go on", MenuChoice::Close), (true, "Start over", MenuChoice::Rematch)];
        let is_kept = self.open_match.is_worth_keeping();
        let kept = if is_kept { "This match is saved, and stays on the home screen." } else { "" };
        let lines = text::wrap(kept, 26, 3, Skin::default());
        let menu = Menu::new("Start over?", possible(&entries)).with_lines(lines);
        Act::open(menu.with_about("The same people play the same game from its start."))
    }

    /// Starts the same game again with the same players; with `swap`, everybody moves on by one seat.
    pub(super) fn rematch(&mut self, swap: bool) -> Vec<Act> {
        if self.is_far() {
            return self.wish(Wish::Ask(Request::Rematch { swap }));
        }
        match self.open_match.rematch(swap) {
            Ok(table) => {
                let series = self.series_so_far();
                let series = if swap { series.moved_round() } else { series };
                let has_record = self.open_match.saved.record.is_some();
                let note = has_record.then(|| "the record has only the first match".to_owned());
                vec![Act::replace(MatchStart { series, note, ..OpenMatch::new(table).into() })]
            }
            Err(error) => {
                self.input.refuse(error);
                Vec::new()
            }
        }
    }
}

/// Asks whether the programs in a resumed match may be started; `None` if they may already, or there are
/// none.
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
    let lines = commands.iter().flat_map(|command| text::wrap(command, 26, 4, Skin::default()));
    let entries = [
        (true, "Start", MenuChoice::StartPrograms),
        (true, "Not now", MenuChoice::Close),
        (true, "Leave", MenuChoice::Leave),
    ];
    let menu = Menu::new(title, possible(&entries)).with_lines(lines.collect());
    Some(menu.with_about(about))
}

/// The entries of a menu that can be chosen now.
fn possible(entries: &[(bool, &str, MenuChoice)]) -> Vec<(String, MenuChoice)> {
    let possible = entries.iter().filter(|(can_be_done, ..)| *can_be_done);
    possible.map(|(_, label, choice)| ((*label).to_owned(), *choice)).collect()
}
