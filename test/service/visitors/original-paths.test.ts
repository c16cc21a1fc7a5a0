import { describe, expect, it } from "vitest";
import { hashedSlug } from "../../../src/contract/slug.ts";
import { clientOf, openService, visit } from "../open-service.ts";

const SEE_CART =
  '<!doctype html><title>Redirecting</title><meta http-equiv="refresh" content="0;url=/p/cart?a=1&amp;b=2">';

async function openShop(pages: Readonly<Record<string, string>>) {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  for (const [slug, html] of Object.entries(pages)) await send("PUT", `/api/pages/${slug}`, { json: { html } });
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await visit(service, path, { headers });
    return { status: response.status, location: response.headers.get("Location"), text: await response.text() };
  };
  return { service, send, ask };
}

describe("a page's address on its site's own host", () => {
  it.each([
    ["/thank-you/", "/p/thank-you"],
    ["/thank-you", "/p/thank-you"],
    ["/thank-you.html", "/p/thank-you"],
    ["/thank-you/index.html?order=7", "/p/thank-you?order=7"],
    ["/blog/first/", "/p/blog-first"],
    ["/%C3%BCber/", `/p/${hashedSlug("uber", "/über/")}`],
  ])("%s redirects to %s", async (path, location) => {
    const slugs = ["thank-you", "blog-first", hashedSlug("uber", "/über/")];
    const { ask } = await openShop(Object.fromEntries(slugs.map((slug) => [slug, `<h1>${slug}</h1>`])));
    expect(await ask(path)).toMatchObject({ status: 302, location });
  });

  it("returns 404 for a draft and for a page that was never published", async () => {
    const { ask, send } = await openShop({});
    await send("PUT", "/api/pages/secret", { json: { html: "<h1>Secret</h1>", status: "draft" } });
    expect([(await ask("/secret/")).status, (await ask("/nothing/")).status]).toEqual([404, 404]);
  });
});

describe("the address of a page whose site had a base path", () => {
  async function openBelow() {
    const { ask, send } = await openShop({ "shop-cart": "<h1>A page of its own</h1>", loose: "<h1>Of no site</h1>" });
    const site = { name: "Shop", homeSlug: "home", basePath: "/shop" };
    const { id: siteId } = (await send("POST", "/api/sites", { json: site })).body;
    for (const slug of ["home", "cart", "thank-you"])
      await send("PUT", `/api/pages/${slug}`, { json: { html: `<h1>${slug}</h1>`, siteId } });
    return { ask, send, siteId };
  }

  it("redirects to the page, and the base path itself to the home page", async () => {
    const { ask } = await openBelow();
    expect(await ask("/shop/thank-you/?order=7")).toMatchObject({ status: 302, location: "/p/thank-you?order=7" });
    for (const path of ["/shop", "/shop/", "/shop/index.html"])
      expect([path, await ask(path)]).toMatchObject([path, { status: 302, location: "/p/home" }]);
  });

  it("redirects first to the page with this exact address, and never to a page of another site", async () => {
    const { ask } = await openBelow();
    expect(await ask("/shop/cart/")).toMatchObject({ status: 302, location: "/p/shop-cart" });
    expect([(await ask("/shop/loose/")).status, (await ask("/shopping/thank-you/")).status]).toEqual([404, 404]);
  });

  it("is deleted with its page, and returns the site's own 404 page, even if another site is at the root", async () => {
    const { ask, send, siteId } = await openBelow();
    const other = (await send("POST", "/api/sites", { json: { name: "Docs" } })).body.id;
    await send("PUT", "/api/pages/docs-404", { json: { html: "<h1>No such chapter</h1>", siteId: other } });
    await send("PUT", "/api/pages/404", { json: { html: "<h1>No such lamp</h1>", siteId } });
    await send("PUT", "/api/pages/guide", { json: { html: "<h1>Guide</h1>", siteId: other } });
    await send("DELETE", "/api/pages/thank-you");
    await send("DELETE", "/api/pages/guide");
    expect(await ask("/shop/thank-you/")).toMatchObject({ status: 410, text: "<h1>No such lamp</h1>" });
    expect(await ask("/shop/lost/")).toMatchObject({ status: 404, text: "<h1>No such lamp</h1>" });
    expect((await ask("/thank-you/")).status).toBe(410);
  });

  it("requires a base path with a leading and no trailing slash, and stops working when the base path is removed", async () => {
    const { ask, send, siteId } = await openBelow();
    for (const basePath of ["shop", "/shop/", "/", "", "/a b", "/a?b", 7])
      expect([basePath, (await send("POST", "/api/sites", { json: { name: "Bad", basePath } })).status]).toEqual([
        basePath,
        422,
      ]);
    await send("PATCH", `/api/sites/${String(siteId)}`, { json: { basePath: null } });
    expect((await ask("/shop/thank-you/")).status).toBe(404);
  });
});

describe("a redirect page", () => {
  it("is a permanent redirect, with query and fragment, and keeps its body for old clients", async () => {
    const { ask } = await openShop({ basket: SEE_CART, cart: "<h1>Cart</h1>" });
    expect(await ask("/p/basket")).toMatchObject({ status: 301, location: "/p/cart?a=1&b=2", text: SEE_CART });
  });

  it("is skipped from the page's address on the site's own host", async () => {
    const { ask } = await openShop({ basket: SEE_CART, cart: "<h1>Cart</h1>" });
    expect(await ask("/basket/")).toMatchObject({ status: 301, location: "/p/cart?a=1&b=2" });
  });

  it("stays a page if it has a delay or more content, or leads to a script", async () => {
    const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
    const { ask } = await openShop({
      waits: refresh("30;url=/p/cart"),
      long: refresh("0;url=/p/cart") + "<p>word</p>".repeat(1000),
      script: refresh("0;url=javascript:alert(1)"),
      reload: refresh("0"),
      shown: `<pre>${refresh("0;url=/p/cart").replaceAll("<", "&lt;")}</pre>`,
    });
    for (const slug of ["waits", "long", "script", "reload", "shown"])
      expect([slug, (await ask(`/p/${slug}`)).status]).toEqual([slug, 200]);
  });
});

describe("an unknown address of a site", () => {
  it("shows the site's own 404 page, at a slug and at an original path", async () => {
    const { ask } = await openShop({ "404": "<h1>No such lamp</h1>", cart: "<h1>Cart</h1>" });
    const none = { status: 404, text: "<h1>No such lamp</h1>" };
    expect(await ask("/p/no-such-lamp")).toMatchObject(none);
    expect(await ask("/no/such/lamp/")).toMatchObject(none);
  });

  it("shows it for a deleted page, too, with status 410", async () => {
    const { ask, send } = await openShop({ "404": "<h1>No such lamp</h1>", cart: "<h1>Cart</h1>" });
    await send("DELETE", "/api/pages/cart");
    expect(await ask("/p/cart")).toMatchObject({ status: 410, text: "<h1>No such lamp</h1>" });
  });

  it("shows that of the site with its prefix or of the referring page, and never another site's", async () => {
    const { ask, send } = await openShop({});
    const sites = [];
    for (const name of ["Lamps", "Docs"]) sites.push((await send("POST", "/api/sites", { json: { name } })).body.id);
    const put = (slug: string, siteId: unknown) =>
      send("PUT", `/api/pages/${slug}`, { json: { html: `<h1>${slug}</h1>`, siteId } });
    for (const slug of ["404", "index"]) await put(slug, sites[0]);
    for (const slug of ["docs-404", "docs"]) await put(slug, sites[1]);
    expect((await ask("/p/docs-lost")).text).toContain("<h1>docs-404</h1>");
    expect((await ask("/p/lost")).text).not.toContain("404</h1>");
    expect((await ask("/p/lost", { Referer: "http://pages.example/p/index" })).text).toBe("<h1>404</h1>");
    expect((await ask("/p/lost", { Referer: "http://pages.example/p/docs" })).text).not.toContain("<h1>404</h1>");
  });
});
