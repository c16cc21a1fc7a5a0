import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, copyFileSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, dirname, join, posix } from "node:path";
import type { AstroConfig, HookParameters } from "astro";
import type { Logger } from "../../base/log.ts";
import type { Options } from "../../options/schema.ts";
import {
  parseCollected,
  parseCollectedEntry,
  type CollectedEntry,
  type CollectedPosts,
} from "../../posts/read/collected.ts";
import { fileOfEntry, parseEntry } from "../../posts/read/collection.ts";
import { isPrivateFile } from "../../posts/read/find-markdown.ts";
import { checkTimezone, holdingOf } from "../../posts/read/parse-posts.ts";
import { findContainerRenderers } from "./container-renderers.ts";
import { ENDPOINT_FILE, writeEndpoint } from "./endpoint.ts";
import { createQuietRoute, type BuildStart, type QuietRoute } from "./quiet-route.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { findFiles } from "../../site/find-files.ts";
import { parseJson } from "../../base/json.ts";

/** Collects the posts of a content collection during a build. */
export interface PostsGathering {
  /** Called before the build. */
  open(start: BuildStart): void;
  /** Called when everything is generated; leaves only files in the folder that the site would also have without us. */
  finish(dir: URL, logger: Logger): CollectedPosts | undefined;
}

/** Connects the endpoint inside the build to the integration, if both run in one process. */
export interface PostsChannel {
  /** Whether an entry is a post to publish now. */
  wants(entry: unknown): Promise<boolean>;
  /** Receives all entries. */
  receive(answer: unknown): void;
}

type PostsOptions = Exclude<Options["posts"], false>;
type Setup = Pick<HookParameters<"astro:config:setup">, "config" | "injectRoute" | "createCodegenDir" | "updateConfig">;

/** Adds the endpoint to the build; returns `undefined` if the site has no collection of posts. */
export async function setUpGathering({ posts, publish }: Options, setup: Setup): Promise<PostsGathering | undefined> {
  const { config, injectRoute, createCodegenDir, updateConfig } = setup;
  const collection = posts === false ? undefined : findPostsCollection(posts, config);
  if (posts === false || collection === undefined) return undefined;
  checkTimezone(posts);
  const { site, base, root } = config;
  const renderers = await findContainerRenderers(config);
  // The global symbol by which the endpoint of a project finds its channel.
  const channel = `astro-imprint.posts ${root.href}`;
  const entrypoint = writeEndpoint({ folder: createCodegenDir(), collection, channel, site, base, renderers });
  const pattern = `/${ENDPOINT_FILE}`;
  injectRoute({ pattern, entrypoint, prerender: true });
  const route = createQuietRoute(pattern);
  updateConfig({ vite: { plugins: [route.plugin] } });
  return createGathering({ posts, config, collection, channel, route, isPublished: publish !== false });
}

interface GatheringSettings {
  readonly posts: PostsOptions;
  readonly config: AstroConfig;
  readonly collection: string;
  readonly channel: string;
  readonly route: QuietRoute;
  /** Otherwise no post is rendered. */
  readonly isPublished: boolean;
}

function createGathering(settings: GatheringSettings): PostsGathering {
  const { posts, config, collection, channel, route, isPublished } = settings;
  const root = fileURLToPath(config.root);
  const now = new Date();
  let entries: readonly CollectedEntry[] | undefined;
  const symbol = Symbol.for(channel);

  async function wants(value: unknown): Promise<boolean> {
    if (!isPublished) return false;
    const entry = parseCollectedEntry(value);
    if (entry === undefined) return true;
    if (isPrivateFile(fileOfEntry(entry, collection), posts.folder)) return false;
    // The schema's data is enough here; the file itself is read once, when the post is built.
    const result = await parseEntry({ ...entry, filePath: undefined }, { ...posts, root, collection, folder: "" });
    if (result.kind === "refused") return false;
    // Where the schema made a value unclear, such as `true` of a status, the file may be clear.
    return holdingOf(result.post, now).every(({ reason }) => reason === "unclear");
  }

  // A failed build calls no further hooks.
  function sweep(): void {
    for (const dir of [config.outDir, config.build.client]) removeFile(new URL(ENDPOINT_FILE, dir));
  }

  return {
    open(start) {
      route.hide(start);
      const own: PostsChannel = { wants, receive: (answer) => void (entries = parseCollected(answer)) };
      Reflect.set(globalThis, symbol, own);
      process.once("exit", sweep);
    },
    finish(dir, logger) {
      Reflect.deleteProperty(globalThis, symbol);
      process.off("exit", sweep);
      entries ??= takeFile(new URL(ENDPOINT_FILE, dir));
      if (entries !== undefined && entries.length > 0) {
        return { collection, entries, imagesAside: setImagesAside(entries, { config, dir }) };
      }
      if (posts.collection !== undefined) logger.warn(missingText(collection));
      return undefined;
    },
  };
}

// An adapter may prerender in another process or runtime. Then the posts arrive as a file.
function takeFile(file: URL): readonly CollectedEntry[] | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  removeFile(file);
  return parseCollected(parseJson(text));
}

function removeFile(file: URL): void {
  rmSync(file, { force: true });
  const folder = new URL(".", file);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

function missingText(collection: string): string {
  return `The build returned no entries of the collection "${collection}", so imprint uses the Markdown files of the folder instead. Check the name, and that no middleware responds in place of /${ENDPOINT_FILE}.`;
}

/**
 * Moves images out of the built site that are in it only because we rendered the posts: a site that doesn't show all
 * its posts must be the same with and without us. Returns the folder that contains them now.
 */
function setImagesAside(
  entries: readonly CollectedEntry[],
  { config, dir }: { readonly config: Pick<AstroConfig, "root" | "build">; readonly dir: URL },
): string | undefined {
  const root = fileURLToPath(dir);
  const aside = fileURLToPath(new URL(".imprint/cache/post-images/", config.root));
  rmSync(aside, { recursive: true, force: true });
  const unused = findUnused(entries, root, config.build.assets);
  for (const path of unused) move(join(root, path), join(aside, path));
  return unused.length === 0 ? undefined : aside;
}

const TEXT = /\.(?:html|css|js|mjs|json|xml|txt|svg|webmanifest)$/i;

function findUnused(entries: readonly CollectedEntry[], root: string, assetsDir: string): readonly string[] {
  const folder = assetsDir.replaceAll(/^\/|\/$/g, "");
  const named = namesIn(
    entries.map(({ html = "" }) => html),
    folder,
  );
  const files = named.size === 0 ? [] : findFiles(join(root, folder)).map((file) => `${folder}/${file}`);
  const ofPosts = files.filter((file) => spellingsOf(file).some((name) => named.has(name)));
  const paths = ofPosts.length === 0 ? [] : findFiles(root).filter((path) => TEXT.test(path));
  const texts = paths.map((path) => readFileSync(join(root, path), "utf8"));
  const known = namesIn(texts, folder);
  // Addresses can be written in ways that the pattern misses, and a file that a page uses must stay.
  return ofPosts
    .filter((file) => !spellingsOf(file).some((name) => known.has(name)))
    .filter((file) => !texts.some((text) => spellingsOf(file).some((name) => text.includes(name))));
}

/** Returns the names of built files that texts mention, as written. */
function namesIn(texts: readonly string[], folder: string): ReadonlySet<string> {
  const start = `${folder}/`;
  const names = new Set<string>();
  for (const text of texts) {
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
      const [name] = /[^\s"'`()\\,<>?#&]*/.exec(text.slice(at + start.length, at + start.length + 300)) ?? [];
      if (name !== undefined) names.add(name.slice(name.lastIndexOf("/") + 1));
    }
  }
  return names;
}

function spellingsOf(file: string): readonly string[] {
  return [basename(file), encodeURI(basename(file))];
}

function move(from: string, to: string): void {
  makeOwnFolder(dirname(to));
  try {
    renameSync(from, to);
  } catch {
    // Another disk.
    copyFileSync(from, to);
    rmSync(from);
  }
}

/**
 * Returns the content collection of the posts: the one in the options, else the one with the name of the posts' folder,
 * if the site's content config has it. With `undefined`, the folder is read.
 */
function findPostsCollection(
  { collection, folder }: PostsOptions,
  config: Pick<AstroConfig, "srcDir">,
): string | undefined {
  if (collection !== undefined) return collection;
  const name = posix.basename(folder.replaceAll("\\", "/"));
  // Astro prints a warning for a missing collection, so the config's text decides.
  return readContentConfig(config.srcDir)
    .split(/[^\w-]+/)
    .includes(name)
    ? name
    : undefined;
}

function readContentConfig(srcDir: URL): string {
  for (const ending of ["mjs", "js", "mts", "ts"]) {
    try {
      return readFileSync(new URL(`content.config.${ending}`, srcDir), "utf8");
    } catch {
      continue;
    }
  }
  return "";
}
