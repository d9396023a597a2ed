//! `quadrille turns`: prints what waits for the host in matches with days per move.

use super::{Failure, unless_closed};
use quadrille_net::agenda::{AgendaItem, AgendaMatch, sorted};
use quadrille_net::agenda_files::Agenda;
use quadrille_system::{calendar, folders};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// List what waits for you in matches with days per move
///
/// Prints one line each: results first, then turns, questions and claims by deadline. The exit status is 0 if something
/// waits, 1 if nothing does, and 2 after an error. It is quick, starts no process and writes no file, so prompts, status
/// lines and login scripts can call it.
#[derive(Debug, clap::Args)]
pub(super) struct TurnsArgs {
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

/// An item with its match.
#[derive(Serialize)]
struct ListedItem<'a> {
    table: &'a str,
    game: &'a str,
    players: &'a [Option<String>],
    moves: usize,
    #[serde(flatten)]
    item: &'a AgendaItem,
}

impl<'a> From<(&'a AgendaMatch, &'a AgendaItem)> for ListedItem<'a> {
    fn from((one, item): (&'a AgendaMatch, &'a AgendaItem)) -> ListedItem<'a> {
        let AgendaMatch { table, game, players, moves, .. } = one;
        ListedItem { table, game, players, moves: *moves, item }
    }
}

pub(super) fn run(args: &TurnsArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let fail = |why: String| anyhow::Error::from(Failure(why));
    folders::state().map_err(|why| fail(why.to_string()))?;
    let Agenda { matches, errors } = Agenda::of_host(calendar::moment());
    let items = sorted(&matches);
    let text = if args.json {
        let listed: Vec<ListedItem> = items.iter().copied().map(ListedItem::from).collect();
        serde_json::to_string_pretty(&listed).map_err(|why| fail(why.to_string()))? + "\n"
    } else {
        items.iter().flat_map(|(one, item)| [one.line([*item]), "\n".to_owned()]).collect()
    };
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    unless_closed(printed.map_err(Into::into)).map_err(|why| fail(format!("stdout: {why}")))?;
    match errors.first() {
        Some(why) => Err(fail(why.clone())),
        None if items.is_empty() => Ok(ExitCode::from(1)),
        None => Ok(ExitCode::SUCCESS),
    }
}
