// An in-memory target for rclone and wrangler that does no work of its own: an S3 bucket that accepts any signature,
// and the part of Cloudflare's API that `wrangler pages deploy` uses.
import { hash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

interface Answer {
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const { latencyMs }: { readonly latencyMs: number } = JSON.parse(process.argv[2] ?? "{}");
const bucket = new Map<string, { readonly size: number; readonly md5: string }>();
const deployed = new Set<string>();

const server = createServer(async (request, response) => {
  const [body] = await Promise.all([buffer(request), sleep(latencyMs)]);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://host");
  const { type, text, headers } = pathname.startsWith("/bench")
    ? answerS3(request, { pathname, after: searchParams.get("marker") ?? "", body })
    : answerPages(pathname, body);
  response.writeHead(200, { "content-type": type, ...headers }).end(text);
});

const LISTED = 1000;

function answerS3(
  { method }: IncomingMessage,
  { pathname, after, body }: { readonly pathname: string; readonly after: string; readonly body: Buffer },
): Answer {
  const key = decodeURIComponent(pathname.slice("/bench/".length));
  if (method === "PUT") {
    const md5 = hash("md5", body);
    bucket.set(key, { size: body.length, md5 });
    return { type: "application/xml", text: "", headers: { etag: `"${md5}"` } };
  }
  const keys = [...bucket.keys()].toSorted().filter((name) => name > after);
  const rows = keys.slice(0, LISTED).map((name) => {
    const { size = 0, md5 = "" } = bucket.get(name) ?? {};
    return `<Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"${md5}"</ETag><Size>${size}</Size></Contents>`;
  });
  const next = keys.length > LISTED ? `<NextMarker>${keys[LISTED - 1]}</NextMarker>` : "";
  const head = `<Name>bench</Name><IsTruncated>${next !== ""}</IsTruncated>${next}`;
  return { type: "application/xml", text: `<ListBucketResult>${head}${rows.join("")}</ListBucketResult>` };
}

function answerPages(pathname: string, body: Buffer): Answer {
  return {
    type: "application/json",
    text: JSON.stringify({ success: true, errors: [], messages: [], result: find() }),
  };

  function find(): unknown {
    if (pathname.endsWith("/upload-token")) return { jwt: tokenForAnHour() };
    if (pathname.endsWith("/check-missing")) {
      const { hashes }: { readonly hashes: readonly string[] } = JSON.parse(body.toString());
      return hashes.filter((each) => !deployed.has(each));
    }
    if (pathname.endsWith("/assets/upload")) {
      const files: readonly { readonly key: string }[] = JSON.parse(body.toString());
      for (const { key } of files) deployed.add(key);
      return null;
    }
    if (pathname.includes("/deployments")) {
      return { id: "1", url: "http://bench.example", latest_stage: { name: "deploy", status: "success" } };
    }
    return pathname.includes("/projects/")
      ? { name: "bench", production_branch: "main", deployment_configs: { production: {}, preview: {} } }
      : null;
  }
}

function tokenForAnHour(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode({ exp: Math.floor(Date.now() / 1000) + 3600 })}.`;
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  process.send?.({ baseUrl, pagesUrl: baseUrl, apiKey: "bench" });
});
process.once("SIGTERM", () => process.exit(0));
