import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { serveProgram } from "../../disk/program.ts";
import type { CheckOrder } from "./check-database.ts";

// The program that `createDatabaseCheck` starts. It uses at most half of one core, and reads in batches, because the
// write-ahead log can't be truncated during a read.

/** Text that is stored with its hash; SQLite doesn't detect changes inside it. */
const HASHED = [
  {
    kind: "page",
    sql: `select page_html.rowid as place, page.slug as name, page.content_hash as hash, page_html.html as bytes
      from page_html join page on page.id = page_html.page_id where page_html.rowid > ? order by page_html.rowid limit ?`,
  },
  {
    kind: "page of a release",
    sql: `select rowid as place, hash as name, hash, body as bytes from content where rowid > ? order by rowid limit ?`,
  },
] as const;

// Rows of up to 10 MiB each.
const ROWS_AT_ONCE = 20;

serveProgram<CheckOrder, string | undefined>(async ({ file }) => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    return (await checkStructure(database)) ?? (await checkHashes(database));
  } catch (error) {
    return messageOf(error);
  } finally {
    database.close();
  }
});

/** Runs SQLite's own check, table by table. */
async function checkStructure(database: DatabaseSync): Promise<string | undefined> {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  for (const { name } of tables) {
    const finding = await rested(() => {
      const [first] = database.prepare(`pragma quick_check('${String(name)}')`).all();
      return String(first?.["quick_check"] ?? "ok");
    });
    if (finding !== "ok") return `${String(name)}: ${finding}`;
  }
  return undefined;
}

async function checkHashes(database: DatabaseSync): Promise<string | undefined> {
  for (const { kind, sql } of HASHED) {
    const select = database.prepare(sql);
    for (let rows = await rested(() => select.all(0, ROWS_AT_ONCE)); rows.length > 0;) {
      const damaged = rows.find((row) => !isWhole(row));
      if (damaged !== undefined) return `the ${kind} ${String(damaged["name"])} differs from the bytes that were sent`;
      const from = rows.at(-1)?.["place"] ?? null;
      rows = await rested(() => select.all(from, ROWS_AT_ONCE));
    }
  }
  return undefined;
}

function isWhole({ hash, bytes }: Record<string, SQLOutputValue>): boolean {
  return bytes instanceof Uint8Array && sha256(bytes) === hash;
}

/** Runs the work, then pauses for the same time. */
async function rested<Result>(work: () => Result): Promise<Result> {
  const started = performance.now();
  const result = work();
  await delay(performance.now() - started);
  return result;
}
