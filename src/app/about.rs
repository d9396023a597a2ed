//! The help text of a screen.

#[derive(Clone, Debug)]
pub(super) struct About {
    pub name: String,
    /// The purpose of the screen, shown before the keys.
    pub purpose: String,
    /// Further paragraphs, shown after the keys.
    pub details: String,
}

impl About {
    pub fn new(name: impl Into<String>, purpose: impl Into<String>) -> About {
        About { name: name.into(), purpose: purpose.into(), details: String::new() }
    }

    pub fn with_details(self, details: impl Into<String>) -> About {
        About { details: details.into(), ..self }
    }
}
