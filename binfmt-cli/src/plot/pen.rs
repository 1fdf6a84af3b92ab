//! What tells one line from another: colours, and after the last of them dashes.

pub(super) use plotters::style::RGBColor as Ink;

/// Colours that most eyes tell apart.
const INKS: [Ink; 8] = [
    Ink(0x1f, 0x6f, 0xb4),
    Ink(0xd9, 0x5f, 0x02),
    Ink(0x1b, 0x9e, 0x77),
    Ink(0xb8, 0x2e, 0x7c),
    Ink(0x6a, 0x61, 0xb8),
    Ink(0xa6, 0x76, 0x1d),
    Ink(0x2f, 0xa7, 0xc4),
    Ink(0x5a, 0x5f, 0x66),
];

/// Pixels of a line, and between two pieces of it, in turns; nothing of one without gaps.
pub(super) const DASHES: [&[f64]; 4] = [&[], &[8.0, 4.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// How a line is drawn, or the points of one.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) ink: Ink,
    /// Which of the dashes; for points which of the marks.
    pub(super) dash: usize,
}

impl Pen {
    /// That of the line with this number.
    pub(super) fn of(number: usize) -> Pen {
        Pen { ink: INKS[number % INKS.len()], dash: number / INKS.len() % DASHES.len() }
    }
}

impl From<Ink> for Pen {
    fn from(ink: Ink) -> Pen {
        Pen { ink, dash: 0 }
    }
}

/// The pieces of a line that are drawn.
pub(super) fn pieces(places: &[(f64, f64)], dash: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut lengths = dash.iter().copied().cycle();
    let Some(mut left) = lengths.next() else { return vec![places.to_vec()] };
    let (mut all, mut piece, mut is_drawn) =
        (Vec::new(), places.first().copied().into_iter().collect::<Vec<_>>(), true);
    for ends in places.windows(2) {
        let &[mut from, to] = ends else { continue };
        loop {
            let rest = (to.0 - from.0).hypot(to.1 - from.1);
            if rest <= left {
                left -= rest;
                if is_drawn {
                    piece.push(to);
                }
                break;
            }
            let part = left / rest;
            from = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            if is_drawn {
                piece.push(from);
                all.push(std::mem::take(&mut piece));
            } else {
                piece = vec![from];
            }
            is_drawn = !is_drawn;
            left = lengths.next().unwrap_or(f64::INFINITY);
        }
    }
    if piece.len() > 1 {
        all.push(piece);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_around_corners() {
        let line = [(0.0, 0.0), (5.0, 0.0), (5.0, 12.0)];
        let found = pieces(&line, &[8.0, 4.0]);
        assert_eq!(found, [vec![(0.0, 0.0), (5.0, 0.0), (5.0, 3.0)], vec![(5.0, 7.0), (5.0, 12.0)]]);
        assert_eq!(pieces(&line, &[]), [line.to_vec()]);
        assert!(pieces(&[], &[1.0]).is_empty());
    }

    #[test]
    fn no_two_of_many_are_alike() {
        let looks = (0..32).map(|number| {
            let Pen { ink, dash } = Pen::of(number);
            ((ink.0, ink.1, ink.2), dash)
        });
        assert_eq!(looks.collect::<std::collections::HashSet<_>>().len(), 32);
    }
}
