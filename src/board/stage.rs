//! What somebody who looks at a board sees move when the position changes.

use crate::scene::Scene;
use crate::scene::motion::Tale;
use std::time::Duration;

/// What was seen last of a board, and what moves on it.
#[derive(Debug)]
pub(super) struct Stage<P> {
    seen: Option<Seen<P>>,
    moving: Option<Moving<P>>,
}

#[derive(Debug)]
struct Seen<P> {
    scene: Scene<P>,
    /// Whether it was the end of something.
    is_end: bool,
}

#[derive(Debug)]
struct Moving<P> {
    from: Scene<P>,
    tale: Tale,
    /// How far it has come, from 0 to 1.
    done: f32,
}

impl<P> Default for Stage<P> {
    fn default() -> Self {
        Stage { seen: None, moving: None }
    }
}

impl<P: Clone> Stage<P> {
    /// Somebody sees this scene. What is another since the last one begins to move, if they saw that; says
    /// how long it takes.
    pub fn see(&mut self, scene: Scene<P>, is_end: bool) -> Option<Duration> {
        let seen = Seen { scene, is_end };
        let before = self.seen.replace(seen)?;
        let now = &self.seen.as_ref()?.scene;
        let tale = if is_end && !before.is_end { Tale::Reveal } else { Tale::Change };
        let length = tale.length(&before.scene, now)?;
        self.moving = Some(Moving { from: before.scene, tale, done: 0.0 });
        Some(length)
    }

    /// Nobody sees the board any more.
    pub fn clear(&mut self) {
        *self = Stage::default();
    }

    /// What moves has come so far on its way; at 1 all is in its place.
    pub fn move_to(&mut self, done: f32) {
        self.moving = self.moving.take().filter(|_| done < 1.0);
        if let Some(moving) = &mut self.moving {
            moving.done = done;
        }
    }

    /// Whether anything moves.
    pub const fn is_moving(&self) -> bool {
        self.moving.is_some()
    }

    /// What is seen of a scene just now.
    pub fn show(&self, scene: Scene<P>) -> Scene<P> {
        match &self.moving {
            Some(moving) => moving.tale.between(&moving.from, &scene, moving.done),
            None => scene,
        }
    }
}
