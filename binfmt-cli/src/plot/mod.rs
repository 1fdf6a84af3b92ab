//! Pictures of tables: lines, points, histograms, and images of arrays.

mod axis;
mod bins;
mod canvas;
mod clip;
mod dates;
mod drawing;
mod envelope;
mod figure;
mod grid;
mod pen;
mod png;
mod read;
mod svg;
mod symbols;
mod tile;

pub(crate) use bins::Bins;
pub(crate) use canvas::Form;
pub(crate) use figure::{Content, Figure, Series, Title};
pub(crate) use read::{Wanted, are_numbers, image, points};
