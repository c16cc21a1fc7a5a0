import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import { createMarkdownRenderer, type RendererOptions } from "../../../src/service/markdown/markdown-renderer.ts";
import { clientOf, openRunningService } from "../open-service.ts";

function openRenderer(limits: RendererOptions["limits"] = {}) {
  const warnings: string[] = [];
  const logger = { ...SILENT_LOGGER, warn: (message: string) => warnings.push(message) };
  const renderer = createMarkdownRenderer({ logger, limits });
  onTestFinished(() => renderer.close());
  const render = (markdown: string) => renderer.render({ markdown, slug: "my-post" });
  return { render, warnings };
}

/** 10 KB that expand to a table with nine million cells. */
const TABLE = `${"|a".repeat(3000)}\n${"|-".repeat(3000)}${"\n|".repeat(3000)}`;
const QUOTES = `${">".repeat(1000)}<b>`;
/** 10 KB that take minutes to render. */
const LISTS = `${"- ".repeat(5000)}a`;

describe("a text that exceeds a limit", () => {
  it("is shown as plain text, and others are served meanwhile", async () => {
    const service = await openRunningService();
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
    const posts = { hostile: { markdown: QUOTES }, html: { html: "<p>1</p>" }, text: { markdown: "*2*" } };
    for (const [slug, content] of Object.entries(posts)) {
      await send("POST", "/api/blogs/news/posts", { json: { slug, title: slug, ...content } });
    }
    const order: string[] = [];
    const read = async (slug: string): Promise<string> => {
      const response = await fetch(`${service.pagesUrl}/blog/news/${slug}`);
      order.push(slug);
      return await response.text();
    };
    const [hostile, html, text] = await Promise.all([read("hostile"), read("html"), read("text")]);
    expect(order[0]).toBe("html");
    expect(html).toContain("<p>1</p>");
    expect(hostile).toContain('<pre class="text">&#62;&#62;');
    expect(text).toContain("<p><em>2</em></p>");
  });

  it("on memory is shown as plain text, and the next one is rendered", async () => {
    // The memory limit must come first, even on a busy machine.
    const { render, warnings } = openRenderer({ maxHeapMib: 48, timeLimitMs: 50_000 });
    expect(await render(TABLE)).toBe(`<pre class="text">${TABLE}</pre>`);
    expect(warnings).toEqual([expect.stringContaining("ended early (SIGABRT)")]);
    expect(await render("*a*")).toBe("<p><em>a</em></p>");
  });

  it("on time is shown as plain text, reported once, and not retried for every reader", async () => {
    const { render, warnings } = openRenderer({ timeLimitMs: 1500 });
    const shown = await Promise.all([render(LISTS), render(LISTS)]);
    expect(shown).toEqual([`<pre class="text">${LISTS}</pre>`, `<pre class="text">${LISTS}</pre>`]);
    expect(await render(LISTS)).toBe(shown[0]);
    expect(warnings).toEqual(['The post "my-post" is shown as plain text: rendering takes more than 1500 ms.']);
  });

  it.each([
    ["quotes", QUOTES],
    ["elements", `${"<div>".repeat(5000)}\n\na`],
  ])("on depth is shown as plain text: %s", async (_, markdown) => {
    const { render } = openRenderer();
    const html = await render(markdown);
    expect(html).toMatch(/^<pre class="text">/);
    expect(html).not.toContain("<div>");
    expect(html).not.toContain("<b>");
  });
});

it("the time limit doesn't include the start of the rendering process", async () => {
  // Starting takes longer than this, and rendering a tenth of it.
  const { render, warnings } = openRenderer({ timeLimitMs: 300 });
  expect(await render("*a*")).toBe("<p><em>a</em></p>");
  expect(warnings).toEqual([]);
});

it("renders a long text", async () => {
  const paragraph = 'Lorem *ipsum* "dolor" [sit](https://x.com) `amet`.\n\n';
  const html = await openRenderer().render(paragraph.repeat(500));
  expect(html.match(/<em>ipsum<\/em> “dolor” /g)).toHaveLength(500);
});
