import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import type { PlainResponse, AnyResponse } from "../http/response.ts";
import type { HttpRequest } from "../http/request.ts";
import { findLook } from "../look/find-look.ts";
import type { Addresses } from "../resources/addresses.ts";
import { makeBytesCurrent } from "../resources/current-addresses.ts";
import { isFresh } from "../http/conditions.ts";
import {
  findPage,
  findPublishedState,
  isDeletedPage,
  readPublishedPage,
  type PageKey,
  type PublishedPage,
} from "../store/pages.ts";
import { findBeaconPlace } from "./beacon-place.ts";
import { beaconElement } from "./beacon-script.ts";
import type { PageCopies, PageCopy } from "./page-copies.ts";
import { gonePage, notFoundPage } from "./plain-pages.ts";
import { refusesCounting } from "./privacy-signals.ts";

/**
 * Serves a published page as it was sent, with the present addresses of the service; a browser also gets the script that
 * counts its view.
 */
export type PageServer = (slug: string, request: HttpRequest) => Promise<AnyResponse>;

/** Makes what serves the pages of a host; `copies` may be those of other hosts too. */
export function createPageServer(core: Core, copies: PageCopies): PageServer {
  const { settings, account, store } = core;
  const { analytics } = settings;
  const { addresses } = core;
  const { origin } = new URL(addresses.pagesUrl);
  const common = {
    "Content-Type": "text/html; charset=utf-8",
    // A page may change at any moment, so a browser asks each time and mostly hears that it is unchanged.
    "Cache-Control": "no-cache",
    ...(analytics && { Vary: "Accept, Sec-GPC, DNT" }),
  };

  async function findCopy(key: PageKey, form: PageForm): Promise<PageCopy | undefined> {
    // Any process may have written the page in between, so the database says each time which state is in force.
    const state = await findPublishedState(store.database, key);
    if (state === undefined) return undefined;
    const name = `${form} ${origin} ${key.slug}`;
    const known = copies.find(name, state);
    if (known !== undefined) return known;
    const page = await readPublishedPage(store.database, key);
    if (page === undefined) return undefined;
    const copy = makeCopy(page, { form, origin, addresses, headers: common });
    copies.keep(name, copy);
    return copy;
  }

  return async (slug, request) => {
    const key = { accountId: account.id, slug };
    const isCounted = analytics && isBrowser(request) && !refusesCounting(request);
    const copy = await findCopy(key, isCounted ? "counted" : "plain");
    return copy === undefined ? await explainAbsence(core, key) : answerWith(copy, request);
  };
}

/** `counted`: with the script. */
type PageForm = "plain" | "counted";

interface CopyOptions {
  readonly form: PageForm;
  /** Of the host. */
  readonly origin: string;
  readonly addresses: Addresses;
  readonly headers: Readonly<Record<string, string>>;
}

function makeCopy(page: PublishedPage, { form, origin, addresses, headers }: CopyOptions): PageCopy {
  const shown = makeBytesCurrent(page.html, "html", addresses);
  const place = form === "counted" ? findBeaconPlace(shown, { origin }) : undefined;
  const html = place === undefined ? shown : insert({ ...page, html: shown }, place);
  const marks = [
    ...(place === undefined ? [] : [String(page.version)]),
    ...(shown === page.html ? [] : [sha256(shown).slice(0, 16)]),
  ];
  const tag = `"${[page.contentHash, ...marks].join("-")}"`;
  const { id, version, contentHash } = page;
  return {
    state: { id, version, contentHash },
    html,
    headers: { ...headers, ETag: tag, "Content-Length": String(html.byteLength) },
  };
}

function insert(page: PublishedPage, place: number): Uint8Array<ArrayBuffer> {
  const { html } = page;
  return Buffer.concat([html.subarray(0, place), Buffer.from(beaconElement(page)), html.subarray(place)]);
}

function answerWith({ html, headers }: PageCopy, request: HttpRequest): PlainResponse {
  const isUnchanged = isFresh(request.headers.get("If-None-Match") ?? undefined, headers["ETag"] ?? "");
  if (!isUnchanged) return { status: 200, headers, body: html };
  const { "Content-Type": _type, "Content-Length": _length, ...kept } = headers;
  return { status: 304, headers: kept, body: undefined };
}

// What every browser sends when a person opens a page, and hardly any program. A program wants the page as it is.
function isBrowser({ headers }: HttpRequest): boolean {
  return headers.get("Accept")?.includes("application/xhtml+xml") === true;
}

async function explainAbsence(core: Core, key: PageKey): Promise<Response> {
  const { database } = core.store;
  const isDraft = (await findPage(database, key)) !== undefined;
  const look = await findLook(core, { kind: "page", slug: key.slug });
  return !isDraft && (await isDeletedPage(database, key)) ? gonePage(look) : notFoundPage(look);
}
