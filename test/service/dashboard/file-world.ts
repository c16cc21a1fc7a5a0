// `imprint serve` in a copy of Astro's blog template, and a browser that is signed in by the link that it prints.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { runCli } from "../../../src/cli/run-cli.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { copyFixture } from "../../integration/blog-site.ts";
import { openSignedIn } from "./look.ts";

const FOLDER = "src/content/blog";

const DAY = { anyOf: ["date-time", "date"].map((format) => ({ type: "string", format })) };
/** As `astro sync` describes the collection. */
const SCHEMA = {
  type: "object",
  properties: {
    $schema: { type: "string" },
    title: { type: "string" },
    description: { type: "string" },
    pubDate: DAY,
    updatedDate: DAY,
    heroImage: { type: "string" },
  },
  required: ["title", "description", "pubDate"],
  additionalProperties: false,
};

export interface FileWorld {
  readonly root: string;
  readonly service: {
    readonly api: string;
    readonly signIn: string;
    readonly apiKey: string;
    readonly routeSetA: string;
  };
  readonly context: BrowserContext;
}

/** The project, the service and the browser, for all tests of a file. */
export function openFileWorld() {
  let opened: FileWorld;
  const stop = new AbortController();
  let ended: Promise<unknown>;

  beforeAll(async () => {
    const root = await copyFixture("blog-template");
    await writeFile(join(root, "imprint.config.mjs"), "export default {};\n");
    await mkdir(join(root, ".astro/collections"), { recursive: true });
    await writeFile(join(root, ".astro/collections/blog.schema.json"), JSON.stringify(SCHEMA));
    const said = Promise.withResolvers<string>();
    const flags = ["--ephemeral", "--port", "0", "--pages-port", "0", "--json"];
    ended = runCli(["serve", ...flags], {
      ...{ cwd: root, environment: {}, signal: stop.signal },
      out: { write: (text) => said.resolve(text) },
      error: { write() {} },
    });
    const service: FileWorld["service"] = JSON.parse(await said.promise);
    const link = { createSignInLink: async () => ({ url: service.signIn, expiresAt: new Date() }) };
    const context = await openSignedIn(await openBrowser(), link, { scheme: "light", width: 1280 });
    opened = { root, service, context };
  });

  afterAll(async () => {
    await closePages(await openBrowser());
    stop.abort();
    await ended;
    await rm(opened.root, { recursive: true, force: true });
  });

  async function open(path: string): Promise<Page> {
    const page = await opened.context.newPage();
    await page.goto(`${opened.service.api}${path}`);
    return page;
  }

  const pathOf = (name: string) => join(opened.root, FOLDER, name);
  return {
    get root() {
      return opened.root;
    },
    get service() {
      return opened.service;
    },
    get context() {
      return opened.context;
    },
    pathOf,
    open,
    read: (name: string) => readFile(pathOf(name), "utf8"),
    write: (name: string, text: string) => writeFile(pathOf(name), text),
    async openDesk(name: string): Promise<Page> {
      const page = await open(`/files/${encodeURIComponent(name)}/edit`);
      await page.locator(".cm-content").waitFor();
      return page;
    },
    async type(page: Page, text: string): Promise<void> {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText(text);
    },
    expectSoon,
    async save(page: Page): Promise<void> {
      await page.locator(".cm-content").press("Control+s");
      await expectSoon(() => page.locator("#desk-status").textContent()).toContain("Saved at");
    },
  };
}

const expectSoon = <Value>(value: () => Promise<Value> | Value) => expect.poll(value, { timeout: 15_000 });
