import * as z from "zod";

// The specification leaves most of the wire open. What one host takes and another refuses is learned from refusals,
// kept in the lock file, and may be set by the user.

/** Body of a page: JSON, form fields, or multipart with the HTML as a file (`multipart`) or as text (`multipart-text`). */
export const PAGE_BODIES = ["json", "form", "multipart", "multipart-text"] as const;

/** Names that hosts give the body of a post, the likeliest first. */
export const POST_BODIES = ["html", "content", "body"] as const;

/** Names that hosts give what a blog, a site or a brand kit is called. */
export const RECORD_NAMES = ["name", "title"] as const;

/** Kinds of files that a page may load from the library. Drawings are SVG, which browsers only take by its type. */
export const LIBRARY_KINDS = ["images", "drawings", "scripts", "styles", "fonts", "files"] as const;

export type LibraryKind = (typeof LIBRARY_KINDS)[number];

const IN_PATH = /^https?:\/\/[^/{}]+\/[^{}]*\{slug\}[^{}]*$/i;
const IN_HOST = /^https?:\/\/\{slug\}\.[^/{}]+(?:\/[^{}]*)?$/i;

/** A published address in which `{slug}` stands for the slug of a page: in its path, or as the first part of its host. */
export const pagesAtSchema = z
  .string()
  .refine((text) => (IN_PATH.test(text) || IN_HOST.test(text)) && URL.canParse(text), {
    message:
      "must be an http or https address with one {slug} in it, such as https://x.example/{slug} or https://{slug}.x.example/",
  });

/** Whether readers don't see a record of this status. Hosts have words of their own for what they do see. */
export function isHiddenStatus(status: string | undefined): boolean {
  const isHidden = /^(?:draft|unpublished|private|hidden|scheduled|inactive|(?:in|pending).?review)/i.test(
    status ?? "",
  );
  return isHidden || isTrashStatus(status);
}

/** Whether somebody put a record of this status away: readers don't see it until it is restored at the service. */
export function isTrashStatus(status: string | undefined): boolean {
  return /^(?:(?:in.?|moved.?to.?)?trash|deleted|archived)/i.test(status ?? "");
}

const fieldNames = z.array(z.string().min(1).max(100)).max(50).readonly();

/** What some hosts take out of pages, beside scripts: `<style>`, `<iframe>`, `<form>`, `<svg>`. */
const REMOVABLE_PARTS = ["styles", "frames", "forms", "drawings"] as const;

export type RemovablePart = (typeof REMOVABLE_PARTS)[number];

/** Parses a dialect as the lock file and the options hold it; unknown fields are refused. */
export const dialectSchema = z.strictObject({
  filePart: z.string().min(1).max(100).optional(),
  pageBody: z.enum(PAGE_BODIES).optional(),
  newPageBody: z.enum(PAGE_BODIES).optional(),
  pageFields: z.enum(["all", "title", "html"]).optional(),
  pagePut: z.enum(["creates", "updates"]).optional(),
  postBody: z.enum(POST_BODIES).optional(),
  postOmits: fieldNames.optional(),
  blogName: z.enum(RECORD_NAMES).optional(),
  blogOmits: fieldNames.optional(),
  siteName: z.enum(RECORD_NAMES).optional(),
  siteOmits: fieldNames.optional(),
  brandKitName: z.enum(RECORD_NAMES).optional(),
  brandKitOmits: fieldNames.optional(),
  lists: z.enum(["page", "offset"]).optional(),
  fileAddresses: z.enum(["signed", "unsigned"]).optional(),
  pagesAt: pagesAtSchema.optional(),
  slugMaxLength: z.int().min(1).optional(),
  slugSeparator: z.literal("_").optional(),
  slugHyphens: z.literal("single").optional(),
  html: z.enum(["kept", "changed", "hidden"]).optional(),
  unshown: z.string().optional(),
  unshownFile: z.string().optional(),
  pageAnswers: z.literal("accepted").optional(),
  pageTags: z.literal("unmatched").optional(),
  shownAfterMs: z.int().min(0).optional(),
  scripts: z.literal("removed").optional(),
  removes: z.array(z.enum(REMOVABLE_PARTS)).readonly().optional(),
  edits: z.literal("unseen").optional(),
  notFoundPage: z.literal("unused").optional(),
  unserved: z.partialRecord(z.enum(LIBRARY_KINDS), z.string()).optional(),
});

/** How a host wants to be written to, where hosts differ. Every field is absent until it is known. */
export interface Dialect {
  /** Name of the part that holds an uploaded file: `file`, `files[]`, `image`, `asset`, … */
  readonly filePart?: string | undefined;
  /** Body of `PUT /api/pages/:slug`. */
  readonly pageBody?: PageBody | undefined;
  /** Body of `POST /api/pages`, which only route set B has. */
  readonly newPageBody?: PageBody | undefined;
  /** What may accompany the HTML of a page: title, site and description; the title alone; or nothing. */
  readonly pageFields?: "all" | "title" | "html" | undefined;
  /** Whether `PUT` creates a page that does not exist, or answers 404. */
  readonly pagePut?: "creates" | "updates" | undefined;
  /** Name of the field that holds a post's HTML. */
  readonly postBody?: (typeof POST_BODIES)[number] | undefined;
  /** Fields of a post that the host refuses, such as `canonicalUrl`. They are left out. */
  readonly postOmits?: readonly string[] | undefined;
  readonly blogName?: RecordName | undefined;
  /** Fields of a blog that the host refuses; likewise for sites and brand kits. */
  readonly blogOmits?: readonly string[] | undefined;
  readonly siteName?: RecordName | undefined;
  readonly siteOmits?: readonly string[] | undefined;
  readonly brandKitName?: RecordName | undefined;
  readonly brandKitOmits?: readonly string[] | undefined;
  /** What asks for the rest of a list that says nothing of its end. */
  readonly lists?: "page" | "offset" | undefined;
  /** Whether files need what signs their addresses, which is another one in each answer. */
  readonly fileAddresses?: "signed" | "unsigned" | undefined;
  /** Address of published pages, with `{slug}` for the slug: `https://x.example/{slug}`. */
  readonly pagesAt?: string | undefined;
  /** Longest slug that the host takes, in characters, as a refusal of it said. */
  readonly slugMaxLength?: number | undefined;
  /** What stands between the words of a slug where hyphens are refused. */
  readonly slugSeparator?: "_" | undefined;
  /** Whether slugs can't have two hyphens in a row, as those of previews have elsewhere. */
  readonly slugHyphens?: "single" | undefined;
  /** Whether the host shows the HTML of a page as it was sent, writes it anew, or does not show it. */
  readonly html?: "kept" | "changed" | "hidden" | undefined;
  /** Slug of a page that readers were not shown as it was sent when a run last looked. */
  readonly unshown?: string | undefined;
  /** Address of a file of the library that readers did not get when a run last looked. */
  readonly unshownFile?: string | undefined;
  /** Whether the host answers 202 to a page that it is sent: it shows the page later. */
  readonly pageAnswers?: "accepted" | undefined;
  /** Whether the host compares `If-Match` with something else than the `ETag` that it shows of a page. */
  readonly pageTags?: "unmatched" | undefined;
  /** The longest time after which readers were first shown a page that was sent, in milliseconds; absent: at once. */
  readonly shownAfterMs?: number | undefined;
  /** Whether the host takes scripts out of pages. */
  readonly scripts?: "removed" | undefined;
  /** What else it takes out of pages. */
  readonly removes?: readonly RemovablePart[] | undefined;
  /** Whether lists show neither hash, version nor time of a page, so that edits at the host can't be seen in them. */
  readonly edits?: "unseen" | undefined;
  /** Whether it was reported that the host has no use for the site's own page for addresses that it doesn't have. */
  readonly notFoundPage?: "unused" | undefined;
  /** Kinds of files that pages can't load from the library, and why. */
  readonly unserved?: Readonly<Partial<Record<LibraryKind, string>>> | undefined;
}

export type PageBody = (typeof PAGE_BODIES)[number];
export type RecordName = (typeof RECORD_NAMES)[number];
