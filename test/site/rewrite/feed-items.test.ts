import { expect, it } from "vitest";
import { dropFeedItems } from "../../../src/site/rewrite/feeds.ts";

const isDraft = (address: string) => address.endsWith("/blog/on-ink/");

it("removes a page's item from RSS, and keeps every other character", () => {
  const items = [
    `<item><title>One</title><link>https://x.example/blog/one/</link></item>\n`,
    `<item><title>On <![CDATA[<ink>]]></title><link>https://x.example/blog/on-ink/</link><guid>1</guid></item>\n`,
    `<item><title>Two &amp; three</title><guid>https://x.example/blog/two/</guid></item>\n`,
  ] as const;
  const feed = (body: string) => `<?xml version="1.0"?>\n<rss version="2.0"><channel>\n${body}</channel></rss>\n`;
  expect(dropFeedItems(feed(items.join("")), isDraft)).toBe(feed(`${items[0]}\n${items[2]}`));
});

it("removes a page's entry from Atom and a sitemap", () => {
  const atom = (body: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><id>a</id>${body}</feed>`;
  const entry = (name: string) => `<entry><link rel="alternate" href="https://x.example/blog/${name}/"/></entry>`;
  expect(dropFeedItems(atom(entry("one") + entry("on-ink")), isDraft)).toBe(atom(entry("one")));
  const sitemap = (body: string) => `<urlset>${body}</urlset>`;
  const url = (name: string) => `<url><loc>https://x.example/blog/${name}/</loc></url>`;
  expect(dropFeedItems(sitemap(url("on-ink") + url("one")), isDraft)).toBe(sitemap(url("one")));
});

it("doesn't change text that isn't well-formed XML", () => {
  const broken = "<rss><item><link>https://x.example/blog/on-ink/</link></item>";
  expect(dropFeedItems(broken, isDraft)).toBe(broken);
});
