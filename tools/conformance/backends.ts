import { sha256 } from "../../src/base/hash.ts";
import { formatApiKey, RANDOM_BYTES } from "../../src/contract/api-key.ts";
import { startService } from "../../src/service.ts";
import { createAppHost } from "../../src/service/host/app-host.ts";
import { HANDLERS } from "../../src/service/api/handlers/all.ts";
import { openCore } from "../../src/service/host/core.ts";
import { createHostHandler, createRequestIds } from "../../src/service/host/handler.ts";
import { listen } from "../../src/service/host/listen.ts";
import { createMcpEndpoint } from "../../src/service/mcp/endpoint.ts";
import { resolveSettings } from "../../src/service/host/options.ts";
import { createFixtureServer } from "./fixture-server.ts";
import type { Backend } from "./subject.ts";

/** Starts the regular service. */
export async function openProduct(appUrl: string): Promise<Backend> {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, appUrl });
  return { port: service.port, apiKey: service.apiKey, close: () => service.close() };
}

/**
 * Starts the same listener, host, authentication and MCP endpoint, with the suite's tools, resources and prompts in
 * place of the product's.
 */
export async function openFixture(appUrl: string): Promise<Backend> {
  const settings = resolveSettings({ ephemeral: true, background: false });
  const apiKey = formatApiKey("dev", settings.random(RANDOM_BYTES));
  const addresses = { appUrl, pagesUrl: "http://127.0.0.1:1" };
  const core = await openCore(settings, { addresses, handlers: HANDLERS, handleKeyHash: sha256(apiKey) });
  const host = { ...createAppHost(core), answer: createMcpEndpoint(core, createFixtureServer) };
  const handler = createHostHandler(host, {
    now: core.now,
    newRequestId: createRequestIds(settings.random),
    onAnswered() {},
  });
  const listener = await listen({ port: 0, hostname: "127.0.0.1" });
  listener.serve(handler);
  return {
    ...{ port: listener.port, apiKey },
    async close() {
      await listener.close();
      await core.close();
    },
  };
}
