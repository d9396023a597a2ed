//! iTerm2's inline images.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ratatui::layout::Size;
use std::io::{self, Write};

/// Shows a PNG on this many cells at the cursor.
pub(super) fn write(png: &[u8], cells: Size, output: &mut impl Write) -> io::Result<()> {
    let Size { width, height } = cells;
    write!(
        output,
        "\x1b]1337;File=inline=1;size={};width={width};height={height};preserveAspectRatio=0;doNotMoveCursor=1:{}\x07",
        png.len(),
        BASE64_STANDARD.encode(png)
    )
}
