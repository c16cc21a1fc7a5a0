import { basename } from "node:path";
import { parseDate } from "./dates.ts";
import type { FieldSettings } from "./field-keys.ts";
import { readFields, type PostFields } from "./fields.ts";
import { parseFrontMatter, type FrontMatter } from "./front-matter.ts";
import { positionAt, type Position, type PostProblem, type Problem } from "./problems.ts";
import { contentIdOf, foldSlug } from "./slugs.ts";

/** A Markdown file before its body is rendered. */
export interface ParsedPost {
  /** Path relative to the project, with forward slashes. */
  readonly file: string;
  readonly slug: string;
  readonly fields: PostFields;
  /**
   * What the author's own file specifies, before a collection's schema is applied: it determines whether a post was
   * edited.
   */
  readonly written: PostFields;
  /** Why the post is on hold until its author clarifies a key. */
  readonly doubts: readonly Problem[];
  readonly frontMatter: FrontMatter;
  /** The body as rendered by the site's own build; `undefined` if it is rendered from the Markdown. */
  readonly rendered?: string | undefined;
  /** Why the site's own build couldn't render the body. */
  readonly renderError?: string | undefined;
}

/** All posts parsed up to their front matter. */
export interface ParsedFolder {
  readonly parsed: readonly ParsedPost[];
  readonly problems: readonly PostProblem[];
  /** Files skipped because a name in their path starts with an underscore. */
  readonly privateFiles: readonly string[];
}

interface PostText {
  readonly file: string;
  /** Path below the folder of the posts. */
  readonly path: string;
  readonly text: string;
}

export type ParseResult =
  | { readonly kind: "post"; readonly post: ParsedPost }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Parses everything above the body. A draft may be unfinished, so its other problems are ignored. */
export function parsePost({ file, path, text }: PostText, settings: FieldSettings): ParseResult {
  const parsed = parseFrontMatter(text);
  if (parsed.kind === "refused") return { kind: "refused", problems: [parsed.problem] };
  const { frontMatter } = parsed;
  const { fields, problems, doubts } = readFields(frontMatter, settings);
  if (problems.length > 0 && !fields.isDraft) return { kind: "refused", problems };
  const slug = foldSlug(fields.slug ?? contentIdOf(path));
  const dated = { ...fields, publishedAt: fields.publishedAt ?? dateInName(path, settings) };
  return { kind: "post", post: { file, slug, fields: dated, written: dated, doubts, frontMatter } };
}

/** Jekyll has the date in the file name: `2024-01-31-title.md`. */
export function dateInName(path: string, settings: FieldSettings): Date | undefined {
  const [text] = /^\d{4}-\d{2}-\d{2}(?=-)/.exec(basename(path)) ?? [];
  const parsed = text === undefined ? undefined : parseDate(text, settings.timezone);
  return parsed?.kind === "date" ? parsed.date : undefined;
}

/** Position of an address in the body, as is or percent-encoded; empty if it can't be found. */
export function placeInBody({ frontMatter }: ParsedPost, address: string): Partial<Position> {
  const offsets = [address, encodeURI(address.toWellFormed())].map((spelling) => frontMatter.body.indexOf(spelling));
  const offset = offsets.find((candidate) => candidate !== -1);
  if (offset === undefined) return {};
  const { line, column } = positionAt(frontMatter.body, offset);
  return { line: line + frontMatter.bodyLine - 1, column };
}
