//! What a schema says: every word of the derive, types that name each other, the text form, serde, fingerprints.

mod again;
mod any;
mod compare;
mod described;
mod fingerprint;
mod pinned;
mod read;
mod renamed;
mod serial;
mod types;
mod validate;
mod words;

use binfmt::Layout;
use binfmt::schema::{Description, Schema};

/// The description of a type; its text form must be this one.
#[track_caller]
fn says<T: Layout>(text: &str) -> Description {
    let description = Schema::of::<T>().description().into_owned();
    assert_eq!(description.to_string(), text);
    // and what is read of the text says the same
    let read: Description = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(read.to_string(), text);
    description
}
