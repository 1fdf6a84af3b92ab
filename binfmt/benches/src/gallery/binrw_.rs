//! binrw. Variants are chosen by a tag that the field before them read.

use super::*;
use binrw::helpers::{until, until_eof};
use binrw::io::{Cursor, Seek, SeekFrom, Write};
use binrw::meta::{ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian, Error, NullString, binrw};

impl Registry {
    fn binrw<T>(&mut self, file: Sample)
    where
        T: for<'a> BinRead<Args<'a> = ()>
            + for<'a> BinWrite<Args<'a> = ()>
            + ReadEndian
            + WriteEndian
            + 'static,
    {
        let read = |bytes: &[u8]| T::read(&mut Cursor::new(bytes)).unwrap();
        self.file(file, "binrw", Codec { read, write: |v, out| v.write(&mut Cursor::new(out)).unwrap() });
    }
}

pub(super) fn register(r: &mut Registry) {
    r.binrw::<Png>(PNG);
    r.binrw::<Elf>(ELF);
    super::program().into_iter().for_each(|file| r.binrw::<Elf>(file));
    r.binrw::<Message>(DNS);
    r.binrw::<Riff>(WAV);
    r.binrw::<Value>(MESSAGE_PACK);
}

/// A value after its length, which is left open and filled in by going back.
fn sized<N, T, W>(value: &T, writer: &mut W, endian: Endian, (): ()) -> BinResult<()>
where
    N: TryFrom<u64> + Default + for<'a> BinWrite<Args<'a> = ()>,
    T: for<'a> BinWrite<Args<'a> = ()>,
    W: Write + Seek,
{
    let at = writer.stream_position()?;
    N::default().write_options(writer, endian, ())?;
    let start = writer.stream_position()?;
    value.write_options(writer, endian, ())?;
    let end = writer.stream_position()?;
    let too_long = |_| Error::AssertFail { pos: at, message: "too long".into() };
    let len = N::try_from(end - start).map_err(too_long)?;
    writer.seek(SeekFrom::Start(at))?;
    len.write_options(writer, endian, ())?;
    writer.seek(SeekFrom::Start(end))?;
    Ok(())
}

#[binrw]
#[brw(big, magic = b"\x89PNG\r\n\x1a\n")]
struct Png {
    #[br(parse_with = until_eof)]
    chunks: Vec<PngChunk>,
}

#[binrw]
#[br(try_map = PngChunk::parsed)]
#[bw(map = PngChunk::bytes)]
struct PngChunk {
    kind: [u8; 4],
    data: PngData,
}

/// A chunk as it stands in the file.
#[binrw]
struct PngBytes {
    #[br(temp)]
    #[bw(try_calc = u32::try_from(data.len()))]
    len: u32,
    kind: [u8; 4],
    #[br(count = len)]
    data: Vec<u8>,
    #[br(temp, assert(sum == crc(&kind, &data)))]
    #[bw(calc = crc(kind, data))]
    sum: u32,
}

impl PngChunk {
    fn parsed(bytes: PngBytes) -> BinResult<Self> {
        let PngBytes { kind, data } = bytes;
        let len = data.len();
        let data = PngData::read_be_args(&mut Cursor::new(data), (kind, len))?;
        Ok(PngChunk { kind, data })
    }

    fn bytes(&self) -> PngBytes {
        let mut data = Vec::new();
        self.data.write_be(&mut Cursor::new(&mut data)).unwrap();
        PngBytes { kind: self.kind, data }
    }
}

#[binrw]
#[br(import(kind: [u8; 4], len: usize))]
enum PngData {
    #[br(pre_assert(kind == *b"IHDR"))]
    Header {
        width: u32,
        height: u32,
        depth: u8,
        color: Color,
        method: [u8; 2],
        interlaced: u8,
    },
    #[br(pre_assert(kind == *b"PLTE"))]
    Palette(#[br(count = len / 3)] Vec<[u8; 3]>),
    #[br(pre_assert(kind == *b"gAMA"))]
    Gamma(u32),
    #[br(pre_assert(kind == *b"pHYs"))]
    PixelSize {
        x: u32,
        y: u32,
        unit: u8,
    },
    #[br(pre_assert(kind == *b"tEXt"))]
    Text {
        #[br(map = |text: NullString| latin1(&text.0))]
        #[bw(map = |text| NullString(to_latin1(text)))]
        keyword: String,
        #[br(count = len - keyword.chars().count() - 1, map = |text: Vec<u8>| latin1(&text))]
        #[bw(map = |text| to_latin1(text))]
        text: String,
    },
    #[br(pre_assert(kind == *b"iTXt"))]
    Utf8Text {
        keyword: NullString,
        compressed: u8,
        method: u8,
        language: NullString,
        translated: NullString,
        #[br(count = len - keyword.len() - language.len() - translated.len() - 5)]
        text: Vec<u8>,
    },
    #[br(pre_assert(kind == *b"tIME"))]
    Time {
        year: u16,
        month: u8,
        day: u8,
        clock: [u8; 3],
    },
    #[br(pre_assert(kind == *b"IEND"))]
    End,
    Other(#[br(count = len)] Vec<u8>),
}

#[binrw]
#[brw(repr = u8)]
enum Color {
    Gray = 0,
    Rgb = 2,
    Indexed = 3,
    GrayAlpha = 4,
    RgbAlpha = 6,
}

#[binrw]
#[brw(little, magic = b"\x7fELF")]
struct Elf {
    class: u8,
    data: ElfOrder,
    version: u8,
    abi: u8,
    abi_version: u8,
    padding: [u8; 7],
    #[brw(is_little = matches!(data, ElfOrder::Little))]
    file: ElfFile,
}

#[binrw]
#[brw(repr = u8)]
enum ElfOrder {
    Little = 1,
    Big = 2,
}

#[binrw]
struct ElfFile {
    kind: u16,
    machine: u16,
    version: u32,
    entry: u64,
    segments_at: u64,
    sections_at: u64,
    flags: u32,
    header_size: u16,
    segment_size: u16,
    num_segments: u16,
    section_size: u16,
    num_sections: u16,
    names_index: u16,
    #[br(seek_before = SeekFrom::Start(segments_at), count = num_segments)]
    #[bw(seek_before = SeekFrom::Start(*segments_at), assert(segments.len() == usize::from(*num_segments)))]
    segments: Vec<Segment>,
    #[br(seek_before = SeekFrom::Start(sections_at), count = num_sections)]
    #[bw(seek_before = SeekFrom::Start(*sections_at), assert(sections.len() == usize::from(*num_sections)))]
    sections: Vec<Section>,
    #[br(parse_with = names, args(&sections, names_index))]
    #[bw(write_with = put_names, args(sections, *names_index))]
    names: Vec<String>,
    /// What no table leads to, and where it is.
    #[br(parse_with = gaps, args(parts(segments_at, &segments, sections_at, &sections, &names, names_index)))]
    #[bw(write_with = put_gaps)]
    gaps: Vec<(u64, Vec<u8>)>,
}

#[binrw]
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    physical: u64,
    file_size: u64,
    memory_size: u64,
    align: u64,
}

#[binrw]
struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
    align: u64,
    entry_size: u64,
    #[br(if(kind != 0 && kind != 8), seek_before = SeekFrom::Start(offset), restore_position, args(kind, size as usize))]
    #[bw(seek_before = SeekFrom::Start(*offset), restore_position)]
    #[bw(assert(content.as_ref().is_none_or(|content| content.size() == *size)))]
    content: Option<Content>,
}

#[binrw]
#[br(import(kind: u32, size: usize))]
enum Content {
    #[br(pre_assert(kind == 2 || kind == 11))]
    Symbols(#[br(count = size / 24)] Vec<Symbol>),
    Bytes(#[br(count = size)] Vec<u8>),
}

impl Content {
    fn size(&self) -> u64 {
        match self {
            Content::Symbols(symbols) => symbols.len() as u64 * 24,
            Content::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

#[binrw]
struct Symbol {
    name: u32,
    #[br(map = |byte: u8| (byte >> 4, byte & 15))]
    #[bw(map = |(binding, kind)| binding << 4 | kind)]
    binding_and_kind: (u8, u8),
    visibility: u8,
    section: u16,
    value: u64,
    size: u64,
}

#[binrw::parser(reader, endian)]
fn names(sections: &[Section], index: u16) -> BinResult<Vec<String>> {
    let table = sections[usize::from(index)].offset;
    let read = |section: &Section| {
        let pos = table + u64::from(section.name);
        reader.seek(SeekFrom::Start(pos))?;
        let text = NullString::read_options(reader, endian, ())?;
        String::from_utf8(text.0).map_err(|e| Error::Custom { pos, err: Box::new(e) })
    };
    sections.iter().map(read).collect()
}

#[binrw::writer(writer)]
fn put_names(names: &Vec<String>, sections: &[Section], index: u16) -> BinResult<()> {
    let table = sections[usize::from(index)].offset;
    for (name, section) in names.iter().zip(sections) {
        writer.seek(SeekFrom::Start(table + u64::from(section.name)))?;
        writer.write_all(name.as_bytes())?;
        writer.write_all(&[0])?;
    }
    Ok(())
}

/// Where everything is that is read.
fn parts(
    segments_at: u64,
    segments: &[Segment],
    sections_at: u64,
    sections: &[Section],
    names: &[String],
    index: u16,
) -> Vec<(u64, u64)> {
    let table = sections[usize::from(index)].offset;
    let contents = sections.iter().filter(|section| section.content.is_some());
    let names = sections.iter().zip(names).map(|(section, name)| (table + u64::from(section.name), name.len()));
    elf_parts(
        (segments_at, segments.len()),
        (sections_at, sections.len()),
        contents.map(|section| (section.offset, section.size)),
        names,
    )
}

#[binrw::parser(reader)]
fn gaps(parts: Vec<(u64, u64)>) -> BinResult<Vec<(u64, Vec<u8>)>> {
    let end = reader.seek(SeekFrom::End(0))?;
    let mut gaps = Vec::new();
    for (at, len) in between(parts, end) {
        reader.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; len as usize];
        reader.read_exact(&mut bytes)?;
        if at + len == end || bytes.iter().any(|byte| *byte != 0) {
            gaps.push((at, bytes));
        }
    }
    Ok(gaps)
}

#[binrw::writer(writer)]
fn put_gaps(gaps: &Vec<(u64, Vec<u8>)>) -> BinResult<()> {
    for (at, bytes) in gaps {
        writer.seek(SeekFrom::Start(*at))?;
        writer.write_all(bytes)?;
    }
    Ok(())
}

#[binrw]
#[brw(big)]
struct Message {
    id: u16,
    #[br(map = Flags::of)]
    #[bw(map = Flags::bits)]
    flags: Flags,
    #[br(temp)]
    #[bw(try_calc = u16::try_from(questions.len()))]
    qdcount: u16,
    #[br(temp)]
    #[bw(try_calc = u16::try_from(answers.len()))]
    ancount: u16,
    #[br(temp)]
    #[bw(try_calc = u16::try_from(authorities.len()))]
    nscount: u16,
    #[br(temp)]
    #[bw(try_calc = u16::try_from(additional.len()))]
    arcount: u16,
    #[br(count = qdcount)]
    questions: Vec<Question>,
    #[br(count = ancount)]
    answers: Vec<Record>,
    #[br(count = nscount)]
    authorities: Vec<Record>,
    #[br(count = arcount)]
    additional: Vec<Record>,
}

#[binrw]
struct Name(#[br(parse_with = until(|label: &Label| label.tag == 0 || label.tag >= 0xc0))] Vec<Label>);

#[binrw]
struct Label {
    tag: u8,
    #[br(args(tag))]
    body: LabelBody,
}

#[binrw]
#[br(import(tag: u8))]
enum LabelBody {
    #[br(pre_assert(tag == 0))]
    Root,
    #[br(pre_assert(tag < 64))]
    Text(#[br(count = tag)] Vec<u8>),
    #[br(pre_assert(tag >= 0xc0))]
    Pointer(u8),
}

#[binrw]
struct Question {
    name: Name,
    kind: u16,
    class: u16,
}

#[binrw]
struct Record {
    name: Name,
    kind: u16,
    class: u16,
    ttl: u32,
    #[br(temp)]
    #[bw(ignore)]
    len: u16,
    #[br(args(kind, len as usize))]
    #[bw(write_with = sized::<u16, _, _>)]
    data: Data,
}

#[binrw]
#[br(import(kind: u16, len: usize))]
enum Data {
    #[br(pre_assert(kind == 1))]
    A([u8; 4]),
    #[br(pre_assert(kind == 28))]
    Aaaa([u8; 16]),
    #[br(pre_assert(kind == 2 || kind == 5 || kind == 12))]
    Name(Name),
    #[br(pre_assert(kind == 6))]
    Soa { mname: Name, rname: Name, serial: u32, refresh: u32, retry: u32, expire: u32, minimum: u32 },
    #[br(pre_assert(kind == 15))]
    Mx { preference: u16, exchange: Name },
    #[br(pre_assert(kind == 33))]
    Srv { priority: u16, weight: u16, port: u16, target: Name },
    /// Lists that end with their region are left as bytes.
    Other(#[br(count = len)] Vec<u8>),
}

#[binrw]
#[brw(little)]
struct Riff {
    id: [u8; 4],
    #[br(temp)]
    #[bw(ignore)]
    size: u32,
    #[br(args(id, size))]
    #[bw(write_with = sized::<u32, _, _>)]
    #[brw(align_after = 2)]
    body: Body,
}

#[binrw]
#[brw(little)]
#[br(import(id: [u8; 4], size: u32))]
enum Body {
    #[br(pre_assert(id == *b"RIFF" || id == *b"LIST"))]
    List {
        form: [u8; 4],
        #[br(parse_with = chunks, args(size - 4))]
        chunks: Vec<Riff>,
    },
    #[br(pre_assert(id == *b"fmt "))]
    Format {
        encoding: u16,
        channels: u16,
        rate: u32,
        bytes_per_second: u32,
        block_align: u16,
        bits: u16,
        #[br(count = size - 16)]
        extra: Vec<u8>,
    },
    Bytes(#[br(count = size)] Vec<u8>),
}

#[binrw::parser(reader, endian)]
fn chunks(size: u32) -> BinResult<Vec<Riff>> {
    let end = reader.stream_position()? + u64::from(size);
    let mut chunks = Vec::new();
    while reader.stream_position()? < end {
        chunks.push(Riff::read_options(reader, endian, ())?);
    }
    Ok(chunks)
}

#[binrw]
#[brw(big)]
struct Value {
    tag: u8,
    #[br(args(tag))]
    body: ValueBody,
}

#[binrw]
struct Pair(Value, Value);

#[binrw]
#[brw(big)]
#[br(import(tag: u8))]
#[rustfmt::skip]
enum ValueBody {
    #[br(pre_assert(matches!(tag, 0..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3)))] Tag,
    #[br(pre_assert(tag == 0xcc))] U8(u8),
    #[br(pre_assert(tag == 0xcd))] U16(u16),
    #[br(pre_assert(tag == 0xce))] U32(u32),
    #[br(pre_assert(tag == 0xcf))] U64(u64),
    #[br(pre_assert(tag == 0xd0))] I8(i8),
    #[br(pre_assert(tag == 0xd1))] I16(i16),
    #[br(pre_assert(tag == 0xd2))] I32(i32),
    #[br(pre_assert(tag == 0xd3))] I64(i64),
    #[br(pre_assert(tag == 0xca))] F32(f32),
    #[br(pre_assert(tag == 0xcb))] F64(f64),
    #[br(pre_assert(matches!(tag, 0xa0..=0xbf)))] FixStr(
        #[br(count = tag & 31, try_map = String::from_utf8)] #[bw(map = String::as_bytes)] String,
    ),
    #[br(pre_assert(tag == 0xd9))] Str8 {
        #[br(temp)] #[bw(try_calc = u8::try_from(text.len()))] len: u8,
        #[br(count = len, try_map = String::from_utf8)] #[bw(map = String::as_bytes)] text: String,
    },
    #[br(pre_assert(tag == 0xc4))] Bytes8 {
        #[br(temp)] #[bw(try_calc = u8::try_from(bytes.len()))] len: u8,
        #[br(count = len)] bytes: Vec<u8>,
    },
    #[br(pre_assert(tag == 0xda))] Str16 {
        #[br(temp)] #[bw(try_calc = u16::try_from(text.len()))] len: u16,
        #[br(count = len, try_map = String::from_utf8)] #[bw(map = String::as_bytes)] text: String,
    },
    #[br(pre_assert(tag == 0xc5))] Bytes16 {
        #[br(temp)] #[bw(try_calc = u16::try_from(bytes.len()))] len: u16,
        #[br(count = len)] bytes: Vec<u8>,
    },
    #[br(pre_assert(tag == 0xdb))] Str32 {
        #[br(temp)] #[bw(try_calc = u32::try_from(text.len()))] len: u32,
        #[br(count = len, try_map = String::from_utf8)] #[bw(map = String::as_bytes)] text: String,
    },
    #[br(pre_assert(tag == 0xc6))] Bytes32 {
        #[br(temp)] #[bw(try_calc = u32::try_from(bytes.len()))] len: u32,
        #[br(count = len)] bytes: Vec<u8>,
    },
    #[br(pre_assert(matches!(tag, 0x90..=0x9f)))] FixArray(#[br(count = tag & 15)] Vec<Value>),
    #[br(pre_assert(tag == 0xdc))] Array16 {
        #[br(temp)] #[bw(try_calc = u16::try_from(items.len()))] len: u16,
        #[br(count = len)] items: Vec<Value>,
    },
    #[br(pre_assert(tag == 0xdd))] Array32 {
        #[br(temp)] #[bw(try_calc = u32::try_from(items.len()))] len: u32,
        #[br(count = len)] items: Vec<Value>,
    },
    #[br(pre_assert(matches!(tag, 0x80..=0x8f)))] FixMap(#[br(count = tag & 15)] Vec<Pair>),
    #[br(pre_assert(tag == 0xde))] Map16 {
        #[br(temp)] #[bw(try_calc = u16::try_from(items.len()))] len: u16,
        #[br(count = len)] items: Vec<Pair>,
    },
    #[br(pre_assert(tag == 0xdf))] Map32 {
        #[br(temp)] #[bw(try_calc = u32::try_from(items.len()))] len: u32,
        #[br(count = len)] items: Vec<Pair>,
    },
    #[br(pre_assert(tag == 0xd4))] FixExt1(i8, [u8; 1]),
    #[br(pre_assert(tag == 0xd5))] FixExt2(i8, [u8; 2]),
    #[br(pre_assert(tag == 0xd6))] FixExt4(i8, [u8; 4]),
    #[br(pre_assert(tag == 0xd7))] FixExt8(i8, [u8; 8]),
    #[br(pre_assert(tag == 0xd8))] FixExt16(i8, [u8; 16]),
    #[br(pre_assert(tag == 0xc7))] Ext8 {
        #[br(temp)] #[bw(try_calc = u8::try_from(bytes.len()))] len: u8,
        kind: i8, #[br(count = len)] bytes: Vec<u8>,
    },
    #[br(pre_assert(tag == 0xc8))] Ext16 {
        #[br(temp)] #[bw(try_calc = u16::try_from(bytes.len()))] len: u16,
        kind: i8, #[br(count = len)] bytes: Vec<u8>,
    },
    #[br(pre_assert(tag == 0xc9))] Ext32 {
        #[br(temp)] #[bw(try_calc = u32::try_from(bytes.len()))] len: u32,
        kind: i8, #[br(count = len)] bytes: Vec<u8>,
    },
}
