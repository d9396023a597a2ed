//! The numbers of rows and columns of a board: two setup options, with a shorthand for square boards.

use super::{NumberOption, OptionSpec, Setup, SetupError};

/// The options `rows` and `cols`, and their shorthand `size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions([NumberOption; 2]);

impl Dimensions {
    /// Creates both options, each ranging from `min` to `max`, with their help lines.
    pub const fn new(help: [&'static str; 2], min: u8, max: u8, default: u8) -> Dimensions {
        let [rows, cols] = help;
        let rows = NumberOption {
            name: "rows",
            help: rows,
            shorthand: Some("size"),
            min: min as u32,
            max: max as u32,
            step: 1,
            default: default as u32,
        };
        Dimensions([rows, NumberOption { name: "cols", help: cols, ..rows }])
    }

    /// Returns the two options.
    pub fn options(&self) -> [OptionSpec; 2] {
        self.0.map(OptionSpec::Number)
    }

    /// Returns the rows and columns of the setup.
    pub fn read(&self, setup: &Setup) -> Result<[u8; 2], SetupError> {
        let [rows, cols] = &self.0;
        Ok([rows.read(setup)? as u8, cols.read(setup)? as u8])
    }

    /// Returns the rows and columns of the setup; an invalid value counts as the default.
    pub(super) fn read_or_default(&self, setup: &Setup) -> [u8; 2] {
        self.0.map(|option| option.read_or_default(setup) as u8)
    }

    /// Returns the setup of a board of this size.
    pub fn setup(rows: u8, cols: u8) -> Setup {
        Setup::new().with("rows", rows).with("cols", cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMENSIONS: Dimensions = Dimensions::new(["rows of dots", "columns of dots"], 2, 32, 5);

    #[test]
    fn size_sets_rows_and_cols() {
        let read =
            |text: &str| DIMENSIONS.read(&text.parse().unwrap()).map_err(|error| error.to_string());
        assert_eq!(read(""), Ok([5, 5]));
        assert_eq!(read("size=7"), Ok([7, 7]));
        assert_eq!(read("rows=3"), Ok([3, 5]));
        assert_eq!(DIMENSIONS.read(&Dimensions::setup(3, 32)), Ok([3, 32]));
        for (setup, error) in [
            ("size=33", "size=33: must be a whole number from 2 to 32"),
            ("cols=1", "cols=1: must be a whole number from 2 to 32"),
            ("rows=3 size=4", "rows=3: size sets rows too; give one of them"),
            ("size=4 cols=3", "cols=3: size sets cols too; give one of them"),
        ] {
            assert_eq!(read(setup), Err(error.to_owned()));
        }
        assert_eq!(DIMENSIONS.read_or_default(&"rows=99 cols=4".parse().unwrap()), [5, 4]);
    }
}
