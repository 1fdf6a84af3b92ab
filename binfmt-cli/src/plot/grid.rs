//! The image of an array with two dimensions.

/// Numbers in rows, with what they stand for along both sides.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(super) columns: usize,
    /// Row by row, from the top.
    pub(super) values: Vec<f64>,
    /// The outer ends of the first and last column, from the left to the right.
    pub(super) x: (f64, f64),
    /// The outer ends of the rows, from the bottom to the top.
    pub(super) y: (f64, f64),
}

/// The longest side of what is drawn: more cannot be seen.
const MOST: usize = 1200;

impl Grid {
    /// Lines of numbers, the first at the top; shorter ones end with nothing.
    pub(crate) fn of_lines(lines: &[Vec<f64>]) -> Self {
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let mut values = Vec::with_capacity(columns * lines.len());
        for line in lines {
            values.extend(line);
            values.extend(std::iter::repeat_n(f64::NAN, columns - line.len()));
        }
        let (right, bottom) = (columns as f64 - 0.5, lines.len() as f64 - 0.5);
        Grid { columns, values, x: (-0.5, right), y: (bottom, -0.5) }
    }

    /// Values at places; where there are several the last, where there is none nothing. `None` if that are too many cells.
    pub(crate) fn of_places(places: &[(f64, f64, f64)]) -> Option<Self> {
        let known = |coordinate: fn(&(f64, f64, f64)) -> f64| {
            let mut all: Vec<f64> = places.iter().map(coordinate).filter(|x| x.is_finite()).collect();
            all.sort_by(f64::total_cmp);
            all.dedup();
            all
        };
        let (xs, ys) = (known(|place| place.0), known(|place| place.1));
        let cells = xs.len().checked_mul(ys.len()).filter(|cells| *cells <= CELLS)?;
        let mut values = vec![f64::NAN; cells];
        for (x, y, value) in places {
            let find = |all: &[f64], at: f64| all.binary_search_by(|known| known.total_cmp(&at)).ok();
            if let (Some(column), Some(row)) = (find(&xs, *x), find(&ys, *y))
                && let Some(cell) = values.get_mut((ys.len() - 1 - row) * xs.len() + column)
            {
                *cell = *value;
            }
        }
        Some(Grid { columns: xs.len(), values, x: ends(&xs), y: ends(&ys) })
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The least and the greatest of them.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let there = || self.values.iter().copied().filter(|x| x.is_finite());
        Some((there().reduce(f64::min)?, there().reduce(f64::max)?))
    }

    /// In fewer cells, each the mean of some, if there are more than can be seen.
    pub(super) fn reduced(&self) -> Grid {
        let (across, down) = (self.columns.div_ceil(MOST).max(1), self.rows().div_ceil(MOST).max(1));
        if across == 1 && down == 1 {
            return self.clone();
        }
        let columns = self.columns.div_ceil(across);
        let rows: Vec<&[f64]> = self.values.chunks(self.columns.max(1)).collect();
        let mut values = Vec::with_capacity(columns * rows.len().div_ceil(down));
        for rows in rows.chunks(down) {
            for column in 0..columns {
                let cells = rows.iter().flat_map(|row| row.iter().skip(column * across).take(across));
                let (sum, count) =
                    cells.filter(|x| x.is_finite()).fold((0.0, 0.0), |(sum, n), x| (sum + x, n + 1.0));
                values.push(sum / count);
            }
        }
        Grid { columns, values, ..*self }
    }

    /// The colours of the cells; what is missing is light grey.
    pub(super) fn pixels(&self, place: &dyn Fn(f64) -> Option<f64>) -> Vec<u8> {
        self.values.iter().flat_map(|x| place(*x).map_or([0xe6, 0xe6, 0xe6], colour)).collect()
    }
}

/// The most cells of a grid of places.
const CELLS: usize = 64 << 20;

/// Half a cell beyond the first and the last.
fn ends(all: &[f64]) -> (f64, f64) {
    match (all.first(), all.last()) {
        (Some(first), Some(last)) if first < last => {
            let half = (last - first) / (all.len() - 1) as f64 / 2.0;
            (first - half, last + half)
        }
        (Some(only), _) => (only - 0.5, only + 0.5),
        _ => (0.0, 1.0),
    }
}

/// From dark blue to yellow, of even steps to the eye also in grey: the corners of viridis.
const COLOURS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// The colour of a value between 0 and 1.
pub(super) fn colour(place: f64) -> [u8; 3] {
    let at = place.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let before = (at.floor() as usize).min(COLOURS.len() - 2);
    let part = at - before as f64;
    let (from, to) = (COLOURS[before], COLOURS[before + 1]);
    std::array::from_fn(|i| (f64::from(from[i]) * (1.0 - part) + f64::from(to[i]) * part).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_places() {
        let lines = Grid::of_lines(&[vec![1.0, 2.0], vec![3.0]]);
        assert_eq!((lines.columns, lines.rows(), lines.x, lines.y), (2, 2, (-0.5, 1.5), (1.5, -0.5)));
        assert!(lines.values[3].is_nan());
        assert_eq!(lines.range(), Some((1.0, 3.0)));
        // rows go upwards, and so the last is the first
        let places = Grid::of_places(&[(0.0, 10.0, 1.0), (1.0, 20.0, 2.0), (0.0, 20.0, 3.0)]).unwrap();
        assert_eq!((places.columns, &places.values[..3]), (2, &[3.0, 2.0, 1.0][..]));
        assert_eq!((places.x, places.y), ((-0.5, 1.5), (5.0, 25.0)));
        assert!(
            Grid::of_places(&(0..20_000).map(|i| (f64::from(i), f64::from(i), 0.0)).collect::<Vec<_>>())
                .is_none()
        );
        assert_eq!(Grid::of_lines(&[]).rows(), 0);
    }

    #[test]
    fn more_than_can_be_seen_becomes_means() {
        let line: Vec<f64> = (0..2400).map(|i| f64::from(i % 2)).collect();
        let grid = Grid::of_lines(&[line]).reduced();
        assert_eq!((grid.columns, grid.rows()), (1200, 1));
        assert!(grid.values.iter().all(|x| *x == 0.5));
    }

    #[test]
    fn colours() {
        assert_eq!((colour(0.0), colour(1.0), colour(-1.0)), (COLOURS[0], COLOURS[8], COLOURS[0]));
        let grid = Grid::of_lines(&[vec![0.0, f64::NAN]]);
        assert_eq!(grid.pixels(&|x| x.is_finite().then_some(x)), [68, 1, 84, 0xe6, 0xe6, 0xe6]);
    }
}
