//! The parts of positions that hang together, and their signatures.

use super::graph::{Graph, Lines};
use super::signature::Signature;
use super::solver::SCRAMBLE;
use prefetch_index::prefetch_index;

/// The logarithm of how many sets of lines are remembered.
const KNOWN: u32 = 16;

/// No position has more parts: each has two lines or more where nothing can be taken.
const MOST: usize = 32;

/// The signatures of sets of lines of one graph met of late. A line that is drawn changes one part alone,
/// and the same parts are met over and over.
pub struct Signatures(Vec<(Lines, Signature)>);

impl Signatures {
    pub fn new() -> Signatures {
        Signatures(vec![(0, 0); 1 << KNOWN])
    }

    #[inline]
    const fn place(lines: Lines) -> usize {
        (lines.wrapping_mul(SCRAMBLE) >> (64 - KNOWN)) as usize
    }

    /// The signature of any set of lines.
    #[inline]
    pub fn of(&mut self, graph: &Graph, lines: Lines) -> Signature {
        let place = Signatures::place(lines);
        let (known, signature) = self.0[place];
        if known == lines { signature } else { self.find(graph, lines, place) }
    }

    #[inline(never)]
    fn find(&mut self, graph: &Graph, lines: Lines, place: usize) -> Signature {
        let (mut rest, mut signature) = (lines, 0);
        while rest != 0 {
            let part = graph.part(rest);
            rest &= !part;
            let own =
                if part == lines { graph.signature_of_part(part) } else { self.of(graph, part) };
            signature = own.wrapping_add(signature);
        }
        self.0[place] = (lines, signature);
        signature
    }
}

/// The parts of a position, each with the signature of all the others.
pub struct Parts {
    parts: [(Lines, Signature); MOST],
    count: usize,
}

impl Parts {
    pub fn new(
        graph: &Graph,
        open: Lines,
        signature: Signature,
        signatures: &mut Signatures,
    ) -> Parts {
        let mut parts = Parts { parts: [(0, 0); MOST], count: 0 };
        let mut rest = open;
        while rest != 0 && parts.count < MOST {
            let part = graph.part(rest);
            rest &= !part;
            let others = signature.wrapping_sub(signatures.of(graph, part));
            parts.parts[parts.count] = (part, others);
            parts.count += 1;
        }
        parts
    }

    /// The part with these lines, which are all of one.
    #[inline]
    fn part_with(&self, lines: Lines) -> (Lines, Signature) {
        let mut parts = self.parts[..self.count].iter();
        let part = parts.find(|(part, _)| part & lines != 0);
        part.copied().unwrap_or_default()
    }

    /// Has the processor fetch what [`without`](Parts::without) will look at, while something else is done.
    #[inline]
    pub fn prefetch_without(&self, drawn: Lines, signatures: &Signatures) {
        let (part, _) = self.part_with(drawn);
        prefetch_index(&signatures.0, Signatures::place(part & !drawn));
    }

    /// The signature of the position without these lines, which are all of one part.
    #[inline]
    pub fn without(&self, graph: &Graph, drawn: Lines, signatures: &mut Signatures) -> Signature {
        let (part, others) = self.part_with(drawn);
        signatures.of(graph, part & !drawn).wrapping_add(others)
    }
}
