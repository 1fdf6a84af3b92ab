//! Columns that a table has where a query names them, and settings add otherwise: `_page`, `_row`, `_offset`, `_file`.
//!
//! The engine has no columns that `*` leaves out. So a table of which a query names one is scanned with it, and `*` beside it gets an
//! `EXCLUDE`; which these are is seen in the query before anything is planned.

use crate::provider::BinfmtTable;
use crate::scopes::{self, Known, Standing, Standings};
use crate::syntax::{ADDED, named};
use crate::wrong;
use datafusion::catalog::TableProvider;
use datafusion::catalog::default_table_source::{provider_as_source, source_as_provider};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, TableReference};
use datafusion::execution::SessionState;
use datafusion::logical_expr::planner::{
    PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning,
};
use datafusion::logical_expr::{DdlStatement, LogicalPlan, LogicalPlanBuilder};
use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast::{SetExpr, Statement as SqlStatement, TableFactor};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The plan of a statement, in which tables have the columns that it names.
pub(crate) async fn plan(state: &SessionState, mut statement: Statement) -> Result<LogicalPlan> {
    let (columns, tables) = named(&statement);
    if columns.is_empty() {
        return state.statement_to_plan(statement).await;
    }
    let (mut known, mut files) = (HashMap::new(), HashMap::new());
    for table in tables {
        // what is wrong with one is told when all is planned; it may be a name of `WITH`, too
        let Ok(plan) = state.statement_to_plan(all_of(&table)?).await else { continue };
        let (what, file, more) = look(&plan, &columns)?;
        known.insert(table.clone(), what);
        if let Some(file) = file {
            files.insert(table, (file, more));
        }
    }
    let text = statement.to_string();
    let asked = scopes::mark(&mut statement, &known)?;
    let mut more = Vec::new();
    for asked in asked {
        let found = files.get(&asked.table).ok_or_else(|| wrong("a table is none of files"))?;
        let ((name, _), opened) = found;
        let mut columns = asked.columns.into_iter();
        let mut table = columns.next().and_then(|column| opened.get(&column).cloned());
        for column in columns {
            let (column, setting, _) = ADDED[column];
            table = table.and_then(|table| table.with_added(column, setting));
        }
        let table = table.ok_or_else(|| wrong("these columns cannot be had together"))?;
        more.push((name.clone(), Arc::new(table)));
    }
    let mut state = state.clone();
    state.register_relation_planner(Arc::new(Tables(more)))?;
    let mut plan = state.statement_to_plan(statement).await?;
    if let LogicalPlan::Ddl(DdlStatement::CreateView(view)) = &mut plan {
        view.definition = Some(text);
    }
    Ok(plan)
}

/// `SELECT *` of a table.
fn all_of(table: &TableFactor) -> Result<Statement> {
    let mut statement = DFParser::parse_sql("SELECT * FROM t")?.pop_front();
    if let Some(Statement::Statement(statement)) = &mut statement
        && let SqlStatement::Query(query) = &mut **statement
        && let SetExpr::Select(select) = &mut *query.body
        && let [part] = &mut select.from[..]
    {
        part.relation = table.clone();
    }
    statement.ok_or_else(|| wrong("there is no statement"))
}

type File = (TableReference, Arc<BinfmtTable>);

/// By the numbers of columns, tables that have them.
type More = HashMap<usize, BinfmtTable>;

fn file_of(plan: &LogicalPlan) -> Option<File> {
    let LogicalPlan::TableScan(scan) = plan else { return None };
    let provider = source_as_provider(&scan.source).ok()?;
    let table = provider.downcast_ref::<BinfmtTable>()?;
    Some((scan.table_name.clone(), Arc::new(table.clone())))
}

/// How a table of which all is selected stands to these columns, its files if it is made of some, and these with each column.
fn look(plan: &LogicalPlan, columns: &BTreeSet<usize>) -> Result<(Known, Option<File>, More)> {
    let mut inside = Vec::new();
    plan.apply(|plan| {
        inside.extend(file_of(plan));
        Ok(TreeNodeRecursion::Continue)
    })?;
    let file = plan.inputs().first().and_then(|input| file_of(input));
    let has = |column: usize| plan.schema().has_column_with_unqualified_name(ADDED[column].0);
    let add = |column: usize| {
        let (name, setting, _) = ADDED[column];
        let more = inside.iter().find_map(|(_, table)| table.with_added(name, setting));
        more.map(|table| (column, table))
    };
    let more: More =
        columns.iter().filter(|column| !has(**column)).filter_map(|column| add(*column)).collect();
    let stands: Standings = std::array::from_fn(|column| match &file {
        _ if has(column) => Standing::Has,
        _ if !more.contains_key(&column) => Standing::Without,
        Some(_) => Standing::Adds,
        None => Standing::Inside,
    });
    let function = file.as_ref().map_or_else(|| "binfmt('..'".to_owned(), |(_, table)| function(table));
    Ok((Known { stands, function }, file, more))
}

/// The beginning of the function that opens files.
fn function(table: &BinfmtTable) -> String {
    let opening = table.opening();
    let path = opening.paths.first().map_or("..", String::as_str);
    let more = if opening.settings == Default::default() { "" } else { ", .." };
    format!("{}('{path}'{more}", table.format().unwrap_or_else(|| "binfmt".to_owned()))
}

/// Plans the tables that were marked.
#[derive(Debug)]
struct Tables(Vec<File>);

impl RelationPlanner for Tables {
    fn plan_relation(
        &self,
        relation: TableFactor,
        _: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        if let TableFactor::Table { name, alias, .. } = &relation
            && let Some((name, table)) = scopes::marked(name).and_then(|number| self.0.get(number))
        {
            let source = provider_as_source(Arc::clone(table) as Arc<dyn TableProvider>);
            let plan = LogicalPlanBuilder::scan(name.clone(), source, None)?.build()?;
            return Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, alias.clone()))));
        }
        Ok(RelationPlanning::Original(Box::new(relation)))
    }
}
