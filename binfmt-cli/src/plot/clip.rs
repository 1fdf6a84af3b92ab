//! Lines that go beyond the axes.

use super::envelope::Place;

/// The places of lines inside of a box, with those on its sides where a line comes in or goes out.
pub(super) fn clipped(
    places: impl Iterator<Item = Option<Place>>,
    low: Place,
    high: Place,
) -> Vec<Option<Place>> {
    let mut out: Vec<Option<Place>> = Vec::new();
    let mut before: Option<Place> = None;
    for place in places {
        match (before, place) {
            (Some(from), Some(to)) => {
                if let Some((first, last)) = part(from, to, low, high) {
                    if out.last() != Some(&Some(first)) {
                        out.extend([None, Some(first)]);
                    }
                    out.push(Some(last));
                }
            }
            (None, Some(at)) => out.extend(part(at, at, low, high).map(|_| Some(at))),
            (_, None) => out.push(None),
        }
        before = place;
    }
    out
}

/// The part of a line that is inside.
fn part(from: Place, to: Place, low: Place, high: Place) -> Option<(Place, Place)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    let sides = [(-dx, from.0 - low.0), (dx, high.0 - from.0), (-dy, from.1 - low.1), (dy, high.1 - from.1)];
    for (towards, room) in sides {
        match room / towards {
            // along the side
            _ if towards == 0.0 && room < 0.0 => return None,
            _ if towards == 0.0 => {}
            at if towards < 0.0 => first = first.max(at),
            at => last = last.min(at),
        }
    }
    let at = |part: f64| (from.0 + part * dx, from.1 + part * dy);
    let end = if last < 1.0 { at(last) } else { to };
    (first <= last).then(|| (at(first), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_sides() {
        let of = |places: &[(f64, f64)]| {
            clipped(places.iter().copied().map(Some), (0.0, 0.0), (10.0, 10.0))
                .into_iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&[(1.0, 1.0), (2.0, 3.0)]), [Some((1.0, 1.0)), Some((2.0, 3.0))]);
        assert_eq!(of(&[(-5.0, 5.0), (15.0, 5.0)]), [None, Some((0.0, 5.0)), Some((10.0, 5.0))]);
        // out and in again is a gap
        let found = of(&[(5.0, 5.0), (5.0, 15.0), (6.0, 15.0), (6.0, 5.0)]);
        let expected = [Some((5.0, 5.0)), Some((5.0, 10.0)), None, Some((6.0, 10.0)), Some((6.0, 5.0))];
        assert_eq!(found, expected);
        assert_eq!(of(&[(-1.0, 5.0), (-1.0, 6.0)]), []);
        assert_eq!(of(&[(20.0, 20.0)]), []);
    }
}
