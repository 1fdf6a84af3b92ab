//! Formats that are a type and its context: how they answer the kit.

/// A format `$format` of values `$value`. `$ctx` is the context of a sample, `$may_end_at` where a sample may be cut.
macro_rules! typed {
    ($format:ident, $value:ty, $name:literal, $samples:expr, |$sample:ident| $ctx:expr, $may_end_at:expr) => {
        struct $format;

        impl Conformance for $format {
            type Value = $value;
            fn name(&self) -> &str {
                $name
            }
            fn samples(&self) -> Vec<Sample> {
                $samples
            }
            fn decode(&self, $sample: &Sample, bytes: &[u8]) -> Result<$value> {
                binfmt::from_slice_with(bytes, &Options::new().ctx($ctx))
            }
            fn decode_stream(&self, $sample: &Sample, reader: &mut dyn Read) -> Result<$value> {
                binfmt::from_reader_with(reader, &Options::new().ctx($ctx))
            }
            fn encode(&self, $sample: &Sample, value: &$value, out: &mut dyn Write) -> Result<()> {
                binfmt::to_writer_with(value, out, &Options::new().ctx($ctx)).map(|_| ())
            }
            fn trace(&self, $sample: &Sample, bytes: &[u8]) -> Vec<Trace> {
                vec![dump::trace_with::<$value, _>(bytes, &Options::new().ctx($ctx))]
            }
            fn may_end_at(&self, sample: &Sample, len: usize) -> bool {
                let ends: fn(&Self, &Sample, usize) -> bool = $may_end_at;
                ends(self, sample, len)
            }
            fn writes_all_it_reads(&self) -> bool {
                true
            }
            fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
                Some(memory_of(run).1)
            }
        }
    };
}
pub(crate) use typed;
