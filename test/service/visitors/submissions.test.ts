import { describe, expect, it } from "vitest";
import { clientOf, openService } from "../open-service.ts";
import { CONTACT, listSent, publishPage, submit } from "./visiting.ts";

const ANNA = { name: "Anna", email: "Anna@Example.org", message: "Hello" };

function open() {
  const service = openService();
  return { service, a: clientOf(service, { routeSet: "a" }), b: clientOf(service, { routeSet: "b" }) };
}

describe("a form's honeypot field", () => {
  it.each(["website", "_gotcha"])("%s stores a submission as spam, without telling the sender", async (trap) => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    const answer = await submit(service, "contact", { fields: { ...ANNA, [trap]: "x" } });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/_thanks/contact"]);
    expect((await a("GET", "/api/forms/contact")).items).toEqual([]);
    expect((await a("GET", "/api/forms/contact?spam=true")).items).toMatchObject([
      { fields: ANNA, spam: true, lead: false },
    ]);
    expect((await a("GET", "/api/forms")).items).toMatchObject([{ submissionCount: 0 }]);
    expect((await a("GET", "/api/events")).items.filter(({ type }) => type !== "page.published")).toEqual([]);
  });

  it("left empty accepts the submission, and isn't stored", async () => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    await submit(service, "contact", { fields: { ...ANNA, website: "", _gotcha: " " } });
    expect(await listSent(a, "a", "contact")).toEqual([ANNA]);
  });
});

describe("leads and events", () => {
  async function eventsOf(send: ReturnType<typeof clientOf>) {
    const { items } = await send("GET", "/api/events");
    return items.filter(({ type }) => !String(type).startsWith("page."));
  }

  it("are created for each submission, and for each email address once per account", async () => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    await publishPage(service, "other", CONTACT);
    await submit(service, "contact", { fields: ANNA });
    await submit(service, "other", { fields: { ...ANNA, email: " ANNA@example.org " } });
    await submit(service, "contact", { fields: { ...ANNA, email: "not an address" } });
    const events = await eventsOf(a);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      "form.submitted",
      "form.submitted",
      "form.submitted",
      "lead.captured",
    ]);
    expect(events.find(({ type }) => type === "lead.captured")).toMatchObject({
      data: { email: "anna@example.org", pageSlug: "contact", requestId: expect.any(String) },
    });
    expect(events.find(({ data }) => Object(data).fields?.email === "Anna@Example.org")).toMatchObject({
      data: { formName: "form-1", fields: ANNA, submissionId: expect.stringMatching(/^sb_/) },
    });
  });

  it("are deleted with the submission, so that no data about the visitor remains", async () => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    await submit(service, "contact", { fields: ANNA });
    const [sent] = (await a("GET", "/api/forms/contact")).items;
    const path = `/api/forms/contact/${String(sent?.submissionId)}`;
    expect((await a("DELETE", path)).status).toBe(204);
    expect(await eventsOf(a)).toEqual([]);
    expect(await listSent(a, "a", "contact")).toEqual([]);
    expect((await a("DELETE", path)).body.code).toBe("submission_not_found");
    await submit(service, "contact", { fields: ANNA });
    expect((await a("GET", "/api/forms/contact")).items).toMatchObject([{ lead: true }]);
  });

  it("of another page can't be deleted under this one", async () => {
    const { service, a } = open();
    await publishPage(service, "contact", CONTACT);
    await publishPage(service, "other", CONTACT);
    await submit(service, "contact", { fields: ANNA });
    const [sent] = (await a("GET", "/api/forms/contact")).items;
    expect((await a("DELETE", `/api/forms/other/${String(sent?.submissionId)}`)).body.code).toBe(
      "submission_not_found",
    );
    expect((await a("DELETE", `/api/forms/none/${String(sent?.submissionId)}`)).body.code).toBe("page_not_found");
  });
});

describe("the list of forms", () => {
  const form = (...fields: readonly string[]) =>
    `<form method="post" name="f">${fields.map((name) => `<input name="${name}">`).join("")}</form>`;

  it("follows the pages: forms appear, change, and disappear with their HTML", async () => {
    const { service, a } = open();
    const pageId = await publishPage(service, "one", form("a"));
    const [first] = (await a("GET", "/api/forms")).items;
    expect(first).toEqual({
      id: expect.stringMatching(/^fm_\w{22}$/),
      ...{ name: "f", pageId, pageSlug: "one", submissionCount: 0, lastSubmissionAt: null },
      fields: [{ name: "a", type: "text", required: false }],
      createdAt: expect.any(String),
    });
    await publishPage(service, "one", form("a", "b"));
    expect((await a("GET", "/api/forms")).items).toMatchObject([
      { id: first?.id, fields: [{ name: "a" }, { name: "b" }] },
    ]);
    await publishPage(service, "one", "<p>none</p>");
    expect((await a("GET", "/api/forms")).items).toEqual([]);
  });

  it("keeps a form with submissions, even without its page, until it is deleted", async () => {
    const { service, a, b } = open();
    await publishPage(service, "one", form("a"));
    await submit(service, "one", { fields: { a: "1" } });
    await a("DELETE", "/api/pages/one");
    const { items } = await a("GET", "/api/forms");
    expect(items).toMatchObject([{ pageSlug: "one", submissionCount: 1 }]);
    const [sent] = (await b("GET", `/api/forms/${String(items[0]?.id)}/submissions`)).items;
    expect(sent).toMatchObject({ fields: { a: "1" } });
    await publishPage(service, "one", form("a"));
    expect((await a("GET", "/api/forms")).items).toMatchObject([{ id: items[0]?.id }]);
    await a("PUT", "/api/pages/one", { json: { html: form("a"), status: "draft" } });
    expect((await submit(service, "one", { fields: { a: "2" } })).status).toBe(404);
    await a("DELETE", `/api/forms/one/${String(sent?.submissionId)}`);
    expect((await a("GET", "/api/forms")).items).toEqual([]);
  });

  it("can be filtered by page", async () => {
    const { service, a } = open();
    await publishPage(service, "one", form("a"));
    await publishPage(service, "two", form("a"));
    expect((await a("GET", "/api/forms?pageSlug=two")).items).toMatchObject([{ pageSlug: "two" }]);
  });

  it("excludes the forms of a site that is deleted with its pages", async () => {
    const { service, a } = open();
    const site = (await a("POST", "/api/sites", { json: { name: "Site" } })).body;
    await a("PUT", "/api/pages/one", { json: { html: form("a"), siteId: site.id } });
    await a("DELETE", `/api/sites/${String(site.id)}?pages=delete`);
    expect((await a("GET", "/api/forms")).items).toEqual([]);
    expect((await submit(service, "one", { fields: { a: "1" } })).status).toBe(404);
  });
});

describe.each(["a", "b"] as const)("marking submissions in route set %s", (routeSet) => {
  it("as read or spam is stored, and a lead no longer marked as spam is restored", async () => {
    const { service, a } = open();
    const send = clientOf(service, { routeSet });
    await publishPage(service, "contact", CONTACT);
    await submit(service, "contact", { fields: ANNA });
    const list = async (query: string) => (await a("GET", `/api/forms/contact?${query}`)).items;
    const id = String((await list(""))[0]?.["submissionId"]);
    expect(await list("unread=true")).toMatchObject([{ read: false, lead: true }]);

    const read = await send("PATCH", `/api/submissions/${id}`, { json: { read: true } });
    expect([read.status, read.body]).toMatchObject([200, { submissionId: id, read: true, spam: false, fields: ANNA }]);
    expect(await list("unread=true")).toEqual([]);

    await send("PATCH", `/api/submissions/${id}`, { json: { spam: true } });
    expect([await list(""), await list("spam=true")]).toMatchObject([[], [{ read: true, lead: false }]]);
    await submit(service, "contact", { fields: ANNA });
    await send("PATCH", `/api/submissions/${id}`, { json: { spam: false } });
    expect((await list("")).map(({ lead, read: isRead }) => [lead, isRead])).toEqual([
      [true, false],
      [false, true],
    ]);
    const events = (await a("GET", "/api/events")).items.filter(({ type }) => type === "form.submitted");
    expect(events).toHaveLength(2);

    expect((await send("PATCH", `/api/submissions/${id}`, { json: { read: "yes" } })).status).toBe(422);
    expect((await send("PATCH", "/api/submissions/sb_none", { json: { read: true } })).status).toBe(404);
  });
});
