import { createServer } from "node:http";
import { createServer as createSocketServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { RequestEvent } from "../../../src/client.ts";
import { sendPlainly } from "../../../src/client/transport/plain.ts";
import { testClient } from "../clients.ts";
import { listen } from "../host.ts";

// Less than a kept-alive connection stays idle, so that a request which waits for that fails.
const TIMEOUT_MS = 3500;

describe("a host that serves one connection at a time, and keeps it open", () => {
  it("responds to all requests at their first attempt, also to visits of its pages", async () => {
    const { baseUrl } = await startSerialHost();
    const events: RequestEvent[] = [];
    const api = testClient({ baseUrl, timeoutMs: TIMEOUT_MS, onRequest: (event) => events.push(event) });
    const visit = async (slug: string) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return (await sendPlainly(`${baseUrl}/p/${slug}`, { headers: {}, redirect: "error", signal })).status;
    };
    const slugs = Array.from({ length: 20 }, (_, number) => `page-${number}`);
    const pages = await Promise.all(slugs.map((slug) => api.pages.get(slug)));
    expect(pages.map((page) => page?.slug)).toEqual(slugs);
    for (const part of [slugs.slice(0, 4), slugs.slice(4, 8), slugs.slice(8)]) {
      expect(await Promise.all(part.map(visit))).toEqual(part.map(() => 200));
      expect(await Promise.all(part.map(async (slug) => (await api.pages.get(slug))?.slug))).toEqual(part);
    }
    expect(events.filter(({ failure, attempt }) => failure !== undefined || attempt > 1)).toEqual([]);
  });
});

/** Like small development servers: the next connection is accepted once the one before it is closed. */
async function startSerialHost() {
  const http = createServer((request, response) => {
    const slug = request.url?.split("/").at(-1);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: `pg_${slug}`, slug, url: `/edit/pg_${slug}` }));
  });
  http.keepAliveTimeout = 0;
  const accepted: Socket[] = [];
  const serveNext = () => {
    const [socket] = accepted;
    if (socket === undefined) return;
    http.emit("connection", socket);
    socket.resume();
  };
  const server = createSocketServer({ pauseOnConnect: true }, (socket) => {
    accepted.push(socket);
    socket.once("close", () => {
      accepted.splice(accepted.indexOf(socket), 1);
      serveNext();
    });
    if (accepted.length === 1) serveNext();
  });
  return { baseUrl: `http://127.0.0.1:${await listen(server)}` };
}
