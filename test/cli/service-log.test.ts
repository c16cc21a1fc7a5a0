import { describe, expect, it } from "vitest";
import { createServiceLogger, type ServiceLogOptions } from "../../src/cli/service-log.ts";
import { createService } from "../../src/service.ts";
import { clientOf } from "../service/open-service.ts";

const NOW = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));

function openLog({ format = "json", level = "info" }: Partial<ServiceLogOptions>) {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  const context = { cwd: "/", environment: {}, out: { write: () => {} }, error: stream };
  return { lines, logger: createServiceLogger(context, { format, level, now: () => NOW }) };
}

/** The service's log after these requests. */
async function logOf(
  options: Partial<ServiceLogOptions>,
  requests: (send: ReturnType<typeof clientOf>) => Promise<unknown>,
) {
  const { lines, logger } = openLog(options);
  const service = createService({ ephemeral: true, logger });
  await requests(clientOf(service, { routeSet: "b" }));
  await service.close();
  return lines;
}

describe("the service's log", () => {
  it("writes a request as a JSON object", async () => {
    const lines = await logOf({}, (send) => send("GET", "/api/pages?q=x", { headers: { "X-Request-Id": "run-7" } }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    const line: unknown = JSON.parse(lines[0] ?? "");
    expect(line).toEqual({
      ...{ time: "2026-01-02T03:04:05.000Z", level: "info", message: "GET /b/api/pages 200", event: "request" },
      ...{ method: "GET", path: "/b/api/pages", status: 200, ms: expect.any(Number), requestId: "run-7" },
      ...{ routeSet: "b", operation: "pages.list", keyId: "handle" },
    });
  });

  it("writes a request as a line of text", async () => {
    const lines = await logOf({ format: "text" }, (send) => send("PUT", "/api/pages/ONE", { json: { html: "<p>" } }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^2026-01-02T03:04:05\.000Z 422 PUT {4}\/b\/api\/pages\/ONE [\d.]+ ms invalid_slug\n$/);
  });

  it("contains the tool that a model called, and its error code", async () => {
    const { lines, logger } = openLog({ format: "text" });
    const service = createService({ ephemeral: true, logger });
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "pages_get", arguments: { slug: "nothing" }, _meta };
    const request = new Request(`${service.url}/mcp`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      headers: {
        ...{ Authorization: `Bearer ${service.apiKey}`, "Content-Type": "application/json" },
        ...{ Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28" },
        ...{ "Mcp-Method": "tools/call", "Mcp-Name": "pages_get" },
      },
    });
    expect(await (await service.fetch(request)).text()).toContain("page_not_found");
    await service.close();
    expect(lines[0]).toMatch(/ 200 POST {3}\/mcp mcp:pages_get [\d.]+ ms page_not_found\n$/);
  });

  it("omits entries below the log level", async () => {
    expect(await logOf({ level: "error" }, (send) => send("GET", "/api/nothing"))).toEqual([]);
  });

  it("never contains a key, a query, a body, or a cookie", async () => {
    const secret = "imp_live_S3cretS3cretS3cretS3_aaaaaa";
    for (const format of ["json", "text"] as const) {
      const lines = await logOf({ format, level: "debug" }, async (send) => {
        const headers = { Cookie: `imprint_session=${secret}`, "X-Request-Id": secret };
        await send("PUT", `/api/pages/${secret}?code=${secret}`, { apiKey: secret, headers, json: { html: secret } });
        await send("POST", "/oauth/token", {
          apiKey: null,
          body: `client_secret=${secret}&code=ac_${secret}`,
          headers,
        });
        await send("PUT", "/api/pages/one", { json: { html: "<p>", [secret]: secret } });
      });
      expect(lines.filter((line) => !line.includes("Did "))).toHaveLength(3);
      expect(lines.join("")).not.toContain("S3cret");
    }
  });

  it("prevents callers from injecting lines", () => {
    const { lines, logger } = openLog({ format: "text" });
    logger.info("first\nsecond\u001b[2J");
    expect(lines).toEqual(["2026-01-02T03:04:05.000Z info  first second [2J\n"]);
  });
});
