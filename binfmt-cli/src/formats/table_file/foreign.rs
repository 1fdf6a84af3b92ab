//! Text that another program has to change first.

use crate::error::{Error, Result};
use crate::input::Input;
use crate::probe::Probe;
use crate::resembles;

/// Refuses text in UTF-16, and where lines are objects an array of them.
pub(super) fn refused(input: &mut Input, is_of_objects: bool) -> Result<()> {
    if input.is_directory() {
        return Ok(());
    }
    let head = input.head(Probe::BYTES)?;
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = head {
        return Err(
            Error::data("the text is in UTF-16").tip("iconv -f UTF-16 -t UTF-8 FILE makes UTF-8 of it")
        );
    }
    match is_of_objects && resembles::is_array_of_objects(head) {
        true => Err(Error::data("it is a JSON array, and no lines").tip(resembles::LINES_OF_ARRAY)),
        false => Ok(()),
    }
}
