//! memcpy of the wire bytes, into a new `Vec` (decode) or a reused one (encode): the limit of a codec that writes as many
//! bytes as it reads. For borrowing, where nothing is written: reading every word once.

use super::*;

fn sum64(w: &[u8]) -> usize {
    let sum = w.as_chunks::<8>().0.iter().fold(0u64, |s, c| s.wrapping_add(u64::from_ne_bytes(*c)));
    std::hint::black_box(sum);
    0
}

pub fn register(r: &mut Registry) {
    macro_rules! memcpy {
        ($($workload:literal, $dec:literal, $enc:literal, $bytes:ident;)*) => { $(
            r.dec(($workload, $dec), "memcpy", Wire::Limit, None, |w| w.to_vec(), |_| true);
            let source = || Aligned::new(&data().$bytes);
            r.enc(($workload, $enc), "memcpy", Wire::Limit, source, |s, o| o.extend_from_slice(s.get()));
        )* };
    }
    memcpy! {
        "W1", "decode", "encode", w1_wire;
        "W2", "decode", "encode", w2_wire;
        "W3", "f64le-dec", "f64le-enc", f64_le;
        "W3", "f64be-dec", "f64be-enc", f64_be;
        "W3", "i32le-dec", "i32le-enc", i32_le;
        "W3", "i32be-dec", "i32be-enc", i32_be;
        "W4", "decode", "encode", w4_wire;
        "W5", "le-dec", "le-enc", w5_le;
        "W5", "be-dec", "be-enc", w5_be;
        "W6", "decode", "encode", w6_wire;
    }
    r.borrow(("W2", "borrow"), "read once", Wire::Limit, None, sum64, 0);
}
