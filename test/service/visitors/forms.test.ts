import { describe, expect, it } from "vitest";
import { clientOf, openService } from "../open-service.ts";
import { COMBINATIONS, CONTACT, listSent, publishPage, submissionsPath, submit } from "./visiting.ts";

const ANNA = { name: "Anna", email: "Anna@Example.org", message: "Hello" };

function open() {
  const service = openService();
  return { service, a: clientOf(service, { routeSet: "a" }), b: clientOf(service, { routeSet: "b" }) };
}

describe.each(COMBINATIONS)("submissions in route set $routeSet, $mode", ({ routeSet, mode }) => {
  function openMode() {
    const service = openService({ strict: mode === "strict" });
    return { service, send: clientOf(service, { routeSet }) };
  }

  it("are listed with the visitor's input, newest first", async () => {
    const { service, send } = openMode();
    const pageId = await publishPage(service, "contact", CONTACT);
    await submit(service, "contact", { fields: ANNA });
    await submit(service, "contact", { fields: { name: "Ben", message: "Hi" } });
    const { status, items, body } = await send("GET", submissionsPath(routeSet, "contact"));
    expect([status, body.nextCursor]).toEqual([200, null]);
    expect(items.map(({ fields }) => fields).toSorted()).toEqual(
      expect.arrayContaining([ANNA, { name: "Ben", message: "Hi" }]),
    );
    const minimum = {
      submissionId: expect.stringMatching(/^sb_\w{22}$/),
      formId: expect.stringMatching(/^fm_\w{22}$/),
      ...{ pageId, pageSlug: "contact", fields: ANNA },
      createdAt: expect.stringMatching(/Z$/),
    };
    const extra = { email: "anna@example.org", lead: true, spam: false, read: false };
    expect(items.find(({ fields }) => Object(fields).name === "Anna")).toEqual(
      mode === "strict" ? minimum : { ...minimum, ...extra },
    );
  });

  it("of a page that doesn't exist return 404", async () => {
    const { send } = openMode();
    const { status, body } = await send("GET", submissionsPath(routeSet, "none"));
    expect([status, body.code]).toEqual([404, "page_not_found"]);
  });

  it("can be paginated and filtered by day", async () => {
    const { service, send } = openMode();
    await publishPage(service, "contact", CONTACT);
    for (const name of ["1", "2", "3"]) await submit(service, "contact", { fields: { name } });
    const path = submissionsPath(routeSet, "contact");
    const first = await send("GET", `${path}?limit=2`);
    const second = await send("GET", `${path}?limit=2&cursor=${String(first.body.nextCursor)}`);
    expect([first.items.length, second.items.length, second.body.nextCursor]).toEqual([2, 1, null]);
    expect((await send("GET", `${path}?from=2999-01-01`)).items).toEqual([]);
    expect((await send("GET", `${path}?to=2999-01-01`)).items).toHaveLength(3);
    expect((await send("GET", `${path}?from=2026-01-02&to=2026-01-01`)).body.code).toBe("invalid_range");
  });
});

describe("a form submission", () => {
  it("redirects to a confirmation page that can be reloaded", async () => {
    const { service } = open();
    await publishPage(service, "contact", CONTACT);
    const answer = await submit(service, "contact", { fields: ANNA });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/_thanks/contact"]);
    const thanks = await service.fetch(new Request(`${service.pagesUrl}/_thanks/contact`));
    expect(await thanks.text()).toContain("Your message has been sent");
    expect(thanks.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  });

  it.each([
    ["/p/done?x=1#top", "/p/done?x=1#top"],
    ["done", "/p/done"],
    ["https://example.org/", "/_thanks/contact"],
    ["//example.org/", "/_thanks/contact"],
    [String.raw`/\example.org/`, "/_thanks/contact"],
    ["/p/..//example.org", "/_thanks/contact"],
    ["javascript:alert(1)", "/_thanks/contact"],
    ["", "/_thanks/contact"],
    ["http://[", "/_thanks/contact"],
  ])("with _next=%j redirects to %s", async (_next, location) => {
    const { service } = open();
    await publishPage(service, "contact", CONTACT);
    const answer = await submit(service, "contact", { fields: { ...ANNA, _next } });
    expect(answer.headers.get("Location")).toBe(location);
  });

  it("from a client that accepts JSON gets a JSON response", async () => {
    const { service } = open();
    await publishPage(service, "contact", CONTACT);
    const headers = { Accept: "application/json" };
    const answer = await submit(service, "contact", { fields: ANNA, headers });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      submissionId: expect.stringMatching(/^sb_/),
      formId: expect.stringMatching(/^fm_/),
      createdAt: expect.any(String),
    });
    const refused = await submit(service, "none", { fields: ANNA, headers });
    expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
  });

  it("as multipart stores its texts and repeated values, but no empty file input", async () => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    const part = (name: string, value: string) =>
      `--X\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`;
    const parts = [part('"color"', "red"), part('"9"', "x"), part('"__proto__"', "x"), part('"color"', "blue")];
    const answer = await service.fetch(
      new Request(`${service.pagesUrl}/p/contact`, {
        method: "POST",
        redirect: "manual",
        headers: { "Content-Type": "multipart/form-data; boundary=X" },
        body: `${parts.join("")}${part('"file"; filename=""', "")}--X--\r\n`,
      }),
    );
    expect(answer.status).toBe(303);
    const [sent] = await listSent(a, "a", "contact");
    expect(Object.entries(Object(sent))).toEqual([
      ["9", "x"],
      ["color", ["red", "blue"]],
      ["__proto__", "x"],
    ]);
  });

  it.each([
    [
      "a file",
      () => {
        const form = new FormData();
        form.append("file", new File(["x"], "x.txt"));
        return { fields: form };
      },
      415,
    ],
    ["more than 50 fields", () => ({ fields: new URLSearchParams("a=1&".repeat(51)) }), 422],
    ["no field", () => ({ fields: new URLSearchParams("form-name=") }), 404],
    ["nothing", () => ({ fields: new URLSearchParams("_next=x") }), 422],
    ["more than 64 KiB", () => ({ fields: { name: "x".repeat(65 * 1024) } }), 413],
    ["a name that is too long", () => ({ fields: { ["x".repeat(201)]: "x" } }), 422],
    ["another website's origin", () => ({ fields: ANNA, headers: { Origin: "https://example.org" } }), 403],
    ["no origin and no fetch metadata", () => ({ fields: ANNA, headers: { Origin: "null" } }), 403],
  ])("with %s is rejected with an explanation and not stored", async (_what, build, status) => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    const answer = await submit(service, "contact", build());
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain("The form was not sent");
    expect(await listSent(a, "a", "contact")).toEqual([]);
  });

  it("without an origin is accepted if the browser reports the same site", async () => {
    const { service } = open();
    await publishPage(service, "contact", CONTACT);
    const headers = { Origin: "null", "Sec-Fetch-Site": "same-origin" };
    expect((await submit(service, "contact", { fields: ANNA, headers })).status).toBe(303);
  });

  it("is rejected if the page has no form, is a draft, or is deleted", async () => {
    const { service, a } = open();
    await publishPage(service, "plain", "<p>no form</p>");
    await a("PUT", "/api/pages/draft", { json: { html: CONTACT, status: "draft" } });
    await publishPage(service, "gone", CONTACT);
    await a("DELETE", "/api/pages/gone");
    for (const slug of ["plain", "draft", "gone", "none"]) {
      expect((await submit(service, slug, { fields: ANNA })).status).toBe(404);
    }
  });

  it("is limited to ten a minute from one address", async () => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    for (let count = 0; count < 10; count++) await submit(service, "contact", { fields: ANNA });
    const answer = await submit(service, "contact", { fields: ANNA });
    expect([answer.status, answer.headers.has("Retry-After")]).toEqual([429, true]);
    await a("POST", "/api/_clock", { json: { advanceMs: 60_000 } });
    expect((await submit(service, "contact", { fields: ANNA })).status).toBe(303);
  });

  it("behind a trusted proxy is counted by the address that the proxy adds", async () => {
    const service = openService({ trustProxy: true });
    await publishPage(service, "contact", CONTACT);
    const send = (from: string) =>
      submit(service, "contact", { fields: ANNA, headers: { "X-Forwarded-For": `10.0.0.1, ${from}` } });
    for (let count = 0; count < 10; count++) await send("203.0.113.1");
    expect((await send("203.0.113.1")).status).toBe(429);
    expect((await send("203.0.113.2")).status).toBe(303);
  });
});

describe("several forms on a page", () => {
  const TWO = `<form method="post" name="news"><input name="email"></form>
    <form method="post" name="contact"><input name="email"><input name="message"></form>`;

  it.each([
    [{ email: "a@example.org" }, "news"],
    [{ email: "a@example.org", message: "x" }, "contact"],
    [{ email: "a@example.org", "form-name": "contact" }, "contact"],
    [{ other: "x" }, "news"],
  ])("are distinguished: %j belongs to %s", async (fields, name) => {
    const { service, a } = open();
    await publishPage(service, "contact", TWO);
    await submit(service, "contact", { fields });
    expect((await a("GET", `/api/forms/contact?form=${name}`)).items).toHaveLength(1);
    expect((await a("GET", "/api/forms/contact?form=none")).body.code).toBe("form_not_found");
  });

  it.each(["", ' name="elsewhere"', ' id="order"'])(
    "have the names that their hidden fields send, <form%s>",
    async (named) => {
      const { service, a } = open();
      const hidden = (name: string) =>
        `<form method="post"${named}><input type="hidden" name="form-name" value="${name}"><input name="email"></form>`;
      await publishPage(service, "contact", hidden("news") + hidden("contact"));
      const fields = { "form-name": "contact", email: "a@example.org" };
      expect((await submit(service, "contact", { fields })).status).toBe(303);
      expect((await a("GET", "/api/forms/contact?form=contact")).items).toHaveLength(1);
      expect((await a("GET", "/api/forms/contact?form=news")).items).toEqual([]);
    },
  );

  it("reject submissions to an unknown form", async () => {
    const { service } = open();
    await publishPage(service, "contact", TWO);
    expect((await submit(service, "contact", { fields: { "form-name": "none", email: "x" } })).status).toBe(404);
  });

  it("of Netlify redirect to the page in their action", async () => {
    const { service, a } = open();
    const html = `<form name="c" method="post" data-netlify="true" action="/p/done"><input name="email"></form>`;
    await publishPage(service, "contact", html);
    await publishPage(service, "done", "<p>done</p>");
    const answer = await submit(service, "done", { fields: { "form-name": "c", email: "x" } });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/p/done"]);
    expect(await listSent(a, "a", "contact")).toEqual([{ email: "x" }]);
  });
});
