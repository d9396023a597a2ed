//! What waits for the players of a match with days per move; see [`Waiting`].

use super::person::Person;
use super::questions::{Consequence, Pending};
use super::seat_holders::SeatHolder;
use super::{Hub, PersonId, ServerMessage};
use crate::protocol::Presence;
use crate::{Message, OpenRequest, SettledRequest, Visit, Waiting};
use jiff::Timestamp;
use quadrille_match::session::SeatSet;

impl Hub {
    /// Returns what waits for the players, to be saved.
    pub(super) fn waiting(&self) -> Waiting {
        if !self.has_days() {
            return Waiting::default();
        }
        Waiting {
            last_question: self.last_question,
            requests: self.pending.iter().filter_map(|open| self.open_request(open)).collect(),
            visits: self.holders.iter().map(SeatHolder::visit).collect(),
            ended: self.ended(),
            ..self.waiting.clone()
        }
    }

    /// Returns when the match ended; `None` if it goes on, or has not begun.
    fn ended(&self) -> Option<Timestamp> {
        let session = self.table.session();
        session.current_match().outcome()?;
        let ended = session.began()?.checked_add(session.time()).ok()?;
        Timestamp::from_second(ended.as_second()).ok()
    }

    fn open_request(&self, open: &Pending) -> Option<OpenRequest> {
        let Consequence::Request(request) = open.subject else { return None };
        let seats = |id: &PersonId| self.holder(*id).map(|holder| holder.seats);
        Some(OpenRequest {
            number: open.number,
            by: seats(&open.by)?,
            name: open.name.clone(),
            request,
            position: open.position,
            waiting: open.waiting.iter().filter_map(seats).collect(),
        })
    }

    /// Opens the saved requests again if they still stand.
    pub(super) fn reopen_requests(&mut self, waiting: &Waiting) {
        self.last_question = waiting.last_question;
        for Visit { by, seen, has_left_end } in &waiting.visits {
            if let Some(holder) = self.holders.iter_mut().find(|holder| holder.seats == *by) {
                (holder.seen, holder.has_left_end) = (*seen, *has_left_end);
            }
        }
        let id = |seats: &SeatSet| {
            self.holders.iter().find(|holder| holder.seats == *seats).map(|holder| holder.id)
        };
        let reopen = |open: &OpenRequest| {
            Some(Pending {
                number: open.number,
                by: id(&open.by)?,
                name: open.name.clone(),
                subject: Consequence::Request(open.request),
                kind: open.request.kind(self.table.current_match()).ok()?,
                position: open.position,
                waiting: open.waiting.iter().filter_map(id).collect(),
                ends: None,
            })
        };
        let open = waiting.requests.iter().filter_map(reopen);
        self.pending = open.filter(|open| self.stands(open)).collect();
    }

    /// Keeps a message, and sends it to all who follow the match.
    pub(super) fn keep_message(&mut self, name: String, text: String) {
        let number = self.waiting.add_message(name.clone(), text.clone(), self.moment);
        self.has_changed = true;
        let word = ServerMessage::Said { name, text };
        let following = self.people.iter_mut().filter(|person| person.steps_sent().is_some());
        following.for_each(|person| person.send_news(&word, number));
    }

    /// Keeps how a question ended for the players who do not follow the match now.
    pub(super) fn keep_settled(&mut self, question: &ServerMessage, settled: &ServerMessage) {
        let follows = |holder: &&SeatHolder| {
            let person = holder.person.and_then(|person| self.person(person));
            person.is_some_and(|person| person.steps_sent().is_some())
        };
        let away: Vec<SeatSet> = self
            .holders
            .iter()
            .filter(|holder| holder.is_somebody() && !follows(holder))
            .map(|holder| holder.seats)
            .collect();
        for to in away {
            self.waiting.add_settled(to, question.clone(), settled.clone());
        }
        self.has_changed = true;
    }

    /// Sends the news that this terminal's player has not seen. With `past`, also the messages that the player has.
    pub(super) fn tell_news(&mut self, who: PersonId, past: bool) {
        let Some(person) = self.people.iter_mut().find(|person| person.id == who) else { return };
        let holder = self.holders.iter().find(|holder| holder.person == Some(who));
        let (seats, name, seen) = match holder {
            Some(holder) => (Some(holder.seats), &*holder.name, holder.seen),
            None => (None, "", u64::MAX),
        };
        let mut settled = self.waiting.settled.iter().filter(|it| Some(it.to) == seats).peekable();
        let tell_settled = |person: &mut Person, it: &SettledRequest| {
            person.send(&it.question);
            person.send_news(&it.settlement, it.number);
        };
        for Message { number, name: by, text, sent } in &self.waiting.messages {
            while let Some(it) = settled.next_if(|it| it.number < *number) {
                tell_settled(person, it);
            }
            let (by_player, by, text) = (by == name, by.clone(), text.clone());
            let is_news = *number > seen && !by_player;
            if let Some(sent) = sent.filter(|_| is_news || past) {
                person.send(&ServerMessage::Sent(sent));
            }
            if is_news {
                person.send_news(&ServerMessage::Said { name: by, text }, *number);
            } else if past {
                person.send(&ServerMessage::Past { name: by, text });
            }
        }
        settled.for_each(|it| tell_settled(person, it));
    }

    /// Records that these news are on their way to a player's terminal.
    pub(super) fn note_told(&mut self, who: PersonId, news: u64) {
        let Some(holder) = self.holders.iter_mut().find(|holder| holder.person == Some(who)) else {
            return;
        };
        holder.seen = holder.seen.max(news);
        let (seats, seen) = (holder.seats, holder.seen);
        self.waiting.settled.retain(|it| it.to != seats || it.number > seen);
        self.has_told = true;
    }

    /// Returns whether news were sent to a player since the last call, so that the seating has changed.
    pub fn take_told(&mut self) -> bool {
        std::mem::take(&mut self.has_told)
    }

    /// Records that a player leaves the finished board.
    pub(super) fn note_end_left(&mut self, who: PersonId, absence: Presence) {
        let log = self.table.session().log().len();
        let has_seen = self.person(who).is_some_and(|it| it.steps_sent() == Some(log));
        let is_over = self.has_days() && self.table.current_match().outcome().is_some();
        if let Some(holder) = self.holder_index(who)
            && is_over
            && has_seen
            && absence == Presence::Gone
        {
            self.holders[holder].has_left_end = true;
            self.has_changed = true;
        }
    }

    /// Returns whether the finished match waits for its players, and is not to be filed yet.
    pub fn keeps_end(&self, now: Timestamp) -> bool {
        let waiting = self.waiting();
        waiting.ended.is_some() && !waiting.is_over(now)
    }

    /// Returns whether each player has left the finished board.
    pub(super) fn has_end_been_seen(&self) -> bool {
        self.ended().is_some() && self.holders.iter().all(|holder| holder.visit().has_left_end)
    }
}

impl SeatHolder {
    fn visit(&self) -> Visit {
        // A host without a seat is no player.
        let has_left_end = self.has_left_end || self.seats.is_empty();
        Visit { by: self.seats, seen: self.seen, has_left_end }
    }
}
