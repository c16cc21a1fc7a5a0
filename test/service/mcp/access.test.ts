import { describe, expect, it } from "vitest";
import { openRunningService, openService } from "../open-service.ts";
import { connectV1, connectV2, post, toolCall } from "./connect.ts";

const connections = { "SDK v1": connectV1, "SDK v2": connectV2 } as const;
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("a request without a valid key", () => {
  it.each([
    ["none", undefined, ""],
    ["one that is not known", "imp_dev_nothing", 'error="invalid_token", '],
  ])("is told where tokens come from: %s", async (_, apiKey, error) => {
    const service = await openRunningService();
    const answer = await post({ url: service.url, ...(apiKey !== undefined && { apiKey }) }, ping);
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get("WWW-Authenticate");
    expect(challenge).toContain(`Bearer ${error}scope="pages:read `);
    expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).not.toContain("account");
  });

  it("is told to begin with looking, where the client can ask for more later", async () => {
    const { url } = await openRunningService();
    const scopesOf = async (headers: Readonly<Record<string, string>>) =>
      /scope="([^"]+)"/.exec((await post({ url }, ping, headers)).headers.get("WWW-Authenticate") ?? "")?.[1];
    expect(await scopesOf({ "MCP-Protocol-Version": "2026-07-28" })).not.toContain("write");
    expect(await scopesOf({ "MCP-Protocol-Version": "2025-11-25" })).toContain("pages:write");
    expect(await scopesOf({})).toContain("pages:write");
  });
});

describe.each(Object.entries(connections))("a key that was narrowed, with %s", (_, connect) => {
  it("is shown the tools and resources that it may use", async () => {
    const service = await openRunningService();
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["pages:read", "sites:read"] });
    const client = await connect({ url: service.url, apiKey });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["pages_list", "pages_get", "sites_list", "releases_list"]);
  });

  it("is refused with every scope that the tool needs", async () => {
    const service = await openRunningService();
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["sites:read"] });
    const answer = await post({ url: service.url, apiKey }, toolCall("pages_put", { slug: "one", html: "<p>" }));
    expect(answer.status).toBe(403);
    const challenge = answer.headers.get("WWW-Authenticate");
    expect(challenge).toMatch(/error="insufficient_scope".*scope="pages:write"/);
    expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`);
    const client = await connect({ url: service.url, apiKey });
    await expect(client.readResource({ uri: "imprint://pages/one" })).rejects.toThrow();
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["imprint://sites"]);
  });
});

describe("a web page", () => {
  it("of the service itself, or of an origin that was allowed, may call and read the answer", async () => {
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

  it.each(["https://evil.example", "null", "http://localhost:1", ""])("of %j is refused", async (origin) => {
    const service = await openRunningService();
    const answer = await post(service, toolCall("pages_list"), { Origin: origin });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "forbidden_origin" });
    expect(answer.headers.has("Access-Control-Allow-Origin")).toBe(false);
  });

  it("that the service publishes is refused, although its host is a loopback address too", async () => {
    const service = await openRunningService();
    const answer = await post(service, toolCall("pages_list"), { Origin: service.pagesUrl });
    expect(answer.status).toBe(403);
  });

  it.each(["evil.example", "evil.example:4400", "localhost.evil.example"])(
    "that was reached by the name %s is refused before its key is looked at",
    async (host) => {
      const service = openService();
      const request = new Request(`${service.url}/mcp`, { method: "POST", body: "{}", headers: { Host: host } });
      const answer = await service.fetch(request);
      expect(answer.status).toBe(421);
    },
  );

  it("can't be allowed by what is no origin", () => {
    expect(() => openService({ mcpOrigins: ["http://localhost:6274/"] })).toThrow(/not an origin/);
  });
});

describe("the endpoint", () => {
  it("counts calls as the routes do", async () => {
    const service = await openRunningService({ rateLimit: { perKey: 2 } });
    expect((await post(service, toolCall("pages_list"))).status).toBe(200);
    expect((await post(service, toolCall("pages_list"))).headers.get("RateLimit")).toMatch(/r=0/);
    const answer = await post(service, toolCall("pages_list"));
    expect(answer.status).toBe(429);
    expect(answer.headers.has("Retry-After")).toBe(true);
  });

  it("names the tool in the request log, and nothing of what was sent", async () => {
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

  it("is not there in strict mode", async () => {
    const service = await openRunningService({ strict: true });
    expect((await post(service, ping)).status).toBe(404);
  });

  it("keeps nothing between two requests: one process may shake hands and another answer", async () => {
    const [first, second] = [await openRunningService(), await openRunningService()];
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const answer = await post(first, { jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
    expect(answer.headers.has("Mcp-Session-Id")).toBe(false);
    expect((await post(second, toolCall("pages_list"))).status).toBe(200);
  });
});
