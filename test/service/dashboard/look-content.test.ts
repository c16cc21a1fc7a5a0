import { expect, test } from "vitest";
import { IS_WHOLE } from "../../whole.ts";
import { openRunningService } from "../open-service.ts";
import { lookAtAll, samplePages, type Shown } from "./look.ts";
import { BLOG, openSeeded, type Seeded } from "./seeded.ts";

function pagesOf({ ids }: Seeded): readonly Shown[] {
  return [
    { name: "overview", path: "/" },
    { name: "settings", path: "/settings" },
    { name: "sign-out-everywhere", path: "/settings/sign-out-everywhere" },
    { name: "pages", path: "/pages" },
    { name: "pages-cards", path: `/pages?view=cards&site=${ids.sites.bakery}` },
    { name: "pages-none", path: "/pages?q=nothing-like-this" },
    { name: "page-draft", path: `/edit/${ids.pages.menu}` },
    { name: "page-delete", path: `/pages/${ids.pages.menu}/delete` },
    { name: "page", path: `/edit/${ids.pages.start}` },
    { name: "sites", path: "/sites" },
    { name: "site", path: `/sites/${ids.sites.bakery}` },
    { name: "site-long", path: `/sites/${ids.sites.docs}` },
    { name: "site-new", path: "/sites/new" },
    { name: "site-delete", path: `/sites/${ids.sites.docs}/delete` },
    { name: "library", path: "/library" },
    { name: "asset", path: `/library/${ids.assets.bread}` },
    { name: "asset-file", path: `/library/${ids.assets.sheet}` },
    { name: "asset-unused", path: `/library/${ids.assets.unused}` },
    { name: "asset-new", path: "/library/new" },
    { name: "blogs", path: "/blogs" },
    { name: "blog", path: `/blogs/${BLOG}` },
    { name: "blog-new", path: "/blogs/new" },
    { name: "post", path: `/blogs/${BLOG}/posts/holiday` },
    { name: "post-draft", path: `/blogs/${BLOG}/posts/long` },
    { name: "post-edit", path: `/blogs/${BLOG}/posts/rye/edit` },
    { name: "post-new", path: `/blogs/${BLOG}/new` },
    { name: "post-delete", path: `/blogs/${BLOG}/posts/rye/delete` },
    { name: "domains", path: "/domains" },
    { name: "domain", path: `/domains/${ids.domains.active}` },
    { name: "domain-waiting", path: `/domains/${ids.domains.waiting}` },
    { name: "domain-remove", path: `/domains/${ids.domains.waiting}/delete` },
    { name: "asset-delete", path: `/library/${ids.assets.bread}/delete` },
  ];
}

const EMPTY: readonly Shown[] = [
  { name: "empty-overview", path: "/" },
  { name: "empty-pages", path: "/pages" },
  { name: "empty-sites", path: "/sites" },
  { name: "empty-library", path: "/library" },
  { name: "empty-domains", path: "/domains" },
  { name: "empty-blogs", path: "/blogs" },
  { name: "not-found", path: "/edit/pg_0", status: 404 },
];

const barriers = IS_WHOLE ? "in every look" : "by turns";

test(
  "pages, sites, library, blogs, domains, and settings are accessible and fit every window, light and dark",
  { timeout: 600_000 },
  async () => {
    const seeded = await openSeeded();
    expect(await lookAtAll(seeded.service, samplePages(pagesOf(seeded)), { barriers })).toEqual([]);
  },
);

test("every section of an empty service explains how to start", { timeout: 300_000 }, async () => {
  expect(await lookAtAll(await openRunningService(), EMPTY, { barriers })).toEqual([]);
});
