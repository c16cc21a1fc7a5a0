import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../src/html/edits.ts";
import { replacePathReads, warnOfPathReads } from "../../../src/site/rewrite/path-reads.ts";

const rewritten = (script: string): string => applyEdits(script, replacePathReads(script));

/** The result of a script at a path; `at` is the path of its page on the site's own host. */
function run(script: string, pathname: string, at?: string): unknown {
  const location = { pathname, search: "", href: `https://x.example${pathname}` };
  const self = at === undefined ? {} : { imprintPath: () => at };
  return runInNewContext(script, { location, window: { location }, self, URL });
}

describe("a script that compares location.pathname", () => {
  it.each([
    ["a text", 'location.pathname === "/about/"'],
    ["a text before it", '"/about/" == window.location.pathname'],
    ["a base and a text", 'const base = "/"; location.pathname === base + "about/"'],
    ["a property", '[{ href: "/about/" }].some((each) => each.href === location.pathname)'],
    ["a property after it", '[{ to: "/about/" }].every((each) => location.pathname !== each.to) === false'],
    ["a variable", 'const route = "/about/"; location.pathname === route'],
    ["a variable with the path", 'const path = location.pathname, item = { url: "/about/" }; item.url === path'],
    ["a part of location", 'const { pathname } = location; const item = { path: "/about/" }; pathname === item.path'],
    ["a part of an item", 'const path = location.pathname; [{ href: "/about/" }].some(({ href }) => path === href)'],
    [
      "a part of an item in a built script",
      'const n=location.pathname;[{ href: "/about/" }].some(({label:t,href:e})=>e===n&&!t)',
    ],
    ["a part of an item, directly", '[{ url: "/about/" }].find(({ url: e }) => location.pathname === e) !== undefined'],
    ["the start of the path", 'const section = "/ab"; location.pathname.startsWith(section)'],
    ["a list", 'const routes = ["/about/"]; routes.includes(location.pathname)'],
    ["a set", 'const routes = new Set(["/about/"]); routes.has(location.pathname)'],
    ["a map", 'const routes = new Map([["/about/", true]]); routes.get(location.pathname)'],
    ["a table", 'const routes = { "/about/": true }; routes[location.pathname]'],
    ["a table that is written there", '({ "/about/": true })[location.pathname]'],
    ["a table, by a variable", 'const path = location.pathname; const routes = { "/about/": true }; routes[path]'],
    ["the names of a table", 'const routes = { "/about/": true }; location.pathname in routes'],
    ["the names of a table that is written there", 'location.pathname in{"/about/":true}'],
    ["a regular expression", "/^\\/about\\/?$/.test(location.pathname)"],
    ["the path of its address", 'new URL(location.href).pathname === "/about/"'],
    ["its address", 'window.location.href.includes("/about/")'],
    ["a switch", 'let found = false; switch (location.pathname) { case "/about/": found = true; } found'],
    [
      "a switch in a list of expressions",
      'let found = false; switch (found, location.pathname) { case "/about/": found = true; } found',
    ],
  ])("with %s recognizes its page wherever it is published", (_what, script) => {
    const text = rewritten(script);
    expect(run(script, "/about/")).toBe(true);
    expect(run(text, "/about/")).toBe(true);
    expect(run(text, "/p/about", "/about/")).toBe(true);
    expect(Boolean(run(text, "/p/prices", "/prices/"))).toBe(false);
    expect(rewritten(text)).toBe(text);
  });

  it.each([
    ["a property", '[{ href: "/p/about" }].some((each) => each.href === location.pathname)'],
    ["a list", 'const routes = ["/p/about"]; routes.includes(location.pathname)'],
    ["a table", 'const routes = { "/p/about": true }; routes[location.pathname]'],
  ])("with %s of published addresses recognizes its page, too", (_what, script) => {
    expect(run(rewritten(script), "/p/about", "/about/")).toBe(true);
    expect(Boolean(run(rewritten(script), "/p/prices", "/prices/"))).toBe(false);
  });

  it.each([
    ['"/de" + location.pathname', "/de/about/"],
    ["`/de${location.pathname}`", "/de/about/"],
    ["`${location.origin}/de${window.location.pathname}`", "undefined/de/about/"],
    ['const to = "fr"; `/${to}${location.pathname}`', "/fr/about/"],
    ['const to = "fr"; "/" + to + location.pathname', "/fr/about/"],
  ])("finds the page in another language: %s", (script, expected) => {
    const text = rewritten(script);
    expect(run(script, "/about/")).toBe(expected);
    expect(run(text, "/p/about", "/about/")).toBe(expected);
    expect(rewritten(text)).toBe(text);
  });

  it("with a missing value doesn't match the page", () => {
    expect(run(rewritten("const item = {}; item.href === location.pathname"), "/about/")).toBe(false);
  });

  it.each([
    "link.pathname === location.pathname",
    "new URL(link.href).pathname === location.pathname",
    'link.getAttribute("href") === location.pathname',
    "history.replaceState(null, '', location.pathname + location.search)",
    "seen[location.pathname] = true; seen[location.pathname] += 1",
    "address === location.pathname + suffix",
    "const n = location.pathname; image.width === n",
    "const n = location.pathname; items.some(({ href: e, width: w }) => w === n)",
    "event.location.pathname === route",
    "share(location.origin + location.pathname)",
    'share("https://share.example/?url=" + location.pathname)',
    "location.href.includes(name)",
  ])("stays unchanged if the comparison holds anyway: %s", (script) => {
    expect(rewritten(script)).toBe(script);
  });
});

describe("a script that takes the path together with the query", () => {
  const at = { file: "index.html", base: "index.html", usedIn: "index.html", firstLine: 1 };
  const codesOf = (text: string) => {
    return warnOfPathReads({ text, place: at }, replacePathReads(text)).map(({ code }) => code);
  };
  const ROUTES = 'function has(url) { return url.startsWith("/api/") || url !== "/"; }\n';

  it.each([
    ["stores it", 'sessionStorage.setItem("last", location.pathname + location.search);'],
    [
      "takes it by default",
      "function restore(path) { path = path || location.pathname + location.search; open(path) }",
    ],
    ["compares it with a link", "if (link.pathname + link.search === location.pathname + location.search) stay();"],
    ["returns it", "const here = () => window.location.pathname + window.location.search + window.location.hash;"],
    ["joins it in a template", "visits.push(`${location.pathname}${location.search}`);"],
    ["has other locations", "if (visit.location.pathname === last.location.pathname) stay();"],
  ])("and %s isn't reported", (_what, script) => {
    expect(codesOf(ROUTES + script)).toEqual([]);
  });

  it.each([
    ["compares it with a text", 'if (location.pathname + location.search === "/about/") mark();'],
    [
      "keeps it and compares it with a text",
      'const here = location.pathname + location.search; here === "/" && mark();',
    ],
    [
      "returns it and compares that",
      'const here = () => location.pathname + location.search; mark(here() === "/about/");',
    ],
    ["names a function for it", 'function at() { return location.pathname + location.search }; at().match("/about/");'],
    ["shows it", "label.textContent = location.pathname + location.search;"],
    ["takes the path alone, too", "save(location.pathname + location.search); save(location.pathname);"],
  ])("and %s is reported", (_what, script) => {
    expect(codesOf(ROUTES + script)).toEqual(["script-reads-path"]);
  });
});
