import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { onTestFinished } from "vitest";

/** A project folder with a built site in `dist/` and posts in `src/content/blog/`, removed after the test. */
export interface TemporarySite {
  readonly root: string;
  readonly dist: string;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
}

export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="theme-color" content="#7a1f2b">
<link rel="stylesheet" href="/_astro/site.css">
<link rel="icon" href="/favicon.svg">
</head>
<body>
<header><a href="/" class="logo"><img src="/logo.png" alt="Halden Press" width="64" height="64"></a>
<nav><a href="/about/">About</a> <a href="/services/letterpress/">Letterpress</a></nav></header>
${body}
<script type="module" src="/_astro/site.js"></script>
</body>
</html>
`;
}

export async function createTemporarySite(): Promise<TemporarySite> {
  const root = await mkdtemp(join(tmpdir(), "imprint-flow-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const site: TemporarySite = {
    root,
    dist: join(root, "dist"),
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    remove: (path) => rm(join(root, path), { recursive: true, force: true }),
  };
  await Promise.all([...pagesOf(), ...(await filesOf())].map(([path, content]) => site.write(path, content)));
  return site;
}

function pagesOf(): readonly (readonly [string, string])[] {
  return [
    ["dist/index.html", htmlPage("Halden Press", `<h1>Halden Press</h1><img src="/photo.png" alt="The press">`)],
    ["dist/about/index.html", htmlPage("About", `<h1>About</h1><p><a href="/#top">Home</a></p>`)],
    ["dist/services/letterpress/index.html", htmlPage("Letterpress", `<h1>Letterpress</h1>`)],
    ["dist/_astro/site.css", `:root{--color-brand:#7a1f2b}body{font-family:Georgia,serif;background:url(/paper.png)}`],
    ["dist/_astro/site.js", `document.documentElement.dataset.ready = "yes";`],
    [
      "dist/favicon.svg",
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>`,
    ],
    [
      "src/content/blog/ink.md",
      `---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk is a paint.\n\n![Ink](./images/ink.png)\n`,
    ],
    ["src/content/blog/paper.md", `---\ntitle: On paper\npubDate: 2026-02-05\n---\n\nPaper has a grain.\n`],
    ["src/content/blog/draft.md", `---\ntitle: Not yet\ndraft: true\n---\n\nNot yet.\n`],
  ];
}

async function filesOf(): Promise<readonly (readonly [string, Uint8Array])[]> {
  return [
    ["dist/photo.png", await picture({ width: 320, height: 200, color: "#b5651d" })],
    ["dist/logo.png", await picture({ width: 64, height: 64, color: "#7a1f2b" })],
    ["dist/paper.png", await picture({ width: 32, height: 32, color: "#f4efe6" })],
    ["src/content/blog/images/ink.png", await picture({ width: 120, height: 80, color: "#101820" })],
  ];
}

export function picture({ width, height, color }: { width: number; height: number; color: string }): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
}
