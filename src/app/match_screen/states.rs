//! The lasting states of a match that concern the people at this terminal, such as an open question or a lost
//! connection. The status line shows a state as long as it lasts; it is announced once, when it begins.

use super::peers::NO_TABLE;
use super::questions::LocalQuestion;
use super::{ASKED_THE_OTHERS, ENGINE_GOES_ON, MatchPhase, MatchScreen};
use crate::app::screen::QuestionId;
use crate::view::{Announcement, AskedQuestion};
use quadrille_match::session::ClockFace;
use quadrille_rules::Seat;
use quadrille_table::play::{Attendance, EngineTurn, LineState, Peers};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LastingState {
    /// The connection to the table is closed for good.
    Closed,
    NeedsLogin,
    Disconnected,
    /// The table cannot save the match.
    TableTrouble(String),
    /// A question from this terminal is open; holds its number.
    Asked(u64),
    /// The table has not opened the question from this terminal yet.
    Asking,
    /// The match with days per move has yet to begin.
    ToBegin,
    /// The player to move is overdue.
    Overdue(Seat),
    /// The player to move is not at the table; `None` if the seat is free.
    Absent(Seat, Option<Attendance>),
    NotSaved(String),
    NoTable,
    /// A program needs permission to move from the position with this number.
    ProgramToPermit(usize),
    /// The engine waits to move from the position with this number.
    EngineWaits(usize),
}

impl LastingState {
    /// Returns whether play cannot go on, or the match may be lost.
    pub fn is_trouble(&self) -> bool {
        matches!(
            self,
            LastingState::Closed
                | LastingState::NeedsLogin
                | LastingState::Disconnected
                | LastingState::TableTrouble(_)
                | LastingState::NotSaved(_)
        )
    }

    fn is_disconnection(&self) -> bool {
        matches!(self, LastingState::NeedsLogin | LastingState::Disconnected)
    }
}

/// What was announced and still holds.
#[derive(Debug, Default)]
pub(super) struct AnnouncedStates {
    states: Vec<LastingState>,
    questions: Vec<QuestionId>,
}

impl MatchScreen {
    /// Announces states and questions that have begun since the last call, and the end of a disconnection.
    pub(super) fn announce_states(&mut self) {
        let (states, questions) = (self.states(), self.local_questions());
        let known = std::mem::take(&mut self.announced);
        let was_down = known.states.iter().any(LastingState::is_disconnection);
        if was_down && self.peers().is_some_and(Peers::is_up) {
            self.input.announce(Announcement::Event("reconnected".to_owned()));
        }
        for state in states.iter().filter(|state| !known.states.contains(state)) {
            // The table's answer follows at once.
            if *state != LastingState::Asking {
                self.input.announce(Announcement::Event(self.describe_state(state)));
            }
        }
        for question in questions.iter().filter(|question| !known.questions.contains(&question.id))
        {
            self.input.announce(Announcement::Question(question.into()));
        }
        let questions = questions.into_iter().map(|question| question.id).collect();
        self.announced = AnnouncedStates { states, questions };
    }

    /// Returns the current states, most important first: those of the table, of saving, and of the engines.
    pub(super) fn states(&self) -> Vec<LastingState> {
        let mut states = self.table_states();
        states.extend(
            self.open_match.saved.save_errors().next().cloned().map(LastingState::NotSaved),
        );
        let node = self.open_match.current_match().node();
        states.extend(match self.phase() {
            MatchPhase::NoTable => Some(LastingState::NoTable),
            MatchPhase::ProgramToPermit => Some(LastingState::ProgramToPermit(node)),
            MatchPhase::Engine if self.assistance.at_table == EngineTurn::Waits => {
                Some(LastingState::EngineWaits(node))
            }
            _ => None,
        });
        states
    }

    fn table_states(&self) -> Vec<LastingState> {
        let Some(peers) = self.peers() else { return Vec::new() };
        match &peers.line {
            LineState::Closed(_) => return vec![LastingState::Closed],
            // The question whether to join says more.
            LineState::Down(_) if peers.new_match().is_some() => return Vec::new(),
            LineState::Down(_) if peers.needs_login => return vec![LastingState::NeedsLogin],
            LineState::Down(_) => return vec![LastingState::Disconnected],
            LineState::Up => {}
        }
        let own = peers.own_question().map(|own| LastingState::Asked(own.number));
        let asking = peers.asking.filter(|_| own.is_none()).map(|_| LastingState::Asking);
        let trouble = peers.trouble.clone().map(LastingState::TableTrouble);
        let turn = self.open_match.current_match().to_move();
        let absent = turn.filter(|_| self.open_match.turn_is_elsewhere()).and_then(|seat| {
            let attendance = peers.at(seat).map(|participant| participant.attendance);
            let is_here = attendance == Some(Attendance::Here);
            (!is_here).then_some(LastingState::Absent(seat, attendance))
        });
        let session = self.open_match.session();
        let overdue = session.overdue(self.played).map(LastingState::Overdue);
        let to_begin = (session.is_to_begin() && turn.is_some()).then_some(LastingState::ToBegin);
        let is_known = to_begin.is_some() && !self.waits_for_guest();
        let of_turn = overdue.or(to_begin.clone().filter(|_| is_known)).or(absent).or(to_begin);
        [trouble, own, asking, of_turn].into_iter().flatten().collect()
    }

    pub(super) fn describe_state(&self, state: &LastingState) -> String {
        let peers = self.peers();
        match state {
            LastingState::Closed | LastingState::Disconnected => {
                match peers.map(|peers| &peers.line) {
                    Some(LineState::Closed(why)) => why.clone(),
                    // A match without moves was not saved.
                    _ if peers.is_some_and(|peers| peers.is_host)
                        && self.open_match.current_match().nodes() > 1 =>
                    {
                        "reconnecting; Enter to retry, or reopen with quadrille resume".to_owned()
                    }
                    Some(LineState::Down(why)) => format!("reconnecting; Enter to retry: {why}"),
                    _ => String::new(),
                }
            }
            LastingState::NeedsLogin => {
                "disconnected; press Enter to log in to ssh again".to_owned()
            }
            LastingState::TableTrouble(why) => format!("table error: {why}"),
            LastingState::NotSaved(why) => why.clone(),
            LastingState::Asked(_) => {
                let own = peers.and_then(Peers::own_question);
                own.map(|own| self.open_match.describe_question(own)).unwrap_or_default()
            }
            LastingState::Asking => ASKED_THE_OTHERS.to_owned(),
            LastingState::ToBegin if self.waits_for_guest() => {
                "the match begins when all seats are taken".to_owned()
            }
            LastingState::ToBegin if peers.is_some_and(|peers| peers.is_host) => {
                "the match begins when you have agreed to all players".to_owned()
            }
            LastingState::ToBegin => {
                "the match begins when the host agrees; you can leave and keep your seat".to_owned()
            }
            LastingState::Overdue(_) if !self.open_match.turn_is_elsewhere() => {
                let rest = self.rest_of_overdue_time().unwrap_or_default();
                format!("you are overdue: move before an opponent claims the win, within {rest}")
            }
            LastingState::Overdue(seat) => {
                let name = self.open_match.players().name(*seat);
                match self.open_match.claimant(self.played) {
                    Some(_) => format!("{name} is overdue: claim the win, give more time, or wait"),
                    None => format!("{name} is overdue"),
                }
            }
            LastingState::Absent(seat, attendance) => self.describe_turn(*seat, *attendance),
            LastingState::NoTable => NO_TABLE.to_owned(),
            LastingState::ProgramToPermit(_) => {
                let program = self.open_match.name_to_move();
                format!("{program} is not running; press Enter to start it")
            }
            LastingState::EngineWaits(_) => ENGINE_GOES_ON.to_owned(),
        }
    }

    /// Describes the turn of a player at another terminal.
    pub(super) fn describe_turn(&self, seat: Seat, attendance: Option<Attendance>) -> String {
        let name = self.open_match.players().name(seat);
        let session = self.open_match.session();
        let has_clock = session.fischer_clock().is_some();
        let left = session.days().and(session.time_left(self.played));
        let left = left.and_then(|left| left.get(seat.index()).copied());
        let rest = match left {
            Some(left) => format!("; {} left", ClockFace::Days.shown(left)),
            None if has_clock => "; clock running".to_owned(),
            None => "; match paused".to_owned(),
        };
        match attendance {
            Some(Attendance::Away) if has_clock => format!("{name} is reconnecting{rest}"),
            // With days per move, players come and go.
            Some(Attendance::Left) if session.days().is_some() => format!("{name} is away{rest}"),
            Some(Attendance::Away) => format!("{name} is away{rest}"),
            Some(Attendance::Slow) => format!("{name} lost the connection{rest}"),
            Some(Attendance::Left) => format!("{name} has left, seat kept{rest}"),
            Some(Attendance::Here) => format!("{name} is to move"),
            None => match self.peers().and_then(|peers| peers.invitation.first()) {
                Some(first) => format!("waiting for a guest; {first}"),
                None => format!("waiting for a guest at seat {seat}"),
            },
        }
    }
}

impl From<&LocalQuestion> for AskedQuestion {
    fn from(question: &LocalQuestion) -> AskedQuestion {
        AskedQuestion { number: question.number(), words: question.words.clone() }
    }
}
