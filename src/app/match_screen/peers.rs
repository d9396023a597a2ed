//! A match at a shared table: its news, the requests to it, and the texts about the other players.

use super::{MatchPhase, MatchScreen};
use crate::app::Context;
use crate::app::board_input::{Message, NewsItem};
use crate::app::destination::Destination;
use crate::app::menu::Menu;
use crate::app::screen::{Effect, Timer, WaitFor};
use crate::app::tasks::{DiskTask, TerminalTask};
use crate::view::Announcement;
use quadrille_rules::Seat;
use quadrille_table::play::{
    Attendance, ChatMessage, ClientRequest, Participant, Peers, TableNews,
};
use quadrille_text::printable::printable;
use quadrille_text::wording::list;
use std::time::Duration;

/// How long a chat message stays in the status line.
const NEWS_TIMEOUT: Duration = Duration::from_secs(8);

pub(super) const NO_TABLE: &str = "No table open for guests; press Enter to open one";

impl MatchScreen {
    /// Returns whether a shared table holds the session.
    pub(super) fn is_remote(&self) -> bool {
        self.peers().is_some()
    }

    pub(super) fn peers(&self) -> Option<&Peers> {
        self.open_match.peers()
    }

    /// Returns whether hints are enabled at this table.
    pub(super) fn may_help(&self) -> bool {
        self.peers().is_none_or(|peers| peers.has_hints)
    }

    /// Returns whether this terminal may send messages. Spectators may not; a host without a seat may.
    pub(super) fn may_say(&self) -> bool {
        let plays = !self.open_match.local().is_empty();
        self.peers().is_some_and(|peers| peers.is_host || plays)
    }

    /// Explains why no local player can move now.
    pub(super) fn not_to_move(&self) -> String {
        let name = self.open_match.name_to_move();
        match self.phase() {
            MatchPhase::NoTable => NO_TABLE.to_owned(),
            MatchPhase::Elsewhere => format!("it is {name}'s turn"),
            _ => {
                let undo = if self.can_undo() { "; undo takes back your last move" } else { "" };
                format!("{name} is to move{undo}")
            }
        }
    }

    pub(super) fn send_request(&mut self, send_request: ClientRequest) -> Vec<Effect> {
        let peers = self.open_match.owner_mut().peers_mut();
        if let Some(Err(refusal)) = peers.map(|peers| peers.request(send_request)) {
            self.input.refuse(&refusal);
        }
        Vec::new()
    }

    /// Sends a message, and names the players who are away: only with days per move, the table keeps messages.
    pub(super) fn say(&mut self, line: String) -> Vec<Effect> {
        let effects = self.send_request(ClientRequest::Say(line));
        if self.peers().is_none_or(|peers| !peers.is_up()) {
            return effects;
        }
        let people = self.peers().into_iter().flat_map(|peers| &peers.people);
        let absent = people.filter(|guest| !guest.seats.is_empty() && !guest.is_here());
        let absent: Vec<String> = absent.map(|guest| guest.name.clone()).collect();
        if !absent.is_empty() {
            let is_kept = self.open_match.session().days().is_some();
            let what = match (absent.len(), is_kept) {
                (1, false) => "is away and misses this message",
                (_, false) => "are away and miss this message",
                (1, true) => "reads this at the next visit",
                (_, true) => "read this at their next visits",
            };
            self.input.announce_note(format!("{} {what}", list(absent)));
        } else if self.waits_for_guest() {
            self.input
                .announce_note("the seats are not taken yet; guests will not see this message");
        }
        effects
    }

    pub(super) fn on_table_news(&mut self, news: &[TableNews], context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        let is_message = |news: &&TableNews| matches!(news, TableNews::Said(..));
        let messages = news.iter().filter(is_message).count();
        // What happened while this player was away arrives at once, and the status line shows all of it.
        let (mut settled, mut last_message) = (Vec::new(), None);
        for news in news {
            match news.clone() {
                TableNews::Stepped => {
                    effects.extend(self.on_remote_step());
                    // The result says how it came about.
                    if self.open_match.current_match().outcome().is_some() {
                        settled.clear();
                    }
                }
                TableNews::Restarted => {
                    self.open_match.renew_board();
                    self.on_restart();
                }
                TableNews::Joined(name) => {
                    self.input.announce_news(format!("{name} joined"));
                    let is_host = self.peers().is_some_and(|peers| peers.is_host);
                    effects.extend(is_host.then_some(Effect::run(TerminalTask::Bell)));
                }
                TableNews::Returned(name) => self.input.announce_news(format!("{name} is back")),
                TableNews::People { words, .. } => self.input.announce_news(words),
                TableNews::Settled(words) => {
                    self.input.announce(Announcement::Event(words.clone()));
                    settled.push(words);
                }
                TableNews::Said(message) => {
                    let last = in_a_line(&message, context);
                    last_message = Some(match messages {
                        1 => last,
                        _ => format!("{messages} new messages, {last}"),
                    });
                }
                TableNews::Refused(why) => self.input.refuse(&why),
                TableNews::Asked(_) => {
                    self.input.dismiss_if(|message| !matches!(message, Message::Refusal(_)));
                    if self.settings.bell {
                        effects.push(Effect::run(TerminalTask::Bell));
                    }
                }
                TableNews::Clock(at) => self.played = at,
                TableNews::Line if self.peers().is_some_and(Peers::is_closed) => {
                    // The status line says why the table closed.
                    self.input.dismiss_if(|message| matches!(message, Message::Refusal(_)));
                }
                TableNews::Draw | TableNews::Line | TableNews::Other => {}
            }
        }
        settled.extend(last_message);
        if !settled.is_empty() {
            self.input.show_news(settled.join("; "));
        }
        effects
    }

    /// Shows a move, undo or redo from another terminal in the same way as an engine's move.
    fn on_remote_step(&mut self) -> Vec<Effect> {
        let session = self.open_match.session();
        // After a reconnection, the table tells its time before the steps that were missed.
        self.played = self.played.max(session.time());
        let game = session.current_match();
        let was_played = session.log().last().is_some_and(|last| last.step.is_play());
        let last = game.moves().last().filter(|_| was_played).cloned();
        let is_theirs = |seat: &Seat| !self.open_match.local().contains(*seat);
        let theirs = last.filter(|(seat, _)| is_theirs(seat));
        if let Some((_, mv)) = &theirs {
            self.open_match.board.focus_move(mv);
        }
        // The values of the previous position no longer apply.
        self.input.dismiss_if(|message| matches!(message, Message::Note(_)));
        let mut effects: Vec<Effect> = self.changed();
        effects.retain(
            |effect| !matches!(effect, Effect::Run(task) if *task == DiskTask::Save.into()),
        );
        if self.settings.bell && theirs.is_some() && self.person_is_to_move() {
            effects.push(Effect::run(TerminalTask::Bell));
        }
        effects
    }

    /// Resets the screen for a new match at the same table.
    fn on_restart(&mut self) {
        self.played = self.open_match.session().time();
        self.result_shown = false;
        self.acted_at = None;
        self.input.dismiss_if(|message| !matches!(message, Message::News(_)));
        self.input.drop_question();
        self.assistance.changed();
        // The settings have not been applied to the new board yet.
        self.apply_settings(&self.settings.clone());
    }

    /// Returns the timer for the news on the screen.
    pub(super) fn peers_timer(&self) -> Option<Timer> {
        self.peers()?;
        let NewsItem { number, .. } = self.input.news()?;
        Some(Timer { wait: WaitFor::News(*number), length: NEWS_TIMEOUT })
    }

    pub(super) fn peers_tick(&mut self) -> Vec<Effect> {
        self.input.dismiss_if(|message| matches!(message, Message::News(_)));
        Vec::new()
    }

    pub(super) fn chat_screen(&self, context: &Context) -> Effect {
        let said = self.peers().into_iter().flat_map(|peers| &peers.said);
        let lines: Vec<String> = said.map(|message| in_a_line(message, context)).collect();
        let nothing = "No messages yet.".to_owned();
        let text = if lines.is_empty() { nothing } else { lines.join("\n\n") };
        Effect::Open(Destination::Text(self.open_match.entry.name.to_owned(), "chat", text))
    }

    /// Opens a table for a resumed match with guests. Nobody can play until the table is open.
    pub(super) fn open_table_if_needed(&self) -> Vec<Effect> {
        self.open_match
            .needs_table()
            .then(|| Effect::run(DiskTask::Invite(None)))
            .into_iter()
            .collect()
    }

    pub(super) fn ask_which_seat(&self) -> Effect {
        let players = self.open_match.players();
        let seats: Vec<Seat> = self.open_match.local().iter().collect();
        let entry = |seat: &Seat| {
            let label = format!("Seat {seat}, {}", printable(players.name(*seat)));
            (label, vec![Effect::run(DiskTask::Invite(Some(*seat)))])
        };
        let lines = "The guest plays this seat from another terminal.";
        // The host usually takes the first seat, so the menu offers the last seat first.
        let menu = Menu::new("Which seat is for the guest?")
            .with_lines(vec![lines.to_owned()])
            .no("Cancel")
            .entries(seats.iter().rev().map(entry))
            .with_about("This opens a table for the match that others can join.");
        Effect::open(menu)
    }

    pub(super) fn invitation(&self) -> Effect {
        let ways = self.peers().map(|peers| peers.invitation.join("\n\n")).unwrap_or_default();
        let text = format!(
            "The table is open (Invite in the menu shows this again). Your guest types:\n\n{ways}"
        );
        Effect::Open(Destination::Invitation(self.open_match.entry.name.to_owned(), text))
    }

    /// Returns the panel's lines about the people at the table: absent players, spectators and free seats.
    pub(super) fn participant_lines(&self, context: &Context) -> Vec<String> {
        let Some(peers) = self.peers().filter(|peers| !peers.is_closed()) else {
            return Vec::new();
        };
        let line = |participant: &Participant| {
            let what = match participant.attendance {
                _ if participant.seats.is_empty() => "watches",
                Attendance::Away => "is away",
                Attendance::Slow => "lost the connection",
                Attendance::Left => "has left, seat kept",
                Attendance::Here => return None,
            };
            Some(format!("{} {what}", participant.name))
        };
        let free = self.free_seats().map(|seat| format!("seat {seat} is waiting for a guest"));
        // Questions may hide what was said while this player was away.
        let has_days = self.open_match.session().days().is_some();
        let said = peers.said.back().filter(|last| has_days && last.name != peers.me);
        let said = said.map(|message| in_a_line(message, context));
        peers.people.iter().filter_map(line).chain(free).chain(said).collect()
    }

    /// Returns the seats whose guests have not joined yet.
    fn free_seats(&self) -> impl Iterator<Item = Seat> {
        let is_taken = |seat: Seat| {
            let peers = self.peers();
            self.open_match.local().contains(seat)
                || peers.is_none_or(|peers| peers.at(seat).is_some())
        };
        self.open_match.players().people().filter(move |seat| !is_taken(*seat))
    }

    /// Returns whether to show the host how guests can join: a guest has not come, or is away. With days per move,
    /// guests are away as a rule.
    pub(super) fn should_invite(&self) -> bool {
        let has_days = self.open_match.session().days().is_some();
        let is_missed =
            |guest: &Participant| !has_days && !guest.seats.is_empty() && !guest.is_here();
        self.peers().is_some_and(|peers| {
            peers.is_host && (self.waits_for_guest() || peers.people.iter().any(is_missed))
        })
    }

    pub(super) fn waits_for_guest(&self) -> bool {
        self.free_seats().next().is_some()
    }
}

/// Formats `Bob: text`, or `Bob, Tue 21:14: text` for an earlier message.
fn in_a_line(message: &ChatMessage, context: &Context) -> String {
    format!("{}: {}", message.author(&context.now()), message.text)
}
