//! Any tile through any pipeline of filters: taken apart without a panic, whatever it says of its sizes.

use crate::targets::shared::input::Choices;
use binfmt::formats::tiledb::{Datatype, Filter, FilterPipeline};

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let datatype = c.pick(&[
        Datatype::Int32,
        Datatype::Uint8,
        Datatype::Int64,
        Datatype::Int16,
        Datatype::Uint64,
        Datatype::Float64,
    ]);
    let number = 1 + usize::from(c.byte() % 3);
    let filters: Vec<Filter> = (0..number).map(|_| filter(c)).collect();
    let pipeline = FilterPipeline::new(filters);
    for trace in pipeline.explain(datatype, false, c.0) {
        let _ = trace.to_string();
    }
}

fn filter(c: &mut Choices<'_>) -> Filter {
    match c.byte() % 10 {
        0 => Filter::zstd(1),
        1 => Filter::lz4(-1),
        2 => Filter::gzip(1),
        3 => Filter::bzip2(1),
        4 => Filter::byteshuffle(),
        5 => Filter::bitshuffle(),
        6 => Filter::rle(-1),
        7 => Filter::double_delta(-1),
        8 => Filter::bit_width_reduction(256),
        _ => Filter::positive_delta(256),
    }
}
