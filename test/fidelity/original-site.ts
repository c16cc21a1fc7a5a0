import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { lookup } from "mrmime";
import type { ServedSite } from "./serve-site.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const script = fileURLToPath(new URL("serve-site.ts", import.meta.url));

/** A built site, served by `astro preview`. */
export interface OriginalSite extends ServedSite {
  /** Absolute path of the built site. */
  readonly dist: string;
  close(): Promise<void>;
}

/**
 * Builds a site of the repository into a temporary folder and serves it.
 *
 * @param folder the site's folder, relative to the repository
 * @param settings environment variables that the site's config reads
 */
export async function openOriginal(folder: string, settings: NodeJS.ProcessEnv = {}): Promise<OriginalSite> {
  const dist = await mkdtemp(join(tmpdir(), "fidelity-"));
  const cdn = await serveBuiltFiles(dist);
  // Astro writes its renderer to the working directory, so concurrent builds need separate ones.
  const artifacts = join(repository, "test-artifacts");
  await mkdir(artifacts, { recursive: true });
  const cwd = await mkdtemp(join(artifacts, "build-"));
  const child = spawn(process.execPath, [script, join(repository, folder), dist], {
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...ownEnvironment(), ASTRO_TELEMETRY_DISABLED: "1", BIKEWORKS_CDN: cdn.address, ...settings },
  });
  const ended = once(child, "exit");
  const close = async () => {
    child.stdin.end();
    await ended;
    await cdn.close();
    await Promise.all([dist, cwd].map((path) => rm(path, { recursive: true, force: true })));
  };
  try {
    return { ...(await Promise.race([readAnswer(child.stdout), failWhenEnded(ended)])), dist, close };
  } catch (error) {
    await close();
    throw new Error(`${folder} could not be built or served.`, { cause: error });
  }
}

// Vitest sets BASE_URL, MODE, PROD and more, which Astro would treat as settings of the site.
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

async function readAnswer(output: NodeJS.ReadableStream): Promise<ServedSite> {
  for await (const line of createInterface({ input: output })) {
    if (!line.startsWith('{"origin":')) continue;
    const answer: ServedSite = JSON.parse(line);
    return answer;
  }
  throw new Error("It ended without an answer.");
}

async function failWhenEnded(ended: Promise<unknown[]>): Promise<never> {
  const [code] = await ended;
  throw new Error(`The process ended with ${String(code)}.`);
}

/** Starts the host of a site's `assetsPrefix`, which serves the built files with CORS. */
async function serveBuiltFiles(dist: string) {
  const server = createServer((request, response) => {
    const path = join(dist, new URL(request.url ?? "/", "http://cdn").pathname.replace("/cdn/", "/"));
    if (!path.startsWith(`${dist}/`) || !existsSync(path)) return void response.writeHead(404).end();
    response.setHeader("content-type", lookup(path) ?? "application/octet-stream");
    response.setHeader("access-control-allow-origin", "*");
    createReadStream(path).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    address: `http://127.0.0.1:${port}/cdn`,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
