/** What a post can say about itself. */
export type FieldName =
  | "title"
  | "slug"
  | "permalink"
  | "date"
  | "expires"
  | "draft"
  | "published"
  | "status"
  | "excerpt"
  | "tags"
  | "author"
  | "cover"
  | "coverAlt"
  | "canonical"
  | "language"
  | "remoteId";

/** Own keys by field: `{ title: "headline" }`. A field with an own key is read from that key only. */
export type FieldMapping = Partial<Readonly<Record<FieldName, string>>>;

/**
 * Keys under which Astro's examples, Starlight, Hugo, Jekyll, Eleventy, Hashnode, dev.to and Obsidian keep each field,
 * in lower case without hyphens and underscores; the first that is there counts. `published` is a date in some of
 * them and a switch in others.
 */
const KEYS: Readonly<Record<FieldName, readonly string[]>> = {
  title: ["title"],
  slug: ["slug"],
  permalink: ["permalink", "url"],
  date: ["pubdate", "publishdate", "publisheddate", "publishedat", "publishedon", "datepublished", "published", "date"],
  expires: ["expirydate", "unpublishdate"],
  draft: ["draft"],
  published: ["published", "publish"],
  status: ["status"],
  excerpt: ["excerpt", "description", "summary"],
  tags: ["tags", "tag", "categories", "category"],
  author: ["author", "authors"],
  cover: [
    "cover",
    "coverimage",
    "heroimage",
    "image",
    "featuredimage",
    "banner",
    "thumbnail",
    "ogimage",
    "socialimage",
  ],
  coverAlt: ["coveralt", "coverimagealt", "heroimagealt", "heroalt", "imagealt", "featuredimagealt", "banneralt"],
  canonical: ["canonical", "canonicalurl", "canonicallink"],
  language: ["lang", "language", "locale"],
  remoteId: ["imprintid"],
};

/** A key as the author wrote it, with its value. */
export interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/** Every entry that can hold a field, in order of precedence. Empty values are as good as none. */
export function entriesOf(
  data: Readonly<Record<string, unknown>>,
  field: FieldName,
  mapping: FieldMapping,
): readonly Entry[] {
  const own = mapping[field];
  const written = Object.entries(data).map(([key, value]) => ({ key, value }));
  const chosen =
    own === undefined
      ? KEYS[field].flatMap((name) => written.filter(({ key }) => normalise(key) === name))
      : written.filter(({ key }) => key === own);
  return chosen.filter(({ value }) => value !== null && value !== undefined && value !== "");
}

function normalise(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, "");
}
