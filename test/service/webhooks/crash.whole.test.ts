import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../../src/service.ts";
import { mapPool } from "../../../src/base/pool.ts";
import { clientOf } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { addWebhook, publish, startReceiver, verify } from "./receiver.ts";

// `npm run test:crash` sets 5,000.
const DELIVERIES = Number(process.env["IMPRINT_CRASH_DELIVERIES"] ?? 200);
const WEBHOOKS = 10;
// Until then, no other process sends what the killed one had claimed.
const LEASE_MS = 60_000;

interface Address {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface Child extends Address {
  kill(): Promise<void>;
}

async function startChild(dataDir: string): Promise<Child> {
  const child = fork(new URL("./crash-child.ts", import.meta.url), [dataDir], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (!isAddress(message)) throw new Error("The service did not start.");
  return {
    ...message,
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function isAddress(message: unknown): message is Address {
  return typeof message === "object" && message !== null && "baseUrl" in message && "apiKey" in message;
}

async function call({ baseUrl, apiKey }: Child, route: string, json: object): Promise<number> {
  const [method = "", path = ""] = route.split(" ");
  const { status } = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(json),
  });
  return status;
}

/** A receiver that reports when it has received so many different messages. */
async function startCounter() {
  const seen = new Map<string, number>();
  let waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  const receiver = await startReceiver(({ headers }) => {
    const id = String(headers["webhook-id"]);
    seen.set(id, (seen.get(id) ?? 0) + 1);
    if (waiting !== undefined && seen.size >= waiting.count) waiting.resolve();
    return {};
  });
  return {
    ...receiver,
    seen,
    async reaches(count: number) {
      await new Promise<void>((resolve) => {
        waiting = { count, resolve };
        if (seen.size >= count) resolve();
      });
    },
  };
}

function openOn(dataDir: string) {
  const service = createService({ dataDir, background: false, allowNetworks: ["127.0.0.0/8"] });
  return { service, send: clientOf(service, { routeSet: "a" }) };
}

describe("a service that is killed", () => {
  it(`in the middle of ${DELIVERIES} deliveries loses none, and repeats them only under the same id`, async () => {
    const dataDir = await temporaryFolder();
    const receiver = await startCounter();
    const { service, send } = openOn(dataDir);
    const secrets = new Map<string, string>();
    for (let number = 0; number < WEBHOOKS; number++) {
      const url = `${receiver.url}/${number}`;
      secrets.set(new URL(url).pathname, (await addWebhook(send, { url })).secret);
    }
    const slugs = Array.from({ length: DELIVERIES / WEBHOOKS }, (_, number) => `page-${number}`);
    for (const slug of slugs) await publish(send, slug);
    await service.close();

    const first = await startChild(dataDir);
    await receiver.reaches(DELIVERIES / 2);
    await first.kill();
    const before = receiver.seen.size;
    const second = await startChild(dataDir);
    await call(second, "POST /api/_clock", { advanceMs: LEASE_MS + 1000 });
    await receiver.reaches(DELIVERIES);
    await second.kill();

    const idsByTarget = new Map<string, Set<string>>();
    for (const request of receiver.requests) {
      const { id, data } = verify(request, secrets.get(request.path) ?? "");
      const target = `${request.path} ${String(data.slug)}`;
      idsByTarget.set(target, (idsByTarget.get(target) ?? new Set()).add(id));
    }
    const repeated = receiver.requests.length - receiver.seen.size;
    console.log(
      `crash: ${DELIVERIES} queued, ${before} received before the kill, ${receiver.seen.size} in the end, ${repeated} twice`,
    );
    expect(before).toBeLessThan(DELIVERIES);
    expect(idsByTarget.size).toBe(DELIVERIES);
    expect([...idsByTarget.values()].every((ids) => ids.size === 1)).toBe(true);
  });

  it("while pages are written delivers the event of every acknowledged write", async () => {
    const dataDir = await temporaryFolder();
    const receiver = await startCounter();
    const { service, send } = openOn(dataDir);
    const { secret } = await addWebhook(send, { url: receiver.url });
    await service.close();

    const first = await startChild(dataDir);
    const answered: string[] = [];
    let killed: Promise<void> | undefined;
    const slugs = Array.from({ length: DELIVERIES }, (_, number) => `page-${number}`);
    await mapPool(slugs, 8, async (slug) => {
      if (killed !== undefined) return;
      const put = call(first, `PUT /api/pages/${slug}`, { html: `<p>${slug}</p>` });
      // Requests in flight when the process died got no response.
      const status = await put.catch(() => undefined);
      if (status === 201) answered.push(slug);
      if (answered.length >= DELIVERIES / 2) killed ??= first.kill();
    });
    await killed;

    const second = await startChild(dataDir);
    await call(second, "POST /api/_clock", { advanceMs: LEASE_MS + 1000 });
    const after = openOn(dataDir);
    const { usage } = (await after.send("GET", "/api/account")).body;
    const written = Number(Object(usage).pages);
    await after.service.close();
    await receiver.reaches(written);
    const received = new Set(receiver.requests.map((request) => String(verify(request, secret).data.slug)));
    console.log(`crash: ${answered.length} writes answered, ${written} stored, ${received.size} received`);
    expect(answered.filter((slug) => !received.has(slug))).toEqual([]);
    expect(received.size).toBe(written);
  });
});
