import type { Core } from "../core.ts";
import type { Outcome } from "../http/answer.ts";
import type { HttpRequest } from "../http/request.ts";
import { isFresh } from "../route-sets/read-conditions.ts";
import { findPage, isDeletedPage, readPublishedPage } from "../store/pages.ts";
import type { PublishedPage } from "../store/pages.ts";
import { findLook } from "../look/find-look.ts";
import { findBeaconPlace } from "./beacon-place.ts";
import { beaconElement } from "./beacon-script.ts";
import { gonePage, notFoundPage } from "./plain-pages.ts";
import { refusesCounting } from "./privacy-signals.ts";

// A page may change at any moment, so a browser asks each time and mostly hears that it is unchanged.
const CACHE_CONTROL = "no-cache";

/** Serves a published page exactly as it was sent; a browser also gets the script that counts its view. */
export type PageServer = (slug: string, request: HttpRequest) => Promise<Outcome>;

export function createPageServer(core: Core): PageServer {
  const places = createBeaconPlaces(new URL(core.addresses.pagesUrl).origin);
  const { analytics } = core.settings;
  const common = { "Cache-Control": CACHE_CONTROL, ...(analytics && { Vary: "Accept, Sec-GPC, DNT" }) };

  return async (slug, request) => {
    const page = await readPublishedPage(core.store.database, { accountId: core.account.id, slug });
    if (page === undefined) return await explainAbsence(core, slug);
    const place = analytics && isBrowser(request) && !refusesCounting(request) ? places(page) : undefined;
    const headers = {
      ...common,
      ETag: place === undefined ? `"${page.contentHash}"` : `"${page.contentHash}-${page.version}"`,
    };
    if (isFresh(request.headers.get("If-None-Match") ?? undefined, headers.ETag)) {
      return { status: 304, headers, body: undefined };
    }
    const html = place === undefined ? page.html : insert(page, place);
    return {
      status: 200,
      headers: {
        ...headers,
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": String(html.byteLength),
      },
      body: html,
    };
  };
}

// What every browser sends when a person opens a page, and hardly any program. A program wants the page as it is.
function isBrowser(request: HttpRequest): boolean {
  return request.headers.get("Accept")?.includes("application/xhtml+xml") === true;
}

const MAX_PLACES = 1000;

/** Remembers where the script goes, since looking for it reads the whole page. */
function createBeaconPlaces(origin: string): (page: PublishedPage) => number | undefined {
  const places = new Map<string, number | undefined>();
  return ({ contentHash, html }) => {
    if (places.has(contentHash)) return places.get(contentHash);
    if (places.size >= MAX_PLACES) places.clear();
    const place = findBeaconPlace(html, { origin });
    places.set(contentHash, place);
    return place;
  };
}

function insert(page: PublishedPage, place: number): Uint8Array<ArrayBuffer> {
  const { html } = page;
  return Buffer.concat([html.subarray(0, place), Buffer.from(beaconElement(page)), html.subarray(place)]);
}

async function explainAbsence(core: Core, slug: string): Promise<Response> {
  const { database } = core.store;
  const key = { accountId: core.account.id, slug };
  const isDraft = (await findPage(database, key)) !== undefined;
  const look = await findLook(core, { kind: "page", slug });
  return !isDraft && (await isDeletedPage(database, key)) ? gonePage(look) : notFoundPage(look);
}
