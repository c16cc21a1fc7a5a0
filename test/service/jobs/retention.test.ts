import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type ServiceOptions } from "../../../src/service.ts";
import { clientOf, fileForm } from "../open-service.ts";
import { makeOldDatabase } from "../store/old-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// The time of the rows in the old database.
const SAVED = Date.UTC(2026, 2, 4, 5, 6, 7, 8);
const DAY = 24 * 60 * 60 * 1000;

/** The number of rows left in each table, by the number of days after they were created. */
async function leftAfter(
  days: number,
  retention: ServiceOptions["retention"] = {},
  { change = "" }: { readonly change?: string } = {},
) {
  const dataDir = join(await temporaryFolder(), "data");
  const path = join(dataDir, "service.sqlite");
  await makeOldDatabase(path, 3);
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec("update delivery set status = 'delivered', finished_at = last_attempt_at");
  database.exec(
    "insert into event select 'evt_2', account_id, 'form.submitted', 'sb_1', '{}', created_at + 5000000000 from event",
  );
  database.exec(change);
  const now = () => new Date(SAVED + days * DAY);
  const service = createService({ dataDir, now, retention, background: false });
  onTestFinished(() => service.close());
  await service.runJobs();
  const rowsOf = (table: string) => Number(database.prepare(`select count(*) as rows from ${table}`).get()?.["rows"]);
  return { rowsOf, database };
}

describe("retention", () => {
  it.each([
    ["idempotent_request", 0.9, 1],
    ["idempotent_request", 1.1, 0],
    ["visitor_salt", 0.1, 1],
    ["visitor_salt", 2, 0],
    ["visitor_seen", 2, 0],
    ["open_view", 2, 0],
    ["delivery", 29, 1],
    ["delivery", 31, 0],
    ["event", 29, 2],
    ["event", 31, 1],
    ["view_hour", 400, 1],
    ["view_hour", 403, 0],
    ["scroll_day", 403, 0],
    ["submission", 4000, 1],
    ["page", 4000, 2],
    ["asset", 4000, 1],
  ] as const)("of %s after %f days leaves %i", async (table, days, rows) => {
    expect((await leftAfter(days)).rowsOf(table)).toBe(rows);
  });

  it("can be configured, or turned off", async () => {
    const { rowsOf } = await leftAfter(500, { eventDays: null, statsDays: null, submissionDays: null });
    expect(["delivery", "event", "view_hour", "submission"].map(rowsOf)).toEqual([1, 2, 1, 1]);
    const short = await leftAfter(10, { eventDays: 5, statsDays: 5 });
    expect(["delivery", "view_hour"].map(short.rowsOf)).toEqual([0, 0]);
  });

  it("of a submission ends together with its events", async () => {
    const { rowsOf, database } = await leftAfter(8, { submissionDays: 7 });
    expect(rowsOf("submission")).toBe(0);
    expect(database.prepare("select subject from event").all()).toEqual([{ subject: "pg_1" }]);
  });

  it("of an event lasts at least as long as that of its deliveries", async () => {
    const change = `update delivery set finished_at = ${SAVED + 9 * DAY}`;
    const { rowsOf } = await leftAfter(10, { eventDays: 5 }, { change });
    expect(["delivery", "event"].map(rowsOf)).toEqual([1, 2]);
  });

  it.each([{ eventDays: 0 }, { eventDays: 1.5 }, { statsDays: -1 }, { days: 3 }])(
    "rejects the settings %j",
    (retention) => {
      expect(() => createService({ ephemeral: true, retention })).toThrow(
        expect.objectContaining({ code: "OPTIONS_INVALID" }),
      );
    },
  );

  it("aggregates past days into numbers and forgets their visitors", async () => {
    const { database } = await leftAfter(2);
    const counts = database.prepare("select visitors from visitor_count where scope = 'pg_1'").all();
    expect(counts).toEqual([{ visitors: 8 }]);
  });
});

describe("library files", () => {
  it("are deleted once no record names them, and kept otherwise", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const service = createService({ dataDir, background: false });
    onTestFinished(() => service.close());
    const { body } = await clientOf(service, { routeSet: "a" })("POST", "/api/library", {
      form: fileForm(["a.txt", "used"]),
    });
    const unused = "f".repeat(64);
    const paths = [String(body["hash"]), unused].map((hash) => join(dataDir, "blobs", hash.slice(0, 2), hash));
    await mkdir(dirname(paths[1] ?? ""), { recursive: true });
    await writeFile(paths[1] ?? "", "unused");
    const longAgo = new Date(Date.now() - DAY);
    for (const path of paths) await utimes(path, longAgo, longAgo);
    expect(await service.runJobs()).toContain("blob-sweep");
    const left = await readdir(join(dataDir, "blobs"), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([body["hash"]]);
  });
});
