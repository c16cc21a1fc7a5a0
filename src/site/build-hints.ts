import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { parseJson } from "../base/json.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { findFiles } from "./find-files.ts";

const routeHint = z.object({
  /** As in Astro: `/blog/[...slug]`. */
  pattern: z.string(),
  type: z.enum(["page", "endpoint", "redirect", "fallback"]),
  /** File of the page or endpoint relative to the project: `src/pages/blog/[...slug].astro`. */
  template: z.string().optional(),
  /** Response status configured in Astro for a redirect; absent: 301. */
  redirectStatus: z.literal([301, 302, 303, 307, 308]).optional(),
  /** Addresses of a redirect for which Astro writes no files, and where each leads. */
  redirects: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .readonly()
    .optional(),
  /** Whether only a server can respond, on demand, so that the build has no file for it. */
  isOnDemand: z.boolean().optional(),
  /** Source of the pattern's regular expression, for routes whose files Astro doesn't list. */
  regex: z.string().optional(),
  /** Paths below the dist folder, with forward slashes, percent-decoded. */
  files: z.array(z.string()).readonly(),
});

const postsHint = z.object({
  collection: z.string(),
  /** Folder of the collection's files relative to the project, with forward slashes. */
  folder: z.string(),
});

const buildHints = z.object({
  /** `site` in the Astro config. */
  site: z.string().optional(),
  /** `base` in the Astro config. */
  base: z.string().optional(),
  /** `build.assets` in the Astro config. */
  assetsDir: z.string().optional(),
  /** `trailingSlash` in the Astro config. */
  trailingSlash: z.enum(["always", "never", "ignore"]).optional(),
  /** Locale paths of `i18n` in the Astro config. */
  locales: z.array(z.string()).readonly().optional(),
  routes: z.array(routeHint.readonly()).readonly().optional(),
  /** The collection of the posts, if its files are in another folder than usual. */
  posts: postsHint.readonly().optional(),
});

/** A route of `astro:routes:resolved`, combined with its files in `assets` of `astro:build:done`. */
export type RouteHint = Readonly<z.infer<typeof routeHint>>;

/** Where a build found the posts. */
export type PostsHint = Readonly<z.infer<typeof postsHint>>;

/**
 * What the integration knows about a build that the files don't show. Without hints, everything is inferred from the
 * files.
 */
export type BuildHints = Readonly<z.infer<typeof buildHints>>;

const fileSchema = z.object({
  version: z.literal(1),
  /** The built folder, relative to the project, with forward slashes. */
  dist: z.string(),
  hints: buildHints,
});

/** File with the hints of the last build, relative to the project. */
const FILE = ".imprint/build.json";

/**
 * Saves what a build knows for runs without it. Written after the build's last file, so that everything a later build
 * writes is newer. Throws file system errors.
 */
export async function writeBuildHints(projectRoot: string, root: string, hints: BuildHints): Promise<void> {
  const file = join(projectRoot, FILE);
  makeOwnFolder(join(file, ".."));
  const dist = relative(projectRoot, resolve(root)).split(sep).join("/");
  const content = { version: 1, dist, hints } satisfies z.infer<typeof fileSchema>;
  await writeWhole(file, `${JSON.stringify(content)}\n`, { outlives: "process" });
}

/** Deletes the hints when a build starts, since it may fail before it writes its own. Throws file system errors. */
export function forgetBuildHints(projectRoot: string): void {
  rmSync(join(projectRoot, FILE), { force: true });
}

/**
 * Reads the hints of the build that created a folder; `undefined` if the last build created another folder, or if the
 * folder was rebuilt without the integration.
 *
 * @param root absolute path of the folder with the built pages
 */
export function readBuildHints(projectRoot: string, root: string): BuildHints | undefined {
  const path = join(projectRoot, FILE);
  const file = readHintsFile(path);
  if (file === undefined || resolve(projectRoot, file.dist) !== resolve(root)) return undefined;
  return isBuiltBefore(path, { root, hints: file.hints }) ? file.hints : undefined;
}

/** Reads where the last build found the posts. Unlike other hints, this applies to whatever is published. */
export function readPostsHint(projectRoot: string): PostsHint | undefined {
  return readHintsFile(join(projectRoot, FILE))?.hints.posts;
}

function readHintsFile(path: string) {
  return fileSchema.safeParse(parseJson(existsSync(path) ? readFileSync(path, "utf8") : "")).data;
}

/**
 * Whether any file of the build is as old as the hints: steps after the build change some of its files, while a new
 * build rewrites all of them. Images may be copies with the original's timestamp.
 */
function isBuiltBefore(path: string, { root, hints }: { readonly root: string; readonly hints: BuildHints }): boolean {
  const { mtimeMs } = statSync(path);
  const listed = (hints.routes ?? []).flatMap(({ files }) => files);
  const assets = join(root, hints.assetsDir ?? "_astro");
  const built = existsSync(assets) ? findFiles(assets).filter((name) => /\.(?:css|js)$/.test(name)) : [];
  return [...listed.map((file) => join(root, file)), ...built.map((name) => join(assets, name))].some((file) => {
    const made = statSync(file, { throwIfNoEntry: false });
    return made !== undefined && made.mtimeMs <= mtimeMs;
  });
}
