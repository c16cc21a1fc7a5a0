import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";

export interface Size {
  readonly pages: number;
  readonly images: number;
}

/** Creates a project with a built site: pages of 12 KB, each with an image of 60 KB. */
export async function createSite(size: Size): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-bench-"));
  for (let number = 0; number < size.images; number++) await put(join(root, imageFile(number)), await imageBytes());
  for (let number = 0; number < size.pages; number++)
    await put(join(root, "dist", pageFile(number)), pageHtml(number, size));
  return root;
}

/** Changes the text of some pages, like an edit and a new build. */
export async function changePages(root: string, size: Size, count: number): Promise<void> {
  for (let number = 1; number <= count; number++)
    await put(join(root, "dist", pageFile(number)), pageHtml(number, size, " changed"));
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function imageFile(number: number): string {
  return `dist/_astro/image-${number}.AAAAAAAA.png`;
}

/** Returns the path relative to the dist folder. */
export function pageFile(number: number): string {
  return number === 0 ? "index.html" : `page-${number}/index.html`;
}

// Noise can't be compressed: 142 x 142 pixels of it make a PNG of 60 KB.
function imageBytes(): Promise<Buffer> {
  const raw = { width: 142, height: 142, channels: 3 } as const;
  return sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .png()
    .toBuffer();
}

function pageHtml(number: number, { pages, images }: Size, words = ""): string {
  const image = images === 0 ? "" : `<img src="/_astro/image-${number % images}.AAAAAAAA.png" alt="">`;
  const text = `<p>Paragraph of page ${number}${words}, with <a href="/page-${(number % (pages - 1)) + 1}/">a link</a> and some words.</p>\n`;
  const body = text.repeat(Math.ceil(11_500 / text.length));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title></head><body><h1>Page ${number}</h1>${image}${body}</body></html>`;
}
