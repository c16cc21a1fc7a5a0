import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { openDomains } from "../domains/open-domains.ts";
import { clientOf, fileForm, openRunningService, openService, type Send } from "../open-service.ts";
import { lookAt, openSignedIn } from "./look.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { signIn } from "./signed-in.ts";

/** One record of each kind, with "rye" in its name. */
async function addRye(send: Send): Promise<void> {
  await send("PUT", "/api/pages/rye-bread", {
    json: { html: "<form method=post name='Rye order'><input name=a></form>", title: "Our rye" },
  });
  await send("PUT", "/api/pages/other", {
    json: { html: "<h1>Other</h1>", title: "Something else" },
  });
  await send("POST", "/api/library", { form: fileForm(["rye.txt", "rye"]) });
  await send("POST", "/api/sites", { json: { name: "Rye & Co", slug: "ryeco" } });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  await send("POST", "/api/blogs/news/posts", {
    json: { slug: "why", title: "Why rye takes two days", markdown: "Text" },
  });
  await send("POST", "/api/users", { json: { email: "ida@rye.example", role: "viewer" } });
}

async function openDashboard() {
  const service = await openRunningService();
  await addRye(clientOf(service, { routeSet: "a" }));
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).newPage();
  return { service, page };
}

/** The addresses of the results, by name. */
async function search(get: (path: string) => Promise<Response>, text: string): Promise<ReadonlyMap<string, string>> {
  const html = await (await get(`/search?q=${encodeURIComponent(text)}`)).text();
  const main = html.slice(html.indexOf('class="found"'));
  return new Map(
    [...main.matchAll(/<li><a href="([^"]+)">([^<]+?) ?</g)].map(([, path = "", name = ""]) => [name, path]),
  );
}

test("one search finds pages, posts, files, sites, forms, and people, best matches first", async () => {
  const service = openService();
  await addRye(clientOf(service, { routeSet: "a" }));
  const { get } = await signIn(service);
  const found = await search(get, "rye");
  expect([...found.keys()]).toEqual([
    "Our rye",
    "Why rye takes two days",
    "rye.txt",
    "Rye &amp; Co",
    "Rye order",
    "ida",
  ]);
  expect(found.get("Why rye takes two days")).toBe("/blogs/news/posts/why");
  for (const path of found.values()) expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect([...(await search(get, "days RYE")).keys()]).toEqual(["Why rye takes two days"]);
  expect([...(await search(get, "r%e")).keys()]).toEqual([]);
});

test("actions and settings can be found by common words for them", async () => {
  const service = openService();
  await clientOf(service, { routeSet: "a" })("POST", "/api/blogs", {
    json: { name: "News", slug: "news" },
  });
  const { get } = await signIn(service);
  expect((await search(get, "new post")).get("Write a post in News")).toBe("/blogs/news/new?copy=");
  expect((await search(get, "upload")).get("Upload files")).toBe("/library/new");
  expect((await search(get, "sign out")).get("Settings: Sessions")).toBe("/settings#sessions");
  expect((await search(get, "webh")).get("Webhooks")).toBe("/webhooks");
  await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/pictures", {
    json: { html: "<h1>Our pictures</h1>", title: "Our pictures" },
  });
  // The name of this action has no "picture" in it.
  expect([...(await search(get, "picture")).keys()]).toEqual(["Our pictures", "Upload files"]);
  for (const path of (await search(get, "")).values()) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test("a domain can be found by the name shown", async () => {
  const { service, a } = await openDomains();
  await a("POST", "/api/custom-domains", { json: { domain: "bäckerei.example" } });
  const { get } = await signIn(service);
  for (const text of ["bäckerei", "bäckerei.example", "xn--bckerei"]) {
    expect([text, ...(await search(get, text)).keys()]).toEqual([text, "bäckerei.example"]);
  }
});

test("a viewer finds nothing that a viewer can't see or do", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  await addRye(send);
  const { get } = await inviteAs(service, "viewer");
  expect([...(await search(get, "rye")).keys()]).not.toContain("ida");
  expect([...(await search(get, "upload")).keys()]).toEqual([]);
  expect([...(await search(get, "webhooks")).keys()]).toEqual([]);
});

test("a post can be found and opened from any page with the keyboard alone, and the search is accessible", async () => {
  const { service, page } = await openDashboard();
  const looks = [
    { scheme: "light", width: 1280 },
    { scheme: "dark", width: 390 },
  ] as const;
  expect(await lookAt(page, service, { shown: { name: "search", path: "/search?q=rye" }, looks })).toEqual([]);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${service.url}/sites`);
  await page.getByRole("link", { name: "Library" }).first().focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Search" }).waitFor();
  await page.getByRole("link", { name: "Upload files" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Library");

  await page.keyboard.press("Control+k");
  await page.keyboard.type("rye");
  await page.getByRole("status").getByText("6 found. Enter opens Our rye.").waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Why rye");
  await page.keyboard.type(" days");
  await page.getByRole("status").getByText("1 found").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/blogs\/news\/posts\/why$/);

  await page.context().clearCookies();
  await page.keyboard.press("Control+k");
  await page.getByRole("status").getByText("can’t be reached").waitFor();
});

test("results that arrive after one was selected keep it selected, and typing goes on", async () => {
  const { service, page } = await openDashboard();
  const late = Promise.withResolvers<undefined>();
  await page.route("**/search/results?q=rye", async (route) => {
    await late.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/sites`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ry");
  await page.getByRole("status").getByText("Enter opens Our rye.").waitFor();
  await page.keyboard.type("e");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Why rye");
  const replaced = page.evaluate(
    "new Promise((done) => new MutationObserver(() => done()).observe(finder, { childList: true, subtree: true }))",
  );
  late.resolve(undefined);
  await replaced;
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Why rye");
  await page.keyboard.type(" days");
  await page.getByRole("status").getByText("1 found").waitFor();
});
