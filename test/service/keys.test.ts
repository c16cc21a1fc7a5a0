import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasValidChecksum } from "../../src/contract/api-key.ts";
import { clientOf, openRunningService, openService } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("API keys", () => {
  it("are rejected if missing, mistyped, or from another service", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const stranger = openService();
    for (const apiKey of [null, "nonsense", stranger.apiKey]) {
      const { status, body, headers } = await send("GET", "/api/pages", { apiKey });
      expect([status, body.code, headers.get("WWW-Authenticate")]).toEqual([
        401,
        "invalid_token",
        expect.stringMatching(/^Bearer .*resource_metadata="http/),
      ]);
    }
  });

  it("carry a checksum that detects typos without a request", async () => {
    const service = openService();
    const { apiKey } = await service.createKey({ name: "ci" });
    expect([apiKey, service.apiKey].map(hasValidChecksum)).toEqual([true, true]);
  });

  it("grant only their scopes", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["pages:read"] });
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    const refused = await send("PUT", "/api/pages/one", { apiKey, json: { html: "<p>" } });
    expect([refused.status, refused.body.code, refused.body.scope]).toEqual([403, "insufficient_scope", "pages:write"]);
  });

  it("are rejected on the first request after they are revoked", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { id, apiKey } = await service.createKey({ name: "ci" });
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    await service.revokeKey(id);
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(401);
  });

  it("are rejected on the first request after another process revokes them", async () => {
    const dataDir = await temporaryFolder();
    const service = openService({ ephemeral: false, dataDir });
    const send = clientOf(service, { routeSet: "a" });
    const { id, apiKey } = await service.createKey({ name: "ci" });
    // A second connection to the same file, as another process would have.
    const other = openService({ ephemeral: false, dataDir });
    for (let asked = 0; asked < 3; asked++) expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    await other.revokeKey(id);
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(401);
  });

  it("expire on time even if recently used", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { body } = await send("POST", "/api/keys", { json: { name: "short", expiresAt } });
    const apiKey = String(body.key);
    const put = async (html: string) => (await send("PUT", "/api/pages/one", { apiKey, json: { html } })).status;
    expect([await put("<p>1"), await put("<p>2")]).toEqual([201, 200]);
    await send("POST", "/api/_clock", { json: { advanceMs: 61_000 } });
    expect(await put("<p>3")).toBe(401);
  });

  it("require a plan that includes them", async () => {
    const send = clientOf(openService({ plan: "grow", apiKeyPlans: ["pro"] }), { routeSet: "a" });
    const { status, body } = await send("GET", "/api/pages");
    expect([status, body.code]).toEqual([402, "plan_required"]);
  });

  it("are never stored on disk or in the request log", async () => {
    const dataDir = await temporaryFolder();
    const service = await openRunningService({ ephemeral: false, dataDir });
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    const { apiKey } = await service.createKey({ name: "ci" });
    await send("PUT", "/api/pages/one", { apiKey, json: { html: "<p>1</p>" } });
    await send("GET", `/api/pages?q=${apiKey}`, { apiKey });
    expect(JSON.stringify(service.requests())).not.toContain(apiKey.slice(8, 30));
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = (await readFile(join(entry.parentPath, entry.name))).toString("latin1");
      expect(content).not.toContain(apiKey.slice(8, 30));
      expect(content).not.toContain(service.apiKey.slice(8, 30));
    }
  });
});

describe("the rate limit", () => {
  it("rejects requests over the limit until the window ends", async () => {
    const send = clientOf(openService({ rateLimit: { perKey: 2 } }), { routeSet: "a" });
    const first = await send("GET", "/api/pages");
    expect(first.headers.get("RateLimit-Policy")).toBe('"default";q=2;w=60');
    expect(first.headers.get("RateLimit")).toBe('"default";r=1;t=60');
    await send("GET", "/api/pages");
    const refused = await send("GET", "/api/pages");
    expect([refused.status, refused.body.code, refused.headers.get("Retry-After")]).toEqual([
      429,
      "rate_limited",
      "60",
    ]);
    await send("POST", "/api/_clock", { json: { advanceMs: 60_000 } });
    expect((await send("GET", "/api/pages")).status).toBe(200);
  });

  it("counts requests without a valid key by address", async () => {
    const send = clientOf(openService({ rateLimit: { perKey: 100, perAddress: 1 } }), { routeSet: "a" });
    const statuses = [];
    for (const apiKey of [null, "one", "two"]) statuses.push((await send("GET", "/api/pages", { apiKey })).status);
    expect(statuses).toEqual([401, 429, 429]);
    expect((await send("GET", "/api/pages")).status).toBe(200);
  });

  it("counts clients behind a proxy separately, so that none uses up another's limit", async () => {
    const service = openService({ trustProxy: true, rateLimit: { perKey: 100, perAddress: 1 } });
    const send = clientOf(service, { routeSet: "a" });
    const ask = async (address: string) =>
      (await send("GET", "/api/pages", { apiKey: "wrong", headers: { "X-Forwarded-For": address } })).status;
    expect([await ask("203.0.113.1"), await ask("203.0.113.1"), await ask("203.0.113.2")]).toEqual([401, 429, 401]);
  });
});
