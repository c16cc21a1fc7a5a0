import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/service/host/listen.ts";
import { createSplitService } from "../../../src/service/service.ts";
import { clientOf } from "../open-service.ts";
import { openSocket, readAll } from "./raw-socket.ts";

const SENDERS = 20;

/** A service with short timeouts; the real ones are in `listen.ts`. */
async function listenImpatiently() {
  const pace = { windowMs: 600, bytesPerWindow: 600 };
  const allowance = { headersTimeout: 300, connectionsCheckingInterval: 50, pace };
  const listener = await listen({ port: 0, hostname: "127.0.0.1", allowance });
  onTestFinished(() => listener.close());
  return { listener, port: listener.port };
}

async function openImpatient() {
  const { listener } = await listenImpatiently();
  const addresses = { appUrl: `http://localhost:${listener.port}`, pagesUrl: "http://127.0.0.1:1" };
  const service = createSplitService({ ephemeral: true, dev: true }, addresses);
  onTestFinished(() => service.close());
  listener.serve((await service.open()).app);
  return { service, port: listener.port };
}

/** Sends the start of a request at once and then single bytes at intervals, until the connection is closed. */
async function sendSlowly(port: number, start: string): Promise<string> {
  const socket = await openSocket(port);
  socket.write(start);
  const trickle = setInterval(() => socket.write("a"), 20);
  const answer = await readAll(socket);
  clearInterval(trickle);
  return answer;
}

function putPage(apiKey: string, length: number): string {
  return `PUT /a/api/pages/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
}

describe("a slow connection", () => {
  it("can take many intervals for a request, if something arrives in each", async () => {
    const { service, port } = await openImpatient();
    const body = JSON.stringify({ html: `<p>${"word ".repeat(2000)}</p>` });
    const socket = await openSocket(port);
    const answer = readAll(socket);
    socket.write(putPage(service.apiKey, body.length));
    const parts = body.match(/.{1,500}/g) ?? [];
    for (const part of parts) {
      socket.write(part);
      await delay(120);
    }
    expect((await answer).slice(0, 12)).toBe("HTTP/1.1 201");
  });

  it("can pause for less than an interval, and stay silent while the service is working", async () => {
    const { service, port } = await openImpatient();
    const body = JSON.stringify({ html: "<p>Half</p>".repeat(300) });
    const socket = await openSocket(port);
    const answer = readAll(socket);
    socket.write(putPage(service.apiKey, body.length) + body.slice(0, 1000));
    await delay(400);
    socket.write(body.slice(1000));
    expect((await answer).slice(0, 12)).toBe("HTTP/1.1 201");
  });
});

it("a client that never reads its large responses is disconnected", async () => {
  const { listener, port } = await listenImpatiently();
  const body = Buffer.alloc(4_000_000);
  listener.serve({ fetch: async () => new Response(), findAnswer: async () => ({ status: 200, headers: {}, body }) });
  const socket = await openSocket(port);
  socket.pause();
  const ask = (connection: string) => `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  // More than the system's buffers can hold.
  socket.write(ask("keep-alive").repeat(19) + ask("close"));
  await delay(3000);
  socket.resume();
  const taken = await readAll(socket);
  expect(taken.split("HTTP/1.1 200").length - 1).toBeLessThan(20);
});

describe("clients that never finish", () => {
  it.each([
    ["their headers", () => "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    [
      "their body",
      (apiKey: string) =>
        `PUT /a/api/pages/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"html":"`,
    ],
    [
      "a body for a lazily loaded route",
      (apiKey: string) =>
        `PUT /a/api/_faults HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"a":"`,
    ],
  ])("%s are disconnected, while others are served", async (_, start) => {
    const { service, port } = await openImpatient();
    const slow = Array.from({ length: SENDERS }, () => sendSlowly(port, start(service.apiKey)));
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    expect((await send("PUT", "/api/pages/quick", { json: { html: "<p>1</p>" } })).status).toBe(201);
    const answers = await Promise.all(slow);
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
    expect((await send("GET", "/api/pages")).items).toMatchObject([{ slug: "quick" }]);
  });

  it("or never start a request are disconnected, too", async () => {
    const { port } = await openImpatient();
    const socket = await openSocket(port);
    socket.resume();
    await once(socket, "close");
    expect(socket.readableEnded).toBe(true);
  });
});
