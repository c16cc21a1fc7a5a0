import type { Core } from "../core.ts";
import { isFresh } from "../route-sets/read-conditions.ts";
import { findPage, isDeletedPage, readPublishedPage } from "../store/pages.ts";
import { gonePage, notFoundPage } from "./plain-pages.ts";

// A page may change at any moment, so a browser asks each time and mostly hears that it is unchanged.
const CACHE_CONTROL = "no-cache";

/** Serves a published page exactly as it was sent. */
export async function servePage(core: Core, slug: string, request: Request): Promise<Response> {
  const key = { accountId: core.account.id, slug };
  const page = await readPublishedPage(core.store.database, key);
  if (page === undefined) return await explainAbsence(core, slug);
  const etag = `"${page.contentHash}"`;
  if (isFresh(request.headers.get("If-None-Match") ?? undefined, etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag, "Cache-Control": CACHE_CONTROL } });
  }
  return new Response(page.html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(page.html.byteLength),
      "Cache-Control": CACHE_CONTROL,
      ETag: etag,
    },
  });
}

async function explainAbsence({ store: { database }, account }: Core, slug: string): Promise<Response> {
  const key = { accountId: account.id, slug };
  const isDraft = (await findPage(database, key)) !== undefined;
  return !isDraft && (await isDeletedPage(database, key)) ? gonePage() : notFoundPage();
}
