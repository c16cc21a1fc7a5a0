import type { Page } from "../store/pages.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { recordEvent } from "./events.ts";

/** Notes what a change of a page means for its readers: drafts that stay drafts mean nothing to them. */
export async function recordPageWrite(context: Context, before: Page | undefined, page: Page): Promise<void> {
  const wasPublished = before?.status === "published";
  const isPublished = page.status === "published";
  const data = dataOf(context, page);
  if (isPublished) {
    const type = wasPublished ? "page.updated" : "page.published";
    await recordEvent(context, { type, subject: page.id, data });
  } else if (wasPublished) {
    await recordEvent(context, { type: "page.deleted", subject: page.id, data: { ...data, reason: "unpublished" } });
  }
}

export async function recordPageRemoval(context: Context, page: Page): Promise<void> {
  const data = { ...dataOf(context, page), reason: "deleted" };
  await recordEvent(context, { type: "page.deleted", subject: page.id, data });
}

function dataOf({ addresses }: Context, { id, slug, title, status, version }: Page) {
  return { id, slug, url: publicPageUrl(addresses, slug), title, status, version };
}
