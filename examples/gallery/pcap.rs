//! Captures of packets: [the file](https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcap.html),
//! Ethernet (IEEE 802.3), [IPv4](https://www.rfc-editor.org/rfc/rfc791), [IPv6](https://www.rfc-editor.org/rfc/rfc8200),
//! [TCP](https://www.rfc-editor.org/rfc/rfc9293), [UDP](https://www.rfc-editor.org/rfc/rfc768) and
//! [ICMP](https://www.rfc-editor.org/rfc/rfc792).
//!
//! A machine that leaves checksums to its network card captures packets without them:
//! [`Options::ignore_checksums`](binfmt::Options::ignore_checksums) reads them.

use binfmt::{BinFormat, Endian, Result};
use std::fmt::Write;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Draft §4: the first bytes say in which order the machine has its numbers.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Capture {
    pub magic: Magic,
    #[binfmt(endian = magic.order())]
    pub content: Content,
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag([u8; 4]))]
pub enum Magic {
    #[binfmt(tag = b"\xd4\xc3\xb2\xa1")]
    LittleMicros,
    #[binfmt(tag = b"\x4d\x3c\xb2\xa1")]
    LittleNanos,
    #[binfmt(tag = b"\xa1\xb2\xc3\xd4")]
    BigMicros,
    #[binfmt(tag = b"\xa1\xb2\x3c\x4d")]
    BigNanos,
}

impl Magic {
    pub fn order(self) -> Endian {
        match self {
            Magic::LittleMicros | Magic::LittleNanos => Endian::Little,
            Magic::BigMicros | Magic::BigNanos => Endian::Big,
        }
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Content {
    pub major: u16,
    pub minor: u16,
    pub time_zone: i32,
    pub sigfigs: u32,
    pub snap_len: u32,
    pub link_type: u32,
    #[binfmt(until_eof, args(*link_type))]
    pub packets: Vec<Packet>,
}

/// Draft §5
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(link_type: u32))]
pub struct Packet {
    pub seconds: u32,
    pub fraction: u32,
    #[binfmt(len_of(frame, bytes))]
    pub captured: u32,
    pub original: u32,
    #[binfmt(region = captured, tag_from = if captured == original { link_type } else { CUT })]
    pub frame: Frame,
}

/// A frame of which the capture has a part only.
const CUT: u32 = u32::MAX;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, ctx(link_type: u32), tag_from = link_type)]
pub enum Frame {
    #[binfmt(tag = 1)]
    Ethernet {
        to: [u8; 6],
        from: [u8; 6],
        kind: u16,
        #[binfmt(tag_from = *kind)]
        data: Payload,
    },
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

/// IEEE 802.3, §3.2.6
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: u16), tag_from = kind)]
pub enum Payload {
    #[binfmt(tag = 0x0800)]
    Ipv4 {
        packet: Ipv4,
        #[binfmt(until_eof)]
        padding: Vec<u8>,
    },
    #[binfmt(tag = 0x86dd)]
    Ipv6 {
        packet: Ipv6,
        #[binfmt(until_eof)]
        padding: Vec<u8>,
    },
    /// IEEE 802.1Q: the frame goes on after the tag.
    #[binfmt(tag = 0x8100)]
    Vlan {
        control: u16,
        inner: u16,
        #[binfmt(tag_from = *inner)]
        data: Box<Payload>,
    },
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

/// RFC 791, §3.1
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Ipv4 {
    #[binfmt(bits(4, of = u8), range = 4..=4)]
    pub version: u8,
    #[binfmt(bits(4), range = 5..=15)]
    pub header_words: u8,
    pub service: u8,
    pub total_len: u16,
    pub id: u16,
    #[binfmt(bits(1, of = u16, reserved))]
    pub zero: (),
    #[binfmt(bits(1))]
    pub dont_fragment: bool,
    #[binfmt(bits(1))]
    pub more_fragments: bool,
    #[binfmt(bits(13))]
    pub fragment: u16,
    pub ttl: u8,
    pub protocol: u8,
    #[binfmt(checksum(u16 = internet_checksum, over = version..=options, self_as = 0))]
    pub checksum: (),
    pub from: Ipv4Addr,
    pub to: Ipv4Addr,
    #[binfmt(count = header_words * 4 - 20)]
    pub options: Vec<u8>,
    #[binfmt(region = total_len - header_words * 4)]
    #[binfmt(tag_from = if *fragment == 0 && !*more_fragments { *protocol } else { FRAGMENT })]
    pub data: Transport,
}

/// A part of a packet; reserved as a protocol.
const FRAGMENT: u8 = 255;

/// RFC 8200, §3
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Ipv6 {
    #[binfmt(bits(4, of = u32), range = 6..=6)]
    pub version: u8,
    #[binfmt(bits(8))]
    pub class: u8,
    #[binfmt(bits(20))]
    pub flow: u32,
    #[binfmt(len_of(data, bytes, u16))]
    pub len: (),
    pub next_header: u8,
    pub hop_limit: u8,
    pub from: Ipv6Addr,
    pub to: Ipv6Addr,
    #[binfmt(region = len, tag_from = *next_header)]
    pub data: Transport,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(protocol: u8), tag_from = protocol)]
pub enum Transport {
    /// RFC 792
    #[binfmt(tag = 1)]
    Icmp {
        kind: u8,
        code: u8,
        #[binfmt(checksum(u16 = internet_checksum, over = kind..=data, self_as = 0))]
        checksum: (),
        #[binfmt(until_eof)]
        data: Vec<u8>,
    },
    #[binfmt(tag = 6)]
    Tcp(Tcp),
    /// RFC 768; the checksum is of parts of the packet around it, too.
    #[binfmt(tag = 17)]
    Udp {
        from: u16,
        to: u16,
        #[binfmt(calc(u16 = data.len() + 8))]
        len: (),
        checksum: u16,
        #[binfmt(count = len - 8)]
        data: Vec<u8>,
    },
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

/// RFC 9293, §3.1
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[rustfmt::skip]
pub struct Tcp {
    pub from: u16,
    pub to: u16,
    pub sequence: u32,
    pub acknowledgment: u32,
    #[binfmt(bits(4, of = u16), range = 5..=15)] pub header_words: u8,
    #[binfmt(bits(4))] pub reserved: u8,
    #[binfmt(bits(1))] pub cwr: bool,
    #[binfmt(bits(1))] pub ece: bool,
    #[binfmt(bits(1))] pub urg: bool,
    #[binfmt(bits(1))] pub ack: bool,
    #[binfmt(bits(1))] pub psh: bool,
    #[binfmt(bits(1))] pub rst: bool,
    #[binfmt(bits(1))] pub syn: bool,
    #[binfmt(bits(1))] pub fin: bool,
    pub window: u16,
    pub checksum: u16,
    pub urgent: u16,
    #[binfmt(region = header_words * 4 - 20)] pub options: Vec<TcpOption>,
    #[binfmt(until_eof)] pub data: Vec<u8>,
}

/// RFC 9293, §3.2; the length counts the kind and itself.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub enum TcpOption {
    /// The bytes after it up to the header's end are 0, too.
    #[binfmt(tag = 0)]
    End,
    #[binfmt(tag = 1)]
    NoOperation,
    #[binfmt(tag = 2)]
    MaxSegmentSize(#[binfmt(magic = 4u8)] u16),
    #[binfmt(other)]
    Other {
        tag: u8,
        #[binfmt(calc(u8 = data.len() + 2))]
        len: (),
        #[binfmt(count = len - 2)]
        data: Vec<u8>,
    },
}

/// RFC 1071
fn internet_checksum(bytes: &[u8]) -> u16 {
    let sum = bytes.chunks(2).fold(0u64, |sum, pair| {
        sum + u64::from(u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or_default()]))
    });
    // the carries are added until there are none: no sum of 64 bits has more than three
    let folded = (0..3).fold(sum, |sum, _| (sum & 0xffff) + (sum >> 16));
    !(folded as u16)
}

/// A line for each packet.
pub fn summary(file: &[u8]) -> Result<String> {
    let capture: Capture = binfmt::from_slice(file)?;
    let mut out = format!("{:?}, link type {}\n", capture.magic, capture.content.link_type);
    for packet in &capture.content.packets {
        let _ = write!(out, "{}.{:06} ", packet.seconds, packet.fraction);
        let _ = match &packet.frame {
            Frame::Ethernet { data: Payload::Ipv4 { packet, .. }, .. } => {
                writeln!(out, "{} > {} {}", packet.from, packet.to, transport(&packet.data))
            }
            Frame::Ethernet { data: Payload::Ipv6 { packet, .. }, .. } => {
                writeln!(out, "{} > {} {}", packet.from, packet.to, transport(&packet.data))
            }
            Frame::Ethernet { from, to, kind, .. } => writeln!(out, "{from:02x?} > {to:02x?} {kind:#06x}"),
            Frame::Other(bytes) => writeln!(out, "{} bytes", bytes.len()),
        };
    }
    Ok(out)
}

fn transport(data: &Transport) -> String {
    match data {
        Transport::Tcp(tcp) => format!("TCP {} > {}, {} bytes", tcp.from, tcp.to, tcp.data.len()),
        Transport::Udp { from, to, data, .. } => format!("UDP {from} > {to}, {} bytes", data.len()),
        Transport::Icmp { kind, .. } => format!("ICMP {kind}"),
        Transport::Other(bytes) => format!("{} bytes", bytes.len()),
    }
}
