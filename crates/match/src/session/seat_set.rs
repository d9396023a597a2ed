use quadrille_rules::Seat;

/// A set of seats; a table has at most eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSet(u8);

impl SeatSet {
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat::new).filter(move |seat| self.contains(*seat))
    }

    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.index())
    }

    #[must_use]
    pub const fn union(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::default(), SeatSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seat_set_is_sorted_without_duplicates() {
        let set: SeatSet = [7, 0, 7, 3].map(Seat::new).into_iter().collect();
        assert!(set.iter().eq([0, 3, 7].map(Seat::new)));
        let more = SeatSet::default().with(Seat::new(1)).with(Seat::new(3));
        assert!(set.union(more).iter().eq([0, 1, 3, 7].map(Seat::new)));
        assert!(SeatSet::default().is_empty() && !more.is_empty());
    }
}
