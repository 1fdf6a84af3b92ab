//! What stands in a statement: the columns that tables have only if asked for, tables and their names, joins and `*`.

use datafusion::sql::parser::{CopyToSource, Statement};
use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Expr, Ident, JoinConstraint, JoinOperator, ObjectName, Query, Select, SelectItem,
    TableAlias, TableFactor, TableWithJoins, Visit, VisitMut, VisitorMut, WildcardAdditionalOptions,
    visit_expressions,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The columns, the settings that add them, and what has them.
pub(crate) const ADDED: [(&str, &str, &str); 4] = [
    ("_page", "page_numbers", "SDDS files"),
    ("_row", "row_numbers", "SciDB files and those of a layout"),
    ("_offset", "offsets", "CSV and JSON lines"),
    ("_file", "file_names", "files of the formats of binfmt"),
];

/// Visits the queries of a statement.
pub(crate) fn visit<V: VisitorMut>(statement: &mut Statement, visitor: &mut V) -> ControlFlow<V::Break> {
    match statement {
        Statement::Statement(statement) => statement.visit(visitor),
        Statement::CopyTo(copy) => match &mut copy.source {
            CopyToSource::Query(query) => query.visit(visitor),
            CopyToSource::Relation(_) => ControlFlow::Continue(()),
        },
        Statement::Explain(explain) => visit(&mut explain.statement, visitor),
        _ => ControlFlow::Continue(()),
    }
}

/// The columns that a statement names, and its tables.
pub(crate) fn named(statement: &Statement) -> (BTreeSet<usize>, Vec<TableFactor>) {
    #[derive(Default)]
    struct Names {
        columns: BTreeSet<usize>,
        tables: Vec<TableFactor>,
    }
    impl VisitorMut for Names {
        type Break = ();

        fn pre_visit_expr(&mut self, e: &mut Expr) -> ControlFlow<()> {
            self.columns.extend(name(e).map(|(_, column)| column));
            ControlFlow::Continue(())
        }

        fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
            if let Some(table) = plain(table).filter(|table| !self.tables.contains(table)) {
                self.tables.push(table);
            }
            ControlFlow::Continue(())
        }
    }
    let mut names = Names::default();
    let _ = visit(&mut statement.clone(), &mut names);
    (names.columns, names.tables)
}

/// One of our columns, with what stands before it.
pub(crate) fn name(e: &Expr) -> Option<(&[Ident], usize)> {
    let (last, before) = match e {
        Expr::Identifier(name) => (name, &[][..]),
        Expr::CompoundIdentifier(names) => names.split_last()?,
        _ => return None,
    };
    Some((before, number(&last.value)?))
}

pub(crate) fn number(name: &str) -> Option<usize> {
    ADDED.iter().position(|(column, ..)| *column == name)
}

/// A table without the name that a query gives it.
pub(crate) fn plain(table: &TableFactor) -> Option<TableFactor> {
    let mut table = table.clone();
    match &mut table {
        TableFactor::Table { alias, .. } => *alias = None,
        _ => return None,
    }
    Some(table)
}

/// The names that a query gives to a table and its columns.
pub(crate) fn alias(table: &TableFactor) -> Option<&TableAlias> {
    match table {
        TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::NestedJoin { alias, .. } => alias.as_ref(),
        _ => None,
    }
}

/// The name that stands before the columns of a table of a query.
pub(crate) fn name_of(table: &TableFactor) -> Option<ObjectName> {
    match (alias(table), table) {
        (Some(alias), _) => Some(alias.name.clone().into()),
        (None, TableFactor::Table { name, args: None, .. }) => Some(name.clone()),
        // as the engine calls it
        (None, TableFactor::Table { name, .. }) => {
            Some(Ident::with_quote('"', format!("{}()", name.to_string().to_lowercase())).into())
        }
        _ => None,
    }
}

/// The tables of a part of `FROM`, also those in parentheses.
pub(crate) fn tables(part: &TableWithJoins) -> Vec<&TableFactor> {
    let own = std::iter::once(&part.relation).chain(part.joins.iter().map(|join| &join.relation));
    own.flat_map(|table| match table {
        TableFactor::NestedJoin { table_with_joins, alias: None } => tables(table_with_joins),
        table => vec![table],
    })
    .collect()
}

/// The same in the same order.
pub(crate) fn tables_mut(part: &mut TableWithJoins) -> Vec<&mut TableFactor> {
    let own = std::iter::once(&mut part.relation).chain(part.joins.iter_mut().map(|join| &mut join.relation));
    own.flat_map(|table| match table {
        TableFactor::NestedJoin { table_with_joins, alias: None } => tables_mut(table_with_joins),
        table => vec![table],
    })
    .collect()
}

pub(crate) fn with_of(query: &Query) -> Vec<(TableAlias, Query)> {
    let with = query.with.iter().flat_map(|with| &with.cte_tables);
    with.map(|cte| (cte.alias.clone(), (*cte.query).clone())).collect()
}

/// The columns that a query hands on by their names, and those of them that are something else.
pub(crate) fn handed(select: &Select) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let (mut handed, mut foreign) = (BTreeSet::new(), BTreeSet::new());
    for item in &select.projection {
        match item {
            SelectItem::UnnamedExpr(e) => handed.extend(name(e).map(|(_, column)| column)),
            SelectItem::ExprWithAlias { expr, alias } => {
                let column = number(&alias.value);
                handed.extend(column);
                foreign.extend(column.filter(|_| name(expr).map(|(_, column)| column) != column));
            }
            _ => {}
        }
    }
    (handed, foreign)
}

pub(crate) fn is_all(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
}

/// Whether a part of a query names a column with no table before it.
pub(crate) fn says(part: &impl Visit, column: usize) -> bool {
    let found = visit_expressions(part, |e| match name(e) {
        Some(([], other)) if other == column => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}

/// Whether a join of these has such a constraint.
pub(crate) fn joins(part: &TableWithJoins, is_it: &dyn Fn(&JoinConstraint) -> bool) -> bool {
    let inner = std::iter::once(&part.relation).chain(part.joins.iter().map(|join| &join.relation));
    let mut nested = inner.filter_map(|table| match table {
        TableFactor::NestedJoin { table_with_joins, .. } => Some(table_with_joins),
        _ => None,
    });
    part.joins.iter().filter_map(|join| constraint(&join.join_operator)).any(is_it)
        || nested.any(|part| joins(part, is_it))
}

/// What joins of all kinds have.
fn constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    of_both(operator).or(match operator {
        JoinOperator::Semi(by)
        | JoinOperator::LeftSemi(by)
        | JoinOperator::RightSemi(by)
        | JoinOperator::Anti(by)
        | JoinOperator::LeftAnti(by)
        | JoinOperator::RightAnti(by)
        | JoinOperator::AsOf { constraint: by, .. }
        | JoinOperator::StraightJoin(by) => Some(by),
        _ => None,
    })
}

/// The same of joins with the columns of both sides.
fn of_both(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(by)
        | JoinOperator::Inner(by)
        | JoinOperator::Left(by)
        | JoinOperator::LeftOuter(by)
        | JoinOperator::Right(by)
        | JoinOperator::RightOuter(by)
        | JoinOperator::FullOuter(by)
        | JoinOperator::CrossJoin(by) => Some(by),
        _ => None,
    }
}

/// Whether `*` of these is not all columns of each.
pub(crate) fn is_special(part: &TableWithJoins) -> bool {
    let is_nested = |table: &TableFactor| matches!(table, TableFactor::NestedJoin { .. });
    let is_usual = |operator| matches!(of_both(operator), Some(JoinConstraint::On(_) | JoinConstraint::None));
    is_nested(&part.relation)
        || part.joins.iter().any(|join| is_nested(&join.relation) || !is_usual(&join.join_operator))
}

/// `*` without these columns; `None` if something else is said of it.
pub(crate) fn without(
    options: &WildcardAdditionalOptions,
    columns: &[usize],
) -> Option<WildcardAdditionalOptions> {
    let plain = WildcardAdditionalOptions {
        wildcard_token: options.wildcard_token.clone(),
        ..WildcardAdditionalOptions::default()
    };
    let names = columns.iter().map(|column| Ident::with_quote('"', ADDED[*column].0).into()).collect();
    let exclude = (!columns.is_empty()).then_some(ExcludeSelectItem::Multiple(names));
    (plain == *options).then_some(WildcardAdditionalOptions { opt_exclude: exclude, ..plain })
}
