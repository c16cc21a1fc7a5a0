import { expect, it, onTestFinished } from "vitest";
import { createClient, type ImprintApi } from "../../src/client.ts";
import type { Plan } from "../../src/sync/changes.ts";
import { findUnusedAssets } from "../../src/sync/unused-assets.ts";
import { clientOf, fileForm, openRunningService } from "../service/open-service.ts";

const EMPTY: Plan = {
  site: undefined,
  assets: [],
  pages: [],
  blog: undefined,
  posts: [],
  brandKit: undefined,
  limits: [],
};
const PROJECT = "k3v9x2ab";
const HASH = `${PROJECT}.0123456789abcdef`;
const LATER = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000);

/** A service with only a route set, without use counts. */
async function open() {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const { apiKey, pagesUrl } = service;
  const client = createClient({ baseUrl: service.baseUrl("a"), apiKey, pagesUrl, routeSet: "a" });
  onTestFinished(() => client.close());
  const api: ImprintApi = {
    ...client,
    assets: {
      ...client.assets,
      async list() {
        const { items, ...listing } = await client.assets.list();
        return { ...listing, items: items.map(({ id, url, name = "" }) => ({ id, url, name })) };
      },
    },
  };
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  async function upload(name: string): Promise<string> {
    const { body } = await send("POST", "/api/library", { form: fileForm([`${name}.${HASH}.txt`, name]) });
    return String(body.url);
  }
  // The list shows no upload times either.
  const remembered = {
    pages: [],
    deletedPages: [],
    siteId: undefined,
    brandKitId: undefined,
    blogId: undefined,
    otherFiles: [],
  };
  const run = { plan: EMPTY, project: PROJECT, rememberedAssets: {}, remembered, known: { posts: undefined }, api };
  const find = () => findUnusedAssets(run, { now: LATER, includeRecent: false });
  const post = (json: object) =>
    send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", ...json } });
  return { upload, find, post };
}

it("reads posts in their source and as readers get them if uses aren't counted", async () => {
  const { upload, find, post } = await open();
  const [inText, asCover] = [await upload("text"), await upload("cover")];
  await upload("gone");
  await post({ html: `<img src="${inText}">`, coverImage: asCover });
  const { unused, recent, undated } = await find();
  expect(undated.map(({ name }) => name)).toEqual([`gone.${HASH}.txt`]);
  expect([unused, recent]).toEqual([[], []]);
});

it("reads a draft in a list with the text and the cover image of posts", async () => {
  const { upload, find, post } = await open();
  const [inText, asCover] = [await upload("text"), await upload("cover")];
  await upload("gone");
  await post({ html: `<img src="${inText}">`, coverImage: asCover, status: "draft" });
  const { undated } = await find();
  expect(undated.map(({ name }) => name)).toEqual([`gone.${HASH}.txt`]);
});

it("reports nothing as unused if uses aren't counted and the text of a post is hidden", async () => {
  const { upload, find, post } = await open();
  await upload("gone");
  await post({ markdown: "x" });
  await expect(find()).rejects.toMatchObject({
    code: "USES_UNKNOWN",
    message: expect.stringMatching(/the text of the post one, .+ Nothing was deleted/),
  });
});
