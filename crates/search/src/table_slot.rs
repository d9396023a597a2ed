//! The table that an engine keeps between searches.

/// A table, or any other value that takes memory, with its budget in bytes, kept while it is useful.
pub struct TableSlot<T> {
    kept: Option<(usize, T)>,
}

impl<T> Default for TableSlot<T> {
    fn default() -> TableSlot<T> {
        TableSlot { kept: None }
    }
}

impl<T> TableSlot<T> {
    /// Returns the table if it has this budget and `is_useful` returns true. Otherwise frees the table, and creates a
    /// new one by passing the budget to `make`.
    pub fn get_or_rebuild<E>(
        &mut self,
        budget: usize,
        is_useful: impl FnOnce(&T) -> bool,
        make: impl FnOnce(usize) -> Result<T, E>,
    ) -> Result<&mut T, E> {
        let old = self.kept.take().filter(|(given, kept)| *given == budget && is_useful(kept));
        let kept = match old {
            Some(old) => old,
            None => (budget, make(budget)?),
        };
        Ok(&mut self.kept.insert(kept).1)
    }

    /// Returns the table, regardless of whether it is useful.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.kept.as_mut().map(|(_, kept)| kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn slot_rebuilds_on_new_board_or_budget() {
        let mut kept = TableSlot::default();
        let mut fit = |budget, board: char| {
            let is_same = |&(kept, _, _): &(char, usize, u32)| kept == board;
            let (_, bytes, asked) = kept
                .get_or_rebuild(budget, is_same, |bytes| Ok::<_, ()>((board, bytes, 0)))
                .unwrap();
            *asked += 1;
            (*bytes, *asked)
        };
        assert_eq!([fit(8, 'a'), fit(8, 'a')], [(8, 1), (8, 2)]);
        assert_eq!([fit(9, 'a'), fit(9, 'a')], [(9, 1), (9, 2)]);
        assert_eq!([fit(9, 'b'), fit(9, 'a')], [(9, 1), (9, 1)]);
    }

    #[test]
    fn slot_frees_the_old_table_before_building() {
        let old = Rc::new(());
        let mut kept = TableSlot::default();
        kept.get_or_rebuild(1, |_| true, |_| Ok::<_, ()>(old.clone())).unwrap();
        assert_eq!(Rc::strong_count(&old), 2);
        assert_eq!(kept.get_or_rebuild(2, |_| true, |_| Err(Rc::strong_count(&old))), Err(1));
        assert!(kept.get_mut().is_none());
    }
}
