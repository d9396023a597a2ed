//! Draw offers and resignation.

use super::{ASKED_THE_OTHERS, Talk};
use crate::plain::commands::PlainCommand;
use crate::play::Proposal;
use crate::rules::Seat;
use crate::session::{Actor, Step, who_won};
use crate::wording::sentence;
use crate::words::turn;
use std::time::Duration;

impl Talk {
    pub(super) fn offer_draw(&mut self, at: Duration) {
        match self.table.offer_draw(at) {
            Ok(_) if self.table.peers().is_some() => self.say(ASKED_THE_OTHERS),
            Ok(asked) => self.ask_about_draw(asked),
            Err(refusal) => self.say(sentence(&format!("{refusal:#}"))),
        }
    }

    pub(super) fn agree(&mut self, at: Duration) {
        if self.table.peers().is_some() {
            return self.answer_others("", true);
        }
        let Some(seat) = self.table.asked_about_draw() else {
            return self.say("Nobody has offered a draw.");
        };
        match self.table.agree(seat, &Step::AcceptDraw, at) {
            Ok(asked) => {
                let line = format!("{} agrees.", self.players().name(seat));
                self.say(line);
                self.ask_about_draw(asked);
            }
            Err(refusal) => self.say(sentence(&format!("{refusal:#}"))),
        }
    }

    fn ask_about_draw(&mut self, asked: Option<Seat>) {
        self.has_changed = true;
        let line = match asked {
            Some(seat) => self.draw_question(seat),
            None => format!("{}.", who_won(self.table.current_match(), self.table.players())),
        };
        self.say(line);
    }

    /// The question to a seat whether it agrees to a draw.
    pub(super) fn draw_question(&self, seat: Seat) -> String {
        let offer = self.table.session().offer();
        let players = self.players();
        let by = offer.map_or("", |offer| players.name(offer.by()));
        let agree = PlainCommand::Agree.name();
        format!("{by} offers a draw. {}: type {agree}; any move refuses.", players.name(seat))
    }

    /// Resigns for the player with this name or seat number. With `who` empty that is the person to move,
    /// or the only person at the table.
    pub(super) fn resign(&mut self, who: &str, at: Duration) {
        let players = self.players();
        if self.table.current_match().to_move().is_none() {
            return self.say(turn(self.table.current_match(), &players));
        }
        let people: Vec<Seat> = self.table.local().iter().collect();
        let turn = self.table.current_match().to_move();
        let seat = if who.is_empty() {
            turn.filter(|seat| people.contains(seat)).or(match *people {
                [only] => Some(only),
                _ => None,
            })
        } else {
            let is_meant = |seat: &Seat| {
                players.name(*seat).to_lowercase() == who.to_lowercase() || seat.to_string() == who
            };
            people.iter().copied().find(is_meant)
        };
        let Some(seat) = seat else {
            let names: Vec<&str> = people.iter().map(|seat| players.name(*seat)).collect();
            return self.say(match names.as_slice() {
                [] => "Only engines play, and they do not resign.".to_owned(),
                names => format!("Who resigns? Type resign and a name: {}.", names.join(", ")),
            });
        };
        match self.table.propose(Actor::Seat(seat), &Step::Resign, at) {
            Ok(Proposal::Asked | Proposal::Withdrawn) => {}
            Ok(Proposal::Taken) => {
                let won = who_won(self.table.current_match(), &players);
                self.say(format!("{} resigns. {won}.", players.name(seat)));
                self.note_change();
            }
            Err(refusal) => self.say(sentence(&format!("{refusal:#}"))),
        }
    }
}
