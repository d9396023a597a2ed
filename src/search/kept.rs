//! What an engine keeps from one question to the next.

/// A table, or whatever else takes memory, with the bytes it was given. It is kept for as long as it
/// is of use.
pub struct Kept<T> {
    kept: Option<(usize, T)>,
}

impl<T> Default for Kept<T> {
    /// Nothing is kept.
    fn default() -> Kept<T> {
        Kept { kept: None }
    }
}

impl<T> Kept<T> {
    /// What is kept, if it was given this budget and is of use now; otherwise what `make` makes of the
    /// budget, once the old one has given its memory back.
    pub fn fit<E>(
        &mut self,
        budget: usize,
        is_of_use: impl FnOnce(&T) -> bool,
        make: impl FnOnce(usize) -> Result<T, E>,
    ) -> Result<&mut T, E> {
        let same = self.kept.take().filter(|(given, kept)| *given == budget && is_of_use(kept));
        let kept = match same {
            Some(same) => same,
            None => (budget, make(budget)?),
        };
        Ok(&mut self.kept.insert(kept).1)
    }

    /// What is kept, of use or not.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.kept.as_mut().map(|(_, kept)| kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn it_is_made_anew_when_it_is_of_no_use_or_the_budget_is_another() {
        let mut kept = Kept::default();
        let mut fit = |budget, board: char| {
            let is_same = |&(kept, _, _): &(char, usize, u32)| kept == board;
            let (_, bytes, asked) =
                kept.fit(budget, is_same, |bytes| Ok::<_, ()>((board, bytes, 0))).unwrap();
            *asked += 1;
            (*bytes, *asked)
        };
        assert_eq!([fit(8, 'a'), fit(8, 'a')], [(8, 1), (8, 2)]);
        assert_eq!([fit(9, 'a'), fit(9, 'a')], [(9, 1), (9, 2)]);
        assert_eq!([fit(9, 'b'), fit(9, 'a')], [(9, 1), (9, 1)]);
    }

    #[test]
    fn the_old_one_goes_before_the_new_one_is_made() {
        let old = Rc::new(());
        let mut kept = Kept::default();
        kept.fit(1, |_| true, |_| Ok::<_, ()>(old.clone())).unwrap();
        assert_eq!(Rc::strong_count(&old), 2);
        assert_eq!(kept.fit(2, |_| true, |_| Err(Rc::strong_count(&old))), Err(1));
        assert!(kept.get_mut().is_none());
    }
}
