//! A program without an allocator: that it links says that nothing in it needs one. It reads a frame, writes it again, and reads it
//! cut at every byte. Its exit code is 0, or the number of the step that went wrong.

#![no_std]
#![no_main]

use binfmt::{BinFormat, Error, ErrorKind, Nullable};
use core::fmt::Write;

#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it takes nothing and ends the program
    unsafe { abort() }
}

/// What the compiled `core` names, and a program that aborts never calls.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[binfmt(tag(u8))]
enum Mode {
    #[binfmt(tag = 1)]
    Off,
    #[binfmt(tag = 2)]
    On,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u16), be)]
enum Body<'a> {
    #[binfmt(tag = 1)]
    Ping,
    #[binfmt(tag = 7)]
    Text {
        #[binfmt(length_prefixed(u8))]
        name: &'a str,
        #[binfmt(until_eof)]
        rest: &'a [u8],
    },
}

#[derive(BinFormat, Debug, PartialEq)]
struct Point {
    x: i16,
    #[binfmt(range = -90..=90)]
    y: i8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"FR", assert(*version < 9, "version {version} is too new"))]
struct Frame<'a> {
    #[binfmt(magic = 0xcafe_u16, be)]
    version: u8,
    #[binfmt(bits(4, of = u8))]
    kind: u8,
    #[binfmt(bits(3, reserved))]
    gap: (),
    #[binfmt(bits(1))]
    is_last: bool,
    mode: Mode,
    points: [Point; 2],
    #[binfmt(nullable)]
    height: Nullable<u32>,
    #[binfmt(align_before = 4)]
    size: f32,
    #[binfmt(as = leb128)]
    many: u32,
    #[binfmt(len_of(title))]
    title_len: u8,
    #[binfmt(count = *title_len)]
    title: &'a str,
    #[binfmt(if(*is_last))]
    more: Option<u16>,
    #[binfmt(length_prefixed(u16, in = bytes))]
    body: Body<'a>,
    #[binfmt(nul)]
    name: &'a str,
    #[binfmt(checksum(u16 = add_up, over = version..=name))]
    sum: (),
}

fn add_up(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u16::from(*byte)))
}

/// Text that fits in an array.
struct Line {
    bytes: [u8; 200],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let to = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(core::fmt::Error)?;
        to.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

/// Whether an error prints so.
fn prints(e: &Error, text: &str) -> bool {
    let mut line = Line { bytes: [0; 200], len: 0 };
    write!(line, "{e}").is_ok() && line.bytes[..line.len] == *text.as_bytes()
}

fn frame() -> Frame<'static> {
    Frame {
        version: 3,
        kind: 9,
        gap: (),
        is_last: true,
        mode: Mode::On,
        points: [Point { x: -2, y: 4 }, Point { x: 515, y: -90 }],
        height: Nullable::Value(77),
        size: 1.5,
        many: 70_000,
        title_len: 5,
        title: "title",
        more: Some(6),
        body: Body::Text { name: "nämé", rest: &[1, 2, 3] },
        name: "end",
        sum: (),
    }
}

/// Encodes, decodes, measures, and encodes what was decoded.
fn round_trip(out: &mut [u8; 128]) -> Result<usize, i32> {
    let frame = frame();
    let n = binfmt::to_slice(&frame, out).map_err(|_| 1)?;
    if binfmt::encoded_len(&frame).ok() != Some(n) {
        return Err(2);
    }
    let back: Frame<'_> = binfmt::from_slice(&out[..n]).map_err(|_| 3)?;
    let mut again = [0; 128];
    match binfmt::to_slice(&back, &mut again) {
        Ok(len) if back == frame && again[..len] == out[..n] => Ok(n),
        _ => Err(4),
    }
}

/// The frame cut at every byte: each error is about a byte of the input that is there or the first that is not.
fn cut(bytes: &[u8]) -> Result<(), i32> {
    for n in 0..bytes.len() {
        match binfmt::from_slice::<Frame<'_>>(&bytes[..n]) {
            Ok(_) => return Err(10),
            Err(e) => {
                let ended = matches!(
                    e.kind(),
                    ErrorKind::UnexpectedEnd { .. } | ErrorKind::CountTooLarge { .. } | ErrorKind::Unterminated { .. }
                );
                if !ended || !e.is_incomplete() {
                    return Err(11);
                }
                if e.offset().is_none_or(|at| at > n as u64) {
                    return Err(12);
                }
            }
        }
    }
    let e = binfmt::from_slice::<Frame<'_>>(&bytes[..6]).err().ok_or(13)?;
    let is_mode = e.offset() == Some(6) && matches!(e.kind(), ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
    if is_mode && e.path().steps().count() == 1 { Ok(()) } else { Err(14) }
}

/// Other bytes: kind, offset and text of the errors.
fn damaged(bytes: &[u8], n: usize) -> Result<(), i32> {
    let with = |at: usize, byte: u8, step: i32, text: &str| {
        let mut other = [0; 128];
        other[..n].copy_from_slice(bytes);
        other[at] = byte;
        match binfmt::from_slice::<Frame<'_>>(&other[..n]) {
            Err(e) if e.offset().is_some() && prints(&e, text) => Ok(()),
            _ => Err(step),
        }
    };
    with(0, b'G', 20, "magic at byte 0x0: expected the bytes \"FR\", found \"GR\"")?;
    with(6, 3, 21, "mode at byte 0x6: 3 is not a tag of Mode")?;
    with(9, 100, 22, "y at byte 0x9: 100 is not in -90..=90")?;
    let sum = [bytes[n - 2], bytes[n - 1]];
    let mut other = [0; 128];
    other[..n].copy_from_slice(bytes);
    other[n - 1] = !sum[1];
    match binfmt::from_slice::<Frame<'_>>(&other[..n]).map_err(|e| matches!(e.kind(), ErrorKind::Checksum { .. })) {
        Err(true) => Ok(()),
        _ => Err(23),
    }
}

/// What does not fit, when writing.
fn refused() -> Result<(), i32> {
    let mut short = [0; 20];
    let e = binfmt::to_slice(&frame(), &mut short).err().ok_or(30)?;
    if !matches!(e.kind(), ErrorKind::OutputFull { .. }) || e.offset().is_none_or(|at| at > 20) {
        return Err(31);
    }
    let mut out = [0; 128];
    let e = binfmt::to_slice(&Frame { title_len: 4, ..frame() }, &mut out).err().ok_or(32)?;
    match e.kind() {
        ErrorKind::LengthMismatch { expected: 5, .. } => {}
        _ => return Err(33),
    }
    let e = binfmt::to_slice(&Frame { version: 12, ..frame() }, &mut out).err().ok_or(34)?;
    if matches!(e.kind(), ErrorKind::Assertion { .. }) { Ok(()) } else { Err(35) }
}

fn all() -> Result<(), i32> {
    let mut out = [0; 128];
    let n = round_trip(&mut out)?;
    cut(&out[..n])?;
    damaged(&out[..n], n)?;
    refused()
}

#[unsafe(no_mangle)]
extern "C" fn main(_: i32, _: *const *const u8) -> i32 {
    all().err().unwrap_or(0)
}
