import { describe, expect, it } from "vitest";
import { clientOf, openService } from "../open-service.ts";
import { CONTACT, publishPage, submit } from "./visiting.ts";

function open() {
  const service = openService();
  return { service, a: clientOf(service, { routeSet: "a" }), b: clientOf(service, { routeSet: "b" }) };
}

describe("an export", () => {
  async function openFilled() {
    const opened = open();
    await publishPage(opened.service, "contact", CONTACT);
    await publishPage(opened.service, "news", CONTACT);
    await submit(opened.service, "contact", { fields: { name: "=1+1", email: "a@example.org" } });
    await opened.a("POST", "/api/_clock", { json: { advanceMs: 1000 } });
    await submit(opened.service, "contact", { fields: { message: 'a "b"\r\n=c', email: "a@example.org" } });
    await submit(opened.service, "news", { fields: { name: "x", _gotcha: "spam" } });
    return opened;
  }

  it("is CSV that is safe in spreadsheets, oldest first, with a column for each name", async () => {
    const { b } = await openFilled();
    const { status, headers, text } = await b("POST", "/api/forms/export", { json: { pageSlug: "contact" } });
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="contact-\d{4}-\d\d-\d\d\.csv"$/);
    expect(text.replaceAll(/"(?:sb|fm)_\w+"|"\d{4}-[^"]+Z"/g, "*")).toBe(
      [
        '"submissionId","createdAt","pageSlug","formId","email","lead","name","field email","message"',
        '*,*,"contact",*,"a@example.org","true","\'=1+1","a@example.org",""',
        '*,*,"contact",*,"a@example.org","false","","a@example.org","a ""b""\r\n=c"',
        "",
      ].join("\r\n"),
    );
  });

  it("starts with a byte order mark", async () => {
    const { b, service } = await openFilled();
    await b("POST", "/api/forms/export", { json: {} });
    const answer = await service.fetch(
      new Request(`${service.baseUrl("b")}/api/forms/export`, {
        method: "POST",
        body: "{}",
        headers: { Authorization: `Bearer ${service.apiKey}`, "Content-Type": "application/json" },
      }),
    );
    expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it("is JSON with everything exactly as it was submitted", async () => {
    const { b } = await openFilled();
    const { items } = await b("POST", "/api/forms/export", { json: { format: "json" } });
    expect(items.map(({ fields }) => fields)).toEqual([
      { name: "=1+1", email: "a@example.org" },
      { message: 'a "b"\r\n=c', email: "a@example.org" },
    ]);
  });

  it.each([
    [{ leadsOnly: true }, 1],
    [{ pageSlug: "news" }, 0],
    [{ from: "2999-01-01" }, 0],
    [{ to: "2999-01-01T00:00:00Z" }, 2],
  ])("can be filtered by %j", async (narrowed, count) => {
    const { b } = await openFilled();
    const { items } = await b("POST", "/api/forms/export", { json: { format: "json", ...narrowed } });
    expect(items).toHaveLength(count);
  });

  it.each([
    [{ formId: "fm_none" }, "form_not_found"],
    [{ pageSlug: "none" }, "page_not_found"],
    [{ from: "yesterday" }, "invalid_body"],
    [{ format: "xlsx" }, "invalid_body"],
    [{ from: "2026-02-01", to: "2026-01-01" }, "invalid_range"],
  ])("of %j is rejected", async (json, code) => {
    const { b } = await openFilled();
    expect((await b("POST", "/api/forms/export", { json })).body.code).toBe(code);
  });

  it("contains all submissions, even more than are read at a time", async () => {
    const service = openService({ trustProxy: true });
    const b = clientOf(service, { routeSet: "b" });
    await publishPage(service, "contact", CONTACT);
    for (let count = 0; count < 620; count++) {
      const headers = { "X-Forwarded-For": `10.0.${Math.floor(count / 250)}.${count % 250}` };
      await submit(service, "contact", { fields: { name: String(count) }, headers });
    }
    const { items } = await b("POST", "/api/forms/export", { json: { format: "json" } });
    expect(new Set(items.map(({ fields }) => Object(fields).name)).size).toBe(620);
    const { text } = await b("POST", "/api/forms/export", { json: {} });
    expect(text.trimEnd().split("\r\n")).toHaveLength(621);
  });

  it("with an idempotency key can be requested again", async () => {
    const { b } = await openFilled();
    const options = { json: {}, headers: { "Idempotency-Key": "once" } };
    expect((await b("POST", "/api/forms/export", options)).status).toBe(200);
    expect((await b("POST", "/api/forms/export", options)).status).toBe(200);
  });
});
