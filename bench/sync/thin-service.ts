// The least that a publisher can publish to: it keeps records in memory and does no work of its own, so that what is
// measured is the publisher. It speaks route set A without anything that the specification does not show.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const { latencyMs }: { readonly latencyMs: number } = JSON.parse(process.argv[2] ?? "{}");
const pages = new Map<string, { readonly id: string; readonly slug: string; readonly url: string }>();
const files = new Map<string, { readonly id: string; readonly url: string; readonly name: string }>();
const probes = new Map<string, File>();
let origin = "";

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const [body] = await Promise.all([buffer(request), sleep(latencyMs)]);
  const { pathname } = new URL(url, origin);
  const [, room, kind, name = ""] = pathname.split("/");
  const probe = room === "library" ? probes.get(kind ?? "") : undefined;
  if (probe !== undefined) {
    response.writeHead(200, { "content-type": probe.type, "access-control-allow-origin": "*" });
    return void response.end(new Uint8Array(await probe.arrayBuffer()));
  }
  if (kind === "library" && method === "POST")
    return send(response, 201, await keepFile(body, headers["content-type"]));
  if (kind === "library") return send(response, 200, { data: [...files.values()], nextCursor: null });
  if (kind === "pages" && method === "PUT") {
    const page = { id: `pg_${name}`, slug: name, url: `/edit/pg_${name}` };
    pages.set(name, page);
    return send(response, 201, page);
  }
  if (kind === "pages") return send(response, 200, { data: [...pages.values()], nextCursor: null });
  if (kind === "sites" && method === "POST") return send(response, 201, { id: "st_1", name: "Bench" });
  if (kind === "sites") return send(response, 200, { data: [], nextCursor: null });
  send(response, 404, { title: "There is no such route." });
}

async function keepFile(body: Buffer, type = ""): Promise<{ readonly id: string; readonly url: string }> {
  const id = `as_${files.size}`;
  const url = `${origin}/library/${id}`;
  const [, name = ""] = /filename="([^"]*)"/.exec(body.toString("latin1", 0, 400)) ?? [];
  files.set(id, { id, url, name });
  if (name.startsWith("imprint-probe.")) {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    if (file instanceof File) probes.set(id, file);
  }
  return { id, url };
}

function send(response: ServerResponse, status: number, record: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(record));
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  process.send?.({ baseUrl: origin, pagesUrl: origin, apiKey: "bench" });
});
process.once("SIGTERM", () => process.exit(0));
