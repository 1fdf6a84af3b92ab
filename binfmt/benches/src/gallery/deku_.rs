//! deku without its `bits` feature (the faster build).

use super::*;
use deku::ctx::{Endian, Limit};
use deku::no_std_io::{Cursor, Read, Seek, SeekFrom, Write};
use deku::prelude::*;
use std::ffi::CString;

impl Registry {
    fn deku<T>(&mut self, file: Sample)
    where
        T: for<'a> DekuContainerRead<'a> + DekuWriter + 'static,
    {
        let read = |bytes: &[u8]| T::from_reader((&mut Cursor::new(bytes), 0)).unwrap().1;
        let write = |v: &T, out: &mut Vec<u8>| {
            let mut cursor = Cursor::new(out);
            let mut writer = Writer::new(&mut cursor);
            v.to_writer(&mut writer, ()).unwrap();
            writer.finalize().unwrap();
        };
        self.file(file, "deku", Codec { read, write });
    }
}

pub(super) fn register(r: &mut Registry) {
    r.deku::<Png>(PNG);
    r.deku::<Elf>(ELF);
    super::program().into_iter().for_each(|file| r.deku::<Elf>(file));
    r.deku::<Message>(DNS);
    r.deku::<Riff>(WAV);
    r.deku::<Value>(MESSAGE_PACK);
}

/// The number of elements.
fn put_count<N, T, W>(writer: &mut Writer<W>, items: &[T], endian: Endian) -> Result<(), DekuError>
where
    N: TryFrom<usize> + DekuWriter<Endian>,
    W: Write + Seek,
{
    N::try_from(items.len()).map_err(|_| too_long())?.to_writer(writer, endian)
}

/// A value after its length, which is left open and filled in by going back.
fn put_sized<N, W>(
    writer: &mut Writer<W>,
    endian: Endian,
    value: impl FnOnce(&mut Writer<W>) -> Result<(), DekuError>,
) -> Result<u64, DekuError>
where
    N: TryFrom<u64> + Default + DekuWriter<Endian>,
    W: Write + Seek,
{
    let at = writer.stream_position().map_err(io)?;
    N::default().to_writer(writer, endian)?;
    let start = writer.stream_position().map_err(io)?;
    value(writer)?;
    let end = writer.stream_position().map_err(io)?;
    writer.seek(SeekFrom::Start(at)).map_err(io)?;
    N::try_from(end - start).map_err(|_| too_long())?.to_writer(writer, endian)?;
    writer.seek(SeekFrom::Start(end)).map_err(io)?;
    Ok(end - start)
}

fn io(e: deku::no_std_io::Error) -> DekuError {
    DekuError::Io(e.kind())
}

fn too_long() -> DekuError {
    DekuError::Assertion("too long".into())
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "big", magic = b"\x89PNG\r\n\x1a\n")]
struct Png {
    #[deku(read_all)]
    chunks: Vec<PngChunk>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
struct PngChunk {
    #[deku(reader = "parsed(deku::reader, endian)", writer = "put_parsed(deku::writer, parsed, endian)")]
    parsed: ([u8; 4], PngData),
}

/// A chunk as it stands in the file.
#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
struct PngBytes {
    len: u32,
    kind: [u8; 4],
    #[deku(count = "len")]
    data: Vec<u8>,
    #[deku(assert = "*sum == crc(kind, data)")]
    sum: u32,
}

fn parsed<R: Read + Seek>(reader: &mut Reader<R>, endian: Endian) -> Result<([u8; 4], PngData), DekuError> {
    let PngBytes { kind, data, .. } = PngBytes::from_reader_with_ctx(reader, endian)?;
    let inner = &mut Cursor::new(&data);
    Ok((kind, PngData::from_reader_with_ctx(&mut Reader::new(inner), (endian, kind, data.len()))?))
}

fn put_parsed<W: Write + Seek>(
    writer: &mut Writer<W>,
    (kind, parsed): &([u8; 4], PngData),
    endian: Endian,
) -> Result<(), DekuError> {
    let mut data = Vec::new();
    let mut inner = Cursor::new(&mut data);
    parsed.to_writer(&mut Writer::new(&mut inner), (endian, *kind, 0))?;
    PngBytes { len: u32::try_from(data.len()).map_err(|_| too_long())?, kind: *kind, sum: crc(kind, &data), data }.to_writer(writer, endian)
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian, kind: [u8; 4], len: usize", endian = "endian", id = "kind")]
enum PngData {
    #[deku(id = b"IHDR")]
    Header { width: u32, height: u32, depth: u8, color: Color, method: [u8; 2], interlaced: u8 },
    #[deku(id = b"PLTE")]
    Palette(#[deku(count = "len / 3")] Vec<[u8; 3]>),
    #[deku(id = b"gAMA")]
    Gamma(u32),
    #[deku(id = b"pHYs")]
    PixelSize { x: u32, y: u32, unit: u8 },
    #[deku(id = b"tEXt")]
    Text {
        #[deku(
            map = "|text: Nul| Ok::<_, DekuError>(latin1(text.0.as_bytes()))",
            writer = "put_latin1(deku::writer, keyword, true)"
        )]
        keyword: String,
        #[deku(
            count = "len - keyword.chars().count() - 1",
            map = "|text: Vec<u8>| Ok::<_, DekuError>(latin1(&text))",
            writer = "put_latin1(deku::writer, text, false)"
        )]
        text: String,
    },
    #[deku(id = b"iTXt")]
    Utf8Text {
        keyword: Nul,
        compressed: u8,
        method: u8,
        language: Nul,
        translated: Nul,
        #[deku(
            count = "len - keyword.0.count_bytes() - language.0.count_bytes() - translated.0.count_bytes() - 5"
        )]
        text: Vec<u8>,
    },
    #[deku(id = b"tIME")]
    Time { year: u16, month: u8, day: u8, clock: [u8; 3] },
    #[deku(id = b"IEND")]
    End,
    #[deku(id_pat = "_")]
    Other(#[deku(count = "len")] Vec<u8>),
}

fn put_latin1<W: Write + Seek>(writer: &mut Writer<W>, text: &str, nul: bool) -> Result<(), DekuError> {
    writer.write_bytes(&to_latin1(text))?;
    if nul { writer.write_bytes(&[0]) } else { Ok(()) }
}

/// Where an order is said, every field takes one.
#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "_: Endian")]
struct Nul(CString);

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "_: Endian", id_type = "u8")]
enum Color {
    #[deku(id = 0)]
    Gray,
    #[deku(id = 2)]
    Rgb,
    #[deku(id = 3)]
    Indexed,
    #[deku(id = 4)]
    GrayAlpha,
    #[deku(id = 6)]
    RgbAlpha,
}

#[derive(DekuRead, DekuWrite)]
#[deku(magic = b"\x7fELF")]
struct Elf {
    class: u8,
    data: u8,
    version: u8,
    abi: u8,
    abi_version: u8,
    padding: [u8; 7],
    #[deku(ctx = "if *data == 1 { Endian::Little } else { Endian::Big }")]
    file: ElfFile,
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
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
    #[deku(
        seek_from_start = "*segments_at",
        count = "num_segments",
        assert = "segments.len() == usize::from(*num_segments)"
    )]
    segments: Vec<Segment>,
    #[deku(seek_from_start = "*sections_at", count = "num_sections")]
    sections: Vec<Section>,
    /// The places of contents are known once all headers are read.
    #[deku(
        reader = "contents(deku::reader, sections, endian)",
        writer = "put_contents(deku::writer, contents, sections, *num_sections, endian)"
    )]
    contents: Vec<Content>,
    #[deku(
        reader = "names(deku::reader, sections, *names_index)",
        writer = "put_names(deku::writer, names, sections, *names_index)"
    )]
    names: Vec<String>,
    /// What no table leads to, and where it is.
    #[deku(
        reader = "gaps(deku::reader, parts(*segments_at, segments, *sections_at, sections, names, *names_index))",
        writer = "put_gaps(deku::writer, gaps)"
    )]
    gaps: Vec<(u64, Vec<u8>)>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
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

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
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
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian, kind: u32, size: usize", endian = "endian", id = "content_of(kind)")]
enum Content {
    #[deku(id = 0)]
    None,
    #[deku(id = 2)]
    Symbols(#[deku(count = "size / 24")] Vec<Symbol>),
    #[deku(id_pat = "_")]
    Bytes(#[deku(count = "size")] Vec<u8>),
}

/// Kinds with the same content as one number: a pattern would need a field that keeps it.
fn content_of(kind: u32) -> u32 {
    match kind {
        8 => 0,
        11 => 2,
        kind => kind,
    }
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
struct Symbol {
    name: u32,
    #[deku(
        map = "|byte: u8| Ok::<_, DekuError>((byte >> 4, byte & 15))",
        writer = "(binding_and_kind.0 << 4 | binding_and_kind.1).to_writer(deku::writer, endian)"
    )]
    binding_and_kind: (u8, u8),
    visibility: u8,
    section: u16,
    value: u64,
    size: u64,
}

fn contents<R: Read + Seek>(
    reader: &mut Reader<R>,
    sections: &[Section],
    endian: Endian,
) -> Result<Vec<Content>, DekuError> {
    let read = |section: &Section| {
        reader.seek(SeekFrom::Start(section.offset)).map_err(io)?;
        Content::from_reader_with_ctx(reader, (endian, section.kind, section.size as usize))
    };
    sections.iter().map(read).collect()
}

fn put_contents<W: Write + Seek>(
    writer: &mut Writer<W>,
    contents: &[Content],
    sections: &[Section],
    num_sections: u16,
    endian: Endian,
) -> Result<(), DekuError> {
    if sections.len() != usize::from(num_sections) {
        return Err(DekuError::Assertion("the number of sections".into()));
    }
    for (content, section) in contents.iter().zip(sections) {
        writer.seek(SeekFrom::Start(section.offset)).map_err(io)?;
        if content.size().is_some_and(|size| size != section.size) {
            return Err(DekuError::Assertion("the size of a section".into()));
        }
        content.to_writer(writer, (endian, section.kind, section.size as usize))?;
    }
    Ok(())
}

impl Content {
    fn size(&self) -> Option<u64> {
        match self {
            Content::None => None,
            Content::Symbols(symbols) => Some(symbols.len() as u64 * 24),
            Content::Bytes(bytes) => Some(bytes.len() as u64),
        }
    }
}

fn names<R: Read + Seek>(
    reader: &mut Reader<R>,
    sections: &[Section],
    index: u16,
) -> Result<Vec<String>, DekuError> {
    let table = sections[usize::from(index)].offset;
    let read = |section: &Section| {
        reader.seek(SeekFrom::Start(table + u64::from(section.name))).map_err(io)?;
        let text = CString::from_reader_with_ctx(reader, ())?;
        text.into_string().map_err(|_| DekuError::Parse("a name is not UTF-8".into()))
    };
    sections.iter().map(read).collect()
}

fn put_names<W: Write + Seek>(
    writer: &mut Writer<W>,
    names: &[String],
    sections: &[Section],
    index: u16,
) -> Result<(), DekuError> {
    let table = sections[usize::from(index)].offset;
    for (name, section) in names.iter().zip(sections) {
        writer.seek(SeekFrom::Start(table + u64::from(section.name))).map_err(io)?;
        writer.write_bytes(name.as_bytes())?;
        writer.write_bytes(&[0])?;
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
    let contents = sections.iter().filter(|section| content_of(section.kind) != 0);
    let names = sections.iter().zip(names).map(|(section, name)| (table + u64::from(section.name), name.len()));
    elf_parts(
        (segments_at, segments.len()),
        (sections_at, sections.len()),
        contents.map(|section| (section.offset, section.size)),
        names,
    )
}

fn gaps<R: Read + Seek>(
    reader: &mut Reader<R>,
    parts: Vec<(u64, u64)>,
) -> Result<Vec<(u64, Vec<u8>)>, DekuError> {
    let end = reader.seek(SeekFrom::End(0)).map_err(io)?;
    let mut gaps = Vec::new();
    for (at, len) in between(parts, end) {
        reader.seek(SeekFrom::Start(at)).map_err(io)?;
        let bytes = Vec::<u8>::from_reader_with_ctx(reader, Limit::new_count(len as usize))?;
        if at + len == end || bytes.iter().any(|byte| *byte != 0) {
            gaps.push((at, bytes));
        }
    }
    Ok(gaps)
}

fn put_gaps<W: Write + Seek>(writer: &mut Writer<W>, gaps: &[(u64, Vec<u8>)]) -> Result<(), DekuError> {
    for (at, bytes) in gaps {
        writer.seek(SeekFrom::Start(*at)).map_err(io)?;
        writer.write_bytes(bytes)?;
    }
    Ok(())
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "big")]
struct Message {
    id: u16,
    #[deku(
        map = "|bits: u16| Ok::<_, DekuError>(Flags::of(bits))",
        writer = "flags.bits().to_writer(deku::writer, Endian::Big)"
    )]
    flags: Flags,
    #[deku(writer = "put_count::<u16, _, _>(deku::writer, questions, Endian::Big)")]
    qdcount: u16,
    #[deku(writer = "put_count::<u16, _, _>(deku::writer, answers, Endian::Big)")]
    ancount: u16,
    #[deku(writer = "put_count::<u16, _, _>(deku::writer, authorities, Endian::Big)")]
    nscount: u16,
    #[deku(writer = "put_count::<u16, _, _>(deku::writer, additional, Endian::Big)")]
    arcount: u16,
    #[deku(count = "qdcount")]
    questions: Vec<Question>,
    #[deku(count = "ancount")]
    answers: Vec<Record>,
    #[deku(count = "nscount")]
    authorities: Vec<Record>,
    #[deku(count = "arcount")]
    additional: Vec<Record>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "_: Endian")]
struct Name {
    #[deku(until = "|label: &Label| !matches!(label, Label::Text { .. })")]
    labels: Vec<Label>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(id_type = "u8")]
enum Label {
    #[deku(id = 0)]
    Root,
    #[deku(id_pat = "1..=63")]
    Text {
        tag: u8,
        #[deku(count = "tag")]
        text: Vec<u8>,
    },
    #[deku(id_pat = "0xc0..=0xff")]
    Pointer { tag: u8, low: u8 },
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
struct Question {
    name: Name,
    kind: u16,
    class: u16,
}

#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
struct Record {
    name: Name,
    kind: u16,
    class: u16,
    ttl: u32,
    #[deku(writer = "Ok::<(), DekuError>(())")]
    len: u16,
    #[deku(
        ctx = "*kind, *len as usize",
        writer = "put_sized::<u16, _>(deku::writer, endian, |writer| data.to_writer(writer, (endian, *kind, 0))).map(drop)"
    )]
    data: Data,
}

#[derive(DekuRead, DekuWrite)]
#[deku(
    ctx = "endian: Endian, kind: u16, len: usize",
    endian = "endian",
    id = "if kind == 5 || kind == 12 { 2 } else { kind }"
)]
enum Data {
    #[deku(id = 1)]
    A([u8; 4]),
    #[deku(id = 28)]
    Aaaa([u8; 16]),
    #[deku(id = 2)]
    Name(Name),
    #[deku(id = 6)]
    Soa { mname: Name, rname: Name, serial: u32, refresh: u32, retry: u32, expire: u32, minimum: u32 },
    #[deku(id = 15)]
    Mx { preference: u16, exchange: Name },
    #[deku(id = 33)]
    Srv { priority: u16, weight: u16, port: u16, target: Name },
    /// Lists that end with their region are left as bytes.
    #[deku(id_pat = "_")]
    Other(#[deku(count = "len")] Vec<u8>),
}

/// A size, what it counts, and a byte if that is odd.
fn put_chunk<W: Write + Seek>(
    writer: &mut Writer<W>,
    endian: Endian,
    body: impl FnOnce(&mut Writer<W>) -> Result<(), DekuError>,
) -> Result<(), DekuError> {
    match put_sized::<u32, W>(writer, endian, body)? % 2 {
        0 => Ok(()),
        _ => writer.write_bytes(&[0]),
    }
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "little")]
struct Riff {
    id: [u8; 4],
    #[deku(writer = "Ok::<(), DekuError>(())")]
    size: u32,
    #[deku(
        ctx = "*id, *size as usize",
        writer = "put_chunk(deku::writer, Endian::Little, |writer| body.to_writer(writer, (Endian::Little, *id, 0)))"
    )]
    body: Body,
    #[deku(count = "size % 2", writer = "Ok::<(), DekuError>(())")]
    padding: Vec<u8>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(
    ctx = "endian: Endian, id: [u8; 4], size: usize",
    endian = "endian",
    id = "if id == *b\"LIST\" { *b\"RIFF\" } else { id }"
)]
enum Body {
    #[deku(id = b"RIFF")]
    List {
        form: [u8; 4],
        #[deku(bytes_read = "size - 4")]
        chunks: Vec<Inner>,
    },
    #[deku(id = b"fmt ")]
    Format {
        encoding: u16,
        channels: u16,
        rate: u32,
        bytes_per_second: u32,
        block_align: u16,
        bits: u16,
        #[deku(count = "size - 16")]
        extra: Vec<u8>,
    },
    #[deku(id_pat = "_")]
    Bytes(#[deku(count = "size")] Vec<u8>),
}

/// A chunk inside a chunk, which takes the order of the one around it.
#[derive(DekuRead, DekuWrite)]
#[deku(ctx = "endian: Endian", endian = "endian")]
struct Inner {
    id: [u8; 4],
    #[deku(writer = "Ok::<(), DekuError>(())")]
    size: u32,
    #[deku(
        ctx = "*id, *size as usize",
        writer = "put_chunk(deku::writer, endian, |writer| body.to_writer(writer, (endian, *id, 0)))"
    )]
    body: Box<Body>,
    #[deku(count = "size % 2", writer = "Ok::<(), DekuError>(())")]
    padding: Vec<u8>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(id_type = "u8")]
#[rustfmt::skip]
enum Value {
    #[deku(id_pat = "0..=0x7f | 0xe0..=0xff")] Small(u8),
    #[deku(id = 0xc0)] Nil,
    #[deku(id = 0xc2)] False,
    #[deku(id = 0xc3)] True,
    #[deku(id = 0xcc)] U8(u8),
    #[deku(id = 0xcd)] U16(#[deku(endian = "big")] u16),
    #[deku(id = 0xce)] U32(#[deku(endian = "big")] u32),
    #[deku(id = 0xcf)] U64(#[deku(endian = "big")] u64),
    #[deku(id = 0xd0)] I8(i8),
    #[deku(id = 0xd1)] I16(#[deku(endian = "big")] i16),
    #[deku(id = 0xd2)] I32(#[deku(endian = "big")] i32),
    #[deku(id = 0xd3)] I64(#[deku(endian = "big")] i64),
    #[deku(id = 0xca)] F32(#[deku(endian = "big")] f32),
    #[deku(id = 0xcb)] F64(#[deku(endian = "big")] f64),
    #[deku(id_pat = "0xa0..=0xbf")] FixStr {
        tag: u8,
        #[deku(count = "tag & 31", map = "utf8", writer = "deku::writer.write_bytes(text.as_bytes())")] text: String,
    },
    #[deku(id = 0xd9)] Str8 {
        #[deku(writer = "put_count::<u8, _, _>(deku::writer, text.as_bytes(), Endian::Big)")] len: u8,
        #[deku(count = "len", map = "utf8", writer = "deku::writer.write_bytes(text.as_bytes())")] text: String,
    },
    #[deku(id = 0xda)] Str16 {
        #[deku(endian = "big", writer = "put_count::<u16, _, _>(deku::writer, text.as_bytes(), Endian::Big)")] len: u16,
        #[deku(count = "len", map = "utf8", writer = "deku::writer.write_bytes(text.as_bytes())")] text: String,
    },
    #[deku(id = 0xdb)] Str32 {
        #[deku(endian = "big", writer = "put_count::<u32, _, _>(deku::writer, text.as_bytes(), Endian::Big)")] len: u32,
        #[deku(count = "len", map = "utf8", writer = "deku::writer.write_bytes(text.as_bytes())")] text: String,
    },
    #[deku(id = 0xc4)] Bin8 {
        #[deku(writer = "put_count::<u8, _, _>(deku::writer, bytes, Endian::Big)")] len: u8,
        #[deku(count = "len")] bytes: Vec<u8>,
    },
    #[deku(id = 0xc5)] Bin16 {
        #[deku(endian = "big", writer = "put_count::<u16, _, _>(deku::writer, bytes, Endian::Big)")] len: u16,
        #[deku(count = "len")] bytes: Vec<u8>,
    },
    #[deku(id = 0xc6)] Bin32 {
        #[deku(endian = "big", writer = "put_count::<u32, _, _>(deku::writer, bytes, Endian::Big)")] len: u32,
        #[deku(count = "len")] bytes: Vec<u8>,
    },
    #[deku(id_pat = "0x90..=0x9f")] FixArray { tag: u8, #[deku(count = "tag & 15")] items: Vec<Value> },
    #[deku(id = 0xdc)] Array16 {
        #[deku(endian = "big", writer = "put_count::<u16, _, _>(deku::writer, items, Endian::Big)")] len: u16,
        #[deku(count = "len")] items: Vec<Value>,
    },
    #[deku(id = 0xdd)] Array32 {
        #[deku(endian = "big", writer = "put_count::<u32, _, _>(deku::writer, items, Endian::Big)")] len: u32,
        #[deku(count = "len")] items: Vec<Value>,
    },
    #[deku(id_pat = "0x80..=0x8f")] FixMap { tag: u8, #[deku(count = "tag & 15")] items: Vec<(Value, Value)> },
    #[deku(id = 0xde)] Map16 {
        #[deku(endian = "big", writer = "put_count::<u16, _, _>(deku::writer, items, Endian::Big)")] len: u16,
        #[deku(count = "len")] items: Vec<(Value, Value)>,
    },
    #[deku(id = 0xdf)] Map32 {
        #[deku(endian = "big", writer = "put_count::<u32, _, _>(deku::writer, items, Endian::Big)")] len: u32,
        #[deku(count = "len")] items: Vec<(Value, Value)>,
    },
    #[deku(id = 0xd4)] FixExt1(i8, [u8; 1]),
    #[deku(id = 0xd5)] FixExt2(i8, [u8; 2]),
    #[deku(id = 0xd6)] FixExt4(i8, [u8; 4]),
    #[deku(id = 0xd7)] FixExt8(i8, [u8; 8]),
    #[deku(id = 0xd8)] FixExt16(i8, [u8; 16]),
    #[deku(id = 0xc7)] Ext8 {
        #[deku(writer = "put_count::<u8, _, _>(deku::writer, bytes, Endian::Big)")] len: u8,
        kind: i8, #[deku(count = "len")] bytes: Vec<u8>,
    },
    #[deku(id = 0xc8)] Ext16 {
        #[deku(endian = "big", writer = "put_count::<u16, _, _>(deku::writer, bytes, Endian::Big)")] len: u16,
        kind: i8, #[deku(count = "len")] bytes: Vec<u8>,
    },
    #[deku(id = 0xc9)] Ext32 {
        #[deku(endian = "big", writer = "put_count::<u32, _, _>(deku::writer, bytes, Endian::Big)")] len: u32,
        kind: i8, #[deku(count = "len")] bytes: Vec<u8>,
    },
}

fn utf8(bytes: Vec<u8>) -> Result<String, DekuError> {
    String::from_utf8(bytes).map_err(|_| DekuError::Parse("a text is not UTF-8".into()))
}
