import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/service/host/listen.ts";
import { createSplitService } from "../../../src/service/service.ts";
import { clientOf } from "../open-service.ts";
import { openSocket, readAll } from "./raw-socket.ts";

const SENDERS = 20;

/** A service that has little patience; what it allows in earnest is in `listen.ts`. */
async function openImpatient() {
  const allowance = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
  const listener = await listen({ port: 0, hostname: "127.0.0.1", allowance });
  onTestFinished(() => listener.close());
  const addresses = { appUrl: `http://localhost:${listener.port}`, pagesUrl: "http://127.0.0.1:1" };
  const service = createSplitService({ ephemeral: true, dev: true }, addresses);
  onTestFinished(() => service.close());
  listener.serve((await service.open()).app);
  return { service, port: listener.port };
}

/** Sends the start of a request at once and then a byte now and then, until the connection is cut off. */
async function sendSlowly(port: number, start: string): Promise<string> {
  const socket = await openSocket(port);
  socket.write(start);
  const trickle = setInterval(() => socket.write("a"), 20);
  const answer = await readAll(socket);
  clearInterval(trickle);
  return answer;
}

describe("senders that take for ever", () => {
  it.each([
    ["over their headers", () => "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    [
      "over their body",
      (apiKey: string) =>
        `PUT /a/api/pages/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"html":"`,
    ],
    [
      "over a body of a cold route",
      (apiKey: string) =>
        `PUT /a/api/_faults HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"a":"`,
    ],
  ])("%s are cut off, and the others are served meanwhile", async (_, start) => {
    const { service, port } = await openImpatient();
    const slow = Array.from({ length: SENDERS }, () => sendSlowly(port, start(service.apiKey)));
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    expect((await send("PUT", "/api/pages/quick", { json: { html: "<p>1</p>" } })).status).toBe(201);
    const answers = await Promise.all(slow);
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
    expect((await send("GET", "/api/pages")).items).toMatchObject([{ slug: "quick" }]);
  });

  it("before they say anything at all are cut off too", async () => {
    const { port } = await openImpatient();
    const socket = await openSocket(port);
    socket.resume();
    await once(socket, "close");
    expect(socket.readableEnded).toBe(true);
  });
});
