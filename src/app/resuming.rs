//! What is done with unfinished matches: they are resumed, deleted, or asked about before the program ends.

use super::Context;
use super::menu::{Menu, MenuChoice};
use super::screen::Act;
use super::tasks::DiskTask;
use super::text::wrap;
use super::unfinished::{Unfinished, UnfinishedId, index_of};

/// Resumes a match, or shows it again if it is over.
pub(super) fn resume(context: &mut Context, id: &UnfinishedId) -> Vec<Act> {
    let Some(index) = index_of(&context.unfinished, id) else { return Vec::new() };
    match context.unfinished.remove(index) {
        Unfinished::InMemory(_, open_match) => {
            // It may be possible to save it now.
            vec![Act::open(*open_match), Act::run(DiskTask::Save)]
        }
        Unfinished::Stored(saved) => vec![Act::run(DiskTask::Resume(saved.id))],
    }
}

/// Asks whether a match is to be deleted; [`MenuChoice::Delete`] comes back if so.
pub(super) fn ask_to_discard(context: &Context, id: &UnfinishedId) -> Option<Act> {
    let summary = context.unfinished[index_of(&context.unfinished, id)?].summary();
    let names = summary.names(usize::MAX, context.skin);
    let entries =
        [("Keep it".to_owned(), MenuChoice::Close), ("Delete it".to_owned(), MenuChoice::Delete)];
    let menu = Menu::new("Delete this match?", entries.into());
    let menu = menu.with_lines(vec![summary.game.clone(), names, summary.facts().join("  ")]);
    let menu = menu.with_about("A deleted match cannot be restored.");
    Some(Act::open(menu))
}

/// Deletes a match, if it is still there.
pub(super) fn discard(context: &mut Context, id: &UnfinishedId) -> Vec<Act> {
    let Some(index) = index_of(&context.unfinished, id) else { return Vec::new() };
    let saved = context.unfinished.remove(index).stored_id().cloned();
    saved.map(|id| Act::run(DiskTask::Discard(id))).into_iter().collect()
}

/// Asks whether the program is to end although some matches are not saved; `None` if all are.
pub(super) fn ask_to_quit(context: &Context) -> Option<Act> {
    let unsaved: Vec<&Unfinished> = context
        .unfinished
        .iter()
        .filter(|unfinished| matches!(unfinished, Unfinished::InMemory(..)))
        .collect();
    let summaries = unsaved.iter().map(|unfinished| unfinished.summary());
    let mut lines: Vec<String> = summaries
        .map(|summary| format!("{}  {}", summary.game, summary.names(8, context.skin)))
        .collect();
    let why = unsaved.iter().find_map(|unfinished| match unfinished {
        Unfinished::InMemory(_, open_match) => open_match.saved.not_in_journal.clone(),
        Unfinished::Stored(_) => None,
    });
    lines.truncate(4);
    lines.extend(why.iter().flat_map(|why| wrap(why, 38, 3, context.skin)));
    let title = match unsaved.len() {
        0 => return None,
        1 => "A match is not saved".to_owned(),
        n => format!("{n} matches are not saved"),
    };
    let entries = [
        ("Stay".to_owned(), MenuChoice::Close),
        ("Quit without saving".to_owned(), MenuChoice::Quit),
    ];
    let menu = Menu::new(title, entries.into()).with_lines(lines);
    let menu = menu.with_about("What is not saved is lost when the program ends.");
    Some(Act::open(menu))
}
