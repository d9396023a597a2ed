//! The part of a record after its tags.

/// The pieces of a record's body, in the order of the text. Every variation is closed and begins with a
/// move, before which only comments may stand.
///
/// They are kept as one text, with a line end after each of them, so that they take no more memory
/// than the file they are from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Body(String);

/// A piece of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyItem<'b> {
    Move(&'b str),
    /// With its `{` and `}` or its `;`.
    Comment(&'b str),
    /// Begins a variation.
    Open,
    /// Ends the variation begun last.
    Close,
}

impl<'b> BodyItem<'b> {
    /// What stands in a record.
    pub fn text(self) -> &'b str {
        match self {
            BodyItem::Move(text) | BodyItem::Comment(text) => text,
            BodyItem::Open => "(",
            BodyItem::Close => ")",
        }
    }
}

impl Body {
    /// Adds a piece at the end.
    pub fn push(&mut self, item: BodyItem<'_>) {
        self.0.push_str(item.text());
        self.0.push('\n');
    }

    /// Adds comments at the end.
    pub fn push_comments(&mut self, comments: &[&str]) {
        for comment in comments {
            self.push(BodyItem::Comment(comment));
        }
    }

    /// All pieces.
    pub fn items(&self) -> impl Iterator<Item = BodyItem<'_>> {
        let mut rest = &*self.0;
        std::iter::from_fn(move || {
            let first = *rest.as_bytes().first()?;
            // Only a comment in braces may have several lines, and there is no other `}` in it.
            let inner = if first == b'{' { rest.find('}')? } else { 0 };
            let (text, after) = rest.split_at(inner + rest[inner..].find('\n')?);
            rest = &after[1..];
            Some(match first {
                b'{' | b';' => BodyItem::Comment(text),
                b'(' => BodyItem::Open,
                b')' => BodyItem::Close,
                _ => BodyItem::Move(text),
            })
        })
    }
}
