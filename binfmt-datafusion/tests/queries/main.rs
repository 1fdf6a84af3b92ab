//! One program, since linking DataFusion takes longer than most of the tests.

mod answers;
mod asked;
#[cfg(feature = "ballista")]
mod cluster;
#[cfg(feature = "objects")]
mod objects;
#[cfg(all(unix, feature = "prompt"))]
mod prompt;
#[cfg(all(unix, feature = "ballista"))]
mod readme;
mod written;
