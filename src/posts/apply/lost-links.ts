import type { ImprintApi } from "../../client/api.ts";
import { decodeReferences } from "../../base/decode-references.ts";
import { isMarkedPage } from "../../html/marker.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { fillPostPlaceholders, findPostPlaceholders } from "../../html/post-placeholders.ts";
import { sentHashOf } from "../identity/fingerprint.ts";
import type { PostAddresses } from "./payloads.ts";
import type { RemotePost } from "../identity/identity.ts";
import type { PostEntry } from "../memory/ledger.ts";
import type { SitePost } from "../post.ts";

interface SentPost {
  readonly post: SitePost;
  readonly known: RemotePost;
  readonly entry: PostEntry;
}

const GONE: ReadonlySet<number> = new Set([404, 410]);

interface Host extends Pick<ImprintApi, "visit" | "baseUrl"> {
  /** Returns the library address of an image by its hash. */
  readonly addressOf: (hash: string) => string | undefined;
  readonly addresses: Pick<PostAddresses, "current" | "linkFromBlog">;
  /** Addresses of pages that the run deletes after the posts, so they respond until then. */
  readonly deleted: ReadonlySet<string>;
}

/**
 * Finds addresses of links and images in a post that broke when the host moved: the blog's text has a different address
 * than the site would send now for the same last segment, or in the same place, and that address returns 404 or 410, or
 * doesn't respond while the present one does, or shows a page without imprint's marker, which the present one has. Of a
 * post that was renamed there, the last segment is another one. If the list shows no text, those that an earlier run
 * found are visited again.
 */
export async function findLostLinks(
  { post, known, entry }: SentPost,
  { visit, baseUrl, addressOf, addresses, deleted }: Host,
): Promise<readonly string[]> {
  const { html, record } = known;
  if (html === undefined) return await findDead(entry.deadLinks ?? [], visit);
  const [linked, isAsSent] = [findPostPlaceholders(post.html), entry.sent === sentHashOf(post)];
  const placed = addresses.linkFromBlog(post.html);
  // Links to pages have the domain of the pages only in what is sent.
  const isAccepted = entry.state === "acknowledged" || placed === post.html;
  if (isAsSent && linked.length === 0 && isAccepted) return [];
  const base = record.url ?? baseUrl;
  const shown = readLinks(html, base);
  const isPostMoved = linked.some((slug) => linksTo(addresses.current(slug), base).some((link) => !shown.has(link)));
  if (isAsSent && !isPostMoved && isAccepted) return [];
  const filled = fillPlaceholders(placed, (hash) => addressOf(hash) ?? "");
  const wanted = readLinks(fillPostPlaceholders(filled, addresses.current), base);
  const present = [...wanted].filter((link) => !shown.has(link));
  const others = [...shown].filter((link) => !wanted.has(link));
  const byEnd = new Map(present.map((link) => [endOf(link), link]));
  // Pages may also be at other last segments now, such as `about.html`.
  const byPlace = !isAsSent && others.length === present.length ? present : [];
  const suspects = others
    .map((link, place) => ({ link, moved: byEnd.get(endOf(link)) ?? byPlace[place] }))
    .filter(({ moved }) => moved !== undefined || isPostMoved);
  const lost = await Promise.all(
    suspects.map(async ({ link, moved }) => {
      if (deleted.has(link)) return true;
      const visited = await visit(link);
      if (visited !== undefined && GONE.has(visited.status)) return true;
      if (moved === undefined || (visited !== undefined && isMarkedPage(visited))) return false;
      const now = await visit(moved);
      return visited === undefined ? now?.status === 200 : now !== undefined && isMarkedPage(now);
    }),
  );
  return suspects.flatMap(({ link }, place) => (lost[place] === true ? [link] : []));
}

async function findDead(links: readonly string[], visit: Host["visit"]): Promise<readonly string[]> {
  const visits = await Promise.all(links.map((link) => visit(link)));
  return links.filter((_, place) => GONE.has(visits[place]?.status ?? 404));
}

const LINK = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

function readLinks(html: string, base: string): ReadonlySet<string> {
  const links = Array.from(html.matchAll(LINK), ([, quoted, single]) => decodeReferences(quoted ?? single ?? ""));
  return new Set(links.flatMap((link) => linksTo(link, base)));
}

function linksTo(link: string | undefined, base: string): readonly string[] {
  const url = link === undefined ? null : URL.parse(link, base);
  return url !== null && /^https?:$/.test(url.protocol) ? [url.origin + url.pathname] : [];
}

function endOf(link: string): string | undefined {
  return link.replace(/\/+$/, "").split("/").at(-1);
}
