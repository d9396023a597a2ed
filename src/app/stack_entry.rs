//! A screen on the stack.

use super::screen::Screen;
use std::ops::{Deref, DerefMut};

pub(super) struct StackEntry {
    pub id: usize,
    pub screen: Box<dyn Screen>,
}

impl Deref for StackEntry {
    type Target = dyn Screen;

    fn deref(&self) -> &Self::Target {
        &*self.screen
    }
}

impl DerefMut for StackEntry {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.screen
    }
}
