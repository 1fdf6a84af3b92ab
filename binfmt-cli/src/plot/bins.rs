//! How many values are in each part of their range.

/// The counts of some values.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    pub(super) low: f64,
    /// Of each part.
    pub(super) width: f64,
    pub(super) counts: Vec<u64>,
    /// The parts are those of the logarithms.
    pub(super) is_log: bool,
}

/// Parts if nothing is said: about as many as the root of the number of values.
const LEAST: usize = 10;
const MOST: usize = 100;

impl Bins {
    /// The same parts for each of several lists of values, in which what is not finite does not count.
    pub(crate) fn of(lists: &[Vec<f64>], parts: Option<usize>, is_log: bool) -> Vec<Bins> {
        let scaled = |x: &f64| if is_log { x.log10() } else { *x };
        let lists: Vec<Vec<f64>> =
            lists.iter().map(|list| list.iter().map(scaled).filter(|x| x.is_finite()).collect()).collect();
        let all = || lists.iter().flatten().copied();
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = match low < high {
            true => (low, high),
            false if low == high => (low - 0.5, high + 0.5),
            false => (0.0, 1.0),
        };
        let most = lists.iter().map(Vec::len).max().unwrap_or(0);
        let parts = parts.unwrap_or(((most as f64).sqrt().ceil() as usize).clamp(LEAST, MOST)).max(1);
        // halves: the difference of the greatest numbers overflows
        let width = (high / parts as f64) - (low / parts as f64);
        let count = |list: &Vec<f64>| {
            let mut counts = vec![0; parts];
            for x in list {
                let place = (((x / width) - (low / width)).max(0.0) as usize).min(parts - 1);
                if let Some(count) = counts.get_mut(place) {
                    *count += 1;
                }
            }
            Bins { low, width, counts, is_log }
        };
        lists.iter().map(count).collect()
    }

    /// Where a part begins.
    pub(super) fn edge(&self, part: usize) -> f64 {
        let at = self.low + self.width * part as f64;
        if self.is_log { 10_f64.powf(at) } else { at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<f64> = (0..1000).map(f64::from).chain([f64::NAN, f64::INFINITY]).collect();
        let bins = &Bins::of(&[values], Some(4), false)[0];
        assert_eq!(bins.counts, [250; 4]);
        assert_eq!((bins.edge(0), bins.edge(4)), (0.0, 999.0));
        let same = &Bins::of(&[vec![7.0; 9]], None, false)[0];
        assert_eq!((same.counts.iter().sum::<u64>(), same.edge(0)), (9, 6.5));
        let none = &Bins::of(&[vec![]], None, false)[0];
        assert_eq!(none.counts, [0; 10]);
        let wide = &Bins::of(&[vec![f64::MIN, f64::MAX]], Some(2), false)[0];
        assert_eq!(wide.counts, [1, 1]);
    }

    #[test]
    fn several_lists_have_the_same_parts() {
        let both = Bins::of(&[vec![0.0, 1.0], vec![3.0, 4.0]], Some(4), false);
        assert_eq!((&both[0].counts[..], &both[1].counts[..]), (&[1, 1, 0, 0][..], &[0, 0, 0, 2][..]));
        let log = &Bins::of(&[vec![1.0, 10.0, 100.0, 0.0, -1.0]], Some(2), true)[0];
        assert_eq!(log.counts, [1, 2]);
        assert!((log.edge(1) - 10.0).abs() < 1e-9);
    }
}
