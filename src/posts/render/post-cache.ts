import * as z from "zod";
import { readCache, replaceCache, type CachePlace } from "../../memory/cache.ts";

const referenceSchema = z.object({
  kind: z.enum(["image", "link", "file"]),
  address: z.string(),
  alt: z.string().optional(),
  isMarkdown: z.boolean(),
});

const strippedSchema = z.object({ name: z.string(), component: z.string().optional(), isEmpty: z.boolean() });

const bodySchema = z.object({
  references: z.array(referenceSchema).readonly(),
  heading: z.string().optional(),
  stripped: z.array(strippedSchema).readonly(),
  /** Images mentioned in the Markdown. */
  mentioned: z.array(z.string()).readonly(),
  /** The HTML as sent, and a key of what was inserted into it. */
  composed: z.object({ key: z.string(), html: z.string() }),
});

/** The result of rendering a post. */
export type CachedBody = Readonly<z.infer<typeof bodySchema>>;

/** Bodies of earlier runs. A cache only: missing or damaged entries are rendered again. */
export interface PostCache {
  find(key: string): CachedBody | undefined;
  store(key: string, body: CachedBody): void;
  /** Saves what was found or stored since the cache was opened, and drops the rest. */
  save(): void;
}

// Increment after changing what is inserted into posts or the format of an entry.
const NAME = "posts 1";

export function openPostCache(place: Omit<CachePlace, "name">): PostCache {
  const known = readCache({ ...place, name: NAME });
  const used = new Map<string, unknown>();
  let isChanged = false;
  return {
    find(key) {
      const body = bodySchema.safeParse(used.get(key) ?? known.get(key)).data;
      if (body !== undefined) used.set(key, body);
      return body;
    },
    store(key, body) {
      isChanged = true;
      used.set(key, body);
    },
    save() {
      if (isChanged) replaceCache({ ...place, name: NAME }, used);
    },
  };
}
