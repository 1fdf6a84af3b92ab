//! Outputs that end: a writer that fails at byte n and a slice of n bytes, for every n.

use crate::support::composite::{Composite, Filter, Level, sample};
use binfmt::{Encode, Endian, ErrorKind, Options};
use std::io::{self, Write};

/// Takes `room` bytes, at most `step` at a time, and fails at the next.
struct Failing {
    room: usize,
    step: usize,
    taken: Vec<u8>,
    error: fn() -> io::Result<usize>,
}

impl Failing {
    fn new(room: usize, step: usize, error: fn() -> io::Result<usize>) -> Self {
        Failing { room, step, taken: Vec::new(), error }
    }
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.step).min(self.room - self.taken.len());
        if n == 0 && !bytes.is_empty() {
            return (self.error)();
        }
        self.taken.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn full() -> io::Result<usize> {
    Err(io::Error::new(io::ErrorKind::StorageFull, "disk full"))
}

fn fails_everywhere<T: Encode>(value: &T) {
    for options in [Options::new(), Options::new().endian(Endian::Big)] {
        let all = binfmt::to_vec_with(value, &options).unwrap();
        for room in 0..all.len() {
            for step in [1, usize::MAX] {
                let mut writer = Failing::new(room, step, full);
                let e = binfmt::to_writer_with(value, &mut writer, &options).unwrap_err();
                assert!(matches!(e.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::StorageFull));
                assert_eq!(writer.taken, all[..room], "what was written before stays written");
                assert_eq!(io::Error::from(e).kind(), io::ErrorKind::StorageFull);
            }
            let mut writer = Failing::new(room, usize::MAX, || Ok(0));
            let e = binfmt::to_writer_with(value, &mut writer, &options).unwrap_err();
            assert!(matches!(e.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::WriteZero));

            // a slice in the middle of memory: nothing beyond its end is touched
            let mut memory = vec![0xA5; all.len() + 64];
            let e = binfmt::to_slice_with(value, &mut memory[..room], &options).unwrap_err();
            let ErrorKind::OutputFull { needed, remaining } = *e.kind() else { panic!("{e}") };
            assert!(needed > remaining && e.offset().unwrap() as usize + remaining == room, "{e}");
            assert!(memory[room..].iter().all(|b| *b == 0xA5));
            let written = e.offset().unwrap() as usize;
            assert_eq!(memory[..written], all[..written]);
        }
        let mut exact = vec![0; all.len()];
        assert_eq!(binfmt::to_slice_with(value, &mut exact, &options).unwrap(), all.len());
        assert_eq!(exact, all);
        let mut writer = Failing::new(all.len(), 3, full);
        assert_eq!(binfmt::to_writer_with(value, &mut writer, &options).unwrap(), all.len() as u64);
        assert_eq!(writer.taken, all);
    }
}

#[test]
fn a_composite_into_outputs_that_end() {
    fails_everywhere(&sample());
}

#[test]
fn plain_and_bulk_values_into_outputs_that_end() {
    fails_everywhere(&(1u8, 2u64, [3u16; 9]));
    fails_everywhere(&[[1u32; 7]; 3]);
}

#[test]
fn a_failure_behind_many_blocks() {
    let mut value = sample();
    value.numbers = (0..60_000).collect();
    value.name = "n".repeat(200_000);
    let all = binfmt::to_vec(&value).unwrap();
    for room in [0, 1, 65_535, 65_536, 65_537, 131_072, 200_100, 262_144, all.len() - 1] {
        let mut writer = Failing::new(room, 10_000, full);
        let e = binfmt::to_writer(&value, &mut writer).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Io(_)), "{e}");
        assert!(writer.taken == all[..room]);
    }
}

#[test]
fn many_values_into_a_writer_that_fails() {
    let values = vec![sample(); 5];
    let all = binfmt::encode_all(&values).unwrap();
    for room in 0..all.len() {
        let mut writer = Failing::new(room, usize::MAX, full);
        assert!(binfmt::encode_all_to_writer(&values, &mut writer).is_err());
        assert_eq!(writer.taken, all[..room]);
    }
}

/// Every way in which a composite can contradict its layout, with the field that is to blame.
fn contradictions() -> Vec<(Composite, &'static str)> {
    let mut list = Vec::new();
    let mut add = |path: &'static str, change: fn(&mut Composite)| {
        let mut value = sample();
        change(&mut value);
        list.push((value, path));
    };
    add("num_points", |v| v.num_points = 3);
    add("label", |v| v.label = "x".repeat(255));
    add("note", |v| v.note = "a\0b".into());
    add("note", |v| v.note = "€".into());
    add("code", |v| v.code = binfmt::Nullable::Missing(200));
    add("numbers", |v| v.numbers = vec![0; 65_536]);
    add("filters[1].0.level", |v| {
        v.filters[1] = Filter::Gzip(Level { kind: 1, level: 10 });
    });
    add("filters[2]", |v| v.filters[2] = Filter::Window { tag: 9, size: 1 });
    add("extra", |v| v.extra = None);
    add("extra", |v| v.flags = 0);
    add("extra", |v| v.extra = Some(vec![0; 40_000]));
    add("fixed", |v| v.fixed = "x".repeat(15));
    add("path", |v| v.path = vec![1]);
    list
}

#[test]
fn a_vector_keeps_what_it_held() {
    for (value, path) in contradictions() {
        for capacity in [0, 3, 100, 1 << 20] {
            let mut v = Vec::with_capacity(capacity);
            v.extend([1, 2, 3]);
            let e = binfmt::append(&value, &mut v).unwrap_err();
            assert_eq!(e.path().to_string(), path, "{e}");
            assert_eq!(v, [1, 2, 3], "{e}");
            let e = binfmt::encode_all_into(&[sample(), value.clone()], &mut v).unwrap_err();
            assert_eq!(e.path().to_string(), format!("[1].{path}"), "{e}");
            assert_eq!(v, [1, 2, 3], "{e}");
        }
        let e = binfmt::to_vec(&value).unwrap_err();
        assert_eq!(e.path().to_string(), path);
        assert!(binfmt::to_writer(&value, io::sink()).is_err());
        assert!(binfmt::to_slice(&value, &mut vec![0; 1 << 20]).is_err());
    }
}

/// Counts what it is given, and remembers the longest piece.
#[derive(Default)]
struct Pieces {
    total: usize,
    longest: usize,
}

impl std::io::Write for &mut Pieces {
    fn write(&mut self, b: &[u8]) -> std::io::Result<usize> {
        self.total += b.len();
        self.longest = self.longest.max(b.len());
        Ok(b.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn long_plain_slices_are_handed_on_without_a_copy() {
    #[derive(binfmt::BinFormat)]
    struct Long {
        #[binfmt(length_prefixed(u32))]
        bytes: Vec<u8>,
        n: u16,
        #[binfmt(length_prefixed(u32))]
        numbers: Vec<f64>,
        #[binfmt(length_prefixed(u32), nul)]
        text: String,
    }
    let long = Long {
        bytes: vec![7; 1 << 20],
        n: 513,
        numbers: (0..1 << 18).map(f64::from).collect(),
        text: "x".repeat(1 << 17),
    };
    let mut pieces = Pieces::default();
    let n = binfmt::to_writer(&long, &mut pieces).unwrap();
    // the numbers go as they are in memory, where that is their byte order in the file
    let longest = if cfg!(target_endian = "little") { 8 << 18 } else { 1 << 20 };
    assert_eq!((n as usize, pieces.longest), (pieces.total, longest));
    let mut written = Vec::new();
    binfmt::to_writer(&long, &mut written).unwrap();
    assert_eq!(written, binfmt::to_vec(&long).unwrap());
}
