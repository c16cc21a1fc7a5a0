import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ImprintError, messageOf } from "../../base/error.ts";
import type { CliContext } from "../context.ts";
import { renderError } from "../terminal.ts";
import { escapeText } from "../../html/attributes.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { fillPostPlaceholders } from "../../html/post-placeholders.ts";
import { renderPostPage } from "../../posts/render/post-page.ts";
import type { DesiredPosts } from "../../posts/local/desire-posts.ts";
import { readPostsFolder, type LocalPostsRequest } from "./open-posts.ts";
import { renderPlace } from "../../posts/read/problems.ts";

function parsePort(text = "0"): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ImprintError("USAGE", `--port takes a number from 0 to 65535, not "${text}".`);
}

// Editors write a file in several steps.
const QUIET_MS = 100;

interface WatchSettings {
  /** The value of `--port`. */
  readonly port: string | undefined;
  readonly context: CliContext;
  /** Prints a report on the posts; called at the start and after every change. */
  readonly report: () => Promise<void>;
}

type WatchRequest = LocalPostsRequest & { readonly folder: string };

/** Shows the posts in a browser and reports on them after every change, until interrupted. Sends nothing. */
export async function watchPosts(request: WatchRequest, { port, context, report }: WatchSettings): Promise<void> {
  const { signal, out } = context;
  const chosen = parsePort(port);
  const changes = createBell();
  const watcher = watchFolder(request, () => changes.ring());
  const server = await openPreviewServer(chosen);
  signal?.addEventListener("abort", () => changes.ring());
  try {
    out.write(`Preview  ${server.url}  (nothing is sent; stop with Ctrl+C)\n\n`);
    while (signal?.aborted !== true) {
      await lookOnce(context, async () => {
        server.show(await previewPosts(request));
        await report();
      });
      out.write("\nWaiting for changes.\n");
      await changes.heard();
      await wait(QUIET_MS, undefined, { signal }).catch(() => {});
      changes.reset();
    }
  } finally {
    watcher.close();
    await server.close();
  }
}

function watchFolder({ projectRoot, folder }: WatchRequest, onChange: () => void): FSWatcher {
  try {
    return watch(join(projectRoot, folder), { recursive: true }, onChange);
  } catch (error) {
    const message = `The folder of the posts, ${folder}, can't be watched: ${messageOf(error)}`;
    throw new ImprintError("OPTIONS_INVALID", message, { cause: error });
  }
}

// An error may be fixed by the next change, so it doesn't end the watch.
async function lookOnce(context: CliContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof ImprintError)) throw thrown;
    context.error.write(renderError(thrown, context));
  }
}

interface Bell {
  ring(): void;
  /** Resolves once it has rung since the last reset. */
  heard(): Promise<void>;
  reset(): void;
}

function createBell(): Bell {
  let current = Promise.withResolvers<void>();
  return {
    ring: () => current.resolve(),
    heard: () => current.promise,
    reset() {
      current = Promise.withResolvers();
    },
  };
}

/** A local web server that shows the posts of the folder, and reloads them when they change. */
interface PreviewServer {
  readonly url: string;
  /** Shows these posts from now on; open pages reload. */
  show(preview: PostsPreview): void;
  close(): Promise<void>;
}

/**
 * Opens the server on this machine only.
 *
 * @throws ImprintError `PORT_TAKEN` if the port is in use
 */
async function openPreviewServer(port: number): Promise<PreviewServer> {
  let shown: PostsPreview | undefined;
  const readers = new Set<ServerResponse>();
  // A static import would also load Node's `fetch`, which takes longer than all of our own code.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    // `URL` throws on a path such as `//`, so that any page in the browser could stop the preview.
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

// Another site must not read drafts by pointing its own host name at this address (DNS rebinding).
function isLocalHost({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? "");
}

function listen(response: ServerResponse, readers: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).write(": open\n\n");
  readers.add(response);
  response.on("close", () => readers.delete(response));
}

async function answer(
  path: string,
  { response, preview }: { readonly response: ServerResponse; readonly preview: PostsPreview | undefined },
): Promise<void> {
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

/** The posts of a folder for viewing, including drafts and scheduled ones. */
interface PostsPreview {
  /** A page with all posts, and the problems of invalid ones. */
  list(): string;
  /** The page of a post; `undefined` if there is no such post. */
  page(slug: string): string | undefined;
  /** Absolute path and type of an image that a page uses. */
  image(hash: string): { readonly path: string; readonly contentType: string } | undefined;
}

/** Reads all posts of a folder and renders them as pages. Needs no service. */
async function previewPosts(request: LocalPostsRequest): Promise<PostsPreview> {
  const { posts: local } = await readPostsFolder(request, "everything");
  const posts = new Map(local.posts.map((post) => [post.slug, post]));
  const images = new Map(local.posts.flatMap(({ assets }) => assets.map((asset) => [asset.hash, asset] as const)));
  return {
    list: () => renderList(local),
    page(slug) {
      const post = posts.get(slug);
      if (post === undefined) return undefined;
      const html = fillPlaceholders(renderPostPage(post).html, (hash) => `/_image/${hash}`);
      return fillPostPlaceholders(html, (other) => `/${other}`);
    },
    image(hash) {
      const asset = images.get(hash);
      if (asset?.source.kind !== "file") return undefined;
      return { path: asset.source.path, contentType: asset.contentType };
    },
  };
}

function renderList({ posts: shown, problems: wrong }: DesiredPosts): string {
  const posts = shown.map(
    ({ slug, title, file }) =>
      `<li><a href="/${slug}">${escapeText(title)}</a> <small>${escapeText(file)}</small></li>`,
  );
  const problems = wrong.map(
    (problem) => `<li><code>${escapeText(renderPlace(problem))}</code> ${escapeText(problem.message)}</li>`,
  );
  const faults = problems.length === 0 ? "" : `<h2>To fix</h2><ul>${problems.join("\n")}</ul>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Posts</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}small{color:#666}</style>
</head><body><h1>Posts in this folder</h1><p>Nothing here is sent.</p><ul>${posts.join("\n")}</ul>${faults}</body></html>`;
}
