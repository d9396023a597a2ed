//! Carries out the acts that screens request.

use super::App;
use super::destination::Destination;
use super::navigation;
use super::news::News;
use super::resuming;
use super::screen::{Act, Input, Screen};
use super::stack_entry::StackEntry;
use super::tasks::{DiskTask, Task, TerminalTask};
use super::unfinished::{Unfinished, UnfinishedId, index_of};

impl App {
    /// Carries out the acts in order. Returns the tasks that the caller must perform.
    pub(super) fn carry_out(&mut self, acts: Vec<Act>) -> Vec<Task> {
        if let Some(open_match) = self.stack.iter().rev().find_map(|screen| screen.open_match()) {
            self.context.evening.note(open_match);
        }
        let mut tasks = Vec::new();
        for act in acts {
            self.act(act, &mut tasks);
        }
        self.start_animations();
        tasks
    }

    fn act_all(&mut self, acts: Option<Vec<Act>>, tasks: &mut Vec<Task>) {
        acts.into_iter().flatten().for_each(|act| self.act(act, tasks));
    }

    fn act(&mut self, act: Act, tasks: &mut Vec<Task>) {
        if !matches!(act, Act::Run(_) | Act::Set(_)) {
            // The click targets belong to the previous screen.
            self.context.targets.clear();
        }
        match act {
            Act::Open(destination) => {
                let acts = self.tell(Input::Pause);
                self.act_all(acts, tasks);
                self.push(destination);
            }
            Act::Replace(destination) => {
                self.pop(tasks);
                self.push(destination);
            }
            Act::Pop if self.stack.len() == 1 => {
                match resuming::ask_to_quit(&self.context) {
                    // The question does not fit on a cramped screen.
                    Some(ask) if !self.cramped.get() => self.act(ask, tasks),
                    _ => tasks.push(TerminalTask::Quit.into()),
                }
            }
            Act::Pop => self.pop(tasks),
            Act::Perform(action) => {
                let acts = self.tell(Input::Action(action));
                self.act_all(acts, tasks);
            }
            Act::Command(command) => {
                let acts = self.tell(Input::Command(&*command));
                self.act_all(acts, tasks);
            }
            Act::Resume(id) => match self.take_unfinished(&id) {
                Some(Unfinished::InMemory(_, open_match)) => {
                    self.push_screen(navigation::match_screen(*open_match));
                    // Retry the save: the earlier error may no longer apply.
                    tasks.push(DiskTask::Save.into());
                }
                Some(Unfinished::Stored(saved)) => tasks.push(DiskTask::Resume(saved.id).into()),
                None => {}
            },
            Act::Discard(id) => {
                let discarded = self.take_unfinished(&id);
                let stored = discarded.as_ref().and_then(Unfinished::stored_id).cloned();
                tasks.extend(stored.map(|id| DiskTask::Discard(id).into()));
                self.send_news(News::Unfinished);
            }
            Act::Set(settings) => {
                tasks.extend(self.context.change(*settings));
                self.adopt();
            }
            Act::Run(task) => {
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
        if open_match.can_be_lost() {
            self.context.in_memory += 1;
            let left = Unfinished::InMemory(self.context.in_memory, Box::new(open_match));
            self.context.unfinished.insert(0, left);
        }
        tasks.push(DiskTask::Close.into());
        self.send_news(News::MatchLeft);
    }
}
