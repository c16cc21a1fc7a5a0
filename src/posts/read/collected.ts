import * as z from "zod";

const entrySchema = z.object({
  id: z.string(),
  /** Path of the entry's file relative to the project; absent for entries of other loaders. */
  filePath: z.string().optional(),
  /** The text below the front matter. */
  body: z.string().optional(),
  /** The data as output by the collection's schema. */
  data: z.unknown(),
  /** The rendered body; absent for a post that isn't published now. */
  html: z.string().optional(),
  /** Why the body couldn't be rendered. */
  error: z.string().optional(),
});

const collectedSchema = z.object({ version: z.literal(1), entries: z.array(entrySchema) });

/** A content collection entry as passed on by the build. */
export type CollectedEntry = Readonly<z.infer<typeof entrySchema>>;

/** The posts of a content collection, rendered by the site's own build. */
export interface CollectedPosts {
  readonly collection: string;
  readonly entries: readonly CollectedEntry[];
  /**
   * Folder with images of posts that the site itself doesn't show, at their paths in the built site; `undefined` if
   * there are none.
   */
  readonly imagesAside: string | undefined;
}

/** Validates the response of the endpoint inside the build; `undefined` if it is something else. */
export function parseCollected(response: unknown): readonly CollectedEntry[] | undefined {
  const parsed = collectedSchema.safeParse(response);
  return parsed.success ? parsed.data.entries : undefined;
}

/** Validates a single entry. */
export function parseCollectedEntry(value: unknown): CollectedEntry | undefined {
  const parsed = entrySchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
