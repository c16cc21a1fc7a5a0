import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientOf, openRunningService, openService } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("API keys over the API", () => {
  it("can be created, shown once, used, listed without their secret, and revoked", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const made = await send("POST", "/api/keys", { json: { name: "CI", scopes: ["pages:read", "pages:write"] } });
    expect([made.status, made.body.key]).toEqual([201, expect.stringMatching(/^imp_dev_/)]);
    const apiKey = String(made.body.key);
    expect((await send("PUT", "/api/pages/one", { apiKey, json: { html: "<p>" } })).status).toBe(201);
    const list = await send("GET", "/api/keys");
    expect(list.items).toEqual([
      {
        id: made.body.id,
        name: "CI",
        environment: "dev",
        lastFour: apiKey.slice(-4),
        userId: null,
        scopes: ["pages:read", "pages:write"],
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: null,
      },
    ]);
    expect((await send("DELETE", `/api/keys/${made.body.id}`)).status).toBe(204);
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(401);
    expect((await send("GET", "/api/keys")).items).toEqual([]);
    expect((await send("DELETE", `/api/keys/${made.body.id}`)).body.code).toBe("key_not_found");
  });

  it("expire on time", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { body } = await send("POST", "/api/keys", { json: { name: "short", expiresAt } });
    const apiKey = String(body.key);
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    await send("POST", "/api/_clock", { json: { advanceMs: 61_000 } });
    expect((await send("GET", "/api/pages", { apiKey })).status).toBe(401);
    const past = await send("POST", "/api/keys", { json: { name: "late", expiresAt } });
    expect([past.status, past.body.code]).toEqual([422, "invalid_body"]);
  });

  it("can't create keys with more permissions than their own", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { apiKey } = await service.createKey({ name: "admin", scopes: ["account:write", "pages:read"] });
    const wider = await send("POST", "/api/keys", { apiKey, json: { name: "x", scopes: ["pages:write"] } });
    expect([wider.status, wider.body.code]).toEqual([403, "insufficient_scope"]);
    const same = await send("POST", "/api/keys", { apiKey, json: { name: "x" } });
    expect(same.body.scopes).toEqual(["pages:read", "account:write"]);
  });

  it.each([
    ["GET", "/api/keys"],
    ["GET", "/api/webhooks"],
    ["GET", "/api/events"],
    ["POST", "/api/keys"],
    ["POST", "/api/webhooks"],
  ])("require account:write for %s %s", async (method, path) => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["account:read", "pages:write"] });
    const { status, body } = await send(method, path, { apiKey, ...(method === "POST" && { json: {} }) });
    expect([status, body.scope]).toEqual([403, "account:write"]);
  });

  it("are limited in number by the account", async () => {
    const send = clientOf(openService({ limits: { maxKeys: 1 } }), { routeSet: "a" });
    await send("POST", "/api/keys", { json: { name: "one" } });
    const { status, body } = await send("POST", "/api/keys", { json: { name: "two" } });
    expect([status, body.code]).toEqual([422, "limit_reached"]);
  });

  it("are never stored on disk, even if the request had an idempotency key", async () => {
    const dataDir = await temporaryFolder();
    const service = await openRunningService({ ephemeral: false, dataDir });
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    const request = { json: { name: "ci" }, headers: { "Idempotency-Key": "once" } };
    const first = await send("POST", "/api/keys", request);
    const again = await send("POST", "/api/keys", request);
    expect([again.body.id, again.body.key]).toEqual([first.body.id, undefined]);
    const secret = String(first.body.key).slice(8, 30);
    expect(secret).toHaveLength(22);
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect((await readFile(join(entry.parentPath, entry.name))).toString("latin1")).not.toContain(secret);
    }
  });
});
