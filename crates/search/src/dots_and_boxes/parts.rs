//! The connected parts of positions, and their signatures.

use super::graph::{Graph, LineSet, Part};
use super::signature::Signature;
use crate::bits::GOLDEN;
use prefetch_index::prefetch_index;

/// The binary logarithm of the number of cached signatures.
const KNOWN: u32 = 16;

/// The maximum number of parts in a position. A graph has at most 60 lines (on a larger board, only undrawn lines
/// count), and if no box can be taken, each part has at least two lines.
const MAX_PARTS: usize = 32;

/// A cache of the signatures of sets of lines of one graph. Drawing a line changes only one part, so lookups repeat.
pub struct Signatures {
    known: Vec<(LineSet, Signature)>,
}

impl Signatures {
    pub fn new() -> Signatures {
        Signatures { known: vec![(0, 0); 1 << KNOWN] }
    }

    #[inline]
    const fn place(lines: LineSet) -> usize {
        (lines.wrapping_mul(GOLDEN) >> (64 - KNOWN)) as usize
    }

    #[inline]
    pub fn of(&mut self, graph: &Graph, lines: LineSet) -> Signature {
        self.get(lines).unwrap_or_else(|| self.compute(graph, lines))
    }

    /// Returns the signature of a set of lines, if it is in the cache.
    #[inline]
    fn get(&self, lines: LineSet) -> Option<Signature> {
        let (known, signature) = self.known[Signatures::place(lines)];
        (known == lines).then_some(signature)
    }

    #[inline]
    fn store(&mut self, lines: LineSet, signature: Signature) -> Signature {
        self.known[Signatures::place(lines)] = (lines, signature);
        signature
    }

    #[inline(never)]
    fn compute(&mut self, graph: &Graph, lines: LineSet) -> Signature {
        let mut signature: Signature = 0;
        for part in graph.parts(lines) {
            let own = if part.lines == lines {
                graph.signature_of_part(&part)
            } else {
                self.of(graph, part.lines)
            };
            signature = signature.wrapping_add(own);
        }
        self.store(lines, signature)
    }

    #[inline(never)]
    fn compute_without(&mut self, graph: &Graph, part: &Part, drawn: LineSet) -> Signature {
        match graph.part_without(part, drawn) {
            Some(rest) => self.store(rest.lines, graph.signature_of_part(&rest)),
            None => self.compute(graph, part.lines & !drawn),
        }
    }
}

/// The parts of a position, each with the total signature of the other parts.
pub struct Parts {
    parts: [(Part, Signature); MAX_PARTS],
    count: usize,
}

impl Parts {
    pub const fn new() -> Parts {
        Parts { parts: [(Part::NONE, 0); MAX_PARTS], count: 0 }
    }

    /// Finds the parts of a position with this signature.
    #[inline]
    pub fn find(
        &mut self,
        graph: &Graph,
        undrawn: LineSet,
        signature: Signature,
        signatures: &mut Signatures,
    ) {
        self.count = 0;
        for (part, slot) in graph.parts(undrawn).zip(&mut self.parts) {
            let others = signature.wrapping_sub(signatures.of(graph, part.lines));
            *slot = (part, others);
            self.count += 1;
        }
    }

    /// Returns the part that contains these lines, which must all be in one part.
    #[inline]
    fn part_with(&self, lines: LineSet) -> &(Part, Signature) {
        let mut parts = self.parts[..self.count].iter();
        parts.find(|(part, _)| part.lines & lines != 0).unwrap_or(&(Part::NONE, 0))
    }

    /// Prefetches the cache entry that [`without`](Parts::without) will read.
    #[inline]
    pub fn prefetch_without(&self, drawn: LineSet, signatures: &Signatures) {
        let (part, _) = self.part_with(drawn);
        prefetch_index(&signatures.known, Signatures::place(part.lines & !drawn));
    }

    /// Returns [`without`](Parts::without) if it is in the cache.
    #[inline]
    pub fn known_without(&self, drawn: LineSet, signatures: &Signatures) -> Option<Signature> {
        let (part, others) = self.part_with(drawn);
        let own = signatures.get(part.lines & !drawn);
        own.map(|own| own.wrapping_add(*others))
    }

    /// Returns the signature of the position without these lines, which must all be in one part.
    #[inline]
    pub fn without(&self, graph: &Graph, drawn: LineSet, signatures: &mut Signatures) -> Signature {
        let (part, others) = self.part_with(drawn);
        let own = signatures.get(part.lines & !drawn);
        own.unwrap_or_else(|| signatures.compute_without(graph, part, drawn)).wrapping_add(*others)
    }
}
