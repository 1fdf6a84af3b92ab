//! Small pictures in a drawing.

/// A picture of pixels in a drawing: its place, its size, and its pixels.
pub(super) struct Tile {
    pub(super) place: (f64, f64),
    pub(super) size: (f64, f64),
    pub(super) pixels: Vec<u8>,
    pub(super) dimensions: (u32, u32),
}

impl Tile {
    /// Onto pixels, the nearest of its own each.
    pub(super) fn paint(&self, pixels: &mut [u8], width: usize, scale: f64) {
        let at = |x: f64| (x * scale).round().max(0.0) as usize;
        let (left, top) = (at(self.place.0), at(self.place.1));
        let (right, bottom) = (at(self.place.0 + self.size.0), at(self.place.1 + self.size.1));
        let (columns, rows) = (self.dimensions.0 as usize, self.dimensions.1 as usize);
        for y in top..bottom {
            for x in left..right {
                let (column, row) =
                    ((x - left) * columns / (right - left), (y - top) * rows / (bottom - top));
                let from = (row * columns + column) * 3;
                let to = (y * width + x) * 3;
                if let (Some(to), Some(from)) = (pixels.get_mut(to..to + 3), self.pixels.get(from..from + 3))
                {
                    to.copy_from_slice(from);
                }
            }
        }
    }
}
