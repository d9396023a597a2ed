//! A slot of the tournament screen, which shows a sequence of games in one place.

use super::TournamentUpdate;
use crate::board::Viewer;
use crate::view::{RunningGame, TournamentGame};
use quadrille_arena::tournament::{GameLine, Stage, UnderWay};
use quadrille_match::session::{self, ClockFace, Match};
use quadrille_scene::Scene;
use quadrille_table::catalogue::GameEntry;
use quadrille_text::wording::short_setup;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How long a slot keeps its finished game if no new game needs the slot.
const RESULT_TIMEOUT: Duration = Duration::from_secs(2);

/// A game and its board. A finished game stays until a new game takes its slot.
pub(super) struct GameSlot {
    pub game: UnderWay,
    pub ended: Option<Arc<GameLine>>,
    /// The time of the update in which the game ended.
    since: Duration,
    viewer: Option<Viewer>,
    board: Option<Rc<Scene>>,
}

impl GameSlot {
    fn of(entry: &GameEntry, game: &UnderWay) -> GameSlot {
        let setup = game.setup.parse().ok();
        let viewer = setup.and_then(|setup| Viewer::open(entry, &setup).ok());
        let at_start = UnderWay { moves: Vec::new(), ..game.clone() };
        let mut slot =
            GameSlot { game: at_start, ended: None, since: Duration::ZERO, viewer, board: None };
        slot.advance(game);
        slot
    }

    fn advance(&mut self, game: &UnderWay) {
        let played = self.game.moves.len();
        self.game.clone_from(game);
        if let (Some(viewer), Some(new)) = (&mut self.viewer, self.game.moves.get(played..)) {
            let mut viewer = viewer.change();
            for mv in new {
                // An illegal move is not shown; nothing else depends on this.
                let _ = viewer.play(mv);
            }
        }
        self.board = self.viewer.as_ref().map(|viewer| Rc::new(viewer.board.still()));
    }

    pub fn view(&self) -> RunningGame {
        let shown = self.viewer.as_ref().map(Viewer::current_match);
        RunningGame {
            game: TournamentGame {
                number: self.game.game,
                players: self.game.players.clone(),
                has_won: Vec::new(),
                setup: short_setup(&self.game.setup),
                state: match &self.ended {
                    Some(line) => TournamentGame::result(line),
                    None => format!("move {}", self.game.moves.len()),
                },
            },
            score: shown.and_then(session::score),
            clocks: self.game.left.iter().map(|left| ClockFace::Seconds.shown(*left)).collect(),
            board: self.board.clone(),
            to_move: shown.and_then(Match::to_move).filter(|_| self.ended.is_none()),
        }
    }
}

/// Updates the slots. A new game takes the first slot that holds a finished game.
pub(super) fn update(slots: &mut Vec<GameSlot>, update: &TournamentUpdate) {
    if update.status.stage != Stage::Running {
        slots.clear();
        return;
    }
    for slot in slots.iter_mut() {
        let number = slot.game.game;
        if let Some(game) = update.under_way.iter().find(|game| game.game == number) {
            if slot.game != *game {
                slot.advance(game);
            }
        } else if let Some(line) = update.ended.iter().find(|line| line.game == number) {
            (slot.ended, slot.since) = (Some(line.clone()), update.time);
        }
    }
    for game in &update.under_way {
        if slots.iter().any(|slot| slot.game.game == game.game) {
            continue;
        }
        let new = GameSlot::of(update.status.entry, game);
        match slots.iter_mut().find(|slot| slot.ended.is_some()) {
            Some(slot) => *slot = new,
            None => slots.push(new),
        }
    }
    let is_left =
        |slot: &GameSlot| slot.ended.is_some() && update.time > slot.since + RESULT_TIMEOUT;
    while slots.last().is_some_and(is_left) {
        slots.pop();
    }
}
