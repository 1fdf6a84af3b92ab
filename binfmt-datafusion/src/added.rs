//! Columns that a table has where a query names them, and settings add otherwise: `_page`, `_row`, `_offset`, `_file`.
//!
//! The engine has no columns that `*` leaves out. So a query that names one of these in vain is planned again, with tables that have it,
//! and its `*` gets an `EXCLUDE`.

use crate::provider::BinfmtTable;
use datafusion::catalog::default_table_source::{provider_as_source, source_as_provider};
use datafusion::common::{DataFusionError, Result, SchemaError};
use datafusion::execution::SessionState;
use datafusion::logical_expr::planner::{
    PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning,
};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use datafusion::sql::parser::{CopyToSource, Statement};
use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Ident, JoinConstraint, JoinOperator, ObjectName, Select, SelectItem,
    SelectItemQualifiedWildcardKind, TableFactor, TableWithJoins, VisitMut, VisitorMut,
    WildcardAdditionalOptions,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The columns, the settings that add them, and what has them.
pub(crate) const ADDED: [(&str, &str, &str); 4] = [
    ("_page", "page_numbers", "SDDS files"),
    ("_row", "row_numbers", "SciDB files and those of a layout"),
    ("_offset", "offsets", "CSV and JSON lines"),
    ("_file", "file_names", "files of the formats of binfmt"),
];

/// The plan of a statement, in which tables have the columns that it names.
pub(crate) async fn plan(state: &SessionState, statement: Statement) -> Result<LogicalPlan> {
    let mut columns: Vec<(&str, &str)> = Vec::new();
    let mut e = match state.statement_to_plan(statement.clone()).await {
        Ok(plan) => return Ok(plan),
        Err(e) => e,
    };
    while let Some(column) = missing(&e).filter(|column| !columns.contains(column)) {
        columns.push(column);
        let tables = Arc::new(Tables { columns: columns.clone(), ..Tables::default() });
        let mut state = state.clone();
        state.register_relation_planner(Arc::clone(&tables) as Arc<dyn RelationPlanner>)?;
        let planned = state.statement_to_plan(statement.clone()).await;
        let mut hidden = Hidden { tables: &tables, has_changed: false };
        let mut shorter = statement.clone();
        visit(&mut shorter, &mut hidden);
        let planned = match hidden.has_changed {
            // what an outer query names came through `*` of an inner one
            true => state.statement_to_plan(shorter).await.or_else(|e| planned.map_err(|_| e)),
            false => planned,
        };
        match planned {
            Ok(plan) => return Ok(plan),
            Err(again) => e = again,
        }
    }
    Err(e)
}

/// The column of ours that a query named in vain.
fn missing(e: &DataFusionError) -> Option<(&'static str, &'static str)> {
    let DataFusionError::SchemaError(e, _) = e.find_root() else { return None };
    let SchemaError::FieldNotFound { field, .. } = &**e else { return None };
    let found = ADDED.into_iter().find(|(column, ..)| field.name == *column);
    found.map(|(column, setting, _)| (column, setting))
}

/// Visits the queries of a statement.
fn visit<V: VisitorMut<Break = ()>>(statement: &mut Statement, visitor: &mut V) {
    let _ = match statement {
        Statement::Statement(statement) => statement.visit(visitor),
        Statement::CopyTo(copy) => match &mut copy.source {
            CopyToSource::Query(query) => query.visit(visitor),
            CopyToSource::Relation(_) => ControlFlow::Continue(()),
        },
        Statement::Explain(explain) => {
            visit(&mut explain.statement, visitor);
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Continue(()),
    };
}

/// Plans tables with more columns than they have by themselves.
#[derive(Debug, Default)]
struct Tables {
    columns: Vec<(&'static str, &'static str)>,
    /// The tables that got some, by the names that stand before their columns, with these.
    found: Mutex<BTreeSet<(String, &'static str)>>,
    /// Whether a table is being planned: the way to its plan leads here again.
    is_busy: AtomicBool,
}

impl Tables {
    /// The columns that a table got.
    fn of(&self, relation: &TableFactor) -> Vec<&'static str> {
        let Some(name) = name_of(relation).map(|name| name.to_string()) else { return Vec::new() };
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.iter().filter(|(table, _)| *table == name).map(|(_, column)| *column).collect()
    }
}

impl RelationPlanner for Tables {
    fn plan_relation(
        &self,
        mut relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let name = name_of(&relation).map(|name| name.to_string());
        let (TableFactor::Table { alias, .. }, Some(name)) = (&mut relation, name) else {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        };
        if self.is_busy.swap(true, Ordering::Relaxed) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        let alias = alias.take();
        let planned = context.plan(relation);
        self.is_busy.store(false, Ordering::Relaxed);
        let mut plan = planned?;
        if let LogicalPlan::TableScan(scan) = &plan
            && let Ok(provider) = source_as_provider(&scan.source)
            && let Some(table) = provider.downcast_ref::<BinfmtTable>()
        {
            let mut more: Option<BinfmtTable> = None;
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            for (column, setting) in &self.columns {
                if let Some(table) = more.as_ref().unwrap_or(table).with_added(column, setting) {
                    found.insert((name.clone(), *column));
                    more = Some(table);
                }
            }
            if let Some(more) = more {
                let source = provider_as_source(Arc::new(more));
                plan = LogicalPlanBuilder::scan(scan.table_name.clone(), source, None)?.build()?;
            }
        }
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, alias))))
    }
}

/// The name that stands before the columns of a table of a query.
fn name_of(relation: &TableFactor) -> Option<ObjectName> {
    match relation {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(alias.name.clone().into())
        }
        TableFactor::Table { name, args: None, .. } => Some(name.clone()),
        // as the engine calls it
        TableFactor::Table { name, .. } => Some(Ident::with_quote('"', format!("{name}()")).into()),
        _ => None,
    }
}

/// Leaves what tables got out of `*`.
struct Hidden<'a> {
    tables: &'a Tables,
    has_changed: bool,
}

impl VisitorMut for Hidden<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let relations: Vec<&TableFactor> = select.from.iter().flat_map(relations).collect();
        if relations.iter().all(|relation| self.tables.of(relation).is_empty()) {
            return ControlFlow::Continue(());
        }
        let mut items = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::Wildcard(options) if is_plain(options) => {
                    items.extend(self.shorter(&select.from, &relations, options, item));
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)
                    if is_plain(options) =>
                {
                    let is_it = |relation: &&&TableFactor| name_of(relation).as_ref() == Some(name);
                    let got = relations.iter().find(is_it).map(|relation| self.tables.of(relation));
                    items.push(SelectItem::QualifiedWildcard(
                        SelectItemQualifiedWildcardKind::ObjectName(name.clone()),
                        without(options, &got.unwrap_or_default()),
                    ));
                }
                item => items.push(item.clone()),
            }
        }
        self.has_changed |= items != select.projection;
        select.projection = items;
        ControlFlow::Continue(())
    }
}

impl Hidden<'_> {
    /// `*` of these tables.
    fn shorter(
        &self,
        from: &[TableWithJoins],
        relations: &[&TableFactor],
        options: &WildcardAdditionalOptions,
        item: &SelectItem,
    ) -> Vec<SelectItem> {
        let of_all: Vec<_> =
            relations.iter().map(|relation| (name_of(relation), self.tables.of(relation))).collect();
        let got: Vec<_> = of_all.iter().filter(|(_, columns)| !columns.is_empty()).collect();
        match &got[..] {
            // the name is clear
            [(_, columns)] if relations.len() == 1 => {
                return vec![SelectItem::Wildcard(without(options, columns))];
            }
            _ => {}
        }
        // columns that two tables share stand once in `*`, and in neither of theirs
        let share = from.iter().flat_map(|table| &table.joins).any(|join| joins_by_name(&join.join_operator));
        let names: Option<Vec<_>> =
            of_all.into_iter().map(|(name, columns)| Some((name?, columns))).collect();
        match names.filter(|_| !share) {
            Some(all) => all
                .into_iter()
                .map(|(name, columns)| {
                    let name = SelectItemQualifiedWildcardKind::ObjectName(name);
                    SelectItem::QualifiedWildcard(name, without(options, &columns))
                })
                .collect(),
            None => vec![item.clone()],
        }
    }
}

/// The tables that a part of `FROM` names.
fn relations(table: &TableWithJoins) -> impl Iterator<Item = &TableFactor> {
    std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation))
}

fn joins_by_name(operator: &JoinOperator) -> bool {
    let by = match operator {
        JoinOperator::Join(by)
        | JoinOperator::Inner(by)
        | JoinOperator::Left(by)
        | JoinOperator::LeftOuter(by)
        | JoinOperator::Right(by)
        | JoinOperator::RightOuter(by)
        | JoinOperator::FullOuter(by)
        | JoinOperator::CrossJoin(by) => by,
        // semi joins have the columns of one side
        _ => return true,
    };
    matches!(by, JoinConstraint::Using(_) | JoinConstraint::Natural)
}

fn is_plain(options: &WildcardAdditionalOptions) -> bool {
    options.opt_exclude.is_none() && options.opt_except.is_none()
}

fn without(options: &WildcardAdditionalOptions, columns: &[&str]) -> WildcardAdditionalOptions {
    let names = columns.iter().map(|column| Ident::with_quote('"', *column).into()).collect();
    let exclude = (!columns.is_empty()).then_some(ExcludeSelectItem::Multiple(names));
    WildcardAdditionalOptions { opt_exclude: exclude, ..options.clone() }
}
