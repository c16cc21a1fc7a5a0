// A minimal target for a publisher: stores and returns records in memory without work of its own, so that only the
// publisher is measured. Offers route set A without extensions. It can fail a share of its requests, the same ones in
// every run, or all beyond a rate. Creations never fail, because no client repeats them, and a run without its site
// would measure nothing.
import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

interface Wish {
  readonly latencyMs: number;
  /** Share of requests that get a 500, 503 or 429, every other one with `Retry-After: 1`. */
  readonly faults?: number;
  /** Requests beyond this rate get a 429. */
  readonly perSecond?: number;
  /** Whether that includes `Retry-After: 1`. */
  readonly isTelling?: boolean;
}

interface Refusal {
  readonly status: number;
  readonly isTelling: boolean;
}

const wish: Wish = JSON.parse(process.argv[2] ?? "{}");
const { latencyMs, faults = 0, perSecond = Number.POSITIVE_INFINITY, isTelling = false } = wish;
const pages = new Map<string, { readonly id: string; readonly slug: string; readonly url: string }>();
/** The body that was sent for each page, parsed when the page is opened. */
const sent = new Map<string, Buffer>();
const files = new Map<string, { readonly id: string; readonly url: string; readonly name: string }>();
const sites: object[] = [];
/** The body that was sent for each file, parsed when it is opened. */
const uploads = new Map<string, () => Promise<File>>();
const refusals: Refusal[] = [];
let [count, second, countInSecond] = [0, 0, 0];
let origin = "";

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const [body] = await Promise.all([buffer(request), sleep(latencyMs)]);
  const { pathname } = new URL(url, origin);
  if (pathname === "/api/_requests") return send(response, 200, refusals);
  const refusal = method === "POST" ? undefined : findRefusal();
  if (refusal !== undefined) return refuse(response, refusal);
  const [, room, kind, name = ""] = pathname.split("/");
  const upload = room === "library" ? uploads.get(kind ?? "") : undefined;
  if (upload !== undefined) {
    const file = await upload();
    response.writeHead(200, { "content-type": file.type, "access-control-allow-origin": "*" });
    return void response.end(new Uint8Array(await file.arrayBuffer()));
  }
  const opened = room === "p" ? sent.get(kind ?? "") : undefined;
  if (opened !== undefined) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    return void response.end(JSON.parse(opened.toString()).html);
  }
  if (kind === "library" && method === "POST") return send(response, 201, keepFile(body, headers["content-type"]));
  if (kind === "library") return send(response, 200, { data: [...files.values()], nextCursor: null });
  if (kind === "pages" && method === "PUT") {
    const page = { id: `pg_${name}`, slug: name, url: `/edit/pg_${name}` };
    pages.set(name, page);
    sent.set(name, body);
    return send(response, 201, page);
  }
  const page = kind === "pages" ? pages.get(name) : undefined;
  if (page !== undefined) return send(response, 200, page);
  if (kind === "pages" && name === "") return send(response, 200, { data: [...pages.values()], nextCursor: null });
  if (kind === "sites" && method === "POST") sites.push({ id: "st_1", ...JSON.parse(body.toString()) });
  if (kind === "sites" && method === "POST") return send(response, 201, sites[0] ?? {});
  if (kind === "sites") return send(response, 200, { data: sites, nextCursor: null });
  send(response, 404, { title: "There is no such route." });
}

function findRefusal(): Refusal | undefined {
  count += 1;
  const at = Math.floor(performance.now() / 1000);
  [second, countInSecond] = [at, at === second ? countInSecond + 1 : 1];
  if (countInSecond > perSecond) return { status: 429, isTelling };
  const dice = hash("sha256", String(count), "buffer");
  if (dice.readUInt32BE() >= faults * 2 ** 32) return undefined;
  return { status: [500, 503, 429][dice.readUInt8(4) % 3] ?? 500, isTelling: dice.readUInt8(5) % 2 === 0 };
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  refusals.push(refusal);
  response.writeHead(refusal.status, refusal.isTelling ? { "retry-after": "1" } : {});
  response.end();
}

function keepFile(body: Buffer, type = ""): { readonly id: string; readonly url: string } {
  const id = `as_${files.size}`;
  const url = `${origin}/library/${id}`;
  const [, name = ""] = /filename="([^"]*)"/.exec(body.toString("latin1", 0, 400)) ?? [];
  files.set(id, { id, url, name });
  uploads.set(id, async () => {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    if (!(file instanceof File)) throw new Error(`The upload of ${name} has no file.`);
    return file;
  });
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
