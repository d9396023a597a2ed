//! A match on the screen: a match in progress, or a copy for viewing.

use super::Context;
use super::board_input::BoardInput;
use super::destination::Destination;
use super::statistics::seat_of;
use super::tasks::{DiskTask, Task};
use crate::board::{AnyBoard, Viewer, WithBoard};
use crate::picture::Subject;
use crate::view::{BoardView, PanelBody, ResultView, SeatTurn, SeatView, StatusLine};
use quadrille_arena::tournament::UnderWay;
use quadrille_match::session::{
    self, ClockFace, Conditions, Match, MoveComment, Player, PlayerNames, Players, Session,
    TimeControl,
};
use quadrille_puzzles::OwnMistakes;
use quadrille_rules::{Outcome, Seat, Setup, SetupError};
use quadrille_scene::{SEATS, Theme};
use quadrille_table::catalogue::GameEntry;
use quadrille_table::old_records::Filed;
use quadrille_table::play::Table;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

pub type OpenMatch = WithBoard<Table>;

impl OpenMatch {
    pub fn opened(
        entry: &'static GameEntry,
        setup: &Setup,
        conditions: Conditions,
    ) -> Result<OpenMatch, SetupError> {
        Ok(OpenMatch::new(Table::new(entry, setup, conditions)?))
    }

    /// Resumes a match, with the cursor near its last move.
    pub fn resumed(table: Table) -> OpenMatch {
        let mut open_match = OpenMatch::new(table);
        open_match.board.go_near_last_move();
        open_match
    }

    /// Copies the moves played so far for viewing.
    pub fn viewing_copy(&self) -> OpenRecord {
        let mut copy = self.current_match().copy_line();
        if let Some(how) = self.current_match().termination() {
            copy.end(how.clone());
        }
        let (given_setup, players) = (self.given_setup().clone(), self.players().without_unknown());
        OpenRecord {
            entry: self.entry,
            viewer: Viewer::new(copy),
            given_setup,
            players,
            programs: Vec::new(),
            clock: self.session().conditions().clock,
            end: None,
            comments: HashMap::new(),
            filed: self.saved.becomes.clone(),
        }
    }

    /// Returns whether two people play each other at this keyboard.
    pub(super) fn shares_keyboard(&self) -> bool {
        self.peers().is_none()
            && self.current_match().seats() == 2
            && self.local().iter().count() == 2
    }

    /// Returns whether the match goes on and can be resumed from this terminal.
    pub(super) fn is_left_unfinished(&self) -> bool {
        let is_over = self.current_match().outcome().is_some();
        !is_over && self.is_worth_keeping()
    }

    pub(super) fn match_view_at(&self, at: Duration) -> MatchView<'_> {
        let face = self.session().clocks().map(|clocks| clocks.control().face());
        match face.zip(self.session().time_left(at)) {
            Some((face, left)) => self.match_view().with_times(face, &left),
            None => self.match_view(),
        }
    }

    /// Returns the view without clocks.
    pub(super) fn match_view(&self) -> MatchView<'_> {
        let shown = MatchView::new(self.entry, self, self.players());
        shown.set_up_as(self.given_setup()).addressing(self.names().you())
    }
}

/// A copy of a match for viewing. It is never saved.
#[derive(Clone, Debug)]
pub struct OpenRecord {
    pub entry: &'static GameEntry,
    pub viewer: Viewer,
    given_setup: Setup,
    players: Players,
    /// The names of the programs in the record. In a new match, people take the seats of these programs.
    programs: Vec<String>,
    clock: Option<TimeControl>,
    /// Where the line ends although redo leads on, because moves were taken back and not replaced.
    pub(super) end: Option<usize>,
    /// The players' evaluations of moves, by the position after the move.
    comments: HashMap<usize, MoveComment>,
    /// What identifies the match among the records, if it is one or becomes one.
    pub(super) filed: Option<Filed>,
}

impl OpenRecord {
    /// Creates a record with these players; see [`Players::named`]. The match stands at the end of its main line.
    pub fn new(entry: &'static GameEntry, viewer: Viewer, names: &[String]) -> OpenRecord {
        let players = Players::named(viewer.current_match().seats(), names);
        let program =
            |name: &String| Some(name.parse::<Player>().ok()?.program()?.name().to_owned());
        let programs = names.iter().filter_map(program).collect();
        let given_setup = viewer.current_match().setup();
        let game = viewer.current_match();
        let end = (game.undone() > 0).then(|| game.node());
        let comments = HashMap::new();
        let filed = None;
        OpenRecord {
            entry,
            given_setup,
            viewer,
            players,
            programs,
            clock: None,
            end,
            comments,
            filed,
        }
    }

    /// Opens a tournament game in its first position; `None` if it cannot be shown.
    pub(super) fn of_game(entry: &'static GameEntry, game: &UnderWay) -> Option<OpenRecord> {
        let viewer = Viewer::open(entry, &game.setup.parse().ok()?).ok()?;
        Some(
            OpenRecord::new(entry, viewer, &game.players)
                .with_clock(game.clock.map(TimeControl::Fischer)),
        )
    }

    #[must_use]
    pub fn with_clock(self, clock: Option<TimeControl>) -> OpenRecord {
        OpenRecord { clock, ..self }
    }

    /// Adds the players' evaluations of the moves played so far.
    #[must_use]
    pub fn with_comments(mut self, comments: &[Option<MoveComment>]) -> OpenRecord {
        self.add_comments(comments);
        self
    }

    #[must_use]
    pub fn filed_as(self, filed: Filed) -> OpenRecord {
        OpenRecord { filed: Some(filed), ..self }
    }

    /// Returns the seat of the only player with the user's name, or of the only person if that person has no name.
    pub(super) fn own_seat(&self, context: &Context) -> Option<Seat> {
        let names = self.players.iter().map(|(seat, _)| self.players.name(seat));
        let name = context.progress.current_name(context.usual_name());
        let named = seat_of(names, &context.progress, name);
        let is_unnamed = |seat: &Seat| {
            matches!(self.players.as_slice().get(seat.index()), Some(Player::Person(None)))
        };
        let unnamed = || self.players.only_person().filter(is_unnamed);
        named.map(|index| Seat::new(index as u8)).or_else(unnamed)
    }

    pub(super) fn add_comments(&mut self, comments: &[Option<MoveComment>]) {
        let nodes = self.current_match().line().into_iter().skip(1);
        let comments = nodes.zip(comments).filter_map(|(node, comment)| Some((node, (*comment)?)));
        let comments: Vec<_> = comments.collect();
        self.comments.extend(comments);
    }

    /// Returns the players' evaluations of the moves played so far; empty if there are none.
    pub(super) fn comments(&self) -> Vec<Option<MoveComment>> {
        let nodes = self.current_match().line().into_iter().skip(1);
        let comments: Vec<_> = nodes.map(|node| self.comments.get(&node).copied()).collect();
        if comments.iter().any(Option::is_some) { comments } else { Vec::new() }
    }

    pub fn current_match(&self) -> &Match {
        self.viewer.current_match()
    }

    /// Goes to the end of the line that this match follows.
    pub(super) fn go_to_end(&self, game: &mut Match) {
        game.go_to_ply(usize::MAX);
        if let Some(end) = self.end.filter(|end| game.path().contains(end)) {
            game.go_to_node(end);
        }
    }

    /// Returns the search for people's mistakes in the match, up to the end of the current line.
    pub(super) fn mistakes(&self) -> Destination {
        let mut game = self.current_match().clone();
        self.go_to_end(&mut game);
        let search = OwnMistakes::new(&game, self.players.people().collect());
        Destination::Mistakes(search.map(Box::new))
    }

    /// Returns the names of the programs whose seats people take in a [new match](OpenRecord::branch_off). Programs are
    /// not started, because a file must not be able to start a program.
    pub fn programs(&self) -> &[String] {
        &self.programs
    }

    /// Starts a new match with the same players from the current position, with full clocks. Days per move, which need a
    /// guest, become no clock.
    pub fn branch_off(&self) -> OpenMatch {
        let conditions = Conditions::from(self.players.as_slice().to_vec());
        let clock = self.clock.filter(|clock| clock.days().is_none());
        let conditions = conditions.with_clock(clock);
        let session =
            Session::new(self.current_match().copy_line(), self.given_setup.clone(), conditions);
        OpenMatch::resumed(Table::at(self.entry, session))
    }

    pub(super) fn match_view(&self) -> MatchView<'_> {
        let shown = MatchView::new(self.entry, &self.viewer, &self.players);
        MatchView { is_replay: true, ..shown.set_up_as(&self.given_setup) }
    }
}

/// The data of a match that a screen shows, whether the match is in progress or only viewed.
#[derive(Clone, Copy)]
pub(super) struct MatchView<'a> {
    pub entry: &'static GameEntry,
    pub game: &'a Match,
    pub board: &'a dyn AnyBoard,
    board_number: usize,
    pub players: &'a Players,
    /// The setup as the user entered it.
    given_setup: Option<&'a Setup>,
    /// The remaining time on each seat's clock; `None` without clocks.
    times: Option<(ClockFace, [Duration; SEATS])>,
    /// Whether this is a replay, in which it is nobody's turn.
    pub is_replay: bool,
    /// The seat of the reader, if the texts address one: alone against engines, and in a lesson or a puzzle.
    you: Option<Seat>,
}

impl<'a> MatchView<'a> {
    /// Creates a view without clocks.
    pub fn new<T: AsRef<Match>>(
        entry: &'static GameEntry,
        on: &'a WithBoard<T>,
        players: &'a Players,
    ) -> MatchView<'a> {
        MatchView {
            entry,
            game: on.current_match(),
            board: &*on.board,
            board_number: on.number(),
            players,
            given_setup: None,
            times: None,
            is_replay: false,
            you: None,
        }
    }

    /// Adds the setup as the user entered it, which includes the seed of a random layout.
    pub const fn set_up_as(self, setup: &'a Setup) -> MatchView<'a> {
        MatchView { given_setup: Some(setup), ..self }
    }

    /// Addresses the player at this seat, if any, as `you`.
    pub const fn addressing(self, you: Option<Seat>) -> MatchView<'a> {
        MatchView { you, ..self }
    }

    /// Adds the remaining time on each seat's clock; `left` is empty without clocks.
    pub fn with_times(self, face: ClockFace, left: &[Duration]) -> MatchView<'a> {
        let mut times = [Duration::ZERO; SEATS];
        times.iter_mut().zip(left).for_each(|(time, left)| *time = *left);
        MatchView { times: (!left.is_empty()).then_some((face, times)), ..self }
    }

    /// Returns the name of a player where it stands alone, as on a card.
    pub fn name(self, seat: Seat) -> &'a str {
        if self.you == Some(seat) { "You" } else { self.players.name(seat) }
    }

    pub fn names(self) -> PlayerNames {
        PlayerNames::of(self.players).addressing(self.you)
    }

    /// Returns a seat's clock as text, marked with `!` if its time is almost over; `None` without clocks.
    fn time(self, seat: Seat) -> Option<String> {
        let (face, times) = self.times?;
        let left = *times.get(seat.index())?;
        let mark = if face.is_urgent(left) { "!" } else { "" };
        Some(format!("{mark}{}", face.shown(left)))
    }

    pub fn seats(self) -> impl Iterator<Item = Seat> {
        (0..self.game.seats()).map(Seat::new)
    }

    /// Returns the view of the board, the seats and the result. `body` fills the panel.
    pub fn view(self, input: &'a BoardInput, body: PanelBody<'a>) -> BoardView<'a> {
        let scores = self.game.scores().unwrap_or_default();
        let seat = |seat: Seat| SeatView {
            seat,
            mark: self.game.now().mark(seat),
            name: self.name(seat).to_owned(),
            is_you: self.you == Some(seat),
            score: scores.get(seat.index()).copied(),
            clock: self.time(seat),
            turn: self.turn(seat),
        };
        BoardView {
            scene: Rc::new(self.board.scene(input.details)),
            board_number: self.board_number,
            lettering: input.lettering,
            words: self.entry.in_words(self.game),
            names: self.names(),
            values: None,
            caption: self.board.caption(),
            page: 0,
            title: self.entry.name.to_owned(),
            subtitle: vec![self.board_and_seed()],
            seats: self.seats().map(seat).collect(),
            last_move: self.game.moves().last().cloned(),
            event: None,
            is_replay: self.is_replay,
            click: None,
            verdict: Vec::new(),
            body,
            course: None,
            typing: input.typing(),
            announcements: input.announcements(),
            questions: Vec::new(),
            waits_for: None,
            status: StatusLine::idle(""),
            bare_status: None,
            result: self.game.outcome().map(|outcome| self.match_result(outcome)),
            series: None,
            share: None,
        }
    }

    fn turn(self, seat: Seat) -> SeatTurn {
        match self.game.outcome() {
            None if self.game.to_move() != Some(seat) => SeatTurn::No,
            // It is nobody's turn in a replay, or while the board shows the end of a round.
            None if self.is_replay || self.board.shows_interlude() => SeatTurn::Next,
            None => SeatTurn::ToMove,
            // A draw has no winner to highlight.
            Some(outcome) if outcome == Outcome::draw(self.game.seats()) => SeatTurn::No,
            Some(outcome) if !outcome.is_winner(seat) => SeatTurn::No,
            Some(outcome) if outcome.winners().count() > 1 => SeatTurn::SharesWin,
            Some(_) => SeatTurn::Wins,
        }
    }

    fn match_result(self, outcome: Outcome) -> ResultView {
        let mut winners = outcome.winners();
        let winner = winners.next().filter(|_| winners.next().is_none());
        // In a game without scores, fewer moves are a better win.
        let is_yours = self.game.scores().is_none() && winner.is_some() && winner == self.you;
        let moves = || {
            let own = self.game.moves().iter().filter(|(seat, _)| Some(*seat) == winner).count();
            let moves = if own == 1 { "1 move".to_owned() } else { format!("{own} of your moves") };
            format!("in {moves}")
        };
        let names = self.names();
        let how = session::how(self.game, &names);
        ResultView {
            winner,
            headline: session::headline(self.game, &names),
            how: how.or_else(|| is_yours.then(moves)),
            number: None,
            answers: Vec::new(),
        }
    }

    /// Describes briefly how the match ended; empty if it has not ended.
    pub fn result(self) -> String {
        session::in_words(self.game, &self.names())
    }

    /// Returns the task that saves a picture of the board as a file.
    pub fn take_picture(self, theme: &Theme) -> Task {
        let MatchView { entry, game, board, players, .. } = self;
        let svg = Subject { entry, game, board, players }.svg(theme, None);
        DiskTask::Picture(entry.id, Box::new(svg)).into()
    }

    /// Describes the board, such as `5 x 5 dots`, and gives the seed of a random layout.
    pub fn board_and_seed(self) -> String {
        let board = self.board.caption().board;
        let uses_seed = |setup: &&Setup| {
            (self.entry.options)(setup).iter().any(|option| option.name() == "seed")
        };
        match self.given_setup.filter(uses_seed).and_then(|setup| setup.get("seed")) {
            Some(seed) => format!("{board}, seed {seed}"),
            None => board,
        }
    }
}
