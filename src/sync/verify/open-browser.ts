import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserType, LaunchOptions } from "playwright-core";
import { ImprintError, messageOf } from "../../base/error.ts";

/** Starts the browser of the project. The caller closes it. */
export type OpenBrowser = () => Promise<Browser>;

const INSTALL =
  "Run `npm install --save-dev playwright-core` and `npx playwright-core install chromium-headless-shell` in the project.";

/**
 * Finds Playwright in a project, which has to install it itself: browsers are too large for a dependency.
 *
 * @throws ImprintError `BROWSER_MISSING` if the project has none
 */
export async function findBrowser(projectRoot: string): Promise<OpenBrowser> {
  const load = createRequire(join(projectRoot, "package.json"));
  const chromium = ["playwright-core", "playwright"].map((name) => loadChromium(load, name)).find(isFound);
  if (chromium === undefined) {
    throw new ImprintError("BROWSER_MISSING", `${projectRoot} has no playwright-core, which opens the pages.`, {
      hint: INSTALL,
    });
  }
  const launches = await findLaunches(load);
  return () => launch(chromium, launches);
}

function isFound<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function loadChromium(load: NodeJS.Require, name: string): BrowserType | undefined {
  try {
    const module: unknown = load(name);
    const { chromium } = Object(module);
    return isBrowserType(chromium) ? chromium : undefined;
  } catch {
    return undefined;
  }
}

function isBrowserType(value: unknown): value is BrowserType {
  return typeof Object(value).launch === "function";
}

/** Returns the browsers to try, in order of preference. */
async function findLaunches(load: NodeJS.Require): Promise<readonly LaunchOptions[]> {
  const { CHROME_PATH: path } = process.env;
  if (path !== undefined && path !== "") return [{ executablePath: path }];
  const packed = await findPackedChromium(load);
  return [...(packed === undefined ? [] : [{ executablePath: packed }]), {}, { channel: "chrome" }];
}

// Only its binary is used, because its own arguments disable web security, so that a library without CORS would pass.
async function findPackedChromium(load: NodeJS.Require): Promise<string | undefined> {
  try {
    const module: unknown = await import(pathToFileURL(load.resolve("@sparticuz/chromium")).href);
    const { default: packed } = Object(module);
    const path: unknown = await Object(packed).executablePath();
    return typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}

async function launch(chromium: BrowserType, launches: readonly LaunchOptions[]): Promise<Browser> {
  const reasons: string[] = [];
  for (const options of launches) {
    try {
      return await chromium.launch(options);
    } catch (error) {
      const [reason = ""] = messageOf(error).split("\n");
      reasons.push(reason);
    }
  }
  throw new ImprintError("BROWSER_MISSING", `No browser could be started: ${reasons.join("; ")}`, {
    hint: `${INSTALL} To use an installed browser, set CHROME_PATH to its path.`,
  });
}
