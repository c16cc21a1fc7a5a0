import { describe, expect, it } from "vitest";
import { fileForm, openRunningService, visit } from "../open-service.ts";
import { bundleOf, hashOf, releaseClientOf, siteOf, type SitePages } from "./publisher.ts";

const DAY = 24 * 60 * 60 * 1000;
const html = (text: string) => `<!doctype html><title>${text}</title><p>${text}`;

describe("readers", () => {
  it("never see pages of two releases while 50 of them are published", async () => {
    const service = await openRunningService();
    const { publish } = releaseClientOf(service);
    const site = (name: string): SitePages => ({
      ...siteOf(name, 20),
      "a-first": html(`version ${name} links to z-last`),
      "z-last": html(`version ${name}`),
    });
    const versionIn = async (slug: string) => {
      const response = await fetch(`${service.pagesUrl}/p/${slug}`);
      return /version (\d+)/.exec(await response.text())?.[1];
    };
    const seen = new Set<string>();
    let isOver = false;
    let parent = String((await publish(site("0"))).body["id"]);
    const read = async () => {
      while (!isOver) {
        const [first, last, again] = [
          await versionIn("a-first"),
          await versionIn("z-last"),
          await versionIn("a-first"),
        ];
        // If a page is the same before and after, one release was live in between, so the other page must belong to it.
        if (first === again) seen.add(first === last ? "same" : `${first} beside ${last}`);
        // Later reads never return an earlier release.
        if (Number(last) < Number(first) || Number(again) < Number(last)) seen.add(`${first}, ${last}, ${again}`);
      }
    };
    const reading = [read(), read()];
    for (let number = 1; number <= 50; number++) {
      const { body, status } = await publish(site(String(number)), { parent });
      expect(status).toBe(200);
      parent = String(body["id"]);
    }
    isOver = true;
    await Promise.all(reading);
    expect([...seen]).toEqual(["same"]);
  });

  it("and API clients see all pages at once, long before all of them are written", async () => {
    const service = await openRunningService();
    const { publish, send } = releaseClientOf(service);
    const first = await publish(siteOf("one", 150));
    await publish(siteOf("two", 150), { parent: String(first.body["id"]) });
    const { body, headers } = await send("GET", "/api/pages/page-149?include=html");
    expect(body).toMatchObject({ version: 2, contentHash: hashOf(siteOf("two", 150)["page-149"] ?? "") });
    expect(headers.get("ETag")).toBe('"v2"');
    expect((await visit(service, "/p/page-149")).status).toBe(200);
    const list = await send("GET", "/api/pages?limit=100");
    expect(new Set(list.items.map(({ version }) => version))).toEqual(new Set([2]));
    const events = await send("GET", "/api/events?type=release.published");
    expect(events.items).toMatchObject([{ data: { pages: 150 } }, { data: { pages: 150, parent: null } }]);
  });

  it("can submit a form on a page that a release has just changed", async () => {
    const service = await openRunningService();
    const { publish, send } = releaseClientOf(service);
    const first = await publish(siteOf("one", 120));
    await publish(siteOf("two", 120), { parent: String(first.body["id"]) });
    const json = { html: html("by hand") };
    const early = await send("PUT", "/api/pages/page-118", { json, headers: { "If-Match": '"v1"' } });
    expect(early.status).toBe(412);
    const late = await send("PUT", "/api/pages/page-119", { json, headers: { "If-Match": '"v2"' } });
    expect(late.status).toBe(200);
    await send("GET", "/api/pages");
    expect(await (await visit(service, "/p/page-119")).text()).toBe(html("by hand"));
    expect((await send("GET", "/api/pages/page-119")).body["version"]).toBe(3);
    const gone = await send("DELETE", "/api/pages/page-117");
    expect([gone.status, (await visit(service, "/p/page-117")).status]).toEqual([204, 410]);
  });
});

describe("two concurrent releases", () => {
  it("of one site: one is published in full, and the other is outdated", async () => {
    const service = await openRunningService();
    const { publish } = releaseClientOf(service);
    const parent = String((await publish(siteOf("base", 60))).body["id"]);
    const answers = await Promise.all(["one", "two"].map((name) => publish(siteOf(name, 60), { parent })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? "one" : "two";
    const texts = await Promise.all(Object.keys(siteOf("", 60)).map((slug) => visit(service, `/p/${slug}`)));
    for (const text of texts) expect(await text.text()).toContain(winner);
  });

  it("of two sites with the same slug: one gets it, and the other is rejected", async () => {
    const service = await openRunningService();
    const { publish, send } = releaseClientOf(service);
    const sites = await Promise.all(["One", "Two"].map((name) => send("POST", "/api/sites", { json: { name } })));
    const answers = await Promise.all(
      sites.map(({ body }) => publish({ shared: html(String(body["id"])) }, { siteId: String(body["id"]) })),
    );
    const list = await send("GET", "/api/pages");
    expect(list.items).toHaveLength(1);
    const [owner] = list.items.map(({ siteId }) => String(siteId));
    expect(await (await visit(service, "/p/shared")).text()).toBe(html(owner ?? ""));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("an unpublished release", () => {
  it("expires after a day, and is never visible", async () => {
    let time = Date.UTC(2026, 5, 1);
    const service = await openRunningService({ now: () => new Date(time), background: false });
    const { open, putPages, putContent, send } = releaseClientOf(service);
    const id = String((await open()).body["id"]);
    await putPages(id, { index: html("home") });
    await putContent(id, bundleOf(html("home")));
    time += DAY;
    const late = await send("POST", `/api/releases/${id}/publish`, { json: {} });
    expect([late.status, late.body["code"]]).toEqual([409, "release_outdated"]);
    expect((await putPages(id, {})).body["code"]).toBe("release_outdated");
    await service.runJobs();
    expect((await send("GET", `/api/releases/${id}`)).body["code"]).toBe("release_not_found");
    expect((await visit(service, "/p/index")).status).toBe(404);
  });
});

describe("retention", () => {
  it("covers the last 20 releases, those of the last 30 days, and all their content", async () => {
    let time = Date.UTC(2026, 5, 1);
    const service = await openRunningService({ now: () => new Date(time), background: false });
    const { publish, send } = releaseClientOf(service);
    const ids: string[] = [];
    for (let number = 0; number < 25; number++) {
      const pages = { counted: html(`count ${number}`), ...(number === 0 && { old: html("old"), gone: html("gone") }) };
      const removes = number === 3 ? ["gone"] : [];
      const parent = ids.at(-1) ?? null;
      ids.push(String((await publish(pages, { parent, removes })).body["id"]));
      time += DAY;
    }
    const listed = async () => (await send("GET", "/api/releases?limit=100")).items.length;
    await service.runJobs();
    expect(await listed()).toBe(25);
    time += 40 * DAY;
    await service.runJobs();
    expect(await listed()).toBe(20);
    const back = await send("POST", `/api/releases/${ids[5] ?? ""}/rollback`, { json: {} });
    expect(back.status).toBe(200);
    const read = async (slug: string) => await (await visit(service, `/p/${slug}`)).text();
    expect([await read("counted"), await read("old")]).toEqual([html("count 5"), html("old")]);
    expect((await send("GET", `/api/releases/${ids[5] ?? ""}/diff`)).items).toMatchObject([
      { slug: "counted", change: "changed" },
    ]);
    const pruned = await send("POST", `/api/releases/${ids[1] ?? ""}/rollback`, { json: {} });
    expect(pruned.body["code"]).toBe("release_not_found");
  });
});

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>`;
const asset = { hash: hashOf(LOGO), name: "logo.svg", contentType: "image/svg+xml", bytes: LOGO.length };

describe("the files of a release", () => {
  async function publishWithLogo() {
    const service = await openRunningService();
    const client = releaseClientOf(service);
    const { open, putPages, putContent, send } = client;
    const opened = await open({ assets: [asset] });
    const [named] = Object(opened.body["assets"]);
    expect(named).toMatchObject({ hash: asset.hash, missing: true });
    const again = await open({ assets: [asset] });
    expect(Object(again.body["assets"])[0]).toEqual(named);
    const id = String(opened.body["id"]);
    const page = html(`<img src="${String(named.url)}">`);
    await putPages(id, { index: page });
    const incomplete = await send("POST", `/api/releases/${id}/publish`, { json: {} });
    expect([incomplete.body["code"], incomplete.body["missing"]]).toEqual([
      "release_incomplete",
      [asset.hash, hashOf(page)],
    ]);
    await putContent(id, bundleOf(LOGO, page), "zstd");
    const published = await send("POST", `/api/releases/${id}/publish`, { json: {} });
    return { ...client, service, id, named, published };
  }

  it("have addresses before their bytes arrive, and count as used by the pages that contain those", async () => {
    const { service, named, published, send } = await publishWithLogo();
    expect(published.status).toBe(200);
    const file = await visit(service, new URL(String(named.url)).pathname);
    expect([file.status, await file.text()]).toEqual([200, LOGO]);
    const { items } = await send("GET", "/api/library");
    expect(items).toMatchObject([{ id: named.id, usedBy: 1 }]);
    const inUse = await send("DELETE", `/api/library/${String(named.id)}`);
    expect(inUse.body["code"]).toBe("asset_in_use");
  });

  it("prevent a rollback to their release once they are deleted, unless forced", async () => {
    const { service, id, named, publish, send } = await publishWithLogo();
    await publish({ index: html("without") }, { parent: id });
    expect((await send("DELETE", `/api/library/${String(named.id)}`)).status).toBe(204);
    const refused = await send("POST", `/api/releases/${id}/rollback`, { json: {} });
    expect([refused.status, refused.body["code"]]).toEqual([409, "release_incomplete"]);
    expect(await (await visit(service, "/p/index")).text()).toBe(html("without"));
    const forced = await send("POST", `/api/releases/${id}/rollback`, { json: { force: true } });
    expect(forced.status).toBe(200);
    // Uploaded again, the file gets the address that the pages contain.
    const upload = await send("POST", "/api/library", { form: fileForm(["logo.svg", LOGO]) });
    expect(upload.body["id"]).toBe(named.id);
  });

  it("can't be larger than a bundle", async () => {
    const { open } = releaseClientOf(await openRunningService());
    const large = await open({ assets: [{ ...asset, bytes: 40_000_000 }] });
    expect([large.status, large.body["code"]]).toEqual([413, "asset_too_large"]);
  });
});

describe("a deleted site", () => {
  it("keeps its published pages, without their history", async () => {
    const service = await openRunningService();
    const { publish, send } = releaseClientOf(service);
    const site = await send("POST", "/api/sites", { json: { name: "Shop" } });
    const siteId = String(site.body["id"]);
    const { body } = await publish({ index: html("home") }, { siteId });
    expect((await send("DELETE", `/api/sites/${siteId}`)).status).toBe(204);
    expect(await (await visit(service, "/p/index")).text()).toBe(html("home"));
    expect((await send("GET", `/api/releases/${String(body["id"])}`)).status).toBe(404);
  });
});

describe("a preview", () => {
  it("has its own sequence of releases", async () => {
    const service = await openRunningService();
    const { publish, send } = releaseClientOf(service);
    await publish({ index: html("site") });
    const preview = await publish({ "draft-index": html("draft") }, { preview: "draft" });
    expect(preview.body).toMatchObject({ preview: "draft", parent: null, live: true });
    expect(await (await visit(service, "/p/index")).text()).toBe(html("site"));
    const live = await send("GET", "/api/releases?live=true&preview=draft");
    expect(live.items).toMatchObject([{ id: preview.body["id"] }]);
  });
});

describe("invalid content of a release", () => {
  it("is rejected before any of it is stored", async () => {
    const { open, putPages, putContent, send } = releaseClientOf(await openRunningService());
    const id = String((await open()).body["id"]);
    expect((await putPages(id, { "Not a slug": html("x") })).body["code"]).toBe("invalid_slug");
    const cut = await putContent(id, bundleOf(html("x")).subarray(0, 700));
    expect([cut.status, cut.body["code"]]).toEqual([400, "malformed_body"]);
    const blank = await putContent(id, bundleOf(" \n"));
    expect(blank.body).toMatchObject({ stored: 0, refused: [{ detail: "The page is empty." }] });
    const wrong = await send("POST", `/api/releases/${id}/publish`, { json: {}, headers: { "If-Match": '"rel_x"' } });
    expect(wrong.body["code"]).toBe("release_outdated");
    expect((await send("GET", "/api/releases/rel_none/diff")).body["code"]).toBe("release_not_found");
    expect((await send("POST", "/api/releases/rel_none/rollback", { json: {} })).status).toBe(404);
    expect((await send("POST", "/api/releases", { json: { parent: "rel_none", assets: [] } })).body).toMatchObject({
      code: "release_outdated",
      live: null,
    });
  });
});
