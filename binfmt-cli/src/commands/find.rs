//! `binfmt find`: where in a file a value is, or some bytes.

use crate::args::Find;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Aim, Format, Job, Window, Written};
use crate::input::Input;
use crate::needle::{Needle, Time};
use crate::output;
use crate::span::Span;
use binfmt::table::{Logical, TableField, TimeUnit};
use std::io::{Read, Write};

pub(crate) fn run(args: &Find, formats: Formats) -> Result<()> {
    let mut out = output::stdout();
    let found = match args.bytes {
        true => bytes(args, formats, &mut out),
        false => value(args, formats, &mut out),
    };
    let flushed = out.flush().map_err(Error::output);
    let found = found?;
    flushed?;
    if found == 0 { Err(Error::Shown(1)) } else { Ok(()) }
}

/// Looks for a value in what the dump of the file explains.
fn value(args: &Find, formats: Formats, out: &mut impl Write) -> Result<u64> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, false)?;
    let needle = Needle::value(&args.value, args.most.unwrap_or(u64::MAX));
    let needle = needle.with_times(times(&args.value, format, &mut job)?);
    explain(format, &mut job, needle.clone(), Span::ALL, out).map_err(|e| job.input.blamed(e))?;
    Ok(needle.found())
}

/// What the numbers of each column are that count the time which is meant. A stream is kept only where one is meant.
fn times(text: &str, format: &dyn Format, job: &mut Job<'_>) -> Result<Vec<Time>> {
    // of numbers those of four digits are years, where a column counts them
    let is_number = text.parse::<f64>().is_ok() && TimeUnit::Year.parse_time(text).is_none();
    if is_number || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    job.input.keep_stream()?;
    // what is wrong with the file is told when it is explained
    let Ok(table) = format.table(job) else { return Ok(Vec::new()) };
    let time = |field: &TableField| match field.logical {
        Some(Logical::Timestamp(unit)) => {
            Some(Time { column: field.name.to_string(), unit, count: unit.parse_time(text)? })
        }
        _ => None,
    };
    Ok(table.schema().fields.iter().filter_map(time).collect())
}

fn explain(
    format: &dyn Format,
    job: &mut Job<'_>,
    needle: Needle,
    bytes: Span,
    out: &mut dyn Write,
) -> Result<()> {
    job.limits = job.limits.of_a_dump();
    format.dump(job, &Window { bytes, depth: None, color: false, aim: Aim::Find(needle) }, out)
}

/// As many places are listed if nothing is said: they are remembered.
const MOST: u64 = 10_000;

/// Looks for bytes wherever they are, then which parts they are in, if the format is known.
fn bytes(args: &Find, formats: Formats, out: &mut impl Write) -> Result<u64> {
    let wanted = digits(&args.value)?;
    let mut input = Input::open(&args.path, args.reading.limits, formats.recogniser())?;
    if input.is_directory() {
        return Err(Error::usage("bytes are in files, and this is a folder").at(input.name()));
    }
    let format = formats.of(&mut input, args.reading.format.as_deref()).ok();
    let can_be_read_again = input.stored().is_some();
    let name = input.name();
    let most = args.most.unwrap_or(MOST);
    let places = places(input.reader(0)?, &wanted, most).map_err(|e| Error::input(e).at(&name))?;
    let count = places.len() as u64;
    let (Some(first), Some(last)) = (places.first().copied(), places.last().copied()) else { return Ok(0) };
    let needle = Needle::places(places);
    if let Some(format) = format.filter(|_| can_be_read_again) {
        args.reading.settings.check_for(format.facts().settings, format.facts().title)?;
        let mut job = Job {
            input,
            settings: &args.reading.settings,
            out: &args.reading.settings,
            limits: args.reading.limits,
            pages: None,
            asked: Vec::new(),
            written: Written::All,
            to: None,
            end: None,
        };
        let span = Span { from: first, to: Some(last + 1) };
        // what cannot be explained is told without a path
        let _ = explain(format, &mut job, needle.clone(), span, out);
    }
    for place in needle.unexplained() {
        writeln!(out, "{place:#010x}").map_err(Error::output)?;
    }
    if args.most.is_none() && count == MOST {
        crate::report::remark(&format!("{name}: there may be more places, --most says how many are shown"));
    }
    Ok(count)
}

/// Bytes from hexadecimal digits.
fn digits(text: &str) -> Result<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .trim_start_matches("0x")
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    match digits {
        Some(digits) if !digits.is_empty() && digits.len() % 2 == 0 => Ok(digits
            .chunks_exact(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .collect()),
        _ => Err(Error::usage(format_args!("--bytes: expected pairs of hexadecimal digits, found {text:?}"))
            .tip("such as \"2a 00\"; without --bytes a value is looked for")),
    }
}

/// Where the bytes are: pieces of the file, each with the end of the one before it.
fn places(mut reader: impl Read, wanted: &[u8], most: u64) -> std::io::Result<Vec<u64>> {
    const PIECE: u64 = 1 << 20;
    let (mut found, mut piece, mut start) = (Vec::new(), Vec::new(), 0u64);
    loop {
        let kept = piece.len();
        let read = reader.by_ref().take(PIECE).read_to_end(&mut piece)?;
        if read == 0 {
            return Ok(found);
        }
        let matches = piece.windows(wanted.len()).enumerate().filter(|(_, bytes)| *bytes == wanted);
        for (at, _) in matches {
            found.push(start + at as u64);
            if found.len() as u64 >= most {
                return Ok(found);
            }
        }
        debug_assert!(kept < wanted.len().max(1));
        let done = piece.len().saturating_sub(wanted.len() - 1);
        piece.drain(..done);
        start += done as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_across_pieces() {
        let mut file = vec![0u8; 3 << 20];
        for at in [0usize, (1 << 20) - 1, 2 << 20, (3 << 20) - 2] {
            file[at..at + 2].copy_from_slice(&[7, 8]);
        }
        let found = places(&file[..], &[7, 8], u64::MAX).unwrap();
        assert_eq!(found, [0, (1 << 20) - 1, 2 << 20, (3 << 20) - 2]);
        assert_eq!(places(&file[..], &[7, 8], 2).unwrap().len(), 2);
        assert_eq!(places(&[1u8, 1, 1][..], &[1, 1], 9).unwrap(), [0, 1]);
        assert_eq!(digits("2a 00").unwrap(), [0x2a, 0]);
        assert_eq!(digits("0xFF").unwrap(), [0xff]);
        assert!(digits("abc").is_err() && digits("").is_err() && digits("xy").is_err());
    }
}
