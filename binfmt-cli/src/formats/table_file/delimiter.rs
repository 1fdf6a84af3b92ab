//! Files whose fields are separated by something else.

use crate::report::remark;
use binfmt::table::Table;

/// What other programs put between fields, as the option names it.
const DELIMITERS: [(&str, char); 3] = [("';'", ';'), ("tab", '\t'), ("'|'", '|')];

/// Tells of one column whose name may be several.
pub(super) fn tell(table: &dyn Table) {
    let [only] = &table.schema().fields[..] else { return };
    if let Some((word, _)) = DELIMITERS.iter().find(|(_, c)| only.name.contains(*c)) {
        remark(&format!("there is one column, `{}`: --delimiter {word} separates more", only.name));
    }
}
