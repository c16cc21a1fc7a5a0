import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type Service, type ServiceOptions } from "../../src/service.ts";
import { clientOf, fileForm, pageForm, visit, type Answer, type Send } from "../service/open-service.ts";
import { BROWSER, leave, send as sendBeacon, view } from "../service/visitors/beacon.ts";
import { freshBucket, freshSchemaUrl } from "./servers.ts";

interface Pair {
  readonly services: readonly [Service, Service];
  readonly a: readonly [Send, Send];
  readonly b: readonly [Send, Send];
}

/** Two services, with their own connections, on one database and one bucket. */
function openPair(options: ServiceOptions = {}): Pair {
  const shared = { databaseUrl: freshSchemaUrl(), blobs: { s3: freshBucket() }, background: false, ...options };
  const open = () => {
    const service = createService({ ephemeral: false, ...shared });
    onTestFinished(() => service.close());
    return service;
  };
  const services = [open(), open()] as const;
  const [one, two] = services;
  return {
    services,
    a: [clientOf(one, { routeSet: "a" }), clientOf(two, { routeSet: "a" })],
    b: [clientOf(one, { routeSet: "b" }), clientOf(two, { routeSet: "b" })],
  };
}

/** Sends this number of requests in total to both services at once. */
async function atOnce<Result>(
  times: number,
  [one, two]: readonly [Send, Send],
  ask: (send: Send, number: number) => Promise<Result>,
): Promise<readonly Result[]> {
  return await Promise.all(Array.from({ length: times }, (_, number) => ask(number % 2 === 0 ? one : two, number)));
}

function statusesOf(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("concurrent writes of one page", () => {
  it("with the same known version: one succeeds, and the others are rejected", async () => {
    const { a } = openPair();
    await a[0]("PUT", "/api/pages/one", { json: { html: "<p>0</p>" } });
    const answers = await atOnce(16, a, (send, number) =>
      send("PUT", "/api/pages/one", { json: { html: `<p>${number + 1}</p>` }, headers: { "If-Match": '"v1"' } }),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 412: 15 });
    expect((await a[0]("GET", "/api/pages/one")).body).toMatchObject({ version: 2 });
  });

  it("that doesn't exist: one creates it, in any way", async () => {
    const { a, b } = openPair();
    const created = await atOnce(16, a, (send, number) =>
      send("PUT", "/api/pages/one", { json: { html: `<p>${number}</p>` }, headers: { "If-None-Match": "*" } }),
    );
    expect(statusesOf(created)).toEqual({ 201: 1, 412: 15 });
    const posted = await atOnce(16, b, (send, number) =>
      send("POST", "/api/pages", { form: pageForm({ html: `<p>${number}</p>`, title: "Two", slug: "two" }) }),
    );
    expect(statusesOf(posted)).toEqual({ 201: 1, 409: 15 });
  });

  it("without a condition: each creates a version, and each has its event", async () => {
    const { a } = openPair();
    const answers = await atOnce(16, a, (send, number) =>
      send("PUT", "/api/pages/one", { json: { html: `<p>${number}</p>` } }),
    );
    expect(statusesOf(answers)).toEqual({ 200: 15, 201: 1 });
    expect((await a[0]("GET", "/api/pages/one")).body).toMatchObject({ version: 16 });
    expect((await a[1]("GET", "/api/events?limit=100")).items).toHaveLength(16);
  });
});

it("concurrent writes of many pages are all stored", async () => {
  const { a } = openPair();
  await atOnce(40, a, (send, number) => send("PUT", `/api/pages/page-${number}`, { json: { html: "<p>1</p>" } }));
  expect((await a[0]("GET", "/api/pages?limit=100")).items).toHaveLength(40);
});

it("limits apply to both services together", async () => {
  const { a } = openPair({ limits: { maxPages: 5, maxSites: 3 } });
  const pages = await atOnce(16, a, (send, number) =>
    send("PUT", `/api/pages/page-${number}`, { json: { html: "<p>1</p>" } }),
  );
  expect(statusesOf(pages)).toEqual({ 201: 5, 422: 11 });
  const sites = await atOnce(8, a, (send, number) => send("POST", "/api/sites", { json: { name: `Site ${number}` } }));
  expect(statusesOf(sites)).toEqual({ 201: 3, 422: 5 });
});

it("concurrent uploads of one file create one asset", async () => {
  const { a } = openPair();
  const answers = await atOnce(8, a, (send) => send("POST", "/api/library", { form: fileForm(["a.txt", "the same"]) }));
  expect(statusesOf(answers)).toEqual({ 200: 7, 201: 1 });
  expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(1);
  const path = new URL(String(answers[0]?.body["url"])).pathname;
  expect((await a[1]("GET", "/api/library")).items).toHaveLength(1);
  expect(path).toMatch(/^\/library\//);
});

it("of concurrent posts with one slug, the first one is kept", async () => {
  const { a } = openPair();
  await a[0]("POST", "/api/blogs", { json: { name: "Blog", slug: "blog" } });
  const answers = await atOnce(12, a, (send, number) =>
    send("POST", "/api/blogs/blog/posts", { json: { slug: "one", title: "One", html: `<p>${number}</p>` } }),
  );
  expect(statusesOf(answers)).toEqual({ 201: 1, 409: 11 });
});

it("a request with an idempotency key runs once, on either service", async () => {
  const { a } = openPair();
  const answers = await atOnce(12, a, (send) =>
    send("POST", "/api/sites", { json: { name: "One" }, headers: { "Idempotency-Key": "same" } }),
  );
  const ran = answers.filter(({ status, headers }) => status === 201 && headers.get("Idempotent-Replayed") === null);
  expect(ran).toHaveLength(1);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  const replayed = await a[1]("POST", "/api/sites", { json: { name: "One" }, headers: { "Idempotency-Key": "same" } });
  expect([replayed.status, replayed.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
});

describe("visitors", () => {
  const FORM = '<form method="post"><input type="email" name="email"><input name="text"></form>';

  async function publish([one]: readonly [Send, Send], html: string): Promise<string> {
    const { body } = await one("PUT", "/api/pages/one", { json: { html } });
    return String(body["id"]);
  }

  it("become a lead once however many times they submit a form concurrently", async () => {
    const { services, a } = openPair({ trustProxy: true });
    await publish(a, FORM);
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, number) => {
        const service = services[number % 2 === 0 ? 0 : 1];
        return visit(service, "/p/one", {
          method: "POST",
          body: new URLSearchParams({ email: "Ann@example.org", text: String(number) }),
          headers: { "X-Forwarded-For": `10.0.0.${number}` },
        });
      }),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 303));
    const { items } = await a[0]("GET", "/api/events?limit=100");
    const types = items.map(({ type }) => type);
    expect(types.filter((type) => type === "form.submitted")).toHaveLength(12);
    expect(types.filter((type) => type === "lead.captured")).toHaveLength(1);
  });

  it("count once if their messages arrive twice", async () => {
    const { services, a } = openPair();
    const id = await publish(a, "<p>1</p>");
    const both = (message: object) =>
      Promise.all(
        Array.from({ length: 8 }, (_, number) => sendBeacon(services[number % 2 === 0 ? 0 : 1], message, BROWSER)),
      );
    await both(view(id));
    await both(leave(id, { c: [[100, 100, "a"]] }));
    const { items } = await a[0]("GET", "/api/analytics/pages");
    expect(items[0]).toMatchObject({ views: 1, visitors: 1, clicks: 1 });
  });
});

it("a key's rate limit applies to both services together", async () => {
  const { services } = openPair({ rateLimit: { perKey: 5 } });
  const { apiKey } = await services[0].createKey({ name: "shared" });
  const sends = [clientOf(services[0], { routeSet: "a" }), clientOf(services[1], { routeSet: "a" })] as const;
  const answers = await atOnce(12, sends, (send) => send("GET", "/api/pages", { apiKey }));
  expect(statusesOf(answers)).toEqual({ 200: 5, 429: 7 });
});

it("a key's rate limit applies to both services together if one clock is a second ahead", async () => {
  let time = Date.UTC(2026, 2, 1);
  const { services, a } = openPair({ rateLimit: { perKey: 5 }, now: () => new Date(time) });
  const { apiKey } = await services[0].createKey({ name: "shared" });
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    for (const [index, send] of a.entries()) {
      time = Date.UTC(2026, 2, 1, 0, 0, 1 - index);
      statuses.push((await send("GET", "/api/pages", { apiKey })).status);
    }
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
});

it("a key that one service revokes is rejected by the other at once", async () => {
  const { services, a } = openPair();
  const { id, apiKey } = await services[0].createKey({ name: "short" });
  expect((await a[1]("GET", "/api/pages", { apiKey })).status).toBe(200);
  await services[0].revokeKey(id);
  expect((await a[1]("GET", "/api/pages", { apiKey })).status).toBe(401);
});
