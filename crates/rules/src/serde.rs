//! Serialization: setups and moves as text, seats as indices from 0, scores as lists.

use crate::{Scores, Seat, Setup};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

macro_rules! as_text {
    ($($type:ty),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

as_text!(
    Setup,
    crate::dots_and_boxes::Line,
    crate::intersections::Segment,
    crate::join_the_dots::Edge,
    crate::quixo::Push,
    crate::tic_tac_toe::Cell
);

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.index().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        u8::deserialize(deserializer).map(Seat::new)
    }
}

impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quixo::Push;

    #[test]
    fn serde_writes_setups_and_moves_as_text() {
        let push: Push = "A1-A5".parse().unwrap();
        let setup: Setup = "size=5".parse().unwrap();
        let written = serde_json::to_string(&(&setup, push, Seat::SECOND, Scores::new(&[3, 1])));
        assert_eq!(written.unwrap(), r#"["size=5","A1-A5",1,[3,1]]"#);
        let read = serde_json::from_str::<(Setup, Push, Seat)>(r#"["size=5","A1-A5",1]"#);
        assert_eq!(read.unwrap(), (setup, push, Seat::SECOND));
        let refused = serde_json::from_str::<Push>("\"A1\"").unwrap_err();
        assert!(refused.to_string().starts_with("a turn is two places"), "{refused}");
    }
}
