//! A tournament whose events a test controls.

use super::chance::Chance;
use super::player::Player;
use super::samples;
use quadrille::app::OpenRecord;
use quadrille::board::Skin;
use quadrille::board::Viewer;
use quadrille_arena::tournament::{
    Ending, Fixture, GameLine, LiveTournament, Points, Results, UnderWay,
};
use quadrille_match::session::Match;
use quadrille_rules::Outcome;
use quadrille_table::catalogue::GameEntry;
use std::collections::HashMap;
use std::time::Duration;

pub struct TestTournament {
    pub live: LiveTournament,
    entry: &'static GameEntry,
    /// The sets of games alternate between them. Each is a separate kind of game.
    setups: Vec<String>,
    names: Vec<String>,
    chance: Chance,
    games: HashMap<u64, Match>,
}

impl TestTournament {
    pub fn of(entry: &'static GameEntry, setup: &str, games: u64) -> TestTournament {
        TestTournament::on(entry, &[setup], games)
    }

    pub fn on(entry: &'static GameEntry, setups: &[&str], games: u64) -> TestTournament {
        let setups: Vec<String> = setups.iter().map(ToString::to_string).collect();
        let names = ["Strong", "Casual", "my bot", "Beginner"].map(str::to_owned).to_vec();
        let live = LiveTournament::new(entry, Results::new(names.clone(), &setups), games);
        let (chance, games) = (Chance(7), HashMap::new());
        TestTournament { live, entry, setups, names, chance, games }
    }

    pub fn app(&self, skin: Skin) -> Player {
        let player = Player::with(skin);
        Player { app: player.app.with_tournament(self.live.clone()), ..player }
    }

    /// Returns the players of a game as indices into `names`, in seat order. Every `seats` consecutive games are a set,
    /// in which each player sits at each seat once.
    fn players(&self, game: u64, seats: usize) -> Vec<usize> {
        let (set, turn) = ((game - 1) as usize / seats, (game - 1) as usize % seats);
        (0..seats).map(|seat| (set + (seat + turn) % seats) % self.names.len()).collect()
    }

    fn names_of(&self, players: &[usize]) -> Vec<String> {
        players.iter().map(|player| self.names[*player].clone()).collect()
    }

    /// Returns the index of the setup of a two-player game. With more seats there is only one setup.
    fn setup_of(&self, game: u64) -> usize {
        ((game - 1) / 2) as usize % self.setups.len()
    }

    pub fn begin(&mut self, game: u64) {
        let setup = self.setups[self.setup_of(game)].clone();
        let match_ = (self.entry.start)(&setup.parse().unwrap()).unwrap();
        let seats = usize::from(match_.seats());
        let players = self.names_of(&self.players(game, seats));
        self.games.insert(game, match_);
        self.live.begins(UnderWay {
            game,
            setup,
            players,
            opening: 0,
            moves: Vec::new(),
            left: vec![Duration::from_secs(60); seats],
            clock: Some("60+1".parse().unwrap()),
        });
    }

    /// Plays some moves in a game, or fewer if it ends before.
    pub fn play(&mut self, game: u64, plies: usize) {
        let match_ = self.games.get_mut(&game).unwrap();
        for _ in 0..plies {
            let Some(mv) = self.chance.pick(&match_.legal_moves()).cloned() else { return };
            match_.play(&mv).unwrap();
            let left =
                Duration::from_secs(60).saturating_sub(Duration::from_secs(match_.ply() as u64));
            self.live.moved(game, &mv, vec![left; match_.seats().into()]);
        }
    }

    pub fn end(&mut self, game: u64, termination: Ending) {
        let match_ = &self.games[&game];
        let (seats, plies, scores) = (match_.seats(), match_.ply(), match_.scores());
        let outcome = match_.outcome().unwrap_or(Outcome::draw(seats));
        let has = |seat: u8| outcome.is_winner(quadrille_rules::Seat::new(seat));
        let halves = |seat: u8| {
            let others = (0..seats).filter(|other| *other != seat);
            others.map(|other| 1 + u64::from(has(seat)) - u64::from(has(other))).sum()
        };
        let points = (0..seats).map(|seat| Points { halves: halves(seat) }).collect();
        let scores = scores.map(|scores| scores.to_vec());
        self.report_end(game, points, scores, (termination, None), plies);
    }

    pub fn finish(&mut self, game: u64) {
        self.play(game, 200);
        let is_over = self.games[&game].outcome().is_some();
        self.end(game, if is_over { Ending::Rules } else { Ending::Limit });
    }

    /// Reports the end, with these half points, of a game that was not started here.
    pub fn end_unseen(&mut self, game: u64, halves: [u64; 2]) {
        self.report_end(
            game,
            halves.map(|halves| Points { halves }).to_vec(),
            None,
            (Ending::Rules, None),
            9,
        );
    }

    /// Reports that the player at this seat, from 0, lost a two-player game that was not started here.
    pub fn lose_unseen(&mut self, game: u64, ending: Ending, seat: u8) {
        let points = [0, 1].map(|index| Points { halves: if index == seat { 0 } else { 2 } });
        self.report_end(game, points.to_vec(), None, (ending, Some(seat)), 9);
    }

    fn report_end(
        &self,
        game: u64,
        points: Vec<Points>,
        scores: Option<Vec<u32>>,
        (termination, by): (Ending, Option<u8>),
        plies: usize,
    ) {
        let players = self.players(game, points.len());
        let line = GameLine {
            detail: None,
            game,
            setup: self.setups[self.setup_of(game)].clone(),
            opening: Vec::new(),
            players: self.names_of(&players),
            points,
            scores,
            termination,
            by,
            plies,
            levels: None,
            record: format!("games/{game:04}.game"),
        };
        let set = (game - 1) / players.len() as u64;
        let setup = self.setup_of(game);
        let fixture = Fixture { game, set, round: 0, setup, kind: setup, players };
        self.live.ended(line, &fixture, true);
    }

    pub fn record(&self, game: u64) -> OpenRecord {
        let match_ = &self.games[&game];
        let viewer = Viewer::new(match_.copy_line());
        let names = self.names_of(&self.players(game, match_.seats().into()));
        OpenRecord::new(self.entry, viewer, &names)
    }

    /// Creates a tournament with some finished games and this many running ones.
    pub fn with_games_under_way(
        entry: &'static GameEntry,
        setup: &str,
        playing: u64,
    ) -> TestTournament {
        let mut tournament = TestTournament::of(entry, setup, 40);
        for game in 1..=5 {
            tournament.begin(game);
            tournament.finish(game);
        }
        for game in 6..6 + playing {
            tournament.begin(game);
            tournament.play(game, game as usize - 3);
        }
        tournament
    }

    /// Creates such a tournament on a small setup of a game.
    pub fn small(entry: &'static GameEntry, playing: u64) -> TestTournament {
        let all = samples::samples();
        let (_, sample) = all.into_iter().find(|(other, _)| other.id == entry.id).unwrap();
        TestTournament::with_games_under_way(entry, sample.small, playing)
    }
}
