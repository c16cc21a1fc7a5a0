import { expect, test } from "vitest";
import { clientOf, openService } from "../open-service.ts";
import { CONTACT, publishPage, submit } from "../visitors/visiting.ts";
import { addWebhook, openSender, startReceiver } from "../webhooks/receiver.ts";
import { signIn } from "./signed-in.ts";

test("an empty service explains how to publish to it, with both of its addresses", async () => {
  const service = openService();
  const { get } = await signIn(service);
  const text = await (await get("/")).text();
  expect(text).toContain("Nothing is published yet");
  expect(text).toContain("npx imprint publish");
  expect(text).toContain(`<code>${service.baseUrl("a")}</code>`);
  expect(text).toContain(`<code>${service.baseUrl("b")}</code>`);
});

test("an empty list explains how to fill it: with a link or a command", async () => {
  const { get } = await signIn(openService());
  const sections = ["pages", "sites", "releases", "library", "blogs", "brand-kits", "analytics", "forms"];
  for (const section of [...sections, "domains", "clients", "webhooks"]) {
    const html = await (await get(`/${section}`)).text();
    const [, text = ""] = /<div class="empty"><p>(.*?)<\/p>/s.exec(html) ?? [];
    expect([section, text]).toEqual([section, expect.stringMatching(/<a href=|<code>/)]);
  }
});

test("the overview shows the newest pages and the latest submissions, without spam or previews", async () => {
  const service = openService();
  const { get } = await signIn(service);
  await publishPage(service, "contact", CONTACT);
  await publishPage(service, "preview-pr-7--contact", CONTACT);
  await submit(service, "preview-pr-7--contact", { fields: { name: "Tester", message: "Only a test" } });
  await submit(service, "contact", { fields: { name: "Ada", email: "ada@mail.example", message: "Hello there" } });
  await submit(service, "contact", { fields: { name: "Bot", message: "Buy this", website: "https://spam.example" } });
  const text = await (await get("/")).text();
  expect(text).toContain("Newest pages");
  expect(text).toContain(">ada@mail.example</a>");
  expect(text).toContain("Hello there");
  expect(text).not.toMatch(/Buy this|Only a test/);
});

test("a failing webhook is shown on the overview until it works", async () => {
  const { service, send } = openSender();
  const { get } = await signIn(service);
  const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 500 : 200 }));
  const { id } = await addWebhook(send, { url: receiver.url });
  await publishPage(service, "about", "<h1>About</h1>");
  const before = await (await get("/")).text();
  await service.sendWebhooks();
  const failing = await (await get("/")).text();
  await send("POST", "/api/_clock", { json: { advanceMs: 60_000 } });
  await service.sendWebhooks();
  const after = await (await get("/")).text();
  expect([before, failing, after].map((text) => text.includes("Needs your attention"))).toEqual([false, true, false]);
  expect(failing).toContain(`href="/webhooks/${id}"`);
});

test("settings show usage, limits, and retention periods", async () => {
  const service = openService({
    ...{ limits: { maxPages: 12 }, plan: "grow", strict: true, routeSet: "b" },
    retention: { submissionDays: 90 },
  });
  const { get } = await signIn(service);
  await clientOf(service, { routeSet: "b" })("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
  const text = await (await get("/settings")).text();
  expect(text).toContain('<meter min="0" max="12" value="1"');
  expect(text).toContain("<dd>grow</dd>");
  expect(text).toContain("<dt>Form submissions</dt><dd>90 days</dd>");
  expect(text).toContain("route set B, limited to the specification");
});

test("signing out everywhere ends every session and sign-in link, but keeps API keys", async () => {
  const service = openService();
  const one = await signIn(service);
  const two = await signIn(service);
  const { url } = await service.createSignInLink();
  const question = await one.get("/settings/sign-out-everywhere");
  expect(question.status).toBe(200);
  expect((await two.get("/settings")).status).toBe(200);
  const answer = await one.post("/settings/sign-out-everywhere");
  expect(answer.headers.get("Set-Cookie")).toContain("Max-Age=0");
  expect([(await one.get("/settings")).status, (await two.get("/settings")).status]).toEqual([401, 401]);
  expect((await service.fetch(new Request(url))).status).toBe(410);
  const pages = await clientOf(service, { routeSet: "a" })("GET", "/api/pages");
  expect(pages.status).toBe(200);
});
