import { ImprintError, messageOf } from "../../base/error.ts";
import { canonicalLanguage } from "../../base/language.ts";
import { escapeAttribute } from "../../html/attributes.ts";
import { TEXT_FIELDS, textFieldsOf, type SitePost } from "../post.ts";
import type { LiftPost } from "./lift/lift-post.ts";
import { findMentionedImages } from "./addresses.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import { createBody, renderBody, type BodySources, type PostBody } from "./post-body.ts";
import { collectImages, type ImagePlace, type PostImages } from "./post-images.ts";
import { resolveLinks, warningsOf, type LinkTargets } from "./post-links.ts";
import type { PostProblem } from "../read/problems.ts";
import { sha256 } from "../../base/hash.ts";

export interface RenderSettings extends ImagePlace, BodySources {
  readonly lift: LiftPost | undefined;
}

/** A post that is complete except for the addresses of linked posts. */
export interface RenderedPost {
  readonly parsed: ParsedPost;
  readonly title: string;
  readonly body: PostBody;
  readonly images: PostImages;
}

export type RenderResult =
  | { readonly kind: "rendered"; readonly rendered: RenderedPost }
  /** `isUnextracted`: the post can't be extracted from its page, and nothing else is known to be wrong with it. */
  | { readonly kind: "refused"; readonly problems: readonly PostProblem[]; readonly isUnextracted?: boolean };

/** Renders a post's body and finds its images. The result is complete, or refused with every reason. */
export async function renderPost(parsed: ParsedPost, settings: RenderSettings): Promise<RenderResult> {
  let body: PostBody;
  try {
    body = await bodyOf(parsed, settings);
  } catch (error) {
    // There is no renderer at all, which isn't the post's fault.
    if (error instanceof ImprintError) throw error;
    const isUnextracted = isMdx(parsed.file) && parsed.rendered === undefined && parsed.renderError === undefined;
    return { ...refused([problemOf(parsed, `The post can't be rendered: ${messageOf(error)}`)]), isUnextracted };
  }
  const images = await collectImages(parsed, body, settings);
  const title = parsed.fields.title ?? body.heading;
  if (title === undefined) return refused([problemOf(parsed, NO_TITLE), ...images.problems]);
  if (images.problems.length > 0) return refused(images.problems);
  return { kind: "rendered", rendered: { parsed, title, body, images } };
}

/** Whether only a site build can render a post: MDX needs the site's components. */
export function needsBuild({ file, rendered }: ParsedPost, lift: LiftPost | undefined): boolean {
  return rendered === undefined && lift === undefined && isMdx(file);
}

function isMdx(file: string): boolean {
  return /\.mdx$/i.test(file);
}

/**
 * Returns the source hash of a post that isn't rendered, or `undefined` if it has no title of its own: the title is
 * then the first heading of the rendered body.
 */
export async function hashUnrendered(parsed: ParsedPost, place: ImagePlace): Promise<string | undefined> {
  if (parsed.written.title === undefined) return undefined;
  const mentioned = findMentionedImages(parsed.frontMatter.body);
  const { hashes } = await collectImages(parsed, { references: [], mentioned }, place);
  return hashSource(parsed, { title: parsed.written.title, images: hashes });
}

function hashSource(
  { written, frontMatter }: ParsedPost,
  { title, images }: { readonly title: string; readonly images: ReadonlyMap<string, string> },
): string {
  const fields = { ...written, title, coverAlt: written.cover?.alt };
  return sourceHashOf({ fields, body: frontMatter.body, images });
}

async function bodyOf(post: ParsedPost, { lift, ...sources }: RenderSettings): Promise<PostBody> {
  if (post.rendered !== undefined) return createBody(post, post.rendered);
  return isMdx(post.file) ? createBody(post, liftPost(post, lift)) : renderBody(post, sources);
}

function liftPost(post: ParsedPost, lift: LiftPost | undefined): string {
  const { renderError } = post;
  try {
    if (lift !== undefined) return lift(post);
  } catch (error) {
    throw renderError === undefined ? error : new Error(`${renderError} ${messageOf(error)}`, { cause: error });
  }
  throw new Error(renderError ?? "the site's build didn't render it.");
}

/** Inserts placeholders and published addresses into a rendered post. */
export async function composePost(
  { parsed, title, body, images }: RenderedPost,
  links: LinkTargets,
): Promise<SitePost> {
  const { file, slug, fields, written, frontMatter } = parsed;
  const unresolved = body.references.filter(({ address }) => !images.addresses.has(address));
  const resolved = resolveLinks(parsed, unresolved, links);
  const html = await body.compose({
    images: images.addresses,
    links: new Map([...images.addresses, ...resolved.addresses]),
    idPrefix: slug,
    firstHeading: fields.title === undefined ? "remove" : "keep",
  });
  return {
    file,
    slug,
    title,
    status: "published",
    ...textFieldsOf(fields),
    text: frontMatter.body,
    remoteId: fields.remoteId,
    cover: images.cover,
    html: inLanguage(html, fields.language),
    sourceHash: hashSource(parsed, { title: written.title ?? body.heading ?? title, images: images.hashes }),
    assets: images.assets,
    ...(resolved.unlinked.length === 0 ? {} : { unlinked: resolved.unlinked }),
    ...(resolved.waitsFor.length === 0 ? {} : { waitsFor: resolved.waitsFor }),
    warnings: [...resolved.warnings, ...warningsOf(parsed, body, images)],
  };
}

const NO_TITLE = 'The post has no title. Add a line such as "title: My post" to its front matter.';

// The service has no field for a post's language, which screen readers need.
function inLanguage(html: string, written: string | undefined): string {
  // Hugo and Jekyll use `en_US`.
  const language = canonicalLanguage(written?.replaceAll("_", "-"));
  if (language === undefined) return html;
  return `<div lang="${escapeAttribute(language)}">\n${html}\n</div>`;
}

function problemOf({ file }: ParsedPost, message: string): PostProblem {
  return { code: "POST_INVALID", file, line: 1, column: 1, message };
}

function refused(problems: readonly PostProblem[]): Extract<RenderResult, { readonly kind: "refused" }> {
  return { kind: "refused", problems };
}

/** The fields whose changes count as edits. */
export type SourceFields = Pick<SitePost, "title" | (typeof TEXT_FIELDS)[number]> & {
  readonly language: string | undefined;
  readonly coverAlt: string | undefined;
};

export interface PostSource {
  readonly fields: SourceFields;
  /** The Markdown below the front matter, with LF line endings. */
  readonly body: string;
  /** Hashes of the image files, by the address that the text uses. */
  readonly images: ReadonlyMap<string, string>;
}

/**
 * Hash of what the author wrote. Only a change of it is an edit: another code theme or Astro version renders different
 * HTML from the same source. The slug isn't included: it names the post, and a renamed file has the same text.
 */
export function sourceHashOf({ fields, body, images }: PostSource): string {
  const named = [...images].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const { title, coverAlt, language } = fields;
  const values = [title, ...TEXT_FIELDS.map((name) => fields[name]), coverAlt, language];
  return sha256(JSON.stringify([...values.map((value) => value ?? null), named, body.trim()]));
}
