//! Filters on chosen values: the bytes of libtiledb 1.6.3, and what no input may do.

use binfmt::formats::tiledb::{Datatype, Filter, FilterPipeline, Key, TileChunks, TileCodec};

fn codec(filters: impl IntoIterator<Item = Filter>, datatype: Datatype) -> TileCodec {
    TileCodec::new(&FilterPipeline::new(filters), datatype, datatype.size().unwrap(), None).unwrap()
}

/// Metadata and data of the only chunk.
fn filtered(
    filters: impl IntoIterator<Item = Filter>,
    datatype: Datatype,
    data: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let tile = codec(filters, datatype).filter(data).unwrap();
    let chunks = binfmt::from_slice::<TileChunks<'_>>(&tile).unwrap().chunks;
    assert_eq!(chunks.len(), 1);
    (chunks[0].metadata.to_vec(), chunks[0].data.to_vec())
}

fn int32(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.chars().filter(|c| c.is_ascii_hexdigit()).collect();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

#[test]
fn bytes_of_the_software() {
    use Datatype::Int32;
    let (md, data) = filtered([Filter::rle(-1)], Int32, &int32(&[7, 7, 7, 8]));
    assert_eq!((md, data), (hex("00000000 01000000 10000000 0c000000"), hex("07000000 0003 08000000 0001")));
    let (_, data) = filtered([Filter::double_delta(-1)], Int32, &int32(&[10, 11, 13, 12, 20]));
    assert_eq!(data, hex("04 0500000000000000 0a000000 0b000000 000000000000d20c"));
    let (_, data) = filtered([Filter::byteshuffle()], Int32, &int32(&[0x01020304, 0x11121314, 0x21222324]));
    assert_eq!(data, hex("041424 031323 021222 011121"));
    let (_, data) = filtered([Filter::bitshuffle()], Int32, &int32(&[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(data, [hex("aaccf0"), vec![0; 29]].concat());
    let (md, _) = filtered([Filter::bitshuffle()], Int32, &int32(&[0, 1, 2]));
    assert_eq!(md, hex("02000000 08000000 04000000"));
    let (md, data) = filtered([Filter::bit_width_reduction(256)], Int32, &int32(&[1000, 1001, 1126, 1002]));
    assert_eq!((md, data), (hex("10000000 01000000 e8030000 08 10000000"), hex("00017e02")));
    let (md, data) = filtered([Filter::positive_delta(1024)], Int32, &int32(&[5, 5, 7, 10]));
    assert_eq!((md, data), (hex("01000000 05000000 10000000"), hex("00000000 00000000 02000000 03000000")));
    let (md, data) =
        filtered([Filter::bitshuffle(), Filter::rle(-1)], Int32, &int32(&[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(md[..16], hex("01000000 01000000 08000000 0c000000"));
    assert_eq!(data[..12], hex("01000000 0001 20000000 0001"));
    let (_, data) = filtered([Filter::gzip(-1)], Int32, &int32(&[1; 4]));
    assert_eq!(data[..2], [0x78, 0x9c]);
    let (_, data) = filtered([Filter::zstd(-1)], Int32, &int32(&[1; 4]));
    assert_eq!(data[..4], hex("28b52ffd"));
    let (_, data) = filtered([Filter::bzip2(-1)], Int32, &int32(&[1; 4]));
    assert_eq!(data[..10], hex("425a6831 314159265359"));
}

#[test]
fn windows_that_the_software_corrupts_are_raw() {
    let values = int32(&[i32::MIN, i32::MAX, 0, 5]);
    let (md, data) = filtered([Filter::bit_width_reduction(256)], Datatype::Int32, &values);
    assert_eq!((md[12], data), (32, values));
    let wide = int32(&[-2_000_000_000, 2_000_000_000]);
    let (md, data) = filtered([Filter::bit_width_reduction(256)], Datatype::Int32, &wide);
    assert_eq!((md[12], data), (32, wide));
}

/// Deterministic noise.
fn noise(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 29) ^ (*seed >> 3)
}

/// Values of several kinds: constant, small, rising, anything.
fn data(kind: usize, datatype: Datatype, n: usize, seed: &mut u64) -> Vec<u8> {
    let size = datatype.size().unwrap();
    let mut last = 0u64;
    let mut value = |i: usize, seed: &mut u64| match kind {
        0 => 7,
        1 => noise(seed) % 100,
        2 => {
            last = last.saturating_add(noise(seed) % 3).min(0x7f);
            last
        }
        3 => noise(seed).wrapping_mul(noise(seed)),
        _ => [0, u64::MAX, 1 << 63, (1 << 63) - 1, 1, 0x80, 0x7f, 0x8000][i % 8],
    };
    (0..n).flat_map(|i| value(i, seed).to_le_bytes()[..size].to_vec()).collect()
}

#[test]
fn every_filter_comes_back() {
    let filters: [fn() -> Vec<Filter>; 14] = [
        || vec![Filter::none()],
        || vec![Filter::gzip(6)],
        || vec![Filter::zstd(3)],
        || vec![Filter::lz4(-1)],
        || vec![Filter::rle(-1)],
        || vec![Filter::bzip2(9)],
        || vec![Filter::double_delta(-1)],
        || vec![Filter::bit_width_reduction(256)],
        || vec![Filter::bitshuffle()],
        || vec![Filter::byteshuffle()],
        || {
            vec![
                Filter::bitshuffle(),
                Filter::byteshuffle(),
                Filter::bit_width_reduction(12),
                Filter::zstd(1),
            ]
        },
        || vec![Filter::bit_width_reduction(7), Filter::gzip(1), Filter::bitshuffle(), Filter::lz4(-1)],
        || vec![Filter::rle(-1), Filter::zstd(1), Filter::byteshuffle(), Filter::gzip(1)],
        || vec![Filter::bit_width_reduction(1), Filter::bit_width_reduction(64)],
    ];
    let types = [
        Datatype::Int8,
        Datatype::Uint8,
        Datatype::Int16,
        Datatype::Uint16,
        Datatype::Int32,
        Datatype::Uint32,
        Datatype::Int64,
        Datatype::Uint64,
        Datatype::DatetimeMs,
        Datatype::Float64,
        Datatype::Char,
        Datatype::StringUtf16,
    ];
    let mut seed = 1;
    for datatype in types {
        for (f, filters) in filters.iter().enumerate() {
            // floats, and characters of several bytes, which double delta takes for bytes
            if f == 6 && matches!(datatype, Datatype::Float64) {
                continue;
            }
            for kind in 0..5 {
                // blocks of bitshuffle are 8192 bytes
                let most = if f == 8 { 9000 } else { 700 };
                for n in [1, 2, 3, 7, 8, 9, 64, 65, most] {
                    let data = data(kind, datatype, n, &mut seed);
                    let mut codec = codec(filters(), datatype);
                    let tile = codec.filter(&data).unwrap();
                    let mut back = vec![0; data.len()];
                    codec
                        .unfilter(&tile, &mut back)
                        .unwrap_or_else(|e| panic!("{datatype} {codec:?} {n}: {e}"));
                    assert!(back == data, "{datatype} {codec:?} kind {kind}, {n} values");
                }
            }
        }
    }
}

#[test]
fn rising_values_come_back() {
    let mut seed = 5;
    for datatype in [Datatype::Int8, Datatype::Uint16, Datatype::Int32, Datatype::Uint64] {
        for n in [1, 100, 30_000] {
            let data = data(2, datatype, n, &mut seed);
            let mut codec = codec([Filter::positive_delta(1024), Filter::bit_width_reduction(256)], datatype);
            let tile = codec.filter(&data).unwrap();
            let mut back = vec![0; data.len()];
            codec.unfilter(&tile, &mut back).unwrap();
            assert_eq!(back, data);
        }
    }
    let e = codec([Filter::positive_delta(1024)], Datatype::Int32).filter(&int32(&[2, 1])).unwrap_err();
    assert_eq!(e.to_string(), "[0].PositiveDelta: positive delta: the values decrease");
}

#[test]
fn encrypted_tiles_are_authenticated() {
    let key = Key::new([9; 32]);
    let pipeline = FilterPipeline::new([Filter::byteshuffle()]);
    let mut codec = TileCodec::new(&pipeline, Datatype::Int32, 4, Some(&key)).unwrap();
    let data = int32(&[1, 2, 3]);
    let tile = codec.filter(&data).unwrap();
    let mut back = vec![0; 12];
    codec.unfilter(&tile, &mut back).unwrap();
    assert_eq!(back, data);
    for i in 20..tile.len() {
        let mut damaged = tile.clone();
        damaged[i] ^= 1;
        assert!(codec.unfilter(&damaged, &mut back).is_err(), "byte {i}");
    }
    let mut other = TileCodec::new(&pipeline, Datatype::Int32, 4, Some(&Key::new([8; 32]))).unwrap();
    let e = other.unfilter(&tile, &mut back).unwrap_err();
    assert_eq!(e.to_string(), "[0].Aes256Gcm at byte 0x14: wrong key, or damaged data");
}

#[test]
fn damaged_tiles_are_errors() {
    let pipelines: [Vec<Filter>; 9] = [
        vec![Filter::gzip(1)],
        vec![Filter::zstd(1)],
        vec![Filter::lz4(-1)],
        vec![Filter::bzip2(1)],
        vec![Filter::rle(-1)],
        vec![Filter::double_delta(-1)],
        vec![Filter::positive_delta(16), Filter::bit_width_reduction(8)],
        vec![Filter::bitshuffle(), Filter::byteshuffle()],
        vec![Filter::bitshuffle(), Filter::bit_width_reduction(8), Filter::zstd(1), Filter::byteshuffle()],
    ];
    let mut seed = 3;
    for pipeline in pipelines {
        let data = data(2, Datatype::Int32, 50, &mut seed);
        let mut codec = codec(pipeline, Datatype::Int32);
        let tile = codec.filter(&data).unwrap();
        let mut out = vec![0; data.len()];
        for len in 0..tile.len() {
            assert!(codec.unfilter(&tile[..len], &mut out).is_err());
        }
        for i in 0..tile.len() {
            for change in [1, 0x80, 0xff] {
                let mut damaged = tile.clone();
                damaged[i] ^= change;
                // other values where nothing could tell, and never more of them
                let _ = codec.unfilter(&damaged, &mut out);
            }
        }
        codec.unfilter(&tile, &mut out).unwrap();
        assert_eq!(out, data);
    }
}

#[test]
fn double_delta_of_parts_that_are_no_whole_values() {
    // after a header of 9 bytes the part stands raw, and the number counts whole values
    for len in [3, 5, 7, 17, 4097] {
        let data: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
        // cells of any size make chunks of any size
        let pipeline = FilterPipeline::new([Filter::double_delta(-1)]);
        let mut codec = TileCodec::new(&pipeline, Datatype::Uint64, len, None).unwrap();
        let tile = codec.filter(&data).unwrap();
        let header = &tile[8 + 12 + 16..][..9];
        assert_eq!((header[0], &header[1..]), (63, &(len as u64 / 8).to_le_bytes()[..]));
        assert_eq!(tile[8 + 12 + 16 + 9..], data);
        let mut back = vec![0; data.len()];
        codec.unfilter(&tile, &mut back).unwrap();
        assert_eq!(back, data);
    }
    let data = data(1, Datatype::Int64, 300, &mut 3);
    let mut codec = codec([Filter::gzip(9), Filter::double_delta(-1)], Datatype::Int64);
    let tile = codec.filter(&data).unwrap();
    let mut back = vec![0; data.len()];
    codec.unfilter(&tile, &mut back).unwrap();
    assert_eq!(back, data);
}
