//! Where a statement names columns that tables have only if asked for: each query is looked at by itself, with what stands in its `FROM`.
//!
//! A table gets the column if it is certain which table is meant and that nothing else of the query changes; else the query is refused
//! with what to write.

use crate::syntax::{
    ADDED, alias, handed, is_all, is_special, joins, name, name_of, plain, says, tables, tables_mut, visit,
    with_of, without,
};
use crate::wrong;
use datafusion::common::Result;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, JoinConstraint, ObjectName, Query, Select, SelectItem, SelectItemQualifiedWildcardKind,
    SetExpr, TableAlias, TableFactor, VisitorMut,
};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

/// How a table stands to a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Standing {
    /// It has it by itself.
    Has,
    /// It has it if asked for.
    Adds,
    /// It would, but for names that the query gives its columns.
    Renamed,
    /// A table inside of it has it if asked for.
    Inside,
    Without,
    Unknown,
}

/// For each of [`ADDED`].
pub(crate) type Standings = [Standing; ADDED.len()];

/// What is known of a table.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) stands: Standings,
    /// The beginning of the function that opens it.
    pub(crate) function: String,
}

/// A table with what it gets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub(crate) table: TableFactor,
    pub(crate) columns: Vec<usize>,
}

/// What stands before the number of an [`Asked`] in the place of its table.
const MARK: &str = "added by binfmt";

/// The number of the [`Asked`] that a name stands for.
pub(crate) fn marked(name: &ObjectName) -> Option<usize> {
    match &name.0[..] {
        [mark, number] if mark.as_ident()?.value == MARK => number.as_ident()?.value.parse().ok(),
        _ => None,
    }
}

/// Marks the tables of a statement that get columns.
///
/// # Errors
/// It is not certain which these are, or what else would change.
pub(crate) fn mark(statement: &mut Statement, known: &HashMap<TableFactor, Known>) -> Result<Vec<Asked>> {
    let mut walk = Walk { known, scopes: Vec::new(), asked: Vec::new() };
    match visit(statement, &mut walk) {
        ControlFlow::Break(text) => Err(wrong(text)),
        ControlFlow::Continue(()) => Ok(walk.asked),
    }
}

/// A table of a query.
struct Relation {
    name: Option<ObjectName>,
    stands: Standings,
    function: Option<String>,
}

impl Relation {
    fn is_called(&self, before: &[Ident]) -> bool {
        let Some(name) = &self.name else { return false };
        let name: Vec<&str> =
            name.0.iter().filter_map(|part| Some(part.as_ident()?.value.as_str())).collect();
        let before: Vec<&str> = before.iter().map(|part| part.value.as_str()).collect();
        !before.is_empty() && name.ends_with(&before)
    }

    fn refusal(&self, column: usize, why: &str) -> String {
        let (column, setting, _) = ADDED[column];
        let what = match &self.function {
            Some(function) => format!("FROM {function}, {setting} => true) has it as a column like others"),
            None => format!("the setting {setting} makes it a column like others"),
        };
        format!("`{column}` {why}; {what}")
    }
}

/// A query, or one of those that a set operation joins.
#[derive(Default)]
struct Scope {
    /// What its `WITH` names.
    with: Vec<(TableAlias, Query)>,
    relations: Vec<Relation>,
    /// The columns that it hands on by their names.
    handed: BTreeSet<usize>,
    /// Those of them that are something else.
    foreign: BTreeSet<usize>,
    /// What a set operation hands on.
    set: Option<Standings>,
    place: Place,
    /// The tables that get columns.
    added: BTreeSet<(usize, usize)>,
    /// Whether one stands in `ORDER BY` only.
    is_sorted: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Place {
    /// The `SELECT` is to come.
    #[default]
    Before,
    Within,
    /// `ORDER BY` and what else follows.
    After,
    /// Within one of a set operation, which has no `ORDER BY`.
    Branch,
}

struct Walk<'a> {
    known: &'a HashMap<TableFactor, Known>,
    scopes: Vec<Scope>,
    asked: Vec<Asked>,
}

/// What `WITH` names, with the names of its columns.
type Named<'q> = &'q (TableAlias, Query);

impl Walk<'_> {
    /// What `WITH` names here.
    fn with(&self) -> Vec<Named<'_>> {
        self.scopes.iter().flat_map(|scope| &scope.with).collect()
    }

    fn of_table(&self, table: &TableFactor, with: &[Named<'_>]) -> Standings {
        let stands = match table {
            TableFactor::Table { name, args, .. } => {
                let is_it = |(alias, _): &&(TableAlias, Query)| {
                    args.is_none()
                        && name.0.len() == 1
                        && name.0[0].as_ident().is_some_and(|name| name.value == alias.name.value)
                };
                match with.iter().rposition(is_it) {
                    Some(n) => renamed(self.of_query(&with[n].1, &with[..n]), Some(&with[n].0), false),
                    None => plain(table)
                        .and_then(|table| self.known.get(&table))
                        .map_or([Standing::Unknown; 4], |known| known.stands),
                }
            }
            TableFactor::Derived { subquery, .. } => self.of_query(subquery, with),
            _ => [Standing::Unknown; 4],
        };
        let is_file = matches!(table, TableFactor::Table { .. });
        renamed(stands, alias(table), is_file)
    }

    fn of_query(&self, query: &Query, with: &[Named<'_>]) -> Standings {
        let own = with_of(query);
        let all: Vec<Named<'_>> = with.iter().copied().chain(&own).collect();
        self.of_body(&query.body, &all)
    }

    fn of_body(&self, body: &SetExpr, with: &[Named<'_>]) -> Standings {
        match body {
            SetExpr::Select(select) => self.of_select(select, with),
            SetExpr::Query(query) => self.of_query(query, with),
            SetExpr::SetOperation { left, .. } => self.of_body(left, with),
            _ => [Standing::Unknown; 4],
        }
    }

    fn of_select(&self, select: &Select, with: &[Named<'_>]) -> Standings {
        let (handed, _) = handed(select);
        let has_all = select.projection.iter().any(is_all);
        let tables: Vec<Standings> = match has_all {
            true => select.from.iter().flat_map(tables).map(|table| self.of_table(table, with)).collect(),
            false => Vec::new(),
        };
        std::array::from_fn(|column| {
            let any = |these: &[Standing]| tables.iter().any(|stands| these.contains(&stands[column]));
            match () {
                () if handed.contains(&column) || any(&[Standing::Has]) => Standing::Has,
                () if any(&[Standing::Adds, Standing::Renamed, Standing::Inside]) => Standing::Inside,
                () if any(&[Standing::Unknown]) => Standing::Unknown,
                () => Standing::Without,
            }
        })
    }

    fn enter(&mut self, select: &Select) {
        let with = self.with();
        let relation = |table| Relation {
            name: name_of(table),
            stands: self.of_table(table, &with),
            function: plain(table).and_then(|table| Some(self.known.get(&table)?.function.clone())),
        };
        let relations = select.from.iter().flat_map(tables).map(relation).collect();
        let (handed, foreign) = handed(select);
        let awaits = |scope: &&mut Scope| scope.place == Place::Before && scope.set.is_none();
        let place = match self.scopes.last_mut().filter(awaits) {
            Some(_) => Place::Within,
            None => {
                self.scopes.push(Scope::default());
                Place::Branch
            }
        };
        if let Some(scope) = self.scopes.last_mut() {
            *scope = Scope {
                with: std::mem::take(&mut scope.with),
                relations,
                handed,
                foreign,
                place,
                ..Scope::default()
            };
        }
    }

    /// A column is named.
    fn said(&mut self, before: &[Ident], column: usize) -> Result<(), String> {
        let Some(top) = self.scopes.len().checked_sub(1) else { return Ok(()) };
        if !before.is_empty() {
            // the nearest table of that name
            for scope in self.scopes.iter_mut().rev() {
                if let Some(table) = scope.relations.iter().position(|table| table.is_called(before)) {
                    return scope.add(table, column);
                }
            }
            return Ok(());
        }
        self.scopes[top].alone(column)
    }
}

impl Scope {
    /// A table gets a column.
    fn add(&mut self, table: usize, column: usize) -> Result<(), String> {
        let relation = &self.relations[table];
        match relation.stands[column] {
            Standing::Adds => {
                self.added.insert((table, column));
                self.is_sorted |= self.place == Place::After;
                Ok(())
            }
            Standing::Renamed => Err(relation.refusal(column, "is not among the columns that AS names")),
            Standing::Inside => Err(handed_on(column)),
            Standing::Has | Standing::Without | Standing::Unknown => Ok(()),
        }
    }

    /// A column is named with no table before it.
    fn alone(&mut self, column: usize) -> Result<(), String> {
        if let Some(stands) = self.set {
            return match stands[column] {
                Standing::Has | Standing::Unknown => Ok(()),
                _ => Err(handed_on(column)),
            };
        }
        let is_after = self.place == Place::After;
        let stand = |these: &[Standing]| -> Vec<usize> {
            let tables = self.relations.iter().enumerate();
            tables.filter(|(_, table)| these.contains(&table.stands[column])).map(|(n, _)| n).collect()
        };
        // it is what the query calls so
        if is_after && self.handed.contains(&column) || !stand(&[Standing::Has]).is_empty() {
            return Ok(());
        }
        match stand(&[Standing::Adds, Standing::Renamed])[..] {
            [] if !stand(&[Standing::Inside]).is_empty() => Err(handed_on(column)),
            // the engine would look for it in queries inside
            [] if is_after && stand(&[Standing::Unknown]).is_empty() => Err(handed_on(column)),
            [] => Ok(()),
            [table] => self.add(table, column),
            _ => Err(format!(
                "several tables have `{0}`; the name of one stands before it: a.{0}",
                ADDED[column].0
            )),
        }
    }

    /// Marks the tables that get columns, and leaves these out of `*`.
    fn leave(&self, select: &mut Select, asked: &mut Vec<Asked>) -> Result<(), String> {
        let Some((table, column)) = self.added.first() else { return Ok(()) };
        let refused = |why: &str| Err(self.relations[*table].refusal(*column, why));
        if select.from.iter().any(|part| joins(part, &|by| matches!(by, JoinConstraint::Natural))) {
            return refused("is not added to tables of a NATURAL JOIN");
        }
        for (_, column) in &self.added {
            let says = says(&select.group_by, *column)
                || says(&select.having, *column)
                || says(&select.qualify, *column);
            if self.foreign.contains(column) && says {
                return refused("is also what the query calls something else by AS");
            }
        }
        if select.projection.iter().any(is_all) {
            if select.distinct.is_some() && self.is_sorted {
                return refused("sorts rows of SELECT DISTINCT *, which do not have it");
            }
            match self.shorter(select) {
                Some(items) => select.projection = items,
                None => return refused("cannot be left out of this `*` with certainty"),
            }
        }
        for (n, table) in select.from.iter_mut().flat_map(tables_mut).enumerate() {
            let columns = self.of(n);
            if let Some(plain) = plain(table).filter(|_| !columns.is_empty())
                && let TableFactor::Table { name, args, .. } = table
            {
                let it = Asked { table: plain, columns };
                let number = asked.iter().position(|other| *other == it).unwrap_or_else(|| {
                    asked.push(it);
                    asked.len() - 1
                });
                let name_before = [MARK.to_owned(), number.to_string()];
                *name = ObjectName::from(name_before.map(|part| Ident::with_quote('"', part)).to_vec());
                *args = None;
            }
        }
        Ok(())
    }

    /// The columns that a table gets.
    fn of(&self, table: usize) -> Vec<usize> {
        self.added.iter().filter(|(n, _)| *n == table).map(|(_, column)| *column).collect()
    }

    /// What a query selects, without the columns in `*`; `None` if that cannot be said.
    fn shorter(&self, select: &Select) -> Option<Vec<SelectItem>> {
        let mut items = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::Wildcard(options) => {
                    let is_one = matches!(&select.from[..], [part] if part.joins.is_empty()
                        && matches!(part.relation, TableFactor::Table { .. }));
                    if is_one {
                        items.push(SelectItem::Wildcard(without(options, &self.of(0))?));
                        continue;
                    }
                    // columns that two tables share stand once in `*`, and in neither of theirs
                    if select.from.iter().any(is_special) {
                        return None;
                    }
                    for (n, table) in self.relations.iter().enumerate() {
                        let name = SelectItemQualifiedWildcardKind::ObjectName(table.name.clone()?);
                        items.push(SelectItem::QualifiedWildcard(name, without(options, &self.of(n))?));
                    }
                }
                SelectItem::QualifiedWildcard(
                    kind @ SelectItemQualifiedWildcardKind::ObjectName(name),
                    options,
                ) => {
                    let before: Option<Vec<Ident>> =
                        name.0.iter().map(|part| part.as_ident().cloned()).collect();
                    let before = before?;
                    let table = self.relations.iter().position(|table| table.is_called(&before));
                    let columns = table.map_or_else(Vec::new, |table| self.of(table));
                    items.push(match columns.is_empty() {
                        true => item.clone(),
                        false => SelectItem::QualifiedWildcard(kind.clone(), without(options, &columns)?),
                    });
                }
                item => items.push(item.clone()),
            }
        }
        Some(items)
    }
}

impl VisitorMut for Walk<'_> {
    type Break = String;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<String> {
        let set = match &*query.body {
            SetExpr::SetOperation { .. } | SetExpr::Query(_) => Some(self.of_query(query, &self.with())),
            SetExpr::Select(_) => None,
            _ => Some([Standing::Unknown; 4]),
        };
        self.scopes.push(Scope { with: with_of(query), set, ..Scope::default() });
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<String> {
        self.enter(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, e: &mut Expr) -> ControlFlow<String> {
        let said = name(e).map_or(Ok(()), |(before, column)| self.said(before, column));
        said.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<String> {
        if let Some(scope) = self.scopes.last_mut().filter(|scope| scope.place == Place::Within) {
            scope.place = Place::After;
            return ControlFlow::Continue(());
        }
        let left = self.scopes.pop().map_or(Ok(()), |scope| scope.leave(select, &mut self.asked));
        left.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<String> {
        let (Some(scope), SetExpr::Select(select)) = (self.scopes.pop(), &mut *query.body) else {
            return ControlFlow::Continue(());
        };
        let left = scope.leave(select, &mut self.asked);
        left.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    }
}

/// How a table stands to columns whose columns may have other names.
fn renamed(stands: Standings, alias: Option<&TableAlias>, is_file: bool) -> Standings {
    let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else { return stands };
    std::array::from_fn(|column| match stands[column] {
        _ if alias.columns.iter().any(|named| named.name.value == ADDED[column].0) => Standing::Has,
        Standing::Adds if is_file => Standing::Renamed,
        stand @ Standing::Inside => stand,
        _ => Standing::Without,
    })
}

fn handed_on(column: usize) -> String {
    let (column, setting, what) = ADDED[column];
    format!(
        "the queries and views in FROM do not hand on `{column}`, and nor does `*`: name it inside, as in SELECT *, {column} FROM ..; it is of {what}, and the setting {setting} makes it a column like others"
    )
}
