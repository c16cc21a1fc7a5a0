import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../src/service.ts";
import { clientOf, openRunningService } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

// Busy machines need time.
const PATIENCE = { timeout: 30_000 };
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const addressesSchema = z.object({ routeSetA: z.string(), api: z.string(), apiKey: z.string() });

async function serve(dataDir: string, ...flags: readonly string[]) {
  const args = ["serve", "--port", "0", "--pages-port", "0", "--data", dataDir, "--new-key", "--json", ...flags];
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, ...addressesSchema.parse(JSON.parse(line)) };
  }
  throw new Error("The service ended at once.");
}

async function endOf(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return { code: child.exitCode, signal: child.signalCode };
}

/** A request with its body in two parts; `finish` sends the second and returns the response. */
async function beginRequest(base: string, { slug, apiKey }: { readonly slug: string; readonly apiKey: string }) {
  const { hostname, port, pathname } = new URL(base);
  const body = JSON.stringify({ html: "<p>slow" });
  const socket: Socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const head = [
    ...[`PUT ${pathname}/api/pages/${slug} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${apiKey}`],
    ...["Content-Type: application/json", `Content-Length: ${body.length}`, "", ""],
  ].join("\r\n");
  socket.write(head + body.slice(0, 5));
  let answer = "";
  // A service that stops abruptly resets the connection; what counts is the response.
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  return {
    async finish() {
      socket.write(body.slice(5));
      await once(socket, "close");
      return answer;
    },
  };
}

describe("a service that receives a stop signal", () => {
  it("under load loses no acknowledged write, and completes the requests in progress", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { child, routeSetA, apiKey } = await serve(dataDir);
    const acknowledged: string[] = [];
    const slow = await Promise.all([1, 2, 3].map((n) => beginRequest(routeSetA, { slug: `slow-${n}`, apiKey })));
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; ; number++) {
        const slug = `w${writer}-${number}`;
        const answer = await fetch(`${routeSetA}/api/pages/${slug}`, {
          method: "PUT",
          headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
          body: JSON.stringify({ html: `<p>${slug}` }),
        }).catch(() => undefined);
        // Nothing listens on the port any more.
        if (answer === undefined) return;
        expect(answer.status).toBe(201);
        acknowledged.push(slug);
        if (acknowledged.length === 100) child.kill("SIGTERM");
      }
    });
    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThanOrEqual(100);
    const answers = await Promise.all(slow.map((request) => request.finish()));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(3).fill("HTTP/1.1 201"));
    await Promise.all(writers);
    expect(await endOf(child)).toEqual({ code: 0, signal: null });

    const again = await startService({ dataDir, port: 0, pagesPort: 0 });
    onTestFinished(() => again.close());
    const send = clientOf(again, { routeSet: "a" });
    const stored = new Set<unknown>();
    for (let path = "/api/pages?limit=100&fields=slug"; ;) {
      const { items, body } = await send("GET", path);
      for (const { slug } of items) stored.add(slug);
      if (typeof body["nextCursor"] !== "string") break;
      path = `/api/pages?limit=100&fields=slug&cursor=${body["nextCursor"]}`;
    }
    const expected = [...acknowledged, "slow-1", "slow-2", "slow-3"];
    expect(expected.filter((slug) => !stored.has(slug))).toEqual([]);
  });

  it("waits for a slow request only until its deadline", async () => {
    const { child, routeSetA, apiKey } = await serve(join(await temporaryFolder(), "data"), "--grace", "0");
    await beginRequest(routeSetA, { slug: "slow", apiKey });
    child.kill("SIGTERM");
    expect(await endOf(child)).toEqual({ code: 0, signal: null });
  });

  it("stops at once on a second signal", async () => {
    const { child, routeSetA, apiKey } = await serve(join(await temporaryFolder(), "data"), "--grace", "600");
    await beginRequest(routeSetA, { slug: "slow", apiKey });
    child.kill("SIGTERM");
    // New connections are rejected after the first signal.
    await expect
      .poll(
        () =>
          fetch(routeSetA).then(
            () => "open",
            () => "closed",
          ),
        PATIENCE,
      )
      .toBe("closed");
    child.kill("SIGTERM");
    expect(await endOf(child)).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("doesn't wait for idle connections", async () => {
    const service = await openRunningService({ graceSeconds: 600 });
    const socket = connect(service.port, "127.0.0.1");
    await once(socket, "connect");
    await service.close();
    expect(socket.destroyed || (await once(socket, "close"))).toBeTruthy();
  });

  it("keeps serving for a configured time during which it reports that it isn't ready", async () => {
    const { child, api, routeSetA, apiKey } = await serve(join(await temporaryFolder(), "data"), "--drain", "600");
    expect(await (await fetch(`${api}/readyz`)).json()).toEqual({
      status: "ready",
      checks: { database: "ok", files: "ok" },
    });
    child.kill("SIGTERM");
    await expect.poll(async () => (await fetch(`${api}/readyz`)).status, PATIENCE).toBe(503);
    expect(await (await fetch(`${api}/readyz`)).json()).toEqual({ status: "shutting-down" });
    expect((await fetch(`${api}/healthz`)).status).toBe(200);
    const headers = { Authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${routeSetA}/api/pages`, { headers })).status).toBe(200);
  });
});
