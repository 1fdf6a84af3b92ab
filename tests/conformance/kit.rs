//! The conformance kit itself: what an honest format may do, and what it must not.

use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::{BinFormat, Error, Result};
use std::io::{Read, Write};

/// Knows its own end: a damaged length may make it shorter than its file.
#[derive(BinFormat, Debug, PartialEq)]
struct Name {
    #[binfmt(length_prefixed(u8))]
    name: String,
}

/// What is wrong with the reader of a stream.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// It reads ahead and does not look at what it has.
    ReadsOn,
    /// It gives another value.
    Invents,
}

struct Names(Fault);

impl Conformance for Names {
    type Value = Name;

    fn name(&self) -> &str {
        "names"
    }

    fn samples(&self) -> Vec<Sample> {
        let mut long = vec![0x80];
        long.resize(129, b'x');
        vec![Sample::new("short", *b"\x04abcd"), Sample::new("long", long)]
    }

    fn decode(&self, _: &Sample, bytes: &[u8]) -> Result<Name> {
        binfmt::from_slice(bytes)
    }

    fn decode_stream(&self, _: &Sample, reader: &mut dyn Read) -> Result<Name> {
        let mut value: Name = binfmt::from_reader(&mut *reader)?;
        match self.0 {
            Fault::ReadsOn => drop(reader.read_to_end(&mut Vec::new())),
            Fault::Invents if value.name.is_empty() => value.name.push('?'),
            _ => {}
        }
        Ok(value)
    }

    fn encode(&self, _: &Sample, value: &Name, out: &mut dyn Write) -> Result<()> {
        binfmt::to_writer(value, out).map(|_| ())
    }

    fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
        vec![dump::trace::<Name>(bytes)]
    }

    fn may_end_at(&self, _: &Sample, _: usize) -> bool {
        false
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        run();
        None
    }
}

#[test]
fn a_stream_may_leave_what_follows_its_value() {
    // 0x80 becomes 0: from memory 128 bytes too many, from a stream a name without letters
    assert!(binfmt::from_slice::<Name>(&[0, b'x']).is_err());
    let report = check(&Names(Fault::None));
    assert!(report.is_ok(), "{report}");
}

#[test]
fn a_stream_must_not_swallow_what_follows_its_value() {
    let report = check(&Names(Fault::ReadsOn));
    let said = "byte 0x0 changed from 0x80 to 0x00: read from a stream, refused from memory";
    assert!(report.failures().iter().any(|failure| failure.text.contains(said)), "{report}");
}

#[test]
fn a_stream_must_not_give_another_value() {
    let report = check(&Names(Fault::Invents));
    assert!(!report.is_ok());
    assert!(report.failures().iter().all(|failure| failure.check == "changed byte"), "{report}");
}

/// A format that takes from a stream what it refuses from memory.
#[test]
fn both_ways_agree_on_what_is_cut() {
    struct Lax;
    impl Conformance for Lax {
        type Value = Name;
        fn name(&self) -> &str {
            "lax"
        }
        fn samples(&self) -> Vec<Sample> {
            Names(Fault::None).samples()
        }
        fn decode(&self, _: &Sample, bytes: &[u8]) -> Result<Name> {
            binfmt::from_slice(bytes)
        }
        fn decode_stream(&self, _: &Sample, reader: &mut dyn Read) -> Result<Name> {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map_err(|e| Error::other(e.to_string()))?;
            Ok(binfmt::from_slice(&bytes).unwrap_or(Name { name: String::new() }))
        }
        fn encode(&self, _: &Sample, value: &Name, out: &mut dyn Write) -> Result<()> {
            binfmt::to_writer(value, out).map(|_| ())
        }
        fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
            vec![dump::trace::<Name>(bytes)]
        }
        fn may_end_at(&self, _: &Sample, _: usize) -> bool {
            false
        }
        fn writes_all_it_reads(&self) -> bool {
            true
        }
        fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
            run();
            None
        }
    }
    let report = check(&Lax);
    let said = "cut at byte 0x3: read from a stream, refused from memory";
    assert!(report.failures().iter().any(|failure| failure.text.contains(said)), "{report}");
}
