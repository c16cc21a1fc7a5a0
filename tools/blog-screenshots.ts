// Takes screenshots of the service's blog for visual review: its list, and posts with covers, tables, code, formulas,
// footnotes, Japanese and a long address; in two schemes and three widths. `node tools/blog-screenshots.ts <folder>`
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { startService } from "../src/service.ts";
import { createAstroRenderer } from "../src/posts/render/render-markdown.ts";
import { launchBrowser } from "../test/browser.ts";

const [folder = "blog-screenshots"] = process.argv.slice(2);
const WIDTHS = [320, 390, 1280];
const ADDRESS = `https://archive.example.org/collections/${"periodicals-and-prints/".repeat(4)}1887?volume=12&page=341`;
const THEMES = { light: "github-light-default", dark: "github-dark-default" };

async function highlight(lang: string, code: string, shikiConfig: object = { themes: THEMES }): Promise<string> {
  const render = await createAstroRenderer(import.meta.dirname, { markdown: { shikiConfig } });
  return (await render(`\`\`\`${lang}\n${code}\n\`\`\``, { file: "/post.md", frontmatter: {} })).html;
}

const FORMULA = `<p><math display="block"><mrow><mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo><mo>=</mo><munderover><mo>∑</mo><mrow><mi>n</mi><mo>=</mo><mn>0</mn></mrow><mi>∞</mi></munderover><mfrac><mrow><msup><mi>f</mi><mrow><mo>(</mo><mi>n</mi><mo>)</mo></mrow></msup><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mrow><mi>n</mi><mo>!</mo></mrow></mfrac><msup><mrow><mo>(</mo><mi>x</mi><mo>−</mo><mi>a</mi><mo>)</mo></mrow><mi>n</mi></msup><mo>=</mo><mi>f</mi><mo>(</mo><mi>a</mi><mo>)</mo><mo>+</mo><msup><mi>f</mi><mo>′</mo></msup><mo>(</mo><mi>a</mi><mo>)</mo><mo>(</mo><mi>x</mi><mo>−</mo><mi>a</mi><mo>)</mo><mo>+</mo><mi>⋯</mi></mrow></math></p>`;
const PROSE =
  "<p>Iron gall ink was the standard of Europe for a thousand years. It goes on pale, turns black within a day, and then, over centuries, eats the paper that it was meant to last on. Most of what we know about the Middle Ages is written in it.</p>";
const ROWS = ["Iron gall", "Carbon", "Sepia", "Walnut", "Bistre"].map(
  (name, index) =>
    `<tr><td>${name}</td><td>${index + 3}.${index}</td><td>${1200 + index * 113}</td><td>Europe</td><td align="right">€ ${index * 7 + 12}.00</td><td>${index % 2 === 0 ? "yes" : "no"}</td></tr>`,
);

async function createPosts(coverUrl: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const code = await Promise.all([
    highlight(
      "ts",
      'export async function mix({ galls, vitriol }: Recipe): Promise<Ink> {\n  // Three days, stirred twice a day.\n  return await steep(galls, { days: 3, water: "rain", temperature: 18 }).then((base) => base.add(vitriol));\n}',
    ),
    highlight(
      "python",
      "def blackness(hours: float) -> float:\n    return 1 - math.exp(-hours / 6.5)  # measured on rag paper",
    ),
    highlight("bash", "curl -fsSL https://example.org/install.sh | sh -s -- --prefix ~/.local --with-everything", {
      theme: "github-dark",
    }),
  ]);
  return [
    {
      slug: "iron-gall",
      title: "How iron gall ink eats paper, and what to do about it",
      author: "Ada Brennan",
      tags: ["ink", "conservation", "chemistry"],
      coverImage: coverUrl,
      excerpt:
        "A thousand years of records are written in an ink that destroys them. What conservators do, and what it costs.",
      html: `${PROSE}<h2>Inks compared</h2>${PROSE}<table><thead><tr><th>Ink</th><th>Acidity (pH)</th><th>First record</th><th>Region</th><th align="right">Price per litre</th><th>Lightfast</th></tr></thead><tbody>${ROWS.join("")}</tbody></table><blockquote><p>The letters have fallen out of the page, and what remains is a stencil of the text.</p></blockquote><h3>Treatment</h3><ol><li>Look at the sheet in ultraviolet light.<ul><li>Brown halos mean migration.</li><li>Cracks mean it is late.</li></ul></li><li>Wash with calcium phytate.</li></ol>${PROSE.replace("</p>", '<sup><a href="#fn-1" id="ref-1" data-footnote-ref>1</a></sup></p>')}<section data-footnotes class="footnotes"><ol><li id="fn-1"><p>Neevel, “Phytate: a potential conservation agent”, 1995. <a href="#ref-1" data-footnote-backref>↩</a></p></li></ol></section>`,
    },
    {
      slug: "code",
      title: "Simulating a drying ink in forty lines",
      author: "Noor Haddad",
      tags: ["code", "ink"],
      excerpt: "A model small enough to read, in three languages.",
      html: `${PROSE}<p>Set <code>INK_SIMULATION_MAXIMUM_STEP_SIZE_IN_SECONDS=0.5</code> first.</p>${code.join("\n<p>And then:</p>\n")}<h2>The series</h2>${FORMULA}<pre><code>$ node ink.js --plain --unhighlighted --with --a --very --long --line --of --flags</code></pre>`,
    },
    {
      slug: "washi",
      title: "和紙と墨：千年残る組み合わせ",
      author: "田中 花",
      tags: ["紙", "ink"],
      coverImage: coverUrl,
      excerpt: "墨は炭素でできているため、紙を傷めることがない。",
      html: `<div lang="ja"><p>${"墨は炭素の粒子を膠で固めたもので、酸を含まない。そのため和紙を傷めることがなく、千年前の文書が今も読める。".repeat(6)}</p><h2>紙の作り方</h2><p>${"楮の皮を煮て、叩き、漉く。".repeat(20)}</p></div>`,
    },
    {
      slug: "archive",
      title: "Donaudampfschifffahrtsgesellschaftskapitänsarchive online",
      author: "Ada Brennan",
      tags: ["archives"],
      html: `<p>The scans are at <a href="${ADDRESS}">${ADDRESS}</a>.</p><figure><img src="${coverUrl}" width="1600" height="900" alt="A quay"><figcaption>A quay, about 1887.</figcaption></figure>${PROSE}<dl><dt>Shelf mark</dt><dd>DDSG 1887/12</dd><dt>Reader</dt><dd>By appointment only</dd></dl>`,
    },
    {
      slug: "short",
      title: "Closed on Friday",
      excerpt: "The reading room opens again on Monday.",
      html: "<p>The reading room opens again on Monday.</p>",
    },
  ];
}

const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0 });
const headers = { Authorization: `Bearer ${service.apiKey}` };
const send = async (method: string, path: string, body: object | FormData): Promise<Record<string, unknown>> => {
  const isForm = body instanceof FormData;
  const response = await fetch(`${service.baseUrl("a")}${path}`, {
    method,
    body: isForm ? body : JSON.stringify(body),
    headers: isForm ? headers : { ...headers, "Content-Type": "application/json" },
  });
  if (!response.ok) throw new Error(await response.text());
  return Object(await response.json());
};

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#173a47"/><stop offset="1" stop-color="#d98a5b"/></linearGradient></defs><rect width="1600" height="900" fill="url(#a)"/><circle cx="1150" cy="330" r="150" fill="#f6d9b0"/><path d="M0 650 Q400 520 800 650 T1600 620 V900 H0Z" fill="#0d222b"/></svg>`;
const form = new FormData();
form.append("file", new File([new Uint8Array(await sharp(Buffer.from(svg)).jpeg().toBuffer())], "cover.jpg"));
const { url } = await send("POST", "/api/library", form);
await send("PUT", "/api/pages/index", { html: '<!doctype html><html lang="en"><title>Home</title>' });
const site = await send("POST", "/api/sites", { name: "Tern & Quire", homeSlug: "index" });
await send("POST", "/api/blogs", {
  name: "Notes on ink",
  slug: "notes",
  description: "Paper, ink and what time does to them.",
  siteId: site["id"],
});
for (const [index, post] of (await createPosts(String(url))).entries()) {
  await send("POST", "/api/blogs/notes/posts", {
    ...post,
    publishedAt: new Date(Date.UTC(2026, 4 - index, 12)).toISOString(),
  });
}
await send("POST", "/api/blogs/notes/posts", {
  slug: "draft",
  title: "A draft to be read",
  author: "Ada Brennan",
  html: PROSE,
  status: "draft",
});
const preview = await send("POST", "/api/blogs/notes/posts/draft/preview-links", {});

await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
const shown = [
  ["list", "/blog/notes"],
  ["tag", "/blog/notes?tag=ink"],
  ...["iron-gall", "code", "washi", "archive"].map((slug) => [slug, `/blog/notes/${slug}`] as const),
  ["preview", new URL(String(preview["url"])).pathname],
] as const;
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of WIDTHS) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    for (const [name, path] of shown) {
      await page.goto(`${service.pagesUrl}${path}`);
      await page.evaluate('for (const late of document.querySelectorAll("[loading=lazy]")) late.loading = "eager"');
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
    await page.close();
  }
}
await browser.close();
await service.close();
