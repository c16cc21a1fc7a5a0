import { join } from "node:path";
import { sha256 } from "../../base/hash.ts";
import { LIMITS } from "../../contract/limits.ts";
import { findMentionedImages } from "./addresses.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import type { CachedBody, PostCache } from "./post-cache.ts";
import { parsePostHtml, type PostHtml, type PostHtmlChanges } from "./post-html.ts";
import type { RenderMarkdown } from "./render-markdown.ts";

/** The rendered body of a post: its references, and its HTML as sent. */
export interface PostBody extends Pick<PostHtml, "references" | "heading" | "stripped"> {
  /** Addresses in the author's text that may be images. */
  readonly mentioned: readonly string[];
  compose(changes: PostHtmlChanges): Promise<string>;
}

export interface BodySources {
  /** Absolute path of the project. */
  readonly root: string;
  readonly render: RenderMarkdown;
  readonly cache: PostCache | undefined;
}

/** Creates the body of a post from its HTML. Throws an `Error` if it is too large. */
export function createBody({ frontMatter }: ParsedPost, html: string): PostBody {
  const parsed = parsePostHtml(checkSize(html));
  const { references, heading, stripped } = parsed;
  const mentioned = findMentionedImages(frontMatter.body);
  return { references, heading, stripped, mentioned, compose: async (changes) => parsed.render(changes) };
}

/** Creates the body of a Markdown post, rendered or cached from an earlier run. Throws whatever the renderer throws. */
export async function renderBody(post: ParsedPost, { root, render, cache }: BodySources): Promise<PostBody> {
  const { file, frontMatter } = post;
  const renderNew = async () => {
    const context = { file: join(root, file), frontmatter: frontMatter.data };
    return createBody(post, (await render(frontMatter.body, context)).html);
  };
  if (cache === undefined || render.key === undefined) return renderNew();
  const key = sha256(JSON.stringify([render.key, file, frontMatter.data, frontMatter.body]));
  const known = cache.find(key);
  return withCache(known ?? (await renderNew()), { known, renderNew, store: (body) => cache.store(key, body) });
}

interface Memory {
  readonly known: CachedBody | undefined;
  readonly renderNew: () => Promise<PostBody>;
  readonly store: (body: CachedBody) => void;
}

function withCache(body: CachedBody | PostBody, { known, renderNew, store }: Memory): PostBody {
  const { references, heading, stripped, mentioned } = body;
  const facts = { references, heading, stripped, mentioned };
  return {
    ...facts,
    async compose(changes) {
      const key = keyOfChanges(changes);
      if (known?.composed.key === key) return known.composed.html;
      const html = await ("compose" in body ? body : await renderNew()).compose(changes);
      store({ ...facts, composed: { key, html } });
      return html;
    },
  };
}

function keyOfChanges({ images, links, ...rest }: PostHtmlChanges): string {
  return sha256(JSON.stringify([[...images], [...links], rest]));
}

function checkSize(html: string): string {
  const bytes = Buffer.byteLength(html);
  if (bytes <= LIMITS.maxPostBytes) return html;
  throw new Error(`its HTML has ${bytes} bytes; at most ${LIMITS.maxPostBytes} are allowed.`);
}
