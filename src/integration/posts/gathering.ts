import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AstroConfig, HookParameters } from "astro";
import type { Logger } from "../../base/log.ts";
import type { Options } from "../../options/schema.ts";
import {
  parseCollected,
  parseCollectedEntry,
  type CollectedEntry,
  type CollectedPosts,
} from "../../posts/read/collection/collected.ts";
import { fileOfEntry, parseEntry } from "../../posts/read/collection/parse-entry.ts";
import type { FieldSettings } from "../../posts/read/field-context.ts";
import { isPrivateFile } from "../../posts/read/private-files.ts";
import { fieldSettingsOf, holdingOf } from "../../posts/local/read-posts.ts";
import { channelName, openChannel } from "./channel.ts";
import { findPostsCollection } from "./collection-name.ts";
import { findContainerRenderers } from "./container-renderers.ts";
import { ENDPOINT_FILE, writeEndpoint } from "./endpoint.ts";
import { setImagesAside } from "./unused-images.ts";

/** Takes the posts of a content collection out of a build. */
export interface PostsGathering {
  /** Before the build. */
  open(): void;
  /** When everything is generated; leaves nothing in the folder that the site would not have without us. */
  finish(dir: URL, logger: Logger): CollectedPosts | undefined;
}

type Setup = Pick<HookParameters<"astro:config:setup">, "config" | "injectRoute" | "createCodegenDir">;

/** Puts the endpoint into the build; `undefined` where the site has no collection of posts. */
export async function setUpGathering(options: Options, setup: Setup): Promise<PostsGathering | undefined> {
  const { config, injectRoute, createCodegenDir } = setup;
  const collection = findPostsCollection(options, config);
  if (collection === undefined) return undefined;
  const { site, base, root } = config;
  const renderers = await findContainerRenderers(config);
  const channel = channelName(root);
  const entrypoint = writeEndpoint({ folder: createCodegenDir(), collection, channel, site, base, renderers });
  injectRoute({ pattern: `/${ENDPOINT_FILE}`, entrypoint, prerender: true });
  return createGathering({ options, config, collection, channel });
}

interface GatheringSettings {
  readonly options: Options;
  readonly config: AstroConfig;
  readonly collection: string;
  readonly channel: string;
}

function createGathering({ options, config, collection, channel }: GatheringSettings): PostsGathering {
  const root = fileURLToPath(config.root);
  const now = new Date();
  let entries: readonly CollectedEntry[] | undefined;
  let close = (): void => {};
  const settings = settingsOf(options);
  const folder = options.posts === false ? "" : options.posts.folder;

  async function wants(value: unknown): Promise<boolean> {
    const entry = parseCollectedEntry(value);
    if (entry === undefined) return true;
    if (isPrivateFile(fileOfEntry(entry, collection), folder)) return false;
    // The schema's data is enough here; what only the file says is read once, when the post is made.
    const place = { root, collection, folder: "", settings };
    const result = await parseEntry({ ...entry, filePath: undefined }, place);
    if (result.kind === "refused") return false;
    // What the schema made unclear, such as `true` of a status, the file may say clearly.
    return holdingOf(result.post, now).every(({ reason }) => reason === "unclear");
  }

  // A build that fails half-way calls no hook any more.
  function sweep(): void {
    for (const dir of [config.outDir, config.build.client]) removeFile(new URL(ENDPOINT_FILE, dir));
  }

  return {
    open() {
      close = openChannel(channel, { wants, receive: (answer) => void (entries = parseCollected(answer)) });
      process.once("exit", sweep);
    },
    finish(dir, logger) {
      close();
      process.off("exit", sweep);
      entries ??= takeFile(new URL(ENDPOINT_FILE, dir));
      if (entries !== undefined && entries.length > 0) {
        return { collection, entries, imagesAside: setImagesAside(entries, { config, dir }) };
      }
      if (options.posts !== false && options.posts.collection !== undefined) logger.warn(missingText(collection));
      return undefined;
    },
  };
}

function settingsOf({ posts }: Options): FieldSettings {
  if (posts === false) return fieldSettingsOf({});
  const { timezone: timeZone, fields, statuses, tags: tagSeparator } = posts;
  return fieldSettingsOf({ timeZone, fields, statuses, tagSeparator });
}

// An adapter may prerender in another process or runtime. Then the posts come as a file.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function missingText(collection: string): string {
  return `The build gave no entries of the collection "${collection}", so that the markdown files of the folder are taken instead. Check the name, and that no middleware answers in place of /${ENDPOINT_FILE}.`;
}
