//! SVG rasterization.

use super::PictureError;
use flate2::{Decompress, FlushDecompress};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::{Arc, LazyLock};

/// The fonts of all pictures. System fonts are not used, because pictures would differ between machines.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut database = Database::new();
    for font in fonts() {
        database.load_font_data(font);
    }
    database.set_sans_serif_family("Inter");
    Arc::new(database)
});

/// Returns the files of the regular and the bold font.
pub fn fonts() -> [Vec<u8>; 2] {
    let packed = [
        &include_bytes!("../../assets/fonts/Inter-Regular.ttf.zz")[..],
        &include_bytes!("../../assets/fonts/Inter-Bold.ttf.zz")[..],
    ];
    packed.map(|packed| {
        // The fonts decompress to about twice their size.
        let mut font = Vec::with_capacity(3 * packed.len());
        // Decompression fails only on corrupt data; all letters would then be missing, which the tests would catch.
        let _ = Decompress::new(true).decompress_vec(packed, &mut font, FlushDecompress::Finish);
        font
    })
}

/// Renders one rectangle of a picture with this width and height. `to_its_corner` translates the rectangle's corner to
/// the origin.
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

pub(super) fn png(svg: &str, size: [u32; 2]) -> Result<Vec<u8>, PictureError> {
    let pixels = draw_part(svg, size, size, Transform::identity())?;
    pixels.encode_png().map_err(|error| PictureError::Refused(error.to_string()))
}
