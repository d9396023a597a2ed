//! A match at a table that other terminals share: what comes from there, in sentences.

use super::{AfterLine, Talk};
use crate::plain::commands::PlainCommand;
use crate::play::{
    ClientRequest, LineState, OpenQuestion, Peers, QuestionKind, Request, TableNews,
};
use crate::session::{Actor, LoggedStep, Step};
use crate::wording::sentence;
use crate::words::turn;
use std::time::Duration;

/// The words that can be typed at a shared table alone, and what they do.
const WORDS: [&str; 2] = [
    "say: say the rest of the line to the others.",
    "no: refuse what another player asks, or withdraw what you ask.",
];

impl Talk {
    /// Answers a line that means something at a shared table alone; `false` for any other.
    pub(super) fn hear_at_table(&mut self, first: &str, rest: &str) -> bool {
        let Some(company) = self.table.peers_mut() else { return false };
        match (first, rest) {
            ("say", "") => self.say("Type say and what you want to say to the others."),
            ("say", text) => company.request(ClientRequest::Say(text.to_owned())),
            ("no", which) => self.answer_others(which, false),
            ("agree", which) => self.answer_others(which, true),
            ("", "") if company.needs_login && !company.is_up() => self.next = AfterLine::LogIn,
            ("", "") if !company.is_up() => {
                company.request(ClientRequest::TryNow);
                self.say("The line is tried again.");
            }
            _ => return false,
        }
        true
    }

    /// The help for those words.
    pub(super) fn help_at_table(&mut self) {
        if self.table.peers().is_some() {
            self.said.extend(WORDS.map(str::to_owned));
        }
    }

    /// Answers the question with the number that was typed. Without one it is the only question that is open; a no where
    /// nobody asks withdraws the question that is asked here.
    pub(super) fn answer_others(&mut self, which: &str, yes: bool) {
        let Some(company) = self.table.peers() else { return };
        let open: Vec<OpenQuestion> = company.to_answer().cloned().collect();
        let word = if yes { PlainCommand::Agree.name() } else { "no" };
        let has_lapsed = self.has_lapsed;
        let meant = match (&*open, which) {
            ([], "") if !yes && !has_lapsed && company.own_question().is_some() => {
                self.table.peers_mut().map(Peers::withdraw);
                return;
            }
            ([], _) => return self.say("Nobody asks for anything."),
            ([only], "") if !has_lapsed => Some(only),
            (_, "") => None,
            _ => open.iter().find(|question| question.number.to_string() == which),
        };
        if let Some(number) = meant.map(|question| question.number) {
            if let Some(company) = self.table.peers_mut() {
                company.request(ClientRequest::Answer { number, yes });
            }
            return;
        }
        self.say(format!("Type {word} and the number of a question:"));
        for question in open {
            let words = self.table.describe_question(&question);
            self.say(format!("{}: {words}.", question.number));
        }
    }

    /// Plays again, if all others agree.
    pub(super) fn ask_for_rematch(&mut self) {
        if let Some(company) = self.table.peers_mut() {
            company.request(ClientRequest::Ask(Request::Rematch { swap: false }));
            self.say(super::ASKED_THE_OTHERS);
        }
    }

    /// States a question that has just been asked, and how to answer it.
    fn tell_question(&mut self, number: u64) {
        let Some(company) = self.table.peers() else { return };
        let Some(question) = company.to_answer().find(|open| open.number == number) else { return };
        let agree = PlainCommand::Agree.name();
        let which = if self.has_lapsed || company.to_answer().count() > 1 {
            format!("{agree} {number} or no {number}")
        } else {
            format!("{agree} or no")
        };
        let words = self.table.describe_question(question);
        self.say(format!("{words}. Type {which}."));
    }

    /// The time of play, where the table has just told it.
    pub fn take_clock(&mut self) -> Option<Duration> {
        self.clock.take()
    }

    /// Tells what is new at the table.
    pub fn hear_table(&mut self, news: Vec<TableNews>) {
        let steps = news.iter().filter(|news| is_step(news)).count();
        let log = self.table.session().log();
        let new: Vec<LoggedStep> = log[log.len().saturating_sub(steps)..].to_vec();
        let mut is_told = false;
        for news in news {
            match (is_step(&news), &*new) {
                (false, _) => self.tell(news),
                (true, _) if std::mem::replace(&mut is_told, true) => {}
                (true, [step]) => self.tell_step(step),
                // What was played before this terminal came is not told move by move.
                (true, _) => self.catch_up(),
            }
        }
    }

    fn catch_up(&mut self) {
        self.note_change();
        self.clock = Some(self.table.session().time());
        let lines = self.in_words().last_and_turn(self.table.players());
        self.say(lines);
    }

    fn tell_step(&mut self, logged: &LoggedStep) {
        self.clock = Some(logged.at);
        let players = self.players();
        match logged.step {
            Step::Play(_) => self.changed(),
            Step::OfferDraw => {
                self.note_change();
                let is_asked = |open: &OpenQuestion| open.kind == QuestionKind::Draw;
                let company = self.table.peers();
                if !company.is_some_and(|company| company.questions.iter().any(is_asked)) {
                    let by = self.table.draw_offered_by();
                    self.say(format!("{by} offers a draw."));
                }
            }
            _ => {
                self.note_change();
                let game = self.table.current_match();
                let line = match (&logged.step, game.to_move()) {
                    (Step::GoTo(_), _) => {
                        format!("The match goes back. {}", self.in_words().standing(&players))
                    }
                    (_, None) => turn(game, &players),
                    _ => match logged.by {
                        Actor::Seat(seat) => format!("{} agrees.", players.name(seat)),
                        Actor::Table | Actor::Arbiter => return,
                    },
                };
                self.say(line);
            }
        }
    }

    fn tell(&mut self, news: TableNews) {
        match news {
            TableNews::Stepped | TableNews::Draw | TableNews::Other => {}
            TableNews::Anew => {
                self.note_change();
                self.clock = Some(self.table.session().time());
                self.begin();
            }
            TableNews::Joined(name) => self.say(format!("{name} joined.")),
            TableNews::People { words, is_missed } => {
                let waits = if is_missed { " The table waits." } else { "" };
                self.say(format!("{words}.{waits}"));
            }
            TableNews::Settled(words) => {
                self.has_lapsed = true;
                self.say(sentence(&words));
            }
            TableNews::Said(name, text) => self.say(format!("{name} says: {text}")),
            TableNews::Refused(why) => self.say(sentence(&why)),
            TableNews::Asked(number) => self.tell_question(number),
            TableNews::Clock(at) => self.clock = Some(at),
            TableNews::Line => {
                let needs_login = self.table.peers().is_some_and(|company| company.needs_login);
                let line = match self.table.peers().map(|company| &company.line) {
                    Some(LineState::Up) if self.is_line_down => "The line is up again.".to_owned(),
                    Some(LineState::Down(_)) if needs_login => {
                        "Disconnected, and ssh asks you to log in again. Press Enter to do that."
                            .to_owned()
                    }
                    Some(LineState::Down(why)) => {
                        format!("The line is down, and is tried again: {why}. Enter tries now.")
                    }
                    Some(LineState::Closed(why)) => format!("The table is closed: {why}."),
                    _ => return,
                };
                self.is_line_down = self.table.peers().is_some_and(|company| !company.is_up());
                self.say(line);
            }
        }
    }

    /// Whether the table is closed, and there is nothing to wait for.
    pub fn is_closed(&self) -> bool {
        self.table.peers().is_some_and(Peers::is_closed)
    }
}

fn is_step(news: &TableNews) -> bool {
    matches!(news, TableNews::Stepped | TableNews::Draw)
}
