//! Boxes of cells from one order to another.

use crate::formats::tiledb::layout::Layout;

/// How far apart two cells are that are neighbours in each dimension, in a box of this shape.
pub(crate) fn strides(shape: &[usize], order: Layout) -> Vec<usize> {
    let mut strides = vec![0; shape.len()];
    let mut step = 1usize;
    let mut set = |i: usize| {
        strides[i] = step;
        step = step.saturating_mul(shape[i]);
    };
    match order {
        Layout::ColumnMajor => (0..shape.len()).for_each(&mut set),
        _ => (0..shape.len()).rev().for_each(&mut set),
    }
    strides
}

/// A run of cells: `len` cells from `from` on, `from_step` apart, to `to` on, `to_step` apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) from: usize,
    pub(crate) from_step: usize,
    pub(crate) to: usize,
    pub(crate) to_step: usize,
    pub(crate) len: usize,
}

impl Run {
    /// Whether the cells lie together in both.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.from_step == 1 && self.to_step == 1
    }

    /// The way back.
    pub(crate) fn back(self) -> Run {
        let Run { from, from_step, to, to_step, len } = self;
        Run { from: to, from_step: to_step, to: from, to_step: from_step, len }
    }

    /// Copies its cells, each of that many bytes.
    pub(crate) fn copy(self, from: &[u8], to: &mut [u8], size: usize) {
        match self.is_contiguous() {
            true => to[self.to * size..][..self.len * size]
                .copy_from_slice(&from[self.from * size..][..self.len * size]),
            false => copy_cells(from, to, size, self.cells()),
        }
    }

    /// Each cell: where it is, where it goes.
    pub(crate) fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len).map(move |i| (self.from + i * self.from_step, self.to + i * self.to_step))
    }
}

/// Copies cells of that many bytes, each from its place to another; those of a single number have code of their own.
pub(crate) fn copy_cells(
    from: &[u8],
    to: &mut [u8],
    size: usize,
    cells: impl Iterator<Item = (usize, usize)>,
) {
    fn numbers<const N: usize>(from: &[u8], to: &mut [u8], cells: impl Iterator<Item = (usize, usize)>) {
        let (from, to) = (from.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
        cells.for_each(|(i, k)| to[k] = from[i]);
    }
    match size {
        1 => numbers::<1>(from, to, cells),
        2 => numbers::<2>(from, to, cells),
        4 => numbers::<4>(from, to, cells),
        8 => numbers::<8>(from, to, cells),
        _ => cells.for_each(|(i, k)| to[k * size..][..size].copy_from_slice(&from[i * size..][..size])),
    }
}

/// A box that is copied from one array of cells into another.
#[derive(Clone, Debug)]
pub(crate) struct Boxed {
    /// The first cell in both.
    from: usize,
    to: usize,
    /// Length and both strides of each dimension, the fastest of the target first.
    dims: Vec<(usize, usize, usize)>,
}

impl Boxed {
    /// A box of this shape whose first cell is at these places, with the strides of source and target.
    pub(crate) fn new(shape: &[usize], from: (usize, &[usize]), to: (usize, &[usize])) -> Self {
        let all = shape.iter().zip(from.1).zip(to.1).map(|((len, from), to)| (*len, *from, *to));
        let mut dims: Vec<_> = all.filter(|(len, ..)| *len != 1).collect();
        dims.sort_by_key(|(_, _, to)| *to);
        // dimensions that follow on each other in both are one
        let mut merged: Vec<(usize, usize, usize)> = Vec::new();
        for (len, f, t) in dims {
            match merged.last_mut() {
                Some(last) if last.0 * last.1 == f && last.0 * last.2 == t => last.0 *= len,
                _ => merged.push((len, f, t)),
            }
        }
        Boxed { from: from.0, to: to.0, dims: merged }
    }

    /// The number of cells.
    pub(crate) fn num_cells(&self) -> usize {
        self.dims.iter().map(|(len, ..)| len).product()
    }

    /// The only run of the box, where it has one.
    pub(crate) fn run(&self) -> Option<Run> {
        let run = |(len, from_step, to_step)| Run { from: self.from, from_step, to: self.to, to_step, len };
        match self.dims.as_slice() {
            [] => Some(run((1, 1, 1))),
            [only] => Some(run(*only)),
            _ => None,
        }
    }

    /// Every run of the box, along the fastest dimension of the target.
    pub(crate) fn runs(&self, mut each: impl FnMut(Run)) {
        if self.dims.iter().any(|(len, ..)| *len == 0) {
            return;
        }
        let (len, from_step, to_step) = self.dims.first().copied().unwrap_or((1, 1, 1));
        let outer = self.dims.split_first().map_or(&[][..], |(_, outer)| outer);
        let mut index = vec![0usize; outer.len()];
        let (mut from, mut to) = (self.from, self.to);
        loop {
            each(Run { from, from_step, to, to_step, len });
            let mut k = 0;
            loop {
                let Some(((n, f, t), i)) = outer.get(k).zip(index.get_mut(k)) else { return };
                *i += 1;
                from += f;
                to += t;
                if *i < *n {
                    break;
                }
                *i = 0;
                from -= f * n;
                to -= t * n;
                k += 1;
            }
        }
    }
}
