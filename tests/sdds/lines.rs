//! Pages of text are read the same, whether their lines lie in memory as a whole or come byte by byte.

use binfmt::formats::sdds::{Options, Page, Reader};
use binfmt::wire::Source;
use std::io::{self, Read};

/// Gives a byte at a time, so that no line is in memory as a whole.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(1);
        self.0.read(&mut out[..n])
    }
}

/// A page, where it ended, and whether it is cut.
type Ended = (Page, u64, bool);

/// What went wrong, and the rows before it.
type Failure = (String, Option<Page>);

/// All pages, and the error.
fn all<'de, S: Source<'de>>(mut reader: Reader<'de, S>) -> (Vec<Ended>, Option<Failure>) {
    let mut pages = Vec::new();
    loop {
        match reader.next_page() {
            Ok(Some(page)) => pages.push((page, reader.offset(), reader.is_cut())),
            Ok(None) => return (pages, None),
            Err(e) => return (pages, Some((e.to_string(), e.recover()))),
        }
    }
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

const LINES: &[&str] = &[
    "0.5 7 abc",
    "0.5 7 abc",
    " -1e300\t-12  \"a b\" ",
    "0.5 7 abc\r",
    "1 2 a\\101!x",
    "1 2 a\\!b",
    "1 2 \"!\" ! c",
    "! 1 2 3",
    "",
    "  ",
    "\t! c",
    "1 2",
    "x 2 a",
    "1.5z 2z z",
    "nan 99999999999999999999 \\",
    "1 2 3 4 5",
    "\"3\" \"4\"5",
    "1 2 \"open",
    "+.5e1 +5 \u{e9}",
    "1\u{b}2\u{c}3",
    "-inf 0x10 \"\"",
    "1! 2 a",
    " !1 2 a",
    "1 2! a",
    "1 2 a!",
    "1 \"2!\" a",
    "nan! 1 a",
];

#[test]
fn lines_in_memory_are_read_as_those_that_come_in_drops() {
    let mut chance = Chance(7);
    let (mut pages, mut errors) = (0, 0);
    for turn in 0..6000 {
        let counts = chance.below(4) > 0;
        let widths = [0, 0, 0, 3, -4];
        let mut text = String::from("SDDS1\n");
        if chance.below(3) == 0 {
            text += "!# fixed-rowcount\n";
        }
        for (name, kind) in [("x", "double"), ("n", "long"), ("s", "string")] {
            let width = widths[chance.below(widths.len())];
            text += &format!("&column name={name}, type={kind}, field_length={width} &end\n");
        }
        text += &format!(
            "&data mode=ascii, no_row_counts={}, lines_per_row={} &end\n",
            u8::from(!counts),
            [1, 1, 1, 0, 2][chance.below(5)]
        );
        for _ in 0..1 + chance.below(2) {
            let lines = chance.below(7);
            if counts {
                text += &format!("{}\n", (lines + chance.below(3)).saturating_sub(1));
            }
            // mostly lines that are rows
            for _ in 0..lines {
                let from = if chance.below(3) > 0 { 4 } else { LINES.len() };
                text += LINES[chance.below(from)];
                text += "\n";
            }
            text += if counts { "" } else { "\n" };
        }
        text.truncate(text.len() - chance.below(2));
        let from = chance.below(4) as u64;
        let rows = [0..u64::MAX, 0..u64::MAX, from..from + 2, 0..0][chance.below(4)].clone();
        let names: &[&str] = [&["x", "n", "s"][..], &["s", "x"], &["n"], &["x", "s", "n"]][chance.below(4)];
        let open = |whole: bool| -> (String, _) {
            let made = match whole {
                true => Options::new()
                    .slice(text.as_bytes())
                    .and_then(|r| Ok(all(r.columns(names)?.rows(rows.clone())))),
                false => Options::new()
                    .reader(Drops(text.as_bytes()))
                    .and_then(|r| Ok(all(r.columns(names)?.rows(rows.clone())))),
            };
            match made {
                Ok(found) => (String::new(), Some(found)),
                Err(e) => (e.to_string(), None),
            }
        };
        let (whole, drops) = (open(true), open(false));
        if let Some((found, told)) = &whole.1 {
            pages += found.iter().filter(|(page, ..)| page.rows() > 0).count();
            errors += usize::from(told.is_some());
        }
        // NaN is not itself
        assert_eq!(format!("{whole:?}"), format!("{drops:?}"), "{turn}: {text:?} {names:?} {rows:?}");
    }
    assert!(pages > 1000 && errors > 500, "{pages} pages, {errors} errors");
}

#[test]
fn rows_that_nobody_wants_are_counted_by_their_lines() {
    let text = b"SDDS1\n&column name=x, type=double &end\n&column name=n, type=long &end\n&data mode=ascii &end\n3\n1 2\n! c\nx y\n3\n1\n4 5\n";
    let mut reader = Options::new().slice(text).unwrap().columns(&[]).unwrap();
    assert_eq!(reader.next_page().unwrap().unwrap().rows(), 3);
    assert_eq!(reader.next_page().unwrap().unwrap().rows(), 1);
    assert!(reader.next_page().unwrap().is_none());
    let mut reader = Options::new().slice(&text[..text.len() - 5]).unwrap();
    assert!(reader.skip_page().unwrap());
    assert!(reader.skip_page().unwrap_err().to_string().contains("the file ends before row 0 of 1"));
}
