// Runs expensive reads for the thread that serves requests. That thread gets rows as JSON bytes, which are transferred
// instead of copied: receiving 1,000 rows takes 0.04 ms, compared with 1.5 ms as objects.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

interface Order {
  readonly sql: string;
  readonly parameters: SQLInputValue[];
}

const MAX_CACHED_STATEMENTS = 100;

const { path, shared }: { readonly path: string; readonly shared: SharedArrayBuffer } = workerData;
const stop = new Int32Array(shared);
const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
database.exec("pragma temp_store = memory; pragma cache_size = -16384");
// SQLite has no timeout for a running statement, which may take minutes. So each table is read through a view of the
// same name, whose condition can abort the statement (0.1 microseconds per row). The condition uses a column, since
// SQLite would otherwise evaluate it once for all rows of inner tables in a join.
database.function("imprint_goes_on", (_column: unknown) => {
  if (Atomics.load(stop, 0) === 1) throw new Error("The statement was stopped.");
  return 1;
});
const tables = database.prepare(`select name, (select name from pragma_table_info(sqlite_schema.name)
  order by type = 'INTEGER' desc limit 1) as first from sqlite_schema where type = 'table' and name not like 'sqlite_%'`);
for (const { name, first } of tables.all()) {
  const condition = `imprint_goes_on("${String(first)}")`;
  database.exec(`create temp view "${String(name)}" as select * from main."${String(name)}" where ${condition}`);
}
const statements = new Map<string, StatementSync>();
const encoder = new TextEncoder();

function prepare(sql: string): StatementSync {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql);
  if (statement.columns().some(({ type }) => type === "BLOB")) throw new TypeError("Readers can't return blobs.");
  if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
  statements.set(sql, statement);
  return statement;
}

parentPort?.on("message", ({ sql, parameters }: Order) => {
  try {
    const bytes = encoder.encode(JSON.stringify(prepare(sql).all(...parameters)));
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    // Errors lose the SQLite code when posted to another thread.
    const { message, errcode } = Object(error);
    parentPort?.postMessage({ error: { message, errcode } });
  }
});
