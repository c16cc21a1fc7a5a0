import * as z from "zod";

// The specification leaves most of the wire format open. imprint learns from refusals what a host accepts, and stores
// it in the lock file; users may also set it.

/**
 * Body of a page: JSON, form fields, or multipart with the HTML as a file (`multipart`) or as text (`multipart-text`).
 */
export const PAGE_BODIES = ["json", "form", "multipart", "multipart-text"] as const;

/** Names that hosts use for the body of a post, the most likely first. */
export const POST_BODIES = ["html", "content", "body"] as const;

/** Names that hosts use for the body of a post if they accept only Markdown, the most likely first. */
export const MARKDOWN_BODIES = [
  "markdown",
  "contentMarkdown",
  "content_markdown",
  "bodyMarkdown",
  "body_markdown",
] as const;

/** Names that hosts use for the name of a blog, a site or a brand kit. */
export const RECORD_NAMES = ["name", "title"] as const;

/** Kinds of files that a page may load from the library. Drawings are SVG, which browsers identify only by its type. */
export const LIBRARY_KINDS = ["images", "drawings", "scripts", "styles", "fonts", "files"] as const;

export type LibraryKind = (typeof LIBRARY_KINDS)[number];

const IN_PATH = /^https?:\/\/[^/{}]+\/[^{}]*\{slug\}[^{}]*$/i;
const IN_HOST = /^https?:\/\/\{slug\}\.[^/{}]+(?:\/[^{}]*)?$/i;

/**
 * A pattern of published addresses, with `{slug}` in the path or as the first part of the host. Aborts, so that a union
 * with it has its own message.
 */
export const pagesAtSchema = z
  .string()
  .refine((text) => (IN_PATH.test(text) || IN_HOST.test(text)) && URL.canParse(text), {
    abort: true,
    message:
      "must be an http or https address with one {slug} in it, such as https://x.example/{slug} or https://{slug}.x.example/",
  });

/** Whether a record with this status is hidden from readers. Hosts have their own names for visible statuses. */
export function isHiddenStatus(status: string | undefined): boolean {
  return HIDDEN.some((words) => words.test(status ?? "")) || isTrashStatus(status);
}

const HIDDEN = [
  /^(?:draft|unpublished|private|protected|hidden|scheduled|inactive|disabled|offline|suspended|rejected|expired)/i,
  /^(?:pending|await|submitted|unapproved|not.?approved|(?:in|on|under|for|to|needs?|to.?be).?(?:review|moderat|approv))/i,
  /^(?:review|reviewing|moderation|moderating|(?:on.?)?hold|held|quarantined|blocked)$/i,
];

/** Whether a record with this hidden status may become visible by itself within seconds. */
export function isPassingStatus(status: string | undefined): boolean {
  return /^pending$/i.test(status ?? "");
}

/** Whether a record with this status was trashed: readers don't see it until it is restored on the service. */
export function isTrashStatus(status: string | undefined): boolean {
  return /^(?:(?:in.?|moved.?to.?)?trash|deleted|archived)/i.test(status ?? "");
}

const fieldNames = z.array(z.string().min(1).max(100)).max(50).readonly();

/**
 * What readers of some hosts don't get besides scripts: `<style>`, `<iframe>`, `<form>`, `<svg>`, `<img>`, `<table>`,
 * `<video>` and `<audio>`, `<button>`, `<details>`, `<object>` and `<embed>`, `@font-face`, `<a href>`, `id`, `class`,
 * and the `<meta>` elements `refresh` and `robots`; links to places within a page, where the host adds a `<base>`; and
 * the language, the title, the canonical address, a place in search engines, and line breaks in `<pre>`, where the host
 * has its own.
 */
const REMOVABLE_PARTS = [
  ...(["styles", "frames", "forms", "drawings", "images"] as const),
  ...(["tables", "media", "buttons", "details", "embeds", "robots", "fonts"] as const),
  ...(["links", "ids", "classes", "redirects", "anchors"] as const),
  ...(["language", "titles", "canonical", "indexing", "code"] as const),
] as const;

export type RemovablePart = (typeof REMOVABLE_PARTS)[number];

/** Parses a dialect from the lock file or the options; rejects unknown fields. */
export const dialectSchema = z.strictObject({
  filePart: z.string().min(1).max(100).optional(),
  pageBody: z.enum(PAGE_BODIES).optional(),
  newPageBody: z.enum(PAGE_BODIES).optional(),
  pageFields: z.enum(["all", "title", "html"]).optional(),
  pagePut: z.enum(["creates", "updates"]).optional(),
  postBody: z.enum([...POST_BODIES, ...MARKDOWN_BODIES]).optional(),
  postOmits: fieldNames.optional(),
  postRefusal: z.string().optional(),
  blogName: z.enum(RECORD_NAMES).optional(),
  blogOmits: fieldNames.optional(),
  siteName: z.enum(RECORD_NAMES).optional(),
  siteOmits: fieldNames.optional(),
  brandKitName: z.enum(RECORD_NAMES).optional(),
  brandKitOmits: fieldNames.optional(),
  lists: z.string().min(1).max(60).optional(),
  fileAddresses: z.enum(["signed", "unsigned", "changing"]).optional(),
  pagesAt: pagesAtSchema.optional(),
  slugMaxLength: z.int().min(1).optional(),
  slugSeparator: z.literal("_").optional(),
  slugHyphens: z.literal("single").optional(),
  html: z.enum(["kept", "changed", "hidden"]).optional(),
  htmlAt: z.literal("public").optional(),
  // Earlier versions wrote one slug.
  unshown: z
    .union([z.array(z.string()), z.string().transform((slug) => [slug])])
    .readonly()
    .optional(),
  unshownFile: z.string().optional(),
  pageAnswers: z.literal("accepted").optional(),
  pageTags: z.enum(["unmatched", "weak"]).optional(),
  pageVersion: z.literal("body").optional(),
  shownAfterMs: z.int().min(0).optional(),
  scripts: z.literal("removed").optional(),
  removes: z.array(z.enum(REMOVABLE_PARTS)).readonly().optional(),
  edits: z.literal("unseen").optional(),
  notFoundPage: z.literal("unused").optional(),
  unserved: z.partialRecord(z.enum(LIBRARY_KINDS), z.string()).optional(),
});

/** Value of `lists` by which a user says that a list ends where nothing new follows, whatever number it reports. */
export const LISTS_COMPLETE = "complete";

/** What a host accepts, where hosts differ. Every field is absent until it is known. */
export interface Dialect {
  /** Name of the multipart field for an uploaded file: `file`, `files[]`, `image`, `asset`, … */
  readonly filePart?: string | undefined;
  /** Body of `PUT /api/pages/:slug`. */
  readonly pageBody?: PageBody | undefined;
  /** Body of `POST /api/pages`, which only route set B has. */
  readonly newPageBody?: PageBody | undefined;
  /** What may accompany the HTML of a page: title, site and description; only the title; or nothing. */
  readonly pageFields?: "all" | "title" | "html" | undefined;
  /** Whether `PUT` creates a page that doesn't exist, or responds with 404. */
  readonly pagePut?: "creates" | "updates" | undefined;
  /** Name of the field for a post's text: HTML, or Markdown under one of the `MARKDOWN_BODIES`. */
  readonly postBody?: (typeof POST_BODIES | typeof MARKDOWN_BODIES)[number] | undefined;
  /** Fields of a post that the host refuses, such as `canonicalUrl`. They are omitted. */
  readonly postOmits?: readonly string[] | undefined;
  /** The last refusal of a post that sending other fields didn't change, so that a run doesn't try them again. */
  readonly postRefusal?: string | undefined;
  readonly blogName?: RecordName | undefined;
  /** Fields of a blog that the host refuses; likewise for sites and brand kits. */
  readonly blogOmits?: readonly string[] | undefined;
  readonly siteName?: RecordName | undefined;
  readonly siteOmits?: readonly string[] | undefined;
  readonly brandKitName?: RecordName | undefined;
  readonly brandKitOmits?: readonly string[] | undefined;
  /** Query parameter for the rest of a list, if the host's lists don't show it; or `LISTS_COMPLETE`. */
  readonly lists?: string | undefined;
  /**
   * Whether files need the signature in the query of their addresses, which differs in each response; `changing` if the
   * rest of the addresses differs as well.
   */
  readonly fileAddresses?: "signed" | "unsigned" | "changing" | undefined;
  /** Address of published pages, with `{slug}` for the slug: `https://x.example/{slug}`. */
  readonly pagesAt?: string | undefined;
  /** Longest slug that the host accepts, in characters, as reported by a refusal. */
  readonly slugMaxLength?: number | undefined;
  /** Separator of the words in a slug if hyphens are refused. */
  readonly slugSeparator?: "_" | undefined;
  /** Whether slugs can't have two hyphens in a row, which those of previews have elsewhere. */
  readonly slugHyphens?: "single" | undefined;
  /** Whether the host returns the HTML of a page as sent, rewrites it, or doesn't return it. */
  readonly html?: "kept" | "changed" | "hidden" | undefined;
  /** Whether the HTML of pages can only be read at their public addresses. */
  readonly htmlAt?: "public" | undefined;
  /** Slugs of pages that readers didn't see as sent when a run last checked. Never empty. */
  readonly unshown?: readonly string[] | undefined;
  /** Address of a library file that readers couldn't load when a run last checked. */
  readonly unshownFile?: string | undefined;
  /** Whether the host responds with 202 to a page and shows it later. */
  readonly pageAnswers?: "accepted" | undefined;
  /** Whether the host compares `If-Match` to something other than the page's `ETag`, or demands a weak `ETag`. */
  readonly pageTags?: "unmatched" | "weak" | undefined;
  /** Whether the body that changes a page has to name the page's version. */
  readonly pageVersion?: "body" | undefined;
  /** The longest delay until readers saw a sent page, in milliseconds; absent if they see it immediately. */
  readonly shownAfterMs?: number | undefined;
  /** Whether the host removes scripts from pages. */
  readonly scripts?: "removed" | undefined;
  /** What else it removes from pages. */
  readonly removes?: readonly RemovablePart[] | undefined;
  /** Whether lists show neither hash, version nor time of a page, so that they don't reveal edits on the host. */
  readonly edits?: "unseen" | undefined;
  /** Whether a run has reported that the host doesn't use the site's own "not found" page. */
  readonly notFoundPage?: "unused" | undefined;
  /** Kinds of files that pages can't load from the library, and why. */
  readonly unserved?: Readonly<Partial<Record<LibraryKind, string>>> | undefined;
}

export type PageBody = (typeof PAGE_BODIES)[number];
export type RecordName = (typeof RECORD_NAMES)[number];
