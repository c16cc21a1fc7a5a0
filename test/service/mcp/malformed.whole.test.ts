import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTools } from "../../../src/service/mcp/tools.ts";
import { openRunningService } from "../open-service.ts";
import { post, toolCall } from "./connect.ts";

const names = createTools().map(({ name }) => name);
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const method = fc.oneof(
  fc.constantFrom(
    ...["initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "server/discover"],
    ...["resources/templates/list", "completion/complete", "notifications/initialized", "prompts/get", "__proto__"],
  ),
  fc.string(),
);
const given = fc.oneof(
  fc.constantFrom(
    { slug: "one" },
    { slug: "one", html: "<p>" },
    { limit: -1 },
    { cursor: "x" },
    { idempotencyKey: "é" },
  ),
  fc.dictionary(fc.constantFrom("slug", "html", "limit", "from", "url", "name", "blogId", "tags"), fc.jsonValue()),
  fc.jsonValue(),
);
const params = fc.oneof(
  fc.record({ name: fc.oneof(fc.constantFrom(...names, "constructor", "__proto__"), fc.string()), arguments: given }),
  fc.record({
    uri: fc.oneof(fc.constantFrom("imprint://pages/%", "imprint://pages/", "imprint://sites"), fc.string()),
  }),
  fc.record({ cursor: fc.string() }),
  fc.jsonValue(),
);
const message = fc.oneof(
  fc.record(
    { jsonrpc: fc.constantFrom("2.0", "1.0"), id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()), method, params },
    { requiredKeys: [] },
  ),
  fc
    .record({
      jsonrpc: fc.constant("2.0"),
      id: fc.integer(),
      method,
      params: fc.record({ name: fc.constantFrom(...names), arguments: given }),
    })
    .map((each) => ({ ...each, params: { ...each.params, _meta: meta } })),
  fc.jsonValue(),
);
const body = fc.oneof(
  message.map((each) => JSON.stringify(each)),
  fc.string(),
  fc.string({ unit: "binary" }),
);
const headers = fc.record(
  {
    "Content-Type": fc.constantFrom("application/json", "text/plain", "application/json; charset=utf-16", ";"),
    Accept: fc.constantFrom("application/json", "*/*", "application/json, text/event-stream", "nothing"),
    "MCP-Protocol-Version": fc.constantFrom("2026-07-28", "2025-06-18", "1", "é"),
    "Mcp-Method": fc.constantFrom("tools/call", "tools/list", "x"),
    "Mcp-Name": fc.constantFrom("pages_list", "x"),
    "Mcp-Session-Id": fc.constantFrom("x"),
    "Last-Event-ID": fc.constantFrom("1"),
  },
  { requiredKeys: [] },
);

describe("a malformed message", () => {
  it("is rejected and never crashes the service", async () => {
    const service = await openRunningService();
    await fc.assert(
      fc.asyncProperty(body, headers, async (text, sent) => {
        const answer = await post(service, text, sent);
        expect(answer.status).toBeLessThan(500);
        expect(await answer.text()).not.toMatch(/\\"code\\":\\"internal|node_modules|SQLITE/);
      }),
      { numRuns: 1500 },
    );
  }, 120_000);

  it.each([
    ["arrays", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["objects", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`],
    ["arguments", JSON.stringify(toolCall("pages_list")).replace("{}}", `${"[".repeat(100)}${"]".repeat(100)}}`)],
    ["unclosed brackets", "[".repeat(1_000_000)],
  ])("of nested %s is rejected", async (_, text) => {
    const service = await openRunningService();
    const answer = await post(service, text);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32_600, message: expect.stringMatching(/nested/) } });
  });

  it("can contain brackets in its texts", async () => {
    const service = await openRunningService();
    const html = `<p>"\\${"[{".repeat(500)}`;
    const answer = await post(service, toolCall("pages_put", { slug: "one", html }));
    expect(answer.status).toBe(200);
    // The response may start before the tool is done.
    await answer.text();
    expect(await (await fetch(`${service.pagesUrl}/p/one`)).text()).toBe(html);
  });

  it("larger than a page may be is rejected", async () => {
    const service = await openRunningService({ limits: { maxJsonBodyBytes: 1000 } });
    const answer = await post(service, toolCall("pages_put", { slug: "one", html: "x".repeat(100_000) }));
    expect(answer.status).toBe(413);
  });

  it("that is a batch is rejected", async () => {
    const service = await openRunningService();
    const answer = await post(service, [toolCall("pages_list"), toolCall("pages_list")]);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/batch/) } });
  });

  it.each(["GET", "DELETE", "PUT"])("with the method %s is rejected, because there are no sessions", async (method) => {
    const service = await openRunningService();
    const answer = await fetch(`${service.url}/mcp`, {
      method,
      headers: { Authorization: `Bearer ${service.apiKey}`, Accept: "text/event-stream" },
    });
    expect(answer.status).toBe(405);
  });
});
