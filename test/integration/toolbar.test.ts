import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { launchBrowser } from "../browser.ts";
import { copyFixture } from "./blog-site.ts";

const repository = new URL("../../", import.meta.url);
const astro = fileURLToPath(new URL("node_modules/astro/bin/astro.mjs", repository));
const cli = fileURLToPath(new URL("dist/cli.js", repository));
const run = promisify(execFile);
const entry = pathToFileURL(fileURLToPath(new URL("dist/index.js", repository))).href;

const ABOUT = `<html lang="en"><head><meta charset="utf-8"><title>About</title></head>
<body style="position: relative; margin: 80px 50px">
<header style="position: sticky; top: 0; z-index: 99999; background: white"><a id="home" href="/docs/">Home</a></header>
<h1>About us</h1><p>First words.</p><button id="call">Call us</button><div style="height: 2000px"></div>
</body></html>
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A request of the toolbar, as any program can send it. */
async function ask(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const sent = { Origin: new URL(url).origin, "Content-Type": "application/json", ...headers };
  const response = await fetch(new URL("/__imprint", url), {
    method: "POST",
    headers: sent,
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as { readonly token?: string } };
}

describe("the toolbar of `astro dev`", () => {
  let root: string;
  let url: string;
  let server: ChildProcess;
  let browser: Browser;

  beforeAll(async () => {
    root = await copyFixture("small-site");
    await writeFile(join(root, "src/pages/about.astro"), ABOUT);
    const options = `{ service: { port: 0, pagesPort: 0 } }`;
    await writeFile(
      join(root, "astro.config.mjs"),
      `import imprint from ${JSON.stringify(entry)};\nexport default { base: "/docs", integrations: [imprint(${options})] };\n`,
    );
    const port = await freePort();
    url = `http://localhost:${port}/docs/about`;
    // Vitest's own environment variables would affect the site.
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };
    server = spawn(process.execPath, [astro, "dev", "--port", String(port)], { cwd: root, env, stdio: "ignore" });
    const isServed = async () => expect((await fetch(url)).status).toBe(200);
    await vi.waitFor(isServed, { timeout: 60_000, interval: 200 });
    // Bots aren't counted.
    browser = await launchBrowser({
      userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36",
    });
  }, 90_000);

  afterAll(async () => {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
    await browser.close();
    await rm(root, { recursive: true, force: true });
  });

  async function openPanel(viewport = { width: 1280, height: 800 }): Promise<Page> {
    const page = await browser.newPage({ viewport });
    const button = page.locator('button[data-app-id="imprint"]');
    // While Vite optimizes dependencies, the first pages get a toolbar that doesn't load.
    const load = async () => {
      await page.goto(url);
      await button.waitFor({ state: "attached", timeout: 5000 });
    };
    await vi.waitFor(load, { timeout: 60_000 });
    await expect
      .poll(() =>
        button.evaluate((element) => (element.focus(), element.click(), element.classList.contains("active"))),
      )
      .toBe(true);
    await page.getByRole("heading", { name: "imprint" }).waitFor();
    return page;
  }

  const status = (page: Page) => page.locator("[data-app-id=imprint] .status, .status").first();

  it("shows the page's state, plans, and publishes it, with the keyboard alone", async () => {
    const page = await openPanel();
    await expect.poll(() => status(page).textContent(), { timeout: 30_000 }).toContain("Not published");
    // The panel has the focus, and its controls follow in visual order.
    const focused = () =>
      page.evaluate("document.activeElement.shadowRoot.activeElement.shadowRoot.activeElement?.textContent");
    expect(await focused()).toBe("imprint");
    const press = async (label: string) => {
      for (let steps = 0; steps < 30 && !((await focused()) as string | undefined)?.startsWith(label); steps++)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    };
    await press("Publish this page");
    await expect.poll(focused).toContain("Press again");
    await page.keyboard.press("Enter");
    await expect.poll(() => status(page).textContent(), { timeout: 60_000 }).toContain("Published");
    const address = await status(page).getByRole("link").getAttribute("href");
    expect(await (await fetch(address ?? "")).text()).toContain("First words.");

    await writeFile(join(root, "src/pages/about.astro"), ABOUT.replace("First words.", "Second words."));
    await page.getByText("Second words.").first().waitFor();
    // It reopened after the full reload, and reports what it can't know without a build.
    await expect.poll(() => status(page).textContent(), { timeout: 30_000 }).toContain("about.astro");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("Changes to the published page").click({ timeout: 60_000 });
    await page.getByText(/^\+<p>Second words/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "imprint" }).waitFor({ state: "hidden" });
    await page.close();
  }, 120_000);

  it("says what is unchanged once, and lists what a publish would leave out", async () => {
    const page = await openPanel();
    const plan = () => page.getByRole("button", { name: "Plan", exact: true }).click();
    const planned = page.getByText(/^(Unchanged|Changed|Blocked)/).locator("..");
    await page.getByRole("button", { name: "Publish this page" }).click();
    await page.getByRole("button", { name: "Press again" }).click();
    await page.getByText("Publishing this page: done.").waitFor({ timeout: 60_000 });
    await plan();
    await expect.poll(() => planned.textContent(), { timeout: 60_000 }).toMatch(/^Unchanged\s+Built/);
    await run(process.execPath, [cli, "pages", "update", "about", "--title", "By hand"], { cwd: root });
    await plan();
    await page.getByText("Building and comparing: done. A publish would leave out:").waitFor({ timeout: 60_000 });
    await page.getByText(/^page about: its title was changed to "By hand"/).waitFor();
    await expect.poll(() => planned.textContent()).toMatch(/^Blocked\s+Its title was changed/);
    await page.close();
  }, 180_000);

  it("draws visitors' clicks over the page, and survives view transitions", async () => {
    const page = await openPanel();
    const address = (await status(page).getByRole("link").getAttribute("href")) ?? "";
    const visitor = await browser.newPage();
    await visitor.goto(address);
    await visitor.click("#call");
    await visitor.goto("about:blank");
    await visitor.close();
    await page.reload();
    await page.getByRole("button", { name: "Show clicks" }).click();
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("button", { name: "Show clicks" }).click();
          return page.getByText(/clicks could be placed|Nobody clicked/).textContent();
        },
        { timeout: 20_000 },
      )
      .toContain("1 of 1 clicks could be placed");
    const middle = await page.locator("#call").boundingBox();
    const red = () =>
      page.evaluate(`(() => {
        const canvas = document.querySelector("astro-dev-toolbar").shadowRoot.querySelector('astro-dev-toolbar-app-canvas[data-app-id="imprint"]').shadowRoot.querySelector("canvas");
        const box = document.querySelector("#call").getBoundingClientRect();
        return canvas.getContext("2d").getImageData(box.left + box.width / 2, box.top + box.height / 2, 1, 1).data[3];
      })()`);
    expect(middle).not.toBeNull();
    await expect.poll(red).toBeGreaterThan(100);
    for (const width of process.env["IMPRINT_SCREENSHOTS"] === "1" ? [1280, 390] : []) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `/tmp/tb-${width}.png` });
    }
    await page.evaluate("scrollTo(0, 40)");
    await expect.poll(red).toBeGreaterThan(100);
    // What Astro's router does with the toolbar; its component doesn't load if node_modules is a link.
    await page.evaluate(`(() => {
      const body = document.createElement("body");
      const toolbar = document.querySelector("astro-dev-toolbar");
      history.pushState({}, "", "/docs/");
      document.body.replaceWith(body);
      body.append(toolbar);
      document.dispatchEvent(new Event("astro:page-load"));
    })()`);
    await expect.poll(() => status(page).textContent()).toContain("Not published");
    await page.close();
  }, 60_000);

  it("shows why the dev server refuses, and not that it doesn't respond", async () => {
    const page = await openPanel();
    const { status: refused, json } = await ask(url, { kind: "hello", path: "/" }, { "Sec-Fetch-Site": "same-site" });
    await page.route("**/__imprint", (route) => route.fulfill({ status: refused, json }));
    await page.reload();
    const reason = page.getByText("Only this site's toolbar can send requests.", { exact: true });
    await expect.poll(() => reason.count(), { timeout: 30_000 }).toBe(1);
    await page.close();
  }, 60_000);

  it("rejects requests without the page's token, from another site, or with invalid content", async () => {
    const { token } = (await ask(url, { kind: "hello", path: "/" })).json;
    expect((await ask(url, { kind: "state", path: "/docs/about", token })).status).toBe(200);
    expect((await ask(url, { kind: "publish-all", path: "/" })).status).toBe(403);
    expect((await ask(url, { kind: "publish-all", path: "/", token: `${token}x` })).status).toBe(403);
    expect((await ask(url, { kind: "state", path: "/", token }, { Origin: "http://evil.example" })).status).toBe(403);
    expect((await ask(url, { kind: "state", path: "/", token }, { "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    expect((await ask(url, { kind: "remove", path: "/", token })).status).toBe(400);
    expect(await readFile(fileURLToPath(new URL("dist/toolbar.js", repository)), "utf8")).not.toMatch(/node:|from "/);
  });
});
