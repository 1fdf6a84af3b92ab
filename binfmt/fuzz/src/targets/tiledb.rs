//! The arrays of `tests/data` with edits in one of their files: opened, read, verified; what is read in two orders has the
//! same number of cells.

use crate::targets::shared::arrays::{Stored, edit, originals};
use crate::targets::shared::input::Choices;
use binfmt::formats::tiledb::{Array, ArraySchema};

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let originals = originals();
    let original = &originals[usize::from(c.byte()) % originals.len()];
    let at = usize::from(c.byte()) % original.files.len();
    let (path, bytes) = original.files.iter().nth(at).expect("within the number of files");
    let mut edited = original.stored();
    edited.put(path.clone(), edit(bytes.clone(), c));
    if let Ok(array) = original.options().open(edited) {
        look(&array);
    }
}

fn look(array: &Array<Stored<'_>>) {
    for fragment in array.fragments().iter().take(3) {
        let _ = array.verify(fragment);
    }
    let global = array.query().global_order().read();
    if let (Ok(a), Ok(b)) = (array.read(), global) {
        assert_eq!(a.num_cells(), b.num_cells());
    }
    let file = array.schema().to_file(None).expect("a schema that was read is written");
    assert_eq!(&ArraySchema::from_file(&file, None).expect("and read"), array.schema());
}
