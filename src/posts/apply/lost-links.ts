import type { ImprintApi } from "../../client/api.ts";
import { decodeReferences } from "../../base/decode-references.ts";
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

/**
 * Finds links of a post that broke when the host moved its pages: the blog's text has a different address than the site
 * would send now for the same last segment, and that address returns 404 or 410.
 */
export async function findLostLinks(
  { post, known, entry }: SentPost,
  { visit, baseUrl }: Pick<ImprintApi, "visit" | "baseUrl">,
): Promise<readonly string[]> {
  const { html, record } = known;
  if (html === undefined || entry.sent === sentHashOf(post)) return [];
  const base = record.url ?? baseUrl;
  const [wanted, shown] = [readLinks(post.html, base), readLinks(html, base)];
  const names = new Set([...wanted].filter((link) => !shown.has(link)).map(endOf));
  const suspects = [...shown].filter((link) => !wanted.has(link) && names.has(endOf(link)));
  const visits = await Promise.all(suspects.map(async (link) => [link, (await visit(link))?.status ?? 200] as const));
  return visits.flatMap(([link, status]) => (GONE.has(status) ? [link] : []));
}

const LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

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
