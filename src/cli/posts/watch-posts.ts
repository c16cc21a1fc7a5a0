import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ImprintError, messageOf } from "../../base/error.ts";
import type { CliContext } from "../context.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { print, type Printing } from "../print.ts";
import { parsePort } from "../serve-flags.ts";
import { renderError } from "../terminal.ts";
import { escapeText } from "../../html/attributes.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { fillPostPlaceholders } from "../../html/post-placeholders.ts";
import { renderPostPage } from "../../posts/render/post-page.ts";
import type { DesiredPosts } from "../../posts/local/desire-posts.ts";
import { readPostsFolder, type LocalPostsRequest } from "./open-posts.ts";
import { renderPlace } from "../../posts/read/problems.ts";

// Editors write a file in several steps.
const QUIET_MS = 100;

type WatchRequest = LocalPostsRequest & { readonly folder: string };

/**
 * Shows the posts in a browser, and prints the report on them at the start and after every change, until interrupted.
 * Sends nothing.
 */
export async function watchPosts(
  request: WatchRequest,
  { port: chosen, flags, context }: AccountRun & { readonly port: string | undefined },
  report: () => Promise<Omit<Printing, "flags" | "context"> & { readonly json: unknown }>,
): Promise<AccountResult> {
  const { signal, out } = context;
  const port = parsePort("--port", chosen ?? "0");
  let changed = Promise.withResolvers<void>();
  const recordChange = () => changed.resolve();
  const watcher = watchFolder(request, recordChange);
  const server = await openPreviewServer(port);
  signal?.addEventListener("abort", recordChange);
  try {
    out.write(`Preview  ${server.url}  (nothing is sent; stop with Ctrl+C)\n\n`);
    while (signal?.aborted !== true) {
      await syncOnce(context, async () => {
        server.show(await previewPosts(request));
        const { json, text } = await report();
        print(json, { flags, context, text });
      });
      out.write("\nWaiting for changes.\n");
      await changed.promise;
      await wait(QUIET_MS, undefined, { signal }).catch(() => {});
      changed = Promise.withResolvers();
    }
  } finally {
    watcher.close();
    await server.close();
  }
  return { document: "" };
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
async function syncOnce(context: CliContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof ImprintError)) throw thrown;
    context.error.write(renderError(thrown, context));
  }
}

/**
 * Opens a web server, on this machine only, that shows the posts of the folder.
 *
 * @throws ImprintError `PORT_TAKEN` if the port is in use
 */
async function openPreviewServer(port: number) {
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
    /** Shows these posts from now on; open pages reload. */
    show(preview: PostsPreview): void {
      shown = preview;
      for (const reader of readers) reader.write("data: changed\n\n");
    },
    async close(): Promise<void> {
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

type PostsPreview = Awaited<ReturnType<typeof previewPosts>>;

/** Reads all posts of a folder, including drafts and scheduled ones, and renders them as pages. Needs no service. */
async function previewPosts(request: LocalPostsRequest) {
  const { posts: local } = await readPostsFolder(request, "everything");
  const posts = new Map(local.posts.map((post) => [post.slug, post]));
  const images = new Map(local.posts.flatMap(({ assets }) => assets.map((asset) => [asset.hash, asset] as const)));
  return {
    list: () => renderList(local),
    page(slug: string): string | undefined {
      const post = posts.get(slug);
      if (post === undefined) return undefined;
      const html = fillPlaceholders(renderPostPage(post).html, (hash) => `/_image/${hash}`);
      return fillPostPlaceholders(html, (other) => `/${other}`);
    },
    /** Absolute path and type of an image that a page uses. */
    image(hash: string) {
      const asset = images.get(hash);
      if (asset?.source.kind !== "file") return undefined;
      return { path: asset.source.path, contentType: asset.contentType };
    },
  };
}

/** A page with all posts, and the problems of invalid ones. */
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
