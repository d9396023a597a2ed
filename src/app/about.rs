//! What a screen says about itself.

/// What the help of a screen says besides its keys.
#[derive(Clone, Debug)]
pub(super) struct About {
    /// The name of the screen.
    pub name: String,
    /// What it is for; stands before the keys.
    pub purpose: String,
    /// The rest, in paragraphs behind the keys.
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
