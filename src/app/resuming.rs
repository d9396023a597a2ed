//! Questions about unfinished matches: whether to delete a match, and whether to quit with unsaved matches.

use super::Context;
use super::menu::Menu;
use super::screen::Effect;
use super::tasks::TerminalTask;
use super::text::shorten;
use super::unfinished::{Unfinished, UnfinishedId, index_of};
use quadrille_text::wording::list;

/// The maximum width of a friend's name in a question.
const MAX_NAME_WIDTH: usize = 12;

pub(super) fn ask_to_discard(context: &Context, id: &UnfinishedId) -> Option<Effect> {
    let unfinished = &context.unfinished[index_of(&context.unfinished, id)?];
    let (summary, guests) = (unfinished.summary(), unfinished.guests());
    let names = summary.names(usize::MAX);
    let facts = vec![summary.game.clone(), names, summary.facts().join("  ")];
    let (title, ends) = match &*guests {
        [] => ("Delete this match?".to_owned(), None),
        [friend] => {
            let friend = shorten(friend, MAX_NAME_WIDTH);
            (format!("Delete the match with {friend}?"), Some(format!("{friend}'s seat ends too.")))
        }
        friends => {
            let friends = list(friends.iter().map(|friend| shorten(friend, MAX_NAME_WIDTH)));
            ("Delete this match?".to_owned(), Some(format!("The seats of {friends} end too.")))
        }
    };
    let menu = Menu::new(title)
        .with_lines(facts.into_iter().chain(ends).collect())
        .no("Cancel")
        .yes("Delete", [Effect::Discard(id.clone())])
        .with_about("This cannot be undone.");
    Some(Effect::open(menu))
}

/// Asks whether to quit with unsaved matches; `None` if all matches are saved.
pub(super) fn ask_to_quit(context: &Context) -> Option<Effect> {
    let unsaved: Vec<&Unfinished> = context
        .unfinished
        .iter()
        .filter(|unfinished| matches!(unfinished, Unfinished::InMemory(..)))
        .collect();
    let summaries = unsaved.iter().map(|unfinished| unfinished.summary());
    let mut lines: Vec<String> =
        summaries.map(|summary| format!("{}  {}", summary.game, summary.names(8))).collect();
    let why = unsaved.iter().find_map(|unfinished| match unfinished {
        Unfinished::InMemory(_, open_match) => open_match.saved.not_in_journal.clone(),
        Unfinished::Stored(_) => None,
    });
    lines.truncate(4);
    lines.extend(why);
    let title = match unsaved.len() {
        0 => return None,
        1 => "A match is not saved".to_owned(),
        n => format!("{n} matches are not saved"),
    };
    let menu = Menu::new(title)
        .with_lines(lines)
        .no("Stay")
        .yes("Quit without saving", [Effect::run(TerminalTask::Quit)])
        .with_about("Unsaved matches are lost when you quit.");
    Some(Effect::open(menu))
}
