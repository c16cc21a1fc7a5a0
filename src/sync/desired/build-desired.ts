import { join } from "node:path";
import { slug as slugOf } from "github-slugger";
import picomatch from "picomatch";
import type { Logger } from "../../base/log.ts";
import type { Capabilities } from "../../client/api.ts";
import type { LibraryFindings } from "../../client/library-findings.ts";
import { isSlug } from "../../contract/slug.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../../site/model.ts";
import type { CollectedPosts } from "../../posts/read/collection/collected.ts";
import type { RenderMarkdown } from "../../posts/render/render-markdown.ts";
import { isPublished } from "../../site/read-site.ts";
import { collectAssets, type Desired, type DesiredPage, type DesiredSite, type HeldPage } from "../desired.ts";
import type { Lock } from "../lock.ts";
import { reasonOfHold } from "../report/held-pages.ts";
import type { PinnedLogoFile } from "../brand/pinned-logos.ts";
import { recallBrand } from "../brand/memory.ts";
import { desirePages } from "./build-pages.ts";
import { desireBlog } from "../../posts/local/desire-blog.ts";
import type { DesiredPosts, InvalidPost, PostsContext } from "../../posts/local/desire-posts.ts";
import type { HeldSite, TemplateSources } from "../../posts/local/hold-pages.ts";
import { namePages } from "./name-pages.ts";
import type { PageAddresses } from "./page-addresses.ts";
import type { PlacedPosts } from "../../posts/local/place-posts.ts";
import { createPostPlaces, findDoubtfulPages, rememberPostPages } from "../../posts/local/post-places.ts";
import type { OnStep } from "../step.ts";
import { findRenamedFiles } from "../../posts/local/renamed-files.ts";
import { findUnreadFiles } from "../../posts/local/unread-files.ts";

export interface DesireContext {
  readonly projectRoot: string;
  readonly options: Options;
  /** Name of the preview that the pages are published as; `undefined`: they are the live site. */
  readonly preview: string | undefined;
  readonly capabilities: Capabilities;
  /** What pages can load from the library. */
  readonly library: LibraryFindings;
  readonly lock: Lock;
  /** From `readPinnedLogos`. */
  readonly pinnedLogos: readonly PinnedLogoFile[];
  readonly logger: Logger;
  readonly markdown: RenderMarkdown | undefined;
  readonly collected: CollectedPosts | undefined;
  readonly brokenImages?: ReadonlyMap<string, string> | undefined;
  readonly addresses: PageAddresses;
  /** Longest slug that the host takes, where that is known. */
  readonly maxSlugLength: number | undefined;
  /** What stands between the words of slugs, where that is not a hyphen. */
  readonly slugSeparator: "_" | undefined;
  /** Whether this run writes no files. */
  readonly dryRun: boolean;
  readonly onStep: OnStep;
}

export interface DesiredRun {
  readonly desired: Desired;
  /** Pages of the built site that are left out, because their posts are not published. */
  readonly heldPages: readonly HeldPage[];
  readonly invalidPosts: readonly InvalidPost[];
  /** Hashes of images that only posts use. */
  readonly postImages: ReadonlySet<string>;
  /** Slug by route, for the lock file. */
  readonly slugs: Readonly<Record<string, string>>;
  /** Routes of pages that were made of posts, for the lock file. */
  readonly postPages: Lock["postPages"];
  readonly addresses: PageAddresses;
}

/** Brings all that should be at the service into one shape: pages, assets, posts and the brand kit. */
export async function desireSite(built: BuiltSite, asked: DesireContext): Promise<DesiredRun> {
  const context = asked.preview === undefined ? asked : forPreview(asked);
  const { projectRoot, options, preview, capabilities, lock } = context;
  const candidates = built.pages.filter((page) => isPublished(page)).filter(notExcluded(options));
  const held = await holdSitePages({ built, candidates }, context);
  const published = candidates.filter(({ route }) => !(route in held.links));
  const slugs = namePages(published, {
    options,
    lock,
    preview,
    maxSlugLength: context.maxSlugLength,
    slugSeparator: context.slugSeparator,
  });

  const { addresses } = context;
  const maxPageBytes = capabilities.limits["maxPageBytes"];
  const noindex = preview !== undefined;
  // A preview has a file of its own, so that the pages of the live site stay remembered.
  const cacheFile = join(projectRoot, ".imprint", noindex ? "preview-pages.json" : "pages.json");
  const pagesContext = { ...context, published, slugs, maxPageBytes, cacheFile, noindex, heldPages: held.links };
  const { pages, assets, warnings } = await desirePages(built, pagesContext);
  const site = desireHome(pages, options);
  const places = createPostPlaces({ options, siteSlugs: slugs, locked: new Map(Object.entries(lock.slugs)) });
  const { posts, placed } = await desireSitePosts(built, {
    ...{ ...context, slugs, places, pageHref: addresses.href },
    parsed: held.parsed,
  });
  const unread = findUnreadFiles(lock, { projectRoot, local: posts });
  const folder = options.posts === false ? "" : options.posts.folder;
  const renamedFrom = await findRenamedFiles(lock, { projectRoot, folder, local: posts });
  if (options.brandKit !== false) context.onStep({ kind: "brand-kit" });
  const brand = await recallBrand(built, { ...context, published, siteName: site.name });
  const others = new Set([...assets, ...brand.assets].map(({ hash }) => hash));
  const images = posts.posts.flatMap((post) => post.assets.map(({ hash }) => hash));
  const postImages = new Set(images.filter((hash) => !others.has(hash)));
  return {
    desired: {
      preview,
      site,
      pages: [...pages, ...placed.pages],
      doubtfulPages: findDoubtfulPages(lock, posts.held),
      heldPages: findFormerSlugs(held.pages, lock),
      assets: collectAssets([assets, placed.assets, ...placed.posts.map((post) => post.assets), brand.assets]),
      blog: desireBlog(options, { siteName: site.name, held: posts.held, unread, renamedFrom }),
      posts: placed.posts,
      brandKit: brand.kit,
      warnings: [
        ...(await nameSources(warnings, { held, built, projectRoot, options })),
        ...posts.warnings,
        ...brand.warnings,
      ],
    },
    heldPages: held.pages,
    invalidPosts: posts.invalid,
    postImages,
    slugs: { ...lock.slugs, ...Object.fromEntries(slugs), ...placed.slugs },
    postPages: rememberPostPages(lock, { made: placed.slugs, siteSlugs: slugs }),
    addresses,
  };
}

const NO_POSTS: DesiredPosts = { posts: [], invalid: [], problems: [], held: [], warnings: [], privateFiles: [] };

const NONE_PLACED: PlacedPosts = { posts: [], pages: [], assets: [], slugs: {} };

interface SitePosts {
  readonly posts: DesiredPosts;
  readonly placed: PlacedPosts;
}

// A site without posts loads nothing of what reads them.
async function desireSitePosts(built: BuiltSite, context: DesireContext & PostsContext): Promise<SitePosts> {
  if (context.options.posts === false) return { posts: NO_POSTS, placed: NONE_PLACED };
  context.onStep({ kind: "posts" });
  const { desirePosts } = await import("../../posts/local/desire-posts.ts");
  const { placePosts } = await import("../../posts/local/place-posts.ts");
  const posts = await desirePosts(built, context);
  return { posts, placed: placePosts(posts.posts, context) };
}

// A site without posts loads nothing of what reads them.
async function holdSitePages(
  pages: { readonly built: BuiltSite; readonly candidates: readonly BuiltPage[] },
  context: DesireContext,
): Promise<HeldSite> {
  if (context.options.posts === false) return { parsed: undefined, pages: [], links: {}, warnings: [] };
  const { holdPages } = await import("../../posts/local/hold-pages.ts");
  return holdPages(pages, context);
}

/** Warnings of pages, where links to posts on hold are a matter of the template that lists them. */
async function nameSources(
  warnings: readonly SiteWarning[],
  sources: TemplateSources,
): Promise<readonly SiteWarning[]> {
  const { pages, warnings: unclear } = sources.held;
  if (pages.length === 0) return [...warnings, ...unclear];
  const { nameTemplates } = await import("../../posts/local/hold-pages.ts");
  return [...(await nameTemplates(warnings, sources)), ...unclear];
}

/** Why pages that an earlier run published are left out now, by slug. */
function findFormerSlugs(pages: readonly HeldPage[], { slugs }: Lock): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap(({ route, reason }) => {
      const slug = slugs[route];
      return slug === undefined ? [] : [[slug, reasonOfHold(reason)]];
    }),
  );
}

// A post can't be taken back, and a site has one brand kit: neither is a matter of a preview.
function forPreview(context: DesireContext): DesireContext {
  return { ...context, options: { ...context.options, posts: false, brandKit: false } };
}

function notExcluded({ exclude }: Options): (page: BuiltPage) => boolean {
  if (exclude.length === 0) return () => true;
  const isExcluded = picomatch([...exclude]);
  return ({ route }) => !isExcluded(route) && !isExcluded(route.replace(/\/$/, ""));
}

function desireHome(pages: readonly DesiredPage[], { site }: Options): DesiredSite {
  const home = pages.find((page) => page.route === "/") ?? pages[0];
  const name = site.name ?? home?.title ?? "Site";
  const folded = slugOf(name.normalize("NFKD"))
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return {
    name: name.slice(0, 200),
    slug: site.slug ?? (isSlug(folded) ? folded : "site"),
    homeSlug: home?.slug,
    isNamed: site.slug !== undefined,
  };
}
