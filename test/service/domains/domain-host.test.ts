import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { CONTACT } from "../visitors/visiting.ts";
import type { ServiceOptions } from "../../../src/service.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { startDnsServer } from "./dns-server.ts";
import { openDomains, zoneFor } from "./open-domains.ts";

const BROWSER = { Accept: "text/html,application/xhtml+xml", "User-Agent": "Mozilla/5.0 Firefox/140.0" };

/** A service with the site "One" under www.example.org. */
async function openSite(options: ServiceOptions = {}) {
  const opened = await openDomains(options);
  const { a, dns, service } = opened;
  const site = String((await a("POST", "/api/sites", { json: { name: "One", homeSlug: "home" } })).body.id);
  const added = await a("POST", "/api/custom-domains", { json: { domain: "www.example.org", siteId: site } });
  dns.set(zoneFor(added.body));
  await service.checkDomains();
  const publish = (slug: string, html: string, siteId: string | null = site) =>
    a("PUT", `/api/pages/${slug}`, { json: { html, siteId } });
  await publish("home", "<h1>Home</h1>");
  await publish("blog-first", "<h1>First</h1>");
  const visit = (path: string, init: RequestInit = {}) =>
    service.fetch(new Request(`http://www.example.org${path}`, { redirect: "manual", ...init }));
  return { ...opened, site, publish, visit };
}

describe("a custom domain", () => {
  it("serves the pages of its site at their original paths", async () => {
    const { visit } = await openSite();
    const home = await visit("/");
    expect([home.status, await home.text()]).toEqual([200, "<h1>Home</h1>"]);
    for (const path of ["/blog/first/", "/blog/first", "/blog/first.html", "/blog-first"]) {
      expect(await (await visit(path)).text()).toBe("<h1>First</h1>");
    }
  });

  it("also serves them below the base path of the site's previous host", async () => {
    const { a, site, visit } = await openSite();
    await a("PATCH", `/api/sites/${site}`, { json: { basePath: "/one" } });
    const titleAt = async (path: string) => await (await visit(path)).text();
    expect(await titleAt("/one/")).toBe("<h1>Home</h1>");
    expect(await titleAt("/one/blog/first/")).toBe("<h1>First</h1>");
    expect(await titleAt("/blog/first/")).toBe("<h1>First</h1>");
    expect((await visit("/ones/blog/first/")).status).toBe(404);
  });

  it("redirects from the address that pages link to to the page's own path", async () => {
    const { visit } = await openSite();
    const led = async (path: string) => {
      const { status, headers } = await visit(path);
      return [status, headers.get("Location")];
    };
    expect(await led("/p/blog-first?a=1")).toEqual([301, "/blog-first?a=1"]);
    expect(await led("/p/home")).toEqual([301, "/"]);
    expect((await led("/p/none"))[0]).toBe(404);
  });

  it("names each page's canonical address, unless the page does", async () => {
    const { visit, publish } = await openSite();
    await publish("own", '<link href="https://example.org/x/" rel="canonical"><h1>Own</h1>');
    const linkOf = async (path: string) => (await visit(path)).headers.get("Link");
    expect(await linkOf("/")).toBe('<http://www.example.org/>; rel="canonical"');
    expect(await linkOf("/blog/first/")).toBe('<http://www.example.org/blog-first>; rel="canonical"');
    expect(await linkOf("/own")).toBeNull();
  });

  it("serves nothing of another site or without a site, and no drafts", async () => {
    const { a, visit, publish } = await openSite();
    const { body: other } = await a("POST", "/api/sites", { json: { name: "Two" } });
    await publish("secret", "<h1>Two</h1>", String(other.id));
    await publish("loose", "<h1>Loose</h1>", null);
    await a("PUT", "/api/pages/draft", { json: { html: "<h1>Draft</h1>", status: "draft" } });
    for (const path of ["/secret", "/p/secret", "/loose", "/draft", "/p/draft", "/none"]) {
      expect([path, (await visit(path)).status]).toEqual([path, 404]);
    }
    expect((await visit("/p/secret", { method: "POST", body: new URLSearchParams({ a: "1" }) })).status).toBe(404);
  });

  it("returns 410 for a deleted page", async () => {
    const { a, visit } = await openSite();
    await a("DELETE", "/api/pages/blog-first");
    const { status } = await visit("/blog/first/");
    expect(status).toBe(410);
  });

  it("serves all pages of the account if it isn't assigned to a site", async () => {
    const { a, visit, publish } = await openSite();
    await publish("loose", "<h1>Loose</h1>", null);
    await a("PATCH", "/api/custom-domains/www.example.org", { json: { siteId: null } });
    expect(await (await visit("/loose")).text()).toBe("<h1>Loose</h1>");
    expect(await (await visit("/")).text()).toBe("<h1>Home</h1>");
  });

  it("redirects visitors to another domain with path and query", async () => {
    const { a, visit } = await openSite();
    await a("PATCH", "/api/custom-domains/www.example.org", { json: { redirectTo: "example.org" } });
    const { status, headers } = await visit("/a/b?c=d");
    expect([status, headers.get("Location")]).toEqual([308, "http://example.org/a/b?c=d"]);
  });

  it("serves only its site's blog posts, with links that stay on the domain", async () => {
    const { a, visit, site } = await openSite();
    await a("POST", "/api/blogs", { json: { name: "News", slug: "news", siteId: site } });
    await a("POST", "/api/blogs", { json: { name: "Other", slug: "other" } });
    await a("POST", "/api/blogs/news/posts", { json: { slug: "hello", title: "Hello", html: "<p>Hi</p>" } });
    const list = await (await visit("/blog/news")).text();
    expect(list).toContain('href="http://www.example.org/blog/news/hello"');
    expect(await (await visit("/blog/news/hello")).text()).toContain("<p>Hi</p>");
    expect((await visit("/blog/other")).status).toBe(404);
  });

  it("serves library files, and a style with the site's logo", async () => {
    const { a, visit } = await openSite();
    const form = new FormData();
    form.append("file", new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "logo.svg"));
    const { body: asset } = await a("POST", "/api/library", { form });
    const { pathname } = new URL(String(asset.url));
    expect((await visit(pathname)).status).toBe(200);
    const logos = [{ kind: "logo", url: asset.url, contentType: "image/svg+xml" }];
    const { body: kit } = await a("POST", "/api/brand-kits", { json: { name: "Kit", logos } });
    const [site] = (await a("GET", "/api/sites")).items;
    await a("PATCH", `/api/sites/${String(site?.id)}`, { json: { brandKitId: kit.id } });
    expect(await (await visit("/none")).text()).toContain(pathname);
  });

  it("counts views with the script from its own host", async () => {
    const { a, visit } = await openSite();
    const html = await (await visit("/blog/first/", { headers: BROWSER })).text();
    const [, id, version] = /<script src="\/_i\.js" defer data-p="(\w+)" data-v="(\d+)">/.exec(html) ?? [];
    expect((await visit("/_i.js")).status).toBe(200);
    const message = { t: "view", v: Number(version), p: id, k: "x".repeat(20), w: 1000, r: "" };
    const body = JSON.stringify(message);
    const send = (Origin: string) => visit("/_b", { method: "POST", body, headers: { ...BROWSER, Origin } });
    expect((await send("http://evil.example")).status).toBe(403);
    expect((await send("http://www.example.org")).status).toBe(204);
    expect((await a("GET", "/api/analytics/pages")).body).toMatchObject({ totals: { views: 1 } });
  });

  it("accepts forms at every path of their page, and confirms on the same host", async () => {
    const { a, visit, publish } = await openSite();
    await publish("contact-us", CONTACT);
    const Origin = "http://www.example.org";
    for (const path of ["/contact/us/", "/contact-us", "/p/contact-us"]) {
      const body = new URLSearchParams({ name: path });
      const sent = await visit(path, { method: "POST", body, headers: { Origin, Accept: "text/html" } });
      expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/_thanks/contact-us"]);
    }
    await publish("home", CONTACT);
    const body = new URLSearchParams({ name: "Ada" });
    expect((await visit("/", { method: "POST", body, headers: { Origin, Accept: "text/html" } })).status).toBe(303);
    expect((await a("GET", "/api/forms/home")).items).toHaveLength(1);
    expect((await visit("/_thanks/contact-us")).status).toBe(200);
    expect((await a("GET", "/api/forms/contact-us")).items).toHaveLength(3);
  });

  it("is read-only at other paths", async () => {
    const { visit } = await openSite();
    expect((await visit("/blog/first/", { method: "DELETE" })).status).toBe(405);
  });
});

describe("a host name without a site", () => {
  it.each([
    ["never added", "http://strange.example.org/"],
    ["an unproven domain", "http://pending.example.org/"],
    ["a subdomain", "http://deep.www.example.org/"],
  ])("returns 421: %s", async (_, url) => {
    const { a, service } = await openSite({ pagesUrl: "http://127.0.0.1:4401" });
    await a("POST", "/api/custom-domains", { json: { domain: "pending.example.org" } });
    const request = new Request("http://127.0.0.1:4401/", { headers: { "X-Forwarded-Host": new URL(url).host } });
    expect((await service.fetch(request)).status).toBe(302);
    const proxied = await openSite({ trustProxy: true, pagesUrl: "http://127.0.0.1:4401" });
    const refused = await proxied.service.fetch(request);
    expect([refused.status, await refused.text()]).toEqual([421, expect.stringContaining("No site at this domain")]);
  });

  it("is what remains of a removed domain", async () => {
    const { a, service } = await openSite({ trustProxy: true });
    const headers = { "X-Forwarded-Host": "www.example.org" };
    const visit = async () => (await service.fetch(new Request(service.pagesUrl, { headers }))).status;
    expect(await visit()).toBe(200);
    await a("DELETE", "/api/custom-domains/www.example.org");
    expect(await visit()).toBe(421);
  });
});

describe("behind a proxy", () => {
  it("the address that the visitor sees counts", async () => {
    const { service, publish } = await openSite({ trustProxy: true });
    await publish("contact", CONTACT);
    const forwarded = { "X-Forwarded-Host": "www.example.org", "X-Forwarded-Proto": "https" };
    const page = await service.fetch(new Request(`${service.pagesUrl}/contact`, { headers: forwarded }));
    expect(page.headers.get("Link")).toBe('<https://www.example.org/contact>; rel="canonical"');
    const sent = await service.fetch(
      new Request(`${service.pagesUrl}/contact`, {
        ...{ method: "POST", redirect: "manual", body: new URLSearchParams({ name: "Ada" }) },
        headers: { ...forwarded, Origin: "https://www.example.org", Accept: "text/html" },
      }),
    );
    expect(sent.status).toBe(303);
  });
});

describe("over a socket", () => {
  it("the Host header counts", async () => {
    const dns = await startDnsServer();
    const service = await openRunningService({ background: false, domains: { dnsServers: [dns.address] } });
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    const { body: site } = await send("POST", "/api/sites", { json: { name: "One", homeSlug: "home" } });
    await send("PUT", "/api/pages/home", { json: { html: "<h1>Home</h1>", siteId: site.id } });
    await send("PUT", "/api/pages/contact", { json: { html: CONTACT, siteId: site.id } });
    const added = await send("POST", "/api/custom-domains", { json: { domain: "www.example.org", siteId: site.id } });
    dns.set(zoneFor(added.body));
    await service.checkDomains();
    const visit = (host: string, options: AskOptions = {}) => ask(service.pagesPort, { host, ...options });
    expect(await visit("www.example.org")).toEqual({ status: 200, text: "<h1>Home</h1>" });
    expect(await visit(`WWW.Example.org:${service.pagesPort}`)).toMatchObject({ status: 200 });
    expect(await visit("other.example.org")).toMatchObject({ status: 421 });
    expect(await visit(`127.0.0.1:${service.pagesPort}`)).toMatchObject({ status: 302 });
    const form = { path: "/contact", body: "name=Ada", origin: "http://www.example.org" };
    expect(await visit("www.example.org", form)).toMatchObject({ status: 303 });
    expect((await send("GET", "/api/forms/contact")).items).toHaveLength(1);
  });
});

describe("a custom domain with a port made up by the client", () => {
  it("accepts no more forms than without a port", async () => {
    const { service, publish } = await openSite({ trustProxy: true });
    await publish("contact", CONTACT);
    const statuses: number[] = [];
    for (let port = 4000; port < 4011; port++) {
      const host = `www.example.org:${port}`;
      const headers = { "X-Forwarded-Host": host, Origin: `http://${host}`, Accept: "text/html" };
      const init = { method: "POST", redirect: "manual", headers, body: new URLSearchParams({ name: "Ada" }) } as const;
      statuses.push((await service.fetch(new Request(`${service.pagesUrl}/contact`, init))).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(303), 429]);
  });

  it.each(["www.example.org:99999", "www.example.org:0x1", "www.example.org:", 'www.example.org"'])(
    "doesn't cause a server error: %s",
    async (host) => {
      const { service } = await openSite({ trustProxy: true });
      for (const path of ["/", "/blog/none", "/p/home"]) {
        const request = new Request(`${service.pagesUrl}${path}`, { headers: { "X-Forwarded-Host": host } });
        expect((await service.fetch(request)).status).toBeLessThan(500);
      }
    },
  );
});

interface AskOptions {
  readonly path?: string;
  /** Submits a form. */
  readonly body?: string;
  readonly origin?: string;
}

/** Sends a request with a custom Host header, which `fetch` doesn't allow. */
async function ask(port: number, { host, path = "/", body, origin }: AskOptions & { readonly host: string }) {
  const headers = {
    Host: host,
    ...(body !== undefined && { "Content-Type": "application/x-www-form-urlencoded", Origin: origin ?? "" }),
  };
  const sent = request({ host: "127.0.0.1", port, path, headers, method: body === undefined ? "GET" : "POST" });
  sent.end(body);
  const [answer]: readonly IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) throw new Error("There was no answer.");
  return { status: answer.statusCode, text: await text(answer) };
}

describe("the service's own hosts", () => {
  it.each(["127.0.0.1:4401", "localhost:4401", "[::1]:4401", "10.0.0.7", "imprint:4401", "shop.localhost:4401"])(
    "respond as before: %s",
    async (host) => {
      const { service } = await openSite({ trustProxy: true, pagesUrl: "http://127.0.0.1:4401" });
      const request = new Request("http://127.0.0.1:4401/p/home", { headers: { "X-Forwarded-Host": host } });
      const { status, headers } = await service.fetch(request);
      expect([status, headers.get("Link")]).toEqual([200, null]);
    },
  );
});
