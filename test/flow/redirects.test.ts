import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import type { ImprintOptions } from "../../src/options/schema.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { renderGithubAnnotations } from "../../src/sync/report/render-ci.ts";
import { renderText } from "../../src/sync/report/render-text.ts";
import { hostInProcess, type HostOptions } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

const FULL: HostOptions = { routeSet: "a", strict: false };

/** What `astro build` writes for a redirect. */
function redirectPage(from: string, to: string): string {
  return `<!doctype html><title>Redirecting to: ${to}</title><meta http-equiv="refresh" content="0;url=${to}"><meta name="robots" content="noindex"><link rel="canonical" href="https://halden.example${to}"><body>\t<a href="${to}">Redirecting from <code>${from}</code> to <code>${to}</code></a></body>`;
}

const CARE = htmlPage("Care", "<main><h1>Care</h1><p>Keep the rollers clean, and the ink will keep you.</p></main>");

async function open(settings: HostOptions = FULL, base = "/") {
  const [site, host] = [await createTemporarySite(), await hostInProcess(settings)];
  const api = await connect(host);
  onTestFinished(() => api.close());
  const hints = { site: "https://halden.example", base };
  async function at(path: string) {
    const response = await fetch(`${host.pagesUrl}${path}`, { redirect: "manual" });
    return [response.status, response.headers.get("Location")?.replace(host.pagesUrl, "")];
  }
  const target = { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} } as const;
  return {
    site,
    api,
    hints,
    run: (options: ImprintOptions = {}, preview?: string) =>
      publish({
        projectRoot: site.root,
        dist: site.dist,
        hints,
        options: parseOptions({ brandKit: false, posts: false, maxDeleteShare: 1, ...options }),
        target,
        preview,
      }),
    async redirect(route: string, to: string) {
      await site.write(`dist${route}index.html`, redirectPage(route, to));
    },
    async slugs() {
      return (await api.pages.list()).items.map(({ slug }) => slug).toSorted();
    },
    ask: (slug: string) => at(`/p/${slug}`),
    at,
    async lock() {
      return Object(JSON.parse(await readFile(join(site.root, "imprint.lock.json"), "utf8")));
    },
  };
}

function entryOf({ entries }: Awaited<ReturnType<typeof publish>>, name: string) {
  return entries.find((entry) => entry.resource === "page" && entry.name === name);
}

describe("a redirect of the site", () => {
  it("is a page that redirects directly to the end of a chain, with query and fragment", async () => {
    const { run, redirect, ask, api } = await open();
    await redirect("/who/", "/us/");
    await redirect("/us/", "/about/?from=us#team");
    await redirect("/elsewhere/", "https://other.example/press/?a=1");
    const report = await run();
    expect(await ask("who")).toEqual([301, "/p/about?from=us#team"]);
    expect(await ask("elsewhere")).toEqual([301, "https://other.example/press/?a=1"]);
    expect(entryOf(report, "who")?.details).toEqual(["redirect to /about/?from=us#team"]);
    const html = (await api.pages.readHtml("who")) ?? "";
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toMatch(/<link rel="canonical" href="http:[^"]+\/p\/about\?from=us#team">/);
    expect(html).toContain('<a href="/p/about?from=us#team">');
    expect(Buffer.byteLength(html)).toBeLessThan(4096);
    expect((await run()).requests.writes).toBe(0);
  });

  it("is reported with its route, and omitted, if its target isn't published", async () => {
    const { run, redirect, slugs } = await open();
    await redirect("/old/", "/gone/");
    await redirect("/turning/", "/round/");
    await redirect("/round/", "/turning/");
    await redirect("/hidden/", "/about/");
    const report = await run({ exclude: ["/hidden/", "/about/"] });
    expect(report.warnings.filter(({ code }) => code === "redirect-dropped")).toMatchObject([
      {
        file: "old/index.html",
        message: expect.stringContaining("/old/ is left out, because its destination, /gone/"),
      },
      { file: "round/index.html" },
      { file: "turning/index.html" },
    ]);
    expect(await slugs()).toEqual(["index", "services-letterpress"]);
  });

  it("to a draft's page is omitted together with it", async () => {
    const { run, redirect, site, slugs } = await open();
    await site.write("dist/blog/draft/index.html", htmlPage("Not yet", "<h1>Not yet</h1><p>Not yet.</p>"));
    await redirect("/soon/", "/blog/draft/");
    const report = await run({ posts: {} });
    expect(report.heldPages).toMatchObject([{ route: "/blog/draft/" }]);
    expect(report.warnings).toMatchObject([{ code: "redirect-dropped", file: "soon/index.html" }]);
    expect(await slugs()).toEqual(["about", "index", "services-letterpress"]);
  });

  it("never takes a slug that a page needs", async () => {
    const { run, redirect, site, ask, slugs } = await open();
    await redirect("/care/ink/", "/about/");
    await run();
    expect(await ask("care-ink")).toEqual([301, "/p/about"]);
    await site.write("dist/care-ink/index.html", CARE);
    await run();
    expect(await ask("care-ink")).toEqual([200, undefined]);
    expect((await slugs()).filter((slug) => /^care-ink-[0-9a-f]{8}$/.test(slug))).toHaveLength(1);
  });

  it("as the home page redirects to the current home page, which names the site", async () => {
    const { run, redirect, site, ask, api } = await open();
    await site.write("dist/en/index.html", htmlPage("Halden in English", "<h1>Halden</h1>"));
    await redirect("/", "/en/");
    await run();
    expect(await ask("index")).toEqual([301, "/p/en"]);
    expect((await api.sites.list()).items).toMatchObject([{ name: "Halden in English", homeSlug: "en" }]);
  });

  it("is removed when the site no longer has it", async () => {
    const { run, redirect, site, slugs } = await open();
    await redirect("/who/", "/about/");
    await run();
    await site.remove("dist/who");
    await run({ prune: true });
    expect(await slugs()).toEqual(["about", "index", "services-letterpress"]);
  });
});

const NOT_FOUND = htmlPage("Not found", "<h1>Not found</h1>");

describe("the site's own 404 page", () => {
  it("is published if the service shows it, including those of languages, with the prefix and noindex", async () => {
    const { run, site, slugs, api } = await open();
    await site.write("dist/404.html", NOT_FOUND);
    await site.write("dist/fr/404/index.html", htmlPage("Introuvable", "<h1>Introuvable</h1>"));
    await site.write("dist/500.html", htmlPage("Broken", "<h1>Broken</h1>"));
    const report = await run({ slugs: { prefix: "docs" } });
    expect(await slugs()).toEqual(["docs", "docs-404", "docs-about", "docs-fr-404", "docs-services-letterpress"]);
    expect(await api.pages.readHtml("docs-404")).toContain('<meta name="robots" content="noindex">');
    expect(report.links.home).toMatch(/\/p\/docs$/);
    expect((await api.sites.list()).items).toMatchObject([{ name: "Halden Press" }]);
  });

  it("isn't sent to another service, which is reported once and doesn't fail a strict run", async () => {
    const { run, site, slugs } = await open({ routeSet: "b", strict: true });
    await site.write("dist/404.html", NOT_FOUND);
    const first = await run({ strict: true });
    expect(first.warnings).toMatchObject([{ code: "not-found-page", file: "404.html", isNotice: true }]);
    expect(first.exitCode).toBe(0);
    expect(renderText(first)).toContain("  i 404.html  ");
    expect(renderGithubAnnotations(first)).toMatch(/^::notice [^\n]*404\.html/);
    const second = await run({ strict: true });
    expect(second.warnings.map(({ code }) => code)).not.toContain("not-found-page");
    expect(second.exitCode).toBe(0);
    expect(await slugs()).toEqual(["about", "index", "services-letterpress"]);
  });
});

it("a `slugs` function that uses the last part of routes gets other slugs for conflicting redirects", async () => {
  const { run, redirect, ask, slugs } = await open();
  await redirect("/old/about/", "/about/");
  await redirect("/older/who/", "/about/");
  await run({ slugs: (route) => route.split("/").at(-2) || "index" });
  expect(await slugs()).toEqual(["about", "index", "letterpress", "old-about", "who"]);
  expect(await ask("old-about")).toEqual([301, "/p/about"]);
});

describe("a page with a changed address", () => {
  it("leaves a redirect at the slug that the options changed", async () => {
    const { run, ask, lock } = await open();
    await run();
    const report = await run({ slugs: { "/about/": "team" } });
    expect(entryOf(report, "about")).toMatchObject({ kind: "update", reason: "its page moved to /about/" });
    expect(await ask("about")).toEqual([301, "/p/team"]);
    expect((await run({ slugs: { "/about/": "team" } })).requests.writes).toBe(0);
    expect((await lock()).redirects).toEqual({ about: "/about/" });
    await run({ slugs: { "/about/": "about" } });
    expect(await ask("about")).toEqual([200, undefined]);
    expect(await ask("team")).toEqual([301, "/p/about"]);
  });

  it("leaves a redirect at its old route, with chains shortened to the last one, until it returns", async () => {
    const { run, site, ask, lock } = await open();
    const move = async (from: string, to: string) => {
      await site.remove(`dist/${from}`);
      await site.write(`dist/${to}/index.html`, CARE);
      await run();
    };
    await move("none", "care");
    await move("care", "looking-after");
    expect(await ask("care")).toEqual([301, "/p/looking-after"]);
    await move("looking-after", "rollers");
    expect([await ask("care"), await ask("looking-after")]).toEqual([
      [301, "/p/rollers"],
      [301, "/p/rollers"],
    ]);
    expect((await run()).requests.writes).toBe(0);
    await move("rollers", "care");
    expect(await ask("care")).toEqual([200, undefined]);
    expect(await ask("rollers")).toEqual([301, "/p/care"]);
    expect((await lock()).redirects).toEqual({ "looking-after": "/care/", rollers: "/care/" });
  });

  it("loses its redirects when it is deleted", async () => {
    const { run, site, slugs, lock } = await open();
    await site.write("dist/care/index.html", CARE);
    await run();
    await site.remove("dist/care");
    await site.write("dist/rollers/index.html", CARE);
    await run();
    await site.remove("dist/rollers");
    await run({ prune: true });
    expect(await slugs()).toEqual(["about", "index", "services-letterpress"]);
    expect((await lock()).redirects).toBeUndefined();
  });

  it("reports the redirect of a post that becomes a draft, and restores it with the post", async () => {
    const { run, site, ask, lock } = await open();
    const write = (draft: boolean) =>
      site.write("src/content/blog/rollers.md", `---\ntitle: Care\ndraft: ${draft}\n---\nKeep the rollers clean.\n`);
    const options: ImprintOptions = { posts: {}, prune: false };
    await site.write("dist/blog/care/index.html", CARE);
    await run(options);
    await site.remove("dist/blog/care");
    await site.write("dist/blog/rollers/index.html", CARE);
    await write(false);
    await run(options);
    expect(await ask("blog-care")).toEqual([301, "/p/blog-rollers"]);
    await write(true);
    const hidden = await run(options);
    expect(["blog-rollers", "blog-care"].map((slug) => entryOf(hidden, slug)?.kind)).toEqual(["orphan", "orphan"]);
    expect(entryOf(hidden, "blog-care")?.reason).toBe(entryOf(hidden, "blog-rollers")?.reason);
    expect((await lock()).redirects).toEqual({ "blog-care": "/blog/rollers/" });
    await write(false);
    const shown = await run(options);
    expect(entryOf(shown, "blog-care")?.kind).toBe("keep");
    expect(await ask("blog-care")).toEqual([301, "/p/blog-rollers"]);
  });

  it.each([
    ["says something else", ["Care", "<h1>Care</h1><p>Another text, that is as long as the other one was.</p>"]],
    ["has another title", ["Caring", "<h1>Care</h1><p>Keep the rollers clean, and the ink will keep you.</p>"]],
  ] as const)("leaves none if the new page %s", async (_, [title, body]) => {
    const { run, site, lock } = await open();
    await site.write("dist/care/index.html", CARE);
    await run();
    await site.remove("dist/care");
    await site.write("dist/rollers/index.html", htmlPage(title, body));
    expect(entryOf(await run(), "care")?.kind).toBe("orphan");
    expect((await lock()).redirects).toBeUndefined();
  });

  it("leaves none if another remaining page has the same text, as in another language", async () => {
    const { run, site } = await open();
    await site.write("dist/care/index.html", CARE);
    await site.write("dist/fr/care/index.html", CARE);
    await run();
    await site.remove("dist/care");
    await site.write("dist/de/care/index.html", CARE);
    expect(entryOf(await run(), "care")?.kind).toBe("orphan");
  });

  it("leaves none if two new pages match it, or in a preview", async () => {
    const { run, site, api } = await open();
    await site.write("dist/care/index.html", CARE);
    await run();
    await site.remove("dist/care");
    await site.write("dist/rollers/index.html", CARE);
    await run({}, "pr-1");
    expect(await api.pages.readHtml("care")).toContain("Keep the rollers clean");
    await site.write("dist/ink/index.html", CARE);
    expect(entryOf(await run(), "care")?.kind).toBe("orphan");
  });

  it("doesn't change an edited page or another project's page", async () => {
    const { run, site, api } = await open();
    await site.write("dist/care/index.html", CARE);
    await run();
    const html = (await api.pages.readHtml("care")) ?? "";
    await api.pages.update({ slug: "care", title: "Care", html: html.replace("</main>", "<!-- by hand --></main>") });
    await site.remove("dist/care");
    await site.write("dist/rollers/index.html", CARE);
    expect(entryOf(await run(), "care")?.kind).toBe("orphan");
    expect(await api.pages.readHtml("care")).toContain("by hand");
  });
});

describe.each(["a", "b"] as const)("a site with a base path, route set %s", (routeSet) => {
  it("is announced to our service, which redirects from the original addresses to its pages", async () => {
    const { run, at } = await open({ routeSet, strict: false }, "/press");
    await run();
    expect(await at("/press/services/letterpress/")).toEqual([302, "/p/services-letterpress"]);
    expect(await at("/press/")).toEqual([302, "/p/index"]);
    expect((await run()).requests.writes).toBe(0);
  });

  it("is announced for an already published site", async () => {
    const { run, at, hints } = await open({ routeSet, strict: false });
    await run();
    hints.base = "/press";
    await run();
    expect(await at("/press/about/")).toEqual([302, "/p/about"]);
    expect((await run()).requests.writes).toBe(0);
  });
});
