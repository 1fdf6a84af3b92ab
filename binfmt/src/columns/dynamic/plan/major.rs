//! Files that have all values of the first column, then all of the second, and so on.
//!
//! Each column is read by a plan of its own, whose rows have this one field; numbers, whose bytes are those of a vector, at once.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "picks are columns of the plan, each counted before it is taken"
)]

use super::super::batch::Columns;
use super::super::column::{Column, ColumnRef};
use super::Plan;
use super::decode::RowReader;
use super::encode::ColumnWriter;
use super::place::Node;
use super::scatter::Scratch;
use crate::codec::Decode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::Numbers;
use crate::schema::{Description, DescriptionError, Name, Record, Type};
use crate::wire::{Be, Endian, Erased, Hooks, Label, Le, Options, Policy, Sink, Slice, Source, vec_sink};
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The picked columns; only one that is picked again is copied.
fn picked(all: Vec<(Name, Column)>, picks: &[usize]) -> Vec<(Name, Column)> {
    let mut all: Vec<Option<(Name, Column)>> = all.into_iter().map(Some).collect();
    let mut times = alloc::vec![0usize; all.len()];
    for pick in picks {
        times[*pick] += 1;
    }
    let take = |pick: &usize| {
        times[*pick] -= 1;
        if times[*pick] == 0 { all[*pick].take() } else { all[*pick].clone() }
    };
    picks.iter().filter_map(take).collect()
}

impl Plan {
    /// Plans of one column each, which are made once.
    fn each(&self) -> Result<Arc<[Plan]>> {
        #[cfg(feature = "std")]
        let plans = self.parts.each.get_or_init(|| self.make_each()).clone();
        #[cfg(not(feature = "std"))]
        let plans = self.make_each();
        plans.map_err(|e| Error::other(e.to_string()))
    }

    fn make_each(&self) -> Result<Arc<[Plan]>, DescriptionError> {
        let layout = self.description();
        let Some(Type::Record(record)) = layout.resolve(&layout.root) else { return Ok([].into()) };
        // a copy of all fields for each of them would be their square
        let bare = Record { fields: Default::default(), ..record.clone() };
        let one = |field: &crate::schema::Field| {
            let root = Type::Record(Record { fields: [field.clone()].into(), ..bare.clone() });
            Plan::new(&Description { root, definitions: layout.definitions.clone() })
        };
        match record.fields.iter().find(|field| field.ty.is_silent()) {
            None => record.fields.iter().map(one).collect(),
            Some(_) => {
                Err(DescriptionError::new("bytes between the fields have no place between whole columns"))
            }
        }
    }

    /// Of a plan of one column whether its rows are numbers and nothing else, and whether these are little-endian.
    fn numbers_alone(&self, endian: Endian) -> Option<bool> {
        let body = self.parts.body.as_ref().filter(|body| body.checks.is_empty())?;
        match (body.nodes.as_slice(), self.parts.columns.as_slice()) {
            ([Node::Number { order, .. }], [(_, Column::Numbers(v))])
                if body.size == Some(v.number_type().size()) =>
            {
                Some(order.unwrap_or(endian) == Endian::Little)
            }
            _ => None,
        }
    }

    /// Of a plan of one column its `rows` values after `before` others; those `after` them are skipped.
    pub(crate) fn read_column(
        &self,
        src: &mut Erased<'_, '_>,
        (before, rows, after): (usize, usize, usize),
        endian: Endian,
        scratch: &mut Scratch,
    ) -> Result<Column> {
        let (Some(little), Some((name, Column::Numbers(v)))) =
            (self.numbers_alone(endian), self.parts.columns.first())
        else {
            let mut all = RowReader::with(self, endian, (&*src, rows), scratch);
            let read = all.read_part(src, (before, rows, after));
            return match all.finish(scratch).next() {
                Some(column) => read.map(|()| column),
                None => Err(Error::other("the plan has no column")),
            };
        };
        if before > 0 {
            RowReader::new(self, endian).skip(src, before)?;
        }
        src.open(Label::Field(name), v.number_type().name());
        let wanted = (v.number_type(), rows as u64);
        let read = match little {
            true => Numbers::decode::<Le, _>(src, wanted),
            false => Numbers::decode::<Be, _>(src, wanted),
        };
        let v = match read {
            Ok(v) => v,
            Err(e) => return Err(e.within(Step::Name(name.to_string()))),
        };
        src.close();
        if after > 0 {
            RowReader::new(self, endian).at_row(before + rows).skip(src, after)?;
        }
        Ok(Column::Numbers(v))
    }

    /// Steps over that many values of a plan of one column, which a tracing source is told as when they are
    /// [read](Self::read_column), and of a type of this name.
    #[cfg(feature = "sdds")]
    pub(crate) fn pass_column(
        &self,
        src: &mut Erased<'_, '_>,
        rows: usize,
        (native, endian): (&str, Endian),
    ) -> Result<()> {
        let (Some(little), Some((name, Column::Numbers(v)))) =
            (self.numbers_alone(endian), self.parts.columns.first())
        else {
            return RowReader::new(self, endian).skip(src, rows);
        };
        let kind = v.number_type();
        src.open(Label::Field(name), native);
        let done = match little {
            true => Numbers::pass::<Le>(src, kind, rows as u64),
            false => Numbers::pass::<Be>(src, kind, rows as u64),
        };
        done.map_err(|e| e.within(Step::Name(name.to_string())))?;
        src.close();
        Ok(())
    }

    /// Of a plan of one column its values.
    pub(crate) fn write_column<W: Sink>(
        &self,
        column: ColumnRef<'_>,
        rows: usize,
        as_said: (Endian, Policy),
        out: &mut W,
        scratch: &mut Scratch,
    ) -> Result<()> {
        match (self.numbers_alone(as_said.0), column) {
            (Some(little), ColumnRef::Numbers(v)) => {
                if little {
                    v.put::<Le, W>(out, rows)
                } else {
                    v.put::<Be, W>(out, rows)
                }
            }
            _ => {
                let done = match self.text_rows(as_said.0 == Endian::Little) {
                    Some(texts) => texts.write(column, out)?,
                    None => 0,
                };
                if done == rows {
                    return Ok(());
                }
                ColumnWriter::of(self, [column].into(), done..rows, as_said).write(out, scratch)
            }
        }
    }

    /// The columns of that many rows that stand one column after the other.
    ///
    /// ```
    /// use binfmt::{Options, columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let fields = [("a", 1), ("b", 2)].map(|(name, bytes)| Field::new(name, Type::Int { bytes, signed: false }));
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap();
    /// let columns = plan.decode_column_major(&[1, 2, 3, 0, 4, 0], 2, &Options::new())?;
    /// assert_eq!(columns.get("b"), Some(&Column::from(vec![3u16, 4])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is damaged, there are not that many rows, or more bytes than they take.
    pub fn decode_column_major<C>(&self, bytes: &[u8], rows: usize, options: &Options<C>) -> Result<Columns> {
        let plans = self.each()?;
        let mut src = Slice::with(bytes, options.limits, options.policy);
        let (mut all, mut scratch) = (Vec::new(), Scratch::default());
        for plan in plans.iter() {
            all.push(plan.read_column(&mut src.erase(), (0, rows, 0), options.endian, &mut scratch)?);
        }
        let names = plans.iter().flat_map(|plan| &plan.parts.columns).map(|(name, _)| name.clone());
        let all = names.zip(all).collect();
        match src.rest().len() {
            0 => {}
            n => {
                let used = bytes.len() - n;
                return Err(Error::new(ErrorKind::TrailingBytes { count: n as u64 }, used as u64));
            }
        }
        Ok(Columns { rows, columns: picked(all, &self.parts.picks) })
    }

    /// The columns one after the other.
    ///
    /// ```
    /// # use binfmt::{Options, columns::{Column, Columns, Plan}, schema::{Description, Field, Record, Type}};
    /// let fields = [("a", 1), ("b", 2)].map(|(name, bytes)| Field::new(name, Type::Int { bytes, signed: false }));
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap();
    /// let columns = vec![("a".into(), Column::from(vec![1u8, 2])), ("b".into(), Column::from(vec![3u16, 4]))];
    /// assert_eq!(plan.encode_column_major(&Columns::new(columns)?, &Options::new())?, [1, 2, 3, 0, 4, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_column_major<C>(&self, columns: &Columns, options: &Options<C>) -> Result<Vec<u8>> {
        // says what is not right with all of them
        ColumnWriter::new(self, columns, options)?;
        let plans = self.each()?;
        let (mut out, mut scratch) = (Vec::new(), Scratch::default());
        for (plan, (_, column)) in plans.iter().zip(&columns.columns) {
            let at = out.len() as u64;
            vec_sink(&mut out, 0, |out| {
                let as_said = (options.endian, options.policy);
                let out = out.at_most(options.most.saturating_sub(at));
                plan.write_column(column.borrowed(), columns.rows, as_said, out, &mut scratch)
            })
            .map_err(|e| e.moved(at, 0))?;
        }
        Ok(out)
    }
}
