//! Questions between players. Take-backs, draws and rematches need the consent of all other players. For seat requests,
//! see [`claims`](super::claims).

use super::claims::Claim;
use super::seat_holders::SeatHolder;
use super::{Hub, PersonId, ServerMessage};
use quadrille_match::session::{Actor, Match, SeatSet, Step};
use quadrille_table::play::{Lapse, QuestionKind, Request, Settlement, Table};
use std::time::Duration;

/// How long a question stays open.
const OPEN_FOR: Duration = Duration::from_secs(60);

/// A question that is not settled yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub number: u64,
    pub by: PersonId,
    pub name: String,
    pub subject: Consequence,
    pub kind: QuestionKind,
    /// The position at which it was asked, and whether the match had ended there.
    pub position: (usize, bool),
    /// The players who have not answered yet.
    pub waiting: Vec<PersonId>,
    /// `None` if the question waits as long as its subject stands.
    pub ends: Option<Duration>,
}

/// The action to perform if all agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    Request(Request),
    Seat(Claim),
    /// The asking player keeps the seat.
    Confirm,
}

impl Pending {
    pub fn claim(&self) -> Option<&Claim> {
        match &self.subject {
            Consequence::Seat(claim) => Some(claim),
            Consequence::Request(_) | Consequence::Confirm => None,
        }
    }

    /// Links the question to the new connection of its asker.
    pub fn is_asked_by(&mut self, who: PersonId) {
        self.by = who;
        if let Consequence::Seat(claim) = &mut self.subject {
            claim.who = who;
        }
    }

    /// Returns the name of the person who asks.
    pub fn asker(&self) -> &str {
        &self.name
    }

    fn word(&self) -> ServerMessage {
        let Pending { number, name, kind, .. } = self;
        ServerMessage::Question { number: *number, name: name.clone(), kind: *kind }
    }
}

impl Hub {
    pub(super) fn ask(
        &mut self,
        who: PersonId,
        request: Request,
        at: Duration,
        now: Duration,
    ) -> Result<(), String> {
        let holder = self.holder_of(who).ok_or("spectators cannot make requests")?;
        let (by, name, seats) = (holder.id, holder.name.clone(), holder.seats);
        let kind = request.kind(self.table.current_match())?;
        let subject = Consequence::Request(request);
        let is_same = |open: &&Pending| open.subject == subject && open.waiting.contains(&by);
        if let Some(same) = self.pending.iter().find(is_same) {
            let number = same.number;
            self.hear_answer(who, number, true, at, now)?;
            // The player may not have seen the question, which no longer needs an answer.
            self.tell_settled(who, number, &Settlement::Answered { yes: true, by: Some(name) });
            return Ok(());
        }
        if self.is_long() && !matches!(request, Request::Rematch { .. }) {
            return Err("the match has reached the maximum length of a shared match".to_owned());
        }
        match request {
            Request::TakeBack(_) => self.check_take_back(kind, seats)?,
            Request::Draw => self.check_draw(seats)?,
            Request::Rematch { .. } if self.has_days() => {
                return Err("with days per move, open a new match instead of a rematch".to_owned());
            }
            Request::Rematch { .. } => {}
        }
        if self.pending.iter().any(|open| open.by == by && open.is_request()) {
            return Err("waiting for an answer to your last request".to_owned());
        }
        if request == Request::Draw {
            self.offer_draw(seats, at)?;
        }
        let others = self.holders.iter().filter(|other| other.id != by && !other.seats.is_empty());
        let waiting: Vec<PersonId> = others.map(|other| other.id).collect();
        if waiting.is_empty() {
            return self.grant(request, at);
        }
        self.open_question((by, name), subject, kind, waiting, now);
        Ok(())
    }

    /// Numbers a question and sends it. `by` is the asking player, and `waiting` lists the players who
    /// have to agree.
    pub(super) fn open_question(
        &mut self,
        (by, name): (PersonId, String),
        subject: Consequence,
        kind: QuestionKind,
        waiting: Vec<PersonId>,
        now: Duration,
    ) {
        self.last_question += 1;
        let (number, ends) = (self.last_question, (!self.has_days()).then(|| now + OPEN_FOR));
        let told = [&[by], &*waiting].concat();
        let position = self.present_position();
        self.pending.push(Pending { number, by, name, subject, kind, position, waiting, ends });
        self.has_changed |= self.has_days();
        for holder in told {
            self.tell_question(self.pending.len() - 1, holder);
        }
    }

    fn check_take_back(&self, kind: QuestionKind, seats: SeatSet) -> Result<(), String> {
        if let QuestionKind::TakeBack { moves } = kind {
            if !self.table.can_undo() {
                return Err("nothing to take back".to_owned());
            }
            if turns_in(self.table.current_match(), moves, seats) > 1 {
                return Err("you can take back only to your last turn".to_owned());
            }
        }
        Ok(())
    }

    fn check_draw(&self, seats: SeatSet) -> Result<(), String> {
        let log = self.table.session().log().iter().rev();
        let mut since = log.take_while(|logged| logged.step.is_about_draw());
        let is_own = |by: Actor| matches!(by, Actor::Seat(seat) if seats.contains(seat));
        if since.any(|logged| logged.step == Step::OfferDraw && is_own(logged.by)) {
            return Err("you have already offered a draw in this position".to_owned());
        }
        if self.table.engines_refuse_a_draw() {
            return Err("engines do not accept draws".to_owned());
        }
        Ok(())
    }

    /// Logs draw offers for these seats, which belong to one player.
    fn offer_draw(&mut self, seats: SeatSet, at: Duration) -> Result<(), String> {
        let turn = self.table.current_match().to_move().filter(|&turn| seats.contains(turn));
        let first = turn.or(seats.iter().next()).ok_or("you have no seat")?;
        self.table.agree(first, &Step::OfferDraw, at).map_err(|why| why.to_string())?;
        self.accept_draw(seats, at)?;
        Ok(())
    }

    /// Logs draw acceptances for those of these seats that have not agreed yet.
    fn accept_draw(&mut self, seats: SeatSet, at: Duration) -> Result<(), String> {
        for seat in seats.iter() {
            let offer = self.table.session().offer();
            if offer.is_some_and(|offer| !offer.has(seat)) {
                let agreed = self.table.agree(seat, &Step::AcceptDraw, at);
                agreed.map_err(|why| why.to_string())?;
            }
        }
        Ok(())
    }

    /// Processes an answer to the numbered question.
    pub(super) fn hear_answer(
        &mut self,
        who: PersonId,
        number: u64,
        yes: bool,
        at: Duration,
        now: Duration,
    ) -> Result<(), String> {
        let holder = self.holder_of(who).ok_or("spectators cannot answer requests")?;
        let (id, name, seats) = (holder.id, holder.name.clone(), holder.seats);
        let waits = |open: &Pending| open.number == number && open.waiting.contains(&id);
        let Some(index) = self.pending.iter().position(waits) else {
            self.tell_settled(who, number, &Settlement::Gone(Lapse::Expired));
            self.tell_questions(id);
            return Ok(());
        };
        self.pending[index].waiting.retain(|&waiting| waiting != id);
        let (subject, asker) = (self.pending[index].subject.clone(), self.pending[index].by);
        let is_last = self.pending[index].waiting.is_empty();
        if !yes || is_last {
            let settlement = Settlement::Answered { yes, by: Some(name) };
            self.settle_question(index, &settlement);
        }
        if let Consequence::Seat(claim) = &subject
            && !yes
        {
            self.pause_asker(claim, now);
        }
        if yes && subject == Consequence::Request(Request::Draw) {
            self.accept_draw(seats, at)?;
        }
        match subject {
            Consequence::Request(request) if yes && is_last => self.grant(request, at)?,
            Consequence::Seat(claim) if yes && is_last => self.grant_claim(&claim, now),
            Consequence::Confirm => self.confirm(who, asker, yes, now)?,
            Consequence::Request(_) | Consequence::Seat(_) => {}
        }
        self.tell_questions(id);
        Ok(())
    }

    pub(super) fn withdraw(&mut self, who: PersonId, number: u64) -> Result<(), String> {
        let holder = self.holder_of(who).ok_or("spectators cannot make requests")?.id;
        let is_own = |open: &Pending| {
            open.number == number && open.by == holder && open.subject != Consequence::Confirm
        };
        match self.pending.iter().position(is_own) {
            Some(index) => self.settle_question(index, &Settlement::Gone(Lapse::Withdrawn)),
            None => self.tell_settled(who, number, &Settlement::Gone(Lapse::Expired)),
        }
        Ok(())
    }

    /// Removes a question and tells all players how it ended.
    pub(super) fn settle_question(&mut self, index: usize, settlement: &Settlement) {
        let open = self.pending.remove(index);
        self.has_changed |= self.has_days();
        let number = open.number;
        match &open.subject {
            Consequence::Seat(claim) => self.end_claim(claim, settlement),
            Consequence::Request(_) if self.has_days() => {
                let settlement = settlement.clone();
                self.keep_settled(&open.word(), &ServerMessage::Settled { number, settlement });
            }
            Consequence::Request(_) | Consequence::Confirm => {}
        }
        let players: Vec<PersonId> =
            self.holders.iter().filter_map(|holder| holder.person).collect();
        for person in players {
            self.tell_settled(person, number, settlement);
        }
    }

    fn tell_settled(&mut self, who: PersonId, number: u64, settlement: &Settlement) {
        let settlement = settlement.clone();
        self.send(who, &ServerMessage::Settled { number, settlement });
    }

    /// Sends a player all questions that the player has asked or has to answer.
    pub(super) fn tell_questions(&mut self, holder: PersonId) {
        for index in 0..self.pending.len() {
            self.tell_question(index, holder);
        }
    }

    /// Sends a connection its questions after a new head of the match, which clears them at the terminal.
    pub(super) fn send_questions_to(&mut self, who: PersonId) {
        if let Some(id) = self.holder_of(who).map(|holder| holder.id) {
            self.tell_questions(id);
        }
    }

    /// Sends a question to its asker or to a player who has to answer.
    fn tell_question(&mut self, index: usize, holder: PersonId) {
        let open = &self.pending[index];
        let is_own = open.by == holder && open.subject != Consequence::Confirm;
        let is_meant = is_own || open.waiting.contains(&holder);
        let word = open.word();
        let known = self.holders.iter().find(|known| is_meant && known.id == holder);
        if let Some(person) = known.and_then(|known| known.person) {
            self.send(person, &word);
        }
    }

    /// Returns why questions about the previous position have lapsed.
    pub(super) fn why_position_changed(&self) -> Lapse {
        let last = self.table.session().log().last();
        match last.map(|last| (last.by, &last.step)) {
            Some((Actor::Seat(seat), step @ (Step::Play(_) | Step::Resign))) => {
                let by = self.table.players().name(seat).to_owned();
                if step.is_play() { Lapse::Moved { by: Some(by) } } else { Lapse::Resigned { by } }
            }
            Some((_, Step::GoTo(_))) => Lapse::TakenBack,
            _ => Lapse::Ended,
        }
    }

    /// Returns whether the subject of this question still stands: for a draw, the offer.
    pub(super) fn stands(&self, open: &Pending) -> bool {
        match open.kind {
            QuestionKind::Seat(_) | QuestionKind::Sits(_) => true,
            QuestionKind::Draw => self.table.session().offer().is_some(),
            _ => open.position == self.present_position(),
        }
    }

    fn present_position(&self) -> (usize, bool) {
        let game = self.table.current_match();
        (game.node(), game.termination().is_some())
    }

    /// Settles the questions whose subject no longer stands.
    pub(super) fn lapse_questions(&mut self, lapse: &Lapse) {
        while let Some(index) = self.pending.iter().position(|open| !self.stands(open)) {
            self.settle_question(index, &Settlement::Gone(lapse.clone()));
        }
    }

    /// Settles questions that were open for too long.
    pub(super) fn expire_questions(&mut self, now: Duration) {
        while let Some(index) =
            self.pending.iter().position(|open| open.ends.is_some_and(|end| end <= now))
        {
            self.settle_question(index, &Settlement::Gone(Lapse::Expired));
        }
    }

    pub(super) fn questions_expire(&self) -> Option<Duration> {
        self.pending.iter().filter_map(|open| open.ends).min()
    }

    /// Settles the questions that a player who has left for good has asked, or has not answered.
    pub(super) fn leave_questions(&mut self, holder: &SeatHolder) {
        while let Some(index) = self.pending.iter().position(|open| open.by == holder.id) {
            self.settle_question(index, &Settlement::Gone(Lapse::Withdrawn));
        }
        let waits = |open: &Pending| open.waiting.contains(&holder.id);
        while let Some(index) = self.pending.iter().position(waits) {
            self.settle_question(index, &Settlement::Gone(Lapse::Left { by: holder.name.clone() }));
        }
    }

    /// Performs a request that everyone has agreed to.
    fn grant(&mut self, request: Request, at: Duration) -> Result<(), String> {
        match request {
            Request::TakeBack(node) => {
                let gone = self.table.apply(Actor::Table, &Step::GoTo(node), at);
                gone.map_err(|why| why.to_string())?;
            }
            // The last acceptance has already ended the match.
            Request::Draw => {}
            Request::Rematch { swap } => {
                let next = self.table.rematch(swap).map_err(|why| why.to_string())?;
                self.play_again(next, swap);
            }
        }
        Ok(())
    }

    fn play_again(&mut self, next: Table, swap: bool) {
        self.finished.push_back(std::mem::replace(&mut self.table, next));
        if swap {
            self.rotate_seats();
        }
        self.note_saved();
        self.lapse_questions(&Lapse::Rematch);
        (self.asked_at, self.has_changed) = (None, true);
        self.forget_engine_turn();
        self.logged = self.table.session().log().len();
        self.clock_was_running = self.time_runs();
        let seated: Vec<(PersonId, ServerMessage)> =
            self.holders.iter().filter_map(SeatHolder::welcome).collect();
        for (person, word) in seated {
            self.send(person, &word);
        }
        for follower in 0..self.people.len() {
            let id = self.people[follower].id;
            if self.people[follower].steps_sent().is_none() {
                continue;
            }
            self.tell_head(id, 0);
            if self.table.session().clocks().is_some() {
                self.send(
                    id,
                    &ServerMessage::Clock { at: Duration::ZERO, runs: self.clock_was_running },
                );
            }
            self.people[follower].begin_log(0);
            self.send_questions_to(id);
        }
    }
}

impl Pending {
    fn is_request(&self) -> bool {
        matches!(self.subject, Consequence::Request(_))
    }
}

/// Counts the turns of these seats among the last `moves` moves.
fn turns_in(game: &Match, moves: usize, seats: SeatSet) -> usize {
    let last = &game.moves()[game.moves().len().saturating_sub(moves)..];
    let is_own = |at: usize| seats.contains(last[at].0);
    (0..last.len()).filter(|&at| is_own(at) && (at == 0 || !is_own(at - 1))).count()
}

impl SeatHolder {
    /// Returns the holder's connection and its welcome message if the connection is up.
    fn welcome(&self) -> Option<(PersonId, ServerMessage)> {
        let token = self.token.clone();
        Some((self.person?, ServerMessage::Welcome { seats: self.seats, token }))
    }
}
