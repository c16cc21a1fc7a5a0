import type { ImprintApi } from "../../client/api.ts";
import { decodeReferences } from "../../base/decode-references.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { sentHashOf } from "../identity/fingerprint.ts";
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
}

/**
 * Finds addresses of links and images in a post that broke when the host moved: the blog's text has a different address
 * than the site would send now for the same last segment, and that address returns 404 or 410, or doesn't respond,
 * while the present one does. If the list shows no text, those that an earlier run found are visited again.
 */
export async function findLostLinks(
  { post, known, entry }: SentPost,
  { visit, baseUrl, addressOf }: Host,
): Promise<readonly string[]> {
  const { html, record } = known;
  if (html === undefined) return await findDead(entry.deadLinks ?? [], visit);
  if (entry.sent === sentHashOf(post)) return [];
  const base = record.url ?? baseUrl;
  const now = fillPlaceholders(post.html, (hash) => addressOf(hash) ?? "");
  const [wanted, shown] = [readLinks(now, base), readLinks(html, base)];
  const present = new Map([...wanted].filter((link) => !shown.has(link)).map((link) => [endOf(link), link]));
  const suspects = [...shown].flatMap((link) => {
    const moved = wanted.has(link) ? undefined : present.get(endOf(link));
    return moved === undefined ? [] : [{ link, moved }];
  });
  const lost = await Promise.all(
    suspects.map(async ({ link, moved }) => {
      const visited = await visit(link);
      return visited === undefined ? (await visit(moved))?.status === 200 : GONE.has(visited.status);
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
  const urls = links.flatMap((link) => URL.parse(link, base) ?? []);
  return new Set(
    urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin, pathname }) => origin + pathname),
  );
}

function endOf(link: string): string | undefined {
  return link.replace(/\/+$/, "").split("/").at(-1);
}
