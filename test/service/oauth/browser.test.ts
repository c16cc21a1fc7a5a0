import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { AXE } from "../../axe.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { startHost } from "../../client/host.ts";
import { openSignedIn, type Look } from "../dashboard/look.ts";
import { openRunningService } from "../open-service.ts";
import { GRANTABLE_SCOPES } from "../../../src/service/auth/grantable-scopes.ts";
import { beginAt, redeem, registerProgram } from "./program.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closePages(browser));

const LOOK: Look = { scheme: "light", width: 1280 };
const EVERY_SCOPE = GRANTABLE_SCOPES.join(" ");
const RUN_AXE = `axe.run(document, { rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`;

/** Where the program waits for its code. */
async function openRedirect() {
  const host = await startHost(() => ({ headers: { "content-type": "text/html" }, body: "<h1>Thank you</h1>" }));
  return { ...host, redirectUri: `${host.baseUrl}/callback` };
}

it("a person comes from another site, clears a scope, allows the rest, and is redirected to the program", async () => {
  const service = await openRunningService();
  const { redirectUri, received } = await openRedirect();
  const program = { ...(await registerProgram(service, { redirect_uris: [redirectUri] })), redirectUri };
  const { address, verifier, state } = await beginAt(program, { scope: "pages:read pages:write blogs:write" });
  const other = await startHost(() => ({
    headers: { "content-type": "text/html" },
    body: `<!doctype html><title>Another site</title><a href="${address.href.replaceAll("&", "&amp;")}">Connect</a>`,
  }));
  const context = await openSignedIn(browser, service, LOOK);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  await page.goto(other.baseUrl);
  await page.getByRole("link", { name: "Connect" }).click();
  await page.getByRole("heading", { name: "Authorize Test program?" }).waitFor();
  await takePicture(page, "consent");
  await page.getByRole("checkbox", { name: "Publish, change and delete posts" }).uncheck();
  await page.getByRole("button", { name: "Allow selected" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const tokens = await redeem(program, { location: new URL(page.url()), verifier, state });
  expect(tokens.scope).toBe("pages:read pages:write");
  expect(received.filter(({ path }) => path === "/callback")).toHaveLength(1);
  expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
  await context.close();
});

it("a person who declines is redirected to the program with an error", async () => {
  const service = await openRunningService();
  const { redirectUri } = await openRedirect();
  const program = { ...(await registerProgram(service, { redirect_uris: [redirectUri] })), redirectUri };
  const { address } = await beginAt(program, {});
  const context = await openSignedIn(browser, service, LOOK);
  const page = await context.newPage();
  await page.goto(address.href);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  await context.close();
});

it("a signed-out person returns to the consent page after signing in", async () => {
  const service = await openRunningService();
  const { address } = await beginAt(await registerProgram(service), {});
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address.href);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const next = await page.locator("input[name=next]").getAttribute("value");
  const { url } = await service.createSignInLink();
  await page.goto(`${url}&next=${encodeURIComponent(next ?? "")}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Authorize Test program?" }).waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(2);
  await context.close();
});

it("the consent page is accessible, in light and in dark", async () => {
  const service = await openRunningService();
  const { address } = await beginAt(await registerProgram(service), { scope: EVERY_SCOPE });
  const context = await openSignedIn(browser, service, LOOK);
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(address.href);
  await page.getByRole("checkbox").first().waitFor();
  await page.evaluate(AXE);
  expect(await page.getByRole("checkbox").count()).toBe(16);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(RUN_AXE)).toEqual([]);
  }
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await context.close();
});

it("the consent page can't be framed by another page", async () => {
  const service = await openRunningService();
  const { address } = await beginAt(await registerProgram(service), {});
  const other = await startHost(() => ({
    headers: { "content-type": "text/html" },
    body: `<!doctype html><iframe src="${address.href.replaceAll("&", "&amp;")}"></iframe>`,
  }));
  const context = await openSignedIn(browser, service, LOOK);
  const page = await context.newPage();
  await page.goto(other.baseUrl);
  await page.waitForLoadState("networkidle");
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator("body")
        .innerText()
        .catch(() => ""),
    ),
  );
  expect(texts.join(" ")).not.toContain("Authorize Test program?");
  await context.close();
});

async function takePicture(page: import("playwright-core").Page, name: string): Promise<void> {
  const folder = process.env["IMPRINT_PICTURES"];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.screenshot({ path: join(folder, `${name}-phone.png`), fullPage: true });
  await page.setViewportSize({ width: 900, height: 900 });
}
