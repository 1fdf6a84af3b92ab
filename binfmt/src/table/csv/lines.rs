//! The ends of lines.
#![allow(clippy::arithmetic_side_effects, reason = "counts of a piece of memory")]

use crate::numbers::Loop;

/// Bytes in which lines are counted together: one, and groups of those that come after another one.
pub(super) const PIECE: usize = 1 + 8 * GROUP;
/// No more than a byte counts.
const GROUP: usize = 128;

/// Counts the line ends of a piece; nothing where it has a quote, or perhaps an empty line after one of them.
pub(super) struct Lines<'a> {
    pub(super) piece: &'a [u8; PIECE],
    pub(super) line_end: u8,
}

impl Loop for Lines<'_> {
    type Found = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let (mut lines, mut is_odd) = (usize::from(self.piece[0] == self.line_end), self.piece[0] == b'"');
        let (before, _) = self.piece.as_chunks::<GROUP>();
        let (groups, _) = self.piece[1..].as_chunks::<GROUP>();
        for (before, group) in before.iter().zip(groups) {
            let mut ends = 0u8;
            for (before, byte) in before.iter().zip(group) {
                let is_end = *byte == self.line_end;
                ends += u8::from(is_end);
                is_odd |= (*byte == b'"') | ((*before == self.line_end) & (is_end | (*byte == b'\r')));
            }
            lines += usize::from(ends);
        }
        (!is_odd).then_some(lines)
    }
}

/// What ends the lines of a file that begins so.
pub(super) fn line_end(block: &[u8]) -> u8 {
    let mut is_inside = false;
    let outside = |byte: &&u8| {
        is_inside ^= **byte == b'"';
        !is_inside && matches!(byte, b'\n' | b'\r')
    };
    let ends: Vec<u8> = block.iter().filter(outside).copied().collect();
    if ends.contains(&b'\r') && !ends.contains(&b'\n') { b'\r' } else { b'\n' }
}
