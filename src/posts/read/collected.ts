import * as z from "zod";

const entrySchema = z.object({
  id: z.string(),
  /** Path of the entry's file relative to the project; entries of other loaders have none. */
  filePath: z.string().optional(),
  /** The text below the front matter. */
  body: z.string().optional(),
  /** The data as the collection's schema gave it. */
  data: z.unknown(),
  /** The rendered body; absent for a post that is not published now. */
  html: z.string().optional(),
  /** Why the body could not be rendered. */
  error: z.string().optional(),
});

const collectedSchema = z.object({ version: z.literal(1), entries: z.array(entrySchema) });

/** An entry of a content collection, as the build hands it over. */
export type CollectedEntry = Readonly<z.infer<typeof entrySchema>>;

/** The posts of a content collection, rendered by the site's own build. */
export interface CollectedPosts {
  readonly collection: string;
  readonly entries: readonly CollectedEntry[];
  /**
   * Folder with images of posts that the site itself shows nowhere, below the paths that they have in the built site;
   * `undefined` when there are none.
   */
  readonly imagesAside: string | undefined;
}

/** Checks what the endpoint inside the build answered; `undefined` when it is something else. */
export function parseCollected(answer: unknown): readonly CollectedEntry[] | undefined {
  const parsed = collectedSchema.safeParse(answer);
  return parsed.success ? parsed.data.entries : undefined;
}

/** Checks a single entry. */
export function parseCollectedEntry(value: unknown): CollectedEntry | undefined {
  const parsed = entrySchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
