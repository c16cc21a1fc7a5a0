import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { commandsAt, commandsFor } from "./run.ts";

describe.each(["a", "b"] as const)("imprint logs, route set %s", (routeSet) => {
  it("shows requests and results, oldest first, also as JSON and filtered by failures", async () => {
    const service = await openRunningService();
    const send = clientOf(service, { routeSet });
    const { run } = await commandsFor(service, routeSet);
    await send("GET", "/api/brand-kits");
    await send("GET", "/api/nothing-here");
    await expect.poll(async () => (await run("logs")).out, { timeout: 15_000 }).toContain("/api/nothing-here");
    const { out } = await run("logs", "--path", "/api/");
    expect(out).toMatch(/^\d{4}-\S+Z 200 GET {4}\S*\/api\/brand-kits [\d.]+ ms$/m);
    expect(out).toMatch(/^\d{4}-\S+Z 404 GET {4}\S*\/api\/nothing-here [\d.]+ ms \w+$/m);
    expect(out.indexOf("brand-kits")).toBeLessThan(out.indexOf("nothing-here"));
    expect(out).not.toContain("/api/requests");
    const failed = (await run("logs", "--failed", "--path", "/api/", "--json")).json();
    expect(failed).toMatchObject([{ method: "GET", status: 404, requestId: expect.any(String) }]);
    expect((await run("logs", "--path", "/none")).out).toBe("There are no matching requests.\n");
  });
});

it("imprint logs --follow prints new entries, one object per line, until Ctrl+C", async () => {
  const service = await openRunningService();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const lines: string[] = [];
  const ended = runCli(["logs", "--follow", "--path", "/api/pages/", "--json"], {
    cwd: import.meta.dirname,
    environment: { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl("a") },
    signal: stop.signal,
    out: { write: (text) => lines.push(...text.split("\n").filter(Boolean)) },
    error: { write() {} },
  });
  const send = clientOf(service, { routeSet: "a" });
  for (const slug of ["one", "two"]) {
    await send("PUT", `/api/pages/${slug}`, { json: { html: "<p>" } });
    await expect.poll(() => lines.join(), { timeout: 15_000 }).toContain(`/api/pages/${slug}`);
  }
  stop.abort();
  expect(await ended).toBe(0);
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(
    ["/api/pages/one", "/api/pages/two"].map((path) => expect.stringContaining(path)),
  );
});

it("reports what is missing: the service's log, or the key's permission to read it", async () => {
  const strict = await openRunningService({ strict: true });
  expect((await (await commandsFor(strict, "a")).run("logs")).error).toContain("can't show its requests");
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/keys", { json: { name: "CI", scopes: ["pages:write", "account:read"] } });
  const { code, error } = await (await commandsAt(service.baseUrl("a"), String(body["key"]))).run("logs");
  expect([code > 0, error]).toEqual([true, expect.stringMatching(/scope|right/i)]);
});

it("imprint logs shows a person the local time of each request", async () => {
  const service = await openRunningService();
  let out = "";
  const run = () =>
    runCli(["logs"], {
      cwd: import.meta.dirname,
      environment: { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl("a"), NO_COLOR: "1" },
      out: { isTTY: true, write: (text) => (out += text) },
      error: { write() {} },
    });
  await clientOf(service, { routeSet: "a" })("GET", "/api/brand-kits");
  await expect.poll(async () => (await run(), out), { timeout: 15_000 }).toContain("/api/brand-kits");
  expect(out).toMatch(/^\d\d:\d\d:\d\d 200 GET {4}\S*\/api\/brand-kits [\d.]+ ms$/m);
});

it.each([
  { strict: false, routeSet: "a", shown: false },
  { strict: true, routeSet: "b", shown: true },
] as const)("imprint status names the route set only of a host that has one: $shown", async ({ shown, ...rest }) => {
  const service = await openRunningService({ strict: rest.strict });
  const { out } = await (await commandsFor(service, rest.routeSet)).run("status");
  expect(out).toContain("The service responds");
  expect(out.includes("Route set")).toBe(shown);
});
