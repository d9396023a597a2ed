//! SVG drawn as pixels.

use super::PictureError;
use flate2::{Decompress, FlushDecompress};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::{Arc, LazyLock};

/// The fonts of pictures. Fonts of the machine are not used: pictures would differ from machine to machine.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for packed in [
        &include_bytes!("../../assets/fonts/Inter-Regular.ttf.zz")[..],
        &include_bytes!("../../assets/fonts/Inter-Bold.ttf.zz")[..],
    ] {
        // They are packed to half their size.
        let mut font = Vec::with_capacity(3 * packed.len());
        // It fails only for what is not well packed, which tests would see: there were no letters.
        let _ = Decompress::new(true).decompress_vec(packed, &mut font, FlushDecompress::Finish);
        fonts.load_font_data(font);
    }
    fonts.set_sans_serif_family("Inter");
    Arc::new(fonts)
});

/// Draws what lies in a rectangle of a picture with this width and height. `to_its_corner` moves the corner of the
/// rectangle to the origin.
pub(super) fn draw_part(
    svg: &str,
    [width, height]: [u32; 2],
    [across, down]: [u32; 2],
    to_its_corner: Transform,
) -> Result<Pixmap, PictureError> {
    let options = Options { fontdb: Arc::clone(&FONTS), ..Options::default() };
    let tree = Tree::from_str(svg, &options);
    let tree = tree.map_err(|error| PictureError::Refused(error.to_string()))?;
    let mut pixels = Pixmap::new(across, down).ok_or(PictureError::TooLarge(across, down))?;
    let size = tree.size();
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, scale.post_concat(to_its_corner), &mut pixels.as_mut());
    Ok(pixels)
}

/// The picture as PNG.
pub(super) fn png(svg: &str, size: [u32; 2]) -> Result<Vec<u8>, PictureError> {
    let pixels = draw_part(svg, size, size, Transform::identity())?;
    pixels.encode_png().map_err(|error| PictureError::Refused(error.to_string()))
}
