import { escapeText } from "../../html/attributes.ts";
import { fillPlaceholders } from "../../html/placeholders.ts";
import { fillPostPlaceholders } from "../../html/post-placeholders.ts";
import { renderPostPage } from "../../posts/render/post-page.ts";
import type { DesiredPosts } from "../../posts/local/desire-posts.ts";
import { readPostsFolder, type LocalPostsRequest } from "./sync-posts.ts";

/** The posts of a folder to be looked at, drafts and later ones too. */
export interface PostsPreview {
  /** A page with all posts, and what is wrong with the others. */
  list(): string;
  /** The page of a post; `undefined` when there is no such post. */
  page(slug: string): string | undefined;
  /** Absolute path and type of an image that a page uses. */
  image(hash: string): { readonly path: string; readonly contentType: string } | undefined;
}

/** Reads all posts of a folder and shows them as pages. Asks no service. */
export async function previewPosts(request: LocalPostsRequest): Promise<PostsPreview> {
  const { posts: local } = await readPostsFolder(request, "everything");
  const posts = new Map(local.posts.map((post) => [post.slug, post]));
  const images = new Map(local.posts.flatMap(({ assets }) => assets.map((asset) => [asset.hash, asset] as const)));
  return {
    list: () => renderList(local),
    page(slug) {
      const post = posts.get(slug);
      if (post === undefined) return undefined;
      const html = fillPlaceholders(renderPostPage(post).html, (hash) => `/_image/${hash}`);
      return fillPostPlaceholders(html, (other) => `/${other}`);
    },
    image(hash) {
      const asset = images.get(hash);
      if (asset?.source.kind !== "file") return undefined;
      return { path: asset.source.path, contentType: asset.contentType };
    },
  };
}

function renderList({ posts: shown, problems: wrong }: DesiredPosts): string {
  const posts = shown.map(
    ({ slug, title, file }) =>
      `<li><a href="/${slug}">${escapeText(title)}</a> <small>${escapeText(file)}</small></li>`,
  );
  const problems = wrong.map(({ file, line, column, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return `<li><code>${escapeText(place)}</code> ${escapeText(message)}</li>`;
  });
  const faults = problems.length === 0 ? "" : `<h2>To correct</h2><ul>${problems.join("\n")}</ul>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Posts</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}small{color:#666}</style>
</head><body><h1>Posts in this folder</h1><p>Nothing of this is sent.</p><ul>${posts.join("\n")}</ul>${faults}</body></html>`;
}
