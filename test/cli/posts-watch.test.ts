import { EventEmitter, on } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { startService } from "../../src/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { closePages, openBrowser } from "../browser.ts";

/** A command that runs until it is stopped, with a way to wait for its output. */
async function start(root: string, argv: readonly string[], environment: NodeJS.ProcessEnv) {
  const printed = new EventEmitter();
  const stop = new AbortController();
  let text = "";
  const out = {
    write(part: string) {
      text += part;
      printed.emit("text");
    },
  };
  const ended = runCli(argv, { cwd: root, environment, out, error: out, signal: stop.signal });
  async function until(test: (text: string) => boolean): Promise<string> {
    for await (const _ of on(printed, "text", { signal: AbortSignal.timeout(30_000) })) if (test(text)) return text;
    return text;
  }
  return { until, end: async () => (stop.abort(), await ended) };
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

async function openProject() {
  const root = await temporaryFolder();
  const blog = join(root, "src/content/blog");
  await mkdir(blog, { recursive: true });
  await writeFile(join(root, "imprint.config.mjs"), "export default { posts: { blog: { create: true } } };\n");
  await writeFile(join(blog, "ink.md"), "---\ntitle: On ink\n---\n\nInk is a paint. See [paper](paper.md).\n");
  await writeFile(join(blog, "paper.md"), "---\ntitle: On paper\ndraft: true\n---\n\nPaper has a grain.\n");
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  const environment = { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl("a") };
  return { root, blog, service, environment };
}

it.each(["plan", "sync", "check"])(
  "posts %s --watch includes drafts, reports after every change, and sends nothing",
  async (command) => {
    const { root, blog, service, environment } = await openProject();
    // The preview's port implies it.
    const flags = command === "plan" ? ["--port", "0"] : ["--watch"];
    const running = await start(root, ["posts", command, ...flags], environment);
    const first = await running.until((text) => text.includes("Waiting for changes."));
    const [, url = ""] = /Preview {2}(\S+)/.exec(first) ?? [];
    const visit = async (path: string) => await (await fetch(url + path)).text();
    expect(await visit("")).toContain("On paper");
    expect(await visit("ink")).toContain('href="/paper"');
    expect(await visit("paper")).toContain("Paper has a grain.");

    await writeFile(join(blog, "ink.md"), "---\ntitle: On ink\npubDate: 2026-02-30\n---\n");
    const second = await running.until((text) => countOf(text, "Waiting for changes.") === 2);
    expect(second).toContain("src/content/blog/ink.md:3:1");
    expect(await visit("")).toContain("is not a valid date");
    expect((await fetch(`${url}ink`)).status).toBe(404);
    expect(await running.end()).toBe(0);
    const requests = service.requests();
    expect(requests.filter(({ method }) => method !== "GET" && method !== "HEAD")).toEqual([]);
    expect(requests.length > 0).toBe(command !== "check");
  },
);

it("an open page of the preview reloads after a change", { timeout: 60_000 }, async () => {
  const { root, blog, environment } = await openProject();
  const running = await start(root, ["posts", "check", "--watch"], environment);
  const first = await running.until((text) => text.includes("Waiting for changes."));
  const [, url = ""] = /Preview {2}(\S+)/.exec(first) ?? [];
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await browser.newPage();
  await page.goto(`${url}ink`);
  await page.getByText("Ink is a paint.").waitFor();
  await writeFile(join(blog, "ink.md"), "---\ntitle: On ink\n---\n\nInk is no paint.\n");
  await page.getByText("Ink is no paint.").waitFor();
  expect(await running.end()).toBe(0);
});

it("the preview rejects requests for another host name", async () => {
  const { root, environment } = await openProject();
  const running = await start(root, ["posts", "check", "--watch"], environment);
  const first = await running.until((text) => text.includes("Waiting for changes."));
  const [, url = ""] = /Preview {2}(\S+)/.exec(first) ?? [];
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers: { host: "attacker.example" } }, ({ statusCode }) =>
      resolve(statusCode),
    );
    request.on("error", reject).end();
  });
  expect(status).toBe(421);
  await running.end();
});

it("the preview survives a request with an invalid address", async () => {
  const { root, environment } = await openProject();
  const running = await start(root, ["posts", "check", "--watch"], environment);
  const first = await running.until((text) => text.includes("Waiting for changes."));
  const [, url = ""] = /Preview {2}(\S+)/.exec(first) ?? [];
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      httpRequest({ hostname, port, path }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
  expect(await statusOf("//")).toBe(404);
  expect(await statusOf("/%")).toBe(500);
  expect(await statusOf("/?again")).toBe(200);
  await running.end();
});
