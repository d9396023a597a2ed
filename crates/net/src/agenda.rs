//! What waits for a player in matches with days per move: results, turns, questions, and claims.
//!
//! All of it follows from the journal and the seating of a match and from the time, which callers pass.

use super::{Identity, Seating};
use jiff::Timestamp;
use quadrille_match::session::{ClockFace, PlayerNames, SeatSet, Session, in_words};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::play::{Request, seat_request};
use quadrille_text::printable::printable;
use quadrille_text::wording::{counted, list};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The maximum number of unfinished matches with days per move per account.
pub const MAX_MATCHES: usize = 200;

/// A match with days per move as a player sees it at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgendaMatch {
    /// The table's name.
    pub table: String,
    /// The game's id.
    pub game: String,
    #[serde(skip)]
    pub journal: String,
    /// The player's seats.
    #[serde(skip)]
    pub seats: SeatSet,
    /// The names of the players, in seat order; `None` for a free seat.
    pub players: Vec<Option<String>>,
    /// The names of the guests who have seats.
    #[serde(skip)]
    pub guests: Vec<String>,
    pub moves: usize,
    pub is_over: bool,
    /// Whose turn it is and the time left, or how the match has ended.
    pub state: String,
    /// When the time of the player to move is over.
    pub deadline: Option<Timestamp>,
    /// What waits for the player, the most urgent first.
    pub waiting: Vec<AgendaItem>,
}

/// Something that waits for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgendaItem {
    pub kind: ItemKind,
    /// A clause such as `your turn, 2 d 4 h left`.
    pub text: String,
    /// When the player loses the chance, or may lose the match.
    pub deadline: Option<Timestamp>,
}

/// The kind of an item. Results come first, then the others by deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    Result,
    Turn,
    Question,
    Claim,
}

impl ItemKind {
    /// Returns the label in a list.
    pub const fn label(self) -> &'static str {
        match self {
            ItemKind::Result => "result",
            ItemKind::Turn => "your turn",
            ItemKind::Question => "question",
            ItemKind::Claim => "claim",
        }
    }
}

/// A player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewer {
    pub seats: SeatSet,
    pub is_host: bool,
}

impl Viewer {
    /// Returns the host of a match, who has all seats of people but the guests' ones.
    pub fn host(session: &Session) -> Viewer {
        let players = session.players();
        let is_guest = |seat: &Seat| players.guests().any(|guest| guest == *seat);
        Viewer { seats: players.people().filter(|seat| !is_guest(seat)).collect(), is_host: true }
    }

    /// Returns the guest with one of these tokens or this verified identity, who may have no seat.
    pub fn guest(seating: &Seating, tokens: &[String], identity: &Identity) -> Viewer {
        let own = seating.guests.iter().filter(|owner| {
            let origin = owner.origin.as_ref().map(|origin| &origin.identity);
            // The name in a journal belongs to the player whose key has that name.
            let is_named = || origin.is_none() && identity.name.as_ref() == Some(&owner.name);
            tokens.contains(&owner.token)
                || origin.is_some_and(|origin| origin.is_same_person(identity))
                || is_named()
        });
        let seats = own.fold(SeatSet::default(), |seats, owner| seats.union(owner.seats));
        Viewer { seats, is_host: false }
    }
}

impl AgendaMatch {
    /// Returns a match with days per move as this player sees it.
    pub fn of(
        session: &Session,
        seating: &Seating,
        journal: &str,
        viewer: Viewer,
        now: Timestamp,
    ) -> AgendaMatch {
        let game = session.current_match();
        let is_free = |seat| {
            let is_guest = session.players().guests().any(|guest| guest == seat);
            is_guest && !seating.guests.iter().any(|owner| owner.seats.contains(seat))
        };
        let name = |seat| (!is_free(seat)).then(|| printable(session.players().name(seat)).into());
        let view = MatchView { session, seating, viewer, now };
        AgendaMatch {
            table: seating.table.clone(),
            game: game.id().to_owned(),
            journal: journal.to_owned(),
            seats: viewer.seats,
            players: (0..game.seats()).map(|seat| name(Seat::new(seat))).collect(),
            guests: session.players().guests().filter_map(name).collect(),
            moves: game.ply(),
            is_over: game.outcome().is_some(),
            state: view.state(),
            deadline: view.due(),
            waiting: view.items(),
        }
    }

    /// Returns whether a guest may sit down without asking.
    pub fn has_free_seat(&self) -> bool {
        self.players.iter().any(Option::is_none)
    }

    /// Returns the game's display name, or its id if the game is unknown.
    pub fn game_name(&self) -> &str {
        catalogue::find(&self.game).map_or(&self.game, |entry| entry.name)
    }

    /// Formats items: `quixo: Quixo, your turn against Bob, 2 d 4 h left; Bob offers a draw`.
    pub fn line<'i>(&self, items: impl IntoIterator<Item = &'i AgendaItem>) -> String {
        let texts: Vec<&str> = items.into_iter().map(|item| &*item.text).collect();
        format!("{}: {}, {}", self.table, self.game_name(), texts.join("; "))
    }
}

/// Formats `quixo: Quixo, 1 Ann, 2 free, 12 moves, Ann's turn, 2 d 4 h left`.
impl fmt::Display for AgendaMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.table, self.game_name())?;
        for (number, name) in (1..).zip(&self.players) {
            write!(f, ", {number} {}", name.as_deref().unwrap_or("free"))?;
        }
        let moves = counted(self.moves, "move", "moves");
        write!(f, ", {moves}, {}", self.state)
    }
}

/// Sorts all items of these matches: results first, then the others by deadline. Those without one come last.
pub fn sorted(matches: &[AgendaMatch]) -> Vec<(&AgendaMatch, &AgendaItem)> {
    let items = matches.iter().flat_map(|one| one.waiting.iter().map(move |item| (one, item)));
    let mut items: Vec<_> = items.collect();
    items.sort_by_key(|(one, item)| (item.order(), one.table.clone()));
    items
}

impl AgendaItem {
    /// Formats the time left: `2 d 4 h`, or `overdue`.
    pub fn left(&self, now: Timestamp) -> Option<String> {
        let left = Duration::try_from(self.deadline?.duration_since(now)).unwrap_or_default();
        Some(ClockFace::Days.shown(left))
    }

    fn order(&self) -> impl Ord + use<> {
        let deadline = self.deadline.unwrap_or(Timestamp::MAX);
        (self.kind != ItemKind::Result, deadline, self.kind)
    }
}

struct MatchView<'a> {
    session: &'a Session,
    seating: &'a Seating,
    viewer: Viewer,
    now: Timestamp,
}

impl MatchView<'_> {
    /// Returns the match time.
    fn at(&self) -> Duration {
        self.session.time_at(self.now).unwrap_or_default()
    }

    /// Returns the moment of a match time.
    fn moment(&self, at: Duration) -> Option<Timestamp> {
        self.session.began()?.checked_add(at).ok()
    }

    fn due(&self) -> Option<Timestamp> {
        self.moment(self.session.due()?)
    }

    fn names(&self) -> PlayerNames {
        let mut seats = self.viewer.seats.iter();
        let you = seats.next().filter(|_| seats.next().is_none());
        PlayerNames::of(self.session.players()).addressing(you)
    }

    /// Formats the time until this match time: `2 d 4 h`.
    fn left(&self, until: Duration) -> String {
        ClockFace::Days.shown(until.saturating_sub(self.at()))
    }

    fn state(&self) -> String {
        let game = self.session.current_match();
        if game.outcome().is_some() {
            return in_words(game, &self.names());
        }
        if self.session.is_to_begin() {
            return "not begun".to_owned();
        }
        let Some(turn) = game.to_move() else { return String::new() };
        let names = self.names();
        if let Some(loser) = self.session.out_of_time(self.at()) {
            return names.clause(loser, "ran out of time");
        }
        let whose = format!("{} turn", names.possessive(turn));
        match (self.session.overdue(self.at()), self.session.due()) {
            (Some(_), _) => format!("{whose}, overdue"),
            (None, Some(due)) => format!("{whose}, {} left", self.left(due)),
            (None, None) => whose,
        }
    }

    fn items(&self) -> Vec<AgendaItem> {
        let mut items: Vec<AgendaItem> = self.questions();
        items.extend(self.position_item());
        items.sort_by_key(AgendaItem::order);
        items
    }

    /// Returns whether the player has seen the end of the match, which a table must have entered.
    fn has_seen_end(&self) -> bool {
        let waiting = &self.seating.waiting;
        waiting.ended.is_some() && !waiting.has_end_for(self.viewer.seats)
    }

    /// Returns what the position asks of the player, if anything.
    fn position_item(&self) -> Option<AgendaItem> {
        let (seats, game) = (self.viewer.seats, self.session.current_match());
        let is_over = game.outcome().is_some() || self.session.out_of_time(self.at()).is_some();
        if is_over && !self.has_seen_end() {
            let (kind, text) = (ItemKind::Result, self.state());
            return Some(AgendaItem { kind, text, deadline: None });
        }
        if is_over || self.session.is_to_begin() || seats.is_empty() {
            return None;
        }
        let (turn, due) = (game.to_move()?, self.session.due()?);
        let names = PlayerNames::of(self.session.players());
        let overdue = self.session.overdue(self.at());
        let loses = self.session.runs_out();
        if seats.contains(turn) {
            let others = (0..game.seats()).map(Seat::new).filter(|seat| !seats.contains(*seat));
            let others: Vec<&str> = others.map(|seat| names.name(seat)).collect();
            let left = match (overdue, loses) {
                (Some(_), Some(loses)) => format!("overdue, lost in {}", self.left(loses)),
                _ => format!("{} left", self.left(due)),
            };
            let text = format!("your turn against {}, {left}", list(others));
            return Some(AgendaItem { kind: ItemKind::Turn, text, deadline: self.moment(due) });
        }
        let overdue = overdue?;
        let text = format!("{} is overdue; claim the win or give more time", names.name(overdue));
        let deadline = loses.and_then(|loses| self.moment(loses));
        Some(AgendaItem { kind: ItemKind::Claim, text, deadline })
    }

    fn questions(&self) -> Vec<AgendaItem> {
        let question =
            |text: String, deadline| AgendaItem { kind: ItemKind::Question, text, deadline };
        let mut items = Vec::new();
        let is_on = self.session.current_match().to_move().is_some();
        if self.viewer.is_host && is_on {
            let sits = self.seating.guests.iter().filter(|guest| !guest.is_confirmed);
            let sits = sits.map(|guest| format!("{} wants to play", printable(&guest.name)));
            let asks = self.seating.asks.iter();
            let asks = asks.map(|asker| {
                let mut guests = self.seating.guests.iter();
                let owner = guests.find(|owner| owner.seats == asker.seats);
                let owner = owner.map(|owner| printable(&owner.name));
                let moves = self.session.current_match().ply();
                seat_request(&printable(&asker.name), asker.seats, owner.as_deref(), moves)
            });
            items.extend(sits.chain(asks).map(|text| question(text, None)));
        }
        let requests = self.seating.waiting.to_answer(self.viewer.seats).filter(|open| {
            let game = self.session.current_match();
            open.position == (game.node(), game.termination().is_some())
                || open.request == Request::Draw && self.session.offer().is_some()
        });
        let game = self.session.current_match();
        items.extend(requests.filter_map(|open| {
            let kind = open.request.kind(game).ok()?;
            Some(question(kind.in_brief(&printable(&open.name)), self.due()))
        }));
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpenRequest, Origin, PeerUser, SeatOwner, Visit};
    use quadrille_match::session::{Actor, Conditions, Player, Step};
    use quadrille_rules::Setup;

    const HOUR: u64 = 3600;
    const DAY: u64 = 24 * HOUR;

    /// Ann hosts a match with three days per move against a guest.
    fn opened() -> (Session, Seating) {
        let players: Vec<Player> = vec![Player::person("Ann"), "guest".parse().unwrap()];
        let conditions = Conditions::from(players).with_clock("3d".parse().ok());
        let entry = catalogue::find("tic-tac-toe").unwrap();
        let start = (entry.start)(&Setup::new()).unwrap();
        let mut session = Session::new(start, Setup::new(), conditions);
        let bob = SeatOwner {
            seats: [Seat::SECOND].into_iter().collect(),
            name: "Bob".to_owned(),
            token: "bobs".to_owned(),
            origin: Some(Origin {
                peer: PeerUser { uid: 1000, other_user: None },
                identity: Identity::default(),
            }),
            is_confirmed: false,
        };
        session.name_person(Seat::SECOND, "Bob");
        (session, Seating { table: "xo".to_owned(), guests: vec![bob], ..Seating::default() })
    }

    fn start() -> Timestamp {
        Timestamp::from_second(1_795_823_432).unwrap()
    }

    fn begun() -> (Session, Seating) {
        let (mut session, mut seating) = opened();
        seating.guests[0].is_confirmed = true;
        take(&mut session, Actor::Table, Step::Begin(start()), 0);
        (session, seating)
    }

    fn take(session: &mut Session, by: Actor, step: Step, seconds: u64) {
        session
            .apply(by, step, Duration::from_secs(seconds).max(Duration::from_millis(1)))
            .unwrap();
    }

    fn at((session, seating): &(Session, Seating), viewer: Viewer, seconds: u64) -> AgendaMatch {
        let now = start().checked_add(Duration::from_secs(seconds)).unwrap();
        AgendaMatch::of(session, seating, "journal", viewer, now)
    }

    fn lines(there: &(Session, Seating), seconds: u64) -> [Vec<String>; 2] {
        let bob = Viewer::guest(&there.1, &["bobs".to_owned()], &Identity::default());
        let of = |viewer| {
            let one = at(there, viewer, seconds);
            one.waiting.iter().map(|item| one.line([item])).collect()
        };
        [of(Viewer::host(&there.0)), of(bob)]
    }

    fn line(text: &str) -> Vec<String> {
        vec![format!("xo: Tic-tac-toe, {text}")]
    }

    #[test]
    fn host_reads_who_wants_to_play_before_the_match_begins() {
        let mut there = opened();
        assert_eq!(lines(&there, 0), [line("Bob wants to play"), vec![]]);
        let bob = there.1.guests.remove(0);
        there.1.asks.push(SeatOwner { name: "E\u{1b}ve".to_owned(), ..bob });
        assert_eq!(lines(&there, 0)[0], line("E\\u{1b}ve asks for seat 2"));
        let shown = at(&there, Viewer::host(&there.0), 0);
        assert!(shown.has_free_seat());
        assert_eq!(shown.to_string(), "xo: Tic-tac-toe, 1 Ann, 2 free, 0 moves, not begun");
    }

    #[test]
    fn turn_shows_the_time_left_until_the_match_is_lost() {
        let there = begun();
        let turn = |left: &str| line(&format!("your turn against Bob, {left}"));
        assert_eq!(lines(&there, 20 * HOUR + 1), [turn("2 d 4 h left"), vec![]]);
        assert_eq!(lines(&there, 3 * DAY - 59), [turn("1 min left"), vec![]]);
        let claim = line("Ann is overdue; claim the win or give more time");
        assert_eq!(lines(&there, 3 * DAY + 1), [turn("overdue, lost in 3 d"), claim]);
        // The machine's time was set back.
        let earlier = start().checked_sub(Duration::from_secs(7 * DAY)).unwrap();
        let host = Viewer::host(&there.0);
        let shown = AgendaMatch::of(&there.0, &there.1, "journal", host, earlier);
        assert_eq!(shown.waiting[0].text, "your turn against Bob, 3 d left");
        let lost = [line("You ran out of time"), line("Ann ran out of time")];
        assert_eq!(lines(&there, 6 * DAY + 1), lost);
        let shown = at(&there, host, HOUR + 1);
        assert_eq!(
            shown.to_string(),
            "xo: Tic-tac-toe, 1 Ann, 2 Bob, 0 moves, your turn, 2 d 23 h left"
        );
    }

    #[test]
    fn draw_offer_waits_for_the_others_and_a_result_for_all() {
        let mut there = begun();
        take(&mut there.0, Actor::Seat(Seat::FIRST), Step::OfferDraw, HOUR);
        there.1.waiting.requests.push(OpenRequest {
            number: 1,
            by: [Seat::FIRST].into_iter().collect(),
            name: "Ann".to_owned(),
            request: Request::Draw,
            position: (0, false),
            waiting: vec![[Seat::SECOND].into_iter().collect()],
        });
        let turn = line("your turn against Bob, 2 d 23 h left");
        assert_eq!(lines(&there, HOUR + 1), [turn, line("Ann offers a draw")]);
        // Ann moves too, and a list shows both.
        let mv = there.0.current_match().legal_moves().remove(0);
        take(&mut there.0, Actor::Seat(Seat::FIRST), Step::Play(mv), HOUR);
        let bob = Viewer { seats: [Seat::SECOND].into_iter().collect(), is_host: false };
        let shown = at(&there, bob, HOUR + 1);
        let both = "xo: Tic-tac-toe, your turn against Ann, 3 d left; Ann offers a draw";
        assert_eq!(shown.line(&shown.waiting), both);
        take(&mut there.0, Actor::Seat(Seat::FIRST), Step::Resign, 2 * HOUR);
        let [host, bob] = lines(&there, 30 * DAY);
        assert_eq!((host, bob), (line("Bob wins, you resigned"), line("You win, Ann resigned")));
        // Ann has left the finished board.
        there.1.waiting.ended = Some(start());
        let by = [Seat::FIRST].into_iter().collect();
        there.1.waiting.visits.push(Visit { by, seen: 0, has_left_end: true });
        assert_eq!(lines(&there, 30 * DAY), [vec![], line("You win, Ann resigned")]);
    }

    #[test]
    fn guest_is_known_by_token_or_key_alone() {
        let (_, mut seating) = begun();
        let named = |name: &str| Identity { name: Some(name.to_owned()), key: None };
        let seats = |seating: &Seating, token: &str, identity| {
            Viewer::guest(seating, &[token.to_owned()], identity).seats.iter().count()
        };
        let [nobody, bob, eve] = [Identity::default(), named("Bob"), named("Eve")];
        assert_eq!([seats(&seating, "bobs", &nobody), seats(&seating, "eves", &nobody)], [1, 0]);
        assert_eq!(seats(&seating, "", &bob), 0, "his name is not verified");
        // In a match from a journal, only the name is known.
        seating.guests[0].origin = None;
        assert_eq!([seats(&seating, "", &bob), seats(&seating, "", &eve)], [1, 0]);
    }

    #[test]
    fn results_come_first_and_the_others_by_deadline() {
        let item = |kind, seconds: Option<u64>| AgendaItem {
            kind,
            text: String::new(),
            deadline: seconds.map(|at| start().checked_add(Duration::from_secs(at)).unwrap()),
        };
        let (session, seating) = begun();
        let one = |table: &str, item| {
            let one = AgendaMatch::of(&session, &seating, table, Viewer::host(&session), start());
            AgendaMatch { table: table.to_owned(), waiting: vec![item], ..one }
        };
        let matches = [
            one("a", item(ItemKind::Question, None)),
            one("b", item(ItemKind::Turn, Some(3))),
            one("c", item(ItemKind::Claim, Some(2))),
            one("d", item(ItemKind::Turn, Some(3))),
            one("e", item(ItemKind::Result, None)),
        ];
        let order: String = sorted(&matches).iter().map(|(one, _)| &*one.table).collect();
        assert_eq!(order, "ecbda");
    }
}
