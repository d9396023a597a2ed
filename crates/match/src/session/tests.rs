use super::*;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::{Position, SetupError};

const ANN: Actor = Actor::Seat(Seat::FIRST);
const BOB: Actor = Actor::Seat(Seat::SECOND);

fn open<G: Position>(words: &str) -> Session {
    let words: Setup = words.parse().unwrap();
    let start: Result<G, SetupError> = G::from_setup(&words);
    let names = ["Ann", "Bob", "Cy"].map(str::to_owned);
    Session::new(Match::new(start.unwrap()), words, Conditions::named(&names))
}

fn small() -> Session {
    open::<DotsAndBoxes>("size=3")
}

fn play(session: &mut Session, moves: &str) {
    for text in moves.split_whitespace() {
        let step = Step::Play(text.to_owned());
        let by = step.infer_actor(session.current_match().to_move());
        session.apply(by, step, Duration::ZERO).unwrap();
    }
}

/// Returns the reason for refusing a step, after checking that the step changed nothing.
fn refused(session: &mut Session, by: Actor, step: Step) -> String {
    refused_at(session, by, step, Duration::ZERO)
}

fn refused_at(session: &mut Session, by: Actor, step: Step, at: Duration) -> String {
    let before = (session.log().to_vec(), session.current_match().node(), session.offer().cloned());
    let refusal = session.apply(by, step, at).unwrap_err();
    let after = (session.log().to_vec(), session.current_match().node(), session.offer().cloned());
    assert_eq!(before, after);
    refusal.to_string()
}

fn take(session: &mut Session, by: Actor, step: Step) {
    session.apply(by, step, Duration::ZERO).unwrap();
}

#[test]
fn a_shared_match_does_not_change() {
    let mut session = small();
    play(&mut session, "H0,0");
    let shared = session.share_match();
    assert!(Arc::ptr_eq(&shared, &session.share_match()));
    play(&mut session, "H0,1");
    take(&mut session, ANN, Step::Resign);
    assert_eq!((shared.ply(), shared.to_move()), (1, Some(Seat::SECOND)));
    take(&mut session, Actor::Table, Step::GoTo(1));
    assert_eq!(session.current_match().board(), shared.board());
}

#[test]
fn only_the_seat_to_move_may_play() {
    let mut session = small();
    let mv = || Step::Play("H0,0".to_owned());
    for by in [BOB, Actor::Table, Actor::Arbiter] {
        assert_eq!(refused(&mut session, by, mv()), "seat 1 is to move");
    }
    take(&mut session, ANN, mv());
    assert_eq!(refused(&mut session, BOB, mv()), "already drawn");
    assert_eq!(session.current_match().ply(), 1);
}

#[test]
fn log_steps_have_numbers_and_nondecreasing_times() {
    let mut session = small();
    for (at, text) in [(5_250, "H0,0"), (7_999, "H0,1"), (3_000, "H1,0")] {
        let by = Step::Resign.infer_actor(session.current_match().to_move());
        let at = Duration::from_micros(1000 * at + 300);
        session.apply(by, Step::Play(text.to_owned()), at).unwrap();
    }
    let lines: Vec<String> = session.log().iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["1 5250 1 play H0,0", "2 7999 2 play H0,1", "3 7999 1 play H1,0"]);
}

#[test]
fn move_is_logged_in_canonical_form() {
    let mut session = open::<Intersections>("size=3");
    play(&mut session, "0,2-0,0");
    assert_eq!(session.log()[0].step, Step::Play("0,0-0,2".to_owned()));
}

#[test]
fn unknown_positions_are_refused() {
    let mut session = small();
    play(&mut session, "H0,0");
    assert_eq!(refused(&mut session, Actor::Table, Step::GoTo(2)), "there is no position 2");
    for node in [0, 2] {
        let why = format!("no move leads to position {node}");
        assert_eq!(refused(&mut session, Actor::Table, Step::SelectVariation(node)), why);
    }
    assert_eq!(
        refused(&mut session, Actor::Arbiter, Step::GoTo(0)),
        "only players can take back or redo moves"
    );
}

#[test]
fn draw_needs_consent_of_all_other_seats() {
    let mut session = open::<Intersections>("size=3 players=3");
    let cy = Actor::Seat(Seat::new(2));
    let nobody = "no draw was offered to this seat";
    assert_eq!(refused(&mut session, BOB, Step::AcceptDraw), nobody);
    take(&mut session, BOB, Step::OfferDraw);
    assert_eq!(session.offer().map(DrawOffer::by), Some(Seat::SECOND));
    assert_eq!(refused(&mut session, BOB, Step::AcceptDraw), nobody);
    take(&mut session, cy, Step::AcceptDraw);
    assert_eq!(refused(&mut session, cy, Step::AcceptDraw), nobody);
    assert_eq!(session.current_match().outcome(), None);
    // A move declines the offer.
    let mv = session.current_match().legal_moves().remove(0);
    play(&mut session, &mv);
    assert_eq!(refused(&mut session, ANN, Step::AcceptDraw), nobody);
    take(&mut session, cy, Step::OfferDraw);
    for by in [ANN, BOB] {
        take(&mut session, by, Step::AcceptDraw);
    }
    assert_eq!(session.current_match().termination(), Some(&Termination::Agreed));
    assert_eq!(session.offer(), None);
    for step in [Step::OfferDraw, Step::AcceptDraw, Step::Resign] {
        assert_eq!(refused(&mut session, ANN, step), "the game is over");
    }
}

#[test]
fn draw_offer_ends_with_its_position() {
    let steps = [
        (Actor::Table, Step::GoTo(0)),
        (Actor::Table, Step::GoTo(2)),
        (BOB, Step::Play("H1,0".to_owned())),
        (ANN, Step::Resign),
        (Actor::Arbiter, Step::End(Termination::Limit)),
    ];
    for (by, step) in steps {
        let mut session = small();
        play(&mut session, "H0,0 H0,1");
        take(&mut session, Actor::Table, Step::GoTo(1));
        take(&mut session, ANN, Step::OfferDraw);
        take(&mut session, Actor::Table, Step::Pause);
        assert_eq!(session.offer().map(DrawOffer::by), Some(Seat::FIRST));
        take(&mut session, by, step.clone());
        assert_eq!(session.offer(), None, "{step}");
        refused(&mut session, BOB, Step::AcceptDraw);
    }
}

#[test]
fn move_is_refused_once_its_seat_is_out_of_time() {
    let conditions = Conditions::default().with_clock("1+0.5".parse().ok());
    let start = Match::new(DotsAndBoxes::square(3).unwrap());
    let mut session = Session::new(start, Setup::new(), conditions);
    let mv = |text: &str| Step::Play(text.to_owned());
    let millis = Duration::from_millis;
    session.apply(ANN, mv("H0,0"), millis(999)).unwrap();
    session.apply(BOB, mv("H0,1"), millis(1_998)).unwrap();
    // Ann had a millisecond left, and earned half a second.
    assert_eq!(session.runs_out(), Some(millis(1_998 + 501)));
    let why = "seat 1 is out of time";
    for at in [2_499, 9_000] {
        assert_eq!(refused_at(&mut session, ANN, mv("H1,0"), millis(at)), why);
    }
    session.apply(ANN, mv("H1,0"), millis(2_498)).unwrap();
}

const DAY: Duration = Duration::from_secs(24 * 3600);
const HOUR: Duration = Duration::from_secs(3600);

/// Returns the moment at which the matches with days per move begin in these tests, plus a time.
fn moment(after: Duration) -> Timestamp {
    Timestamp::from_second(1_795_823_432).unwrap().checked_add(after).unwrap()
}

/// Starts a match with three days per move that has begun.
fn with_days(seats: u8) -> Session {
    let mut session = to_begin(seats);
    begin(&mut session).unwrap();
    session
}

fn to_begin(seats: u8) -> Session {
    let conditions = Conditions::default().with_clock("3d".parse().ok());
    let start = match seats {
        2 => Match::new(DotsAndBoxes::square(3).unwrap()),
        _ => Match::new(Intersections::from_setup(&"size=3 players=3".parse().unwrap()).unwrap()),
    };
    Session::new(start, Setup::new(), conditions)
}

fn begin(session: &mut Session) -> Result<(), Refusal> {
    session.apply(Actor::Table, Step::Begin(moment(Duration::ZERO)), Duration::from_millis(1))
}

/// Takes a step at this moment, as a table does.
fn take_then(session: &mut Session, by: Actor, step: &str, after: Duration) -> Result<(), String> {
    let at = session.time_at(moment(after)).unwrap();
    session.apply(by, Step::parse(step).unwrap(), at).map_err(|refusal| refusal.to_string())
}

#[test]
fn match_with_days_begins_with_a_step_of_the_table() {
    let mut session = to_begin(2);
    let after = Duration::from_millis(1);
    assert_eq!(
        (session.runs_out(), session.overdue(9 * DAY), session.time_at(moment(DAY))),
        (None, None, None)
    );
    assert_eq!(session.time_left(9 * DAY), Some(vec![3 * DAY; 2]));
    let why = "the match begins when all seats are taken";
    assert_eq!(refused_at(&mut session, ANN, Step::Play("H0,0".to_owned()), after), why);
    let why = "only a match with days per move begins, and only once";
    let at_the_beginning = || Step::Begin(moment(Duration::ZERO));
    for by in [ANN, Actor::Arbiter] {
        assert_eq!(refused_at(&mut session, by, at_the_beginning(), after), why);
    }
    begin(&mut session).unwrap();
    assert_eq!(session.began(), Some(moment(Duration::ZERO)));
    assert_eq!(refused_at(&mut session, Actor::Table, at_the_beginning(), after), why);
    assert_eq!(refused(&mut small(), Actor::Table, at_the_beginning()), why);
    take_then(&mut session, ANN, "play H0,0", 2 * DAY).unwrap();
    assert_eq!(session.log().last().unwrap().to_string(), "2 172800000 1 play H0,0");
}

/// Moves that a match began with, such as those of a record, come before its beginning.
#[test]
fn match_with_days_may_begin_with_moves() {
    let mut game = Match::new(DotsAndBoxes::square(3).unwrap());
    game.play("H0,0").unwrap();
    let conditions = || Conditions::default().with_clock("3d".parse().ok());
    let mut session = Session::new(game, Setup::new(), conditions());
    begin(&mut session).unwrap();
    let start = Match::new(DotsAndBoxes::square(3).unwrap());
    let mut copy = Session::new(start, Setup::new(), conditions());
    for LoggedStep { at, by, step, .. } in session.log() {
        copy.apply(*by, step.clone(), *at).unwrap();
    }
    assert_eq!((copy.log(), copy.due()), (session.log(), Some(3 * DAY + Duration::from_millis(1))));
}

/// A deadline passes while no process runs. The seat can still move, or an opponent decides.
#[test]
fn overdue_seat_can_move_until_an_opponent_decides() {
    let mut session = with_days(2);
    take_then(&mut session, ANN, "play H0,0", HOUR).unwrap();
    let due = HOUR + 3 * DAY;
    assert_eq!((session.due(), session.runs_out()), (Some(due), Some(due + 3 * DAY)));
    let second = Duration::from_secs(1);
    assert_eq!(session.overdue(due.saturating_sub(second)), None);
    let why = Err("your opponent is not overdue".to_owned());
    for step in ["claim", "more-time"] {
        assert_eq!(take_then(&mut session, ANN, step, due.saturating_sub(second)), why);
        assert_eq!(
            take_then(&mut session, BOB, step, due),
            Err("only an opponent can do that".to_owned())
        );
        let table = take_then(&mut session, Actor::Table, step, due);
        assert_eq!(table, Err("only seated players can do that".to_owned()));
    }
    assert_eq!(session.overdue(due), Some(Seat::SECOND));
    assert_eq!(session.time_left(due + HOUR), Some(vec![3 * DAY, Duration::ZERO]));

    // More time: the turn begins anew, and only then can the seat be overdue again.
    take_then(&mut session, ANN, "more-time", due + HOUR).unwrap();
    assert_eq!(take_then(&mut session, ANN, "more-time", due + HOUR), why);
    let due = due + HOUR + 3 * DAY;
    assert_eq!(
        (session.overdue(due.saturating_sub(second)), session.overdue(due)),
        (None, Some(Seat::SECOND))
    );

    // The overdue seat moves before its opponent claims: the claim comes too late.
    take_then(&mut session, BOB, "play H0,1", due + HOUR).unwrap();
    assert_eq!(take_then(&mut session, ANN, "claim", due + HOUR), why);
    assert_eq!(session.overdue(due + HOUR), None);

    // The opponent claims before the overdue seat moves: the move comes too late.
    let due = due + HOUR + 3 * DAY;
    take_then(&mut session, BOB, "claim", due + HOUR).unwrap();
    let why = take_then(&mut session, ANN, "play H1,0", due + HOUR).unwrap_err();
    assert_eq!(why, "the game is over, seat 1 ran out of time");
    assert_eq!(session.current_match().termination(), Some(&Termination::Time(Seat::FIRST)));
    assert_eq!(
        take_then(&mut session, BOB, "claim", due + 2 * HOUR),
        Err("the game is over".to_owned())
    );
    take_then(&mut session, Actor::Table, "go 0", due + 2 * HOUR).unwrap_err();
}

#[test]
fn seat_loses_after_twice_the_days() {
    let mut session = with_days(2);
    take_then(&mut session, ANN, "play H0,0", DAY).unwrap();
    let end = 7 * DAY;
    assert_eq!(session.runs_out(), Some(end));
    let before = end.saturating_sub(Duration::from_millis(1));
    assert_eq!((session.out_of_time(before), session.out_of_time(end)), (None, Some(Seat::SECOND)));
    for (by, step) in [(BOB, "play H0,1"), (ANN, "more-time"), (ANN, "claim")] {
        assert_eq!(take_then(&mut session, by, step, end).unwrap_err(), "seat 2 is out of time");
    }
    take_then(&mut session, BOB, "play H0,1", before).unwrap();
}

/// The best of the other seats win, as after any loss on time.
#[test]
fn any_opponent_of_three_may_claim() {
    let cy = Actor::Seat(Seat::new(2));
    for (by, step) in [(BOB, "claim"), (cy, "claim"), (BOB, "more-time"), (cy, "more-time")] {
        let mut session = with_days(3);
        take_then(&mut session, by, step, 3 * DAY).unwrap_err();
        take_then(&mut session, by, step, 3 * DAY + HOUR).unwrap();
        let winners = session
            .current_match()
            .outcome()
            .map(|won| won.winners().map(Seat::index).collect::<Vec<_>>());
        assert_eq!(winners, (step == "claim").then_some(vec![1, 2]), "{step}");
    }
}

/// After a take-back the seat to move has the time that it had when its turn at the earlier position began.
#[test]
fn take_back_restores_the_days_of_the_earlier_position() {
    let mut session = with_days(2);
    take_then(&mut session, ANN, "play H0,0", 2 * DAY).unwrap();
    take_then(&mut session, BOB, "play H0,1", 4 * DAY).unwrap();
    let back = 6 * DAY;
    take_then(&mut session, Actor::Table, "go 1", back).unwrap();
    assert_eq!(
        (session.current_match().to_move(), session.due()),
        (Some(Seat::SECOND), Some(back + 3 * DAY))
    );
    take_then(&mut session, Actor::Table, "go 0", back + DAY).unwrap();
    assert_eq!(
        (session.current_match().to_move(), session.due()),
        (Some(Seat::FIRST), Some(back + 4 * DAY))
    );
}

#[test]
fn match_time_never_goes_backwards() {
    let mut session = with_days(2);
    take_then(&mut session, ANN, "play H0,0", 10 * HOUR).unwrap();
    // The clock of the machine goes back an hour, even to before the match.
    assert_eq!(session.time_at(moment(9 * HOUR)), Some(10 * HOUR));
    assert_eq!(session.time_at(Timestamp::UNIX_EPOCH), Some(10 * HOUR));
    take_then(&mut session, BOB, "play H0,1", 9 * HOUR).unwrap();
    assert_eq!(session.time(), 10 * HOUR);
    assert_eq!(
        session.due(),
        Some(10 * HOUR + 3 * DAY),
        "the hour that passes twice is given, not taken"
    );

    // It goes forward a week, longer than twice the days of some matches but not of this one, then back.
    let mut session = to_begin(2);
    session.clocks = Some(Clocks::new("7d".parse().unwrap(), 2, 1));
    begin(&mut session).unwrap();
    let ahead = HOUR + 7 * DAY;
    assert_eq!(session.overdue(ahead), Some(Seat::FIRST));
    assert_eq!(session.out_of_time(ahead), None, "one wrong clock forfeits no match");
    assert_eq!(session.overdue(session.time_at(moment(2 * HOUR)).unwrap()), None);
    take_then(&mut session, ANN, "play H0,0", ahead).unwrap();
    assert_eq!(session.time_at(moment(2 * HOUR)), Some(ahead));
    assert_eq!(session.time_left(ahead), Some(vec![7 * DAY; 2]));
    take_then(&mut session, BOB, "play H0,1", 3 * HOUR).unwrap();
}

/// In Berlin, 2026-10-25 has 25 hours. A day per move is 24 hours: the same time on UTC's clock, an hour earlier on the
/// clock on the wall.
#[test]
fn daylight_saving_changes_no_deadline() {
    let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    let began: Timestamp = "2026-10-24T10:00:00Z".parse().unwrap();
    let mut session = to_begin(2);
    session.apply(Actor::Table, Step::Begin(began), Duration::from_millis(1)).unwrap();
    take_at(&mut session, ANN, "play H0,0", began);
    let due = began.checked_add(session.due().unwrap()).unwrap();
    assert_eq!(due.to_string(), "2026-10-27T10:00:00.001Z");
    let local =
        |moment: Timestamp| moment.to_zoned(berlin.clone()).strftime("%F %H:%M").to_string();
    assert_eq!((local(began), local(due)), ("2026-10-24 12:00".into(), "2026-10-27 11:00".into()));
    let night: Timestamp = "2026-10-25T01:30:00Z".parse().unwrap();
    assert_eq!(session.time_at(night), Some(15 * HOUR + HOUR / 2));
}

fn take_at(session: &mut Session, by: Actor, step: &str, moment: Timestamp) {
    let at = session.time_at(moment).unwrap();
    session.apply(by, Step::parse(step).unwrap(), at).unwrap();
}

#[test]
fn resignation_can_be_taken_back_but_not_a_timeout() {
    let mut session = small();
    play(&mut session, "H0,0 H0,1");
    take(&mut session, BOB, Step::Resign);
    let words = |session: &Session| in_words(session.current_match(), &session.players().into());
    assert_eq!(words(&session), "Ann wins, Bob resigned");
    let back = (&session as &Session).undo_step();
    assert_eq!(back, Some(Step::GoTo(2)));
    take(&mut session, Actor::Table, Step::GoTo(2));
    assert_eq!(session.current_match().outcome(), None);
    let flag = || Step::End(Termination::Time(Seat::FIRST));
    let why = "only the arbiter ends a match, and only against a seat at the table";
    assert_eq!(refused(&mut session, ANN, flag()), why);
    let nobody = Step::End(Termination::Forfeit(Seat::new(2), Forfeit::NoAnswer));
    assert_eq!(refused(&mut session, Actor::Arbiter, nobody), why);
    refused(&mut session, Actor::Arbiter, Step::SelectVariation(1));
    take(&mut session, Actor::Arbiter, flag());
    assert_eq!(words(&session), "Bob wins, Ann ran out of time");
    let why = "the game is over, Ann ran out of time";
    assert_eq!(refused(&mut session, Actor::Table, Step::GoTo(0)), why);
}

/// Returns the observable state of a match.
fn seen(game: &Match) -> String {
    let next: Vec<_> = (0..game.nodes()).map(|node| game.next_node(node)).collect();
    format!("{:?} {next:?} {} {:?}", game.tree(), game.node(), game.termination())
}

/// Derives a step from two numbers; `None` if it does not apply.
fn step(session: &Session, kind: u8, which: usize) -> Option<(Actor, Step)> {
    let game = session.current_match();
    let turn = game.to_move();
    let step = match kind {
        0 => session.undo_step()?,
        1 => session.redo_step()?,
        2 => Step::GoTo(which % game.nodes()),
        3 => {
            let next = game.children(game.node());
            Step::SelectVariation(*next.get(which % next.len().max(1))?)
        }
        4 => return Some((Actor::Seat(Seat::new((which % 2) as u8)), Step::OfferDraw)),
        5 => return Some((Actor::Seat(Seat::new((which % 2) as u8)), Step::AcceptDraw)),
        6 if which.is_multiple_of(4) => Step::Resign,
        _ => {
            turn?;
            let legal = game.legal_moves();
            Step::Play(legal[which % legal.len()].clone())
        }
    };
    Some((step.infer_actor(session.current_match().to_move()), step))
}

proptest! {
    /// The log and the steps made from the match both lead to the same match, with the same position numbers and redo
    /// variations.
    #[test]
    fn log_replays_to_the_same_match(acts in prop::collection::vec((0..10_u8, 0..1000_usize), 0..80)) {
        let mut session = open::<Quixo>("size=3");
        for (kind, which) in acts {
            if let Some((by, step)) = step(&session, kind, which) {
                let _ = session.apply(by, step, Duration::ZERO);
            }
        }
        let mut copy = open::<Quixo>("size=3");
        for LoggedStep { at, by, step, .. } in session.log() {
            copy.apply(*by, step.clone(), *at).unwrap();
        }
        prop_assert_eq!(copy.log(), session.log());
        prop_assert_eq!(seen(copy.current_match()), seen(session.current_match()));
        let taken_over = Session::new(session.current_match().clone(), Setup::new(), Conditions::default());
        let mut copy = open::<Quixo>("size=3");
        for LoggedStep { at, by, step, .. } in taken_over.log() {
            copy.apply(*by, step.clone(), *at).unwrap();
        }
        prop_assert_eq!(seen(copy.current_match()), seen(session.current_match()));
    }
}

/// With days per move, a draw offer stands until a player moves who has not agreed.
#[test]
fn offer_outlasts_the_moves_of_those_who_agreed() {
    let at = |half_days: u32| HOUR * (12 * half_days + 1);
    let mut session = with_days(2);
    let play = |session: &mut Session, seat, at| {
        let mv = session.current_match().legal_moves().remove(0);
        session.apply(Actor::Seat(seat), Step::Play(mv), at).unwrap();
    };
    let [first, second] = [Seat::FIRST, Seat::SECOND];
    session.apply(Actor::Seat(first), Step::OfferDraw, at(0)).unwrap();
    play(&mut session, first, at(1));
    assert_eq!(session.offer().map(DrawOffer::by), Some(first));
    play(&mut session, second, at(2));
    assert_eq!(session.offer(), None, "the opponent moved instead");
    session.apply(Actor::Seat(first), Step::OfferDraw, at(2)).unwrap();
    play(&mut session, first, at(3));
    session.apply(Actor::Seat(second), Step::AcceptDraw, at(4)).unwrap();
    assert_eq!(session.current_match().termination(), Some(&Termination::Agreed));

    let mut session = with_days(3);
    let third = Seat::new(2);
    session.apply(Actor::Seat(first), Step::OfferDraw, at(0)).unwrap();
    session.apply(Actor::Seat(second), Step::AcceptDraw, at(0)).unwrap();
    play(&mut session, first, at(1));
    play(&mut session, second, at(2));
    assert!(session.offer().is_some_and(|offer| offer.has(second)));
    play(&mut session, third, at(3));
    assert_eq!(session.offer(), None);
}
