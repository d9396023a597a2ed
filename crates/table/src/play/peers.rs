//! The state of a shared table as seen by a terminal: participants, chat, open questions and the connection.

use super::Proposal;
use super::consent::{OpenQuestion, QuestionKind, Request, Settlement};
use jiff::{Timestamp, Zoned};
use quadrille_match::session::{Actor, Refusal, SeatSet, Session, Step};
use quadrille_match::store::MatchId;
use quadrille_rules::Seat;
use std::collections::VecDeque;
use std::time::Duration;

/// The maximum number of stored chat messages.
const MAX_CHAT_MESSAGES: usize = 100;
/// The maximum number of participants, and of open questions. No real table has more.
const MAX_PARTICIPANTS: usize = 32;

/// Shown when hints are disabled at this table.
pub const NO_HINTS_HERE: &str =
    "this table has no hints or values; play --hints opens one that has them";

/// The state of the connection between this terminal and the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineState {
    Up,
    /// Reconnecting; holds the reason if known.
    Down(String),
    /// The table is closed or this terminal has left; holds the message.
    Closed(String),
}

/// A player or watcher at a shared table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    pub name: String,
    /// Empty for a watcher.
    pub seats: SeatSet,
    pub attendance: Attendance,
}

impl Participant {
    pub fn is_here(&self) -> bool {
        self.attendance == Attendance::Here
    }
}

/// The state of a participant's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attendance {
    Here,
    /// Disconnected.
    Away,
    /// The table closed the connection because it was too slow.
    Slow,
    /// The participant left; the seat stays reserved.
    Left,
}

/// A chat message at a shared table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    pub name: String,
    pub text: String,
    /// When it was sent, if that was before this terminal came.
    pub sent: Option<Timestamp>,
}

impl ChatMessage {
    /// Formats the author, and when the message was sent if that was earlier: `Bob, Tue 21:14`.
    pub fn author(&self, now: &Zoned) -> String {
        let Some(sent) = self.sent.map(|sent| sent.to_zoned(now.time_zone().clone())) else {
            return self.name.clone();
        };
        let days = now.date().since(sent.date()).map_or(0, |span| span.get_days());
        let format = match days {
            0 => "%H:%M",
            1..7 => "%a %H:%M",
            _ => "%b %-d, %H:%M",
        };
        format!("{}, {}", self.name, sent.strftime(format))
    }
}

/// A request from this terminal to its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientRequest {
    Take(Seat, Step),
    Ask(Request),
    Answer {
        number: u64,
        yes: bool,
    },
    Withdraw(u64),
    Say(String),
    /// The host removes the player or watcher with this name.
    Remove(String),
    /// The host closes the table; the match is saved.
    Close,
    /// Reconnect now.
    TryNow,
    Leave,
}

impl ClientRequest {
    /// Says that the request was not sent.
    pub fn not_sent(&self) -> String {
        match self {
            ClientRequest::Take(_, Step::Play(mv)) => format!("{mv} was not played"),
            ClientRequest::Say(text) => format!("your message was not sent: {text}"),
            _ => "your request was not sent".to_owned(),
        }
    }
}

/// A change at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableNews {
    /// A step was taken.
    Stepped,
    /// A draw was offered or accepted; the match continues.
    Draw,
    /// A new match began, or the current match was sent again.
    Restarted,
    /// This player took a seat.
    Joined(String),
    /// This player, who was away, is back.
    Returned(String),
    /// A person joined or left: the message, and whether the person has played here.
    People {
        words: String,
        is_missed: bool,
    },
    Said(ChatMessage),
    /// A request from this terminal was refused.
    Refused(String),
    /// A different player asks this terminal a question; holds its number.
    Asked(u64),
    /// A question is settled; holds the message.
    Settled(String),
    /// The connection went down, came back up or was closed.
    Line,
    Clock(Duration),
    /// Other visible state changed.
    Other,
}

/// The other participants at a shared table, and the requests that this terminal has yet to send.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct Peers {
    pub table: String,
    /// The name of this terminal's player.
    pub me: String,
    /// Whether this terminal opened the table.
    pub is_host: bool,
    /// Whether hints are enabled.
    pub has_hints: bool,
    /// Whether this terminal runs in a lobby, without its own settings and files.
    pub is_kiosk: bool,
    /// How a guest can join, in paragraphs; empty except at the host's terminal.
    pub invitation: Vec<String>,
    pub line: LineState,
    /// Whether the connection is down until the user logs in again.
    pub needs_login: bool,
    pub people: Vec<Participant>,
    /// The open questions that this terminal asked or has to answer, oldest first.
    pub questions: Vec<OpenQuestion>,
    /// This terminal's question, until the table assigns a number.
    pub asking: Option<Request>,
    /// Why the match could not be saved.
    pub trouble: Option<String>,
    /// Whether match time passes.
    pub time_runs: bool,
    /// The last chat messages, newest last.
    pub said: VecDeque<ChatMessage>,
    /// The number of chat messages so far, including those no longer stored.
    pub heard: usize,
    /// Whether a step awaits the table's answer.
    pub proposed: bool,
    /// Identifies the match among the matches in a state folder, once the table has saved it.
    pub match_id: Option<MatchId>,
    /// The last request that was refused because the connection was down.
    unsent: Option<ClientRequest>,
    /// Whether a person here has sent a request since the current match began.
    has_acted: bool,
    /// The previous match, if a rematch has replaced it and it has not been filed.
    finished: Option<(Session, Option<MatchId>)>,
    /// Whether the question settled last was settled by this terminal's agreement.
    has_agreed_last: bool,
    pub(super) requests: Vec<ClientRequest>,
}

impl Peers {
    /// Creates a state without participants.
    pub fn new(table: String, me: String) -> Peers {
        Peers {
            table,
            me,
            is_host: false,
            has_hints: false,
            is_kiosk: false,
            invitation: Vec::new(),
            line: LineState::Up,
            needs_login: false,
            people: Vec::new(),
            questions: Vec::new(),
            asking: None,
            trouble: None,
            time_runs: false,
            said: VecDeque::new(),
            heard: 0,
            proposed: false,
            match_id: None,
            unsent: None,
            // Joining the table counts as a request.
            has_acted: true,
            finished: None,
            has_agreed_last: false,
            requests: Vec::new(),
        }
    }

    /// Queues a request. It is refused while the connection is down, and [not sent](ClientRequest::not_sent) later.
    pub fn request(&mut self, request: ClientRequest) -> Result<(), Refusal> {
        let needs_line = match &request {
            ClientRequest::TryNow | ClientRequest::Leave => false,
            // The terminal itself asks whether to join a new match, and hangs up meanwhile.
            ClientRequest::Answer { .. } => self.new_match().is_none(),
            _ => true,
        };
        if needs_line && !self.is_up() {
            let why = match &self.line {
                LineState::Closed(why) => why.clone(),
                _ => "disconnected from the table; reconnecting".to_owned(),
            };
            self.unsent = Some(request);
            return Err(Refusal::new(why));
        }
        self.has_acted |= needs_line;
        match &request {
            ClientRequest::Take(..) => self.proposed = true,
            ClientRequest::Ask(request) => self.asking = Some(*request),
            ClientRequest::Answer { number, .. } => {
                if let Some(open) = self.questions.iter_mut().find(|open| open.number == *number) {
                    open.is_answered = true;
                }
            }
            _ => {}
        }
        self.requests.push(request);
        Ok(())
    }

    /// Returns the last request that was refused because the connection was down.
    pub fn take_unsent(&mut self) -> Option<ClientRequest> {
        self.unsent.take()
    }

    /// Requests a step, or asks the other players if the step needs their consent.
    pub(super) fn propose(&mut self, by: Actor, step: Step) -> Result<Proposal, Refusal> {
        let request = match (by, step) {
            (_, Step::OfferDraw) => ClientRequest::Ask(Request::Draw),
            (_, Step::GoTo(node)) => ClientRequest::Ask(Request::TakeBack(node)),
            (Actor::Seat(seat), step) => ClientRequest::Take(seat, step),
            _ => return Err(Refusal::new("not available at a table with a guest")),
        };
        if self.is_up() && self.proposed {
            return Err(Refusal::new("waiting for the table"));
        }
        if self.is_up() && matches!(request, ClientRequest::Ask(_)) && self.has_asked() {
            return Err(Refusal::new("waiting for an answer to your last request"));
        }
        self.request(request)?;
        Ok(Proposal::Asked)
    }

    /// Returns the questions that this terminal has to answer.
    pub fn to_answer(&self) -> impl Iterator<Item = &OpenQuestion> {
        self.questions.iter().filter(|question| !question.is_own && !question.is_answered)
    }

    pub fn own_question(&self) -> Option<&OpenQuestion> {
        self.questions.iter().find(|question| question.is_own)
    }

    pub fn has_asked(&self) -> bool {
        self.asking.is_some() || self.own_question().is_some()
    }

    /// Withdraws this terminal's question; `false` if it has none or the table has not numbered the question yet.
    pub fn withdraw(&mut self) -> bool {
        let number = self.own_question().map(|question| question.number);
        number.is_some_and(|number| self.request(ClientRequest::Withdraw(number)).is_ok())
    }

    /// Returns the question whether to join a new match, if it is open.
    pub fn new_match(&self) -> Option<&OpenQuestion> {
        self.questions.iter().find(|question| question.kind == QuestionKind::NewMatch)
    }

    /// Returns whether this terminal is asking for a take-back or redo, in which case a second undo withdraws the
    /// question.
    pub fn has_asked_to_take_back(&self) -> bool {
        let is_take_back = |question: &OpenQuestion| {
            matches!(question.kind, QuestionKind::TakeBack { .. } | QuestionKind::Redo { .. })
        };
        self.own_question().is_some_and(is_take_back)
    }

    /// Adds a question, or updates a known one. Returns whether it is new.
    pub fn open_question(&mut self, question: OpenQuestion) -> bool {
        if question.is_own {
            self.asking = None;
        }
        let is_known = self.questions.iter().any(|known| known.number == question.number);
        if is_known || self.questions.len() >= MAX_PARTICIPANTS {
            return false;
        }
        self.questions.push(question);
        true
    }

    /// Removes a settled question, and returns the message about it.
    pub fn settle_question(&mut self, number: u64, settlement: &Settlement) -> Option<String> {
        let at = self.questions.iter().position(|open| open.number == number)?;
        self.asking = None;
        self.has_agreed_last = match settlement {
            Settlement::Answered { yes: true, by } => by.as_ref() == Some(&self.me),
            _ => false,
        };
        self.questions.remove(at).tell_end(settlement, &self.me)
    }

    pub fn has_agreed_last(&self) -> bool {
        self.has_agreed_last
    }

    /// Clears all questions, because the table resends the open ones.
    pub fn forget_questions(&mut self) {
        (self.questions, self.asking) = (Vec::new(), None);
    }

    /// Returns whether a step or a question can be sent now.
    pub fn is_ready(&self) -> bool {
        self.is_up() && !self.proposed
    }

    /// Keeps a match that a new one replaces if it has ended. A table can replace matches without end, so those in
    /// which nobody here has done anything are not kept.
    pub(super) fn part_from(&mut self, session: Session) {
        let id = self.match_id.take();
        let has_acted = std::mem::take(&mut self.has_acted);
        if has_acted && session.current_match().outcome().is_some() {
            self.finished = Some((session, id));
        }
    }

    /// Returns the previous match and its id, to be filed.
    pub fn take_finished(&mut self) -> Option<(Session, Option<MatchId>)> {
        self.finished.take()
    }

    /// Returns whether requests are queued that the table will answer.
    pub fn has_requests(&self) -> bool {
        self.requests.iter().any(|request| *request != ClientRequest::TryNow)
    }

    /// Returns whether the table has to answer a step or a question of this terminal.
    pub fn awaits_answer(&self) -> bool {
        self.is_up() && (self.proposed || self.asking.is_some())
    }

    /// Returns the requests queued since the last call.
    pub fn take_requests(&mut self) -> Vec<ClientRequest> {
        std::mem::take(&mut self.requests)
    }

    /// Clears the pending proposal and question, which were answered or were lost with the connection.
    pub fn answered(&mut self) {
        (self.proposed, self.asking) = (false, None);
    }

    pub fn add_message(&mut self, message: ChatMessage) {
        self.heard += 1;
        self.add_past_message(message);
    }

    /// Clears the messages, because the table resends those that it keeps.
    pub fn forget_messages(&mut self) {
        self.said.clear();
    }

    /// Adds a message that the player has seen before.
    pub fn add_past_message(&mut self, message: ChatMessage) {
        self.said.push_back(message);
        if self.said.len() > MAX_CHAT_MESSAGES {
            self.said.pop_front();
        }
    }

    /// Adds or updates a participant.
    pub fn set(&mut self, participant: Participant) {
        let known = self.people.iter().position(|known| known.name == participant.name);
        match known {
            Some(at) => self.people[at] = participant,
            None if self.people.len() < MAX_PARTICIPANTS => self.people.push(participant),
            None => {}
        }
    }

    pub fn remove(&mut self, name: &str) {
        self.people.retain(|known| known.name != name);
    }

    /// Returns the participant at this seat.
    pub fn at(&self, seat: Seat) -> Option<&Participant> {
        self.people.iter().find(|participant| participant.seats.contains(seat))
    }

    pub fn is_up(&self) -> bool {
        self.line == LineState::Up
    }

    pub fn is_closed(&self) -> bool {
        matches!(self.line, LineState::Closed(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    #[test]
    fn earlier_messages_say_when_they_were_sent() {
        let now = date(2026, 11, 26).at(8, 0, 0, 0).to_zoned(TimeZone::fixed(jiff::tz::offset(1)));
        let now = now.unwrap();
        let author = |sent: Option<&str>| {
            let sent = sent.map(|sent| sent.parse().unwrap());
            ChatMessage { name: "Bob".to_owned(), text: "hi".to_owned(), sent }.author(&now)
        };
        assert_eq!(author(None), "Bob");
        assert_eq!(author(Some("2026-11-26T00:05:00Z")), "Bob, 01:05");
        assert_eq!(author(Some("2026-11-24T20:14:00Z")), "Bob, Tue 21:14");
        assert_eq!(author(Some("2026-11-25T23:30:00Z")), "Bob, 00:30", "it is the next day here");
        assert_eq!(author(Some("2026-11-19T20:14:00Z")), "Bob, Nov 19, 21:14");
        // The clock of this machine is slow.
        assert_eq!(author(Some("2026-12-05T20:14:00Z")), "Bob, Dec 5, 21:14");
    }
}
