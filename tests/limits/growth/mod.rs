//! Input eight times as large costs about eight times as much: of every text that is parsed, and of every loop over columns, types,
//! pages, parameters. A loop that looks for a name among all others is the usual way to fail here.

mod formats;
mod kit;
mod layouts;
mod tables;

/// `n` pieces that a function makes of their number.
fn each(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}
