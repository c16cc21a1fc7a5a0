import { open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { createService, startService, type StartOptions } from "../../src/service.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { isOnPostgres } from "./backend.ts";
import { clientOf, visit } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const FIX = "Restore a backup: stop the service, then run `imprint restore <file> --force`.";
const DAMAGED = { status: "damaged", fix: FIX, checks: { database: "damaged", files: "ok" } };

/** The data folder of a closed service with pages. */
async function publishedFolder(pages: number): Promise<string> {
  const dataDir = join(await temporaryFolder(), "data");
  const service = createService({ dataDir });
  const send = clientOf(service, { routeSet: "a" });
  for (let number = 0; number < pages; number++) {
    const html = `<!doctype html><title>Page</title><p>start-${number}-end ${"text ".repeat(2000)}`;
    expect((await send("PUT", `/api/pages/page-${number}`, { json: { html } })).status).toBe(201);
  }
  await service.close();
  return dataDir;
}

/** Overwrites a table or an index, starting at its root page. */
async function overwrite(dataDir: string, name: string): Promise<void> {
  const file = join(dataDir, "service.sqlite");
  const database = new DatabaseSync(file);
  const root = Number(database.prepare("select rootpage from sqlite_schema where name = ?").get(name)?.["rootpage"]);
  const size = Number(database.prepare("pragma page_size").get()?.["page_size"]);
  database.close();
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(size, 0xee), 0, size, (root - 1) * size);
  await handle.close();
}

async function run(options: StartOptions) {
  const service = await startService({ port: 0, pagesPort: 0, background: false, ...options });
  onTestFinished(() => service.close());
  return service;
}

async function ask(url: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(url);
  return [answer.status, await answer.json()];
}

describe.skipIf(isOnPostgres)("a damaged database", () => {
  it("is reported on the first affected request; writes stop and intact data stays readable", async () => {
    const dataDir = await publishedFolder(3);
    await overwrite(dataDir, "page_html");
    const messages: string[] = [];
    const service = await run({
      dataDir,
      logger: { ...SILENT_LOGGER, error: (message) => void messages.push(message) },
    });
    const { apiKey } = await service.createKey({ name: "reader" });
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });

    expect((await fetch(`${service.pagesUrl}/p/page-0`)).status).toBe(507);

    expect(await ask(`${service.url}/readyz`)).toEqual([503, DAMAGED]);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const refused = await send("PUT", "/api/pages/new", {
      json: { html: "<!doctype html><p>New" },
    });
    expect([refused.status, refused.body["code"], refused.body["detail"]]).toEqual([507, "storage_damaged", FIX]);
    const list = await send("GET", "/api/pages", { apiKey });
    expect([list.status, list.items.length]).toEqual([200, 3]);
    expect(messages.filter((message) => message.includes("The database is damaged"))).toHaveLength(1);
  });

  it("is detected in an index that no request uses", async () => {
    const dataDir = await publishedFolder(1);
    await overwrite(dataDir, "post_by_age");
    const service = await run({ dataDir });
    expect((await ask(`${service.url}/readyz`))[0]).toBe(200);
    await service.runJobs();
    expect(await ask(`${service.url}/readyz`)).toEqual([503, DAMAGED]);
    expect(await service.runJobs()).toEqual([]);
  });

  it("is detected inside a page's HTML, which SQLite doesn't check", async () => {
    const dataDir = await publishedFolder(30);
    const file = join(dataDir, "service.sqlite");
    const bytes = await readFile(file);
    bytes.fill(0x21, bytes.indexOf("start-17-end"), bytes.indexOf("start-17-end") + 300);
    await writeFile(file, bytes);
    const messages: string[] = [];
    const service = await run({
      dataDir,
      logger: { ...SILENT_LOGGER, error: (message) => void messages.push(message) },
    });
    await service.runJobs();
    expect(await ask(`${service.url}/readyz`)).toEqual([503, DAMAGED]);
    expect(messages.join()).toContain("the page page-17 differs from the bytes that were sent");
  });

  it("fails `imprint doctor`, with the command that repairs it", async () => {
    const dataDir = await publishedFolder(1);
    await overwrite(dataDir, "page_html");
    const service = await run({ dataDir });
    expect((await fetch(`${service.pagesUrl}/p/page-0`)).status).toBe(507);
    const site = await createTemporarySite();
    let out = "";
    const code = await runCli(["doctor", "--json"], {
      cwd: site.root,
      environment: { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl("a") },
      out: { columns: 80, write: (text) => (out += text) },
      error: { write() {} },
    });
    expect([code, JSON.parse(out).checks]).toEqual([
      1,
      expect.arrayContaining([
        {
          id: "service",
          name: "Service",
          status: "bad",
          finding: `${service.baseUrl("a")} responds, but its database is damaged`,
          remedy: FIX,
        },
      ]),
    ]);
  });

  it("isn't reported for an intact database", async () => {
    const service = await run({ dataDir: await publishedFolder(30) });
    expect(await service.runJobs()).toContain("database-check");
    expect((await ask(`${service.url}/readyz`))[0]).toBe(200);
    expect(await service.runJobs()).not.toContain("database-check");
  });

  it("is checked for again after an unclean shutdown", async () => {
    const dataDir = await publishedFolder(1);
    const first = createService({ dataDir, background: false });
    await first.runJobs();
    await visit(first, "/p/page-0");
    // What a killed process leaves behind: its log beside the file.
    const files = ["service.sqlite", "service.sqlite-wal"];
    const left = await Promise.all(files.map(async (name) => [name, await readFile(join(dataDir, name))] as const));
    await first.close();
    for (const [name, bytes] of left) await writeFile(join(dataDir, name), bytes);
    expect((await stat(join(dataDir, "service.sqlite-wal"))).size).toBeGreaterThan(0);
    expect(await (await run({ dataDir })).runJobs()).toEqual(["database-check"]);
  });
});
