import type { Post } from "../../client/api.ts";
import { HOME_SLUG } from "../../contract/slug.ts";
import type { PublishedPlaces } from "../../posts/edit/restore-addresses.ts";
import { slugOfRecord } from "../../posts/identity/identity.ts";
import type { PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";

/** Finds what the project has published, and what its own files call it. */
export function findPlaces(
  planned: PlannedSite,
  { run, files }: { readonly run: Run; readonly files: ReadonlyMap<Post, string> },
): PublishedPlaces {
  const posts = [
    ...filesOfPosts(planned),
    ...[...files].map(([{ url, slug = "" }, file]) => ({ slug, file, urls: [url] })),
  ];
  const { pages, made } = findPages(planned, { run, files: new Map(posts.map(({ slug, file }) => [slug, file])) });
  const addressed = posts.flatMap(({ file, urls }) =>
    urls.flatMap((url) => (url === undefined ? [] : [[url, file] as const])),
  );
  const base = planned.addresses.shown(HOME_SLUG) ?? addressed[0]?.[0] ?? "";
  return {
    base: URL.canParse(base) ? base : "http://site.invalid/",
    pages,
    posts: new Map([...addressed, ...made]),
  };
}

function filesOfPosts({ desired, local, known }: PlannedSite) {
  const listed = new Map(known.posts?.posts.map(({ record }) => [slugOfRecord(record), record.url]));
  return [...desired.posts, ...local.held].flatMap(({ slug, file }) => {
    if (slug === undefined) return [];
    const { url, remoteSlug = slug } = known.posts?.ledger.entries.get(slug) ?? {};
    return [{ slug, file, urls: [url, listed.get(remoteSlug)] }];
  });
}

interface PagesContext {
  readonly run: Run;
  /** By slug of the post. */
  readonly files: ReadonlyMap<string, string>;
}

// A page that was made from a post isn't one of the site itself, so links lead to the post's file.
function findPages({ addresses }: PlannedSite, { run: { memory, request }, files }: PagesContext) {
  const { slugs, postPages = [], redirects = {} } = memory.lock;
  const start = (request.hints?.base ?? "/").replace(/\/$/, "");
  const addressesOf = (slug: string) =>
    [addresses.href, addresses.shown, addresses.written, addresses.reachable].flatMap((at) => at(slug) ?? []);
  const former = Object.entries(redirects).map(([slug, route]) => [route, slug] as const);
  const pages = new Map<string, string>();
  const made = new Map<string, string>();
  for (const [route, slug] of [...former, ...Object.entries(slugs)]) {
    const file = postPages.includes(route) ? files.get(route.split("/").at(-2) ?? "") : undefined;
    if (file === undefined) for (const address of addressesOf(slug)) pages.set(address, start + route);
    else for (const address of addressesOf(slug)) made.set(address, file);
  }
  return { pages, made };
}
