import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../src/html/edits.ts";
import { replaceActiveLinks } from "../../../src/site/rewrite/active-links.ts";
import { replacePathReads } from "../../../src/site/rewrite/path-reads.ts";

/** As published: where each page of the site is. */
const PUBLISHED = new Map([
  ["/", "/p/index"],
  ["/about/", "/p/about"],
  ["/blog/", "/p/blog"],
  ["/blog/one/", "/p/blog-one"],
  ["/blog-archive/", "/p/blog-archive"],
]);

function rewrite(script: string): string {
  const others = replacePathReads(script);
  return applyEdits(script, [...others, ...replaceActiveLinks(script, others)]);
}

/** The written addresses of the links that a script marks on the page at a path of the site's own host. */
function markedOn(route: string, script: string): readonly string[] {
  return run(script, (written) => written, route);
}

function markedWherePublished(route: string, script: string): readonly string[] {
  return run(rewrite(script), (written) => PUBLISHED.get(written) ?? written, route);
}

function run(script: string, publishedAt: (written: string) => string, route: string): readonly string[] {
  const isPublished = publishedAt(route) !== route;
  const marked: string[] = [];
  const links = [...PUBLISHED.keys()].map((written) => {
    const pathname = publishedAt(written);
    return {
      pathname,
      href: `https://own.example${pathname}`,
      dataset: isPublished ? { imprintPath: written } : {},
      getAttribute: () => pathname,
      mark: () => marked.push(written),
    };
  });
  const location = { pathname: publishedAt(route), href: `https://own.example${publishedAt(route)}` };
  const self = isPublished ? { imprintPath: () => route } : {};
  runInNewContext(script, { links, location, window: { location }, self, URL });
  return marked;
}

describe("a script that marks the links to a page or its section", () => {
  it.each([
    [
      "without their trailing slashes",
      'const path = location.pathname.replace(/\\/$/, ""); links.forEach((a) => { if (a.getAttribute("href").replace(/\\/$/, "") === path) a.mark() })',
    ],
    [
      "without the trailing slashes of their paths",
      'const path = window.location.pathname.replace(/\\/+$/, "") || "/"; for (const link of links) if ((link.pathname.replace(/\\/+$/, "") || "/") === path) link.mark()',
    ],
    [
      "without a slash that it looks for",
      'const here = location.pathname; const path = here.endsWith("/") ? here.slice(0, -1) : here; for (const a of links) if (a.pathname.slice(0, -1) === path) a.mark()',
    ],
    [
      "and those above it",
      'const here = location.pathname; links.forEach((a) => { const href = a.getAttribute("href").replace(/\\/$/, ""); if (href && (here === href || here.startsWith(href + "/"))) a.mark() })',
    ],
    [
      "and those above it, in a built script",
      "let e=location.pathname;links.forEach(t=>{let n=t.getAttribute(`href`);(e===n||n!==`/`&&e.startsWith(n))&&t.mark()})",
    ],
    [
      "by their first folders",
      'const section = location.pathname.split("/")[1]; links.forEach((a) => { if (a.pathname.split("/")[1] === section) a.mark() })',
    ],
    [
      "by the same part of both",
      'const first = (path) => path.split("/").filter(Boolean)[0]; links.forEach((a) => { if (first(a.getAttribute("href")) === first(location.pathname)) a.mark() })',
    ],
    [
      "by the paths of their addresses",
      'const first = (path) => path.split("/")[1]; links.forEach((a) => { if (first(new URL(a.href).pathname) === first(new URL(location.href).pathname)) a.mark() })',
    ],
    [
      "by an index",
      'links.forEach((a) => { const href = a.getAttribute("href"); if (href !== "/" && location.pathname.indexOf(href) === 0) a.mark() })',
    ],
    [
      "by a regular expression",
      'const here = location.pathname; links.forEach((a) => { if (new RegExp("^" + a.getAttribute("href") + "?$").test(here)) a.mark() })',
    ],
    [
      "by a regular expression, in a built script",
      "let e=location.pathname;links.forEach(t=>{let n=t.getAttribute(`href`);RegExp(`^`+n+`?$`).test(e)&&n!==`/`&&t.mark()})",
    ],
    [
      "by their last folders",
      'const last = location.pathname.split("/").filter(Boolean).pop() ?? "-"; links.forEach((a) => { if (a.getAttribute("href").includes(last)) a.mark() })',
    ],
  ])("%s marks the same links where they are published", (_how, script) => {
    for (const route of PUBLISHED.keys()) {
      expect(markedWherePublished(route, script)).toEqual(markedOn(route, script));
    }
    expect(rewrite(rewrite(script))).toBe(rewrite(script));
  });

  it.each([
    [
      "`a[href^=\"/${location.pathname.split('/')[1]}\"]`",
      "`a[data-imprint-path^=\"/${(self.imprintPath?.()??location.pathname).split('/')[1]}\"]`",
    ],
    [
      "'a[href^=\"/' + location.pathname.split('/')[1] + '\"]'",
      "'a[data-imprint-path^=\"/' + (self.imprintPath?.()??location.pathname).split('/')[1] + '\"]'",
    ],
  ])("selects them by their written addresses: %s", (selector, published) => {
    expect(rewrite(selector)).toBe(published);
  });

  it.each([
    "links.forEach((a) => { if (a.pathname === location.pathname) a.mark() })",
    "const { pathname } = location; a.pathname.split('/')[1] === pathname.split('/')[1]",
    "const url = new URL(location.href); a.pathname.split('/')[1] === url.pathname.split('/')[1]",
    "new URL(address).pathname.split('/')",
    "location.href.split('/'); a.href === location.href",
    "location.pathname.split('/'); document.querySelector(`link[href=\"${url}\"]`)",
  ])("stays unchanged if it compares other addresses, or whole ones: %s", (script) => {
    expect(replaceActiveLinks(script, [])).toEqual([]);
  });
});
