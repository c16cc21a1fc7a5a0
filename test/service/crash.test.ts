import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { mapPool } from "../../src/base/pool.ts";
import { createService } from "../../src/service.ts";
import { clientOf, visit } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { BROWSER, view } from "./visitors/beacon.ts";

// `npm run test:crash` sets 5,000.
const WRITES = Number(process.env["IMPRINT_CRASH_WRITES"] ?? 600);
const VERSIONS = 5;
const AT_ONCE = 16;
// Below the rate limit per address and minute.
const VIEWS = 100;

interface Child {
  readonly pagesUrl: string;
  put(slug: string, html: string): Promise<number>;
  kill(): Promise<void>;
}

/** A service in its own process. */
async function startChild(dataDir: string): Promise<Child> {
  const child = fork(new URL("./webhooks/crash-child.ts", import.meta.url), [dataDir], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [message]: readonly unknown[] = await Promise.race([once(child, "message"), once(child, "exit")]);
  const { baseUrl, pagesUrl, apiKey }: Readonly<Record<string, unknown>> = Object(message);
  return {
    pagesUrl: String(pagesUrl),
    async put(slug, html) {
      const answer = await fetch(`${String(baseUrl)}/api/pages/${slug}`, {
        method: "PUT",
        headers: { Authorization: `Bearer ${String(apiKey)}`, "Content-Type": "application/json" },
        body: JSON.stringify({ html }),
      });
      return Number(Object(await answer.json()).version);
    },
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function htmlOf(slug: string, version: number): string {
  return `<!doctype html><title>${slug}</title><p>Version ${version}</p>${"<p>text</p>".repeat(version * 100)}`;
}

/** Writes every page several times until the process dies; returns the last acknowledged version of each page. */
async function writeUntilKilled(child: Child, slugs: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const answered = new Map<string, number>();
  let count = 0;
  let killed: Promise<void> | undefined;
  for (let version = 1; version <= VERSIONS; version++) {
    await mapPool(slugs, AT_ONCE, async (slug) => {
      if (killed !== undefined) return;
      // Requests in flight when the process died got no response.
      const acknowledged = await child.put(slug, htmlOf(slug, version)).catch(() => undefined);
      if (acknowledged === undefined) return;
      answered.set(slug, acknowledged);
      if (++count >= WRITES / 2) killed ??= child.kill();
    });
  }
  await killed;
  return answered;
}

describe("a service that is killed while pages are written", () => {
  it(`has an intact copy of every page, in the last acknowledged version or a later one (${WRITES} writes)`, async () => {
    const dataDir = await temporaryFolder();
    const slugs = Array.from({ length: WRITES / VERSIONS }, (_, number) => `page-${number}`);
    const answered = await writeUntilKilled(await startChild(dataDir), slugs);

    const service = createService({ dataDir, background: false, analytics: false });
    onTestFinished(() => service.close());
    const send = clientOf(service, { routeSet: "a" });
    const lost: string[] = [];
    let unanswered = 0;
    for (const slug of slugs) {
      const { status, body } = await send("GET", `/api/pages/${slug}?include=html`);
      const version = status === 200 ? Number(body.version) : 0;
      const promised = answered.get(slug) ?? 0;
      // Each page has only one write in flight at a time.
      const isKept = version === promised || version === promised + 1;
      const isWhole = version === 0 || body.html === htmlOf(slug, version);
      if (!isKept || !isWhole) lost.push(slug);
      if (version > promised) unanswered++;
      if (version > 0) expect(await (await visit(service, `/p/${slug}`)).text()).toBe(body.html);
    }
    const events = Number((await countEvents(send)).length);
    const versions = [...answered.values()].reduce((sum, version) => sum + version, 0) + unanswered;
    console.log(`crash: ${versions - unanswered} writes answered, ${unanswered} kept beside them, ${lost.length} lost`);
    expect(lost).toEqual([]);
    expect(answered.size).toBeGreaterThan(0);
    expect(events).toBe(versions);
  });
});

it("a killed service keeps every page view that it acknowledged", async () => {
  const dataDir = await temporaryFolder();
  const child = await startChild(dataDir);
  await child.put("one", htmlOf("one", 1));
  const html = await (await fetch(`${child.pagesUrl}/p/one`, { headers: BROWSER })).text();
  const id = /data-p="([^"]+)"/.exec(html)?.[1] ?? "";
  const statuses = await mapPool([...Array(VIEWS).keys()], AT_ONCE, async (number) => {
    const body = JSON.stringify(view(id, { k: `view${String(number).padStart(8, "0")}` }));
    const headers = { ...BROWSER, Origin: new URL(child.pagesUrl).origin };
    return (await fetch(`${child.pagesUrl}/_b`, { method: "POST", headers, body })).status;
  });
  await child.kill();
  expect(statuses).toEqual(Array(VIEWS).fill(204));
  const service = createService({ dataDir, background: false });
  onTestFinished(() => service.close());
  const { items } = await clientOf(service, { routeSet: "a" })("GET", "/api/analytics/pages");
  expect(items).toMatchObject([{ slug: "one", views: VIEWS }]);
});

async function countEvents(send: ReturnType<typeof clientOf>): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let cursor = "";
  do {
    const { items: part, body } = await send("GET", `/api/events?limit=100${cursor}`);
    items.push(...part);
    cursor = typeof body.nextCursor === "string" ? `&cursor=${body.nextCursor}` : "";
  } while (cursor !== "");
  return items;
}
