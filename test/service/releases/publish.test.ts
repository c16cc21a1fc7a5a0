import { describe, expect, it } from "vitest";
import type { StartOptions } from "../../../src/service.ts";
import { openRunningService, visit } from "../open-service.ts";
import { bundleOf, hashOf, releaseClientOf, tarOf } from "./publisher.ts";

const html = (text: string) => `<!doctype html><title>${text}</title><p>${text}`;

async function start(options: StartOptions = {}) {
  const service = await openRunningService(options);
  const client = releaseClientOf(service);
  const read = async (slug: string) => {
    const response = await visit(service, `/p/${slug}`);
    return response.status === 200 ? await response.text() : response.status;
  };
  return { service, client, read, ...client };
}

describe("a release", () => {
  it.each(["identity", "gzip", "zstd"] as const)("publishes pages with content uploaded as %s", async (encoding) => {
    const { publish, read } = await start();
    const published = await publish({ index: html("home"), about: html("about") }, { encoding });
    expect([published.status, published.body["state"], published.body["live"]]).toEqual([200, "published", true]);
    expect(published.body).toMatchObject({ pages: 2, removes: 0, kept: [], parent: null, manifest: "m" });
    expect([await read("index"), await read("about")]).toEqual([html("home"), html("about")]);
  });

  it("changes and removes only what differs from its parent", async () => {
    const { publish, read, send } = await start();
    const first = await publish({ index: html("home"), about: html("about"), old: html("old") });
    const parent = String(first.body["id"]);
    const second = await publish({ index: html("home 2") }, { parent, removes: ["old"] });
    expect(second.body).toMatchObject({ pages: 1, removes: 1, parent });
    expect([await read("index"), await read("about")]).toEqual([html("home 2"), html("about")]);
    expect([404, 410]).toContain(await read("old"));
    const list = await send("GET", "/api/pages");
    expect(list.items.map(({ slug, version }) => [slug, version]).toSorted()).toEqual([
      ["about", 1],
      ["index", 2],
    ]);
    expect(await read("old")).toBe(410);
  });

  it("removes the pages that aren't in a full list", async () => {
    const { publish, read } = await start();
    await publish({ index: html("home"), about: html("about"), old: html("old") });
    const second = await publish({ index: html("home"), about: html("about 2") });
    expect(second.body).toMatchObject({ pages: 1, removes: 1 });
    expect([await read("index"), await read("about")]).toEqual([html("home"), html("about 2")]);
    expect([404, 410]).toContain(await read("old"));
  });

  it("is rejected if content is missing, with a list of it", async () => {
    const { open, putPages, send, read } = await start();
    const id = String((await open()).body["id"]);
    const staged = await putPages(id, { index: html("home") });
    expect(staged.body["missing"]).toEqual([hashOf(html("home"))]);
    const refused = await send("POST", `/api/releases/${id}/publish`, { json: { manifest: "m" } });
    expect([refused.status, refused.body["code"], refused.body["missing"]]).toEqual([
      409,
      "release_incomplete",
      [hashOf(html("home"))],
    ]);
    expect(await read("index")).toBe(404);
  });

  it("rejects content that doesn't match its hash, by name, and keeps the rest", async () => {
    const { open, putPages, putContent, send, read } = await start();
    const id = String((await open()).body["id"]);
    const [good, bad] = [html("good"), html("bad")];
    await putPages(id, { good, bad });
    const stored = await putContent(id, tarOf([[hashOf(good), good], [hashOf(bad), "<p>something else"]])); // prettier-ignore
    expect(stored.body).toMatchObject({ stored: 1, missing: [hashOf(bad)], refused: [{ name: hashOf(bad) }] });
    const refused = await send("POST", `/api/releases/${id}/publish`, { json: { manifest: "m" } });
    expect(refused.body["missing"]).toEqual([hashOf(bad)]);
    await putContent(id, bundleOf(bad));
    const published = await send("POST", `/api/releases/${id}/publish`, { json: { manifest: "m" } });
    expect(published.status).toBe(200);
    expect(await read("bad")).toBe(bad);
  });

  it("is outdated if another release with the same parent was published", async () => {
    const { publish, read } = await start();
    const first = await publish({ index: html("home") });
    const parent = String(first.body["id"]);
    let other = {};
    const late = await publish(
      { index: html("late") },
      { parent, beforePublish: async () => void (other = (await publish({ index: html("early") }, { parent })).body) },
    );
    expect(other).toMatchObject({ state: "published" });
    expect([late.status, late.body["code"]]).toEqual([409, "release_outdated"]);
    expect(await read("index")).toBe(html("early"));
    expect((await publish({ index: html("later") }, { parent })).body["code"]).toBe("release_outdated");
  });

  it("keeps a manually edited page, and replaces it when forced", async () => {
    const { publish, read, send } = await start();
    const first = await publish({ index: html("home"), about: html("about") });
    const parent = String(first.body["id"]);
    const edit = async () => {
      const { status } = await send("PUT", "/api/pages/index", { json: { html: html("by hand") } });
      expect(status).toBe(200);
    };
    const second = await publish({ index: html("home 2") }, { parent, beforePublish: edit });
    expect(second.body["kept"]).toEqual(["index"]);
    expect(await read("index")).toBe(html("by hand"));
    const third = await publish({ about: html("about 3") }, { parent: String(second.body["id"]) });
    expect(third.body["kept"]).toEqual(["index"]);
    expect(await read("index")).toBe(html("by hand"));
    const fourth = await publish({}, { parent: String(third.body["id"]), force: true });
    expect(fourth.body).toMatchObject({ kept: [], pages: 1 });
    expect(await read("index")).toBe(html("home 2"));
  });

  it("returns the first response when published again", async () => {
    const { publish, send } = await start();
    const first = await publish({ index: html("home") });
    const again = await send("POST", `/api/releases/${String(first.body["id"])}/publish`, { json: { manifest: "m" } });
    expect([again.status, again.body["id"]]).toEqual([200, first.body["id"]]);
    const one = await send("GET", `/api/releases/${String(first.body["id"])}`);
    expect(one.body).toMatchObject({ ...first.body, settledAt: one.body["settledAt"] });
  });

  it("takes over pages that were published individually", async () => {
    const { publish, read, send } = await start();
    await send("PUT", "/api/pages/index", { json: { html: html("one by one"), title: "Title of index" } });
    const { body } = await publish({ index: html("release") });
    expect(body).toMatchObject({ pages: 1, kept: [] });
    expect(await read("index")).toBe(html("release"));
    const { items } = await send("GET", "/api/pages");
    expect(items).toMatchObject([{ slug: "index", version: 2, contentHash: hashOf(html("release")) }]);
  });

  it("accepts submissions to its forms before its other pages are written", async () => {
    const { service, publish, send } = await start({ background: false });
    const form = `${html("Contact")}<form method="post"><input type="email" name="email"></form>`;
    const { body } = await publish({ contact: form, other: html("other") });
    const address = `${service.pagesUrl}/p/contact`;
    const headers = { Accept: "application/json", Referer: address };
    const entries = new URLSearchParams({ email: "ada@example.com" });
    const sent = await fetch(address, { method: "POST", body: entries, headers });
    expect(sent.status).toBe(201);
    const isWritten = async () => (await send("GET", `/api/releases/${String(body["id"])}`)).body["settledAt"] !== null;
    expect(await isWritten()).toBe(false);
    const { items } = await send("GET", "/api/forms/contact");
    expect(items).toMatchObject([{ email: "ada@example.com" }]);
    expect(await isWritten()).toBe(true);
  });

  it("doesn't change the pages of another site", async () => {
    const { open, putPages, send } = await start();
    const site = await send("POST", "/api/sites", { json: { name: "Other" } });
    await send("PUT", "/api/pages/index", { json: { html: html("other"), siteId: site.body["id"] } });
    const id = String((await open()).body["id"]);
    const staged = await putPages(id, { index: html("mine") });
    expect(staged.body).toMatchObject({ collisions: [{ slug: "index", siteId: site.body["id"] }], pages: [] });
  });
});

describe("a rollback", () => {
  it("publishes the content of an earlier release as a new one", async () => {
    const { publish, read, send } = await start();
    const first = await publish({ index: html("1"), about: html("about") }, { manifest: "one" });
    const parent = String(first.body["id"]);
    const second = await publish({ index: html("2"), added: html("added") }, { parent, removes: ["about"] });
    const back = await send("POST", `/api/releases/${parent}/rollback`, { json: {} });
    expect(back.body).toMatchObject({ rollbackOf: parent, parent: second.body["id"], manifest: "one", live: true });
    expect([await read("index"), await read("about")]).toEqual([html("1"), html("about")]);
    expect([404, 410]).toContain(await read("added"));
    const { items } = await send("GET", "/api/pages");
    expect(items.find(({ slug }) => slug === "index")?.["version"]).toBe(3);
    const list = await send("GET", "/api/releases");
    expect(list.items.map(({ id, live }) => [id, live])).toEqual([
      [back.body["id"], true],
      [second.body["id"], false],
      [parent, false],
    ]);
    const diff = await send("GET", `/api/releases/${String(back.body["id"])}/diff`);
    expect(diff.items.map(({ slug, change }) => [slug, change])).toEqual([
      ["about", "added"],
      ["added", "removed"],
      ["index", "changed"],
    ]);
  });
});
