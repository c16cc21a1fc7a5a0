import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished, vi } from "vitest";
import { startService } from "../../src/service.ts";
import { AXE } from "../axe.ts";
import { launchBrowser } from "../browser.ts";

const repository = new URL("../../", import.meta.url);
const astro = fileURLToPath(new URL("node_modules/astro/bin/astro.mjs", repository));
const entry = pathToFileURL(fileURLToPath(new URL("dist/index.js", repository))).href;

const page = (title: string, body: string) => `---
import { ClientRouter } from "astro:transitions";
---
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><ClientRouter />
<style is:global>:root { --color-primary: #0b5fa5 } body { background: #fff; color: #222 } a { color: var(--color-primary) }
button { background: var(--color-primary); color: #fff }</style></head>
<body><h1>${title}</h1><nav><a href="/">Home</a> <a href="/contact">Contact</a></nav>${body}</body></html>
`;
const CONTACT = page(
  "Contact",
  `<form method="post" name="contact"><label>Message <input name="message"></label><button>Send</button></form>
<p><a href="/gone">Gone</a></p>`,
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** `astro dev` of a site that publishes to a remote service, without a key. */
async function startDev(service: string) {
  // Without a link instead of node_modules: with one, Astro's router doesn't load.
  const root = await mkdtemp(fileURLToPath(new URL("test/sites/.build-", repository)));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "src/pages"), { recursive: true });
  await writeFile(join(root, "package.json"), '{ "private": true, "type": "module" }\n');
  await writeFile(join(root, "src/pages/index.astro"), page("Home", "<p>Welcome.</p>"));
  await writeFile(join(root, "src/pages/contact.astro"), CONTACT);
  await writeFile(
    join(root, "astro.config.mjs"),
    `import imprint from ${JSON.stringify(entry)};\nexport default { integrations: [imprint({ service: ${JSON.stringify(service)} })] };\n`,
  );
  const port = await freePort();
  const { PATH } = process.env;
  const env = { PATH, HOME: root, XDG_CONFIG_HOME: join(root, "own"), ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };
  const server = spawn(process.execPath, [astro, "dev", "--port", String(port)], { cwd: root, env, stdio: "ignore" });
  onTestFinished(async () => {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
  });
  const url = `http://localhost:${port}/`;
  const isServed = async () => expect((await fetch(url)).status).toBe(200);
  await vi.waitFor(isServed, { timeout: 90_000, interval: 200 });
  return { root, url };
}

async function openPanel(shown: Page, url: string): Promise<void> {
  const button = shown.locator('button[data-app-id="imprint"]');
  // While Vite optimizes dependencies, the first pages get a toolbar that doesn't load.
  const load = async () => {
    await shown.goto(url);
    await button.waitFor({ state: "attached", timeout: 5000 });
  };
  await vi.waitFor(load, { timeout: 90_000 });
  await expect
    .poll(() => button.evaluate((element) => (element.focus(), element.click(), element.classList.contains("active"))))
    .toBe(true);
  await shown.getByRole("heading", { name: "imprint" }).waitFor();
}

/** The panel's accessibility violations. */
async function judge(shown: Page): Promise<readonly string[]> {
  await shown.evaluate(AXE);
  return shown.evaluate(`axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.filter(({ target }) => JSON.stringify(target).includes("astro-dev-toolbar-app-canvas")).map(({ html }) => id + ": " + html.slice(0, 200))))`);
}

it("the toolbar signs in at a remote service, publishes everything, previews, and shows submissions", async () => {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  const { root, url } = await startDev(service.baseUrl("a"));
  const browser = await launchBrowser({
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36",
  });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const shown = await context.newPage();
  const status = shown.locator(".status").first();
  const press = (name: string) => shown.getByRole("button", { name, exact: true }).click();

  await openPanel(shown, url);
  await shown.getByRole("alert").getByText("imprint login").waitFor({ timeout: 60_000 });
  expect(await judge(shown)).toEqual([]);

  await press("Log in");
  const login = shown.getByRole("link", { name: "Open the login" });
  const [consent] = await Promise.all([context.waitForEvent("page"), login.click({ timeout: 60_000 })]);
  const person = await context.newPage();
  await person.goto((await service.createSignInLink()).url);
  await person.getByRole("button", { name: "Sign in" }).click();
  await person.waitForSelector("body > header");
  await consent.reload();
  await consent.getByRole("button", { name: /allow/i }).click();
  await expect.poll(() => status.textContent(), { timeout: 60_000 }).toContain("Not published");
  expect(await shown.getByRole("alert").isHidden()).toBe(true);

  // Astro's router keeps the toolbar on the next page.
  await shown.evaluate("window.isSamePage = true");
  await shown.getByRole("link", { name: "Contact" }).click();
  await shown.getByRole("heading", { name: "Contact" }).waitFor();
  expect(await shown.evaluate("window.isSamePage")).toBe(true);
  await press("Publish all");
  await press("Publish all? Press again");
  await expect.poll(() => status.textContent(), { timeout: 120_000 }).toContain("Published");
  const address = (await status.getByRole("link").getAttribute("href")) ?? "";
  expect(new URL(address).pathname).toBe("/p/contact");
  expect(await (await fetch(`${service.pagesUrl}/p/index`)).text()).toContain("Welcome.");

  const parts = shown.locator(".parts").first();
  expect(await parts.textContent()).toContain("Published It matches this build.");

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(address);
  await visitor.getByLabel("Message").fill("A loaf, please");
  await visitor.getByRole("button", { name: "Send" }).click();
  await visitor.waitForLoadState();

  await writeFile(join(root, "src/pages/index.astro"), page("Home", "<p>Welcome.</p>").replace("#0b5fa5", "#a50b2c"));
  await writeFile(join(root, "src/pages/contact.astro"), CONTACT.replace("#0b5fa5", "#a50b2c"));
  await shown.reload();
  await shown.getByText("message: A loaf, please").waitFor({ timeout: 30_000 });
  await press("Plan");
  await expect.poll(() => parts.textContent(), { timeout: 150_000 }).toMatch(/#0b5fa5 → #a50b2c/i);
  expect(await parts.textContent()).toMatch(/Changed.*contact\/index\.html:\d+ .*\/gone/s);
  expect(await judge(shown)).toEqual([]);

  const [dashboard] = await Promise.all([context.waitForEvent("page"), press("Dashboard")]);
  await dashboard.getByRole("heading", { name: "Overview" }).waitFor();
  expect(new URL(dashboard.url()).origin).toBe(new URL(service.url).origin);

  await press("Preview");
  const preview = shown.getByRole("link", { name: "Open the preview" });
  await preview.waitFor({ timeout: 120_000 });
  const previewed = await fetch((await preview.getAttribute("href")) ?? "");
  expect([previewed.status, await previewed.text()]).toEqual([200, expect.stringContaining("Contact")]);
}, 600_000);
