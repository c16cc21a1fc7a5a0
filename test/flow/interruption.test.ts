import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { syncPosts } from "../../src/cli/posts/sync-posts.ts";
import { parseOptions } from "../../src/publish.ts";
import { passOn, startProxy, type Meddled, type Proxy } from "../faults/proxy.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";
import { takeTurns } from "../whole.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

async function open() {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const proxy = await startProxy(host.baseUrl);
  onTestFinished(() => proxy.close());
  await site.write("imprint.config.mjs", "export default { images: { optimize: false } };\n");
  return { site, host, proxy };
}

function publishInChild(root: string, { host, proxy }: { readonly host: Host; readonly proxy: Proxy }) {
  return spawn(process.execPath, [cli, "publish", "--root", root], {
    env: { ...process.env, IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: proxy.url, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

// If releases are rejected, pages are sent individually.
function isRelease({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === "POST" && path === "/api/releases";
}

function refuse(answer: ServerResponse): Promise<void> {
  answer.writeHead(403).end();
  return Promise.resolve();
}

type Opened = Awaited<ReturnType<typeof open>>;

interface Interruption {
  /** Requests that get their response after the program has reported the interruption, which the first one triggers. */
  readonly isHeld: (exchange: Meddled) => boolean;
  readonly isRefused?: (exchange: Meddled) => boolean;
}

/** Publishes in another process, sends it a signal, and returns how it ended. */
async function interruptPublish(
  { site, host, proxy }: Opened,
  signal: (typeof SIGNALS)[number],
  { isHeld, isRefused = () => false }: Interruption,
) {
  const child = publishInChild(site.root, { host, proxy });
  const errors = text(child.stderr);
  const isInterrupted = once(child.stderr, "data");
  let answered = 0;
  proxy.meddle((exchange) => {
    const { answer, forward } = exchange;
    if (isRefused(exchange)) return refuse(answer);
    if (!isHeld(exchange)) return undefined;
    if (answered++ === 0) child.kill(signal);
    return forward().then(async (response) => {
      await isInterrupted;
      passOn(answer, response);
    });
  });
  const [code]: readonly unknown[] = await once(child, "exit");
  return { code, errors: await errors };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const inTurn = takeTurns(SIGNALS);

describe.each(SIGNALS)("%s during a publish", (signal) => {
  const isTurn = inTurn(signal);

  it.runIf(isTurn())(
    "completes the current request, reports what is published, and the next run completes the rest",
    async () => {
      const project = await open();
      const { proxy } = project;
      const { code, errors } = await interruptPublish(project, signal, {
        isHeld: ({ method, path }) => method === "PUT" && path.startsWith("/api/pages/"),
        isRefused: isRelease,
      });
      expect(code).toBe(1);
      expect(errors).toContain("ABORTED");
      expect(errors).toMatch(/Already sent: .*\d pages?/);
      expect(errors).toContain("finished work isn't repeated");

      proxy.meddle(({ method, path, answer }) => (isRelease({ method, path }) ? refuse(answer) : undefined));
      const next = publishInChild(project.site.root, project);
      const report = text(next.stdout);
      expect(await once(next, "exit")).toEqual([0, null]);
      // The first page of a first publish is sent alone, to learn the host's request format.
      expect(await report).toContain("pages       2 published · 1 unchanged");
    },
  );

  it.runIf(isTurn())("keeps the old site during a release, and the next run publishes all of it", async () => {
    const project = await open();
    const { host, proxy } = project;
    const { code, errors } = await interruptPublish(project, signal, {
      isHeld: ({ path }) => /^\/api\/releases\/[^/]+\/content$/.test(path),
    });
    expect(code).toBe(1);
    expect(errors).toContain("ABORTED");
    expect((await fetch(`${host.pagesUrl}/p/index`)).status).toBe(404);

    proxy.meddle(() => undefined);
    const next = publishInChild(project.site.root, project);
    const report = text(next.stdout);
    expect(await once(next, "exit")).toEqual([0, null]);
    expect(await report).toContain("pages       3 published");
  });

  it.runIf(isTurn())("exits immediately on the second signal", async () => {
    const { site, host, proxy } = await open();
    const child = publishInChild(site.root, { host, proxy });
    proxy.meddle(({ method }) => {
      if (method === "GET") return undefined;
      child.kill(signal);
      // This request never gets a response.
      return Promise.resolve();
    });
    child.stderr.on("data", (piece: Buffer) => {
      if (piece.toString().includes("Press Ctrl+C again")) child.kill(signal);
    });
    expect(await once(child, "exit")).toEqual([null, signal]);
  });
});

it("completes the post being changed when the run is interrupted, and records what it sent", async () => {
  const { site, host, proxy } = await open();
  const controller = new AbortController();
  const target = { ...host, baseUrl: proxy.url, routeSet: "auto", identity: proxy.url, close: async () => {} } as const;
  const options = parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" } });
  const sync = (signal?: AbortSignal) => syncPosts({ projectRoot: site.root, options, target, signal });
  await sync();
  await site.write(
    "src/content/blog/paper.md",
    "---\ntitle: On paper\npubDate: 2026-02-05\n---\n\nPaper has no end.\n",
  );
  proxy.meddle(({ method, answer, forward }) => {
    if (method !== "PATCH") return undefined;
    controller.abort();
    return forward().then((answerOfService) => passOn(answer, answerOfService));
  });
  const { outcomes } = await sync(controller.signal);
  expect(outcomes).toContainEqual(expect.objectContaining({ name: "paper", kind: "update", status: "done" }));

  const next = await sync();
  expect(next.plan.posts.map(({ name, state }) => `${name}: ${state}`)).toContain("paper: unchanged");
});

it("reports the interruption while waiting for a rate limit", async () => {
  const { site, host, proxy } = await open();
  const controller = new AbortController();
  const target = { ...host, baseUrl: proxy.url, routeSet: "auto", identity: proxy.url, close: async () => {} } as const;
  const options = parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" } });
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "POST" || !path.endsWith("/posts")) return undefined;
    controller.abort();
    answer.writeHead(429, { "retry-after": "30" }).end();
    return Promise.resolve();
  });
  const interrupted = syncPosts({ projectRoot: site.root, options, target, signal: controller.signal });
  await expect(interrupted).rejects.toMatchObject({ code: "ABORTED", hint: expect.stringContaining("Run again") });
});

it("rejects a second run on the same project while the first is running", async () => {
  const { site, host, proxy } = await open();
  const first = publishInChild(site.root, { host, proxy });
  onTestFinished(() => void first.kill("SIGKILL"));
  await new Promise<void>((resolve) => {
    proxy.meddle(({ method }) => {
      if (method === "GET") return undefined;
      resolve();
      return new Promise(() => {});
    });
  });
  const second = publishInChild(site.root, { host, proxy });
  const errorText = text(second.stderr);
  expect(await once(second, "exit")).toEqual([1, null]);
  expect(await errorText).toContain("RUN_LOCKED");
  expect(await errorText).toContain(String(first.pid));
});
