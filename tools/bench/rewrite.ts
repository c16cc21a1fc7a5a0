// Compares rewriting 1,000 generated pages of 12 KB with only parsing them, and prints the memory for 1,000 and 10,000
// pages. Times are CPU time, which other work on the machine hardly affects. `node tools/bench/rewrite.ts`
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "parse5";
import { parseHtml } from "../../src/html/parse.ts";
import { parseQuickly } from "../../src/html/quick/quick-parse.ts";
import type { Placement } from "../../src/site/model.ts";
import { readSiteText } from "../../src/site/read-file.ts";
import { readBuiltSite } from "../../src/site/read-site.ts";
import { createRewriter } from "../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../src/site/slugs.ts";

const ROUNDS = 5;
const IMAGES = 300;
const PAGE_BYTES = 12_000;

const PLACEMENTS: Readonly<Record<string, Placement>> = {
  "library of files": { styles: "inline", fonts: "library", scripts: "library", files: "library" },
  "library of images": { styles: "inline", fonts: "inline", scripts: "data", files: "keep" },
};

const [command, dist] = process.argv.slice(2);
if (command === "memory" && dist !== undefined) await measureMemory(dist);
else await measureAll();

async function measureAll(): Promise<void> {
  await withSite(1000, async (folder) => {
    await measureTime(folder);
    printMemory(1000, folder);
  });
  await withSite(10_000, async (folder) => printMemory(10_000, folder));
}

async function withSite(pages: number, work: (dist: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "imprint-bench-"));
  try {
    makeSite(folder, pages);
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureTime(folder: string): Promise<void> {
  const site = await readBuiltSite(folder);
  const texts = site.pages.map((page) => readSiteText(folder, page.file));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  console.log(
    `${site.pages.length} pages, ${(bytes / site.pages.length / 1000).toFixed(1)} KB each, best of ${ROUNDS} rounds`,
  );
  const parsing = bestOf(() => {
    for (const text of texts) parse(text);
  });
  const locating = bestOf(() => {
    for (const text of texts) parse(text, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  });
  const own = bestOf(() => {
    for (const text of texts) parseHtml(text);
  });
  const handedOver = texts.filter((text) => parseQuickly(text).kind === "refused").length;
  console.log(`  parse5                           ${parsing.toFixed(0)} ms`);
  console.log(`  parse5 with places in the source ${locating.toFixed(0)} ms`);
  console.log(
    `  our parser                       ${own.toFixed(0)} ms = ${rateOf(bytes, own)}, ${(locating / own).toFixed(1)} × as fast as with places`,
  );
  console.log(`  pages handed over to parse5      ${handedOver}`);
  for (const [name, placement] of Object.entries(PLACEMENTS)) {
    const rewriting = bestOf(() => {
      const rewrite = rewriterFor(site, placement);
      for (const page of site.pages) rewrite(page);
    });
    const ratio = `${(rewriting / parsing).toFixed(2)} × parse5, ${(rewriting / locating).toFixed(2)} × with places`;
    console.log(`  read + rewrite, ${name.padEnd(17)}${rewriting.toFixed(0)} ms = ${ratio}`);
  }
}

function rewriterFor(site: Awaited<ReturnType<typeof readBuiltSite>>, placement: Placement) {
  const { slugs } = planSlugs(site.pages.map((page) => page.route));
  const pageHref = (slug: string) => `/p/${slug}`;
  const pageUrl = (slug: string) => `https://pages.example/p/${slug}`;
  return createRewriter(site, { slugs, pageHref, pageUrl, placement }).rewrite;
}

function bestOf(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

function rateOf(bytes: number, milliseconds: number): string {
  return `${(bytes / milliseconds / 1000).toFixed(0)} MB/s`;
}

function printMemory(pages: number, folder: string): void {
  const peak = execFileSync(process.execPath, ["--expose-gc", import.meta.filename, "memory", folder], {
    encoding: "utf8",
  });
  console.log(`  memory for ${pages} pages: ${peak.trim()}`);
}

async function measureMemory(folder: string): Promise<void> {
  const site = await readBuiltSite(folder);
  const rewrite = rewriterFor(site, { styles: "inline", fonts: "inline", scripts: "data", files: "keep" });
  for (const page of site.pages) rewrite(page);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  globalThis.gc?.();
  const held = Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
  console.log(`at most ${peak} MiB for the process, ${held} MiB held at the end`);
}

function makeSite(folder: string, pages: number): void {
  write(
    folder,
    "_astro/site.css",
    `${".a{color:red;background:url(/_astro/photo0.AAAAAAAA_Zabcd1.webp)}\n".repeat(20)}`,
  );
  write(folder, "_astro/page.AAAAAAAA.js", 'import{s}from"./shared.BBBBBBBB.js";s()');
  write(folder, "_astro/shared.BBBBBBBB.js", `export const s=()=>{};${"s();".repeat(500)}`);
  for (let image = 0; image < IMAGES; image += 1)
    write(folder, `_astro/photo${image}.AAAAAAAA_Zabcd1.webp`, `photo ${image}`);
  for (let page = 0; page < pages; page += 1)
    write(folder, page === 0 ? "index.html" : `blog/post-${page}/index.html`, renderPage(page, pages));
}

function renderPage(page: number, pages: number): string {
  const menu = Array.from(
    { length: 12 },
    (_, index) => `<li><a class="menu__link" href="/blog/post-${index + 1}/">Entry ${index}</a></li>`,
  );
  const head = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Post ${page}</title><link rel="canonical" href="https://example.com/blog/post-${page}/"><meta name="description" content="Words about ${page}"><link rel="icon" href="/_astro/photo1.AAAAAAAA_Zabcd1.webp"><link rel="stylesheet" href="/_astro/site.css"><script type="module" src="/_astro/page.AAAAAAAA.js"></script></head><body><nav><ul>${menu.join("")}</ul></nav><main>`;
  const sections: string[] = [];
  for (let index = 0; head.length + sections.join("").length < PAGE_BYTES; index += 1)
    sections.push(renderSection(page, index, pages));
  return `${head}${sections.join("")}</main><footer><p>The end of <em>page ${page}</em>.</p></footer></body></html>`;
}

function renderSection(page: number, index: number, pages: number): string {
  const photo = `/_astro/photo${(page + index) % IMAGES}.AAAAAAAA_Zabcd1.webp`;
  const next = ((page + index * 7) % (pages - 1)) + 1;
  return `<section id="s${index}"><h2>Section ${index} of ${page}</h2><p>Some words with <strong>weight</strong>, an <a href="/blog/post-${next}/#s1">internal link</a> and <a href="https://elsewhere.example/${page}">one that leads away</a>. ${"A sentence that is neither long nor short. ".repeat(6)}</p><figure><img src="${photo}" srcset="${photo} 1x, ${photo} 2x" alt="Photo ${index}" width="640" height="480" loading="lazy"><figcaption>A photo</figcaption></figure></section>`;
}

function write(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
