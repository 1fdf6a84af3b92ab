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

    /// Values at places; the last of several at one place, nothing at a place without one. `None` if there are too many cells.
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
        let (columns, x, y) = (xs.len(), ends(&xs), ends(&ys));
        if is_even(&xs) && is_even(&ys) {
            return Some(Grid { columns, values, x, y });
        }
        let (across, up) = (nearest(&xs, x), nearest(&ys, y));
        let lines = up.iter().rev().filter_map(|row| values.chunks(columns.max(1)).rev().nth(*row));
        let values = lines.flat_map(|line| across.iter().filter_map(|column| line.get(*column).copied()));
        Some(Grid { columns: across.len(), values: values.collect(), x, y })
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

/// Half of the way to the next one beyond the first and the last.
fn ends(all: &[f64]) -> (f64, f64) {
    match all {
        [first, second, ..] => {
            let before = all.get(all.len() - 2).copied().unwrap_or(*first);
            let last = all.last().copied().unwrap_or(*second);
            (first - (second - first) / 2.0, last + (last - before) / 2.0)
        }
        [only] => (only - 0.5, only + 0.5),
        [] => (0.0, 1.0),
    }
}

/// Whether all are where cells of one size have their middle, as far as that can be seen.
fn is_even(all: &[f64]) -> bool {
    let [first, .., last] = all else { return true };
    let step = (last - first) / (all.len() - 1) as f64;
    all.iter().enumerate().all(|(i, x)| (x - (first + step * i as f64)).abs() <= step * 0.01)
}

/// The number of the nearest one at as many places between two ends as can be seen: so each reaches half of the way to the next.
fn nearest(all: &[f64], (low, high): (f64, f64)) -> Vec<usize> {
    if is_even(all) {
        return (0..all.len()).collect();
    }
    let at = |place: usize| low + (high - low) * ((place as f64 + 0.5) / MOST as f64);
    let middle = |pair: &[f64]| pair.iter().map(|x| x / 2.0).sum::<f64>();
    let middles: Vec<f64> = all.windows(2).map(middle).collect();
    (0..MOST).map(|place| middles.partition_point(|middle| *middle < at(place))).collect()
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
    fn places_with_uneven_steps_are_where_they_are() {
        let places: Vec<_> =
            [0.0, 1.0, 10.0].iter().flat_map(|x| [(*x, 0.0, *x), (*x, 1.0, *x + 0.5)]).collect();
        let grid = Grid::of_places(&places).unwrap();
        assert_eq!((grid.columns, grid.rows(), grid.x, grid.y), (MOST, 2, (-0.5, 14.5), (-0.5, 1.5)));
        // the borders are at 0.5 and 5.5, and rows go upwards
        let at = |x: f64| ((x + 0.5) / 15.0 * MOST as f64) as usize;
        let found = [0.4, 0.6, 5.4, 5.6, 14.4].map(|x| grid.values[MOST + at(x)]);
        assert_eq!(found, [0.0, 1.0, 1.0, 10.0, 10.0]);
        assert_eq!((grid.values[at(0.4)], grid.values[at(14.4)]), (0.5, 10.5));
        let turned: Vec<_> = places.iter().map(|(x, y, z)| (*y, *x, *z)).collect();
        let grid = Grid::of_places(&turned).unwrap();
        assert_eq!((grid.columns, grid.rows()), (2, MOST));
        assert_eq!([grid.values[0], grid.values[1], grid.values[2 * MOST - 2]], [10.0, 10.5, 0.0]);
        // what is rounded is even
        let rounded: Vec<_> = (0..50u8).map(|i| (f64::from(1000.0 + f32::from(i) * 0.1), 0.0, 1.0)).collect();
        assert_eq!(Grid::of_places(&rounded).unwrap().columns, 50);
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
