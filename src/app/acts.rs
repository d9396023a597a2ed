//! Carries out what screens ask of the app.

use super::App;
use super::destination::Destination;
use super::navigation;
use super::news::News;
use super::resuming;
use super::screen::{Act, Screen};
use super::tasks::{DiskTask, Task, TerminalTask};
use super::unfinished::Unfinished;

impl App {
    /// Carries out the acts in order. Returns the tasks that are left for others.
    pub(super) fn carry_out(&mut self, acts: Vec<Act>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for act in acts {
            self.act(act, &mut tasks);
        }
        self.start_animations();
        tasks
    }

    fn act(&mut self, act: Act, tasks: &mut Vec<Task>) {
        if !matches!(act, Act::Run(_) | Act::Set(_)) {
            // The old targets are gone with the old screen.
            self.context.targets.clear();
        }
        match act {
            Act::Open(destination) => {
                if self.stack.last_mut().is_some_and(|top| top.pause()) {
                    tasks.push(DiskTask::Save.into());
                }
                self.push(destination);
            }
            Act::Replace(destination) => {
                self.pop(tasks);
                self.push(destination);
            }
            Act::Pop if self.stack.len() == 1 => {
                let asked = resuming::ask_to_quit(&self.context);
                match asked.or_else(|| self.stack[0].ask_to_quit(&self.context)) {
                    // With too little room nobody would see the question.
                    Some(ask) if !self.cramped.get() => self.act(ask, tasks),
                    _ => tasks.push(TerminalTask::Quit.into()),
                }
            }
            Act::Pop => self.pop(tasks),
            Act::Chosen(choice) => {
                self.pop(tasks);
                let Some(top) = self.stack.last_mut() else { return };
                for act in top.chosen(choice, &mut self.context) {
                    self.act(act, tasks);
                }
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

    /// Puts a screen on top of the stack.
    pub(super) fn push(&mut self, destination: Destination) {
        let mut screen = navigation::screen(destination, &mut self.context);
        screen.adopt(&self.context.settings);
        self.stack.push(screen);
    }

    /// Leaves the top screen. A match that is not saved completely is kept in memory until it is.
    fn pop(&mut self, tasks: &mut Vec<Task>) {
        self.pause();
        if let Some(top) = self.stack.last() {
            top.keep_place(&mut self.context);
        }
        let Some(open_match) = self.stack.pop().and_then(Screen::leave) else { return };
        if open_match.can_be_lost() {
            self.context.in_memory += 1;
            let left = Unfinished::InMemory(self.context.in_memory, Box::new(open_match));
            self.context.unfinished.insert(0, left);
        }
        tasks.push(DiskTask::Close.into());
        self.send_news(News::MatchLeft);
    }
}
