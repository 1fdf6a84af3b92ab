//! Data files that the BEAT platform's own backend wrote, and their index and checksum files.

use crate::support::beat::{Case, cases, is, prefix};
use binfmt::formats::beat::{Checksum, Chunk, DataFile, Declaration, Object, read_index, write_index};
use binfmt::{BinFormat, Options, dump};

#[test]
fn every_file_reads_to_its_content_and_is_written_again() {
    let cases = cases("data");
    assert_eq!(cases.len(), 7);
    for case in cases {
        let Case { name, content: json, bytes, folder } = case;
        let declaration = Declaration::load(json["format"].as_str().unwrap(), prefix()).unwrap();
        let options = Options::new().ctx(&declaration);
        let file: DataFile<Object> =
            binfmt::from_slice_with(&bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(file.format, json["format"].as_str().unwrap());
        let expected = json["chunks"].as_array().unwrap();
        assert_eq!(file.chunks.len(), expected.len(), "{name}");
        for (chunk, expected) in file.chunks.iter().zip(expected) {
            assert_eq!(
                (Some(chunk.start), Some(chunk.end)),
                (expected["start"].as_u64(), expected["end"].as_u64())
            );
            assert!(is(&chunk.value.0, &expected["value"]), "{name}: {chunk:?}");
        }
        assert_eq!(binfmt::to_vec_with(&file, &options).unwrap(), bytes, "{name}");
        let streamed: DataFile<Object> = binfmt::from_reader_with(&bytes[..], &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&streamed, &options).unwrap(), bytes, "{name}");

        let trace = dump::trace_with::<DataFile<Object>, _>(&bytes, &options);
        assert!(trace.error().is_none(), "{name}: {trace}");
        let mut at = 0;
        for leaf in trace.nodes().filter(|node| !node.is_group()) {
            assert_eq!(leaf.range().start, at, "{name}: {trace}");
            at = leaf.range().end;
        }
        assert_eq!(at, bytes.len() as u64);

        // beside it: the indices of the chunks, and the checksums of both
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let index = read("index");
        let indices: Vec<_> = file.chunks.iter().map(|chunk| (chunk.start, chunk.end)).collect();
        assert_eq!(read_index(&index).unwrap(), indices);
        assert_eq!(write_index(&indices).unwrap(), index);
        let sum = |bytes: &[u8]| {
            let mut sum = Checksum::new();
            sum.update(bytes);
            sum.finish()
        };
        assert_eq!(sum(&bytes), read("data.checksum"));
        assert_eq!(sum(index.as_bytes()), read("index.checksum"));
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Int {
    value: i32,
}

#[test]
fn lines_as_the_backend_takes_them() {
    for bytes in [
        &b"binary\nu/i/1\n0 0 5\n\x07\0\0\0\n"[..],
        b"binary\nu/i/1\n\t0  0\t5 \r\n\x07\0\0\0\n",
        b"binary\nu/i/1\n+0 0_0 5\n\x07\0\0\0\n",
        b"binary\nu/i/1\n0 0 4\n\x07\0\0\0",
        b"binary\nanalysis:u/algo/1\n0 0 5\n\x07\0\0\0\n",
    ] {
        let file: DataFile<Int> = binfmt::from_slice(bytes).unwrap();
        assert_eq!(file.chunks[0].value, Int { value: 7 });
    }
    // as it is written
    let greatest = Chunk { start: 0, end: u64::MAX, value: Int { value: 7 } };
    let bytes = binfmt::to_vec(&greatest).unwrap();
    assert_eq!(bytes, b"0 18446744073709551615 5\n\x07\0\0\0\n");
    assert_eq!(binfmt::from_slice::<Chunk<Int>>(&bytes).unwrap(), greatest);
    assert_eq!(read_index("0 0\n1  +4").unwrap(), [(0, 0), (1, 4)]);
    assert!(read_index("0 0 0\n").is_err() && read_index("0 0\n\n1 1\n").is_err());
    assert_eq!(
        write_index(&[(0, 0), (2, 1)]).unwrap_err().to_string(),
        "[1].end at byte 0x6: the last index is smaller than the first"
    );
    let none: DataFile<Int> = binfmt::from_slice(b"binary\nu/i/1\n").unwrap();
    assert!(none.chunks.is_empty());
}

#[test]
fn damaged_files_are_refused_with_path_and_offset() {
    for (bytes, expected) in [
        (&b"binary\r\nu/i/1\n"[..], "format at byte 0x0: expected the line `binary`, found `binary\\r`"),
        (b"xml\nu/i/1\n", "format at byte 0x0: expected the line `binary`, found `xml`"),
        (b"json\nu/i/1\n", "format at byte 0x0: binfmt does not support BEAT files with the encoding `json`"),
        (b"bina", "format at byte 0x0: 5 bytes needed, 4 remain"),
        (
            b"binary\nu/i\n",
            "format at byte 0x7: expected the name of a format, `user/name/version`, found `u/i`",
        ),
        (b"binary\n\n", "format at byte 0x7: expected the name of a format, `user/name/version`, found ``"),
        (
            b"binary\nu/i/1\n0 0\n",
            "chunks[0].value.size at byte 0x10: expected a number, found the end of the line",
        ),
        (
            b"binary\nu/i/1\n\n0 0 5\n\x07\0\0\0\n",
            "chunks[0].start at byte 0xd: expected a number, found the end of the line",
        ),
        // a size that does not count the newline, and a newline all the same: the backend refuses it, too
        (
            b"binary\nu/i/1\n0 0 4\n\x07\0\0\0\n1 1 4\n\x07\0\0\0\n",
            "chunks[1].start at byte 0x17: expected a number, found the end of the line",
        ),
        (b"binary\nu/i/1\n0 -1 5\n\x07\0\0\0\n", "chunks[0].end at byte 0xf: expected a number, found `-1`"),
        (
            b"binary\nu/i/1\n2 1 5\n\x07\0\0\0\n",
            "chunks[0].end at byte 0xf: the last index is smaller than the first",
        ),
        (b"binary\nu/i/1\n0 0 50\n\x07\0\0\0\n", "chunks[0].value at byte 0x14: 50 bytes needed, 5 remain"),
        (
            b"binary\nu/i/1\n0 0 18446744073709551615\n\x07\0\0\0\n",
            "chunks[0].value at byte 0x26: 18446744073709551615 bytes needed, 5 remain",
        ),
        (
            b"binary\nu/i/1\n0 0 3\n\x07\0\0\0\n",
            "chunks[0].value.value at byte 0x13: 4 bytes needed, 3 remain in the region",
        ),
        (
            b"binary\nu/i/1\n0 0 6\n\x07\0\0\0\n\n",
            "chunks[0].value at byte 0x17: end of the chunk: expected a newline, found 2 bytes",
        ),
        (
            b"binary\nu/i/1\n0 0 5\n\x07\0\0\0x",
            "chunks[0].value at byte 0x17: end of the chunk: expected a newline, found 1 byte",
        ),
    ] {
        let e = binfmt::from_slice::<DataFile<Int>>(bytes).unwrap_err();
        assert_eq!(e.to_string(), expected, "{}", bytes.escape_ascii());
        assert!(binfmt::from_reader::<DataFile<Int>>(bytes).is_err());
    }
}

#[test]
fn a_reader_keeps_what_stands_behind_a_chunk() {
    // a line that is longer than the payload after it
    let bytes = format!("{:>70} 0 5\n\x07\0\0\0\n1 1 5\n\x08\0\0\0\n", 0);
    let mut reader = bytes.as_bytes();
    for n in [7, 8] {
        assert_eq!(binfmt::from_reader::<Chunk<Int>>(&mut reader).unwrap().value, Int { value: n });
    }
    assert!(reader.is_empty());
    // the longest number, and one byte more
    let line = |len: usize| format!("{:>width$} 0 5\n\x07\0\0\0\n", 0, width = len - 1);
    assert!(binfmt::from_slice::<Chunk<Int>>(line(4096).as_bytes()).is_ok());
    assert!(binfmt::from_reader::<Chunk<Int>>(line(4096).as_bytes()).is_ok());
    assert!(binfmt::from_slice::<Chunk<Int>>(line(4097).as_bytes()).is_err());
    assert!(binfmt::from_reader::<Chunk<Int>>(line(4097).as_bytes()).is_err());
}
