//! Tables and scans of binfmt in plans that travel.

use crate::copy::Written;
use crate::remote;
use crate::root::Root;
use crate::wrong;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, Result, TableReference};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::FileScanExecConf;
use prost::Message;
use std::sync::Arc;

/// Ballista's codec of queries, with the tables of binfmt.
///
/// ```
/// let codec = binfmt_datafusion::cluster::LogicalCodec::default();
/// ```
#[derive(Debug, Default)]
pub struct LogicalCodec {
    others: BallistaLogicalExtensionCodec,
    root: Root,
}

impl LogicalCodec {
    /// One that opens files within a root only.
    ///
    /// ```
    /// let root = binfmt_datafusion::Root::new(".")?;
    /// let codec = binfmt_datafusion::cluster::LogicalCodec::within(root);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn within(root: Root) -> Self {
        LogicalCodec { root, ..LogicalCodec::default() }
    }
}

/// Ballista's codec of the plans of tasks, with the scans of binfmt.
///
/// ```
/// let codec = binfmt_datafusion::cluster::PhysicalCodec::default();
/// ```
#[derive(Debug)]
pub struct PhysicalCodec {
    others: BallistaPhysicalExtensionCodec,
    /// What errors call this machine.
    machine: Arc<str>,
    root: Root,
}

impl Default for PhysicalCodec {
    fn default() -> Self {
        PhysicalCodec::of("this machine")
    }
}

impl PhysicalCodec {
    /// That of a machine, which errors call so.
    ///
    /// ```
    /// let codec = binfmt_datafusion::cluster::PhysicalCodec::of("executor node1:50051");
    /// ```
    pub fn of(machine: impl Into<Arc<str>>) -> Self {
        let others = BallistaPhysicalExtensionCodec::default();
        PhysicalCodec { others, machine: machine.into(), root: Root::default() }
    }

    /// The same, which opens files within a root only.
    ///
    /// ```
    /// let root = binfmt_datafusion::Root::new(".")?;
    /// let codec = binfmt_datafusion::cluster::PhysicalCodec::default().within(root);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn within(self, root: Root) -> Self {
        PhysicalCodec { root, ..self }
    }
}

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(&self, bytes: &[u8], inputs: &[LogicalPlan], context: &TaskContext) -> Result<Extension> {
        self.others.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        if !remote::is_message(bytes) {
            return self.others.try_decode_table_provider(bytes, name, schema, context);
        }
        let table = remote::table_within(bytes, Some(&schema), &self.root)
            .map_err(|e| e.context(format!("the scheduler cannot open the table {name}; every machine of a cluster needs the files under the same paths")))?;
        Ok(Arc::new(table))
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        match remote::table_to_bytes(&*table)? {
            Some(ours) => bytes.extend(ours),
            None => self.others.try_encode_table_provider(name, table, bytes)?,
        }
        Ok(())
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.others.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(&self, bytes: &mut Vec<u8>, format: Arc<dyn FileFormatFactory>) -> Result<()> {
        if format.is::<Written>() {
            let text = "COPY TO a file of binfmt needs all rows on one machine: `binfmt-sql --cluster .. --output FILE` writes them there";
            return Err(wrong(text));
        }
        self.others.try_encode_file_format(bytes, format)
    }
}

/// After the length of what binfmt says, in 8 bytes, that, and then the scan as DataFusion writes it.
impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some((said, scan)) = parts(bytes).filter(|(said, _)| remote::is_message(said)) else {
            return self.others.try_decode(bytes, inputs, context, converter);
        };
        // an error here would be lost: Ballista tells that of a task which runs, and none of one that cannot be decoded
        let refused = remote::check(said, &self.machine).err();
        let scan = FileScanExecConf::decode(scan).map_err(|e| DataFusionError::External(Box::new(e)))?;
        let schema = parse_table_schema_from_proto(&scan)?;
        let source = match refused {
            Some(e) => remote::refused_source(e, schema),
            None => {
                let here = (&self.machine, &self.root);
                remote::source_within(said, schema, context.memory_pool(), here)?
            }
        };
        let context = PhysicalPlanDecodeContext::new(context, self);
        let config = parse_protobuf_file_scan_config(&scan, &context, converter, source)?;
        Ok(DataSourceExec::from_data_source(config))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some((config, said)) = remote::scan_to_bytes(&*node)? else {
            return self.others.try_encode(node, bytes, converter);
        };
        bytes.extend((said.len() as u64).to_le_bytes());
        bytes.extend(said);
        let scan = serialize_file_scan_config(config, self, converter)?;
        scan.encode(bytes).map_err(|e| DataFusionError::External(Box::new(e)))
    }
}

fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}
