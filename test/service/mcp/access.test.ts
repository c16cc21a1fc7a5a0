import { describe, expect, it } from "vitest";
import { openRunningService, openService } from "../open-service.ts";
import { connectV1, connectV2, post, toolCall } from "./connect.ts";

const connections = { "SDK v1": connectV1, "SDK v2": connectV2 } as const;
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("a request without a valid key", () => {
  it.each([
    ["none", undefined, ""],
    ["an unknown one", "imp_dev_nothing", 'error="invalid_token", '],
  ])("gets the address of the OAuth metadata: %s", async (_, apiKey, error) => {
    const service = await openRunningService();
    const answer = await post({ url: service.url, ...(apiKey !== undefined && { apiKey }) }, ping);
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get("WWW-Authenticate");
    expect(challenge).toContain(`Bearer ${error}scope="pages:read `);
    expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).not.toContain("account");
  });

  it("is asked to start with read scopes if the client can request more later", async () => {
    const { url } = await openRunningService();
    const scopesOf = async (headers: Readonly<Record<string, string>>) =>
      /scope="([^"]+)"/.exec((await post({ url }, ping, headers)).headers.get("WWW-Authenticate") ?? "")?.[1];
    expect(await scopesOf({ "MCP-Protocol-Version": "2026-07-28" })).not.toContain("write");
    expect(await scopesOf({ "MCP-Protocol-Version": "2025-11-25" })).toContain("pages:write");
    expect(await scopesOf({})).toContain("pages:write");
  });
});

describe.each(Object.entries(connections))("a restricted key, with %s", (_, connect) => {
  it("lists the tools and resources that it can use", async () => {
    const service = await openRunningService();
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["pages:read", "sites:read"] });
    const client = await connect({ url: service.url, apiKey });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["pages_list", "pages_get", "sites_list", "releases_list"]);
  });

  it("is rejected with every scope that the tool needs", async () => {
    const service = await openRunningService();
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["sites:read"] });
    const answer = await post({ url: service.url, apiKey }, toolCall("pages_put", { slug: "one", html: "<p>" }));
    expect(answer.status).toBe(403);
    const challenge = answer.headers.get("WWW-Authenticate");
    expect(challenge).toMatch(/error="insufficient_scope".*scope="pages:write"/);
    expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`);
    const reason =
      "This requires the scope pages:write. The key, or the role of its user, doesn't include it; an owner can change both.";
    expect(await answer.json()).toMatchObject({ error: "insufficient_scope", error_description: reason });
    const response = await fetch(`${service.url}/b/api/pages/one`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: `{"html":"<p>"}`,
    });
    expect(await response.json()).toMatchObject({ code: "insufficient_scope", detail: reason });
    const client = await connect({ url: service.url, apiKey });
    await expect(client.readResource({ uri: "imprint://pages/one" })).rejects.toThrow();
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["imprint://sites"]);
  });
});

describe("a web page", () => {
  it("from the service itself or an allowed origin can call tools and read the response", async () => {
    const service = await openRunningService({ mcpOrigins: ["http://localhost:6274"] });
    for (const origin of [service.url, "http://localhost:6274"]) {
      const preflight = await fetch(`${service.url}/mcp`, {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("Access-Control-Allow-Headers")).toMatch(/Authorization/);
      const answer = await post(service, toolCall("pages_list"), { Origin: origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
      const refused = await post({ url: service.url }, ping, { Origin: origin });
      expect(refused.headers.get("Access-Control-Allow-Origin")).toBe(origin);
      expect(refused.headers.get("Access-Control-Expose-Headers")).toContain("WWW-Authenticate");
    }
  });

  it.each(["https://evil.example", "null", "http://localhost:1", ""])("from %j is rejected", async (origin) => {
    const service = await openRunningService();
    const answer = await post(service, toolCall("pages_list"), { Origin: origin });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "forbidden_origin" });
    expect(answer.headers.has("Access-Control-Allow-Origin")).toBe(false);
  });

  it("published by the service is rejected, even if its host is a loopback address", async () => {
    const service = await openRunningService();
    const answer = await post(service, toolCall("pages_list"), { Origin: service.pagesUrl });
    expect(answer.status).toBe(403);
  });

  it.each(["evil.example", "evil.example:4400", "localhost.evil.example"])(
    "reached under the name %s is rejected before its key is checked",
    async (host) => {
      const service = openService();
      const request = new Request(`${service.url}/mcp`, { method: "POST", body: "{}", headers: { Host: host } });
      const answer = await service.fetch(request);
      expect(answer.status).toBe(421);
    },
  );

  it("can't be allowed with an invalid origin", () => {
    expect(() => openService({ mcpOrigins: ["http://localhost:6274/"] })).toThrow(/not an origin/);
  });
});

describe("the MCP endpoint", () => {
  it("shares the rate limit with the routes", async () => {
    const service = await openRunningService({ rateLimit: { perKey: 2 } });
    expect((await post(service, toolCall("pages_list"))).status).toBe(200);
    expect((await post(service, toolCall("pages_list"))).headers.get("RateLimit")).toMatch(/r=0/);
    const answer = await post(service, toolCall("pages_list"));
    expect(answer.status).toBe(429);
    expect(answer.headers.has("Retry-After")).toBe(true);
  });

  it("records the tool in the request log, but not its arguments", async () => {
    const service = await openRunningService();
    await post(service, toolCall("pages_put", { slug: "secret", html: "<p>secret" }));
    await post(service, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    await post(service, toolCall("<script>"));
    const entries = service.requests();
    expect(entries).toMatchObject([
      { method: "POST", path: "/mcp", operation: "mcp:pages_put", status: 200 },
      { operation: "mcp:tools/list" },
      { operation: "mcp" },
    ]);
    expect(JSON.stringify(entries)).not.toContain("secret");
  });

  it("doesn't exist in strict mode", async () => {
    const service = await openRunningService({ strict: true });
    expect((await post(service, ping)).status).toBe(404);
  });

  it("is stateless: one process can initialize a session and another respond", async () => {
    const [first, second] = [await openRunningService(), await openRunningService()];
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const answer = await post(first, { jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
    expect(answer.headers.has("Mcp-Session-Id")).toBe(false);
    expect((await post(second, toolCall("pages_list"))).status).toBe(200);
  });
});
