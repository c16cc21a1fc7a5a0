import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { openSignedIn } from "./look.ts";

// Everything that a page could try against a dashboard whose owner is signed in with the same browser, if its author
// knows every address. The page then contains what it found out.
function attack(app: string, victim: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Nice page</title></head><body>
<pre id="found"></pre>
<form id="top" method="post" action="${app}/pages/${victim}/delete" target="_top"></form>
<form id="framed" method="post" action="${app}/pages/${victim}/delete" target="frame"></form>
<iframe name="frame"></iframe>
<script type="module">
const found = {};
const say = (name, value) => { found[name] = value; document.querySelector("#found").textContent = JSON.stringify(found); };
const attempt = async (name, act) => { try { say(name, await act()); } catch (error) { say(name, error.name); } };
await attempt("cookie", () => document.cookie);
await attempt("storage", () => localStorage.getItem("x"));
await attempt("parent", () => parent === window ? "alone" : parent.document.title);
await attempt("read", async () => (await (await fetch("${app}/pages", { credentials: "include" })).text()).includes("Victim"));
await attempt("readApi", async () => (await fetch("${app}/api/pages", { credentials: "include" })).status);
await attempt("blind", async () => (await fetch("${app}/pages/${victim}/delete", { method: "POST", mode: "no-cors", credentials: "include" })).type);
await attempt("blindForm", async () => {
  const body = new URLSearchParams({ status: "draft" });
  return (await fetch("${app}/pages/${victim}/status", { method: "POST", mode: "no-cors", credentials: "include", body })).type;
});
await attempt("beacon", () => navigator.sendBeacon("${app}/pages/${victim}/delete", new URLSearchParams({ status: "draft" })));
await attempt("open", async () => {
  const opened = open("${app}/pages", "_blank");
  if (opened === null) return "none";
  await new Promise((resolve) => setTimeout(resolve, 500));
  return opened.document.title;
});
await attempt("framed", async () => {
  const frame = document.createElement("iframe");
  frame.src = "${app}/pages";
  document.body.append(frame);
  await new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1500); });
  return frame.contentDocument === null ? "closed" : frame.contentDocument.body.textContent.includes("Victim");
});
await attempt("submit", () => document.querySelector("#framed").submit());
say("done", true);
</script></body></html>`;
}

interface Scene {
  readonly service: RunningService;
  readonly context: BrowserContext;
  readonly victim: string;
  readonly attacker: string;
}

async function open(): Promise<Scene> {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const page = { title: "Victim", html: "<h1>Victim</h1>" };
  const victim = String((await send("PUT", "/api/pages/victim", { json: page })).body["id"]);
  const html = attack(service.url, victim);
  const attacker = String((await send("PUT", "/api/pages/attacker", { json: { html } })).body["id"]);
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const context = await openSignedIn(browser, service, { scheme: "light", width: 1280 });
  return { service, context, victim, attacker };
}

type Found = Readonly<Record<string, unknown>>;

/** Waits until a page, or its only frame, has completed all attempts. */
async function findingsOf(page: Page, selector: "page" | "frame"): Promise<Found> {
  const target = selector === "page" ? page : page.frameLocator("iframe").first();
  const text = target.locator("#found", { hasText: '"done":true' });
  return JSON.parse((await text.textContent({ timeout: 30_000 })) ?? "{}") as Found;
}

/** Submits the attacker's form as a top-level navigation, after all other attempts. */
async function sendWithWindow(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('#top').submit()");
  // A sandbox may block the submission; then the page doesn't navigate.
  await page.waitForLoadState("networkidle");
}

async function expectUnharmed({ service, context }: Scene): Promise<void> {
  const page = await context.newPage();
  const answer = await page.goto(`${service.url}/pages`);
  expect(answer?.status(), "the owner is still signed in").toBe(200);
  const { status, body } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages/victim");
  expect([status, body["status"]]).toEqual([200, "published"]);
}

/** Checks that no frame of the attacker shows the dashboard, where clicks could be hijacked. */
async function expectNothingFramed(page: Page, service: RunningService): Promise<void> {
  const frames = page.frames().map((frame) => frame.url());
  expect(frames).not.toContain(`${service.url}/pages`);
  expect(frames).toContain("chrome-error://chromewebdata/");
}

/** Checks that no attempt reached the dashboard. */
const NOTHING = {
  read: "TypeError",
  readApi: "TypeError",
  done: true,
};

test("a published page can't read or change the dashboard, even if its owner is signed in", async () => {
  const setup = await open();
  const page = await setup.context.newPage();
  await page.goto(`${setup.service.pagesUrl}/p/attacker`);
  const found = await findingsOf(page, "page");
  await expectNothingFramed(page, setup.service);
  expect(found).toMatchObject({ ...NOTHING, cookie: "" });
  expect(found["framed"]).toBe("closed");
  expect(["none", "SecurityError"]).toContain(found["open"]);
  await expectUnharmed(setup);
  await sendWithWindow(page);
  await expectUnharmed(setup);
});

test("a page in the dashboard's own preview can't read the dashboard around it", async () => {
  const setup = await open();
  const page = await setup.context.newPage();
  await page.goto(`${setup.service.url}/edit/${setup.attacker}`);
  const found = await findingsOf(page, "frame");
  await expectNothingFramed(page, setup.service);
  expect(found).toMatchObject({
    ...NOTHING,
    cookie: "SecurityError",
    storage: "SecurityError",
    parent: "SecurityError",
  });
  expect(found["open"]).toBe("none");
  expect(page.url()).toBe(`${setup.service.url}/edit/${setup.attacker}`);
  await expectUnharmed(setup);
});

test("a preview opened in its own tab can't read its host", async () => {
  const setup = await open();
  const page = await setup.context.newPage();
  await page.goto(`${setup.service.url}/pages/${setup.attacker}/preview`);
  const found = await findingsOf(page, "page");
  await expectNothingFramed(page, setup.service);
  expect(found).toMatchObject({ ...NOTHING, cookie: "SecurityError", storage: "SecurityError" });
  expect(found["open"]).toBe("none");
  await expectUnharmed(setup);
  await sendWithWindow(page);
  await expectUnharmed(setup);
});

test("the raw page of route set B can't read its host", async () => {
  const setup = await open();
  const page = await setup.context.newPage();
  await page.goto(`${setup.service.baseUrl("b")}/api/pages/attacker/raw`);
  const found = await findingsOf(page, "page");
  await expectNothingFramed(page, setup.service);
  expect(found).toMatchObject({ ...NOTHING, cookie: "SecurityError", storage: "SecurityError" });
  await expectUnharmed(setup);
  await sendWithWindow(page);
  await expectUnharmed(setup);
});

test("a link from a published page to a confirmation of the dashboard still requires confirming it", async () => {
  const setup = await open();
  const page = await setup.context.newPage();
  await page.goto(`${setup.service.pagesUrl}/p/attacker`);
  await findingsOf(page, "page");
  await page.evaluate(`location.href = "${setup.service.url}/pages/${setup.victim}/delete"`);
  await page.waitForSelector("h1");
  await page.waitForSelector("text=Delete page");
  expect(await page.evaluate("window.opener")).toBeNull();
  await expectUnharmed(setup);
});
