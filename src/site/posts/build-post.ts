import { join } from "node:path";
import { messageOf } from "../../base/error.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { SitePost, SiteWarning } from "../model.ts";
import { isLocal } from "./local-address.ts";
import { placeInBody } from "./parse-post.ts";
import type { ParsedPost } from "./parse-post.ts";
import type { AssetPlace } from "./post-assets.ts";
import { parsePostHtml } from "./post-html.ts";
import type { PostHtml } from "./post-html.ts";
import { collectImages } from "./post-images.ts";
import type { PostImages } from "./post-images.ts";
import { resolveLinks } from "./post-links.ts";
import type { LinkTargets } from "./post-links.ts";
import type { PostProblem } from "./problems.ts";
import type { RenderMarkdown } from "./render-markdown.ts";
import { sourceHashOf } from "./source-hash.ts";

export interface RenderSettings extends Omit<AssetPlace, "file"> {
  readonly render: RenderMarkdown;
}

/** A post of which everything is there but the addresses of the posts that it links to. */
export interface RenderedPost {
  readonly parsed: ParsedPost;
  readonly title: string;
  readonly html: string;
  readonly images: PostImages;
}

export type RenderResult =
  | { readonly kind: "rendered"; readonly rendered: RenderedPost }
  | { readonly kind: "refused"; readonly problems: readonly PostProblem[] };

/** Renders a post's body and finds its images: it comes out complete, or refused with every reason. */
export async function renderPost(parsed: ParsedPost, { render, ...place }: RenderSettings): Promise<RenderResult> {
  const { file, frontMatter, fields } = parsed;
  const context = { file: join(place.root, file), frontmatter: frontMatter.data };
  let html: string;
  try {
    ({ html } = await render(frontMatter.body, context));
  } catch (error) {
    return refused([problemOf(parsed, `The markdown can't be rendered: ${messageOf(error)}`)]);
  }
  const bytes = Buffer.byteLength(html);
  if (bytes > LIMITS.maxPostBytes) {
    return refused([
      problemOf(parsed, `The rendered post has ${bytes} bytes; at most ${LIMITS.maxPostBytes} are taken.`),
    ]);
  }
  const body = parsePostHtml(html);
  const images = await collectImages(parsed, body.references, { ...place, file });
  const title = fields.title ?? body.heading;
  if (title === undefined) return refused([problemOf(parsed, NO_TITLE), ...images.problems]);
  if (images.problems.length > 0) return refused(images.problems);
  return { kind: "rendered", rendered: { parsed, title, html, images } };
}

/** Puts placeholders and published addresses into a rendered post. */
export function composePost({ parsed, title, html, images }: RenderedPost, links: LinkTargets): SitePost {
  const { file, slug, fields, frontMatter } = parsed;
  const { publishedAt, excerpt, tags, author, canonicalUrl, cover } = fields;
  const body = parsePostHtml(html);
  const unresolved = body.references.filter(({ address }) => !images.addresses.has(address));
  const resolved = resolveLinks(parsed, unresolved, links);
  const sent = { slug, title, status: "published", publishedAt, excerpt, tags, author, canonicalUrl } as const;
  return {
    ...sent,
    file,
    text: frontMatter.body,
    ...(fields.remoteId === undefined ? {} : { remoteId: fields.remoteId }),
    cover: images.cover,
    html: body.render({
      images: images.addresses,
      links: new Map([...images.addresses, ...resolved.addresses]),
      idPrefix: slug,
      firstHeading: fields.title === undefined ? "remove" : "keep",
    }),
    sourceHash: sourceHashOf({ post: sent, coverAlt: cover?.alt, body: frontMatter.body, images: images.hashes }),
    assets: images.assets,
    warnings: [...resolved.warnings, ...warningsOf(parsed, body, images)],
  };
}

const NO_TITLE = 'The post has no title. Add a line such as "title: My post" to its front matter.';

function problemOf({ file }: ParsedPost, message: string): PostProblem {
  return { code: "POST_INVALID", file, line: 1, column: 1, message };
}

function refused(problems: readonly PostProblem[]): RenderResult {
  return { kind: "refused", problems };
}

function warningsOf(parsed: ParsedPost, { stripped, references }: PostHtml, images: PostImages): SiteWarning[] {
  const warn = (code: string, line: number | undefined, message: string): SiteWarning => ({
    code,
    file: parsed.file,
    ...(line === undefined ? {} : { line }),
    message,
  });
  const elements = stripped.map((name) =>
    warn("stripped-element", undefined, `<${name}> does nothing outside your site and is left out of the post.`),
  );
  const raw = references.filter(({ address, kind, isMarkdown }) => {
    return kind === "image" && !isMarkdown && images.addresses.has(address) && !address.startsWith("/");
  });
  const rawImages = [...new Set(raw.map(({ address }) => address))].map((address) => {
    const message = `Astro leaves ${address} out of your own site, because it stands in an HTML tag. Write ![](${address}).`;
    return warn("raw-image", placeInBody(parsed, address).line, message);
  });
  const files = references.filter(({ kind, address }) => kind === "file" && isLocal(address));
  const unsentFiles = files.map(({ address }) => {
    return warn("unsent-file", placeInBody(parsed, address).line, `${address} is not sent: posts take images only.`);
  });
  const { externalCover } = images;
  if (externalCover === undefined) return [...elements, ...rawImages, ...unsentFiles];
  const message = `The cover ${externalCover} is no file of the project and is not sent.`;
  return [
    ...elements,
    ...rawImages,
    ...unsentFiles,
    warn("external-cover", parsed.fields.cover?.position.line, message),
  ];
}
