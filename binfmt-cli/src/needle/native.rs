//! Values that are not what their bytes are by themselves: what the format calls their type tells it.

use super::equal::is_it;
use binfmt::Endian;
use binfmt::dump::{Kind, Node};
use binfmt::numbers::Number;
use binfmt::table::TimeUnit;

/// How many bytes one of them has, if such values are there.
pub(super) fn width(node: Node<'_>) -> Option<usize> {
    match (node.native(), node.kind()?) {
        ("character" | "char" | "char null", Kind::Int { bytes: 1, .. }) => Some(1),
        ("longdouble", Kind::Int { bytes: 1, .. } | Kind::Bytes | Kind::Custom) => Some(16),
        _ => None,
    }
}

/// Whether what is there is bytes and no text or number.
pub(super) fn is_bytes(node: Node<'_>) -> bool {
    node.kind() == Some(&Kind::Bytes) || node.native().starts_with("binary")
}

/// One of them as text, if it is what is looked for.
pub(super) fn found(node: Node<'_>, bytes: &[u8], text: &str, number: Option<Number>) -> Option<String> {
    match bytes {
        // a zero stands for no character
        [0] => text.is_empty().then(|| format!("{text:?}")),
        [_] => (text.as_bytes() == bytes).then(|| format!("{text:?}")),
        _ => {
            let x = Number::F64(extended(bytes, node.endian())?);
            number.is_some_and(|wanted| is_it(x, wanted)).then(|| x.to_string())
        }
    }
}

/// The time of a group that is one: seconds of local time, and its distance from UTC.
pub(super) fn time(node: Node<'_>) -> Option<String> {
    if !matches!(node.native(), "datetimetz" | "datetimetz null") {
        return None;
    }
    let [seconds, offset] = node.bytes().as_chunks::<8>().0 else { return None };
    let (local, offset) =
        (TimeUnit::Second.format_time(i64::from_le_bytes(*seconds)), i64::from_le_bytes(*offset));
    let (sign, distance) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    let seconds = if distance % 60 == 0 { String::new() } else { format!(":{:02}", distance % 60) };
    Some(format!("{local}{sign}{:02}:{:02}{seconds}", distance / 3600, distance / 60 % 60))
}

/// The nearest double of an 80-bit number that stands in sixteen bytes: its mantissa, then sign and exponent, or in the other order after
/// two bytes of padding.
fn extended(bytes: &[u8], endian: Endian) -> Option<f64> {
    let (mantissa, high) = match endian {
        Endian::Little => {
            (u64::from_le_bytes(*bytes.first_chunk()?), u16::from_le_bytes(*bytes.get(8..)?.first_chunk()?))
        }
        Endian::Big => (
            u64::from_be_bytes(*bytes.get(4..)?.first_chunk()?),
            u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?),
        ),
    };
    let sign = if high >> 15 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(high & 0x7fff);
    Some(match (exponent, mantissa << 1) {
        (0x7fff, 0) => sign * f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        // in two steps, as what is left of the first may be below the least of full precision
        _ => {
            let power = (exponent - 16383 - 63).clamp(-2000, 2000);
            sign * mantissa as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
        }
    })
}
