import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import { MARKDOWN_BODIES } from "../../contract/dialect.ts";
import { HOME_SLUG } from "../../contract/slug.ts";
import { EMPTY_ADDRESS } from "../../html/placeholders.ts";
import { fillPostPlaceholders, findPostPlaceholders, moveLinks } from "../../html/post-placeholders.ts";
import type { SitePost } from "../post.ts";
import { postUid, withoutPostMarkers } from "../identity/marker.ts";
import { payloadOf } from "../identity/fingerprint.ts";
import type { PostsContext } from "./session.ts";
import { slugOfRecord } from "../identity/identity.ts";
import type { PostRepository } from "../memory/repository.ts";
import type { KnownPosts } from "../identity/known-posts.ts";

export interface PayloadSources {
  readonly api: Pick<ImprintApi, "capabilities" | "dialect" | "visit">;
  /** Returns the address of an image in the library by its hash. */
  readonly addressOf: (hash: string) => string | undefined;
  /** Uploads the images of a post that nothing else needed. */
  readonly supply: (post: SitePost) => Promise<void>;
  readonly collection: string;
  /** Id of the project. */
  readonly project: string;
  /** Slugs of pages that couldn't be published in this run. */
  readonly unpublishedPages: ReadonlySet<string>;
  /** Targets of links between posts. */
  readonly posts: PostAddresses;
}

/**
 * Creates the payload of a post. Requests every image once per run at the address that readers will use, since a
 * published post with a broken image may not be fixable.
 */
export function createPayloads(sources: PayloadSources): PostsContext["payload"] {
  const { api, addressOf, supply, collection, project, unpublishedPages, posts } = sources;
  const faults = new Map<string, Promise<string | undefined>>();

  function faultOf(address: string): Promise<string | undefined> {
    const known = faults.get(address) ?? findFault(address, api);
    faults.set(address, known);
    return known;
  }

  return async (post, form) => {
    if (post.pointsTo !== undefined && unpublishedPages.has(post.pointsTo)) {
      const message = `${post.file} links to its page "${post.pointsTo}", which couldn't be published. The post wasn't sent.`;
      throw new ImprintError("POST_PAGE_MISSING", message);
    }
    await supply(post);
    const found = post.assets.map((asset) => ({ name: asset.name, address: addressOf(asset.hash) }));
    const isMissing = (address: string | undefined) => address === undefined || address === EMPTY_ADDRESS;
    const missing = found.filter(({ address }) => isMissing(address)).map(({ name }) => name);
    if (missing.length > 0)
      throw broken(post, { what: `files that couldn't be uploaded: ${missing.join(", ")}`, hint: SEE_ABOVE });
    for (const { name, address = "" } of found) {
      const fault = await faultOf(address);
      if (fault !== undefined) throw broken(post, { what: `${name}, and ${address} ${fault}`, hint: CHECK });
    }
    const uid = postUid({ collection, slug: post.slug });
    const payload = payloadOf(post, { uid, project, addressOf: (hash) => addressOf(hash) ?? "" });
    const filled = fillPostPlaceholders(payload.html, posts.guess);
    const html = posts.linkFromBlog(filled);
    const isMarkdown = form === "markdown" || MARKDOWN_BODIES.some((name) => name === api.dialect.postBody);
    return isMarkdown ? { ...payload, html: undefined, markdown: await toMarkdown(html) } : { ...payload, html };
  };
}

// Loaded only for services that accept nothing else. A marker would be text there.
async function toMarkdown(html: string): Promise<string> {
  const { htmlToMarkdown } = await import("../write/html-to-markdown.ts");
  return htmlToMarkdown(withoutPostMarkers(html));
}

async function findFault(address: string, api: Pick<ImprintApi, "visit">): Promise<string | undefined> {
  if (address.startsWith("data:")) return undefined;
  const visit = await api.visit(address);
  if (visit === undefined) return "doesn't respond";
  if (visit.status !== 200) return `returns status ${visit.status}`;
  if (visit.bytes.byteLength === 0) return "returns an empty body";
  return visit.contentType?.startsWith("text/html") === true ? "returns a web page" : undefined;
}

const SEE_ABOVE = "Fix the problems reported for these files, and run again.";
const CHECK = "Run again. If this persists, check that the address can be reached from here.";

function broken({ file }: SitePost, { what, hint }: { readonly what: string; readonly hint: string }): ImprintError {
  return new ImprintError("ASSET_MISSING", `${file} uses ${what}. The post wasn't sent.`, { hint });
}

/** The addresses of posts in the blog, by the slug of the local post. */
export interface PostAddresses {
  /** Known address of a post. */
  find(slug: string): string | undefined;
  /** The address that the blog lists for a post now, as somebody may have renamed it there; else the known one. */
  current(slug: string): string | undefined;
  /** Known or most likely address of a post, inferred from the other posts' addresses. */
  guess(slug: string): string | undefined;
  /** Slugs that a post links to and that have no address yet. */
  missing(post: SitePost): readonly string[];
  /** Makes links to pages absolute unless posts are known to be at the host of the pages. */
  linkFromBlog(html: string): string;
}

interface AddressSources {
  readonly api: Pick<ImprintApi, "capabilities">;
  readonly repository: Pick<PostRepository, "ledger">;
  readonly known: KnownPosts;
  /** Address of a page, if known. */
  readonly pageUrl: (slug: string) => string | undefined;
}

export function createPostAddresses({ api, repository, known, pageUrl }: AddressSources): PostAddresses {
  const listed = new Map(known.posts.map(({ record }) => [slugOfRecord(record), record.url]));
  const find = (slug: string): string | undefined => {
    const entry = repository.ledger.entries.get(slug);
    return entry?.url ?? listed.get(entry?.remoteSlug ?? slug);
  };
  const listedById = new Map(known.posts.map(({ record }) => [record.id, record.url]));
  // The part of a post's address before its slug: the same for all posts, so it is computed once.
  let prefix: string | undefined;
  function findPrefix(): string | undefined {
    if (prefix !== undefined) return prefix;
    const own = [...repository.ledger.entries].map(([name, { url, remoteSlug = name }]) => [remoteSlug, url] as const);
    const like = [...own, ...listed].find(([name, url]) => name !== undefined && url?.endsWith(`/${name}`) === true);
    const [name = "", url] = like ?? [];
    prefix = url?.slice(0, -name.length);
    return prefix;
  }
  return {
    find,
    current: (slug) => listedById.get(repository.ledger.entries.get(slug)?.id) ?? find(slug),
    guess(slug) {
      const like = find(slug) === undefined ? findPrefix() : undefined;
      return find(slug) ?? (like === undefined ? undefined : like + slug);
    },
    missing: ({ html, slug: own }) =>
      findPostPlaceholders(html).filter((slug) => slug !== own && find(slug) === undefined),
    linkFromBlog(html) {
      // Our own service serves posts beside pages, also at several hosts.
      if (api.capabilities.account !== undefined) return html;
      const pages = pageUrl(HOME_SLUG);
      const origin = URL.parse(pages ?? "")?.origin;
      const posts = findPrefix();
      const isSame = posts !== undefined && URL.parse(posts, pages)?.origin === origin;
      if (origin === undefined || isSame) return html;
      return moveLinks(html, (href) => (/^\/(?!\/)/.test(href) ? origin + href : undefined));
    },
  };
}
