import { expect, it } from "vitest";
import { clientOf, openService, visit } from "../open-service.ts";

async function openSite(home: string) {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/index", { json: { html: `<!doctype html>${home}<title>Home</title>` } });
  const { body } = await send("POST", "/api/sites", { json: { name: "Tern", homeSlug: "index" } });
  return {
    send: (path: string, json: Readonly<Record<string, unknown>>) => send("POST", path, { json }),
    siteId: body["id"],
    read: async (path: string) => await (await visit(service, path)).text(),
  };
}

async function openBlog(home: string, { language, html = "<p>نص</p>" }: { language?: string; html?: string } = {}) {
  const { send, siteId, read } = await openSite(home);
  await send("/api/blogs", { name: "كتب", slug: "notes", siteId, ...(language === undefined ? {} : { language }) });
  const post = { slug: "one", title: "كتاب", excerpt: "نص", html, publishedAt: "2026-03-12T23:30:00Z" };
  await send("/api/blogs/notes/posts", post);
  return { read, pages: [await read("/blog/notes"), await read("/blog/notes/one")] };
}

it.each([
  ["its language", '<html lang="ar">', '<html lang="ar" dir="rtl">'],
  ["its language, with a region", '<html lang="fa-IR">', '<html lang="fa-IR" dir="rtl">'],
  ["its language in a left-to-right script", '<html lang="az-Latn">', '<html lang="az-Latn">'],
  ["its own attribute", '<html lang="ku" dir="RTL">', '<html lang="ku" dir="rtl">'],
  ["its own attribute against its language", '<html lang="ar" dir="ltr">', '<html lang="ar">'],
])("a blog has the direction of its site: %s", async (_, home, expected) => {
  const { pages } = await openBlog(home);
  for (const page of pages) {
    expect(page).toContain(expected);
    expect(page).toContain("<main>");
  }
});

it("a blog in a language of the other direction has that inside of the site's", async () => {
  const arabic = await openBlog('<html lang="ar">', { language: "en" });
  for (const page of arabic.pages) {
    expect(page).toContain('<html lang="en" dir="rtl">');
    expect(page).toContain('<main dir="ltr">');
  }
  const english = await openBlog('<html lang="en">', { html: '<div lang="he"><p>טקסט</p></div>' });
  expect(english.pages[0]).toContain('<h2 lang="he" dir="rtl">');
  expect(english.pages[0]).toContain('<p class="excerpt" lang="he" dir="rtl">');
  expect(english.pages[1]).toContain('<html lang="he">');
  expect(english.pages[1]).toContain('<main dir="rtl">');
});

it("a blog of unknown language has the direction of its text", async () => {
  const { pages } = await openBlog("<html>");
  for (const page of pages) expect(page).toContain('<div lang="" dir="auto">');
});

it("the service's own words stay left-to-right on pages of a right-to-left site", async () => {
  const { read } = await openSite('<html lang="ar" dir="rtl">');
  for (const path of ["/p/nowhere", "/_thanks/index"]) {
    const page = await read(path);
    expect(page).toContain('<html lang="en" dir="rtl">');
    expect(page).toContain('<main class="said" dir="ltr">');
  }
});
