import { expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

it("saves a file under its name in the site if the link has none", async () => {
  const dist = makeFolder();
  const links = `<a href="/list.csv" download>A</a><a href="/list.csv" download="mine.csv">B</a><a href="/" download>C</a>`;
  writeSiteFile(dist, "list.csv", "a,b");
  writeSiteFile(dist, "index.html", `<!doctype html>${links}`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.library });
  const [html] = site.pages.map((page) => wholePage(createRewriter(site, settings).rewrite(page)).html);
  expect(html?.match(/ download[^>]*>/g)).toEqual([' download="list.csv">', ' download="mine.csv">', " download>"]);
});

it("removes the style sheet of a feed, which browsers load only from the feed's own origin", async () => {
  const dist = makeFolder();
  const sheet = '<?xml-stylesheet href="/feeds/pretty.xsl" type="text/xsl"?>';
  writeSiteFile(
    dist,
    "feeds/pretty.xsl",
    '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>',
  );
  writeSiteFile(
    dist,
    "rss.xml",
    `<?xml version="1.0"?>${sheet}<rss version="2.0"><channel><title>A</title></channel></rss>`,
  );
  writeSiteFile(dist, "index.html", '<!doctype html><a href="/rss.xml">Feed</a>');
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.library });
  const [page] = site.pages.map((each) => createRewriter(site, settings).rewrite(each));
  const feed = page?.assets.find((asset) => asset.name === "rss.xml");
  expect(JSON.stringify(feed)).toContain("<title>A</title>");
  expect(JSON.stringify(feed)).not.toContain("pretty.xsl");
});

it("links to published pages and images in the texts of a feed, even from root-relative addresses", async () => {
  const texts = [
    "<description>&lt;a href=&quot;/about/?a=1&amp;amp;b#c&quot;&gt;About&lt;/a&gt; &lt;img src='/a.png'&gt;</description>",
    `<content:encoded><![CDATA[<a href="/about/">About</a> <a href="/gone/">Gone</a> <a href="//cdn.example/">C</a>]]></content:encoded>`,
  ];
  const text = await publishFeed(
    "rss.xml",
    `<?xml version="1.0"?><rss version="2.0"><channel>${texts.join("")}</channel></rss>`,
  );
  expect(text).toContain("href=&quot;https://pages.example/p/about?a=1&amp;amp;b#c&quot;");
  expect(text).toContain("src='imprint-asset:");
  expect(text).toContain('<a href="https://pages.example/p/about">About</a> <a href="/gone/">Gone</a>');
  expect(text).toContain('<a href="//cdn.example/">');
});

it("links to published pages from whole addresses in escaped texts, and leaves out the feed's own address", async () => {
  const own = ["about/", "a.png"].map((path) => `https://example.com/${path}`);
  const text = `&lt;a href=&quot;${own[0]}&quot;&gt;About&lt;/a&gt;&lt;a href='${own[0]}#b'&gt;B&lt;/a&gt;&lt;img src=&#34;${own[1]}&#34;&gt;`;
  const links = [
    '<atom:link href="https://example.com/rss.xml" rel="self" type="application/rss+xml"/>',
    "<link rel='self' href='/rss.xml'></link>",
    '<atom:link rel="self" href="https://elsewhere.example/rss.xml"/>',
  ];
  const feed = await publishFeed(
    "rss.xml",
    `<rss><channel>${links.join("")}<description>${text}</description></channel></rss>`,
  );
  expect(feed).toMatch(
    /^<rss><channel><atom:link rel="self" href="https:\/\/elsewhere\.example\/rss\.xml"\/><description>&lt;a href=&quot;https:\/\/pages\.example\/p\/about&quot;&gt;About&lt;\/a&gt;&lt;a href='https:\/\/pages\.example\/p\/about#b'&gt;B&lt;\/a&gt;&lt;img src=&#34;imprint-asset:\w{64}&#34;&gt;</,
  );
});

it("publishes the images of an Atom feed, and what is relative to its xml:base", async () => {
  const html = `&lt;img srcset="/a.png 1x, https://example.com/a.png 2x"&gt;&lt;video poster=&quot;/a.png&quot;&gt;`;
  const feed = await publishFeed(
    "atom.xml",
    `<feed xml:base="https://example.com/about/"><icon>/a.png</icon><logo>/a.png</logo><title>/about/</title><content>${html}</content><entry xml:base='https://example.com/'><div><img src="a.png"/><a href="about/">A</a><a href="#b">B</a><a href="mailto:c">C</a></div></entry></feed>`,
  );
  const [image, page] = ["imprint-asset", "https://pages.example/p/about"];
  expect(feed.replace(/imprint-asset:\w{64}/g, image)).toBe(
    `<feed xml:base="https://example.com/about/"><icon>${image}</icon><logo>${image}</logo><title>/about/</title><content>&lt;img srcset="${image} 1x, ${image} 2x"&gt;&lt;video poster=&quot;${image}&quot;&gt;</content><entry xml:base='https://example.com/'><div><img src="${image}"/><a href="${page}">A</a><a href="#b">B</a><a href="mailto:c">C</a></div></entry></feed>`,
  );
});

it("publishes the episodes, chapters, and documents that a podcast's feed names, but no other feed", async () => {
  const at = (path: string) => `https://example.com/${path}`;
  const files = ["one.mp3", "one.json", "one.vtt", "notes.pdf", "atom.xml"];
  const item = [
    `<enclosure url="${at("one.mp3")}" length="3" type="audio/mpeg"/>`,
    `<podcast:chapters url="${at("one.json")}" type="application/json+chapters"/>`,
    `<podcast:transcript url="${at("one.vtt")}" type="text/vtt"/><itunes:image href="${at("a.png")}"/>`,
    `<description>&lt;a href="/notes.pdf#page=2"&gt;Notes&lt;/a&gt; ${at("atom.xml")} ${at("gone.mp3")}</description>`,
  ];
  const feed = await publishFeed("rss.xml", `<rss><channel><item>${item.join("")}</item></channel></rss>`, { files });
  const file = "imprint-asset";
  expect(feed.replace(/imprint-asset:\w{64}/g, file)).toBe(
    `<rss><channel><item><enclosure url="${file}" length="3" type="audio/mpeg"/><podcast:chapters url="${file}" type="application/json+chapters"/><podcast:transcript url="${file}" type="text/vtt"/><itunes:image href="${file}"/><description>&lt;a href="${file}#page=2"&gt;Notes&lt;/a&gt; ${at("atom.xml")} ${at("gone.mp3")}</description></item></channel></rss>`,
  );
});

it("links to published pages and images in a JSON Feed, and keeps the ids of its items", async () => {
  const at = (path: string) => `https://example.com/${path}`;
  const item = {
    id: at("about/"),
    url: at("about/?a=1&b#c"),
    content_html: `<a href="/about/">A</a><a href="${at("about/?a=1&amp;b")}">B</a><img src="/a.png">`,
    image: "/a.png",
    external_url: "https://elsewhere.example/about/",
    authors: [{ url: at(""), avatar: at("a.png") }],
    attachments: [{ url: at("a.png"), mime_type: "image/png" }],
  };
  const version = "https://jsonfeed.org/version/1.1";
  const feed = { version, title: "A", home_page_url: at(""), feed_url: at("feed.json"), icon: at("a.png") };
  const published = JSON.parse(await publishFeed("feed.json", JSON.stringify({ ...feed, items: [item] })));
  const image = expect.stringMatching(/^imprint-asset:\w{64}$/);
  const page = (path: string) => `https://pages.example/p/${path}`;
  expect(published).toEqual({
    ...{ version, title: "A", home_page_url: page("index"), icon: image },
    items: [
      {
        ...item,
        url: page("about?a=1&b#c"),
        content_html: expect.stringMatching(
          /^<a href="https:\/\/pages\.example\/p\/about">A<\/a><a href="https:\/\/pages\.example\/p\/about\?a=1&amp;b">B<\/a><img src="imprint-asset:\w{64}">$/,
        ),
        image,
        authors: [{ url: page("index"), avatar: image }],
        attachments: [{ url: image, mime_type: "image/png" }],
      },
    ],
  });
});

it("leaves out items of pages that aren't published, and keeps other JSON as it is", async () => {
  const version = "https://jsonfeed.org/version/1";
  const items = [
    { id: "1", url: "/about/" },
    { id: "2", url: "https://example.com/" },
  ];
  const text = await publishFeed("feed.json", JSON.stringify({ version, items }), {
    heldPages: { "/about/": "a draft" },
  });
  expect(JSON.parse(text)).toEqual({ version, items: [{ id: "2", url: "https://pages.example/p/index" }] });
  expect(await publishFeed("list.json", JSON.stringify({ items }))).toBe("");
});

/** Returns the published text of a feed that the home page links to. */
async function publishFeed(
  name: string,
  text: string,
  { heldPages = {}, files = [] }: { heldPages?: Readonly<Record<string, string>>; files?: readonly string[] } = {},
): Promise<string> {
  const dist = makeFolder();
  for (const file of files) writeSiteFile(dist, file, "{}");
  writeSiteFile(dist, name, text);
  writeSiteFile(dist, "a.png", "png");
  writeSiteFile(dist, "about/index.html", "<!doctype html><title>About</title>");
  writeSiteFile(dist, "index.html", `<!doctype html><a href="/${name}">Feed</a>`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const slugs = planSlugs(["/", "/about/"]).slugs;
  const pageUrl = (slug: string) => `https://pages.example/p/${slug}`;
  const settings = { ...rewriteSettings(slugs, { placement: PLACEMENTS.library }), pageUrl, heldPages };
  const rewriter = createRewriter(site, settings);
  const assets = site.pages.flatMap((page) => rewriter.rewrite(page).assets);
  const feed = assets.find((asset) => asset.name === name);
  return feed?.source.kind === "text" ? feed.source.text : "";
}
