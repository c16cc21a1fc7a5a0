import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, fileForm, openRunningService, openService } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { openSignedIn } from "./look.ts";
import { signIn } from "./signed-in.ts";

const PIXEL = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

test("what was typed survives an expired session, without a script", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/library", { form: fileForm(["hero.png", PIXEL]) });
  const path = `/library/${String(body["id"])}`;
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const { cookies } = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: { cookies, origins: [] } });
  const page = await context.newPage();
  await page.goto(`${service.url}${path}`);
  const alt = `Two lines,\n"quoted" & <b>`;
  await page.getByLabel("Alternative text").fill(alt);
  await page.getByLabel("Tags").fill("first, second");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("You were signed out, so nothing was saved").waitFor();
  // Still signed out.
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("You were signed out, so nothing was saved").waitFor();
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Show a new link" }).click();
  const tab = await opened;
  await tab.getByText("Link created").waitFor();
  await tab.goto((await service.createSignInLink()).url);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.getByRole("heading", { name: "Overview" }).waitFor();
  expect((await send("GET", "/api/library")).items[0]).toMatchObject({ alt: null });
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Changes saved.").waitFor();
  expect((await send("GET", "/api/library")).items[0]).toMatchObject({ alt, tags: ["first", "second"] });
});

test("an expired session's form can be sent again only by its user, and with every selected entry", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  const send = clientOf(service, { routeSet: "a" });
  const editor = await inviteAs(service, "editor");
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  now = new Date("2026-03-20T10:00:00Z");
  const refused = await editor.post("/blogs/news", { name: "Latest", "a[]": `x" y` });
  const html = await refused.text();
  const writer = /name="writer" value="(us_\w+)"/.exec(html)?.[1] ?? "";
  expect(refused.status).toBe(401);
  expect(html).toContain('<form method="post" action="/blogs/news">');
  expect(html).toContain('name="a[]" value="x&quot; y"');
  const other = await (await signIn(service)).post("/blogs/news", { name: "Latest", writer });
  expect([other.status, (await send("GET", "/api/blogs")).items[0]?.["name"]]).toEqual([403, "News"]);
});

test("after signing in, a user returns to the page of the form", async () => {
  const service = openService();
  const send = (body: FormData | URLSearchParams, headers: Readonly<Record<string, string>>) =>
    service.fetch(
      new Request(`${service.url}/library`, {
        method: "POST",
        body,
        headers: { Origin: service.url, "Sec-Fetch-Site": "same-origin", ...headers },
      }),
    );
  const form = await send(fileForm(["hero.png", PIXEL]), { Referer: `${service.url}/library/new?x=1` });
  const foreign = await send(fileForm(["hero.png", PIXEL]), { Referer: "https://evil.example/library" });
  const script = await send(new URLSearchParams({ text: "Secret" }), { Accept: "application/json" });
  const html = await form.text();
  expect(html).toContain('name="next" value="/library/new?x=1"');
  expect(html).toContain("choose its files again");
  expect(html).not.toContain("Send again");
  expect(await foreign.text()).toContain('name="next" value="/"');
  expect([script.status, (await script.text()).includes("Secret")]).toEqual([401, false]);
});

test.for([
  ["large", "x".repeat(100_000)],
  ["with many fields", "x&".repeat(3000)],
] as const)("a form that is %s isn't shown again, as anyone may send it", async ([, body]) => {
  const service = openService();
  const headers = { Origin: service.url, "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await service.fetch(new Request(`${service.url}/blogs/news`, { method: "POST", body, headers }));
  const html = await answer.text();
  expect([answer.status, html.includes("nothing was saved"), html.includes("xx")]).toEqual([401, true, false]);
  expect(html).not.toContain("Send again");
});

test("a form of another site isn't shown again", async () => {
  const service = openService();
  const body = new URLSearchParams({ name: "Forged" });
  const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  const answer = await service.fetch(new Request(`${service.url}/blogs/news`, { method: "POST", body, headers }));
  expect([answer.status, (await answer.text()).includes("Forged")]).toEqual([403, false]);
});
