import { posix } from "node:path";
import type { SiteWarning } from "../../site/model.ts";
import { isLocal, splitAddress } from "./addresses.ts";
import { placeInBody, type ParsedPost } from "../read/parse-post.ts";
import type { PostReference } from "./post-html.ts";
import type { PostBody } from "./post-body.ts";
import type { PostImages } from "./post-images.ts";
import type { StrippedElement } from "./strip-elements.ts";
import { decodeComponent } from "../../base/decode-component.ts";

/** A link in a post that leads into the author's own site. */
interface PostLink {
  /** As written: `./second.md#setup`, `/about/`, `../../site/`. */
  readonly href: string;
  /** Query and fragment of `href`, including `?` and `#`; empty if there are none. */
  readonly suffix: string;
  /** The post with the link: its Markdown file, relative to the project, and its slug. */
  readonly from: { readonly file: string; readonly slug: string };
  /** The post that the link refers to by its Markdown file. */
  readonly to: ParsedPost | undefined;
}

/** Returns the published address of a link, or `undefined` if its target isn't published. */
export type ResolveLink = (link: PostLink) => string | undefined;

export interface LinkTargets {
  readonly resolveLink: ResolveLink;
  /** Posts that can be linked to, by file: all that are due and could be read. */
  readonly linkable: ReadonlyMap<string, ParsedPost>;
  /** Files and slugs of the other posts, such as drafts and scheduled posts. */
  readonly held: { readonly files: ReadonlySet<string>; readonly slugs: ReadonlySet<string> };
  /** Those of them that aren't published because of a problem. */
  readonly invalid: ReadonlySet<string>;
  /** Whether a path without an address is a page of the site that is still to be published. */
  readonly isUnpublishedPage?: ((path: string) => boolean) | undefined;
}

export interface ResolvedLinks {
  /** New addresses by old ones; `undefined` for a link that becomes plain text. */
  readonly addresses: ReadonlyMap<string, string | undefined>;
  /** The links that become plain text. */
  readonly unlinked: readonly string[];
  /** Files of posts that it links to and that have a problem, and paths of pages that aren't published yet. */
  readonly waitsFor: readonly string[];
  readonly warnings: readonly SiteWarning[];
}

/** Resolves the links of a post that lead into the author's own site. */
export function resolveLinks(
  post: ParsedPost,
  references: readonly PostReference[],
  targets: LinkTargets,
): ResolvedLinks {
  const addresses = new Map<string, string | undefined>();
  const waitsFor: string[] = [];
  const warnings: SiteWarning[] = [];
  const hrefs = references.filter(({ kind }) => kind === "link").map(({ address }) => address);
  for (const href of new Set(hrefs)) {
    if (!isLocal(href)) continue;
    const { path, suffix } = splitAddress(href);
    const file = posix.join(posix.dirname(post.file), decodeComponent(path));
    const to = path.startsWith("/") ? undefined : targets.linkable.get(file);
    const address = targets.resolveLink({ href, suffix, from: { file: post.file, slug: post.slug }, to });
    const isHeld = path.startsWith("/") ? targets.held.slugs.has(lastOf(path)) : targets.held.files.has(file);
    const isLeftOut = address === undefined && (path.startsWith("/") ? isHeld : MARKDOWN.test(path));
    if (address !== undefined || isLeftOut) addresses.set(href, address);
    const isPage = path.startsWith("/") && !isHeld && targets.isUnpublishedPage?.(path) === true;
    if (targets.invalid.has(file)) waitsFor.push(file);
    else if (address === undefined && isPage) waitsFor.push(path);
    else if (address === undefined) warnings.push(deadLink(post, href, { isLeftOut, isHeld }));
  }
  const unlinked = [...addresses].flatMap(([href, address]) => (address === undefined ? [href] : []));
  return { addresses, unlinked, waitsFor, warnings };
}

// No service has an address for a Markdown file.
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;

// A post's own page, at `/blog/second/`.
function lastOf(path: string): string {
  return decodeComponent(
    path
      .replace(/\/+$|(?:\/index)?\.html$/g, "")
      .split("/")
      .at(-1) ?? "",
  );
}

function deadLink(
  post: ParsedPost,
  href: string,
  { isLeftOut, isHeld }: { readonly isLeftOut: boolean; readonly isHeld: boolean },
): SiteWarning {
  const { line } = placeInBody(post, href);
  const place = { file: post.file, ...(line === undefined ? {} : { line }) };
  const target = isHeld ? "points to a post that isn't published yet" : "doesn't point to anything that is published";
  const message = `The link to ${href} ${isLeftOut ? `is left out, because it ${target}` : target}.`;
  return { code: isHeld ? "link-to-draft" : "dangling-link", ...place, message };
}

/** Warns about parts of a post that aren't published or look different than on the author's own site. */
export function warningsOf(parsed: ParsedPost, body: PostBody, images: PostImages): SiteWarning[] {
  const warn = (code: string, line: number | undefined, message: string): SiteWarning => ({
    code,
    file: parsed.file,
    ...(line === undefined ? {} : { line }),
    message,
  });
  const elements = body.stripped.map((element) => warn("stripped-element", undefined, describeStripped(element)));
  const raw = body.references.filter(({ address, kind, isMarkdown }) => {
    return kind === "image" && !isMarkdown && images.addresses.has(address) && !/^(?:\/|https?:)/i.test(address);
  });
  const rawImages = [...new Set(raw.map(({ address }) => address))].map((address) => {
    const message = `Astro leaves ${address} out of your own site because it is in an HTML tag. Write ![](${address}).`;
    return warn("raw-image", placeInBody(parsed, address).line, message);
  });
  const files = body.references.filter(({ kind, address }) => kind === "file" && isLocal(address));
  const unsentFiles = files.map(({ address }) => {
    return warn(
      "unsent-file",
      placeInBody(parsed, address).line,
      `${address} isn't sent: posts can only include images.`,
    );
  });
  const { cover } = parsed.fields;
  const isUnsent = cover !== undefined && images.cover === undefined;
  const message = `The cover ${cover?.source} is neither a file of the project nor a web address, so it isn't sent.`;
  const unsentCover = isUnsent ? [warn("unsent-cover", cover.position.line, message)] : [];
  return [...elements, ...rawImages, ...unsentFiles, ...unsentCover];
}

function describeStripped({ name, component, isEmpty }: StrippedElement): string {
  if (component === undefined) return `<${name}> does nothing outside your site, so it is left out of the post.`;
  return isEmpty
    ? `The component ${component} is rendered only by a script, so the post shows nothing in its place.`
    : `The component ${component} is sent as its initial HTML: without its script, it isn't interactive.`;
}
