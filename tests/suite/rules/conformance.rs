//! One suite that checks every game of the catalogue for the properties that menus, records and engines rely on.

use crate::common::chance::Chance;
use crate::common::samples::samples;
use crate::common::untimed::Untimed;
use quadrille::app::OpenMatch;
use quadrille::board::{Glyphs, Skin, Viewer};
use quadrille_match::session::{Conditions, Step};
use quadrille_rules::{OptionSpec, Outcome, Seat, Setup, WordChoice};
use quadrille_scene::Lettering;
use quadrille_scene::cells::Placement;
use quadrille_table::catalogue::{GAMES, GameEntry};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

/// The number of games for each entry of the catalogue, over all its setups.
const GAMES_EACH: usize = 200;

/// The number of plies after which an endless game is aborted.
const PLIES: usize = 150;

const NONSENSE: [&str; 22] = [
    "",
    " ",
    "-",
    ",",
    "x",
    "H",
    "0",
    "é",
    "\0",
    "\u{202e}1-2",
    "H0,0 ",
    " H0,0",
    "1-2\n",
    "1–2",
    "H255,255",
    "V256,0",
    "Z26-Z1",
    "A1-A1-A1",
    "255,255-0,0",
    "255-254",
    "18446744073709551616-1",
    "H0,99999999999999999999",
];

/// The visible state of a match, except the moves undone.
#[derive(Clone, Debug, PartialEq)]
struct State {
    setup: Setup,
    seats: u8,
    ply: usize,
    to_move: Option<Seat>,
    outcome: Option<Outcome>,
    scores: Option<Vec<u32>>,
    facts: Vec<(&'static str, u64)>,
    legal: Vec<String>,
    moves: Vec<(Seat, String)>,
    board: String,
}

fn state(match_board: &OpenMatch) -> State {
    let game = match_board.current_match();
    State {
        setup: game.setup(),
        seats: game.seats(),
        ply: game.ply(),
        to_move: game.to_move(),
        outcome: game.outcome(),
        scores: game.scores().map(|scores| scores.to_vec()),
        facts: game.now().facts(),
        legal: game.legal_moves(),
        moves: game.moves().to_vec(),
        board: game.board(),
    }
}

fn open(entry: &'static GameEntry, setup: &Setup) -> OpenMatch {
    let opened = OpenMatch::opened(entry, setup, Conditions::default());
    opened.unwrap_or_else(|error| panic!("{}: {error}", entry.id))
}

/// Returns the setups for every game, and whether play may cycle.
fn setups() -> impl Iterator<Item = (&'static GameEntry, Vec<Setup>, bool)> {
    samples().map(|(entry, sample)| {
        let setups = sample.usual().map(|setup| setup.parse().unwrap());
        (entry, setups.collect(), sample.endless)
    })
}

/// Asserts a reason that fits on the status line.
fn assert_reason(reason: &str) {
    assert!(!reason.trim().is_empty() && !reason.ends_with('.'), "{reason:?} is no clause");
    assert!(!reason.contains(char::is_control), "{reason:?} is more than one line of text");
}

/// Asserts the invariants of a single position.
fn assert_sound(match_board: &OpenMatch, now: &State) {
    assert_eq!(match_board.current_match().now().validate(), Ok(()), "{now:?}");
    let sorted = now.legal.windows(2).all(|pair| pair[0] < pair[1]);
    assert!(sorted, "listed out of order, or twice: {now:?}");
    // Records separate moves by blanks and have comments in braces and after semicolons.
    let written =
        |text: &String| text.chars().all(|c| c.is_ascii_graphic() && !"(){};[]".contains(c));
    assert!(now.legal.iter().all(written), "not fit for a record: {now:?}");

    let over = now.to_move.is_none();
    assert_eq!((now.legal.is_empty(), now.outcome.is_some()), (over, over), "{now:?}");
    assert!((2..=8).contains(&now.seats), "{now:?}");
    let seated = |seat: Seat| seat.index() < usize::from(now.seats);
    assert!(now.to_move.is_none_or(seated), "{now:?}");
    if let Some(outcome) = now.outcome {
        assert!(outcome.winners().all(seated), "{now:?}");
    }
    if let Some(scores) = &now.scores {
        assert_eq!(scores.len(), usize::from(now.seats));
        assert!(now.outcome.is_none_or(|o| o == Outcome::from_scores(scores)), "{now:?}");
    }
    assert_eq!(now.moves.len(), now.ply);
    assert!(!now.board.is_empty() && !now.board.ends_with('\n'), "{:?}", now.board);
}

/// Asserts the invariants between a position and the next.
fn assert_follows(before: &State, mv: &str, after: &State) {
    assert_eq!(after.ply, before.ply + 1);
    assert_eq!((&after.setup, after.seats), (&before.setup, before.seats));
    let (last, earlier) = after.moves.split_last().unwrap();
    assert_eq!(earlier, before.moves);
    assert_eq!((Some(last.0), &*last.1), (before.to_move, mv));
    if let (Some(before), Some(after)) = (&before.scores, &after.scores) {
        assert!(before.iter().zip(after).all(|(b, a)| b <= a), "{before:?} {after:?}");
    }
}

/// Asserts that a text is played if its move is listed, and otherwise refused with a reason, without a change.
fn assert_played_if_listed(match_board: &mut OpenMatch, now: &State, text: &str) {
    let undone = match_board.current_match().undone();
    match match_board.play(text) {
        Ok(()) => {
            let after = state(match_board);
            let (_, written) = after.moves.last().unwrap();
            assert!(now.legal.contains(written), "{text:?} is not listed: {now:?}");
            assert_follows(now, written, &after);
            assert_eq!(match_board.current_match().now().validate(), Ok(()), "{text:?} in {now:?}");
            assert!(match_board.undo());
        }
        Err(refusal) => {
            assert!(!now.legal.iter().any(|mv| mv == text), "{text:?}: {refusal}: {now:?}");
            assert_reason(&refusal.to_string());
            assert_eq!(
                match_board.current_match().undone(),
                undone,
                "a refusal keeps what was undone"
            );
        }
    }
    assert_eq!(state(match_board), *now, "{text:?} left a trace");
}

fn misspelt(text: &str, chance: &mut Chance) -> String {
    const SLIPS: [char; 16] =
        ['0', '1', '2', '3', '4', '9', 'A', 'B', 'H', 'V', 'a', 'b', ',', '-', ' ', 'é'];
    let mut chars: Vec<char> = text.chars().collect();
    let slip = SLIPS[chance.below(SLIPS.len())];
    let place = chance.below(chars.len() + 1);
    match chance.below(3) {
        0 => chars.insert(place, slip),
        1 if place < chars.len() => chars[place] = slip,
        _ if place < chars.len() => drop(chars.remove(place)),
        _ => chars.reverse(),
    }
    chars.into_iter().collect()
}

/// Plays one random game, to its end or for at most `most` plies, and checks the invariants in every position. With
/// `all`, every one of `texts` is tried in each position, otherwise a few, some of them misspelt. Then everything is
/// undone, redone, and played anew from the contents of a record.
fn play(
    entry: &'static GameEntry,
    setup: &Setup,
    most: usize,
    texts: &[String],
    all: bool,
    seed: u64,
) {
    let mut chance = Chance(seed);
    let mut match_board = open(entry, setup);
    let mut states = vec![state(&match_board)];
    loop {
        let now = states.last().unwrap();
        assert_sound(&match_board, now);
        if all {
            for text in texts {
                assert_played_if_listed(&mut match_board, now, text);
            }
        }
        for _ in 0..3 {
            let text = chance.pick(texts).unwrap().clone();
            assert_played_if_listed(&mut match_board, now, &misspelt(&text, &mut chance));
            assert_played_if_listed(&mut match_board, now, &text);
        }
        if let Some((_, last)) = now.moves.last() {
            assert_played_if_listed(&mut match_board, now, last);
        }
        let Some(mv) = chance.pick(&now.legal).filter(|_| now.ply < most) else { break };
        match_board.play(mv).unwrap();
        assert_eq!(
            match_board.current_match().undone(),
            0,
            "a new move takes the place of those undone"
        );
        let after = state(&match_board);
        assert_follows(now, mv, &after);
        states.push(after);
    }

    let (end, earlier) = states.split_last().unwrap();
    // The last undone move is from the texts tried at the end.
    for before in earlier.iter().rev() {
        assert!(match_board.undo());
        assert_eq!(state(&match_board), *before, "undone");
    }
    assert!(!match_board.undo(), "nothing is before the start");
    for after in &states[1..] {
        assert!(match_board.redo());
        assert_eq!(state(&match_board), *after, "redone");
    }
    let written: Setup = end.setup.to_string().parse().unwrap();
    let mut again = open(entry, &written);
    for (_, mv) in &end.moves {
        again.play(mv).unwrap();
    }
    assert_eq!(state(&again), *end, "played anew");
}

/// Returns the texts to try with a setup: all moves of its start, which in these games are all moves on such a board,
/// the moves of the other games, and nonsense.
fn texts(entry: &'static GameEntry, setup: &Setup) -> Vec<String> {
    let strangers = GAMES.iter().filter(|other| other.id != entry.id).flat_map(|other| {
        let legal = open(other, &Setup::new()).current_match().legal_moves();
        legal.into_iter().take(3)
    });
    let own = open(entry, setup).current_match().legal_moves();
    own.into_iter().chain(strangers).chain(NONSENSE.map(str::to_owned)).collect()
}

#[test]
fn random_games_keep_every_invariant() {
    for (entry, setups, _) in setups() {
        for setup in &setups {
            let texts = texts(entry, setup);
            for seed in 0..GAMES_EACH.div_ceil(setups.len()) {
                play(entry, setup, PLIES, &texts, seed == 0, seed as u64);
            }
        }
    }
}

#[test]
fn every_game_without_repetition_ends() {
    for (entry, setups, _) in setups().filter(|(.., endless)| !endless) {
        for setup in setups {
            let mut chance = Chance(1);
            let mut match_board = open(entry, &setup);
            while let Some(mv) = chance.pick(&match_board.current_match().legal_moves()) {
                match_board.play(mv).unwrap();
                assert!(
                    match_board.current_match().ply() < 10_000,
                    "{} {setup} does not end",
                    entry.id
                );
            }
            assert!(match_board.current_match().outcome().is_some());
        }
    }
}

#[test]
fn agreed_draw_ends_any_game_until_undone() {
    for (entry, setups, _) in setups() {
        for setup in setups {
            let mut match_board = open(entry, &setup);
            for _ in 0..3 {
                let now = state(&match_board);
                if now.outcome.is_some() {
                    match_board.step(Step::OfferDraw).unwrap_err();
                    assert_eq!(state(&match_board), now, "what is over stays as it ended");
                    break;
                }
                match_board.agree_draw();
                let drawn = Some(Outcome::draw(now.seats));
                assert_eq!(
                    (match_board.current_match().to_move(), match_board.current_match().outcome()),
                    (None, drawn)
                );
                assert_eq!(
                    (match_board.current_match().legal_moves(), match_board.current_match().ply()),
                    (vec![], now.ply)
                );
                assert_reason(&match_board.play(&now.legal[0]).unwrap_err().to_string());
                assert!(match_board.undo());
                assert_eq!(state(&match_board), now);
                match_board.play(&now.legal[0]).unwrap();
            }
        }
    }
}

/// Returns a valid value of an option, or `None` if no value fits the other options, or it is free text.
fn value(option: &OptionSpec, chance: &mut Chance) -> Option<String> {
    match option {
        OptionSpec::Number(option) if option.min > option.max => None,
        OptionSpec::Number(option) => {
            let steps = (option.max - option.min) / option.step;
            let step = match chance.below(4) {
                0 => 0,
                1 => steps,
                _ => chance.below(steps as usize + 1) as u32,
            };
            Some((option.min + step * option.step).to_string())
        }
        OptionSpec::Choice(option) => chance.pick(option.choices).map(|choice| {
            let count = option.min + chance.below((option.max - option.min) as usize + 1) as u32;
            choice.form().replace('N', &count.to_string())
        }),
        OptionSpec::Text(_) => None,
    }
}

/// Returns invalid values of an option: those next to its range, and malformed ones.
fn wrong_values(option: &OptionSpec) -> Vec<String> {
    let outside = |min: u32, max: u32| {
        let below = min.checked_sub(1).map(|n| n.to_string());
        below.into_iter().chain([(u64::from(max) + 1).to_string()])
    };
    let nonsense = ["", "-1", "+2", "1.5", "0x2", "two", "٣", "18446744073709551618"];
    let mut wrong: Vec<String> = nonsense.map(str::to_owned).into();
    match option {
        OptionSpec::Number(option) => {
            wrong.extend(outside(option.min, option.max));
            wrong.push(format!("0{}", option.default));
            if option.step > 1 {
                wrong.push((option.min + 1).to_string());
            }
        }
        OptionSpec::Choice(option) => {
            for WordChoice { word, is_counted, .. } in option.choices {
                if *is_counted {
                    wrong.extend([(*word).to_owned(), format!("{word}:")]);
                    wrong.extend(outside(option.min, option.max).map(|n| format!("{word}:{n}")));
                } else {
                    wrong.push(format!("{word}:{}", option.min));
                }
            }
        }
        // Only the game knows the form of such a text.
        OptionSpec::Text(_) => wrong.clear(),
    }
    wrong
}

/// Returns a random setup: each option gets one of the values that the preceding options allow.
fn drawn_setup(entry: &'static GameEntry, chance: &mut Chance) -> Setup {
    let mut setup = Setup::new();
    let mut index = 0;
    while let Some(option) = (entry.options)(&setup).get(index) {
        let given = value(option, chance).filter(|_| chance.below(4) > 0);
        if let Some(value) = given {
            setup.set(option.name(), value);
        }
        index += 1;
    }
    setup
}

#[test]
fn options_describe_valid_setups() {
    for entry in &GAMES {
        let mut chance = Chance(7);
        for round in 0..60 {
            let setup = drawn_setup(entry, &mut chance);
            let options = (entry.options)(&setup);
            let possible = !options
                .iter()
                .any(|option| matches!(option, OptionSpec::Number(n) if n.min > n.max));
            match OpenMatch::opened(entry, &setup, Conditions::default()) {
                Ok(match_board) => {
                    assert!(possible, "{} {setup} leaves an option without a value", entry.id);
                    assert_setup_is_complete(entry, &match_board);
                }
                Err(error) => {
                    assert!(!possible, "{} {setup}: {error}", entry.id);
                    assert_reason(&error.to_string());
                    assert!(options.iter().any(|option| error.to_string().contains(option.name())));
                    continue;
                }
            }
            if round < 20 {
                play(entry, &setup, 3, &texts(entry, &setup), false, round);
            }
            for option in &options {
                for value in wrong_values(option) {
                    let name = option.name();
                    let wrong = setup.clone().with(name, &value);
                    let Err(error) = (entry.start)(&wrong) else {
                        panic!("{} takes {wrong}, which {} is not", entry.id, option.values())
                    };
                    let error = error.to_string();
                    assert!(error.contains(&format!("{name}={value}")), "{wrong}: {error}");
                    assert_reason(&error);
                }
            }
        }
    }
}

/// Asserts that the setup of a match opens the same match, and has only the options of the game.
fn assert_setup_is_complete(entry: &'static GameEntry, match_board: &OpenMatch) {
    let setup = match_board.current_match().setup();
    let options = (entry.options)(&setup);
    for word in setup.to_string().split_whitespace() {
        let (name, _) = word.split_once('=').unwrap();
        assert!(
            options.iter().any(|option| option.name() == name),
            "{} has no option {name}",
            entry.id
        );
    }
    let read: Setup = setup.to_string().parse().unwrap();
    assert_eq!(read, setup);
    assert_eq!(state(&open(entry, &read)), state(match_board));
}

#[test]
fn every_setup_is_written_completely() {
    for (entry, setups, _) in setups() {
        for setup in setups {
            assert_setup_is_complete(entry, &open(entry, &setup));
        }
    }
}

#[test]
fn explicit_default_equals_the_default_setup() {
    for entry in &GAMES {
        let default = open(entry, &Setup::new()).current_match().setup();
        for option in (entry.options)(&Setup::new()) {
            if !matches!(option, OptionSpec::Text(_)) {
                let given = Setup::new().with(option.name(), option.default());
                assert_eq!(
                    open(entry, &given).current_match().setup(),
                    default,
                    "{} {given}",
                    entry.id
                );
            }
        }
    }
}

#[test]
fn shorthand_sets_its_options_and_excludes_them() {
    for entry in &GAMES {
        let options = (entry.options)(&Setup::new());
        let shorthands = options.iter().filter_map(|option| Some((option, option.shorthand()?)));
        for (option, shorthand) in shorthands {
            let OptionSpec::Number(number) = option else { panic!("only numbers have shorthands") };
            let set = Setup::new().with(shorthand, number.min);
            let setup = open(entry, &set).current_match().setup();
            assert_eq!(setup.get(option.name()), Some(&*number.min.to_string()), "{}", entry.id);
            let error =
                (entry.start)(&set.with(option.name(), number.min)).err().unwrap().to_string();
            assert!(error.contains(option.name()) && error.contains(shorthand), "{error}");
        }
    }
}

#[test]
fn unknown_setup_option_is_refused_by_name() {
    for entry in &GAMES {
        let error = (entry.start)(&Setup::new().with("colour", "red")).err().unwrap().to_string();
        assert!(error.starts_with("colour=red: "), "{}: {error}", entry.id);
        for option in (entry.options)(&Setup::new()) {
            assert!(error.contains(option.name()), "{error} does not name {}", option.name());
        }
    }
}

/// Asserts that the text fits in these columns, and has no glyph that some terminals show two columns wide.
fn assert_fits(text: &str, columns: usize) {
    assert!(text.width() <= columns && text.width() == text.width_cjk(), "{text:?}");
    assert!(!text.contains(char::is_control) && text.trim_end() == text, "{text:?}");
}

#[test]
fn every_catalogue_entry_is_complete_and_unique() {
    for (index, entry) in GAMES.iter().enumerate() {
        let twin =
            GAMES[..index].iter().any(|other| (other.id, other.name) == (entry.id, entry.name));
        assert!(!twin, "{} is in the catalogue twice", entry.id);
        assert!(
            entry.id.bytes().all(|b| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit())
        );
        assert!(!entry.name.is_empty() && !entry.tagline.is_empty());
        assert!(entry.how_to_move.ends_with('.'), "{}", entry.how_to_move);
        assert_fits(entry.name, 24);
        assert_fits(entry.tagline, 60);
        let sample = Viewer::sample(entry);
        let sample = sample.unwrap_or_else(|| panic!("{:?} cannot be played", entry.sample));
        // The space on the smallest card of the home screen.
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 6));
        let scene = sample.board.still();
        Placement::new(&scene, None, Lettering::None, buffer.area)
            .draw(&mut buffer, Skin::default());
        let scrolls = |cell: &Cell| {
            Glyphs::NARROW.scroll.iter().any(|glyph| cell.symbol() == glyph.to_string())
        };
        assert!(!buffer.content.iter().any(scrolls), "{} has no room on its card", entry.id);
        let options = (entry.options)(&Setup::new());
        for option in &options {
            assert!(
                !option.name().is_empty()
                    && !option.help().is_empty()
                    && !option.values().is_empty()
            );
            assert_fits(option.help(), 76);
        }
        let match_board = open(entry, &Setup::new());
        assert_eq!(match_board.current_match().id(), entry.id);
        let seats = match_board.current_match().seats();
        let marks: Vec<char> = (0..seats)
            .map(|seat| match_board.current_match().now().mark(Seat::new(seat)))
            .collect();
        assert!((1..marks.len()).all(|i| !marks[..i].contains(&marks[i])), "{marks:?}");
    }
}

/// The rules fit 80 columns, and their examples of moves are valid moves.
#[test]
fn rules_fit_80_columns_and_show_a_legal_move() {
    for entry in &GAMES {
        assert!(entry.rules.starts_with(entry.name), "{} is not named first", entry.id);
        assert!(entry.rules.lines().count() <= 45, "{} goes on too long", entry.id);
        assert!(entry.rules.ends_with('\n') && !entry.rules.contains("\n\n\n"));
        entry.rules.lines().for_each(|line| assert_fits(line, 76));
        let legal = open(entry, &Setup::new()).current_match().legal_moves();
        let words = entry.rules.split(|c: char| c.is_whitespace() || ".:;".contains(c));
        let example = words.into_iter().any(|word| legal.iter().any(|mv| mv == word));
        assert!(example, "{} shows no move", entry.id);
    }
}

#[test]
fn readme_lists_every_game() {
    let readme = include_str!("../../../README.md");
    let rows: Vec<&str> = readme.lines().filter(|row| row.contains("| `quadrille play ")).collect();
    for entry in GAMES {
        let row = format!("| {} | `quadrille play {}` | ", entry.name, entry.id);
        assert!(rows.iter().any(|known| known.starts_with(&row)), "the README has no row {row}");
    }
    assert_eq!(rows.len(), GAMES.len(), "{rows:?}");
}

#[test]
fn level_matches_outlast_their_openings() {
    for (entry, sample) in samples() {
        assert!(!sample.level_matches.is_empty(), "{} has none", entry.id);
        for &(setup, opening) in sample.level_matches {
            for seed in 1..20 {
                let words: Setup = setup.replace("SEED", &seed.to_string()).parse().unwrap();
                let mut game = (entry.start)(&words).unwrap();
                let mut chance = Chance(seed);
                for _ in 0..opening {
                    let mv = chance.pick(&game.legal_moves()).unwrap().clone();
                    game.play(&mv).unwrap();
                }
                assert!(game.to_move().is_some(), "{} {setup}", entry.id);
            }
        }
    }
}
