//! What the people at the table ask one another over a match: the pause, the result, a draw, whether
//! somebody resigns, and whether to begin again.

use super::MatchScreen;
use crate::app::menu::Menu;
use crate::app::screen::{Act, Answer};
use crate::app::tasks::DiskTask;
use crate::app::text;
use crate::board::Skin;
use crate::rules::Seat;
use crate::session::{Actor, Offer, Step};

impl MatchScreen {
    /// How the match ended, and what can come next.
    pub(super) fn result(&self) -> Act {
        let shown = self.open_match.shown();
        let scores = shown.game().scores();
        let lines = shown.seats().map(|seat| {
            let mark = shown.game().mark(seat);
            let score = scores.as_ref().and_then(|scores| scores.get(seat.index()));
            let score = score.map_or(String::new(), u32::to_string);
            let name = text::fit(shown.name(seat), 16, Skin::default());
            let pad = 16 - text::width(&name);
            format!("{mark} {name}{:pad$} {score:>4}", "")
        });
        let swap = if shown.game().seats() == 2 {
            "Rematch, seats swapped"
        } else {
            "Rematch, one seat on"
        };
        let about = if self.can_undo() {
            "The match is over. Undo from the board takes the end back."
        } else {
            "The match is over."
        };
        let entries = [
            (true, "Rematch", Answer::Rematch),
            (true, swap, Answer::SwapSeats),
            (shown.game().ply() > 0, "Review the match", Answer::Review),
            (true, "New game", Answer::NewGame),
            (true, "Look at the board", Answer::Close),
            (true, "Home", Answer::Leave),
        ];
        Act::push(
            Menu::new(shown.result(), possible(&entries))
                .with_lines(lines.collect())
                .without_title_beside()
                .with_about(about),
        )
    }

    /// The pause, with what can be done just now.
    pub(super) fn pause(&self) -> Act {
        let game = self.open_match.game();
        let can_undo = self.can_undo();
        let has_moves = can_undo || game.undone() > 0;
        let leave = if has_moves { "Leave, keep the match" } else { "Leave" };
        let has_people = self.open_match.players().people().next().is_some();
        let entries = [
            (true, "Go on", Answer::Close),
            (can_undo, "Undo", Answer::Undo),
            (true, "Rules", Answer::Rules(None)),
            (true, "Settings", Answer::Settings),
            (!self.engines_refuse_a_draw(), "Offer a draw", Answer::OfferDraw),
            (has_people, "Resign", Answer::AskWhoResigns),
            (has_moves, "Begin again", Answer::AskToRestart),
            (true, "New game", Answer::NewGame),
            (true, leave, Answer::Leave),
        ];
        Act::push(Menu::new("Pause", possible(&entries)).with_about("The match waits."))
    }

    /// Whether an engine at the table would not agree on a draw yet. It does once the position has
    /// stood on the board before.
    fn engines_refuse_a_draw(&self) -> bool {
        let players = self.open_match.players();
        let has_engine = players.iter().any(|(_, player)| player.engine().is_some());
        has_engine && self.open_match.game().repeats() == 0
    }

    /// Offers a draw for whoever is to move, or for the next of the people where an engine is.
    pub(super) fn offer_draw(&mut self) -> Vec<Act> {
        let Some(turn) = self.open_match.game().to_move() else { return Vec::new() };
        let players = self.open_match.players();
        let next = players.people().find(|&seat| seat >= turn);
        let seat = next.or_else(|| players.people().next()).unwrap_or(turn);
        self.agree(seat, &Step::OfferDraw)
    }

    pub(super) fn accept_draw(&mut self, seat: Seat) -> Vec<Act> {
        self.agree(seat, &Step::AcceptDraw)
    }

    /// A seat offers a draw or agrees on one. Then the next of the people is asked; the engines agree
    /// when all people have.
    fn agree(&mut self, seat: Seat, step: &Step) -> Vec<Act> {
        if let Err(refusal) = self.apply(Actor::Seat(seat), step) {
            self.refusal = Some(format!("{refusal:#}"));
            return Vec::new();
        }
        let has_agreed = |seat: Seat| {
            self.open_match.table.session().offer().is_none_or(|offer| offer.has(seat))
        };
        let players = self.open_match.players();
        if let Some(asked) = players.people().find(|&seat| !has_agreed(seat)) {
            let offered = format!("{} offers a draw.", self.draw_offered_by());
            let entries =
                [(true, "Play on", Answer::Close), (true, "Agree", Answer::AcceptDraw(asked))];
            let title = format!("{}, a draw?", players.name(asked));
            let menu = Menu::new(title, possible(&entries)).with_lines(vec![offered]);
            let menu = menu.with_about("The match is drawn when all agree.");
            return vec![Act::run(DiskTask::Save), Act::push(menu)];
        }
        let engines: Vec<Seat> =
            players.iter().map(|(seat, _)| seat).filter(|&seat| !has_agreed(seat)).collect();
        for seat in engines {
            let agreed = self.apply(Actor::Seat(seat), &Step::AcceptDraw);
            debug_assert_eq!(agreed, Ok(()));
        }
        self.changed()
    }

    /// The name of whoever has offered the draw that is asked about.
    fn draw_offered_by(&self) -> &str {
        let session = self.open_match.table.session();
        let by = session.offer().map(Offer::by);
        by.map_or("", |seat| self.open_match.players().name(seat))
    }

    /// Asks whether somebody resigns; where there are several people, who.
    pub(super) fn ask_who_resigns(&self) -> Act {
        let players = self.open_match.players();
        let people: Vec<Seat> = players.people().collect();
        let resigns = |seat: &Seat| {
            let label = match people.len() {
                1 => "Resign".to_owned(),
                _ => format!("{} resigns", players.name(*seat)),
            };
            (label, Answer::Resign(*seat))
        };
        let mut entries = vec![("Play on".to_owned(), Answer::Close)];
        entries.extend(people.iter().map(resigns));
        let title = if people.len() == 1 { "Resign this match?" } else { "Who resigns?" };
        let wins = match self.open_match.game().seats() {
            2 => "The other one wins.",
            _ => "It ends the match: the best of the others win.",
        };
        let menu = Menu::new(title, entries).with_lines(text::wrap(wins, 26, 3, Skin::default()));
        Act::push(menu.with_about("Whoever resigns loses the match at once."))
    }

    pub(super) fn resign(&mut self, seat: Seat) -> Vec<Act> {
        match self.apply(Actor::Seat(seat), &Step::Resign) {
            Ok(()) => self.changed(),
            Err(refusal) => {
                self.refusal = Some(format!("{refusal:#}"));
                Vec::new()
            }
        }
    }

    /// Asks whether to begin the match again.
    pub(super) fn ask_to_restart() -> Act {
        let entries = [(true, "Play on", Answer::Close), (true, "Begin again", Answer::Rematch)];
        let kept = "This match is kept. The home screen has it.".to_owned();
        let lines = text::wrap(&kept, 26, 3, Skin::default());
        let menu = Menu::new("Begin again?", possible(&entries)).with_lines(lines);
        Act::push(menu.with_about("The same people play the same game from its start."))
    }

    /// The same game from the start with the same people, all one seat further round if `swap`.
    pub(super) fn rematch(&mut self, swap: bool) -> Vec<Act> {
        match self.open_match.rematch(swap) {
            Ok(open_match) => {
                let mut screen = MatchScreen::new(open_match);
                let series = self.series_so_far();
                screen.series = if swap { series.moved_round() } else { series };
                if self.open_match.saved.record.is_some() {
                    screen.note = Some("the record holds the first match only".to_owned());
                }
                vec![Act::replace(screen)]
            }
            Err(error) => {
                self.refusal = Some(error.to_string());
                Vec::new()
            }
        }
    }
}

/// The entries of a menu that can be chosen just now.
fn possible(entries: &[(bool, &str, Answer)]) -> Vec<(String, Answer)> {
    let possible = entries.iter().filter(|(can_be_done, ..)| *can_be_done);
    possible.map(|(_, label, answer)| ((*label).to_owned(), *answer)).collect()
}
