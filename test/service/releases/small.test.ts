import { expect, it } from "vitest";
import { openRunningService, visit } from "../open-service.ts";
import { hashOf, releaseClientOf, type SitePages } from "./publisher.ts";

const html = (text: string) => `<!doctype html><title>${text}</title><p>${text}`;

async function start() {
  const service = await openRunningService();
  const { publish, send } = releaseClientOf(service);
  const first = await publish({ index: html("home"), about: html("about"), old: html("old") });
  const parent = String(first.body["id"]);
  const publishSmall = (pages: SitePages, more: object = {}) => {
    const named = Object.entries(pages).map(([slug, text]) => {
      return { slug, title: slug, hash: hashOf(text), bytes: Buffer.byteLength(text) };
    });
    const json = { parent, pages: named, html: Object.values(pages), manifest: "m2", ...more };
    return send("POST", "/api/releases/publish", { json });
  };
  const read = async (slug: string) => {
    const response = await visit(service, `/p/${slug}`);
    return response.status === 200 ? await response.text() : response.status;
  };
  return { parent, publish, publishSmall, read, send };
}

it("publishes changed and removed pages in one request, with their ids and versions", async () => {
  const { parent, publishSmall, read, send } = await start();
  const { status, body } = await publishSmall({ index: html("home 2"), new: html("né 🐦") }, { removes: ["old"] });
  expect([status, body["release"]]).toMatchObject([
    201,
    { state: "published", live: true, parent, pages: 2, removes: 1, manifest: "m2", kept: [] },
  ]);
  const { items } = await send("GET", "/api/pages");
  const listed = items.map(({ id, slug, version }) => ({ id, slug, version }));
  expect(body["pages"]).toEqual(
    ["index", "new"]
      .map((name) => listed.find(({ slug }) => slug === name))
      .concat([expect.objectContaining({ slug: "old" })]),
  );
  expect(Object.fromEntries(listed.map(({ slug, version }) => [slug, version]))).toEqual({
    about: 1,
    index: 2,
    new: 1,
  });
  expect([await read("index"), await read("new"), await read("about")]).toEqual(["home 2", "né 🐦", "about"].map(html));
  expect(await read("old")).toBe(410);
});

it("answers a repeated request like the first, without another release", async () => {
  const { publishSmall, send } = await start();
  const request = [{ index: html("home 2") }, { removes: ["old"] }] as const;
  const first = await publishSmall(...request);
  const again = await publishSmall(...request);
  expect(again.body["pages"]).toEqual(first.body["pages"]);
  expect(again.body["release"]).toMatchObject({ id: Object(first.body["release"]).id });
  expect((await send("GET", "/api/releases")).items).toHaveLength(2);
});

it("publishes nothing if content is missing or doesn't match its hash", async () => {
  const { publishSmall, read } = await start();
  const pages = { index: html("home 2"), about: html("about 2") };
  for (const sent of [[html("home 2")], [html("home 2"), html("another")], [html("home 2"), ""]]) {
    const { status, body } = await publishSmall(pages, { html: sent });
    expect([status, body["code"], body["missing"]]).toEqual([409, "release_incomplete", [hashOf(pages.about)]]);
  }
  expect(await read("index")).toBe(html("home"));
});

it("publishes nothing if another site has a slug, and names it", async () => {
  const { publishSmall, read, send } = await start();
  const site = await send("POST", "/api/sites", { json: { name: "Other", slug: "other" } });
  const { id: siteId } = site.body;
  await send("PUT", "/api/pages/taken", { json: { html: html("theirs"), title: "Theirs", siteId } });
  const { status, body } = await publishSmall({ index: html("home 2"), taken: html("mine") });
  expect([status, body["code"], body["collisions"]]).toEqual([409, "release_incomplete", [{ slug: "taken", siteId }]]);
  expect([await read("index"), await read("taken")]).toEqual([html("home"), html("theirs")]);
});

it("is outdated if another release is live", async () => {
  const { parent, publish, publishSmall, read } = await start();
  const other = await publish({ index: html("early") }, { parent });
  const { status, body } = await publishSmall({ index: html("late") });
  expect([status, body["code"], body["live"]]).toEqual([409, "release_outdated", other.body["id"]]);
  expect(await read("index")).toBe(html("early"));
});

it("keeps a page that was edited by hand", async () => {
  const { publishSmall, read, send } = await start();
  await send("PUT", "/api/pages/about", { json: { html: html("by hand"), title: "About" } });
  const { body } = await publishSmall({ index: html("home 2"), about: html("about 2") });
  expect(body["release"]).toMatchObject({ pages: 1, kept: ["about"] });
  expect([await read("index"), await read("about")]).toEqual([html("home 2"), html("by hand")]);
});
