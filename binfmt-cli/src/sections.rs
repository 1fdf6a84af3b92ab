//! The bytes of a file, explained section by section.

use crate::error::{Error, Result};
use crate::input::Input;
use crate::limits::Limits;
use crate::span::Span;
use crate::window::{Aim, Window};
use binfmt::table::Section;
use std::io::{Read, Write};
use std::ops::Range;

/// Writes what touches the window, up to its end or to the damage, which `told` tells. Bytes that no section explains are shown as they are.
pub(crate) fn dump(
    sections: &[Section],
    (input, limits): (&mut Input, Limits),
    (window, title): (&Window, &str),
    told: impl Fn(&mut Input, &binfmt::Error) -> Error,
    out: &mut dyn Write,
) -> Result<()> {
    let mut end = 0;
    for section in sections {
        let bytes = section.bytes();
        unexplained(end..bytes.start, input, window, title, out)?;
        end = bytes.end;
        if window.bytes.to.is_some_and(|to| bytes.start >= to) {
            return Ok(());
        }
        if bytes.end <= window.bytes.from {
            continue;
        }
        let section = section.clone().with_options(limits.within(section.options()));
        let start = first(&section, input, window)?;
        let reader = reader(input, start.0..bytes.end)?;
        let mut written = Ok(true);
        let done = section.trace(reader, start, window.part_options(), |part| {
            written = window.write(part, out);
            *written.as_ref().unwrap_or(&false)
        });
        let goes_on = written?;
        done.map_err(|e| told(input, &e))?;
        if !goes_on {
            return Ok(());
        }
    }
    unexplained(end..u64::MAX, input, window, title, out)
}

/// Some bytes of the file. A stream goes forward only: what comes before its last section is looked at.
fn reader<'a>(input: &'a mut Input, bytes: Range<u64>) -> Result<Box<dyn Read + 'a>> {
    if input.is_read_once() && bytes.end < u64::MAX {
        let head = input.head(usize::try_from(bytes.end).unwrap_or(usize::MAX))?;
        let start = usize::try_from(bytes.start).unwrap_or(usize::MAX);
        return Ok(Box::new(head.get(start..).unwrap_or_default()));
    }
    Ok(Box::new(input.reader(bytes.start)?.take(bytes.end.saturating_sub(bytes.start))))
}

/// The place and the number of a row at or before that in which the window begins. A stream is explained from its front.
fn first(section: &Section, input: &mut Input, window: &Window) -> Result<(u64, u64)> {
    let bytes = section.bytes();
    match input.len().filter(|_| window.bytes.from > bytes.start) {
        Some(all) => {
            let front = input.reader(bytes.start)?.take(bytes.end.saturating_sub(bytes.start));
            section.row_at(window.bytes.from.min(all), front).map_err(Error::data)
        }
        None => Ok((bytes.start, 0)),
    }
}

/// Bytes as they are, where those are wanted, if there are any. Of a stream they have gone by.
fn unexplained(
    bytes: Range<u64>,
    input: &mut Input,
    window: &Window,
    title: &str,
    out: &mut dyn Write,
) -> Result<()> {
    let from = bytes.start.max(window.bytes.from);
    let to = window.bytes.to.unwrap_or(u64::MAX).min(bytes.end);
    if from >= to || !matches!(window.aim, Aim::Lines | Aim::Page(_)) || input.stored().is_none() {
        return Ok(());
    }
    if input.reader(from)?.read(&mut [0]).map_err(Error::input)? == 0 {
        return Ok(());
    }
    let to = Some(to).filter(|to| *to < u64::MAX);
    Window { bytes: Span { from, to }, ..window.clone() }.plain(input, title, out)
}
