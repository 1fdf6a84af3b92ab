//! Boxes of cells: parts of an array, as ranges of coordinates.

/// The first and the last coordinate in each dimension.
pub(crate) type Region = Vec<[i128; 2]>;

/// As many parts of boxes that lie over each other are told apart, and two more for each box: what is more is looked at as one that has
/// all.
const MOST: usize = 256;

/// The same cells in boxes that have none of them in common, in ascending order.
pub(crate) fn apart(mut all: Vec<Region>) -> Vec<Region> {
    all.sort();
    let most = MOST.saturating_add(all.len().saturating_mul(2));
    // those that no later one can touch, and the others
    let (mut done, mut found): (Vec<Region>, Vec<Region>) = Default::default();
    for region in all {
        let is_behind =
            |known: &Region| known.first().zip(region.first()).is_some_and(|(a, b)| a[1] + 1 < b[0]);
        done.extend(found.extract_if(.., |known| is_behind(known)));
        let mut left = vec![region.clone()];
        for known in found.iter().filter(|known| !are_apart(known, &region)) {
            left = left.iter().flat_map(|region| without(region, known)).collect();
        }
        for region in left {
            // rows that were written one after the other are one box
            match found.iter_mut().rev().find_map(|known| joined(known, &region).map(|both| (known, both))) {
                Some((known, both)) => *known = both,
                None => found.push(region),
            }
        }
        if found.len() > most {
            found = around(&found).into_iter().collect();
        }
    }
    done.append(&mut found);
    done.sort();
    done
}

/// The box that has all of them.
fn around(all: &[Region]) -> Option<Region> {
    all.iter().cloned().reduce(|one, other| {
        let ends = one.iter().zip(&other);
        ends.map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]).collect()
    })
}

/// Whether two boxes have no cell in common.
fn are_apart(one: &Region, other: &Region) -> bool {
    one.iter().zip(other).any(|(a, b)| a[1] < b[0] || a[0] > b[1])
}

/// The cells of a box that are not in another, in boxes.
fn without(region: &Region, other: &Region) -> Vec<Region> {
    if are_apart(region, other) || region.len() != other.len() {
        return vec![region.clone()];
    }
    let (mut parts, mut inner) = (Vec::new(), region.clone());
    for (i, of) in other.iter().enumerate() {
        let Some([low, high]) = inner.get(i).copied() else { continue };
        for ends in [[low, high.min(of[0] - 1)], [low.max(of[1] + 1), high]] {
            if ends[0] <= ends[1] {
                let mut part = inner.clone();
                part[i] = ends;
                parts.push(part);
            }
        }
        inner[i] = [low.max(of[0]), high.min(of[1])];
    }
    parts
}

/// Two boxes as one, if they stand beside each other and are of one size.
fn joined(one: &Region, other: &Region) -> Option<Region> {
    let mut unlike = one.iter().zip(other).enumerate().filter(|(_, (a, b))| a != b);
    let (place, (a, b)) = unlike.next()?;
    let is_beside = a[1] + 1 == b[0] || b[1] + 1 == a[0];
    (unlike.next().is_none() && is_beside && one.len() == other.len()).then(|| {
        let mut both = one.clone();
        both[place] = [a[0].min(b[0]), a[1].max(b[1])];
        both
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(all: &[Region]) -> Vec<(i128, i128)> {
        let each = |region: &Region| {
            let ([a, b], [c, d]) = (region[0], region[1]);
            (a..=b).flat_map(move |x| (c..=d).map(move |y| (x, y))).collect::<Vec<_>>()
        };
        all.iter().flat_map(each).collect()
    }

    #[test]
    fn each_cell_is_in_one_box() {
        let mut seed = 1u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            i128::from((seed >> 33) % n)
        };
        for _ in 0..200 {
            let num = random(5);
            let mut end = || {
                let low = random(8);
                [low, low + random(5)]
            };
            let all: Vec<Region> = (0..num).map(|_| vec![end(), end()]).collect();
            let found = cells(&apart(all.clone()));
            let mut once = found.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), found.len(), "{all:?}");
            let mut expected = cells(&all);
            expected.sort();
            expected.dedup();
            assert_eq!(once, expected, "{all:?}");
        }
        assert_eq!(apart(vec![vec![[4, 5], [0, 9]], vec![[0, 3], [0, 9]]]), [vec![[0, 5], [0, 9]]]);
    }
}
