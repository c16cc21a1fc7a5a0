import { describe, expect, it } from "vitest";
import { clientOf, openService, visit } from "./open-service.ts";

const HTML = "<!doctype html><title>Hours</title><p>Open from 10 am.</p><p>Closed from 6 pm.</p>";

describe.each(["a", "b"] as const)("PATCH /api/pages/:slug/html of route set %s", (routeSet) => {
  async function open() {
    const service = openService();
    const send = clientOf(service, { routeSet });
    await send("PUT", "/api/pages/hours", { json: { html: HTML, title: "Opening hours", status: "draft" } });
    const edit = (edits: readonly object[], headers: Readonly<Record<string, string>> = {}) =>
      send("PATCH", "/api/pages/hours/html", { json: { edits }, headers });
    const read = async () => (await send("GET", "/api/pages")).items[0];
    return { service, send, edit, read };
  }

  it("replaces texts in order and keeps everything else", async () => {
    const { service, send, edit } = await open();
    const edits = [
      { find: "10 am", replace: "9 am" },
      { find: "<p>", replace: '<p class="$&">', all: true },
      { find: "from 9", replace: "since 9" },
    ];
    const { status, body } = await edit(edits);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ slug: "hours", title: "Opening hours", status: "draft", version: 2 }),
    ]);
    await send("PATCH", "/api/pages/hours", { json: { status: "published" } });
    expect(await (await visit(service, "/p/hours")).text()).toContain(
      '<p class="$&">Open since 9 am.</p><p class="$&">Closed from 6 pm.</p>',
    );
  });

  it("changes nothing if a text is missing or not unique, and reports which one", async () => {
    const { edit, read } = await open();
    const missing = await edit([
      { find: "10 am", replace: "9 am" },
      { find: "noon", replace: "1 pm" },
    ]);
    expect([missing.status, missing.body.code, missing.body.errors]).toEqual([
      422,
      "text_not_found",
      [{ pointer: "/body/edits/1/find", detail: "isn't in the page" }],
    ]);
    const twice = await edit([{ find: "from", replace: "until" }]);
    expect([twice.status, twice.body.code, twice.body.errors]).toEqual([
      422,
      "text_not_unique",
      [{ pointer: "/body/edits/0/find", detail: expect.stringContaining("2 times") }],
    ]);
    expect(await read()).toMatchObject({ version: 1 });
  });

  it("rejects an edit based on an outdated version", async () => {
    const { edit } = await open();
    expect((await edit([{ find: "10 am", replace: "9 am" }], { "If-Match": '"v1"' })).status).toBe(200);
    const late = await edit([{ find: "9 am", replace: "8 am" }], { "If-Match": '"v1"' });
    expect([late.status, late.body]).toEqual([412, expect.objectContaining({ code: "version_mismatch", version: 2 })]);
  });

  it.each([
    [[], "invalid_body"],
    [[{ find: "", replace: "x" }], "invalid_body"],
    [[{ find: "10 am" }], "invalid_body"],
    [[{ find: HTML, replace: " " }], "invalid_html"],
    [[{ find: "10 am", replace: "x".repeat(5 * 1024 * 1024) }], "page_too_large"],
  ])("rejects invalid edits (%#)", async (edits, code) => {
    const { edit, read } = await open();
    expect((await edit(edits)).body.code).toBe(code);
    expect(await read()).toMatchObject({ version: 1 });
  });

  it("reports a page that doesn't exist", async () => {
    const { send } = await open();
    const json = { edits: [{ find: "a", replace: "b" }] };
    expect((await send("PATCH", "/api/pages/none/html", { json })).body.code).toBe("page_not_found");
  });
});
