use quadrille_scene::Scene;
use quadrille_scene::motion::Animation;
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Animator<P> {
    /// The scene shown last, and whether it showed the end of a match or a round.
    seen: Option<(Scene<P>, bool)>,
    moving: Option<Moving<P>>,
}

#[derive(Debug)]
struct Moving<P> {
    from: Scene<P>,
    animation: Animation,
    /// The progress of the animation, 0 to 1.
    done: f32,
}

impl<P> Default for Animator<P> {
    fn default() -> Self {
        Animator { seen: None, moving: None }
    }
}

impl<P: Clone> Animator<P> {
    /// Sets the scene to show from now on. If there was a previous scene, starts an animation from it and returns the
    /// duration.
    pub fn start_animation(&mut self, scene: Scene<P>, is_end: bool) -> Option<Duration> {
        let before = self.seen.replace((scene, is_end));
        let ((from, was_end), (scene, _)) = (before?, self.seen.as_ref()?);
        let animation = if is_end && !was_end { Animation::Reveal } else { Animation::Change };
        let length = animation.length(&from, scene)?;
        self.moving = Some(Moving { from, animation, done: 0.0 });
        Some(length)
    }

    /// Forgets the scene. Called when the board is no longer shown.
    pub fn clear(&mut self) {
        *self = Animator::default();
    }

    /// Sets the progress of the animation, 0 to 1. The animation ends at 1.
    pub fn set_progress(&mut self, done: f32) {
        self.moving = self.moving.take().filter(|_| done < 1.0);
        if let Some(moving) = &mut self.moving {
            moving.done = done;
        }
    }

    pub const fn is_animating(&self) -> bool {
        self.moving.is_some()
    }

    /// Returns the current frame of the animation that leads to `scene`.
    pub fn show(&self, scene: Scene<P>) -> Scene<P> {
        match &self.moving {
            Some(moving) => moving.animation.between(&moving.from, &scene, moving.done),
            None => scene,
        }
    }
}
