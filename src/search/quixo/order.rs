//! In which order slides are tried.

/// What a search has learnt about which slides are good.
#[derive(Clone, Debug)]
pub struct Order {
    /// How often a slide was the best, the deeper the more.
    history: Vec<u32>,
    /// For each distance from the root, the slides that were too good last.
    killers: Vec<[u16; 2]>,
    /// Lists that are being gone through, one behind the other.
    pub lists: Vec<(u32, u16)>,
}

/// No slide.
const NONE: u16 = u16::MAX;

impl Order {
    /// Nothing is known yet of so many slides.
    pub fn new(slides: usize) -> Order {
        Order { history: vec![0; slides], killers: Vec::new(), lists: Vec::new() }
    }

    /// What speaks for a slide so far from the root.
    pub fn promise(&self, slide: u16, ply: usize) -> u32 {
        match self.killers.get(ply) {
            Some(&[first, _]) if first == slide => (1 << 31) + 1,
            Some(&[_, second]) if second == slide => 1 << 31,
            _ => self.history[slide as usize],
        }
    }

    /// Learns that a slide was too good to go on, so far from the root, in a search so deep.
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

    /// Brings the best that is left of the list that begins at `from` to its front, and says which that is.
    pub fn next(&mut self, from: usize) -> Option<u16> {
        let left = &mut self.lists[from..];
        let best = (0..left.len()).max_by_key(|&at| left[at].0)?;
        left.swap(0, best);
        Some(left[0].1)
    }
}
