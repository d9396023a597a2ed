//! Follows the match of a shared table.

use super::news::News;
use super::screen::Input;
use super::stack_entry::StackEntry;
use super::{App, Task};
use quadrille_match::session::Actor;
use quadrille_table::play::{Peers, Table, TableNews};

impl App {
    /// Passes the match of a shared table to `follow`, which updates the match and returns the news. Returns tasks,
    /// like [`App::update`].
    pub fn follow_table(
        &mut self,
        follow: impl FnOnce(&mut Table) -> Vec<TableNews>,
    ) -> Option<Vec<Task>> {
        self.notice_own_changes();
        let screen = self.stack.iter_mut().rev().find(|screen| is_remote(screen))?;
        let open_match = screen.open_match_mut()?;
        let (was_up, clock_was_running) =
            open_match.peers().map(|peers| (peers.is_up(), peers.time_runs))?;
        let news = follow(&mut open_match.change());
        if news.is_empty() {
            return None;
        }
        let clock_starts = was_up && !clock_was_running && runs_own_clock(open_match);
        let is_own = was_up && is_own_doing(open_match, &news);
        let effects = screen.input(Input::News(News::Table(&news)), &mut self.context)?;
        let screens = self.stack.len();
        let has_joined =
            news.iter().any(|news| matches!(news, TableNews::Joined(_) | TableNews::Returned(_)));
        if has_joined {
            // A warning may cover the invitation.
            let news = || Input::News(News::GuestJoined);
            self.stack.retain_mut(|screen| screen.input(news(), &mut self.context).is_none());
        }
        let mut tasks = self.carry_out(effects);
        let mut report = news.iter().rev().find_map(report);
        if clock_starts {
            let note = self.page_note().map(str::to_owned);
            while self.stack.last().is_some_and(|top| !is_remote(top)) {
                self.pop(&mut tasks);
            }
            report = Some(match report.as_deref().or(note.as_deref()) {
                Some(words) => format!("{words}; the clock is running"),
                None => "The clock is running".to_owned(),
            });
        }
        if self.stack.len() < screens {
            self.targets.clear();
        } else if is_own {
            self.begin_own_changes();
        }
        if let Some(words) = self.question_note(&news).or_else(|| report.clone())
            && let Some(page) = self.stack.get(self.lowest_shown()).filter(|page| !is_remote(page))
        {
            self.page_note = Some((page.id, words));
        }
        self.record_report(report);
        // Pages over the match may have closed.
        tasks.extend(self.show_result());
        Some(tasks)
    }

    /// Returns what a page over the match says about the last question that was asked or settled there.
    fn question_note(&self, news: &[TableNews]) -> Option<String> {
        let table = self.stack.iter().rev().find(|screen| is_remote(screen))?.open_match()?;
        news.iter().rev().find_map(|news| match news {
            TableNews::Asked(number) => {
                let open = table.peers()?.to_answer().find(|open| open.number == *number)?;
                Some(format!("{}; Esc to answer", table.describe_question(open)))
            }
            TableNews::Settled(words) => Some(words.clone()),
            _ => None,
        })
    }

    /// Returns the news of the match under the page on the screen.
    pub(super) fn page_note(&self) -> Option<&str> {
        let (id, words) = self.page_note.as_ref()?;
        (self.stack.get(self.lowest_shown())?.id == *id).then_some(words)
    }
}

fn is_remote(screen: &StackEntry) -> bool {
    screen.open_match().is_some_and(|open_match| open_match.peers().is_some())
}

/// Returns whether a clock runs for a player at this terminal.
fn runs_own_clock(table: &Table) -> bool {
    let runs = table.peers().is_some_and(|peers| peers.time_runs);
    runs && table.session().fischer_clock().is_some() && !table.local().is_empty()
}

/// Returns whether the news is the table's answer to a key pressed here: a step of a player at this terminal, or a new
/// match to which this terminal agreed last.
fn is_own_doing(table: &Table, news: &[TableNews]) -> bool {
    let is_step = || match table.session().log().last().map(|last| last.by) {
        Some(Actor::Seat(seat)) => table.local().contains(seat),
        _ => false,
    };
    news.contains(&TableNews::Stepped) && is_step()
        || news.contains(&TableNews::Restarted) && table.peers().is_some_and(Peers::has_agreed_last)
}

/// Says what happened, for news that can change the screen.
fn report(news: &TableNews) -> Option<String> {
    match news {
        TableNews::Joined(name) => Some(format!("{name} joined")),
        TableNews::Returned(name) => Some(format!("{name} is back")),
        TableNews::Restarted => Some("New match".to_owned()),
        _ => None,
    }
}
