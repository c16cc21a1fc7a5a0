import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/service.ts";
import { clientOf, openRunningService, openService } from "./open-service.ts";
import { IS_WHOLE, takeTurns } from "../whole.ts";

const PUT_ONE = { json: { html: "<p>1</p>" } };

const TRANSPORTS = ["in process", "over HTTP"] as const;
const inTurn = takeTurns(TRANSPORTS);

describe.each(TRANSPORTS)("injected faults, %s", (transport) => {
  const isTurn = inTurn(transport);

  async function open(...rules: readonly { operation: string; fault: Fault; count?: number; skip?: number }[]) {
    const service = transport === "in process" ? openService() : await openRunningService();
    service.setFaults({ rules });
    return { service, send: clientOf(service, { routeSet: "a", transport, document: "ignored" }) };
  }

  it.runIf(isTurn())("drop the connection before the request is handled", async () => {
    const { send } = await open({ operation: "pages.put", count: 1, fault: { kind: "refuse" } });
    await expect(send("PUT", "/api/pages/one", PUT_ONE)).rejects.toThrow("fetch failed");
    expect((await send("GET", "/api/pages")).items).toHaveLength(0);
  });

  it.runIf(isTurn())("drop the connection before the change is stored", async () => {
    const { send } = await open({ operation: "pages.put", fault: { kind: "reset", when: "before-commit" } });
    await expect(send("PUT", "/api/pages/one", PUT_ONE)).rejects.toThrow("fetch failed");
    expect((await send("GET", "/api/pages")).items).toHaveLength(0);
  });

  it.runIf(isTurn())("drop the connection after the change is stored", async () => {
    const { send } = await open({ operation: "pages.put", fault: { kind: "reset", when: "after-commit" } });
    await expect(send("PUT", "/api/pages/one", PUT_ONE)).rejects.toThrow("fetch failed");
    expect((await send("GET", "/api/pages")).items).toHaveLength(1);
  });

  it.runIf(isTurn())("return a status without handling the request", async () => {
    const fault = { kind: "status", status: 503, retryAfterSeconds: 2, body: "busy" } as const;
    const { send } = await open({ operation: "pages.put", fault });
    const { status, headers, text } = await send("PUT", "/api/pages/one", PUT_ONE);
    expect([status, headers.get("Retry-After"), text]).toEqual([503, "2", "busy"]);
    expect((await send("GET", "/api/pages")).items).toHaveLength(0);
  });

  it.runIf(isTurn())("redirect", async () => {
    const fault = { kind: "redirect", location: "http://127.0.0.1:9/elsewhere", status: 307 } as const;
    const { send } = await open({ operation: "pages.list", fault });
    const { status, headers } = await send("GET", "/api/pages");
    expect([status, headers.get("Location")]).toEqual([307, "http://127.0.0.1:9/elsewhere"]);
  });

  it.runIf(isTurn())("cut off the response", async () => {
    const { send } = await open({ operation: "pages.list", fault: { kind: "truncate" } });
    await expect(send("GET", "/api/pages")).rejects.toThrow("terminated");
  });

  it.runIf(isTurn())("return a response that isn't JSON", async () => {
    const { send } = await open({ operation: "pages.list", fault: { kind: "malformed-json" } });
    await expect(send("GET", "/api/pages")).rejects.toThrow(SyntaxError);
  });

  it.runIf(isTurn())("never respond, until the client aborts", async () => {
    const { service } = await open({ operation: "pages.list", fault: { kind: "hang" } });
    const controller = new AbortController();
    const request = new Request(`${service.baseUrl("a")}/api/pages`, {
      headers: { Authorization: `Bearer ${service.apiKey}` },
      signal: controller.signal,
    });
    const answer = transport === "in process" ? service.fetch(request) : fetch(request);
    controller.abort();
    await expect(answer).rejects.toThrow("aborted");
  });

  it.runIf(isTurn())("affect the given number of requests after skipping the given number", async () => {
    const fault = { kind: "status", status: 500 } as const;
    const { send } = await open({ operation: "pages.list", skip: 1, count: 2, fault });
    const statuses = [];
    for (let index = 0; index < 5; index++) statuses.push((await send("GET", "/api/pages")).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
  });

  it.runIf(isTurn())("appear in the request log, with status 0 if there was no response", async () => {
    const { service, send } = await open({ operation: "pages.list", count: 1, fault: { kind: "refuse" } });
    await expect(send("GET", "/api/pages")).rejects.toThrow();
    await send("GET", "/api/pages");
    expect(service.requests().map(({ status }) => status)).toEqual([0, 200]);
  });
});

describe("injected faults", () => {
  it("can be set by path, including pages and files, and cleared", async () => {
    const service = await openRunningService();
    service.setFaults({ rules: [{ path: "/p/*", method: "get", fault: { kind: "status", status: 502 } }] });
    expect((await fetch(`${service.pagesUrl}/p/one`)).status).toBe(502);
    service.setFaults({});
    expect((await fetch(`${service.pagesUrl}/p/one`)).status).toBe(404);
  });

  it.runIf(IS_WHOLE)("don't keep the service from closing while a connection hangs", async () => {
    const service = await openRunningService();
    service.setFaults({ rules: [{ fault: { kind: "hang" } }] });
    const answer = fetch(`${service.pagesUrl}/p/one`);
    answer.catch(() => {});
    await expect
      .poll(() => fetch(`${service.url}/api/_requests`, auth(service.apiKey)).then(({ status }) => status))
      .toBe(200);
    await service.close();
    await expect(answer).rejects.toThrow();
  });

  it("reject requests beyond the concurrency limit", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    service.setFaults({ maxConcurrent: 2, latencyMs: 20 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send("GET", "/api/pages")));
    expect(answers.map(({ status }) => status).filter((status) => status === 503).length).toBeGreaterThan(0);
    expect(answers.find(({ status }) => status === 503)?.headers.get("Retry-After")).toBe("1");
  });
});

function auth(apiKey: string): RequestInit {
  return { headers: { Authorization: `Bearer ${apiKey}` } };
}
