//! Carries out the effects that screens request.

use super::App;
use super::destination::Destination;
use super::navigation;
use super::news::News;
use super::resuming;
use super::screen::{Effect, Input, Screen};
use super::stack_entry::StackEntry;
use super::tasks::{DiskTask, Task, TerminalTask};
use super::unfinished::{Unfinished, UnfinishedId, index_of};
use crate::view::Announcement;

impl App {
    /// Carries out the effects in order. Returns the tasks that the caller must perform.
    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<Task> {
        if let Some(open_match) = self.stack.iter().rev().find_map(|screen| screen.open_match()) {
            self.context.series_log.record(open_match);
        }
        let mut tasks = Vec::new();
        for effect in effects {
            self.apply(effect, &mut tasks);
        }
        self.start_animations();
        // At a shared table, the key that uncovers the result did not end the match, so the timer shows the result.
        if self.peers().is_none() {
            tasks.extend(self.show_result());
        }
        tasks
    }

    fn apply_all(&mut self, effects: Option<Vec<Effect>>, tasks: &mut Vec<Task>) {
        effects.into_iter().flatten().for_each(|effect| self.apply(effect, tasks));
    }

    fn apply(&mut self, effect: Effect, tasks: &mut Vec<Task>) {
        if !matches!(effect, Effect::Run(_) | Effect::Set(_)) {
            // The click targets belong to the previous screen.
            self.targets.clear();
        }
        match effect {
            Effect::Open(destination) => {
                let effects = self.send_input(Input::Pause);
                self.apply_all(effects, tasks);
                self.push(destination);
            }
            Effect::Replace(destination) => {
                self.pop(tasks);
                self.push(destination);
            }
            Effect::Pop if self.stack.len() == 1 => {
                match resuming::ask_to_quit(&self.context) {
                    // The question does not fit on a cramped screen.
                    Some(ask) if !self.cramped.get() => self.apply(ask, tasks),
                    _ => tasks.push(TerminalTask::Quit.into()),
                }
            }
            Effect::Pop => self.pop(tasks),
            Effect::Perform(action) => {
                let effects = self.send_input(Input::Action(action));
                self.apply_all(effects, tasks);
            }
            Effect::Command(command) => {
                let effects = self.send_input(Input::Command(&*command));
                self.apply_all(effects, tasks);
            }
            Effect::Resume(id) => match self.take_unfinished(&id) {
                Some(Unfinished::InMemory(_, open_match)) => {
                    self.push_screen(navigation::match_screen(*open_match));
                    // Retry the save: the earlier error may no longer apply.
                    tasks.push(DiskTask::Save.into());
                }
                Some(Unfinished::Stored(saved)) => tasks.push(DiskTask::Resume(saved.id).into()),
                None => {}
            },
            Effect::Discard(id) => {
                let discarded = self.take_unfinished(&id);
                let stored = discarded.as_ref().and_then(Unfinished::stored_id).cloned();
                tasks.extend(stored.map(|id| DiskTask::Discard(id).into()));
                self.send_news(News::Unfinished);
            }
            Effect::Set(settings) => {
                tasks.extend(self.context.change(*settings));
                self.apply_settings();
            }
            Effect::Run(task) => {
                if let Task::Disk(DiskTask::Append(events)) = &task {
                    for event in events {
                        self.context.progress.add(event.clone());
                    }
                }
                tasks.push(task);
            }
        }
    }

    /// Removes an unfinished match from the list, if present.
    fn take_unfinished(&mut self, id: &UnfinishedId) -> Option<Unfinished> {
        let index = index_of(&self.context.unfinished, id)?;
        Some(self.context.unfinished.remove(index))
    }

    pub(super) fn push(&mut self, destination: Destination) {
        let screen = navigation::screen(destination, &mut self.context);
        self.push_screen(screen);
    }

    pub(super) fn push_screen(&mut self, mut screen: Box<dyn Screen>) {
        screen.input(Input::Settings, &mut self.context);
        self.stack.push(StackEntry { id: self.next_id, screen });
        self.next_id += 1;
    }

    /// Leaves the top screen. A match with unsaved moves stays in memory until it can be saved.
    pub(super) fn pop(&mut self, tasks: &mut Vec<Task>) {
        self.pause();
        let Some(open_match) = self.stack.pop().and_then(|layer| layer.screen.leave()) else {
            return;
        };
        if open_match.is_left_unfinished() {
            let how = if open_match.can_be_lost() { "match not saved yet" } else { "match saved" };
            let words = format!("{how}; resume continues it");
            self.context.announcements.add(Announcement::Event(words));
        }
        if open_match.can_be_lost() {
            self.context.in_memory += 1;
            let left = Unfinished::InMemory(self.context.in_memory, Box::new(open_match));
            self.context.unfinished.insert(0, left);
        }
        tasks.push(DiskTask::Close.into());
        self.send_news(News::MatchLeft);
    }
}
