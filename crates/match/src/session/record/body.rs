//! The part of a record after its tags.

/// The items of a record's body, in text order. Every variation is closed. Only comments may precede the first move of
/// a variation.
///
/// Stored as a single text with a line end after each item, so that the body takes no more memory than its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Body(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyItem<'b> {
    Move(&'b str),
    /// A comment, including its `{` and `}` or its `;`.
    Comment(&'b str),
    /// Begins a variation.
    Open,
    /// Ends the innermost variation.
    Close,
}

impl<'b> BodyItem<'b> {
    /// Returns the item's text in a record.
    pub fn text(self) -> &'b str {
        match self {
            BodyItem::Move(text) | BodyItem::Comment(text) => text,
            BodyItem::Open => "(",
            BodyItem::Close => ")",
        }
    }
}

impl Body {
    pub fn push(&mut self, item: BodyItem<'_>) {
        self.0.push_str(item.text());
        self.0.push('\n');
    }

    pub fn push_comments(&mut self, comments: &[&str]) {
        for comment in comments {
            self.push(BodyItem::Comment(comment));
        }
    }

    pub fn items(&self) -> impl Iterator<Item = BodyItem<'_>> {
        let mut rest = &*self.0;
        std::iter::from_fn(move || {
            let first = *rest.as_bytes().first()?;
            // Only a comment in braces may have several lines, and its text contains no `}`.
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
