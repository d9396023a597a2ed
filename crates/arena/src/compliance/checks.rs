//! The individual checks.

use super::all_games;
use super::program::{CheckResult, REPLY_TIMEOUT, TestedProgram, position, time};
use fastrand::Rng;
use quadrille_match::session::{Forfeit, Match};
use quadrille_rules::Setup;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::engine::ugi::{Clock, Command, Go, OptionKind};
use quadrille_table::play::program::GRACE;
use std::time::{Duration, Instant};

/// The number of positions per game in which the program must find a move.
const POSITIONS: usize = 12;
/// The maximum length of a test game, in plies: some games never end.
const PLIES: usize = 120;
/// The move time in checks that do not measure time.
const A_MOVE: Duration = Duration::from_millis(50);
/// How long the program is watched for unexpected output.
const SILENCE: Duration = Duration::from_millis(300);
/// The timeout for the reply to `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

type CheckFn = fn(&mut TestedProgram, &GameEntry) -> CheckResult;

/// The checks that are run on a single game.
pub(super) const ALL: [(&str, CheckFn); 9] = [
    ("time kept", time_kept),
    ("clock kept", clock_kept),
    ("infinite and stop", infinite),
    ("nothing after bestmove", nothing_after),
    ("bestmove none", over),
    ("stop between moves", stop_between),
    ("unknown lines", unknown_lines),
    ("ends with quit", quit),
    ("ends with its input", closed_input),
];

/// The program's options can be parsed, and it supports at least one of Quadrille's games.
pub(super) fn options(program: &TestedProgram, game: Option<&GameEntry>) -> CheckResult {
    if let Some(bad) = program.bad_options.first() {
        return Err(bad.clone());
    }
    let options = &program.options;
    for (at, option) in options.iter().enumerate() {
        if options[..at].iter().any(|other| other.is_called(&option.name)) {
            return Err(format!("{} is declared twice", option.name));
        }
        let default = match &option.kind {
            OptionKind::Spin { default, .. } => option.accept(Some(&default.to_string())),
            OptionKind::Combo { default, .. } => option.accept(Some(default)),
            OptionKind::Check { .. } | OptionKind::Button | OptionKind::Text { .. } => continue,
        };
        default.map_err(|why| format!("its default is not one of its values: {why}"))?;
    }
    let games = program.games();
    let names: Vec<&str> = games.iter().map(|game| game.id).collect();
    match game {
        _ if games.is_empty() => Err(format!("Game lists none of our games: {}", all_games())),
        Some(game) if !names.contains(&game.id) => {
            Err(format!("Game does not name {}, only {}", game.id, names.join(", ")))
        }
        _ => Ok(format!("{}, for {}", options.len(), names.join(", "))),
    }
}

/// The program answers `isready` after its setup.
pub(super) fn ready(program: &mut TestedProgram, game: &GameEntry) -> CheckResult {
    let begun = Instant::now();
    program.start(game)?;
    Ok(time(begun.elapsed()))
}

/// The program finds a legal move in random positions.
pub(super) fn legal_moves(
    program: &mut TestedProgram,
    entry: &GameEntry,
    rng: &mut Rng,
) -> CheckResult {
    // The second setup has a different size and may start with pieces on the board.
    for words in ["", entry.sample.0] {
        let setup: Setup = words.parse().map_err(|error| format!("{error}"))?;
        let setup = (entry.start)(&setup).map_err(|error| error.to_string())?.setup();
        program.set_up(entry, &setup)?;
        for _ in 0..POSITIONS / 2 {
            let mut game = (entry.start)(&setup).map_err(|error| error.to_string())?;
            while game.to_move().is_some() && game.ply() < PLIES {
                play_by_chance(&mut game, rng)?;
            }
            game.go_to_ply(rng.usize(..game.ply().max(1)));
            if game.to_move().is_none() {
                continue;
            }
            program.go(&game, move_time(A_MOVE))?;
            program.moves(&mut game, REPLY_TIMEOUT)?;
        }
    }
    Ok(format!("{POSITIONS} positions"))
}

fn play_by_chance(game: &mut Match, rng: &mut Rng) -> Result<(), String> {
    let mv = rng.choice(game.legal_moves()).ok_or("the game has no moves")?;
    game.play(&mv).map_err(|refusal| refusal.to_string())
}

/// The program plays a whole game against random moves.
pub(super) fn whole_game(
    program: &mut TestedProgram,
    entry: &GameEntry,
    rng: &mut Rng,
) -> CheckResult {
    let mut game = program.start(entry)?;
    let own = rng.usize(..2);
    while let Some(seat) = game.to_move()
        && game.ply() < PLIES
    {
        if seat.index() == own {
            program.go(&game, move_time(A_MOVE))?;
            program.moves(&mut game, REPLY_TIMEOUT)?;
        } else {
            play_by_chance(&mut game, rng)?;
        }
    }
    Ok(format!("{} moves", game.ply()))
}

fn move_time(time: Duration) -> Go {
    Go { move_time: Some(time), ..Go::default() }
}

/// Sets up the program and makes it choose a move. Returns the time taken.
fn first_move(program: &mut TestedProgram, entry: &GameEntry, go: Go) -> Result<Duration, String> {
    let mut game = program.start(entry)?;
    program.go(&game, go)?;
    program.moves(&mut game, REPLY_TIMEOUT)
}

fn time_kept(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    let mut said = String::new();
    for most in [20, 100, 500].map(Duration::from_millis) {
        let took = first_move(program, entry, move_time(most))?;
        said = in_time(took, most, program.margin())?;
    }
    Ok(said)
}

/// Checks the time that a move took against its limit.
fn in_time(took: Duration, most: Duration, margin: Duration) -> CheckResult {
    let said = format!("go movetime {} took {}", most.as_millis(), time(took));
    if took > most + margin {
        return Err(format!("{said}; {} more lose the game", time(margin)));
    }
    Ok(said)
}

fn clock_kept(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    let left = Duration::from_secs(2);
    let seats = program.start(entry)?.seats();
    let mut go = Go::default();
    go.clocks[..usize::from(seats)].fill(Some(Clock { left, increment: Duration::ZERO }));
    let words = go.to_string();
    let took = first_move(program, entry, go)?;
    let said = format!("{words} took {}", time(took));
    if took > left { Err(format!("{said}, and the clock is out")) } else { Ok(said) }
}

fn infinite(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    let mut game = program.start(entry)?;
    program.go(&game, Go { infinite: true, ..Go::default() })?;
    let silent = Instant::now() + SILENCE;
    while Instant::now() < silent {
        if let Some(line) = program.listen(silent.saturating_duration_since(Instant::now()))?
            && line.trim_start_matches(['"', ' ']).starts_with("bestmove")
        {
            return Err(format!("it sent {line} before stop; go infinite must last until stop"));
        }
    }
    program.send(&[Command::Stop])?;
    let took = program.moves(&mut game, REPLY_TIMEOUT)?;
    if took > STOP_TIMEOUT {
        return Err(format!("it took {} to stop; the limit is {}", time(took), time(STOP_TIMEOUT)));
    }
    Ok(format!("stopped in {}", time(took)))
}

fn nothing_after(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    first_move(program, entry, move_time(A_MOVE))?;
    match program.listen(SILENCE)? {
        Some(line) => Err(format!("it sent {line} after bestmove without a question")),
        None => Ok(String::new()),
    }
}

/// The program answers `bestmove none` when the game is over.
fn over(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    let mut game = program.start(entry)?;
    let rng = &mut Rng::with_seed(2);
    while game.to_move().is_some() {
        // Random moves may repeat positions forever.
        if game.ply() > 100 * PLIES {
            return Ok("not checked".to_owned());
        }
        play_by_chance(&mut game, rng)?;
    }
    program.go(&game, move_time(A_MOVE))?;
    match program.best_move(REPLY_TIMEOUT)?.0 {
        None => Ok(String::new()),
        Some(mv) => Err(format!("bestmove {mv:?} where the game is over, in {}", position(&game))),
    }
}

fn stop_between(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    program.start(entry)?;
    program.send(&[Command::Stop])?;
    match program.listen(SILENCE)? {
        Some(line) => Err(format!("it answered stop with {line} while it was idle")),
        None => program.ready().map(|()| String::new()),
    }
}

fn unknown_lines(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    let mut game = program.start(entry)?;
    for line in ["", "xyzzy", "setoption name Nobody Knows value 1", "\u{e4}\u{1f600} \t go away"] {
        program.write(Some(line))?;
        program.ready().map_err(|why| format!("{why}, after the line {line:?}"))?;
    }
    program.go(&game, move_time(A_MOVE))?;
    program.moves(&mut game, REPLY_TIMEOUT).map(|_| String::new())
}

fn quit(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    program.start(entry)?;
    program.send(&[Command::Quit])?;
    ended(program, "quit")
}

fn closed_input(program: &mut TestedProgram, entry: &GameEntry) -> CheckResult {
    program.start(entry)?;
    program.write(None)?;
    ended(program, "the end of its input")
}

fn ended(program: &mut TestedProgram, by: &str) -> CheckResult {
    match program.ends(GRACE)? {
        Some(Forfeit::Exited(0)) => {
            program.end();
            Ok(String::new())
        }
        Some(why) => Err(format!("{why} after {by}, not with 0")),
        None => Err(format!("it still runs {} after {by}", time(GRACE))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_table::play::program::Patience;

    #[test]
    fn move_may_be_as_late_as_in_a_match() {
        let Patience { margin, .. } = Patience::default();
        let check = |took, most| {
            let [took, most] = [took, most].map(Duration::from_millis);
            in_time(took, most, margin)
        };
        assert_eq!(check(70, 20), Ok("go movetime 20 took 70 ms".to_owned()));
        let late = "go movetime 20 took 71 ms; 50 ms more lose the game".to_owned();
        assert_eq!(check(71, 20), Err(late));
        assert!(check(550, 500).is_ok() && check(551, 500).is_err());
    }
}
