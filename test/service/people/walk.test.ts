import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { IS_WHOLE } from "../../whole.ts";
import { lookAt, lookAtAll, type Look } from "../dashboard/look.ts";
import { clientOf, openRunningService } from "../open-service.ts";

const LOOKS: readonly Look[] = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 390 },
];

/** Opens a sign-in link in a new browser context. */
async function enter(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForSelector("body > header");
  return page;
}

test("an owner invites an editor, who can change pages but sees no keys, and a viewer, who can only read", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/menu", { json: { html: "<h1>Menu</h1>", title: "Menu" } });
  const pageId = String((await send("GET", "/api/pages/menu")).body.id);
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const owner = await enter(browser, (await service.createSignInLink()).url);

  async function invite(email: string, role: string): Promise<string> {
    await owner.getByRole("navigation").last().getByRole("link", { name: "People" }).click();
    await owner.getByLabel("Email").fill(email);
    await owner.getByLabel("Role").selectOption(role);
    await owner.getByRole("button", { name: "Invite" }).click();
    return await owner.getByLabel("Sign-in link").inputValue();
  }

  const editor = await enter(browser, await invite("ed@example.org", "editor"));
  const viewer = await enter(browser, await invite("vi@example.org", "viewer"));
  const linksOf = async (page: Page) => await page.getByRole("navigation").last().getByRole("link").allInnerTexts();
  const hidden = ["People", "API keys", "Webhooks", "Requests", "Audit log"];
  expect(await linksOf(owner)).toEqual(expect.arrayContaining(hidden));
  for (const page of [editor, viewer]) {
    expect((await linksOf(page)).filter((name) => hidden.includes(name))).toEqual([]);
    expect((await page.goto(`${service.url}/keys`))?.status()).toBe(403);
    expect(await page.locator("main").innerText()).toContain("An owner can change your role.");
  }

  await editor.goto(`${service.url}/edit/${pageId}`);
  await editor.getByLabel("Title").fill("Our menu");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.waitForSelector("text=Changes saved.");
  expect((await send("GET", "/api/pages/menu")).body.title).toBe("Our menu");
  await editor.getByRole("button", { name: "Unpublish" }).click();
  await editor.waitForSelector("text=now a draft");

  await viewer.goto(`${service.url}/edit/${pageId}`);
  expect(await viewer.getByLabel("Title").inputValue()).toBe("Our menu");
  expect(await viewer.getByLabel("Title").isDisabled()).toBe(true);
  const controls = await viewer.locator("main").locator("button, a.button").allInnerTexts();
  expect(controls).toEqual(["Visitors"]);
  const shown = { name: "viewer-page", path: `/edit/${pageId}` };
  expect(await lookAt(viewer, service, { shown, looks: LOOKS })).toEqual([]);

  // A changed role applies to the open browser.
  await owner.goto(`${service.url}/people`);
  await owner.getByRole("link", { name: "vi", exact: true }).click();
  await owner.getByLabel("Role").selectOption("editor");
  await owner.getByRole("button", { name: "Save" }).click();
  await owner.waitForSelector("text=Changes saved.");
  await viewer.reload();
  await viewer.getByRole("button", { name: "Publish" }).click();
  await viewer.waitForSelector("text=Page published.");
  await owner.getByRole("link", { name: "Remove" }).click();
  await owner.getByRole("button", { name: "Remove user" }).click();
  await owner.waitForSelector("text=User removed.");
  expect((await viewer.reload())?.status()).toBe(401);
});

test("the pages about people are accessible", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/users", { json: { email: "ada@example.org", role: "editor" } });
  const shown = [
    { name: "people", path: "/people" },
    { name: "person", path: `/people/${body.id}` },
    { name: "person-remove", path: `/people/${body.id}/remove` },
    { name: "audit", path: "/audit" },
  ];
  const barriers = IS_WHOLE ? "in every look" : "by turns";
  expect(await lookAtAll(service, shown, { barriers })).toEqual([]);
});
