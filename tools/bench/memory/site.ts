import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "astro";
import sharp, { type Sharp } from "sharp";

export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Creates a unique image with detail at every scale, like a photograph. */
export async function createPicture({ width, height }: Extent): Promise<Sharp> {
  const [ground, ...layers] = await Promise.all([256, 32, 4].map((grain) => noise({ width, height }, grain)));
  const composed = layers.map((input) => ({ input, blend: "soft-light", limitInputPixels: false }) as const);
  return sharp(ground, { limitInputPixels: false }).composite(composed).removeAlpha();
}

async function noise({ width, height }: Extent, grain: number): Promise<Buffer> {
  const raw = { width: Math.ceil(width / grain), height: Math.ceil(height / grain), channels: 3 } as const;
  const bytes = randomBytes(raw.width * raw.height * raw.channels);
  return await sharp(bytes, { raw }).resize(width, height, { fit: "fill" }).jpeg({ quality: 95 }).toBuffer();
}

/** Creates a project with a built site: one page for each image. */
export async function createGallery(pictures: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const pages = [...pictures.keys()].map((name, number) => {
    const html = `<!doctype html><html lang="en"><title>${name}</title><a href="/">Home</a><img src="/${name}" alt="">`;
    return [number === 0 ? "index.html" : `page-${number}/index.html`, html] as const;
  });
  return await createFolder(new Map([...pages, ...pictures].map(([path, content]) => [`dist/${path}`, content])));
}

/** Creates a project with a built site of `count` pages including the home page, with 1.2 kB of HTML per paragraph. */
export async function createPages(wanted: { readonly count: number; readonly paragraphs: number }): Promise<string> {
  const count = wanted.count - 1;
  const words = (number: number) => `<p>${randomBytes(900).toString("base64")} ${number}</p>\n`;
  const pages = Array.from({ length: count }, (_, number) => {
    const text = Array.from({ length: wanted.paragraphs }, (_, paragraph) => words(paragraph)).join("");
    const html = `<!doctype html><html lang="en"><title>Page ${number}</title><a href="/p${(number + 1) % count}/">Next</a>${text}`;
    return [`dist/p${number}/index.html`, html] as const;
  });
  return await createFolder(
    new Map([["dist/index.html", `<!doctype html><title>Home</title><a href="/p0/">First</a>`], ...pages]),
  );
}

async function createFolder(files: ReadonlyMap<string, string | Uint8Array>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-bench-"));
  for (const [path, content] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/**
 * Creates a project with a blog built by Astro: two faces of a Chinese font, 1.8 MB each, and for each of 24 posts a
 * photograph of 1600 × 1200 in four widths and two of 3000 × 2000 that remain unchanged.
 */
export async function createBlog(posts = 24): Promise<string> {
  const files = new Map<string, string | Uint8Array>([
    ["package.json", `{"name":"heavy","private":true,"type":"module"}`],
    ["public/fonts/song.woff2", font()],
    ["public/fonts/song-bold.woff2", font()],
    ["src/Post.astro", LAYOUT],
    ["src/pages/index.astro", page(`<a href="/posts/p0/">文章</a>`)],
  ]);
  for (let post = 0; post < posts; post += 1) {
    const image = `<Image src={photo} widths={[400, 800, 1200, 1600]} sizes="100vw" alt="" />`;
    const photos = [0, 1].map((number) => `<img src="/photos/p${post}-${number}.jpg" alt="">`).join("");
    const head = `import { Image } from "astro:assets";\nimport photo from "../../p${post}.jpg";`;
    files.set(`src/p${post}.jpg`, await jpeg({ width: 1600, height: 1200 }));
    for (const number of [0, 1]) {
      files.set(`public/photos/p${post}-${number}.jpg`, await jpeg({ width: 3000, height: 2000 }));
    }
    files.set(`src/pages/posts/p${post}.astro`, page(`${image}${photos}<p>${chinese(2000)}</p>`, { head, up: "../" }));
  }
  const root = await createFolder(files);
  await symlink(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(root, "node_modules"));
  await build({ root, configFile: false, logLevel: "error", site: "https://heavy.example" });
  return root;
}

// The content of fonts isn't parsed.
function font(): Uint8Array {
  return Buffer.concat([Buffer.from("wOF2"), randomBytes(1_800_000)]);
}

export async function jpeg(extent: Extent): Promise<Buffer> {
  return await (await createPicture(extent)).jpeg({ quality: 85 }).toBuffer();
}

function chinese(length: number): string {
  return String.fromCharCode(...Array.from(randomBytes(length), (byte, at) => 0x4e00 + byte * 64 + (at % 64)));
}

const LAYOUT = `---
const { title } = Astro.props;
---
<html lang="zh"><head><meta charset="utf-8"><title>{title}</title></head><body><a href="/">首页</a><slot /></body></html>
<style is:global>
@font-face { font-family: Song; src: url("/fonts/song.woff2") format("woff2"); }
@font-face { font-family: Song; font-weight: 700; src: url("/fonts/song-bold.woff2") format("woff2"); }
body { font-family: Song, serif }
</style>
`;

function page(body: string, { head = "", up = "" }: { readonly head?: string; readonly up?: string } = {}): string {
  return `---\nimport Post from "${up}../Post.astro";\n${head}\n---\n<Post title="文章">${body}</Post>\n`;
}
