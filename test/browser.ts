// Starts real browsers for all tests. Only the binary of @sparticuz/chromium is used, because its default arguments
// disable web security, so that a library without CORS would pass.
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser } from "playwright-core";

// The sandbox needs permissions that containers don't grant; tests only open our own pages on the loopback interface.
const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"],
  // Pages of a site share a process, and none is started in advance.
  "--renderer-process-limit=1",
];

export interface BrowserOptions {
  /** For every request, including those after a page is closed, which a context's setting doesn't cover. */
  readonly userAgent?: string;
  /** Maps host names to addresses, such as `www.example.org` to `127.0.0.1:4401`. */
  readonly hosts?: Readonly<Record<string, string>>;
}

const UNPACKED = fileURLToPath(new URL("../node_modules/.cache/browser", import.meta.url));

let shared: Promise<Browser> | undefined;

/**
 * Opens the Chromium that all files of a worker share; it ends with the worker. The caller closes its own pages with
 * `closePages` in `onTestFinished` or `afterAll`.
 */
export function openBrowser(): Promise<Browser> {
  return (shared ??= launchBrowser());
}

export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Starts a separate Chromium with web security. The caller closes it in `onTestFinished` or `afterAll`. */
export async function launchBrowser({ userAgent, hosts = {} }: BrowserOptions = {}): Promise<Browser> {
  const rules = Object.entries(hosts).map(([name, place]) => `MAP ${name} ${place}`);
  const args = [
    ...ARGUMENTS,
    ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
    ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(",")}`]),
  ];
  return chromium.launch({ executablePath: await findExecutable(), args });
}

/** Unpacks it once per version; the rename makes that safe for several test processes at the same time. */
async function findExecutable(): Promise<string> {
  const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../bin/chromium.br");
  const { size } = await stat(packed);
  const executable = join(UNPACKED, `chromium-${size}`);
  if (existsSync(executable)) return executable;
  await mkdir(UNPACKED, { recursive: true });
  const own = `${executable}.${randomUUID()}`;
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(own, { mode: 0o700 }));
  await rename(own, executable);
  return executable;
}
