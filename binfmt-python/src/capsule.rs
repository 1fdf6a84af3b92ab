//! Streams out of the capsules in which other Python libraries hand them over: the only module with `unsafe` code.
#![allow(unsafe_code)]

use crate::failure::Result;
use ::arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The stream of a capsule, which is empty afterwards.
pub(crate) fn stream(capsule: &Bound<'_, PyCapsule>) -> Result<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a valid `ArrowArrayStream`, which whoever takes the capsule may move out of it (the PyCapsule
    // interface of Arrow); the pointer is not null, was checked with its name, and the capsule lives while this runs under the lock of
    // the interpreter. What is left in it says that it was released, so that neither the capsule nor who takes it again, and is refused
    // by the reader of streams, frees it twice.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) })
}
