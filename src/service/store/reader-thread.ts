// Runs the statements that read much, each for the thread that serves requests. It gets rows as JSON in bytes, which are
// handed over and not copied: taking 1,000 rows costs it 0.04 ms, against 1.5 ms as objects.
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
// SQLite runs a statement to its end, which may be minutes away. So every row of every table is read through a view of the
// same name, whose condition ends the statement: 0.1 microseconds a row. It names a column, since SQLite would otherwise
// ask once for all rows of the inner tables of a join.
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
  if (statement.columns().some(({ type }) => type === "BLOB")) throw new TypeError("Bytes can't be read in a thread.");
  if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
  statements.set(sql, statement);
  return statement;
}

parentPort?.on("message", ({ sql, parameters }: Order) => {
  try {
    const bytes = encoder.encode(JSON.stringify(prepare(sql).all(...parameters)));
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    // An error loses the code of SQLite on its way.
    const { message, errcode } = Object(error);
    parentPort?.postMessage({ error: { message, errcode } });
  }
});
