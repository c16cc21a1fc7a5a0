import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createSiteRenderer } from "../../src/posts/render/render-markdown.ts";
import { readPosts, type PostsRead, type ReadPostsSettings } from "../../src/posts/local/read-posts.ts";
import type { HeldFile, HoldReason } from "../../src/posts/plan/changes.ts";

/** This repository, in which Astro is installed. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

const NOW = new Date("2026-01-01T00:00:00Z");

/** The smallest PNG: one gray pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCATJ5EZAAAAABJRU5ErkJggg==",
  "base64",
);

/** Creates a folder with these files by path; it is deleted after the test. */
export async function createFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-posts-"));
  onTestFinished(async () => await rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/** Default settings for reading front matter. */
export const FIELD_SETTINGS = { timezone: "UTC", fields: {}, statuses: {}, tags: "comma" } as const;

/** The posts that were read, with those on hold by reason. */
export interface FolderRead extends PostsRead {
  readonly drafts: readonly HeldFile[];
  readonly scheduled: readonly HeldFile[];
  readonly unclear: readonly HeldFile[];
}

export async function readFolder(root: string, settings: Partial<ReadPostsSettings> = {}): Promise<FolderRead> {
  const result = await readPosts({
    ...FIELD_SETTINGS,
    root,
    folder: "posts",
    render: createSiteRenderer(REPOSITORY),
    resolveLink: ({ to, suffix }) => (to === undefined ? undefined : `/blog/${to.slug}${suffix}`),
    now: NOW,
    ...settings,
  });
  const holds = (...reasons: readonly HoldReason[]) => result.held.filter(({ reason }) => reasons.includes(reason));
  return { ...result, drafts: holds("draft", "expired"), scheduled: holds("scheduled"), unclear: holds("unclear") };
}

/** Reads a folder with these files. */
export async function read(
  files: Readonly<Record<string, string | Uint8Array>>,
  settings: Partial<ReadPostsSettings> = {},
): Promise<FolderRead> {
  return await readFolder(await createFolder(files), settings);
}

/** Renders one line per problem: code, place, message. */
export function linesOf({ problems }: PostsRead): readonly string[] {
  return problems.map(
    ({ code, file, line = 0, column = 0, message }) => `${code} ${file}:${line}:${column} ${message}`,
  );
}
