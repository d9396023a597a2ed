//! The animation of a board when its position changes.

use crate::scene::Scene;
use crate::scene::motion::Animation;
use std::time::Duration;

/// The scene that was last shown, and the animation that runs.
#[derive(Debug)]
pub(super) struct Animator<P> {
    /// Also whether it showed the end of a match or a round.
    seen: Option<(Scene<P>, bool)>,
    moving: Option<Moving<P>>,
}

#[derive(Debug)]
struct Moving<P> {
    from: Scene<P>,
    animation: Animation,
    /// How far it has come, from 0 to 1.
    done: f32,
}

impl<P> Default for Animator<P> {
    fn default() -> Self {
        Animator { seen: None, moving: None }
    }
}

impl<P: Clone> Animator<P> {
    /// Takes the scene that is to be shown from now on. Starts the animation to it from the one shown before, if there
    /// was one, and returns how long it takes.
    pub fn start_animation(&mut self, scene: Scene<P>, is_end: bool) -> Option<Duration> {
        let before = self.seen.replace((scene, is_end));
        let ((from, was_end), (scene, _)) = (before?, self.seen.as_ref()?);
        let animation = if is_end && !was_end { Animation::Reveal } else { Animation::Change };
        let length = animation.length(&from, scene)?;
        self.moving = Some(Moving { from, animation, done: 0.0 });
        Some(length)
    }

    /// The board is no longer shown.
    pub fn clear(&mut self) {
        *self = Animator::default();
    }

    /// Sets how far the animation has come, from 0 to 1; at 1 it ends.
    pub fn set_progress(&mut self, done: f32) {
        self.moving = self.moving.take().filter(|_| done < 1.0);
        if let Some(moving) = &mut self.moving {
            moving.done = done;
        }
    }

    /// Whether an animation runs.
    pub const fn is_animating(&self) -> bool {
        self.moving.is_some()
    }

    /// The scene to draw now, on the way to `scene`.
    pub fn show(&self, scene: Scene<P>) -> Scene<P> {
        match &self.moving {
            Some(moving) => moving.animation.between(&moving.from, &scene, moving.done),
            None => scene,
        }
    }
}
