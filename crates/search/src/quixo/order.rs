//! Move ordering by the history heuristic and killer moves.

/// The move-ordering statistics of a search.
#[derive(Clone, Debug)]
pub struct Order {
    /// The cut-offs caused by each slide, weighted by the square of the depth.
    history: Vec<u32>,
    /// For each distance from the root, the last two slides that caused a cut-off.
    killers: Vec<[u16; 2]>,
    /// The slides of all boards on the path from the root, one list after the other, each with its priority.
    pub lists: Vec<(u32, u16)>,
}

const NONE: u16 = u16::MAX;

impl Order {
    pub fn new(slides: usize) -> Order {
        Order { history: vec![0; slides], killers: Vec::new(), lists: Vec::new() }
    }

    /// Returns the priority of a slide at this distance from the root; the greatest is tried first.
    pub fn priority(&self, slide: u16, ply: usize) -> u32 {
        match self.killers.get(ply) {
            Some(&[first, _]) if first == slide => (1 << 31) + 1,
            Some(&[_, second]) if second == slide => 1 << 31,
            _ => self.history[slide as usize],
        }
    }

    /// Records that a slide caused a cut-off at the distance `ply` from the root, in a search of `depth` plies.
    pub fn learn(&mut self, slide: u16, ply: usize, depth: u8) {
        let count = &mut self.history[slide as usize];
        *count += u32::from(depth) * u32::from(depth);
        if *count > 1 << 30 {
            self.history.iter_mut().for_each(|count| *count >>= 1);
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NONE; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != slide {
            *killers = [slide, killers[0]];
        }
    }

    /// Moves the slide with the highest priority to the front of the list that begins at `from`, and returns that
    /// slide.
    pub fn next(&mut self, from: usize) -> Option<u16> {
        let left = &mut self.lists[from..];
        let best = (0..left.len()).max_by_key(|&at| left[at].0)?;
        left.swap(0, best);
        Some(left[0].1)
    }
}
