//! The connected parts of positions, and their signatures.

use super::graph::{Graph, LineSet};
use super::signature::Signature;
use super::solver::SCRAMBLE;
use prefetch_index::prefetch_index;

/// The binary logarithm of the number of signatures that are kept.
const KNOWN: u32 = 16;

/// The most parts of a position. In a quiet position each part has at least two lines.
const MOST: usize = 32;

/// A cache of the signatures of sets of lines of one graph. Drawing a line changes only one part, so the same
/// parts are looked up again and again.
pub struct Signatures(Vec<(LineSet, Signature)>);

impl Signatures {
    pub fn new() -> Signatures {
        Signatures(vec![(0, 0); 1 << KNOWN])
    }

    #[inline]
    const fn place(lines: LineSet) -> usize {
        (lines.wrapping_mul(SCRAMBLE) >> (64 - KNOWN)) as usize
    }

    /// The signature of any set of lines.
    #[inline]
    pub fn of(&mut self, graph: &Graph, lines: LineSet) -> Signature {
        let place = Signatures::place(lines);
        let (known, signature) = self.0[place];
        if known == lines { signature } else { self.find(graph, lines, place) }
    }

    #[inline(never)]
    fn find(&mut self, graph: &Graph, lines: LineSet, place: usize) -> Signature {
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

/// The parts of a position, each with the signature of all others together.
pub struct Parts {
    parts: [(LineSet, Signature); MOST],
    count: usize,
}

impl Parts {
    pub fn new(
        graph: &Graph,
        undrawn: LineSet,
        signature: Signature,
        signatures: &mut Signatures,
    ) -> Parts {
        let mut parts = Parts { parts: [(0, 0); MOST], count: 0 };
        let mut rest = undrawn;
        while rest != 0 && parts.count < MOST {
            let part = graph.part(rest);
            rest &= !part;
            let others = signature.wrapping_sub(signatures.of(graph, part));
            parts.parts[parts.count] = (part, others);
            parts.count += 1;
        }
        parts
    }

    /// The part with these lines, which must all be in the same part.
    #[inline]
    fn part_with(&self, lines: LineSet) -> (LineSet, Signature) {
        let mut parts = self.parts[..self.count].iter();
        let part = parts.find(|(part, _)| part & lines != 0);
        part.copied().unwrap_or_default()
    }

    /// Makes the processor fetch what [`without`](Parts::without) will read.
    #[inline]
    pub fn prefetch_without(&self, drawn: LineSet, signatures: &Signatures) {
        let (part, _) = self.part_with(drawn);
        prefetch_index(&signatures.0, Signatures::place(part & !drawn));
    }

    /// The signature of the position without these lines, which must all be in the same part.
    #[inline]
    pub fn without(&self, graph: &Graph, drawn: LineSet, signatures: &mut Signatures) -> Signature {
        let (part, others) = self.part_with(drawn);
        signatures.of(graph, part & !drawn).wrapping_add(others)
    }
}
