//! Rules of the house: what holds for sources, documents and packages.

mod docs;
mod formats;
mod layering;
mod names;
mod private;
mod published;
mod rooms;
mod words;
