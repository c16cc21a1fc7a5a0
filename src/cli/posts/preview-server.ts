import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ImprintError } from "../../base/error.ts";
import type { PostsPreview } from "./preview-posts.ts";

/** A local web server that shows posts as they are in the folder, and shows them anew when they change. */
export interface PreviewServer {
  readonly url: string;
  /** Shows these posts from now on; pages that are open load themselves again. */
  show(preview: PostsPreview): void;
  close(): Promise<void>;
}

/**
 * Opens the server on this machine only.
 *
 * @throws ImprintError `PORT_TAKEN` when the port is in use
 */
export async function openPreviewServer(port: number): Promise<PreviewServer> {
  let shown: PostsPreview | undefined;
  const readers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    // Not by `URL`, which throws on a path such as `//`: any page in the browser could end the preview with it.
    const [path = "/"] = (request.url ?? "/").split("?");
    if (!isLocalHost(request)) return void response.writeHead(421).end();
    if (path === "/_changes") return listen(response, readers);
    answer(path, { response, preview: shown }).catch(() => response.writeHead(500).end());
  });
  const failed = once(server, "error").then(([error]) => Promise.reject(error));
  server.listen(port, "127.0.0.1");
  await Promise.race([once(server, "listening"), failed]).catch((error: unknown) => {
    throw new ImprintError("PORT_TAKEN", `The preview can't listen on port ${port}.`, { cause: error });
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}/`,
    show(preview) {
      shown = preview;
      for (const reader of readers) reader.write("data: changed\n\n");
    },
    async close() {
      for (const reader of readers) reader.end();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

// A page of another site must not read drafts by giving its own name to this address.
function isLocalHost({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? "");
}

function listen(response: ServerResponse, readers: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).write(": open\n\n");
  readers.add(response);
  response.on("close", () => readers.delete(response));
}

interface Answer {
  readonly response: ServerResponse;
  readonly preview: PostsPreview | undefined;
}

async function answer(path: string, { response, preview }: Answer): Promise<void> {
  const [, hash] = /^\/_image\/([0-9a-f]{64})$/.exec(path) ?? [];
  const image = hash === undefined ? undefined : preview?.image(hash);
  if (image !== undefined) {
    const bytes = await readFile(image.path);
    return void response.writeHead(200, { "content-type": image.contentType }).end(bytes);
  }
  const html = path === "/" ? preview?.list() : preview?.page(decodeURIComponent(path.slice(1)));
  const status = html === undefined ? 404 : 200;
  const body = html ?? "<!doctype html><title>No such post</title><p>There is no such post. <a href='/'>All posts</a>";
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  response.end(body.replace(/(?=<\/body>)|$/, RELOAD));
}

const RELOAD = `<script>new EventSource("/_changes").onmessage = () => location.reload()</script>`;
