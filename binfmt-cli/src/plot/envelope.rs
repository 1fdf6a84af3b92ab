//! Lines and points on a picture, of which no more is drawn than can be seen.

use std::collections::HashSet;

/// A place on the picture.
pub(super) type Place = (f64, f64);

/// The lines through the places that are there, in their order: what is not there is a gap. In a column of pixels a line has four
/// places at most, by which it looks the same: where it comes in, its ends, and where it goes out.
pub(super) fn lines(places: impl Iterator<Item = Option<Place>>) -> Vec<Vec<Place>> {
    let mut lines = Lines::default();
    for place in places {
        match place {
            Some(place) => lines.add(place),
            None => lines.gap(),
        }
    }
    lines.gap();
    lines.done
}

#[derive(Default)]
struct Lines {
    done: Vec<Vec<Place>>,
    line: Vec<Place>,
    column: Option<Column>,
}

/// What a line does in a column of pixels.
#[derive(Clone, Copy)]
struct Column {
    number: i64,
    first: Place,
    last: Place,
    /// The lowest and the highest place, with its number in the column.
    low: (u64, Place),
    high: (u64, Place),
    count: u64,
}

impl Lines {
    fn add(&mut self, place: Place) {
        let number = place.0.floor() as i64;
        match &mut self.column {
            Some(column) if column.number == number => {
                if place.1 < column.low.1.1 {
                    column.low = (column.count, place);
                }
                if place.1 > column.high.1.1 {
                    column.high = (column.count, place);
                }
                column.last = place;
                column.count += 1;
            }
            _ => {
                self.leave();
                let (low, high) = ((0, place), (0, place));
                self.column = Some(Column { number, first: place, last: place, low, high, count: 1 });
            }
        }
    }

    /// The places of a column that is left.
    fn leave(&mut self) {
        let Some(column) = self.column.take() else { return };
        let mut ends = [column.low, column.high];
        ends.sort_by_key(|end| end.0);
        for place in [column.first, ends[0].1, ends[1].1, column.last] {
            if self.line.last() != Some(&place) {
                self.line.push(place);
            }
        }
    }

    fn gap(&mut self) {
        self.leave();
        if !self.line.is_empty() {
            self.done.push(std::mem::take(&mut self.line));
        }
    }
}

/// More points than these are thinned out further: they hide each other.
const MANY: usize = 20_000;

/// The places that are there, of those in one quarter of a pixel the first; of very many, of those in two pixels by two.
pub(super) fn points(places: impl Iterator<Item = Option<Place>>) -> Vec<Place> {
    let mut found = thinned(places.flatten(), 2.0);
    for parts in [1.0, 0.5] {
        if found.len() > MANY {
            found = thinned(found.into_iter(), parts);
        }
    }
    found
}

/// The first place in each square, of which a pixel has that many along its side.
fn thinned(places: impl Iterator<Item = Place>, parts: f64) -> Vec<Place> {
    let mut known = HashSet::new();
    let square = |place: &Place| ((place.0 * parts).floor() as i64, (place.1 * parts).floor() as i64);
    places.filter(|place| known.insert(square(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_points_become_their_envelope() {
        let wave = |i: u32| {
            Some((f64::from(i) / 1e6 * 500.0, f64::from(i % 1000) - if i == 777_777 { 5000.0 } else { 0.0 }))
        };
        let found = lines((0..1_000_000).map(wave));
        assert_eq!(found.len(), 1);
        assert!(found[0].len() <= 4 * 500, "{}", found[0].len());
        // no peak is lost, and ends are where they were
        let low = found[0].iter().map(|place| place.1).fold(f64::MAX, f64::min);
        assert_eq!(low, f64::from(777_777 % 1000) - 5000.0);
        assert_eq!((found[0][0], *found[0].last().unwrap()), ((0.0, 0.0), (499.9995, 999.0)));
        for column in 0..500 {
            let of = |place: &&Place| place.0.floor() == f64::from(column);
            let ys: Vec<f64> = found[0].iter().filter(of).map(|place| place.1).collect();
            assert!(ys.contains(&0.0) && ys.contains(&999.0), "{column}: {ys:?}");
        }
    }

    #[test]
    fn what_is_missing_is_a_gap() {
        let places = [Some((0.0, 1.0)), Some((10.0, 2.0)), None, None, Some((20.0, 3.0)), None];
        assert_eq!(lines(places.into_iter()), [vec![(0.0, 1.0), (10.0, 2.0)], vec![(20.0, 3.0)]]);
        assert!(lines([None, None].into_iter()).is_empty());
        // in the middle of a column, too
        let places = [Some((0.1, 1.0)), None, Some((0.2, 2.0))];
        assert_eq!(lines(places.into_iter()).len(), 2);
    }

    #[test]
    fn the_order_within_a_column_stays() {
        let places = [(0.0, 5.0), (0.2, 9.0), (0.4, 1.0), (0.6, 4.0), (7.0, 4.0)].map(Some);
        assert_eq!(lines(places.into_iter()), [[(0.0, 5.0), (0.2, 9.0), (0.4, 1.0), (0.6, 4.0), (7.0, 4.0)]]);
        // a line that goes back is not sorted
        let places = [(5.0, 0.0), (1.0, 1.0), (5.0, 2.0)].map(Some);
        assert_eq!(lines(places.into_iter()), [[(5.0, 0.0), (1.0, 1.0), (5.0, 2.0)]]);
    }

    #[test]
    fn points_over_each_other_are_one() {
        let places = [Some((0.1, 0.1)), Some((0.2, 0.2)), None, Some((0.6, 0.1))];
        assert_eq!(points(places.into_iter()), [(0.1, 0.1), (0.6, 0.1)]);
        // of a million what can be told apart stays
        let all = (0..1_000_000u32).map(|i| Some((f64::from(i % 1000) * 0.8, f64::from(i / 1000) * 0.5)));
        let found = points(all);
        assert!((90_000..=100_000).contains(&found.len()), "{}", found.len());
    }
}
