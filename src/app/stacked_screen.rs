//! A screen in the stack.

use super::screen::Screen;
use std::ops::{Deref, DerefMut};

/// A screen with a number of its own.
pub(super) struct StackedScreen {
    pub id: usize,
    pub screen: Box<dyn Screen>,
}

impl Deref for StackedScreen {
    type Target = dyn Screen;

    fn deref(&self) -> &Self::Target {
        &*self.screen
    }
}

impl DerefMut for StackedScreen {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.screen
    }
}
