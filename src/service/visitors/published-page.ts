import { LRUCache } from "lru-cache";
import { sha256 } from "../../base/hash.ts";
import { findRedirect, type ReaderRedirect } from "../../html/redirect.ts";
import type { Core } from "../host/core.ts";
import { isFresh, type HttpRequest, type AnyResponse, type PlainResponse } from "../http/messages.ts";
import { makeBytesCurrent } from "../resources/current-addresses.ts";
import { findRevision } from "../store/database.ts";
import { findPublishedState, readPublishedPage, type PageKey, type PublishedState } from "../store/pages.ts";
import { beaconElement, findBeaconPlace, refusesCounting } from "./beacon.ts";
import { respondMissing } from "./missing-page.ts";

/** Serves a published page with the service's current URLs; browsers also get the script that counts views. */
export type PageServer = (slug: string, request: HttpRequest) => Promise<AnyResponse>;

/** A cached page in one state. */
interface PageCopy {
  readonly state: PublishedState;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: Uint8Array<ArrayBuffer>;
  /** 200, or a redirect's status. */
  readonly status: number;
  /** Revision at which the state was last read; `undefined` if it must be read each time. */
  readonly revision: number | undefined;
}

/** Pages cached in memory, so that popular ones aren't rendered for each reader. */
export type PageCopies = LRUCache<string, PageCopy>;

export function createPageCopies(): PageCopies {
  // Enough for a few thousand pages.
  const maxSize = 32 * 1024 * 1024;
  const sizeCalculation = ({ html }: PageCopy, name: string) => html.byteLength + name.length;
  return new LRUCache({ maxSize, maxEntrySize: maxSize / 8, sizeCalculation });
}

/** Creates the page server of a host; `copies` may be shared with other hosts. */
export function createPageServer(core: Core, copies: PageCopies): PageServer {
  const { settings, account, store, addresses } = core;
  const { analytics } = settings;
  const { origin } = new URL(addresses.pagesUrl);
  const common = {
    "Content-Type": "text/html; charset=utf-8",
    // A page may change at any time, so browsers revalidate it and mostly get 304.
    "Cache-Control": "no-cache",
    ...(analytics && { Vary: "Accept, Sec-GPC, DNT" }),
  };

  async function findCopy(key: PageKey, form: "plain" | "counted"): Promise<PageCopy | undefined> {
    const name = `${form} ${origin} ${key.slug}`;
    const known = copies.get(name);
    const revision = findRevision(store.database, "pages");
    if (known !== undefined && revision !== undefined && revision === known.revision) return known;
    // Any process may have written the page meanwhile, so read its current state.
    const state = await findPublishedState(store.database, key);
    if (state === undefined) return undefined;
    if (known !== undefined && isOf(known, state)) {
      copies.set(name, { ...known, revision });
      return known;
    }
    const page = await readPublishedPage(store.database, key);
    if (page === undefined) return undefined;
    const { id, version, contentHash } = page;
    const shown = makeBytesCurrent(page.html, "html", addresses);
    const place = form === "counted" ? findBeaconPlace(shown, { origin }) : undefined;
    const html =
      place === undefined
        ? shown
        : Buffer.concat([shown.subarray(0, place), Buffer.from(beaconElement(page)), shown.subarray(place)]);
    const tag = [
      contentHash,
      ...(place === undefined ? [] : [String(version)]),
      ...(shown === page.html ? [] : [sha256(shown).slice(0, 16)]),
    ].join("-");
    const redirect = findTarget(shown);
    const headers = {
      ...common,
      ETag: `"${tag}"`,
      "Content-Length": String(html.byteLength),
      ...(redirect !== undefined && { Location: redirect.address }),
    };
    const copy = { state: { id, version, contentHash }, html, headers, status: redirect?.status ?? 200, revision };
    copies.set(name, copy);
    return copy;
  }

  return async (slug, request) => {
    const key = { accountId: account.id, slug };
    const isCounted = analytics && isBrowser(request) && !refusesCounting(request);
    const copy = await findCopy(key, isCounted ? "counted" : "plain");
    if (copy !== undefined) return respondWith(copy, request);
    return await respondMissing(core, { slugs: [slug], request, look: { kind: "page", slug } });
  };
}

function isOf({ state }: PageCopy, { id, version, contentHash }: PublishedState): boolean {
  return state.version === version && state.id === id && state.contentHash === contentHash;
}

// Sent by every browser, and hardly any program, when a user opens a page. Programs get the page unchanged.
function isBrowser({ headers }: HttpRequest): boolean {
  return headers.get("Accept")?.includes("application/xhtml+xml") === true;
}

const MAX_REDIRECT_BYTES = 4096;

/** Returns the target of a redirect page, as a path on its host or a full URL. */
function findTarget(html: Uint8Array): ReaderRedirect | undefined {
  if (html.byteLength > MAX_REDIRECT_BYTES) return undefined;
  const text = new TextDecoder().decode(html);
  const redirect = /http-equiv\s*=\s*["']?refresh/i.test(text) ? findRedirect(text) : undefined;
  const url = redirect === undefined ? null : URL.parse(redirect.address, "http://page.invalid/p/");
  if (redirect === undefined || url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return { ...redirect, address: url.host === "page.invalid" ? url.pathname + url.search + url.hash : url.href };
}

function respondWith({ html, headers, status }: PageCopy, request: HttpRequest): PlainResponse {
  const isUnchanged = isFresh(request.headers.get("If-None-Match") ?? undefined, headers["ETag"] ?? "");
  if (!isUnchanged) return { status, headers, body: html };
  const { "Content-Type": _type, "Content-Length": _length, ...kept } = headers;
  return { status: 304, headers: kept, body: undefined };
}
